"""Card removal by inclusion-exclusion: the dealer's hands that a player's cards leave.

The number of five-card hands that avoid the cards P and fall below a strength is the sum over the
subsets S of P of (-1)^|S| times the number of hands that contain S and fall below it. So a player's six
cards meet all 1,370,754 hands of the dealer in 63 steps.

Sets that differ only by renaming suits contain the same numbers of hands, so counts are kept by class:

- **up to three cards**: the number of hands that contain them, below each of the 7,462 strengths;
- **four cards**: the fifth cards that complete them, by the strengths that they make;
- **five cards**: the strength of the hand itself.

Strengths are numbered by their order: a hand's *standing* is the number of strengths below its own.
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

DEALER = 5  # the cards of a hand that is counted
COUNTED = 3  # sets of up to so many cards have their hands counted below each strength
MOST = 6  # cards that can be removed
FIFTHS = 64  # room for the 48 fifth cards and to search by halves


class Removal(NamedTuple):
    """What `avoiding` needs, for one deck: about 75 MB for 52 cards."""

    choose: Ints  # [size, card]: the number of sets of that size below a card
    start: Ints  # by size: where the sets of that size begin in `class_of`
    class_of: NDArray[np.int32]  # by set
    row: Ints  # by size: where the classes of that size begin in `below`
    below: NDArray[np.int32]  # [standing, class]: the hands that contain the set and stand below
    fifths: NDArray[np.uint16]  # [class of four]: the standings of the hands that contain it, rising
    standing: NDArray[np.uint16]  # by class of five
    standing_of: NDArray[np.uint16]  # by strength
    strength_at: Ints  # by standing
    size: Ints  # by subset of a player's cards


# -- Counting ---------------------------------------------------------------------------------------


@kernel
def find_subsets(removal: Removal, hand: Hands, place: Ints, found: Ints) -> None:
    """The class of every subset of a hand in rising order; bits of the subset's number tell its cards.

    A set's place among the sets of its size is the sum over its cards in order of the sets of 1, 2, ...
    cards that lie wholly below the card, so it grows card by card.
    """
    choose, start, class_of, size = removal.choose, removal.start, removal.class_of, removal.size
    place[0] = found[0] = 0
    for i in range(len(hand)):
        for rest in range(1 << i):
            subset = rest | 1 << i
            if size[subset] <= DEALER:
                place[subset] = place[rest] + choose[size[subset], hand[i]]
                found[subset] = class_of[start[size[subset]] + place[subset]]


@kernel
def avoiding(removal: Removal, found: Ints, cuts: Ints, count: Ints) -> None:
    """How many five-card hands avoid a player's cards and stand below each cut.

    `found` is what `find_subsets` wrote for those cards.
    """
    below, row, fifths, standing = removal.below, removal.row, removal.fifths, removal.standing
    sizes = removal.size
    for i in range(len(cuts)):
        count[i] = 0
    for subset in range(len(found)):  # even sets count, odd ones count against; six cards are too many
        size = sizes[subset]
        if size <= COUNTED:
            sign = 1 - 2 * (size & 1)
            at = row[size] + found[subset]
            for i in range(len(cuts)):
                count[i] += sign * below[cuts[i], at]
        elif size < DEALER:
            for i in range(len(cuts)):
                count[i] += _fewer(fifths, found[subset], cuts[i])
        elif size == DEALER:
            for i in range(len(cuts)):
                count[i] -= standing[found[subset]] < cuts[i]


@kernel
def _fewer(fifths: NDArray[np.uint16], four: int, cut: int) -> int:
    """How many fifth cards make a hand that stands below the cut: a search by halves in 64 places."""
    fewer = 0
    for step in (32, 16, 8, 4, 2, 1):
        fewer += step * (fifths[four, fewer + step - 1] < cut)
    return fewer


# -- Tables -----------------------------------------------------------------------------------------


@lean
def _place(choose: Ints, hand: Ints) -> int:
    """Sort a hand and find its place among the hands of its size."""
    sort(hand)
    place = 0
    for i in range(len(hand)):
        place += choose[i + 1, hand[i]]
    return place


@kernel
def _number_classes(hands: Hands, orders: Hands, choose: Ints, class_of: NDArray[np.int32]) -> None:
    """Give all hands of a class, found by renaming the suits of one, the number of that one."""
    renamed = np.empty(hands.shape[1], np.int64)
    for number in range(len(hands)):
        for order in range(len(orders)):
            for i in range(len(renamed)):
                card = hands[number, i]
                renamed[i] = card & 0xFC | orders[order, card & 3]
            class_of[_place(choose, renamed)] = number


@kernel
def _count_containing(removal: Removal, fives: Hands, weights: Ints, count: NDArray[np.int32]) -> None:
    """Count every hand for each of its subsets, in the row after its own standing."""
    row, sizes, standing = removal.row, removal.size, removal.standing
    found, place = np.empty(1 << DEALER, np.int64), np.empty(1 << DEALER, np.int64)
    for n in range(len(fives)):
        find_subsets(removal, fives[n], place, found)
        for subset in range(len(found)):
            size = sizes[subset]
            if size <= COUNTED:
                count[standing[n] + 1, row[size] + found[subset]] += weights[n]


@kernel
def _sum_up(count: NDArray[np.int32], weights: Ints) -> None:
    """From what all sets of a class contain at each standing to what one of them contains below it."""
    total = np.zeros(len(weights), np.int64)
    for standing in range(len(count)):
        for n in range(len(weights)):
            total[n] += count[standing, n]
            count[standing, n] = total[n] // weights[n]


@kernel
def _complete(removal: Removal, hands: Hands, deck: Hands, fifths: NDArray[np.uint16]) -> None:
    """The standings that the other cards of the deck make of each four."""
    choose, standing, class_of = removal.choose, removal.standing, removal.class_of[removal.start[DEALER] :]
    five = np.empty(DEALER, np.int64)
    for n in range(len(hands)):
        found = 0
        for card in deck:
            if not (hands[n] == card).any():
                five[:4], five[4] = hands[n], card
                fifths[n, found] = standing[class_of[_place(choose, five)]]
                found += 1
        sort(fifths[n, :found])


def classes_of(size: int, deck: Sequence[int]) -> tuple[Hands, Ints]:
    """One hand of each class of `size` cards of a deck, its cards in rising order, and its weight.

    The deck is some ranks in each of the first few suits, so that renaming those changes nothing. A hand
    with e empty suits is left by C(e, n) of the C(4, n) ways to strike n suits off 52 cards.
    """
    hands, weights = classes(size)
    inside = np.isin(hands, deck).all(axis=1)
    hands, weights = np.sort(hands[inside], axis=1), weights[inside]
    struck = 4 - len({card & 3 for card in deck})
    empty = 4 - np.array([(hands & 3 == suit).any(axis=1) for suit in range(4)]).sum(axis=0)
    ways = np.array([comb(n, struck) for n in range(5)])
    return hands, weights * ways[empty] // ways[4]


@cache
def removal(deck: tuple[int, ...] = tuple(range(52))) -> Removal:
    """The tables for a deck."""
    sized = [classes_of(size, deck) for size in range(DEALER + 1)]
    (fours, _), (fives, weights) = sized[4:]
    strength_at, standing_of = standings()
    above_all = len(strength_at)
    row = np.cumsum([0, *(len(hands) for hands, _ in sized[: COUNTED + 1])])
    below = np.zeros((above_all + 1, row[-1]), np.int32)
    fifths = np.full((len(fours), FIFTHS), above_all, np.uint16)
    size = np.array([subset.bit_count() for subset in range(1 << MOST)])
    class_tables = _class_tables([hands for hands, _ in sized], deck)
    standing = standing_of[strengths_of(fives)]
    found = Removal(*class_tables, row, below, fifths, standing, standing_of, strength_at, size)
    _count_containing(found, fives, weights, below)
    _sum_up(below, np.concatenate([weights for _, weights in sized[: COUNTED + 1]]))
    _complete(found, fours, np.array(deck, np.uint8), fifths)
    return found


def _class_tables(sized: Sequence[Hands], deck: Sequence[int]) -> tuple[Ints, Ints, NDArray[np.int32]]:
    """`choose`, `start` and `class_of`: of each size one hand per class is given."""
    choose = np.array([[comb(card, size) for card in range(52)] for size in range(DEALER + 1)])
    start = np.cumsum([0, *(comb(52, size) for size in range(DEALER + 1))])
    class_of = np.zeros(start[-1], np.int32)
    suits = len({card & 3 for card in deck})
    orders = np.array([*permutations(range(suits))], np.uint8)
    for size, hands in enumerate(sized):
        _number_classes(hands, orders, choose, class_of[start[size] :])
    return choose, start, class_of


@cache
def standings() -> tuple[Ints, NDArray[np.uint16]]:
    """All strengths of five-card hands in rising order, and the standing of each strength."""
    strength_at = np.unique(strengths_of(classes(DEALER)[0]))
    standing_of = np.searchsorted(strength_at, np.arange(1 << 16)).astype(np.uint16)
    return strength_at.astype(np.int64), standing_of
