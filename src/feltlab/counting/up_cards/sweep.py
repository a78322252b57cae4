"""The better choice of every player's hand beside every three up cards, and the dealers that they meet.

The choice is between a wager against the dealer and giving up. For each class of up cards (up to renaming
suits), all classes of the player's hands are taken in rising order of strength (`dealers` says what a class
is). Three counts of dealers are kept for that strength, in one number: weaker, equal, not qualified. They are
what the gain of the wager is made of, and what a law counts.
"""

from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np

from feltlab.core.hands import poker
from feltlab.core.hands.poker import Tables
from feltlab.counting.removal import classes_of
from feltlab.counting.up_cards.dealers import (
    FLUSH_CARDS,
    HAND,
    LAST,
    PLACES,
    RANKS,
    SUBSETS,
    TABLE_SIZE,
    UP,
    CardsBeside,
    HandShapes,
    Ints,
    KindPlaces,
    LastThrees,
    all_shapes,
    correct_flushes,
    correct_shape,
    count_by_ranks,
    find_beside,
    list_last_threes,
    rank_keys,
    sort_last_threes,
)
from feltlab.counting.up_cards.ways import count_ways
from feltlab.counting.up_cards.zones import ShapeCodes, UpCardZone, code_shapes, join_zones
from feltlab.errors import Refused
from feltlab.kernel import inlined, int64, kernel, lean
from feltlab.parallel.progress import Progress
from feltlab.parallel.threads import map_in_threads, slices

BETTER, SAME, WORSE = range(3)  # what the wager is
HANDS, LESS, EQUAL, UNQUALIFIED = range(4)  # what is counted: hands, and the dealers that they meet
MATCHES = 4  # groups of hands by their cards of the up cards' ranks: none, one, two, more
GAIN, CLASSES = 0, 1  # what is summed by level: gains, and from CLASSES on the classes of each choice

# Three counts in one number; each is at most C(49, 3) = 18,424.
ONE_LESS, ONE_EQUAL, ONE_UNQUALIFIED = 1, 1 << 16, 1 << 32
COUNT_MASK = 0xFFFF

MAX_GAIN_PARTS = 10**7  # times all deals beside one three of up cards it fits 64 bits
SLICES = 96  # of the work: enough for the cores to finish together and for progress to show


@dataclass(frozen=True)
class UpCardSweep:
    """The facts of all hands beside all up cards."""

    ups: Ints  # [class of up cards, card]
    weights: Ints  # by class of up cards: the number of threes in it
    met: Ints  # [what the wager is, order index, what is counted]
    levels: Ints  # [class of up cards, level, matches, what is summed]: over all deals beside one three
    best_gain: int  # of those who wager where it is better, over all deals
    worse_flushes: int  # classes with a flush that had better give up
    zones: tuple[UpCardZone, UpCardZone]  # of those who wager where both are equal, and of those who give up


class SweepTask(NamedTuple):
    """The data that all sweeps share."""

    tables: Tables
    rank_key: Ints
    places: KindPlaces
    deck: Ints
    shapes: HandShapes
    qualified: int
    gain: Ints  # [order index, what is counted]: of the wager; instead of hands, over all dealers
    level: Ints  # by order index
    dealers: int  # that a hand meets


class SweepFindings(NamedTuple):
    """The results of a sweep."""

    met: Ints  # as in `UpCardSweep`
    levels: Ints  # [level, matches, what is summed]
    worse_flushes: Ints  # one number: classes with a flush that had better give up
    possible: Ints  # by shape: a bit for each set of its ranks in the shared suit that hands have
    better: Ints  # likewise: for which the wager is better
    same: Ints


class SweepScratch(NamedTuple):
    """Room for the numbers of one shape."""

    table: Ints
    ways: Ints  # by set of its ranks in the shared suit: how many hands
    corrections: Ints  # likewise
    hand: Ints
    ranks: Ints
    met: Ints


def sweep_up_cards(
    deck: tuple[int, ...], qualified: int, gain: Ints, level: Ints, progress: Progress
) -> UpCardSweep:
    """Take all hands beside all up cards of a deck, which holds some ranks in each of the first few suits.

    `gain` is by order index: of the wager over giving up, over all dealers and more for each dealer who is
    weaker, equal, not qualified. `level` groups order indices for sums of gains.
    """
    if abs(gain).max() > MAX_GAIN_PARTS:
        raise Refused("The wagers pay too much, or in too small parts, to be solved.")
    tables, shapes = poker.tables(), all_shapes()
    dealers = comb(len(deck) - HAND - UP, LAST)
    task = SweepTask(
        tables, rank_keys(tables), PLACES, np.array(deck), shapes, qualified, gain, level, dealers
    )
    hands, weights = classes_of(UP, deck)
    ups = hands.astype(np.int64)
    parts = map_in_threads(
        lambda part: _sweep_part(task, ups[part], weights[part]), slices(len(ups), SLICES), progress
    )
    every_met, levels, worse_flushes, zones = zip(*parts, strict=True)
    wagering, giving_up = zip(*(pair for part in zones for pair in part), strict=True)
    met: Ints = np.sum(every_met, axis=0)
    return UpCardSweep(
        ups,
        weights,
        met,
        np.concatenate(levels),
        _sum_gains(gain, met[BETTER], dealers),
        int(np.sum(worse_flushes)),
        (join_zones(wagering), join_zones(giving_up)),
    )


def _sum_gains(gain: Ints, met: Ints, dealers: int) -> int:
    """The gain of all hands that met these dealers; 64 bits may not hold it."""
    counts = met.astype(object)
    counts[:, HANDS] *= dealers
    return int((gain.astype(object) * counts).sum())


PartZones = list[tuple[ShapeCodes, ShapeCodes]]


def _sweep_part(task: SweepTask, ups: Ints, weights: Ints) -> tuple[Ints, Ints, Ints, PartZones]:
    met = np.zeros((3, len(task.gain), 4), np.int64)
    levels = np.zeros((len(ups), task.level.max() + 1, MATCHES, CLASSES + 3), np.int64)
    worse_flushes, zones = np.zeros(1, np.int64), []
    plain = np.flatnonzero(~task.shapes.is_flush)
    possible, better, same = np.zeros((3, len(task.shapes.order)), np.int64)
    for n, up in enumerate(ups):
        sweep_up(
            task, up, int(weights[n]), SweepFindings(met, levels[n], worse_flushes, possible, better, same)
        )
        hands, wagers = possible[plain], better[plain]
        zones.append((code_shapes(hands, wagers | same[plain]), code_shapes(hands, wagers)))
    return met, levels, worse_flushes, zones


# -- Kernels ----------------------------------------------------------------------------------------------


def sweep_up(task: SweepTask, up: Ints, weight: int, out: SweepFindings) -> None:
    """Take all hands beside some up cards in rising order of strength."""
    beside = find_beside(task.deck, up)
    threes = sort_last_threes(list_last_threes(task.tables, task.rank_key, task.places, up, beside))
    _sweep(task, beside, threes, up, weight, out)


@kernel
def _sweep(
    task: SweepTask, beside: CardsBeside, threes: LastThrees, up: Ints, weight: int, out: SweepFindings
) -> None:
    shapes = task.shapes
    room = SweepScratch(
        np.zeros(TABLE_SIZE, np.int64),
        np.zeros(1 << HAND, np.int64),
        np.zeros(1 << HAND, np.int64),
        np.zeros(HAND, np.int64),
        np.zeros(HAND, np.int64),
        np.zeros((3, 4), np.int64),
    )
    up_ranks = int64(0)
    for card in up:
        up_ranks |= int64(1) << (card >> 2)
    _count_unqualified(room.table, threes, task.qualified)
    less, equal = 0, 0
    for shape in range(len(shapes.order)):
        less, equal = _advance(room.table, threes, shapes.strength[shape], less, equal)
        room.met[:] = 0
        if shapes.is_flush[shape]:
            _take_flush(task, beside, up_ranks, shape, room, out)
        else:
            _take_ranks(task, beside, up_ranks, shape, room, out)
        for choice in range(3):
            for n in range(4):
                out.met[choice, shapes.order[shape], n] += weight * room.met[choice, n]


@lean
def _count_unqualified(table: Ints, threes: LastThrees, qualified: int) -> None:
    for n in range(len(threes.strength)):
        if threes.strength[n] < qualified:
            _add(table, threes, n, ONE_UNQUALIFIED)


@lean
def _advance(table: Ints, threes: LastThrees, strength: int, less: int, equal: int) -> tuple[int, int]:
    """Let the table count the dealers below this strength and those equal to it."""
    while less < len(threes.strength) and threes.strength[less] < strength:
        _add(table, threes, less, ONE_LESS - ONE_EQUAL if less < equal else ONE_LESS)
        less += 1
    equal = max(equal, less)
    while equal < len(threes.strength) and threes.strength[equal] == strength:
        _add(table, threes, equal, ONE_EQUAL)
        equal += 1
    return less, equal


@lean
def _add(table: Ints, threes: LastThrees, n: int, one: int) -> None:
    for subset in range(SUBSETS):
        table[threes.place[n, subset]] += threes.ways[n, subset] * one


@inlined
def _take_class(
    task: SweepTask, order: int, counts: int, ways: int, matches: int, room: SweepScratch, out: SweepFindings
) -> int:
    """Add the hands of a class to those of its choice; return what the wager is."""
    less, equal, unqualified = counts & COUNT_MASK, counts >> 16 & COUNT_MASK, counts >> 32
    gain = task.gain[order, HANDS] * task.dealers + task.gain[order, LESS] * less
    gain += task.gain[order, EQUAL] * equal + task.gain[order, UNQUALIFIED] * unqualified
    choice = BETTER if gain > 0 else SAME if gain == 0 else WORSE
    room.met[choice, HANDS] += ways
    room.met[choice, LESS] += ways * less
    room.met[choice, EQUAL] += ways * equal
    room.met[choice, UNQUALIFIED] += ways * unqualified
    out.levels[task.level[order], min(matches, MATCHES - 1), GAIN] += ways * gain
    out.levels[task.level[order], min(matches, MATCHES - 1), CLASSES + choice] += 1
    return choice


@inlined
def _take_ranks(
    task: SweepTask, beside: CardsBeside, up_ranks: int, shape: int, room: SweepScratch, out: SweepFindings
) -> None:
    """Take the hands of six ranks that have no flush."""
    shapes, order = task.shapes, task.shapes.order[shape]
    rank, copies, ranks = shapes.rank[shape], shapes.copies[shape], shapes.ranks[shape]
    possible, better, same = int64(0), int64(0), int64(0)
    matches, size = 0, 0
    for i in range(ranks):
        matches += copies[i] * (up_ranks >> rank[i] & 1)
        for _ in range(copies[i]):
            room.hand[size] = rank[i]
            size += 1
    count_ways(task.places, beside, rank, copies, ranks, room.ways)
    counts = count_by_ranks(task.places, room.table, room.hand)
    if beside.suit >= 0:
        correct_shape(task.places, room.table, beside.loose, rank, copies, ranks, room.corrections)
    for suited in range(1 << ranks if beside.suit >= 0 else 1):
        ways = room.ways[suited]
        if ways:
            corrected = counts + room.corrections[suited]
            choice = _take_class(task, order, corrected, ways, matches, room, out)
            possible |= int64(1) << suited
            better |= int64(choice == BETTER) << suited
            same |= int64(choice == SAME) << suited
    out.possible[shape], out.better[shape], out.same[shape] = possible, better, same


@inlined
def _take_flush(
    task: SweepTask, beside: CardsBeside, up_ranks: int, shape: int, room: SweepScratch, out: SweepFindings
) -> None:
    """Take the hands that have these five or six ranks of one suit, and with five any other card beside."""
    rank, ranks = task.shapes.rank[shape], task.shapes.ranks[shape]
    held, matches = int64(0), 0
    for i in range(ranks):
        held |= int64(1) << rank[i]
        matches += up_ranks >> rank[i] & 1
    for other in range(RANKS if ranks < HAND else 1):
        _copy(rank, room.ranks)
        if ranks < HAND:
            _insert(rank, other, room.ranks)
        counts, more = count_by_ranks(task.places, room.table, room.ranks), matches
        if ranks < HAND:
            more += up_ranks >> other & 1
        for suit in range(4):
            if held & ~beside.free[suit] == 0:
                _take_suit(task, beside, suit, other, shape, counts, more, room, out)


@lean
def _copy(numbers: Ints, out: Ints) -> None:
    for i in range(len(numbers)):  # a slice would make an array
        out[i] = numbers[i]


@lean
def _insert(five: Ints, other: int, six: Ints) -> None:
    """Write five rising numbers and one more in rising order."""
    at = 0
    for i in range(FLUSH_CARDS):
        if at == i and other < five[i]:
            six[at] = other
            at += 1
        six[at] = five[i]
        at += 1
    if at == FLUSH_CARDS:
        six[at] = other


@inlined
def _take_suit(
    task: SweepTask,
    beside: CardsBeside,
    suit: int,
    other: int,
    shape: int,
    counts: int,
    matches: int,
    room: SweepScratch,
    out: SweepFindings,
) -> None:
    """Take the hands with a flush of one suit, and with five cards of it one of the rank `other` beside."""
    rank, ranks, order = task.shapes.rank[shape], task.shapes.ranks[shape], task.shapes.order[shape]
    hand, is_shared = room.hand, suit == beside.suit
    worse = 0
    ways = 1 if ranks == HAND else beside.kinds[other]
    if ranks < HAND and not is_shared:
        ways -= beside.free[suit] >> other & 1
    if ways > 0:
        corrected = counts
        if beside.suit >= 0:
            _copy(room.ranks, hand)
            if is_shared:
                hand[0] = other  # of another suit, unless all six are of this one
                for i in range(ranks):
                    hand[HAND - ranks + i] = rank[i] + RANKS
            plain = HAND - ranks if is_shared else HAND
            corrected += correct_flushes(task.places, room.table, beside.loose, hand, plain)
        worse += _take_class(task, order, corrected, ways, matches, room, out) == WORSE
    if ranks < HAND and beside.suit >= 0 and not is_shared and beside.kinds[RANKS + other]:
        for i in range(ranks):
            hand[i] = rank[i]
        hand[FLUSH_CARDS] = other + RANKS
        corrected = counts + correct_flushes(task.places, room.table, beside.loose, hand, FLUSH_CARDS)
        worse += _take_class(task, order, corrected, 1, matches, room, out) == WORSE
    out.worse_flushes[0] += worse
