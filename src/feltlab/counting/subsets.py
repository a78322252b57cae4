"""Card removal by inclusion and exclusion.

The hands that avoid a hand P are, whatever is counted of them, the sum over the subsets S of P of
(-1)^|S| times the count over all hands that contain S. A count by S is the same for all S that differ
only by renaming suits, so it is kept by class; classes of all sizes are numbered together. A subset
leads to its class through its *place*, its number among all subsets in the order of size.
"""

from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import JOKER, Cards
from feltlab.counting import suits
from feltlab.counting.suits import Hands, sort
from feltlab.kernel import int64, kernel
from feltlab.parallel.threads import map_in_threads, slices

Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
Counts = NDArray[np.integer[Any]]
HAND = 7
NUMBERED = 5  # subsets of up to so many cards have places; there would be 23 million of six


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


def of_standard() -> Subsets:
    """Of 52 cards and the joker, up to renaming suits."""
    classes = map_in_threads(suits.classes, range(HAND, -1, -1))[::-1]  # the long ones first
    found = [classes[0], *(_joined(*pair) for pair in pairwise(classes))]
    return _subsets(np.arange(JOKER + 1, dtype=np.uint8), found, _renamings())


def of_deck(deck: Cards) -> Subsets:
    """Of any cards, each subset a class of its own."""
    held = sorted(deck)
    sizes = [(comb(len(held), size), size) for size in range(HAND + 1)]
    every = [np.array(list(combinations(held, size[1])), np.uint8).reshape(size) for size in sizes]
    found = [(hands, np.ones(len(hands), np.int64)) for hands in every]
    return _subsets(np.array(held, np.uint8), found, np.arange(JOKER + 1, dtype=np.uint8)[None])


def _joined(shorter: tuple[Hands, Ints], full: tuple[Hands, Ints]) -> tuple[Hands, Ints]:
    """The hands of one size without the joker and with it."""
    hands = np.concatenate((full[0], suits.with_joker(shorter[0])))
    return hands, np.concatenate((full[1], shorter[1]))


def _renamings() -> Hands:
    """What each card becomes under each renaming of the suits."""
    cards = np.arange(JOKER)
    renamed = [np.append(cards & ~3 | np.array(order)[cards & 3], JOKER) for order in permutations(range(4))]
    return np.array(renamed, np.uint8)


def _subsets(deck: Hands, found: list[tuple[Hands, Ints]], renamings: Hands) -> Subsets:
    number = np.full(PARTS.first[NUMBERED + 1], -1, np.int32)
    first = [0, *np.cumsum([len(hands) for hands, _ in found]).tolist()]
    for size in range(NUMBERED + 1):
        _number(PARTS, found[size][0], renamings, first[size], number)
    hands, weights = zip(*found, strict=True)
    return Subsets(deck, hands, weights, number, tuple(first))


def fewer(subsets: Subsets, size: int, more: Counts) -> Counts:
    """Counts of the hands that contain each subset of a size, from the counts for one card more."""
    hands = subsets.hands[size]
    out = np.zeros((len(hands), more.shape[1]), np.int32)

    def sum_up(part: slice) -> None:
        _sum_up(PARTS, subsets.deck, subsets.number, hands[part], more, subsets.first[size + 1], out[part])

    map_in_threads(sum_up, slices(len(hands), 32))
    return out


# -- Kernels ----------------------------------------------------------------------------------------


@kernel
def _number(ways: Parts, hands: Hands, renamings: Hands, number: int, out: Numbers) -> None:
    """Lead from the places of each hand, its suits renamed in every way, to its class's number."""
    renamed = np.empty(hands.shape[1], np.uint8)
    for i in range(len(hands)):
        for j in range(len(renamings)):
            for k in range(len(renamed)):
                renamed[k] = renamings[j, hands[i, k]]
            sort(renamed)
            out[place(ways, renamed)] = number + i


@kernel
def place(ways: Parts, hand: NDArray[np.uint8]) -> int:
    """The place of a subset whose cards rise."""
    at = int64(ways.first[len(hand)])
    for i in range(len(hand)):
        at += ways.choose[hand[i], i + 1]
    return at


@kernel
def _sum_up(
    ways: Parts, deck: Hands, number: Numbers, hands: Hands, more: Counts, first: int, out: Counts
) -> None:
    """A hand that contains S contains as many sets "S and a card more" as it has cards outside S."""
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
