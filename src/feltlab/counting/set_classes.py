"""The sets of a few cards of any deck, up to renaming suits: the class of each set, and the way to it.

A set is known by its *place*: sets of one size are listed with the highest card last to change, so that the
place of a set is a sum over its cards in rising order. Cards are numbered by their place in the sorted deck.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.counting.suits import Hands, sort
from feltlab.kernel import kernel, lean
from feltlab.parallel.threads import map_in_threads

Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
MAX_NUMBERED_CARDS = 5  # larger sets have no number; there are 20 million of six


class DeckSets(NamedTuple):
    """The classes of all sets of up to five cards; those of all sizes are numbered together."""

    cards: Hands  # the sorted deck
    renamings: (
        Hands  # renamings[n, card]: the card after a renaming of suits, both by their place in the deck
    )
    choose: Ints  # choose[size, card]: the sets of `size` cards below a card
    start: Ints  # by size: where the sets of that size begin in `number`
    number: Numbers  # by set: the number of its class
    first: Ints  # by size: the number of the first class of that size
    share: Numbers  # by class: renamings for each set of the class, 24 if all its renamings are the same set


class SizedClasses(NamedTuple):
    """The classes of one size: a set of each, as places in the deck in rising order, and its sets."""

    sets: Hands
    weights: Ints  # sets in the class
    number: Numbers  # by set: the number of its class


def rename_in_deck(cards: Hands, renamings: NDArray[np.int64]) -> Hands:
    """Renamings of cards as renamings of places in the sorted deck."""
    renamed: Hands = np.searchsorted(cards, renamings[:, cards]).astype(np.uint8)
    return renamed


def class_sets(size: int, renamings: Hands) -> SizedClasses:
    """One set of each class of a size."""
    choose = choose_table(renamings.shape[1])
    number = np.full(comb(renamings.shape[1], size), -1, np.int32)
    found = _mark_classes(size, renamings, choose, number)
    sets = np.empty((found, size), np.uint8)
    _write_first_sets(choose, number, sets)
    return SizedClasses(sets, np.bincount(number, minlength=found), number)


def choose_table(cards: int) -> Ints:
    return np.array([[comb(card, size) for card in range(cards)] for size in range(8)], np.int64)


def number_sets(cards: Hands, renamings: Hands) -> DeckSets:
    """Number the sets of up to five cards of a deck."""
    sizes = range(MAX_NUMBERED_CARDS, -1, -1)  # the longest work first
    found = map_in_threads(lambda size: class_sets(size, renamings), sizes)[::-1]
    first = np.cumsum([0, *(len(each.weights) for each in found)])
    start = np.cumsum([0, *(len(each.number) for each in found)])
    number = np.concatenate([each.number + first[size] for size, each in enumerate(found)], dtype=np.int32)
    share = len(renamings) // np.concatenate([each.weights for each in found])
    choose = choose_table(len(cards))
    return DeckSets(cards, renamings, choose, start, number, first, share.astype(np.int32))


def sets_of_size(classes: DeckSets, size: int) -> tuple[Hands, Ints]:
    """One set of each class of up to five cards that is numbered already, in the order of the numbers."""
    part = classes.number[classes.start[size] : classes.start[size + 1]] - classes.first[size]
    sets = np.empty((classes.first[size + 1] - classes.first[size], size), np.uint8)
    _write_first_sets(classes.choose, part, sets)
    weights = len(classes.renamings) // classes.share[classes.first[size] : classes.first[size + 1]]
    return sets, weights.astype(np.int64)


def link_cards(classes: DeckSets) -> Numbers:
    """links[set, card]: the class of a set of up to four cards with one card more; -1 if it has the card."""
    links = np.full((classes.start[MAX_NUMBERED_CARDS], len(classes.cards)), -1, np.int32)
    map_in_threads(lambda size: _link(classes, size, links), range(MAX_NUMBERED_CARDS - 1, -1, -1))
    return links


# -- Kernels ----------------------------------------------------------------------------------------


@lean
def next_set(cards: Hands, deck: int) -> bool:
    """Go on to the next set of a size: the lowest card that can move moves, those below it begin again."""
    size = len(cards)
    i = 0
    while i < size and cards[i] + 1 == (cards[i + 1] if i + 1 < size else deck):
        i += 1
    if i == size:
        return False
    cards[i] += 1
    for j in range(i):
        cards[j] = j
    return True


@lean
def place_of_set(choose: Ints, cards: Hands) -> int:
    """The place of a sorted set among those of its size."""
    place = 0
    for i in range(len(cards)):
        place += choose[i + 1, cards[i]]
    return place


@kernel
def _mark_classes(size: int, renamings: Hands, choose: Ints, number: Numbers) -> int:
    """Number every set by its class, in the order of the first sets; return the number of classes."""
    cards, renamed = np.arange(size).astype(np.uint8), np.empty(size, np.uint8)
    found = 0
    for place in range(len(number)):
        if number[place] < 0:
            for n in range(len(renamings)):
                for i in range(size):
                    renamed[i] = renamings[n, cards[i]]
                sort(renamed)
                number[place_of_set(choose, renamed)] = found
            found += 1
        next_set(cards, renamings.shape[1])
    return found


@kernel
def _write_first_sets(choose: Ints, number: Numbers, sets: Hands) -> None:
    cards = np.arange(sets.shape[1]).astype(np.uint8)
    found = 0
    for place in range(len(number)):
        if number[place] == found:
            sets[found] = cards
            found += 1
        next_set(cards, choose.shape[1])


@kernel
def _link(classes: DeckSets, size: int, links: Numbers) -> None:
    """Write the classes of all sets of a size with each card beside them."""
    choose, start, deck = classes.choose, classes.start[size], len(classes.cards)
    number = classes.number[classes.start[size + 1] :]
    cards = np.arange(size).astype(np.uint8)
    for place in range(classes.start[size + 1] - start):
        above = 0  # the part of the place of the cards above the new one, which is one place later
        for i in range(size):
            above += choose[i + 2, cards[i]]
        below, at = 0, 0
        for card in range(deck):
            if at < size and cards[at] == card:
                below += choose[at + 1, card]
                above -= choose[at + 2, card]
                at += 1
            else:
                links[start + place, card] = number[below + choose[at + 1, card] + above]
        next_set(cards, deck)
