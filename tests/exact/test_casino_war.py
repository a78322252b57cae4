"""Casino War against outside figures and against every deal of a small shoe."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from feltlab.advice import advise
from feltlab.cards import Cards, Deck
from feltlab.exact.law import silent
from feltlab.games import GAMES
from feltlab.games.casino_war import exact, rules
from feltlab.proof import prove
from feltlab.round import Round

GAME = GAMES["casino-war"]
PRIMARY, TIE = GAME.wagers


def percent(share: Fraction) -> str:
    return f"{float(100 * share):.2f}"


# Source: the Wizard of Odds' tables of Casino War with the bonus for a second tie, and of the tie bet.
@pytest.mark.parametrize(
    ("decks", "edge", "tie_edge"),
    [
        ("1", "2.06", "35.29"),
        ("2", "2.24", "25.24"),
        ("3", "2.29", "21.94"),
        ("4", "2.31", "20.29"),
        ("5", "2.32", "19.31"),
        ("6", "2.33", "18.65"),
        ("7", "2.34", "18.18"),
        ("8", "2.34", "17.83"),
    ],
)
def test_edges_by_decks(decks: str, edge: str, tie_edge: str) -> None:
    proof = prove(GAME.with_options({"decks": decks}))
    assert percent(-proof.tally.expected(PRIMARY)) == edge
    assert percent(-proof.tally.expected(TIE)) == tie_edge


def test_surrender_at_six_decks() -> None:
    assert percent(-prove(GAME, strategy="surrender").tally.expected(PRIMARY)) == "3.70"  # the same source


@pytest.mark.parametrize("strategy", ["war", "surrender"])
def test_every_deal_of_one_deck_by_the_rules(strategy: str) -> None:
    """All 52 * 51 * 50 * 49 deals are too many to walk; those from three ranks of the deck are not."""
    few = Cards(range(12))  # twos, threes and fours
    found: Counter[tuple[int, ...]] = Counter()
    house, choice = (
        GAME.with_options({"decks": "1"}).house,
        np.array([exact.STRATEGIES and ["war", "surrender"].index(strategy)], np.int8),
    )
    outcomes = np.zeros(2, np.int8)
    for player, dealer, player_war, dealer_war in permutations(few, 4):
        shoe = np.array([player, player_war, dealer, dealer_war], np.int8)
        open_now = rules.legal(house, shoe, choice[:0])
        rules.settle(house, shoe, choice if open_now else choice[:0], outcomes)
        found[tuple(outcomes.tolist())] += 1
    game = GAME.with_options({"decks": "1"})
    expected: Counter[tuple[int, ...]] = Counter()
    for ranks in np.ndindex(3, 3, 3, 3):
        tie = ranks[0] == ranks[1]
        expected[exact.settled(game, ranks, int(choice[0]) if tie else None)] += exact.deals(ranks, 1)
    assert found == expected
    assert len(Deck.standard()) == 52


def test_deals_are_all_ordered_draws_of_four() -> None:
    for decks in (1, 6):
        game = GAME.with_options({"decks": str(decks)})
        n = 52 * decks
        law = exact.solve(game, {}, "optimal", silent)
        assert sum(law.counts.values()) == sum(law.first_choices.values()) == n * (n - 1) * (n - 2) * (n - 3)


def test_advice_is_the_law_given_a_tie() -> None:
    round = Round.of(GAME, "Ks", "Kd", primary=100)
    best, other = advise(round, {"primary": Fraction(1), "tie": Fraction(0)})
    assert (best.choice, other.choice, other.expected) == ("war", "surrender", Fraction(-1, 2))
    # P(tie) * value given a tie is all that the primary wager loses: otherwise it is even
    tie = Fraction(23, 311)
    assert tie * best.expected == prove(GAME).tally.expected(PRIMARY)
    assert round.advice[0].expected == 100 * best.expected  # a round's own stake is in cents
