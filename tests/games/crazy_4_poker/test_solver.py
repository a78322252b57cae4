"""Crazy 4 Poker's proof: every deal once, and the strategy that is published.

`tests/counting/test_showdown_solver.py` holds the same solver to the tree on a small deck.
"""

from fractions import Fraction
from math import comb

import pytest

from feltlab.core.stake import default_stake, read_stake
from feltlab.games import GAMES
from feltlab.games.crazy_4_poker.solver import SOLVER
from feltlab.proving.proof import prove

GAME = GAMES["crazy-4-poker"]
STAKE = default_stake(GAME)


@pytest.mark.slow
def test_every_deal_is_counted_once():
    tally = prove(GAME).tally
    assert tally.deals == comb(52, 5) * comb(47, 5) == 3_986_646_103_440
    assert sum(prove(GAME).law.first_choices.values()) == tally.deals


@pytest.mark.slow
def test_the_quick_strategy_costs_less_than_a_millionth():
    best, quick = (prove(GAME, strategy=name).tally.total_expected(STAKE) for name in ("optimal", "quick"))
    assert 0 < best - quick < Fraction(1, 1_000_000)
    assert prove(GAME).law.equal_positions == 0


@pytest.mark.slow
def test_the_best_play_folds_no_hand_that_wins_queens_up():
    """So it does not depend on the stake of Queens Up, although a fold loses it."""
    high = read_stake(GAME, {"queens-up": "50"})
    laws = [prove(GAME, stake).law for stake in (STAKE, high)]
    assert laws[0].counts == laws[1].counts


@pytest.mark.slow
def test_the_card_is_the_published_strategy():
    card = SOLVER.card(GAME, STAKE)
    assert card.lines == (
        ("Pair of Aces or better", "play-3x"),
        ("Pair of Kings to Pair of Twos", "play-1x"),
        ("Ace high to King high, K-Q-8-4", "play-1x"),
        ("King high, K-Q-8-3 or less", "fold"),
    )
    assert card.missed == 68
