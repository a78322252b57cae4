"""A player who looks up the choice of a hand of up to five cards, with or without an up card, by its class.

A hand leads through its place to its class and to the renaming of suits that makes it the set that stands for
the class. The same renaming turns the up card, and the choice is a byte in the row of the class.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.solver import Decisions, Player
from feltlab.counting.dealer_kinds import SeenClasses
from feltlab.counting.set_classes import DeckSets, Ints, place_of_set
from feltlab.counting.suits import Hands, sort
from feltlab.kernel import Array, int64, kernel, lean

RENAMING_BITS = 5
MAX_HAND = 5


class HandChoices(NamedTuple):
    """The choices of all classes, and what is needed to find the class of a hand."""

    place: Ints  # by card: its place in the deck
    choose: Ints
    renamed: NDArray[np.int32]  # by hand: its class, and the renaming that leads to it
    renamings: Hands
    choices: Decisions  # choices[class, up card]; one column if there is none
    up: int  # the place of the up card in the shoe, or -1
    hand: int  # the number of cards in the hand


def follow_choices(classes: DeckSets, seen: SeenClasses, up: int, made: Decisions) -> Player:
    """The player who makes the choice of its class with every hand; `up` is the up card's place, or -1."""
    size = seen.hands.shape[1]
    place = np.zeros(64, np.int64)
    place[classes.cards] = np.arange(len(classes.cards))
    renamed = np.empty(classes.start[size + 1] - classes.start[size], np.int32)
    choices = np.zeros((len(seen.hands), len(classes.cards) if up >= 0 else 1), np.uint8)
    _write_renamings(classes.choose, classes.renamings, seen.hands, renamed)
    if up >= 0:
        _write_choices(classes.renamings, seen, made, choices)
    else:
        choices[:, 0] = made
    data = HandChoices(place, classes.choose, renamed, classes.renamings, choices, up, size)
    return Player(_decide_by_sets[size], data)


@kernel
def _write_renamings(choose: Ints, renamings: Hands, hands: Hands, renamed: NDArray[np.int32]) -> None:
    """Write the class of every hand with the number of a renaming that leads to the class's own set."""
    other = np.empty(hands.shape[1], np.uint8)
    back = np.empty(len(renamings), np.int64)
    for n in range(len(renamings)):
        for m in range(len(renamings)):
            if (renamings[m][renamings[n]] == np.arange(renamings.shape[1])).all():
                back[n] = m
    for number in range(len(hands)):
        for n in range(len(renamings)):
            for i in range(len(other)):
                other[i] = renamings[n, hands[number, i]]
            sort(other)
            renamed[place_of_set(choose, other)] = number << RENAMING_BITS | back[n]


@kernel
def _write_choices(renamings: Hands, seen: SeenClasses, made: Decisions, choices: Decisions) -> None:
    """Write the choice of each class at its up card, and at all that are alike while the hand is the same."""
    in_hand = np.zeros(renamings.shape[1], np.bool_)
    for number in range(len(seen.hands)):
        in_hand[:] = False
        for card in seen.hands[number]:
            in_hand[card] = True
        for renaming in renamings:
            keeps = True
            for card in seen.hands[number]:
                keeps = keeps and in_hand[renaming[card]]
            if keeps:
                for row in range(seen.start[number], seen.start[number + 1]):
                    choices[number, renaming[seen.up[row]]] = made[row]


@lean
def _place_of_five(data: HandChoices, seen: Array) -> int:
    """The place of five cards in any order, sorted by exchanges of neighbours."""
    place = data.place
    a, b, c, d, e = place[seen[0]], place[seen[1]], place[seen[2]], place[seen[3]], place[seen[4]]
    a, b = min(a, b), max(a, b)
    d, e = min(d, e), max(d, e)
    c, e = min(c, e), max(c, e)
    c, d = min(c, d), max(c, d)
    a, d = min(a, d), max(a, d)
    a, c = min(a, c), max(a, c)
    b, e = min(b, e), max(b, e)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    choose = data.choose
    return int64(choose[1, a] + choose[2, b] + choose[3, c] + choose[4, d] + choose[5, e])


@lean
def _place_of_few(data: HandChoices, seen: Array) -> int:
    """The same for any number of cards, each with the number of those below it."""
    total = 0
    for i in range(data.hand):
        card, below = data.place[seen[i]], 1
        for j in range(data.hand):
            below += data.place[seen[j]] < card
        total += data.choose[below, card]
    return total


@lean
def _choice_at(data: HandChoices, at: int, seen: Array) -> int:
    found = data.renamed[at]
    column = 0
    if data.up >= 0:
        column = data.renamings[found & (1 << RENAMING_BITS) - 1, data.place[seen[data.up]]]
    return int64(data.choices[found >> RENAMING_BITS, column])


@lean
def decide_by_five(data: HandChoices, seen: Array, legal: int, choices: Array) -> int:
    return _choice_at(data, _place_of_five(data, seen), seen)


@lean
def decide_by_few(data: HandChoices, seen: Array, legal: int, choices: Array) -> int:
    return _choice_at(data, _place_of_few(data, seen), seen)


_decide_by_sets = dict.fromkeys(range(1, MAX_HAND), decide_by_few) | {MAX_HAND: decide_by_five}
