"""The felt of each game: the spots on it and the pays printed there."""

import pytest

from feltlab.games import GAMES
from feltlab.web.felt_layout import arrange_spots, pay_notes, printed_pay_tables


def variants():
    """Every game under each single value of each of its options."""
    for game in GAMES.values():
        yield game
        yield from (game.with_options({o.name: value}) for o in game.rules.OPTIONS for value in o.values)


@pytest.mark.parametrize("game", [*variants()], ids=str)
def test_only_listed_pays_are_printed(game):
    printed = {
        (table["title"], line["outcome"]) for table in printed_pay_tables(game) for line in table["pays"]
    }
    lines = {(spot.title, line.outcome): line for spot in game.spots for line in game.pay_table(spot).lines}
    assert all(lines[place].listed and lines[place].result == "win" for place in printed)
    assert {spot for spot, _ in printed}.isdisjoint(note.partition(" pays ")[0] for note in pay_notes(game))


def test_pair_plus_1_prints_no_royal_flush():
    """That pay table pays a royal flush as a straight flush, and does not list it."""
    rummy = GAMES["triple-shot-rummy"].with_options({"pair-plus": "1"})
    (pair_plus,) = [table for table in printed_pay_tables(rummy) if table["title"] == "Pair Plus"]
    outcomes = [line["outcome"] for line in pair_plus["pays"]]
    assert "Straight Flush" in outcomes
    assert "Royal Flush" not in outcomes


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_every_spot_is_on_the_felt_once(game):
    rows = arrange_spots(game)
    lying = [spot["spot"] for groups in rows.values() for group in groups for spot in group]
    assert sorted(lying) == sorted(spot.name for spot in game.spots)
