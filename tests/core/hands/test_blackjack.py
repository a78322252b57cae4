"""Blackjack totals."""

from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given

from feltlab.core.cards import cards
from feltlab.core.hands import blackjack
from feltlab.errors import Refused
from feltlab.kernel import plain_python
from tests.support import slow_hands
from tests.support.strategies import hands


def total(hand, dtype=np.int64):
    return blackjack.total(np.array(hand, dtype))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_every_hand_of_ranks_totals_what_the_long_way_says(size):
    for ranks in combinations_with_replacement(range(13), size):
        hand = [4 * rank for rank in ranks]
        assert total(hand) == slow_hands.blackjack(hand)


@given(hands(1, 12))
def test_any_hand_totals_what_the_long_way_says(hand):
    assert total(hand) == slow_hands.blackjack(hand)


@pytest.mark.parametrize(
    ("hand", "count", "soft"),
    [
        ("As Kd", 21, True),
        ("As Ah", 12, True),
        ("As 6d", 17, True),
        ("As 6d Th", 17, False),
        ("As Ah 9c", 21, True),
        ("As Ah Ad Ac 7s", 21, True),
        ("As Ah Ad Ac 8s", 12, False),
        ("Kd Qd As", 21, False),
        ("Kd Qd 2s", 22, False),
        ("9c 8c", 17, False),
    ],
)
def test_totals(hand, count, soft):
    assert total(cards(hand)) == (count, soft)


def test_a_blackjack_is_an_ace_and_a_card_worth_ten():
    found = [two for two in combinations(range(52), 2) if blackjack.is_blackjack(*two)]
    assert len(found) == 4 * 16  # four aces, each with four suits of T, J, Q, K
    assert all(total(two) == (21, True) for two in found)
    assert all(blackjack.is_blackjack(*two[::-1]) for two in found)


def test_values_are_faces_ten_at_most_and_an_ace_is_one():
    values = [blackjack.value(4 * rank) for rank in range(13)]
    assert values == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
def test_compiled_equals_interpreted_whatever_the_width_of_a_card(dtype):
    deck = np.random.default_rng(1)
    for size in (2, 3, 4, 5, 6):
        for _ in range(100):
            hand = deck.permutation(52)[:size].astype(dtype)
            assert tuple(plain_python(blackjack.total)(hand)) == blackjack.total(hand)


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("As Kd", "blackjack"),
        ("Ts Ah", "blackjack"),
        ("As 6d", "soft 17"),
        ("As 6d Th", "17"),
        ("Kd Qs", "20"),
        ("7s 7h 7d", "21"),
        ("As Ah 9c", "soft 21"),
        ("Kd Qs 4h", "bust with 24"),
    ],
)
def test_hands_are_named(hand, words):
    assert blackjack.read(cards(hand)) == words


@pytest.mark.parametrize("hand", ["", "As"])
def test_a_hand_has_two_cards_at_least(hand):
    with pytest.raises(Refused, match=f"at least two cards, not {len(cards(hand))}"):
        blackjack.read(cards(hand))
