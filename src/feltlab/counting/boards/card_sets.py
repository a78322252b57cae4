"""Sets of a few cards up to suits, for tables by set.

A set of cards has a number among all sets of its size. Renaming suits leads each set to the one that stands
for its class. A pair of hole cards is a set of two; its number after each of the 24 renamings is in a table.
"""

from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.counting.suits import Hands, classes, sort
from feltlab.kernel import int64, lean

Ints = NDArray[np.int64]
CARDS = 52
PAIRS = comb(CARDS, 2)
RENAMINGS = np.array(list(permutations(range(4))), np.int64)  # renamings[n, suit]: its new name


class CardSetClasses(NamedTuple):
    """All sets of some number of cards, and their classes."""

    cards: Hands  # by class: the set that stands for it
    weights: Ints  # by class: the sets in it
    class_of: NDArray[np.int32]  # by number of a set
    renaming: NDArray[np.uint8]  # by number of a set: one that leads to the set of its class
    fixing: Ints  # by class: the renamings that leave its set as it is, a bit each


class PairTables(NamedTuple):
    """Pairs of hole cards by their number."""

    low: NDArray[np.uint8]
    high: NDArray[np.uint8]
    renamed: NDArray[np.uint16]  # renamed[renaming, pair]: the number of the pair after it
    origin: NDArray[np.uint16]  # origin[renaming, pair]: the pair that becomes this one


@cache
def choose_table() -> Ints:
    """choose[n, k]: the number of sets of k of n cards."""
    return np.array([[comb(n, k) for k in range(6)] for n in range(CARDS + 1)])


@lean
def number_set(choose: Ints, cards: NDArray[Any]) -> int:
    """The number of a set among all of its size; its cards are in rising order."""
    number = 0
    for n in range(len(cards)):
        number += choose[cards[n], n + 1]
    return int64(number)


@lean
def number_pair(first: int, second: int) -> int:
    """The number of a pair of cards."""
    high, low = max(first, second), min(first, second)
    return int64(high * (high - 1) // 2 + low)


@lean
def rename_set(renaming: Ints, cards: NDArray[Any], renamed: NDArray[Any]) -> None:
    """Write the cards with their suits renamed, in rising order."""
    for n in range(len(cards)):
        renamed[n] = cards[n] & 0xFC | renaming[cards[n] & 3]
    sort(renamed)


@lean
def _find_renaming(renamings: Ints, cards: NDArray[Any]) -> int:
    """The renaming that puts the ranks of the suits in falling order."""
    held = (int64(0), int64(0), int64(0), int64(0))
    for card in cards:
        bit, suit = int64(1) << int64(card >> 2), card & 3
        held = (
            held[0] | (bit if suit == 0 else 0),
            held[1] | (bit if suit == 1 else 0),
            held[2] | (bit if suit == 2 else 0),
            held[3] | (bit if suit == 3 else 0),
        )
    for n in range(len(renamings)):
        wrong = False
        for one in range(4):
            for other in range(4):
                if held[one] > held[other] and renamings[n, one] > renamings[n, other]:
                    wrong = True
        if not wrong:
            return n
    return 0


@lean
def _copy(cards: NDArray[Any], target: Ints) -> None:
    for n in range(len(cards)):
        target[n] = cards[n]


@lean
def _are_equal(one: Ints, other: Ints) -> bool:
    for n in range(len(one)):  # noqa: SIM110 - kernels have no generators
        if one[n] != other[n]:
            return False
    return True


@lean
def _classify(choose: Ints, renamings: Ints, sets: CardSetClasses, held: Ints, renamed: Ints) -> None:
    """Fill the tables of all sets from the sets that stand for the classes; two sets are room to work in.

    Loops instead of operations on whole arrays, which take numba seconds to compile.
    """
    size = sets.cards.shape[1]
    for n in range(len(sets.cards)):
        _copy(sets.cards[n], held)
        sort(held)
        sets.class_of[number_set(choose, held)] = n
        for renaming in range(len(renamings)):
            rename_set(renamings[renaming], held, renamed)
            sets.fixing[n] |= int64(_are_equal(renamed, held)) << renaming
    for n in range(size):
        held[n] = n
    for number in range(len(sets.class_of)):
        found = _find_renaming(renamings, held)
        rename_set(renamings[found], held, renamed)
        sets.renaming[number] = found
        sets.class_of[number] = sets.class_of[number_set(choose, renamed)]
        at = 0
        while at + 1 < size and held[at] + 1 == held[at + 1]:  # the next set in the order of numbers
            held[at] = at
            at += 1
        held[at] += 1


@cache
def card_sets(size: int) -> CardSetClasses:
    """All sets of this many cards from 52."""
    cards, weights = classes(size)
    room = comb(CARDS, size)
    class_of, renaming = np.full(room, -1, np.int32), np.zeros(room, np.uint8)
    sets = CardSetClasses(cards, weights, class_of, renaming, np.zeros(len(cards), np.int64))
    _classify(choose_table(), RENAMINGS, sets, *np.zeros((2, size), np.int64))
    return sets


@cache
def pair_tables() -> PairTables:
    pairs = sorted(combinations(range(CARDS), 2), key=lambda pair: pair[::-1])
    low, high = np.array(pairs, np.uint8).T
    renamed = np.zeros((len(RENAMINGS), PAIRS), np.uint16)
    for n, names in enumerate(RENAMINGS):
        first, second = (cards.astype(np.int64) & 0xFC | names[cards & 3] for cards in (low, high))
        top, bottom = np.maximum(first, second), np.minimum(first, second)
        renamed[n] = top * (top - 1) // 2 + bottom
    return PairTables(low, high, renamed, np.argsort(renamed, axis=1).astype(np.uint16))


@cache
def pocket_classes() -> tuple[Ints, Ints]:
    """By pair of hole cards, its class; and the pair that stands for each of the 169 classes."""
    sets = card_sets(2)
    low, high = sets.cards.astype(np.int64).min(axis=1), sets.cards.astype(np.int64).max(axis=1)
    return sets.class_of.astype(np.int64), high * (high - 1) // 2 + low


@lean
def _mark_first(pairs: PairTables, sets: CardSetClasses, deck: int, marks: NDArray[np.uint8]) -> None:
    for n in range(len(sets.cards)):
        left = deck
        for card in sets.cards[n]:
            left = left & ~(int64(1) << int64(card)) if left >> int64(card) & 1 else 0
        for pair in range(PAIRS):
            if left >> int64(pairs.low[pair]) & left >> int64(pairs.high[pair]) & 1:
                marks[n, pair] = 1
                for renaming in range(len(pairs.renamed)):
                    if sets.fixing[n] >> renaming & 1 and pairs.renamed[renaming, pair] < pair:
                        marks[n, pair] = 0


def first_pairs(size: int, deck: int) -> NDArray[np.uint8]:
    """marks[class, pair]: 1 for one pair of each class of pairs beside a set of cards, both from a deck."""
    sets = card_sets(size)
    marks = np.zeros((len(sets.cards), PAIRS), np.uint8)
    _mark_first(pair_tables(), sets, deck, marks)
    return marks
