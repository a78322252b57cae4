"""The first pass over all boards: sums of values by hole cards, by flop, and by four community cards.

A board of five cards is swept once for its class and serves its ten flops and five fours. A value is added
at the class of the flop, under the hole cards with the same suits renamed; `symmetrize` makes of these sums
the sum over all boards that contain a flop.
"""

from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.counting.boards.card_sets import (
    PAIRS,
    RENAMINGS,
    CardSetClasses,
    PairTables,
    card_sets,
    choose_table,
    number_set,
    pair_tables,
)
from feltlab.counting.boards.lines import NetTables
from feltlab.counting.boards.sweep import (
    BoardSweep,
    DealerClasses,
    category_at,
    count_dealers,
    new_sweep,
    order_pairs,
    pair_at,
    read_lane,
)
from feltlab.counting.suits import Hands, classes
from feltlab.kernel import inlined, int64, lean
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.parallel.threads import map_in_threads, slices

Ints = NDArray[np.int64]
Bits = NDArray[np.uint8]
BOARD, FOUR, FLOP = 5, 4, 3  # cards
ROW_BYTES = PAIRS // 8 + 1  # of a bit for each pair
SLICES = 48
MOST_WORKERS = 4  # each has sums of its own, up to 200 MB
RENAMED_ALL = 24  # renamings of suits
FEW = 64  # pairs that are added one by one


class BoardTables(NamedTuple):
    """The tables that a pass over boards reads."""

    poker: poker.Tables
    pairs: PairTables
    choose: Ints
    renamings: Ints
    flops: CardSetClasses
    fours: CardSetClasses
    deck: int  # a bit for each card


def board_tables(deck: int) -> BoardTables:
    sets = card_sets(FLOP), card_sets(FOUR)
    return BoardTables(poker.tables(), pair_tables(), choose_table(), RENAMINGS, *sets, deck)


def deck_mask(game: Game) -> int:
    """A bit for each card of a game's deck; it has all four cards of its ranks."""
    return sum(1 << card for card in set(game.deck.cards))


def boards_of(deck: int) -> tuple[Hands, Ints]:
    """The boards of a deck up to suits, cards in rising order, and the number of boards in each class."""
    boards, weights = classes(BOARD)
    if deck != (1 << 52) - 1:
        inside = (deck >> boards.astype(object) & 1).astype(np.bool_).all(axis=1)
        boards, weights = boards[inside], weights[inside]
    return np.sort(boards, axis=1), weights


class ValueTables(NamedTuple):
    """The places at which values are added up."""

    classes: DealerClasses
    nets: Ints  # nets[functional, category, lane]
    lanes: int
    final: int  # the functional by which the last choice is made, on the whole board; -1 if there is none
    least: int  # its least value for the larger wager: 0, or 1 for a cautious player
    flop_columns: Ints  # functionals; the number after the last is the best of the final one and 0
    four_columns: Ints
    is_wanted: Bits  # by pair of hole cards


class ValueSums(NamedTuple):
    """Sums over boards, each times the number of boards in its class."""

    holes: Ints  # holes[functional, pair]
    flops: Ints  # flops[class, pair, column]
    fours: Ints  # fours[class, pair, column]
    equal: Ints  # positions on whole boards in which the final choice does not matter


@inlined
def sum_nets(nets: Ints, lanes: int, sweep: BoardSweep, place: int, functional: int) -> int:
    """A functional of the pair at a place, summed over all dealers."""
    category = category_at(sweep, place)
    value = 0
    for lane in range(lanes):
        value += read_lane(sweep, place, lane) * nets[functional, category, lane]
    return int64(value)


@lean
def is_first(boards: BoardTables, board: Any, pair: int) -> bool:
    """Is no pair of lower number alike under the renamings that leave the board as it is?"""
    held = 0
    for card in board:
        held |= int64(1) << int64(card)
    for n in range(RENAMED_ALL):
        if boards.pairs.renamed[n, pair] < pair:
            same = True
            for card in board:
                same = same and held >> (card & 0xFC | boards.renamings[n, card & 3]) & 1 == 1
            if same:
                return False
    return True


class PairValues(NamedTuple):
    """Room for the values of one board by pair, times the weight of the board."""

    flops: Ints  # flops[pair, column]
    fours: Ints
    wanted: NDArray[np.uint16]  # the pairs that have values
    value: Ints  # by functional and then the best of the final one and 0: of the pair at hand
    cards: Ints  # of a flop or a four


def new_pair_values(tables: ValueTables) -> PairValues:
    """Made here and not in a kernel, which numba compiles faster if it makes no arrays."""
    flops, fours = np.zeros((PAIRS, len(tables.flop_columns)), np.int64), len(tables.four_columns)
    wanted, value = np.zeros(PAIRS, np.uint16), np.zeros(len(tables.nets) + 1, np.int64)
    cards = np.zeros(FOUR, np.int64)
    return PairValues(flops, np.zeros((PAIRS, fours), np.int64), wanted, value, cards)


@lean
def _spread(
    boards: BoardTables, sets: CardSetClasses, cards: Any, values: Ints, wanted: Any, sums: Ints
) -> None:
    """Add the values of a board to the sums of a set of its cards."""
    number = number_set(boards.choose, cards)
    row, renaming = sums[sets.class_of[number]], sets.renaming[number]
    if len(wanted) < FEW:
        renamed = boards.pairs.renamed[renaming]
        for pair in wanted:
            for k in range(row.shape[1]):
                row[renamed[pair], k] += values[pair, k]
    else:  # pairs that hold a card of the board have the value 0
        origin = boards.pairs.origin[renaming]
        for pair in range(PAIRS):
            for k in range(row.shape[1]):
                row[pair, k] += values[origin[pair], k]


@lean
def _value_pairs(
    tables: ValueTables, sweep: BoardSweep, size: int, weight: int, found: PairValues, sums: Ints
) -> int:
    """Write down the values of all wanted pairs on a board and add them by pair; return their number."""
    functionals, value = len(tables.nets), found.value
    found.flops[:] = 0
    found.fours[:] = 0
    count = 0
    for place in range(size):
        pair = pair_at(sweep, place)
        if not tables.is_wanted[pair]:
            continue
        for f in range(functionals):
            value[f] = weight * sum_nets(tables.nets, tables.lanes, sweep, place, f)
            sums[f, pair] += value[f]
        if tables.final >= 0:
            value[functionals] = max(value[tables.final], 0)
        for k in range(len(tables.flop_columns)):
            found.flops[pair, k] = value[tables.flop_columns[k]]
        for k in range(len(tables.four_columns)):
            found.fours[pair, k] = value[tables.four_columns[k]]
        found.wanted[count] = pair
        count += 1
    return count


@lean
def _mark_final(
    boards: BoardTables, tables: ValueTables, sweep: BoardSweep, size: int, board: Any, mark: Any, equal: Ints
) -> None:
    """Mark the pairs that make the larger final wager, and count those to which it does not matter."""
    for place in range(size):
        value = sum_nets(tables.nets, tables.lanes, sweep, place, tables.final)
        pair = pair_at(sweep, place)
        if value >= tables.least:
            mark[pair >> 3] |= 1 << (pair & 7)
        if value == 0:
            equal[0] += is_first(boards, board, pair)


@lean
def _add_values(
    boards: BoardTables,
    tables: ValueTables,
    hands: Hands,
    weights: Ints,
    sums: ValueSums,
    marks: Bits,
    sweep: BoardSweep,
    found: PairValues,
) -> None:
    """Add the values of all wanted pairs on some boards; `marks`, unless empty, keeps the final choices."""
    flops, fours, cards = len(tables.flop_columns), len(tables.four_columns), found.cards
    for b in range(len(hands)):
        board = hands[b]
        size = order_pairs(boards.poker, boards.deck, board, sweep)
        count_dealers(boards.pairs, tables.classes, sweep, size)
        count = _value_pairs(tables, sweep, size, weights[b], found, sums.holes)
        if len(marks):
            _mark_final(boards, tables, sweep, size, board, marks[b], sums.equal)
        for i in range(BOARD * (flops > 0)):
            for j in range(i):
                for k in range(j):
                    cards[0], cards[1], cards[2] = board[k], board[j], board[i]
                    _spread(boards, boards.flops, cards[:FLOP], found.flops, found.wanted[:count], sums.flops)
        for left_out in range(BOARD * (fours > 0)):
            for k in range(FOUR):
                cards[k] = board[k + (k >= left_out)]
            _spread(boards, boards.fours, cards, found.fours, found.wanted[:count], sums.fours)


@lean
def _symmetrize(pairs: PairTables, sets: CardSetClasses, sums: Ints, room: Ints) -> None:
    for n in range(len(sums)):
        room[:] = 0
        for renaming in range(RENAMED_ALL):
            if sets.fixing[n] >> renaming & 1:
                for pair in range(sums.shape[1]):
                    for k in range(sums.shape[2]):
                        room[pair, k] += sums[n, pairs.renamed[renaming, pair], k]
        for pair in range(sums.shape[1]):
            for k in range(sums.shape[2]):
                sums[n, pair, k] = room[pair, k] // RENAMED_ALL


def symmetrize(pairs: PairTables, sets: CardSetClasses, sums: Ints) -> None:
    """Turn sums over classes of boards into the sum over all boards that contain the set of each class."""
    _symmetrize(pairs, sets, sums, np.zeros(sums.shape[1:], np.int64))


@dataclass(frozen=True)
class Wanted:
    """The sums of a pass over all boards."""

    tables: NetTables
    final: int = -1
    least: int = 0
    flop_columns: tuple[int, ...] = ()
    four_columns: tuple[int, ...] = ()
    pairs: tuple[int, ...] | None = None  # of hole cards; None is all
    marks: bool = False  # are the final choices kept?

    def as_tables(self) -> ValueTables:
        wanted = np.zeros(PAIRS, np.uint8)
        wanted[list(range(PAIRS) if self.pairs is None else self.pairs)] = 1
        flops, fours = np.array(self.flop_columns, np.int64), np.array(self.four_columns, np.int64)
        known = self.tables.classes
        lanes = 1 + known.most_above + known.most_below
        return ValueTables(known, self.tables.nets, lanes, self.final, self.least, flops, fours, wanted)


class BoardValues(NamedTuple):
    """The sums of a pass over all boards."""

    holes: Ints  # holes[functional, pair]: over all boards, classes of boards times their weights
    flops: Ints  # flops[class, pair, column]: over the boards that contain the flop
    fours: Ints
    marks: Bits  # marks[board]: a bit for each pair that makes the larger final wager; empty if not wanted
    equal: int  # positions on whole boards, up to suits, in which the final choice does not matter


def add_values(deck: int, wanted: Wanted, progress: Progress = nobody_listens) -> BoardValues:
    """Sweep every board, on all cores."""
    tables, boards = wanted.as_tables(), board_tables(deck)
    hands, weights = boards_of(deck)
    marks = np.zeros((len(hands) if wanted.marks else 0, ROW_BYTES), np.uint8)
    pool: SimpleQueue[tuple[ValueSums, BoardSweep, PairValues]] = SimpleQueue()
    made = [_new_sums(boards, tables) for _ in range(MOST_WORKERS)]
    for sums in made:
        pool.put((sums, new_sweep(), new_pair_values(tables)))

    def work(part: slice) -> None:
        sums, sweep, found = pool.get()
        mine = marks[part] if wanted.marks else marks
        _add_values(boards, tables, hands[part], weights[part], sums, mine, sweep, found)
        pool.put((sums, sweep, found))

    map_in_threads(work, slices(len(hands), SLICES), progress)
    total = made[0]
    for sums in made[1:]:
        for mine, other in zip(total, sums, strict=True):
            if other.any():
                mine += other
    symmetrize(boards.pairs, boards.flops, total.flops)
    symmetrize(boards.pairs, boards.fours, total.fours)
    return BoardValues(total.holes, total.flops, total.fours, marks, int(total.equal[0]))


def _new_sums(boards: BoardTables, tables: ValueTables) -> ValueSums:
    """Sums of nothing. Pages that are never written take no memory."""
    by_flop = (len(boards.flops.cards) if len(tables.flop_columns) else 0, PAIRS, len(tables.flop_columns))
    by_four = (len(boards.fours.cards) if len(tables.four_columns) else 0, PAIRS, len(tables.four_columns))
    holes = np.zeros((len(tables.nets), PAIRS), np.int64)
    return ValueSums(holes, np.zeros(by_flop, np.int64), np.zeros(by_four, np.int64), np.zeros(1, np.int64))
