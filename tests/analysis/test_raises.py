"""Raises and offers: every offer of any amount is counted, and raises add up to their bet."""

from fractions import Fraction

import pytest

from feltlab.analysis.par_sheet import par_sheet
from feltlab.analysis.raises import measure_offers, measure_raises
from feltlab.core.layout import Spot
from feltlab.core.tally import Tally
from feltlab.games import GAMES, offers_of
from feltlab.proving.proof import Proof, prove
from feltlab.report.document import Paragraph, TableBlock
from feltlab.report.documents.par_sheet import document
from feltlab.report.documents.raises import _verdict
from feltlab.text import percent
from tests.support.features import EVERY_KIND


@pytest.mark.parametrize("name", GAMES)
def test_every_choice_of_any_amount_is_counted(name: str) -> None:
    game = GAMES[name]
    assert {found.choice for found in offers_of(game)} == {c.name for c in game.choices if c.any_amount}


def paid_on(proof: Proof, spot: Spot) -> Fraction:
    """The units won on one spot over all deals."""
    lines, units = proof.game.pay_table(spot).lines, proof.tally.units(spot).values()
    return sum((line.pays * n for line, n in zip(lines, units, strict=True)), Fraction(0))


@pytest.mark.parametrize("name", EVERY_KIND)
def test_a_bet_is_its_first_wager_and_its_raises(name: str) -> None:
    """The edge of a bet from two sides: of all joint outcomes, and of each spot by itself."""
    proof = prove(name)
    game, tally = proof.game, proof.tally
    for bet in game.wagers:
        own = paid_on(proof, bet)
        raises = [found for found in measure_raises(proof) if found.spot.raises == bet.name]
        raised = Fraction(0)
        for found in raises:
            raised_units = Fraction(sum(tally.units(found.spot).values()), tally.deals)
            raised += raised_units * found.spot.size * found.odds.edge
        bonuses = sum(paid_on(proof, spot) for spot in game.spots if spot.bonus_on == bet.name)
        assert Fraction(own + bonuses) / tally.deals - raised == tally.expected(bet)


def test_a_raise_is_made_as_often_as_it_is_chosen() -> None:
    proof = prove("triple-shot-rummy")
    (play,) = measure_raises(proof)
    assert play.made == proof.first_choices["play"]


def test_the_odds_of_a_raise_by_hand() -> None:
    """Of ten deals six are played: one push, two wins of 1 and one of 4, two losses."""
    game = GAMES["triple-shot-rummy"]
    lines = [line.pays for line in game.pay_table(game.spot("play")).lines]
    one, four, lost, push = (lines.index(Fraction(pays)) for pays in (1, 4, -1, 0))
    counts = {(one, 0, 0, 0): 2, (four, 0, 0, 0): 1, (lost, 0, 0, 0): 2, (push, 0, 0, 0): 1, (-1, 0, 0, 0): 4}
    proof = prove(game)
    found = measure_raises(type(proof)(game, proof.stake, "optimal", type(proof.law)(counts, {"": 10}, "")))
    assert Tally(game, counts).deals == 10
    (play,) = found
    assert (play.made, play.odds.edge) == (Fraction(6, 10), -Fraction(2 + 4 - 2, 6))
    assert play.odds.hit_frequency == Fraction(3, 6)


def test_the_sheet_shows_its_raises() -> None:
    sheet = par_sheet("triple-shot-rummy")
    (section,) = (part for part in document(sheet).sections if part.title == "Raises and offers")
    (table,) = (block for block in section.blocks if isinstance(block, TableBlock))
    data = sheet.as_json()["raises"]["play"]
    shares = (data[name] for name in ("made", "house_edge", "return_to_player", "hit_frequency"))
    assert table.rows == (("Play", "Ante", *(percent(Fraction(share["exact"])) for share in shares)),)


def test_a_sheet_without_raises_has_no_such_section() -> None:
    assert "Raises and offers" not in {part.title for part in document(par_sheet("casino-war")).sections}


@pytest.mark.parametrize(
    ("pays", "sentence"),
    [
        (
            2,
            "The best play never takes Insurance: even with no ten or picture in the hand it loses 2.0408 % ",
        ),
        (
            "33/16",
            "The best play never gains by taking Insurance; with no ten or picture in the hand it loses ",
        ),
        ("9/4", "The best play sometimes takes Insurance: with no ten or picture in the hand."),
    ],
)
def test_the_verdict_on_an_offer(pays: int | str, sentence: str) -> None:
    """The best hand leaves 16 tens of 49 cards: 1/49 is lost at 2 to 1, nothing at 33 to 16."""
    game = GAMES["triple-shot-bonus"].with_pays("insurance", {"dealer blackjack": pays})
    (offer,) = measure_offers(game)
    assert _verdict(offer).startswith(sentence)


@pytest.mark.slow
def test_the_sheet_shows_its_offer() -> None:
    sheet = par_sheet("triple-shot-bonus")
    (section,) = (part for part in document(sheet).sections if part.title == "Raises and offers")
    (table,) = (block for block in section.blocks if isinstance(block, TableBlock))
    data = sheet.as_json()["offers"]["insurance"]
    names = ("house_edge", "return_to_player", "hit_frequency")
    shown = [
        tuple(percent(Fraction(hand[name]["exact"])) for name in names) for hand in (*data["hands"], data)
    ]
    assert [row[2:] for row in table.rows] == shown
    texts = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    assert texts[0].startswith(
        "Insurance is offered in 7.6923 % of all rounds, for any amount up to 0.5 units"
    )
