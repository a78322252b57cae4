"""Four-card hands against a slow second reading, and the census that public sources print."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from feltlab.core.cards import RANKS, cards
from feltlab.core.hands import four_card
from feltlab.counting.suits import classes, four_card_strengths_of
from feltlab.errors import Refused
from tests.support import slow_hands


def strength(text: str) -> int:
    return int(four_card.strength(four_card.tables(), np.array(cards(text), np.uint8)))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_random_hands_are_in_the_order_of_the_slow_reading(size: int) -> None:
    generator = np.random.default_rng(size)
    hands = np.array([generator.choice(52, size, replace=False) for _ in range(1500)], np.uint8)
    fast = four_card_strengths_of(hands).tolist()
    slow = [slow_hands.four_card(hand) for hand in hands.tolist()]
    assert slow_hands.same_order(fast, slow)
    assert [value >> 12 for value in fast] == [value[0] for value in slow]


def test_hands_of_few_ranks_and_suits_are_in_the_order_of_the_slow_reading() -> None:
    """Straights, flushes and sets are frequent here."""
    deck = cards("As 2s 3s 4s 5s Ah 2h 3h 4h 5h Kc Qc Jc Tc")
    for size in (5, 6):
        hands = np.array(list(combinations(deck, size)), np.uint8)
        fast = four_card_strengths_of(hands).tolist()
        assert slow_hands.same_order(fast, [slow_hands.four_card(hand) for hand in hands.tolist()])


def test_the_census_of_five_cards_is_the_published_one() -> None:
    """The vendor's numbers, http://wizardofvegas.com/forum/questions-and-answers/math/10853-..."""
    hands, weights = classes(5)
    count = Counter[int]()
    categories = (four_card_strengths_of(hands) >> 12).tolist()
    for category, weight in zip(categories, weights.tolist(), strict=True):
        count[category] += weight
    names = [four_card.CATEGORIES[category] for category in sorted(count, reverse=True)]
    assert names == list(four_card.CATEGORIES[::-1])
    assert [count[n] for n in range(7, 1, -1)] == [624, 2072, 58656, 114616, 101808, 123552]
    assert count[four_card.PAIR] + count[four_card.HIGH_CARD] == 2_197_632


def test_bounds_lie_between_hands() -> None:
    aces, kings = strength("As Ad 2c 3h 5d"), strength("Ks Kd Ac Qh 9d")
    assert kings < four_card.pair_of(RANKS.index("A")) <= aces
    assert strength("Ks Qd 8c 4h 2d") == four_card.high_card([RANKS.index(rank) for rank in "48QK"])


@pytest.mark.parametrize(
    ("hand", "name", "ranks"),
    [
        ("Ks Kd 2c As 9h", "Pair of Kings", "K-K-A-9"),
        ("Ks Kd Kc Kh", "Four of a Kind, Kings", "K-K-K-K"),
        ("4s 3d 2c As Kd", "Straight, Four high", "A-4-3-2"),
        ("9s 8s 7s 6s Kd", "Straight Flush, Nine high", "9-8-7-6"),
        ("9s 8s 7s 2s 9d 9c", "Three of a Kind, Nines", "9-9-9-8"),
        ("9s 8s 7s 2s 9d", "Flush, Nine high", "9-8-7-2"),
        ("9s 9d 8s 8d 7c", "Two Pair, Nines and Eights", "9-9-8-8"),
        ("Ks Jd 8s 4d 2c", "King high", "K-J-8-4"),
    ],
)
def test_hands_in_words(hand: str, name: str, ranks: str) -> None:
    read = four_card.read(cards(hand))
    assert (read.name, read.ranks) == (name, ranks)


def test_three_cards_are_refused() -> None:
    with pytest.raises(Refused, match="four to seven cards, not 3"):
        four_card.read(cards("As Ks Qs"))
