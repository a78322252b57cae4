"""The felt of each game: the spots on it and the pays printed there."""

import re

import pytest

from feltlab.games import GAMES
from feltlab.games.data import PacketData, packet_data, printed_lines
from feltlab.report.felt_layout import arrange_spots, pay_notes, printed_pay_tables, table_notices
from feltlab.report.layout_drawing import describe_layout, draw_layout
from tests.support.toy_games import STREETS


def variants():
    """Every game under each single value of each of its options."""
    for game in GAMES.values():
        yield game
        yield from (game.with_options({o.name: value}) for o in game.rules.OPTIONS for value in o.values)


@pytest.mark.parametrize("game", [*variants()], ids=str)
def test_only_listed_pays_are_printed(game):
    printed = {
        (spot.title, line["outcome"])
        for table in printed_pay_tables(game)
        for line in table["pays"]
        for spot in game.spots
        if spot.title in re.split(", | and ", table["title"])
    }
    assert bool(printed) == bool(printed_pay_tables(game))
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


# -- Notices ----------------------------------------------------------------------------------------


def notices(game):
    """Every notice of the layout, those across it and those at a spot."""
    spots = (spot for groups in arrange_spots(game).values() for group in groups for spot in group)
    return [*table_notices(game), *(notice for spot in spots for notice in spot["notices"])]


@pytest.mark.parametrize("game", [*variants()], ids=str)
def test_the_layout_prints_every_notice_that_holds(game):
    assert sorted(notices(game)) == sorted(notice.text for notice in packet_data(game).notice)
    drawn = draw_layout(game).decode()
    assert all(word in drawn for notice in notices(game) for word in notice.split())


def test_the_notices_of_triple_shot_bonus_follow_its_options():
    bonus = GAMES["triple-shot-bonus"]
    assert {"Dealer must hit soft 17", "Split aces only, one card each", "Six cards without busting win",
            "Ties forfeit half", "9 to 1, ties win"} == set(notices(bonus))  # fmt: skip
    other = bonus.with_options({"soft-17": "stand", "six-card-rule": "off", "hat-trick": "6"})
    assert {"Dealer must stand on soft 17", "6 to 1, ties win"} <= set(notices(other))
    assert "Six cards without busting win" not in notices(other)


def test_only_rummy_prints_the_notice_of_four_games():
    told = {game.name for game in GAMES.values() if "At most four games on one hand" in notices(game)}
    assert told == {"triple-shot-rummy"}


def test_without_the_rule_six_cards_are_no_line_of_a_pay_table():
    bonus = GAMES["triple-shot-bonus"]
    spot = bonus.spot("blackjack")
    assert "six cards" in [line.outcome for line in printed_lines(bonus, spot)]
    without = bonus.with_options({"six-card-rule": "off"})
    assert "six cards" not in [line.outcome for line in printed_lines(without, spot)]


def test_the_drawing_is_the_same_each_time():
    game = GAMES["rabbit-hunter"]
    assert draw_layout(game) == draw_layout(game)
    assert "Sixth" in draw_layout(game).decode()


def test_wagers_that_are_paid_alike_share_a_table():
    for game in GAMES.values():
        tables = printed_pay_tables(game)
        pays = [[(line["outcome"], line["pays"]) for line in table["pays"]] for table in tables]
        assert all(pays.count(one) == 1 for one in pays), game


def test_the_layout_has_a_place_for_each_community_card():
    game = STREETS
    places = sum(area.cards for area in game.areas if area.name == "board")
    assert places == 3
    with pytest.MonkeyPatch.context() as patch:
        for module in ("felt_layout", "layout_drawing"):
            patch.setattr(f"feltlab.report.{module}.packet_data", lambda game: PacketData((), (), None))
        patch.setattr(
            "feltlab.report.felt_layout.printed_lines", lambda game, spot: game.pay_table(spot).lines
        )
        patch.setattr("feltlab.report.layout_drawing.card_source", lambda game: "shuffler")
        drawn, said = draw_layout(game).decode(), describe_layout(game)
    assert drawn.count('stroke-dasharray="3 3"') == places
    assert "places for 3 community cards" in said
