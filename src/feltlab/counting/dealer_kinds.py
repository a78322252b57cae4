"""Showdowns of two hands from one deck: the dealer's hands of each kind that each player's hand meets.

The dealer's hands that avoid the player's cards, hold the up card if there is one, and are below a strength
are the sum over the subsets T of the player's cards of (-1)^|T| times the hands that contain T and the up
card and are below that strength. Players are taken in rising order of strength. Meanwhile the dealer's hands
below that strength are counted for each of their subsets, by class up to suits, so every count that a player
needs is one look-up.

Counts by class are kept times the number of renamings, so that no look-up divides: a hand that stands for
`weight` hands adds `weight * share` to a class whose sets each have `share` renamings in common.
"""

from collections.abc import Callable
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.counting.set_classes import (
    MAX_NUMBERED_CARDS,
    DeckSets,
    Ints,
    Numbers,
    class_sets,
    link_cards,
    sets_of_size,
)
from feltlab.counting.suits import Hands
from feltlab.kernel import kernel
from feltlab.parallel.progress import Progress, nobody_listens, part_of
from feltlab.parallel.threads import map_in_threads, slices

UNQUALIFIED, LOWER, EQUAL, HIGHER = range(4)  # kinds of dealer's hands; the last three qualify
KINDS = 4
SLICES = 4  # each begins with the dealers below its own players, so more slices cost more
Strengths = NDArray[np.uint16]
ReadHands = Callable[[Hands], Strengths]  # the strength of every row of cards


class SeenClasses(NamedTuple):
    """The classes of what a player sees: a hand, and an up card where the dealer shows one."""

    hands: Hands  # by class of hands: its cards by their place in the deck
    start: Ints  # by class of hands: where its rows begin
    up: Hands  # by row: the up card by its place in the deck; empty if there is none
    weights: Ints  # by row: the number of such hands and up cards

    @property
    def hand_of_row(self) -> Ints:
        """By row, the class of its hand."""
        return np.repeat(np.arange(len(self.hands)), np.diff(self.start))


class KindCuts(NamedTuple):
    """The first of each kind among the dealer's hands in rising order of strength."""

    qualified: int  # the hands that do not qualify
    low: Ints  # by player's hand: the hands that are not qualified or lower
    high: Ints  # by player's hand: the hands that are not qualified, lower or equal


def seen_classes(classes: DeckSets, size: int, has_up: bool) -> SeenClasses:
    """The classes of hands of a size, each with every up card that differs from the others."""
    hands, weights = sets_of_size(classes, size)
    if not has_up:
        return SeenClasses(hands, np.arange(len(hands) + 1), np.empty(0, np.uint8), weights)
    alike = np.zeros((len(hands), len(classes.cards)), np.uint8)
    _count_alike(classes.renamings, hands, alike)
    hand, up = np.nonzero(alike)
    start = np.searchsorted(hand, np.arange(len(hands) + 1))
    return SeenClasses(hands, start, up.astype(np.uint8), weights[hand] * alike[hand, up])


def count_kinds(
    classes: DeckSets,
    seen: SeenClasses,
    size: int,
    read: ReadHands,
    qualifies: int,
    progress: Progress = nobody_listens,
) -> NDArray[np.int32]:
    """By row of `seen`, how many dealer's hands of `size` cards are of each kind.

    `read` gives the strengths of rows of cards, the player's and the dealer's.
    """
    dealers, weights = dealer_classes(classes, size)
    strengths = read(classes.cards[dealers])
    order = np.argsort(strengths, kind="stable")
    dealers, weights, strengths = dealers[order], weights[order], strengths[order]
    mine = read(classes.cards[seen.hands])
    cuts = _cuts(strengths, mine, qualifies)
    own = _own_places(classes, seen, size, read, strengths)
    links = link_cards(classes) if len(seen.up) else np.empty((0, 0), np.int32)
    counts = np.full((len(seen.weights), KINDS), _hands_in_all(classes, seen, size), np.int32)
    players = np.argsort(mine, kind="stable")
    sweep = part_of(progress, 0.3, 1.0)

    def work(part: slice) -> None:
        _sweep(classes, links, dealers, weights, seen, players[part], cuts, own, counts)

    map_in_threads(work, slices(len(players), SLICES), sweep)
    return counts


def _hands_in_all(classes: DeckSets, seen: SeenClasses, size: int) -> int:
    """The dealer's hands that each player's hand meets."""
    ups = int(len(seen.up) > 0)
    return comb(len(classes.cards) - seen.hands.shape[1] - ups, size - ups)


def dealer_classes(classes: DeckSets, size: int) -> tuple[Hands, Ints]:
    """One dealer's hand of each class, by the places of its cards in the deck, and the hands in the class."""
    if size <= MAX_NUMBERED_CARDS:
        return sets_of_size(classes, size)
    found = class_sets(size, classes.renamings)
    return found.sets, found.weights


def _cuts(strengths: Strengths, mine: Strengths, qualifies: int) -> KindCuts:
    qualified = int(np.searchsorted(strengths, qualifies))
    low = np.searchsorted(strengths, mine, side="left")
    high = np.searchsorted(strengths, mine, side="right")
    return KindCuts(qualified, np.maximum(low, qualified), np.maximum(high, qualified))


def _own_places(
    classes: DeckSets, seen: SeenClasses, size: int, read: ReadHands, strengths: Strengths
) -> Ints:
    """By row, the place of the dealer's hand of all its cards: the one set that is too large for a class."""
    seen_cards = seen.hands.shape[1] + (len(seen.up) > 0)
    if seen_cards != size or size <= MAX_NUMBERED_CARDS:
        return np.empty(0, np.int64)
    rows = np.concatenate((seen.hands[seen.hand_of_row], seen.up[:, None]), axis=1)
    return np.searchsorted(strengths, read(classes.cards[rows]))


# -- Kernels ----------------------------------------------------------------------------------------


@kernel
def _count_alike(renamings: Hands, hands: Hands, alike: NDArray[np.uint8]) -> None:
    """By hand and card outside of it, the cards that renaming makes of it while the hand stays the same.

    Only the lowest of such cards has a count; the others, and cards of the hand, have 0.
    """
    deck = renamings.shape[1]
    in_hand, keeping = np.zeros(deck, np.bool_), np.empty(len(renamings), np.int64)
    for n in range(len(hands)):
        in_hand[:] = False
        for card in hands[n]:
            in_hand[card] = True
        same = 0
        for renaming in range(len(renamings)):
            keeps = True
            for card in hands[n]:
                keeps = keeps and in_hand[renamings[renaming, card]]
            keeping[same] = renaming
            same += keeps
        for up in range(deck):
            fixed, lowest = 0, not in_hand[up]
            for i in range(same):
                renamed = renamings[keeping[i], up]
                fixed += renamed == up
                lowest = lowest and renamed >= up
            if lowest:
                alike[n, up] = same // fixed


@kernel
def _list_places(choose: Ints, start: Ints, hand: Hands, size_of: Ints, places: Ints) -> None:
    """Write the place in `number` of every subset of a sorted hand; its cards are the subset's bits."""
    places[0] = 0
    for i in range(len(hand)):
        for rest in range(1 << i):
            subset = rest | 1 << i
            places[subset] = places[rest] + choose[size_of[subset], hand[i]]
    for subset in range(1, 1 << len(hand)):
        if size_of[subset] <= MAX_NUMBERED_CARDS:
            places[subset] += start[size_of[subset]]


@kernel
def _sizes(cards: int) -> Ints:
    sizes = np.zeros(1 << cards, np.int64)
    for subset in range(1, 1 << cards):
        sizes[subset] = sizes[subset >> 1] + (subset & 1)
    return sizes


@kernel
def _add_dealers(
    classes: DeckSets, dealers: Hands, weights: Ints, first: int, end: int, column: int, below: Numbers
) -> None:
    """Count some dealer's hands for the classes of all their subsets, in one column of `below`."""
    number, share = classes.number, classes.share
    sizes = _sizes(dealers.shape[1])
    places = np.empty(len(sizes), np.int64)
    for n in range(first, end):
        _list_places(classes.choose, classes.start, dealers[n], sizes, places)
        for subset in range(len(sizes)):
            if sizes[subset] <= MAX_NUMBERED_CARDS:
                found = number[places[subset]]
                below[found, column] += weights[n] * share[found]


@kernel
def _sweep(
    classes: DeckSets,
    links: Numbers,
    dealers: Hands,
    weights: Ints,
    seen: SeenClasses,
    players: Ints,
    cuts: KindCuts,
    own: Ints,
    counts: NDArray[np.int32],
) -> None:
    """Count the kinds for some players, who come in rising order of strength.

    The columns of `below` count, by class of sets, the hands that do not qualify, those below the low cut,
    and those below the high one.
    """
    below = np.zeros((classes.first[MAX_NUMBERED_CARDS + 1], KINDS), np.int32)  # a power of two is faster
    low = high = cuts.low[players[0]]
    _add_dealers(classes, dealers, weights, 0, cuts.qualified, 0, below)
    below[:, 1] = below[:, 0]
    _add_dealers(classes, dealers, weights, cuts.qualified, low, 1, below)
    below[:, 2] = below[:, 1]
    sizes = _sizes(seen.hands.shape[1])
    places = np.empty(len(sizes), np.int64)
    found = np.empty((len(classes.cards), 3), np.int64)
    for player in players:
        _add_dealers(classes, dealers, weights, low, cuts.low[player], 1, below)
        _add_dealers(classes, dealers, weights, high, cuts.high[player], 2, below)
        low, high = cuts.low[player], cuts.high[player]
        _list_places(classes.choose, classes.start, seen.hands[player], sizes, places)
        first, end = seen.start[player], seen.start[player + 1]
        found[:] = 0
        if len(seen.up):
            _sum_sets_with_up(links, below, sizes, places, seen.up[first:end], found)
        else:
            _sum_sets(classes.number, below, sizes, places, found)
        if len(own):
            _subtract_own(own[first:end], cuts.qualified, low, high, len(classes.renamings), found)
        for n in range(end - first):
            _write_kinds(found[n], len(classes.renamings), counts[first + n])


@kernel
def _write_kinds(found: Ints, every: int, counts: NDArray[np.int32]) -> None:
    """Turn counts below each cut into counts of each kind; the last kind is what is left of all hands."""
    counts[UNQUALIFIED] = found[0] // every
    counts[LOWER] = (found[1] - found[0]) // every
    counts[EQUAL] = (found[2] - found[1]) // every
    counts[HIGHER] -= found[2] // every


@kernel
def _sum_sets(number: Numbers, below: Numbers, sizes: Ints, places: Ints, found: Ints) -> None:
    """Add the counts of all subsets of a hand with alternating signs."""
    for subset in range(len(sizes)):
        if sizes[subset] <= MAX_NUMBERED_CARDS:
            sign, at = 1 - 2 * (sizes[subset] & 1), number[places[subset]]
            found[0, 0] += sign * below[at, 0]
            found[0, 1] += sign * below[at, 1]
            found[0, 2] += sign * below[at, 2]


@kernel
def _sum_sets_with_up(
    links: Numbers, below: Numbers, sizes: Ints, places: Ints, up: Hands, found: Ints
) -> None:
    """The same for each up card, which is one more card of every set."""
    for subset in range(len(sizes)):
        if sizes[subset] < MAX_NUMBERED_CARDS:
            sign, row = 1 - 2 * (sizes[subset] & 1), links[places[subset]]
            for n in range(len(up)):
                at = row[up[n]]
                found[n, 0] += sign * below[at, 0]
                found[n, 1] += sign * below[at, 1]
                found[n, 2] += sign * below[at, 2]


@kernel
def _subtract_own(own: Ints, qualified: int, low: int, high: int, every: int, found: Ints) -> None:
    """Subtract the dealer's hand that consists of the player's five cards and the up card."""
    for n in range(len(own)):
        found[n, 0] -= every * (own[n] < qualified)
        found[n, 1] -= every * (own[n] < low)
        found[n, 2] -= every * (own[n] < high)
