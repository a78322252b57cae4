"""Showdowns of two hands of seven, counted by the rank of a card that one of the two holds.

Take two disjoint hands, the first of which holds the card c. The sum over all sets S without c of (-1)^|S|
n(S + c) (n(S) - n(S + c)) counts them, where n(S) is the number of hands that contain S: the second hand may
not hold c. So each set T meets the sets that lack one of its cards. Either hand may be the player's.

Only players from some strength on are counted. What such a player is paid differs by the *kind* of the
deal: the dealer does not qualify and the player is below a strength or not, is weaker, or is equal.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands.poker import Tables, look_up
from feltlab.counting.showdown import (
    SLICES,
    StrengthOrder,
    begin,
    count_below,
    count_four,
    histogram,
    write_below,
)
from feltlab.counting.subsets import (
    HAND,
    PARTS,
    RANK_COUNT,
    Counts,
    Ints,
    Numbers,
    Parts,
    Subsets,
    count_smaller,
    place,
)
from feltlab.counting.suits import Hands, sort
from feltlab.kernel import int64, kernel
from feltlab.parallel.progress import Progress, part_of
from feltlab.parallel.threads import map_in_threads, slices

DEALER, PLAYER = range(2)  # who holds the card
UNQUALIFIED, UNQUALIFIED_HIGH, LESS, EQUAL = range(4)  # kinds of deals; in the second the player is high
CARD_BITS = 6


class Cuts(NamedTuple):
    """Order indices that part the hands, in rising order."""

    qualified: int  # of the weakest dealer who qualifies
    first: int  # of the weakest player that is counted
    high: int  # from which on a player's pay against a dealer who does not qualify is another


class SetCounts(NamedTuple):
    """By class of sets, how many hands that contain it are weaker than each order index."""

    below: NDArray[np.int32]  # by class of up to four cards, for all order indices
    five: NDArray[np.uint16]  # by class of five cards, for those from `qualified` to `first`


class RankSource(NamedTuple):
    """The tables by which kernels meet the sets of a deck."""

    ways: Parts
    tables: Tables
    deck: Hands
    number: Numbers
    below: NDArray[np.int32]
    cuts: Cuts


def meet_by_rank(
    subsets: Subsets, order: StrengthOrder, cuts: Cuts, progress: Progress
) -> tuple[SetCounts, Ints]:
    """The counts of all sets; and by rank of the card, holder and kind, the deals of players from `first`."""
    below = _count_all_below(subsets, order, part_of(progress, 0.0, 0.3))
    source = RankSource(PARTS, order.tables, subsets.deck, subsets.number, below, cuts)
    five, met = _meet_five(subsets, source, part_of(progress, 0.3, 0.7))
    met += _meet_six(subsets, source, part_of(progress, 0.7, 1.0))
    for size in range(1, 5):
        rows = below[subsets.first[size] : subsets.first[size + 1]]
        _meet_sets(source, subsets.hands[size], subsets.weights[size], rows, met)
    return SetCounts(below, five), met


def _count_all_below(subsets: Subsets, order: StrengthOrder, progress: Progress) -> NDArray[np.int32]:
    counts: list[Counts] = [count_four(subsets, order, progress)]
    for size in (3, 2, 1, 0):
        counts.insert(0, count_smaller(subsets, size, counts[0]))
    return np.concatenate([count_below(count, 0, len(order.strengths)) for count in counts])


def _meet_five(subsets: Subsets, source: RankSource, progress: Progress) -> tuple[NDArray[np.uint16], Ints]:
    hands, weights = subsets.hands[5], subsets.weights[5]
    five = np.empty((len(hands), source.cuts.first - source.cuts.qualified + 1), np.uint16)

    def work(part: slice) -> Ints:
        met = np.zeros((RANK_COUNT, 2, 4), np.int64)
        _fives(source, hands[part], weights[part], five[part], met)
        return met

    met = map_in_threads(work, slices(len(hands), SLICES), progress)
    return five, np.array(met).sum(axis=0)


def _meet_six(subsets: Subsets, source: RankSource, progress: Progress) -> Ints:
    hands, weights = subsets.hands[6], subsets.weights[6]

    def work(part: slice) -> Ints:
        met = np.zeros((RANK_COUNT, 2, 4), np.int64)
        _sixes(source, hands[part], weights[part], met)
        return met

    met: Ints = np.array(map_in_threads(work, slices(len(hands), SLICES), progress)).sum(axis=0)
    return met


# -- Kernels: sets of up to five cards --------------------------------------------------------------
# Sums run modulo 2**64. They may overflow on the way; the results are far below it, so they are exact.


@kernel
def _compress(below: Counts, found: Ints, times: Ints) -> int:
    """Write the order indices of the hands of a set, and how many hands each has; return their number."""
    size = 0
    for order_index in range(len(below) - 1):
        hands = below[order_index + 1] - below[order_index]
        if hands:
            found[size], times[size] = order_index, hands
            size += 1
    return size


@kernel
def _meet(found: Ints, times: Ints, size: int, below: Counts, cuts: Cuts, out: Ints) -> None:
    """Count the deals of the first `size` hands found, as the dealer's and as the player's, by kind.

    The other hand is one of those that `below` counts.
    """
    qualified, first, high = cuts
    everyone, unqualified = int64(below[len(below) - 1]), int64(below[qualified])
    out[:] = 0
    for i in range(size):
        mine, hands = found[i], times[i]
        if mine < qualified:
            out[DEALER, UNQUALIFIED] += hands * (below[high] - below[first])
            out[DEALER, UNQUALIFIED_HIGH] += hands * (everyone - below[high])
        else:
            out[DEALER, LESS] += hands * (everyone - below[max(mine + 1, first)])
        if mine >= first:
            out[PLAYER, UNQUALIFIED_HIGH if mine >= high else UNQUALIFIED] += hands * unqualified
            out[PLAYER, LESS] += hands * (below[mine] - unqualified)
            out[DEALER, EQUAL] += hands * (below[mine + 1] - below[mine])
    out[PLAYER, EQUAL] = out[DEALER, EQUAL]


@kernel
def _meet_shorter(
    source: RankSource, cards: Hands, found: Ints, times: Ints, size: int, own: Counts, weight: int, met: Ints
) -> None:
    """Let the hands that contain some cards meet those that contain all of them but one."""
    pairs, same, shorter = np.empty((2, 4), np.int64), np.empty((2, 4), np.int64), np.empty(4, np.uint8)
    _meet(found, times, size, own, source.cuts, same)
    signed = weight if len(cards) & 1 else -weight
    for i in range(len(cards)):
        at = 0
        for j in range(len(cards)):
            if j != i:
                shorter[at] = cards[j]
                at += 1
        sort(shorter[:at])
        row = source.number[place(source.ways, shorter[:at])]
        _meet(found, times, size, source.below[row], source.cuts, pairs)
        met[cards[i] >> 2] += signed * (pairs - same)


@kernel
def _meet_sets(source: RankSource, sets: Hands, weights: Ints, rows: NDArray[np.int32], met: Ints) -> None:
    """Add the terms of sets of up to four cards, each without one card of it."""
    found, times = np.empty(rows.shape[1], np.int64), np.empty(rows.shape[1], np.int64)
    for i in range(len(sets)):
        size = _compress(rows[i], found, times)
        _meet_shorter(source, sets[i], found, times, size, rows[i], weights[i], met)


@kernel
def _fives(source: RankSource, sets: Hands, weights: Ints, five: NDArray[np.uint16], met: Ints) -> None:
    """Add the terms of five cards without one of them, and of five cards with one more."""
    count, below = np.empty(source.below.shape[1] - 1, np.int32), np.empty(source.below.shape[1], np.int32)
    found, times = np.empty(len(below), np.int64), np.empty(len(below), np.int64)
    qualified = source.cuts.qualified
    for i in range(len(sets)):
        histogram(source.tables, source.deck, sets[i], count)
        write_below(count, 0, below)
        for j in range(five.shape[1]):
            five[i, j] = below[qualified + j]
        size = _compress(below, found, times)
        _meet_shorter(source, sets[i], found, times, size, below, weights[i], met)
        _meet_longer(source, sets[i], below, -weights[i], found, times, met)


@kernel
def _meet_longer(
    source: RankSource, cards: Hands, below: Counts, weight: int, found: Ints, times: Ints, met: Ints
) -> None:
    """Let the hands that contain five cards meet those that contain a sixth card too."""
    tables, deck = source.tables, source.deck
    rest = len(deck) - len(cards)
    key, lane, pairs = np.empty(rest, np.int64), np.empty(rest, np.int64), np.empty((2, 4), np.int64)
    total, lanes = begin(tables, deck, cards, key, lane)
    times[:rest] = 1
    at = 0
    for card in deck:
        if (cards == card).any():
            continue
        size = 0
        for j in range(rest):
            if j != at:
                found[size] = look_up(tables, total + key[at] + key[j], lanes + lane[at] + lane[j])
                size += 1
        _meet(found, times, size, below, source.cuts, pairs)
        met[card >> 2] += weight * pairs
        at += 1


# -- Kernels: six cards -----------------------------------------------------------------------------


@kernel
def _sixes(source: RankSource, sets: Hands, weights: Ints, met: Ints) -> None:
    """Add the terms of six cards with themselves, and of six cards with one more.

    So few hands contain six cards that they are sorted: by order index, with the seventh card beside it.
    """
    rest = len(source.deck) - HAND + 1
    key, lane, found = np.empty(rest, np.int64), np.empty(rest, np.int64), np.empty(rest, np.int64)
    same = np.empty(4, np.int64)
    for i in range(len(sets)):
        total, lanes = begin(source.tables, source.deck, sets[i], key, lane)
        at = 0
        for card in source.deck:
            if not (sets[i] == card).any():
                order_index = look_up(source.tables, total + key[at], lanes + lane[at])
                found[at] = order_index << CARD_BITS | int64(card)
                at += 1
        sort(found)
        _meet_sorted(found, source.cuts, weights[i], same, met)
        for card in sets[i]:
            for kind in range(4):
                met[card >> 2, DEALER, kind] += weights[i] * same[kind]
                met[card >> 2, PLAYER, kind] += weights[i] * same[kind]


@kernel
def _count_from(found: Ints, order_index: int) -> int:
    """The begin of the hands from an order index on."""
    at = 0
    while at < len(found) and found[at] >> CARD_BITS < order_index:
        at += 1
    return at


@kernel
def _meet_sorted(found: Ints, cuts: Cuts, weight: int, same: Ints, met: Ints) -> None:
    """Let each hand meet all others, and write by kind the deals of all hands with all.

    A hand and itself, which contain the seventh card both, are no deal by that card.
    """
    unqualified, first = _count_from(found, cuts.qualified), _count_from(found, cuts.first)
    high, everyone = _count_from(found, cuts.high), len(found)
    same[:] = 0
    start = 0
    while start < everyone:
        end = start + 1
        while end < everyone and found[end] >> CARD_BITS == found[start] >> CARD_BITS:
            end += 1
        for i in range(start, end):
            out = met[(found[i] & (1 << CARD_BITS) - 1) >> 2]
            if start < unqualified:
                out[DEALER, UNQUALIFIED] += weight * (high - first)
                out[DEALER, UNQUALIFIED_HIGH] += weight * (everyone - high)
            else:
                out[DEALER, LESS] += weight * (everyone - max(end, first))
            if start >= first:
                kind = UNQUALIFIED_HIGH if start >= high else UNQUALIFIED
                out[PLAYER, kind] += weight * unqualified
                out[PLAYER, LESS] += weight * (start - unqualified)
                out[DEALER, EQUAL] += weight * (end - start - 1)
                out[PLAYER, EQUAL] += weight * (end - start - 1)
                same[kind] += unqualified
                same[LESS] += start - unqualified
                same[EQUAL] += end - start
        start = end
