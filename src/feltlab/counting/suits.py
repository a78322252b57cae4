"""Suit symmetry: hands that differ only by renaming suits are one class with a weight.

A hand is four sets of ranks, one per suit. Renaming suits permutes the four, so the hand whose sets are in
falling order represents its class, and the weight of the class is the number of their different orders.
"""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import JOKER
from feltlab.core.hands import four_card, poker
from feltlab.kernel import kernel, lean
from feltlab.parallel.threads import map_in_threads, slices

Hands = NDArray[np.uint8]
SLICES = 64  # into which many hands are cut, so that the cores share them


@kernel
def _orders(first: int, second: int, third: int, fourth: int) -> int:
    """The number of different orders of four numbers in falling order."""
    orders = 24
    same = 1
    for equal in (first == second, second == third, third == fourth):
        same = same + 1 if equal else 1
        orders //= same
    return orders


@kernel
def _write(hand: Hands, at: int, ranks: int, suit: int) -> int:
    """Write the cards of a suit into a hand from a place on; return the next free place."""
    for rank in range(13):
        if ranks >> rank & 1:
            hand[at] = 4 * rank + suit
            at += 1
    return at


@kernel
def _write_classes(
    size: int, sets: NDArray[np.int64], start: NDArray[np.int64], hands: Hands, weights: NDArray[np.int64]
) -> int:
    """Write every class for which there is room; return the number of classes.

    `sets` holds all sets of ranks in rising order of size, then of value; those of one size begin at
    `start[size]`. Four sets in falling order of value with `size` ranks together are a class.
    """
    found = 0
    for n in range(size + 1):
        for m in range(size + 1 - n):
            for k in range(size + 1 - n - m):
                rest = size - n - m - k
                for a in sets[start[n] : start[n + 1]]:
                    for b in sets[start[m] : start[m + 1]]:
                        if b > a:
                            break
                        for c in sets[start[k] : start[k + 1]]:
                            if c > b:
                                break
                            for d in sets[start[rest] : start[rest + 1]]:
                                if d > c:
                                    break
                                if found < len(hands):
                                    at = _write(hands[found], 0, a, 0)
                                    at = _write(hands[found], at, b, 1)
                                    at = _write(hands[found], at, c, 2)
                                    _write(hands[found], at, d, 3)
                                    weights[found] = _orders(a, b, c, d)
                                found += 1
    return found


def classes(size: int) -> tuple[Hands, NDArray[np.int64]]:
    """One hand of every class of `size` cards from 52, and the number of hands in each class."""
    by_size = [
        sorted(sum(1 << rank for rank in ranks) for ranks in combinations(range(13), n))
        for n in range(size + 1)
    ]
    sets = np.array([ranks for same_size in by_size for ranks in same_size], np.int64)
    start = np.cumsum([0, *map(len, by_size)])
    room = _write_classes(size, sets, start, np.empty((0, size), np.uint8), np.empty(0, np.int64))
    hands, weights = np.empty((room, size), np.uint8), np.empty(room, np.int64)
    _write_classes(size, sets, start, hands, weights)
    return hands, weights


def with_joker(hands: Hands) -> Hands:
    """The same hands, each with the joker as one more card."""
    joker = np.full((len(hands), 1), JOKER, np.uint8)
    return np.concatenate((hands, joker), axis=1)


# -- Hands as rows of cards ---------------------------------------------------------------------------


@lean
def sort(numbers: NDArray[Any]) -> None:
    """Put a few numbers in rising order."""
    for i in range(1, len(numbers)):
        number = numbers[i]
        j = i
        while j > 0 and numbers[j - 1] > number:
            numbers[j] = numbers[j - 1]
            j -= 1
        numbers[j] = number


def strengths_of(hands: Hands) -> NDArray[np.uint16]:
    """The poker strength of every hand, computed on all cores."""
    out, tables = np.empty(len(hands), np.uint16), poker.tables()
    map_in_threads(lambda part: poker.strengths(tables, hands[part], out[part]), slices(len(hands), SLICES))
    return out


def four_card_strengths_of(hands: Hands) -> NDArray[np.uint16]:
    """The strength of the best four of every hand, computed on all cores."""
    out, tables = np.empty(len(hands), np.uint16), four_card.tables()
    map_in_threads(
        lambda part: four_card.strengths(tables, hands[part], out[part]), slices(len(hands), SLICES)
    )
    return out
