"""A player at two seats of Triple Shot Rummy: choices follow from both hands, and the law counts them."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from feltlab.core.stake import default_stake
from feltlab.core.tally import Tally
from feltlab.games import GAMES
from feltlab.games.triple_shot_rummy import rules, two_seats
from feltlab.games.triple_shot_rummy.solver import AS_RULED, all_hands
from feltlab.kernel import plain_python
from feltlab.proving.proof import prove, prove_two_seats

GAME = GAMES["triple-shot-rummy"]
YES = GAME.with_options({"two-positions": "yes"})
points = plain_python(AS_RULED.points)


@cache
def dealers() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All hands of three cards and their points."""
    trios = list(combinations(range(52), 3))
    return np.array(trios), np.array([points(*trio) for trio in trios])


def slow_gain(hand: tuple[int, ...], other: tuple[int, ...]) -> int:
    """What playing gains over folding, over all dealer's hands from the 46 cards left."""
    trios, scores = dealers()
    left = ~np.isin(trios, hand + other).any(axis=1)
    return int(two_seats.gains_by_points(GAME)[points(*hand), scores[left]].sum())


def test_choices_follow_from_both_hands() -> None:
    """For some hands near the threshold: the deals in which they are played, counted one by one."""
    hands = np.array([(0, 25, 50), (3, 30, 47)], np.uint8)  # of 12 and 20 points or more
    played, folded = two_seats.count_beside_all(GAME, hands)
    assert (played.sum((1, 2)) + folded.sum((1, 2)) == comb(49, 3) * comb(46, 3)).all()
    rng = np.random.default_rng(1)
    for hand, plays in zip(hands.tolist(), played.sum((1, 2)).tolist(), strict=True):
        left = [card for card in range(52) if card not in hand]
        others = [tuple(rng.choice(left, 3, replace=False).tolist()) for _ in range(40)]
        chosen = [slow_gain(tuple(hand), other) > 0 for other in others]
        share = plays / (comb(49, 3) * comb(46, 3))
        assert abs(np.mean(chosen) - share) < 4 * np.sqrt(share * (1 - share) / 40) + 1e-9


def test_with_one_choice_for_all_the_law_is_that_of_one_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where playing always gains, every hand is played: counts of one seat, 15,180 times."""
    ones = np.ones((31, 31), np.int64)
    monkeypatch.setattr(two_seats, "gains_by_points", lambda game: ones)
    hands, _, counts = all_hands()
    played, folded = two_seats.count_beside_all(GAME, hands[:60])
    assert (played == counts[:60] * two_seats.OTHERS).all()
    assert not folded.any()


def test_the_side_bets_do_not_depend_on_a_second_hand_and_the_ante_loses_less() -> None:
    found = prove_two_seats(YES, default_stake(YES))
    assert found
    one = prove(GAME)
    assert found.tally.deals == comb(52, 3) * comb(49, 3) * comb(46, 3)
    for bet in ("pair-plus", "six-card-bonus"):
        assert found.house_edge(bet) == one.house_edge(bet)
    assert found.house_edge("ante") == Fraction(15887757883, 515070556000)  # 3.0846 %; one seat has 3.2337 %
    assert found.house_edge("ante") < one.house_edge("ante")


def test_a_sample_of_deals_agrees() -> None:
    """Two hands and a dealer's hand at random, each choice by all dealer's hands that are left."""
    rng = np.random.default_rng(7)
    gains, ante = two_seats.gains_by_points(GAME), GAME.pay_table(GAME.spot("ante")).lines
    lost = int(ante[rules.ANTE_FOLDED].pays)
    found = prove_two_seats(YES, default_stake(YES))
    assert found
    nets = []
    for _ in range(300):
        cards = rng.choice(52, 6, replace=False).tolist()
        gain = slow_gain(tuple(cards[:3]), tuple(cards[3:]))
        nets.append(lost + max(0.0, gain / comb(46, 3)))
    error = np.std(nets) / np.sqrt(len(nets))
    assert gains.min() >= -1
    assert abs(np.mean(nets) + float(found.house_edge("ante"))) < 4 * error


def test_only_a_game_that_gives_two_seats_has_such_a_law() -> None:
    assert prove_two_seats(GAME, default_stake(GAME)) is None
    assert prove_two_seats(GAMES["casino-war"], default_stake(GAMES["casino-war"])) is None


def test_the_law_is_one_of_the_game() -> None:
    found = prove_two_seats(YES, default_stake(YES))
    assert found
    assert Tally(YES, found.law.counts).deals == sum(found.law.first_choices.values())
