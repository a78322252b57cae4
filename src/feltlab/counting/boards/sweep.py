"""The sweep of one board: all hole cards in order of strength, each with the dealers below and above.

The walk goes upward once and keeps how many pairs lie below, in all and with each card: the dealers below a
pair are all pairs below less those that hold one of its cards. Dealers below are counted by a class of their
category, dealers above by another; rules that do not tell two categories apart let them share a class.

Counts are at most 1,326, so five of them share a number of 64 bits, a *lane* of twelve bits each, and one
addition moves them all.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands import poker
from feltlab.counting.boards.card_sets import CARDS, PAIRS, PairTables
from feltlab.kernel import inlined, int64, lean

Ints = NDArray[np.int64]
Counts = NDArray[np.int64]  # lanes
CATEGORIES = 10  # from high card to royal flush
PAIR_BITS, PAIR_MASK = 11, (1 << 11) - 1  # of a number of a pair
LANE_BITS, LANE_MASK, WORD_LANES = 12, (1 << 12) - 1, 5
EQUAL_LANE = 0
MOST_WORDS = -(-(2 * CATEGORIES + 1) // WORD_LANES)
BYTE = 256


class DealerClasses(NamedTuple):
    """The classes of dealers' hands by category. Lane 0 counts equal hands, then come above and below."""

    below: Ints  # below[category]: the class of dealers' hands that the player beats
    above: Ints  # above[category]: the class of those that beat the player
    most_below: int  # classes
    most_above: int
    words: int  # that hold all lanes


class BoardSweep(NamedTuple):
    """Room for the sweep of one board."""

    order: NDArray[np.uint32]  # by place in the order of strength: strength and number of the pair
    room: NDArray[np.uint32]  # for sorting
    starts: Ints  # by byte, likewise
    cards: NDArray[np.uint32]  # that are left
    low: NDArray[np.uint8]  # by place: the cards of the pair
    high: NDArray[np.uint8]
    held: Counts  # held[card, word]: pairs with this card
    all: Counts  # all[word]: all pairs
    counts: Counts  # counts[place, word]: dealers against the pair at a place


def new_sweep() -> BoardSweep:
    order, room = np.zeros((2, PAIRS), np.uint32)
    low, high = np.zeros((2, PAIRS), np.uint8)
    starts, cards = np.zeros(2 * BYTE, np.int64), np.zeros(CARDS, np.uint32)
    held, every = np.zeros((CARDS, MOST_WORDS), np.int64), np.zeros(MOST_WORDS, np.int64)
    return BoardSweep(
        order, room, starts, cards, low, high, held, every, np.zeros((PAIRS, MOST_WORDS), np.int64)
    )


# -- Order ------------------------------------------------------------------------------------------


@inlined
def _sum_up(starts: Ints) -> None:
    """Turn the counts of two bytes into the places where their numbers begin."""
    first = second = 0
    for byte in range(BYTE):
        count = starts[byte]
        starts[byte] = first
        first += count
        count = starts[BYTE + byte]
        starts[BYTE + byte] = second
        second += count


@inlined
def _list_cards(deck: int, board: NDArray[np.uint8], sweep: BoardSweep) -> int:
    """List the cards of the deck that are not on the board; return their number."""
    for card in board:
        deck &= ~(int64(1) << int64(card))
    left = 0
    for card in range(CARDS):
        if deck >> card & 1:
            sweep.cards[left] = card
            left += 1
    return left


@inlined
def _list_pairs(tables: poker.Tables, board: NDArray[np.uint8], sweep: BoardSweep, left: int) -> int:
    """List all pairs of the cards that are left, and count the two bytes of their strengths."""
    key, lane = tables.key, tables.lane
    room, starts, cards = sweep.room, sweep.starts, sweep.cards
    total, lanes = poker.LANES_EMPTY, 0
    for card in board:
        total += key[card]
        lanes += lane[card]
    starts[:] = 0
    size = 0
    for i in range(left):
        high = cards[i]
        total_high, lanes_high, first = total + key[high], lanes + lane[high], high * (high - 1) // 2
        for j in range(i):
            low = cards[j]
            strength = poker.look_up(tables, total_high + key[low], lanes_high + lane[low])
            room[size] = strength << PAIR_BITS | first + low
            starts[strength & 255] += 1
            starts[BYTE + (strength >> 8)] += 1
            size += 1
    return size


@inlined
def _sort_by_byte(sweep: BoardSweep, size: int, shift: int, first: int) -> None:
    """Move the pairs from the room into the order of one byte, whose places begin at `first`."""
    order, room, starts = sweep.order, sweep.room, sweep.starts
    for n in range(size):
        byte = first + (room[n] >> np.uint32(shift) & np.uint32(255))
        order[starts[byte]] = room[n]
        starts[byte] += 1


@lean
def order_pairs(tables: poker.Tables, deck: int, board: NDArray[np.uint8], sweep: BoardSweep) -> int:
    """Put all pairs of the cards that are left in rising order of strength; return their number.

    `deck` has a bit for each card. The order is by the lower byte of the strength first, then by the upper.
    """
    size = _list_pairs(tables, board, sweep, _list_cards(deck, board, sweep))
    _sum_up(sweep.starts)
    _sort_by_byte(sweep, size, PAIR_BITS, 0)
    for n in range(size):
        sweep.room[n] = sweep.order[n]
    _sort_by_byte(sweep, size, PAIR_BITS + 8, BYTE)
    return size


@inlined
def category_at(sweep: BoardSweep, place: int) -> int:
    """The category of the pair at a place in the order."""
    return int64(sweep.order[place] >> np.uint32(PAIR_BITS + 12))


@inlined
def pair_at(sweep: BoardSweep, place: int) -> int:
    """The number of the pair at a place in the order."""
    return int64(sweep.order[place] & np.uint32(PAIR_MASK))


# -- Counts -----------------------------------------------------------------------------------------


@inlined
def lane_of_above(classes: DealerClasses, category: int) -> int:
    return int64(1 + classes.above[category])


@inlined
def lane_of_below(classes: DealerClasses, category: int) -> int:
    return int64(1 + classes.most_above + classes.below[category])


@inlined
def read_lane(sweep: BoardSweep, place: int, lane: int) -> int:
    """The number of dealers that a lane counts against the pair at a place."""
    word = lane // WORD_LANES
    return int64(sweep.counts[place, word] >> LANE_BITS * (lane - word * WORD_LANES) & LANE_MASK)


@lean
def _add_pairs(sweep: BoardSweep, start: int, end: int, lane: int, sign: int) -> None:
    """Count the pairs of some places in a lane, or no longer if the sign is -1."""
    held, low, high = sweep.held, sweep.low, sweep.high
    word = lane // WORD_LANES
    one = int64(sign) << LANE_BITS * (lane - word * WORD_LANES)
    sweep.all[word] += (end - start) * one
    for place in range(start, end):
        held[low[place], word] += one
        held[high[place], word] += one


@inlined
def _begin_count(pairs: PairTables, classes: DealerClasses, sweep: BoardSweep, size: int) -> None:
    """Look up the cards of each place, and count every pair as above."""
    sweep.all[:] = 0
    for card in range(CARDS):
        for word in range(classes.words):
            sweep.held[card, word] = 0
    for place in range(size):
        pair = sweep.order[place] & np.uint32(PAIR_MASK)
        sweep.low[place], sweep.high[place] = pairs.low[pair], pairs.high[pair]
    start = 0
    while start < size:
        category = category_at(sweep, start)
        end = start + 1
        while end < size and category_at(sweep, end) == category:
            end += 1
        _add_pairs(sweep, start, end, lane_of_above(classes, category), int64(1))
        start = end


@inlined
def _count_equals(classes: DealerClasses, sweep: BoardSweep, start: int, end: int) -> None:
    """Count the dealers against the pairs of one strength, which are above before and below afterwards."""
    low, high, held, counts = sweep.low, sweep.high, sweep.held, sweep.counts
    # Not literals, for each of which numba would compile `_add_pairs` again.
    equal, more, less = int64(EQUAL_LANE), int64(1), int64(-1)
    category = category_at(sweep, start)
    _add_pairs(sweep, start, end, lane_of_above(classes, category), less)
    _add_pairs(sweep, start, end, equal, more)
    for word in range(classes.words):
        every = sweep.all[word] + (word == 0)  # a pair is equal to itself, and went off twice
        for place in range(start, end):
            counts[place, word] = every - held[low[place], word] - held[high[place], word]
    _add_pairs(sweep, start, end, equal, less)
    _add_pairs(sweep, start, end, lane_of_below(classes, category), more)


@lean
def count_dealers(pairs: PairTables, classes: DealerClasses, sweep: BoardSweep, size: int) -> None:
    """Count, for every pair in order, the dealers below, equal and above."""
    _begin_count(pairs, classes, sweep, size)
    start = 0
    while start < size:
        strength = sweep.order[start] >> np.uint32(PAIR_BITS)
        end = start + 1
        while end < size and sweep.order[end] >> np.uint32(PAIR_BITS) == strength:
            end += 1
        _count_equals(classes, sweep, start, end)
        start = end
