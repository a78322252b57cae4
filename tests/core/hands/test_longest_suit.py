"""The longest suit and the longest run, against a slow second reading and against arithmetic."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import cards
from feltlab.core.hands import longest_suit
from feltlab.errors import Refused
from feltlab.kernel import plain_python
from tests.support import slow_hands

Hand = tuple[int, ...]


def random_hands(count: int) -> Iterator[Hand]:
    """Hands of seven cards; every other one from two suits, so that long suits occur."""
    generator = np.random.default_rng(11)
    for n in range(count):
        from_cards = 52 if n % 2 else [card for card in range(52) if card % 4 < 2]
        yield tuple(generator.choice(from_cards, 7, replace=False).tolist())


HANDS = list(random_hands(3000))


def as_array(hand: Hand) -> "np.ndarray[tuple[int], np.dtype[np.int8]]":
    return np.array(hand, np.int8)


def test_every_two_hands_compare_as_the_long_way_says() -> None:
    strengths = [longest_suit.strength(as_array(hand)) for hand in HANDS]
    assert slow_hands.same_order(strengths, map(slow_hands.longest_suit, HANDS))
    sizes = [longest_suit.size_of(strength) for strength in strengths]
    assert sizes == [slow_hands.longest_suit(hand)[0] for hand in HANDS]
    assert set(sizes) == set(range(2, 8))


def test_runs_are_as_long_as_the_long_way_says() -> None:
    runs = [longest_suit.longest_run(as_array(hand)) for hand in HANDS]
    assert runs == list(map(slow_hands.longest_run, HANDS))


def test_every_set_of_ranks_of_one_suit() -> None:
    """All 8,191 sets of hearts, beside a spade that changes nothing."""
    for size in range(1, 14):
        for ranks in combinations(range(13), size):
            hand = (*(4 * rank + 2 for rank in ranks), 3)
            strength = longest_suit.strength(as_array(hand))
            assert (strength >> 13, strength & 0x1FFF) == (size, sum(1 << rank for rank in ranks))
            if size < 13:
                assert longest_suit.longest_run(as_array(hand)) == slow_hands.longest_run(hand)


def test_sizes_of_seven_cards_are_as_frequent_as_arithmetic_says() -> None:
    """Hands by the sizes of their suits: the orders of the sizes, times the choices of ranks."""
    expected: Counter[int] = Counter()
    for sizes in np.ndindex(8, 8, 8, 8):
        if sum(sizes) == 7:
            expected[max(sizes)] += int(np.prod([comb(13, size) for size in sizes]))
    assert sum(expected.values()) == comb(52, 7)
    met = Counter(
        longest_suit.size_of(longest_suit.strength(as_array(hand)))
        for hand in (
            tuple(np.random.default_rng(n).choice(52, 7, replace=False).tolist()) for n in range(4000)
        )
    )
    for size in range(2, 6):
        share = expected[size] / comb(52, 7)
        assert abs(met[size] / 4000 - share) < 5 * (share / 4000) ** 0.5


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
def test_compiled_equals_interpreted_whatever_the_width_of_a_card(dtype: type) -> None:
    strength, run = plain_python(longest_suit.strength), plain_python(longest_suit.longest_run)
    for hand in HANDS[:60]:
        held = np.array(hand, dtype)
        assert strength(held) == longest_suit.strength(held)
        assert run(held) == longest_suit.longest_run(held)


@pytest.mark.parametrize(
    ("hand", "suit", "run"),
    [
        ("Th 8h 6h Js Ad Qd Jc", "three of a suit, T-8-6", "no run"),
        ("Ah 2h 3h Kc Qc Jc 9d", "three of a suit, A-3-2", "run of three"),
        ("Ah Kh 2h 9c 7c 5d 3s", "three of a suit, A-K-2", "run of two"),  # not round the corner
        ("Ks 9s 5s 3s 6d 7d 8d", "four of a suit, K-9-5-3", "run of three"),  # in another suit
        ("Ac Kc Qc Jc Tc 9c 8c", "seven of a suit, A-K-Q-J-T-9-8", "run of seven"),
        ("2c 2d 2h 2s 7c 9d Jh", "two of a suit, J-2", "no run"),
    ],
)
def test_hands_are_named(hand: str, suit: str, run: str) -> None:
    assert (longest_suit.read(cards(hand)), longest_suit.read_run(cards(hand))) == (suit, run)


def test_a_name_is_a_strength() -> None:
    assert longest_suit.strength_named("T86") == longest_suit.strength(
        as_array(cards("Th 8h 6h Js Ad Qd Jc"))
    )


def test_a_word_gives_its_cards_back() -> None:
    for hand in HANDS[:200]:
        assert set(longest_suit.cards_in(longest_suit.gather(as_array(hand)))) == set(hand)


@pytest.mark.parametrize("hand", ["", "As Jk"])
def test_only_cards_of_suits_are_read(hand: str) -> None:
    with pytest.raises(Refused, match="no joker"):
        longest_suit.read(cards(hand))
