"""Casino War against outside figures and against every deal of a small shoe."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from feltlab.core.layout import new_outcomes
from feltlab.core.round import Round
from feltlab.games import GAMES
from feltlab.games.casino_war import rules
from feltlab.games.casino_war import solver as exact
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.advice import advise
from feltlab.proving.proof import prove

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


@pytest.mark.parametrize("choice", [rules.WAR, rules.SURRENDER])
def test_every_deal_of_three_ranks_by_the_rules(choice: int) -> None:
    """All deals of a deck are too many to walk; those of its lowest twelve cards are not."""
    game = GAME.with_options({"decks": "1"})
    nothing, chosen, outcomes = np.array([], np.int8), np.array([choice], np.int8), new_outcomes(2)
    walked: Counter[tuple[int, ...]] = Counter()
    for player, dealer, player_war, dealer_war in permutations(range(12), 4):
        shoe = np.array([player, player_war, dealer, dealer_war], np.int8)
        open_now = rules.legal(game.kernel_data, shoe, nothing)
        rules.settle(game.kernel_data, shoe, chosen if open_now else nothing, outcomes)
        first, tie = outcomes.tolist()
        units = 2 if open_now and choice == rules.WAR else 1
        walked[PRIMARY.number(first, units), tie] += 1
    counted: Counter[tuple[int, ...]] = Counter()
    for ranks in np.ndindex(3, 3, 3, 3):
        tie = ranks[0] == ranks[1]
        counted[exact.settle_ranks(game, ranks, choice if tie else None)] += exact.count_deals(ranks, 1)
    assert walked == counted


def test_deals_are_all_ordered_draws_of_four() -> None:
    for decks in (1, 6):
        game = GAME.with_options({"decks": str(decks)})
        n = 52 * decks
        law = exact.solve(game, {}, "optimal", nobody_listens)
        assert sum(law.counts.values()) == sum(law.first_choices.values()) == n * (n - 1) * (n - 2) * (n - 3)


def test_advice_agrees_with_the_law_after_a_tie() -> None:
    round = Round.of(GAME, "Ks", "Kd", primary=100)
    best, other = advise(round, {"primary": Fraction(1), "tie": Fraction(0)})
    assert (best.choice, other.choice, other.expected) == ("war", "surrender", Fraction(-1, 2))
    # P(tie) * value given a tie is all that the primary wager loses: otherwise it is even
    tie = Fraction(23, 311)
    assert tie * best.expected == prove(GAME).tally.expected(PRIMARY)
    assert advise(round)[0].expected == 100 * best.expected  # a round's own stake is in cents
