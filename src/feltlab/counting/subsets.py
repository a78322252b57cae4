"""Subsets of a hand of seven and their classes, for card removal by inclusion and exclusion.

A count over the hands that avoid a hand P is the sum over the subsets S of P of (-1)^|S| times the count
over all hands that contain S. A count by S is the same for all S that differ only by renaming suits, so it
is stored by class; classes of all sizes are numbered together. A subset leads to its class through its
*place*, its number among all subsets in the order of size.
"""

from dataclasses import dataclass
from itertools import pairwise, permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import JOKER
from feltlab.counting import suits
from feltlab.counting.suits import Hands, sort
from feltlab.kernel import int64, kernel
from feltlab.parallel.threads import map_in_threads, slices

Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
Counts = NDArray[np.integer[Any]]
HAND = 7
RANK_COUNT = JOKER // 4 + 1  # the last rank is the joker's
MAX_NUMBERED_CARDS = 5  # larger subsets have no place; there would be 23 million of six


class Parts(NamedTuple):
    """The subsets of a hand of seven as sets of bits, in the order of their size."""

    mask: Ints
    rest: Ints  # by mask: the mask without its highest bit
    top: Ints  # by mask: its highest bit's number
    start: Ints  # by size: where the masks of that size begin
    choose: Ints  # choose[card, size]: the subsets of `size` cards below that card
    first: Ints  # by size: the place of the first subset of that size


def _parts() -> Parts:
    masks = sorted(range(1 << HAND), key=lambda mask: (mask.bit_count(), mask))
    top = [max(mask.bit_length() - 1, 0) for mask in range(1 << HAND)]
    rest = [mask & ~(1 << top[mask]) for mask in range(1 << HAND)]
    starts = np.cumsum([0, *(comb(HAND, size) for size in range(HAND + 1))])
    choose = [[comb(card, size) for size in range(HAND + 1)] for card in range(JOKER + 1)]
    first = np.cumsum([0, *(comb(JOKER + 1, size) for size in range(HAND + 1))])
    return Parts(np.array(masks), np.array(rest), np.array(top), starts, np.array(choose), first)


PARTS = _parts()


@dataclass(frozen=True)
class Subsets:
    """The classes of subsets of a deck, by size, and the way from a subset to its class."""

    deck: Hands
    hands: tuple[Hands, ...]  # by size: one subset of each class
    weights: tuple[Ints, ...]  # by size: the number of subsets in each class
    number: Numbers  # by place, for subsets of up to five cards: the class
    first: tuple[int, ...]  # by size: the number of the first class of that size


def subsets_of_standard_deck() -> Subsets:
    """The subsets of 52 cards and the joker, up to renaming suits."""
    classes = map_in_threads(suits.classes, range(HAND, -1, -1))[::-1]  # the longest work first
    found = [classes[0], *(_add_joker(*pair) for pair in pairwise(classes))]
    return build_subsets(np.arange(JOKER + 1, dtype=np.uint8), found, _renamings())


def _add_joker(shorter: tuple[Hands, Ints], full: tuple[Hands, Ints]) -> tuple[Hands, Ints]:
    """The hands of one size, without the joker and with it."""
    hands = np.concatenate((full[0], suits.with_joker(shorter[0])))
    return hands, np.concatenate((full[1], shorter[1]))


def _renamings() -> Hands:
    """By renaming of the suits, the new card of each card."""
    cards = np.arange(JOKER)
    renamed = [np.append(cards & ~3 | np.array(order)[cards & 3], JOKER) for order in permutations(range(4))]
    return np.array(renamed, np.uint8)


def build_subsets(deck: Hands, found: list[tuple[Hands, Ints]], renamings: Hands) -> Subsets:
    """Number the classes of a deck; `found` holds one hand of each class and its weight, by size."""
    number = np.full(PARTS.first[MAX_NUMBERED_CARDS + 1], -1, np.int32)
    first = [0, *np.cumsum([len(hands) for hands, _ in found]).tolist()]
    for size in range(MAX_NUMBERED_CARDS + 1):
        _number(PARTS, found[size][0], renamings, first[size], number)
    hands, weights = zip(*found, strict=True)
    return Subsets(deck, hands, weights, number, tuple(first))


def count_smaller(subsets: Subsets, size: int, more: Counts) -> Counts:
    """Count the hands that contain each subset of a size, from the counts for one card more."""
    hands = subsets.hands[size]
    out = np.zeros((len(hands), more.shape[1]), np.int32)

    def sum_up(part: slice) -> None:
        _sum_up(PARTS, subsets.deck, subsets.number, hands[part], more, subsets.first[size + 1], out[part])

    map_in_threads(sum_up, slices(len(hands), 32))
    return out


# -- Kernels ----------------------------------------------------------------------------------------


@kernel
def _number(ways: Parts, hands: Hands, renamings: Hands, number: int, out: Numbers) -> None:
    """Write the number of its class at the place of each hand, with its suits renamed in every way."""
    renamed = np.empty(hands.shape[1], np.uint8)
    for i in range(len(hands)):
        for j in range(len(renamings)):
            for k in range(len(renamed)):
                renamed[k] = renamings[j, hands[i, k]]
            sort(renamed)
            out[place(ways, renamed)] = number + i


@kernel
def place(ways: Parts, hand: NDArray[np.uint8]) -> int:
    """The place of a sorted subset."""
    at = int64(ways.first[len(hand)])
    for i in range(len(hand)):
        at += ways.choose[hand[i], i + 1]
    return at


@kernel
def _sum_up(
    ways: Parts, deck: Hands, number: Numbers, hands: Hands, more: Counts, first: int, out: Counts
) -> None:
    """Sum over the sets "S and one card more": a hand that contains S contains one for each other card."""
    size = hands.shape[1]
    longer = np.empty(size + 1, np.uint8)
    for i in range(len(hands)):
        for j in range(len(deck)):
            if not (hands[i] == deck[j]).any():
                longer[:size] = hands[i]
                longer[size] = deck[j]
                sort(longer)
                row = number[place(ways, longer)] - first
                for k in range(out.shape[1]):
                    out[i, k] += more[row, k]
        for k in range(out.shape[1]):
            out[i, k] //= HAND - size
