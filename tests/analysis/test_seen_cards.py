"""Cards that should not be seen: the figures follow from proofs, and the document shows those of the JSON."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from feltlab.analysis import seen_cards as analysis
from feltlab.analysis.seen_cards import SeenCards, seen_cards
from feltlab.core.solver import SeenCard
from feltlab.core.stake import default_stake
from feltlab.games import GAMES
from feltlab.proving.proof import prove
from feltlab.report.document import Paragraph, TableBlock
from feltlab.report.documents.seen_cards import seen_card_blocks
from tests.support.features import EVERY_KIND

every_game = pytest.mark.parametrize("name", EVERY_KIND)


@cache
def found(name: str) -> SeenCards:
    return seen_cards(GAMES[name], default_stake(GAMES[name]))


@every_game
def test_a_card_that_is_not_used_changes_nothing_on_average(name: str) -> None:
    """The law of total expectation."""
    loss = prove(name).loss
    for card in found(name).cards:
        if card.ranks:
            assert sum(each.chance for each in card.ranks) == 1
            assert card.unused == -loss
            assert card.gain_error == 0


@every_game
def test_knowledge_never_costs_anything(name: str) -> None:
    for card in found(name).cards:
        assert card.gain >= 0
        assert all(each.used >= each.unused for each in card.ranks)


@every_game
def test_they_survive_the_store(name: str) -> None:
    for card in found(name).cards:
        assert analysis._from_json(analysis._to_json(card)) == card


def test_a_wrong_mean_is_not_believed() -> None:
    card = found("triple-shot-rummy").cards[0]
    worse = replace(card.ranks[0], unused=card.ranks[0].unused - Fraction(1, 10**12))
    with pytest.raises(ArithmeticError, match="mean over all ranks"):
        analysis._check(replace(card, ranks=(worse, *card.ranks[1:])), prove("triple-shot-rummy").loss)


# -- The document -------------------------------------------------------------------------------------


def read(cell: str) -> Fraction:
    """The number of a cell, without the error of a sampled one."""
    return Fraction(cell.removesuffix(" %").partition(" ± ")[0]) / (100 if "%" in cell else 1)


@every_game
def test_the_table_shows_the_figures_of_the_json(name: str) -> None:
    cards = found(name).as_json()["cards"]
    counted = [card for card in cards.values() if card.get("ranks")]
    tables = [b for b in seen_card_blocks(found(name)) if isinstance(b, TableBlock)]
    assert len(tables) == bool(counted)
    for table in tables:
        for row in table.rows[1:]:
            for n, card in enumerate(counted):
                figures = card if row[0] in ("any", "each rank") else card["ranks"][row[0]]
                for cell, measure in zip(row[1 + 2 * n :], ("house_edge", "gain"), strict=False):
                    near = Fraction(card["gain_error"]) or Fraction(1, 2 * 10**6)
                    assert abs(read(cell) - Fraction(figures[measure]["exact"])) <= near


def test_a_game_without_such_a_proof_says_so() -> None:
    (only,) = seen_card_blocks(SeenCards(Fraction(1, 50), Fraction(1), ()))
    assert isinstance(only, Paragraph)
    assert "not proved" in only.text


def test_a_player_who_gains_the_advantage_is_shown_in_red() -> None:
    """With one of the dealer's cards seen, the edge of Rummy is below 0."""
    _, dealers, *_ = (b for b in seen_card_blocks(found("triple-shot-rummy")) if isinstance(b, Paragraph))
    assert dealers.tone == "bad"
    assert "the player has the advantage" in dealers.text


def test_where_no_rank_differs_the_table_has_one_row_for_all() -> None:
    """In Casino War every rank is like every other: ties, wins and losses are as likely."""
    (table,) = (b for b in seen_card_blocks(found("casino-war")) if isinstance(b, TableBlock))
    assert [row[0] for row in table.rows] == ["none seen", "each rank"]


def test_a_kind_that_cannot_be_seen_gives_its_reason() -> None:
    card = SeenCard("dealer", "the dealer's war card", "it is dealt after the choice")
    shown, *_ = seen_card_blocks(SeenCards(Fraction(1, 50), Fraction(1), (card,)))
    assert isinstance(shown, Paragraph)
    assert shown.text == "The dealer's war card: it is dealt after the choice."
