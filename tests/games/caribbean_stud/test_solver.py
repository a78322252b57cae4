"""Caribbean Stud Poker's proof: every deal once, symmetry, and a hand against all dealers.

`tests/counting/test_showdown_solver.py` holds the same solver to the tree on a small deck.
"""

from fractions import Fraction
from math import comb

import pytest

from feltlab.core.round import Round
from feltlab.core.stake import default_stake
from feltlab.games import GAMES
from feltlab.games.caribbean_stud.solver import SOLVER
from feltlab.proving.proof import prove

GAME = GAMES["caribbean-stud"]
ANTE = GAME.spot("ante")


def test_a_pair_of_deuces_against_every_dealer_who_shows_an_ace():
    """Counted by dealing 163,185 hands of the dealer; a raise that loses costs three units."""
    values = SOLVER.values(Round.of(GAME, "2c 2d 9h 6s 4c", "As", ante=100), default_stake(GAME))
    assert values["fold"] == -1
    assert -1 < values["raise"] < 0
    assert comb(46, 4) % values["raise"].denominator == 0


@pytest.mark.slow
def test_every_deal_is_counted_once():
    tally = prove(GAME).tally
    assert tally.deals == comb(52, 5) * 47 * comb(46, 4) == 19_933_230_517_200
    assert sum(prove(GAME).law.first_choices.values()) == tally.deals


@pytest.mark.slow
def test_over_all_deals_a_qualified_dealer_wins_as_often_as_a_qualified_player():
    """Of a player who always raises: both hands have the same law."""
    ante = prove(GAME, strategy="never-fold").tally.outcomes(ANTE)
    fives = comb(52, 5)
    below = fives - ante_king_hands()
    # P(dealer does not qualify) is the share of hands below A-K.
    total = sum(ante.values())
    assert Fraction(ante["dealer does not qualify"], total) == Fraction(below, fives)
    assert ante["better hand"] < ante["worse hand"]  # players below A-K can only lose to a qualified dealer


def ante_king_hands() -> int:
    """Hands of ace and king high or better, by the census of five cards."""
    pairs_or_better = comb(52, 5) - (comb(13, 5) - 10) * (4**5 - 4)
    ace_king = (comb(11, 3) - 1) * (4**5 - 4)  # not Q-J-T, which would be a straight
    return pairs_or_better + ace_king


@pytest.mark.slow
def test_every_named_strategy_loses_more_than_the_best_play():
    edges = {name: -prove(GAME, strategy=name).tally.expected(ANTE) for name in SOLVER.strategies}
    best = edges.pop("optimal")
    assert edges.pop("cautious") == best
    assert best < min(edges.values()) == edges["three-rules"]
    assert prove(GAME).law.equal_positions == 0


@pytest.mark.slow
def test_the_card_has_a_chart_by_up_card():
    card = SOLVER.card(GAME, default_stake(GAME))
    assert card.lines[0] == ("Pair of Twos or better", "raise")
    assert [len(chart.columns) for chart in card.charts] == [13, 13]
    assert card.cost < Fraction(1, 100_000)
