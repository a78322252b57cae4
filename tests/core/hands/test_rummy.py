"""Rummy points, over all 22,100 hands."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import Cards, cards
from feltlab.core.hands import rummy
from feltlab.errors import Refused
from feltlab.kernel import plain_python
from tests.support import slow_hands

HANDS = list(combinations(range(52), 3))


@pytest.fixture(scope="module")
def points():
    return [rummy.points(*hand) for hand in HANDS]


def test_every_hand_has_the_points_that_the_long_way_finds(points):
    assert points == [slow_hands.rummy(hand)[0][0] for hand in HANDS]


def test_every_hand_is_read_in_a_way_with_the_fewest_points(points):
    for hand, fewest in zip(HANDS, points, strict=True):
        reading = rummy.read(hand)
        assert (reading.points, frozenset(reading.meld)) in slow_hands.rummy(hand)
        assert reading.points == fewest
        assert sorted(reading.meld + reading.left) == sorted(hand)


def test_the_distribution_of_points(points):
    often = Counter(points)
    assert often.total() == comb(52, 3) == 22_100
    # Zero points: 13 * 4 triples, and in each of four suits the eleven runs from A-2-3 to J-Q-K.
    assert often[0] == 13 * comb(4, 3) + 4 * 11 == 96
    # Thirty points: no meld among three of T, J, Q, K. Their ranks differ (a pair is a meld), and no
    # neighbours share a suit. T-J-Q and J-Q-K: 4 * 3 * 3 suitings each. T-J-K and T-Q-K: one pair of
    # neighbours, so 4 * 3 * 4 each.
    assert often[30] == 2 * 4 * 3 * 3 + 2 * 4 * 3 * 4 == 168
    # One point: an ace left beside a meld of two.
    beside_a_pair = 12 * comb(4, 2) * 4  # 2-2 to K-K
    beside_a_run = 4 * 11 * 4 - 4  # 2-3 to Q-K in a suit, less A-2-3 in one suit, a run of three
    beside_another_ace = comb(4, 2) * 2  # two aces and the deuce of one of them: A-2, not A-A
    assert often[1] == beside_a_pair + beside_a_run + beside_another_ace == 472
    assert max(often) == 30


@pytest.mark.parametrize(
    ("hand", "score", "named"),
    [
        ("As 2s Kd", 10, "run As 2s, 10 points"),
        ("Ks As 9d", 20, "no meld, 20 points"),  # the ace is low only
        ("Ks As 2s", 10, "run As 2s, 10 points"),  # and no run goes round the corner
        ("Qs Ks As", 1, "run Qs Ks, 1 point"),
        ("Ts Js 4d", 4, "run Ts Js, 4 points"),
        ("Js Qs 4d", 4, "run Js Qs, 4 points"),
        ("Qs Ks 4d", 4, "run Qs Ks, 4 points"),
        ("9s Ts Kd", 10, "run 9s Ts, 10 points"),
        ("Ts Js Qs", 0, "run Ts Js Qs, 0 points"),
        ("Ks Js Qs", 0, "run Js Qs Ks, 0 points"),
        ("3h Ah 2h", 0, "run Ah 2h 3h, 0 points"),
        ("Ts Js Ks", 10, "run Ts Js, 10 points"),
        ("Kd 4s Kh", 4, "pair of Kings, 4 points"),
        ("6d 6s Ah", 1, "pair of Sixes, 1 point"),
        ("6d 6s 6h", 0, "triple of Sixes, 0 points"),
        ("4s 5s 5d", 4, "pair of Fives, 4 points"),  # not 4-5 with five points
        ("5s 6s 5d", 5, "run 5s 6s, 5 points"),  # not 5-5 with six points
        ("4s 5d 6s", 15, "no meld, 15 points"),
        ("As 3s 5s", 9, "no meld, 9 points"),
    ],
)
def test_hands_are_scored_and_their_melds_named(hand, score, named):
    reading = rummy.read(cards(hand))
    assert (reading.points, reading.name) == (score, named)


def test_the_order_of_the_cards_does_not_matter(points):
    for (a, b, c), score in zip(HANDS[::7], points[::7], strict=True):
        orders = [(a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)]
        assert {rummy.points(*order) for order in orders} == {score}


def test_melds_are_pairs_and_neighbours_in_one_suit():
    for two in combinations(range(52), 2):
        assert rummy.melds(*two) == rummy.melds(*two[::-1]) == (len(slow_hands.rummy(two)) == 2)


def test_what_is_not_in_a_meld_is_left():
    reading = rummy.read(cards("Kd 4s Kh"))
    assert isinstance(reading.left, Cards)
    assert (set(reading.meld), reading.left) == (set(cards("Kd Kh")), cards("4s"))
    assert rummy.read(cards("9s Ks 2d")).meld == ()
    assert rummy.read(cards("9s Ts Js")).left == ()


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
def test_compiled_equals_interpreted_whatever_the_width_of_a_card(dtype, points):
    plain = plain_python(rummy.points)
    for hand, score in zip(HANDS[::101], points[::101], strict=True):
        assert plain(*hand) == rummy.points(*np.array(hand, dtype)) == score


@pytest.mark.parametrize("hand", ["", "As Kd", "As Kd Qh Jc"])
def test_only_three_cards_are_read(hand):
    with pytest.raises(Refused, match=f"three cards, not {len(cards(hand))}"):
        rummy.read(cards(hand))
