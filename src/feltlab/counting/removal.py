"""Card removal by inclusion and exclusion: the five-card hands that avoid a player's cards.

The number of five-card hands that avoid the cards P and fall below a strength is the sum over the
subsets S of P of (-1)^|S| times the number of hands that contain S and fall below it. So a player's six
cards meet all 1,370,754 hands of the dealer in 63 steps.

Sets that differ only by renaming suits are contained in equally many hands, so counts are stored by class:

- **up to three cards**: the number of hands that contain them, below each of the 7,462 strengths;
- **four cards**: the strengths of the hands that a fifth card makes;
- **five cards**: the strength of the hand.

The *order index* of a hand is the number of strengths below its own.
"""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.counting.suits import Hands, classes, sort, strengths_of
from feltlab.kernel import kernel, lean

Ints = NDArray[np.int64]

DEALER_CARDS = 5
MAX_COUNTED_CARDS = 3  # larger sets have no row in `below`
MAX_REMOVED_CARDS = 6
FIFTH_PLACES = 64  # 48 fifth cards, and a power of two for the binary search


class Removal(NamedTuple):
    """The tables of `count_avoiding` for one deck: about 75 MB for 52 cards."""

    choose: Ints  # [size, card]: the number of sets of that size below a card
    start: Ints  # by size: where the sets of that size begin in `class_of`
    class_of: NDArray[np.int32]  # by set
    row: Ints  # by size: where the classes of that size begin in `below`
    below: NDArray[np.int32]  # [order index, class]: the hands that contain the set and are below
    fifths: NDArray[np.uint16]  # [class of four]: the order indices of the hands that contain it, rising
    order_index: NDArray[np.uint16]  # by class of five
    index_of: NDArray[np.uint16]  # by strength
    strength_at: Ints  # by order index
    size: Ints  # by subset of a player's cards


# -- Counting ---------------------------------------------------------------------------------------


@kernel
def find_subsets(removal: Removal, hand: Hands, place: Ints, found: Ints) -> None:
    """Write the class of every subset of a sorted hand; the bits of a subset's number are its cards.

    The place of a set among the sets of its size is a sum over its cards in rising order: for the n-th card,
    the number of sets of n cards that lie wholly below it.
    """
    choose, start, class_of, size = removal.choose, removal.start, removal.class_of, removal.size
    place[0] = found[0] = 0
    for i in range(len(hand)):
        for rest in range(1 << i):
            subset = rest | 1 << i
            if size[subset] <= DEALER_CARDS:
                place[subset] = place[rest] + choose[size[subset], hand[i]]
                found[subset] = class_of[start[size[subset]] + place[subset]]


@kernel
def count_avoiding(removal: Removal, found: Ints, cuts: Ints, count: Ints) -> None:
    """Count the five-card hands that avoid a player's cards and have an order index below each cut.

    `found` is what `find_subsets` wrote for those cards.
    """
    below, row, fifths, order_index = removal.below, removal.row, removal.fifths, removal.order_index
    sizes = removal.size
    for i in range(len(cuts)):
        count[i] = 0
    for subset in range(len(found)):  # even sets are added, odd ones subtracted; no hand contains six cards
        size = sizes[subset]
        if size <= MAX_COUNTED_CARDS:
            sign = 1 - 2 * (size & 1)
            at = row[size] + found[subset]
            for i in range(len(cuts)):
                count[i] += sign * below[cuts[i], at]
        elif size < DEALER_CARDS:
            for i in range(len(cuts)):
                count[i] += _count_fifths_below(fifths, found[subset], cuts[i])
        elif size == DEALER_CARDS:
            for i in range(len(cuts)):
                count[i] -= order_index[found[subset]] < cuts[i]


@kernel
def _count_fifths_below(fifths: NDArray[np.uint16], four: int, cut: int) -> int:
    """Count the fifth cards that make a hand below the cut: a binary search in 64 places."""
    below = 0
    for step in (32, 16, 8, 4, 2, 1):
        below += step * (fifths[four, below + step - 1] < cut)
    return below


# -- Tables -----------------------------------------------------------------------------------------


@lean
def _place(choose: Ints, hand: Ints) -> int:
    """Sort a hand, and return its place among the hands of its size."""
    sort(hand)
    place = 0
    for i in range(len(hand)):
        place += choose[i + 1, hand[i]]
    return place


@kernel
def _number_classes(hands: Hands, orders: Hands, choose: Ints, class_of: NDArray[np.int32]) -> None:
    """Number the hands of each class, which renaming the suits of one hand gives."""
    renamed = np.empty(hands.shape[1], np.int64)
    for number in range(len(hands)):
        for order in range(len(orders)):
            for i in range(len(renamed)):
                card = hands[number, i]
                renamed[i] = card & 0xFC | orders[order, card & 3]
            class_of[_place(choose, renamed)] = number


@kernel
def _count_containing(removal: Removal, fives: Hands, weights: Ints, count: NDArray[np.int32]) -> None:
    """Count every hand for each of its subsets, in the row after its own order index."""
    row, sizes, order_index = removal.row, removal.size, removal.order_index
    found, place = np.empty(1 << DEALER_CARDS, np.int64), np.empty(1 << DEALER_CARDS, np.int64)
    for n in range(len(fives)):
        find_subsets(removal, fives[n], place, found)
        for subset in range(len(found)):
            size = sizes[subset]
            if size <= MAX_COUNTED_CARDS:
                count[order_index[n] + 1, row[size] + found[subset]] += weights[n]


@kernel
def _sum_up(count: NDArray[np.int32], weights: Ints) -> None:
    """Turn counts of all sets of a class at each order index into counts of one set below it."""
    total = np.zeros(len(weights), np.int64)
    for order_index in range(len(count)):
        for n in range(len(weights)):
            total[n] += count[order_index, n]
            count[order_index, n] = total[n] // weights[n]


@kernel
def _complete(removal: Removal, hands: Hands, deck: Hands, fifths: NDArray[np.uint16]) -> None:
    """Write the order indices of the hands that the other cards of the deck make of each four."""
    choose, order_index, class_of = (
        removal.choose,
        removal.order_index,
        removal.class_of[removal.start[DEALER_CARDS] :],
    )
    five = np.empty(DEALER_CARDS, np.int64)
    for n in range(len(hands)):
        found = 0
        for card in deck:
            if not (hands[n] == card).any():
                five[:4], five[4] = hands[n], card
                fifths[n, found] = order_index[class_of[_place(choose, five)]]
                found += 1
        sort(fifths[n, :found])


def classes_of(size: int, deck: Sequence[int]) -> tuple[Hands, Ints]:
    """One hand of each class of `size` cards of a deck, its cards in rising order, and its weight.

    The deck holds some ranks in each of the first few suits, so that renaming those suits changes nothing.
    Of the C(4, n) ways to remove n suits from 52 cards, C(e, n) leave a hand with e empty suits.
    """
    hands, weights = classes(size)
    inside = np.isin(hands, deck).all(axis=1)
    hands, weights = np.sort(hands[inside], axis=1), weights[inside]
    removed_suits = 4 - len({card & 3 for card in deck})
    empty = 4 - np.array([(hands & 3 == suit).any(axis=1) for suit in range(4)]).sum(axis=0)
    ways = np.array([comb(n, removed_suits) for n in range(5)])
    return hands, weights * ways[empty] // ways[4]


@cache
def removal(deck: tuple[int, ...] = tuple(range(52))) -> Removal:
    """Build the tables of a deck."""
    sized = [classes_of(size, deck) for size in range(DEALER_CARDS + 1)]
    (fours, _), (fives, weights) = sized[4:]
    strength_at, index_of = order_strengths()
    above_all = len(strength_at)
    row = np.cumsum([0, *(len(hands) for hands, _ in sized[: MAX_COUNTED_CARDS + 1])])
    below = np.zeros((above_all + 1, row[-1]), np.int32)
    fifths = np.full((len(fours), FIFTH_PLACES), above_all, np.uint16)
    size = np.array([subset.bit_count() for subset in range(1 << MAX_REMOVED_CARDS)])
    class_tables = _class_tables([hands for hands, _ in sized], deck)
    order_index = index_of[strengths_of(fives)]
    found = Removal(*class_tables, row, below, fifths, order_index, index_of, strength_at, size)
    _count_containing(found, fives, weights, below)
    _sum_up(below, np.concatenate([weights for _, weights in sized[: MAX_COUNTED_CARDS + 1]]))
    _complete(found, fours, np.array(deck, np.uint8), fifths)
    return found


def _class_tables(sized: Sequence[Hands], deck: Sequence[int]) -> tuple[Ints, Ints, NDArray[np.int32]]:
    """Build `choose`, `start` and `class_of` from one hand of each class, by size."""
    choose = np.array([[comb(card, size) for card in range(52)] for size in range(DEALER_CARDS + 1)])
    start = np.cumsum([0, *(comb(52, size) for size in range(DEALER_CARDS + 1))])
    class_of = np.zeros(start[-1], np.int32)
    suits = len({card & 3 for card in deck})
    orders = np.array([*permutations(range(suits))], np.uint8)
    for size, hands in enumerate(sized):
        _number_classes(hands, orders, choose, class_of[start[size] :])
    return choose, start, class_of


@cache
def order_strengths() -> tuple[Ints, NDArray[np.uint16]]:
    """All strengths of five-card hands in rising order, and the order index of each strength."""
    strength_at = np.unique(strengths_of(classes(DEALER_CARDS)[0]))
    index_of = np.searchsorted(strength_at, np.arange(1 << 16)).astype(np.uint16)
    return strength_at.astype(np.int64), index_of
