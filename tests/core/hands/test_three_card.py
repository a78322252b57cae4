"""Three-card poker, over all 22,100 hands."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import cards
from feltlab.core.hands import three_card
from feltlab.errors import Refused
from feltlab.kernel import plain_python
from tests.support import slow_hands

HANDS = list(combinations(range(52), 3))


@pytest.fixture(scope="module")
def strengths():
    return [three_card.strength(*hand) for hand in HANDS]


def test_categories_are_as_frequent_as_arithmetic_says(strengths):
    straights = 12  # A-2-3 up to Q-K-A
    expected = {
        "Royal Flush": 4,
        "Straight Flush": 4 * (straights - 1),
        "Three of a Kind": 13 * comb(4, 3),
        "Straight": straights * (4**3 - 4),
        "Flush": 4 * (comb(13, 3) - straights),
        "Pair": 13 * comb(4, 2) * 12 * 4,
        "High Card": (comb(13, 3) - straights) * (4**3 - 4),
    }
    assert sum(expected.values()) == comb(52, 3) == 22_100
    assert Counter(three_card.CATEGORIES[strength >> 12] for strength in strengths) == expected


def test_every_two_hands_compare_as_the_long_way_says(strengths):
    assert slow_hands.same_order(strengths, map(slow_hands.three_card, HANDS))


def test_categories_rise_as_the_long_way_says(strengths):
    assert three_card.CATEGORIES == slow_hands.THREE_CARD
    assert [strength >> 12 for strength in strengths] == [slow_hands.three_card(hand)[0] for hand in HANDS]


def test_the_order_of_the_cards_does_not_matter(strengths):
    for (a, b, c), strength in zip(HANDS[::7], strengths[::7], strict=True):
        orders = [(a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)]
        assert {three_card.strength(*order) for order in orders} == {strength}


def test_ace_two_three_is_the_lowest_straight(strengths):
    lowest = three_card.strength(*cards("As 2d 3h"))
    assert lowest == min(strength for strength in strengths if strength >> 12 == three_card.STRAIGHT)
    assert three_card.strength(*cards("2s 3d 4h")) > lowest
    assert three_card.strength(*cards("As 2s 3s")) >> 12 == three_card.STRAIGHT_FLUSH


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
def test_compiled_equals_interpreted_whatever_the_width_of_a_card(dtype, strengths):
    plain = plain_python(three_card.strength)
    for hand, strength in zip(HANDS[::101], strengths[::101], strict=True):
        assert plain(*hand) == three_card.strength(*np.array(hand, dtype)) == strength


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("Ks As Qs", "Royal Flush"),
        ("9h Th Jh", "Straight Flush, Jack high"),
        ("2c Ac 3c", "Straight Flush, Three high"),
        ("6c 6d 6h", "Three of a Kind, Sixes"),
        ("Qs Kd Ah", "Straight, Ace high"),
        ("As 3d 2h", "Straight, Three high"),
        ("2s 7s Js", "Flush, Jack high"),
        ("As 2s Ks", "Flush, Ace high"),
        ("Ah 6c 6d", "Pair of Sixes"),
        ("Kd Ah 2c", "Ace high"),  # K-A-2 does not go round the corner
        ("5d 2h 3c", "Five high"),
    ],
)
def test_hands_are_named(hand, words):
    assert three_card.read(cards(hand)) == words


@pytest.mark.parametrize("hand", ["", "As Kd", "As Kd Qh Jc"])
def test_only_three_cards_are_read(hand):
    with pytest.raises(Refused, match=f"three cards, not {len(cards(hand))}"):
        three_card.read(cards(hand))
