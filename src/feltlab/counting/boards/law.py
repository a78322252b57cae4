"""The second pass over all boards: the deals of every joint outcome, when all choices are known."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.tally import Outcomes
from feltlab.counting.boards.card_sets import PAIRS, CardSetClasses, number_set
from feltlab.counting.boards.lines import Lines, lane_of, merge_categories
from feltlab.counting.boards.sweep import (
    CATEGORIES,
    PAIR_BITS,
    BoardSweep,
    DealerClasses,
    category_at,
    count_dealers,
    lane_of_above,
    lane_of_below,
    new_sweep,
    order_pairs,
    pair_at,
    read_lane,
)
from feltlab.counting.boards.values import (
    BOARD,
    FLOP,
    FOUR,
    SLICES,
    Bits,
    BoardTables,
    board_tables,
    boards_of,
)
from feltlab.counting.suits import Hands
from feltlab.kernel import inlined, lean
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.parallel.threads import map_in_threads, slices

Ints = NDArray[np.int64]
FLOPS = 10  # of a board
NO_TWIN = PAIRS


class ChoiceTables(NamedTuple):
    """All choices of a strategy."""

    fixed: Ints  # by pair: the line that the first choice leads to; -1 if more choices follow
    flops: Bits  # flops[class, pair]: 1 for the larger wager after the flop
    fours: Bits  # fours[class, pair]: 1 for the larger wager after four cards; empty if there is no choice
    boards: Bits  # boards[board]: a bit for each pair, for the larger final wager; empty if there is none
    # ways[final, code, line]: the orders of a board's cards that lead to a line. A code has a bit for the
    # choice after each of its ten flops, and then one for each of its five fours.
    ways: NDArray[np.uint8]
    orders: int  # of a board's cards in all


class PocketKinds(NamedTuple):
    """A game's reading of hole cards."""

    of: Ints  # by pair: its kind
    twin: Ints  # by pair: a dealer's pair that is counted apart, or NO_TWIN
    against_twin: int = 0  # the kind of a pair against its twin


ONE_KIND = PocketKinds(np.zeros(PAIRS, np.int64), np.full(PAIRS, NO_TWIN))


class LineCounts(NamedTuple):
    """Deals by what decides their outcomes."""

    deals: Ints  # deals[kind, line, category, lane]
    twins: Ints  # twins[kind, line, category, lane]: those among them in which the dealer has the twin


@lean
def _code_choices(
    boards: BoardTables, sets: CardSetClasses, cards: Any, choices: Bits, bit: int, codes: Any
) -> None:
    """Set a bit in the code of every pair that makes the larger wager after these cards."""
    number = number_set(boards.choose, cards)
    row, renamed = choices[sets.class_of[number]], boards.pairs.renamed[sets.renaming[number]]
    for pair in range(PAIRS):
        codes[pair] |= row[renamed[pair]] << bit


@lean
def code_flops(boards: BoardTables, board: Any, choices: Bits, codes: Any, cards: Any) -> None:
    """Set a bit in the code of every pair for each flop after which it makes the larger wager."""
    codes[:] = 0
    bit = 0
    for i in range(BOARD):
        for j in range(i):
            for k in range(j):
                cards[0], cards[1], cards[2] = board[k], board[j], board[i]
                _code_choices(boards, boards.flops, cards[:FLOP], choices, bit, codes)
                bit += 1


@lean
def _count_line(
    counts: LineCounts,
    classes: DealerClasses,
    kinds: PocketKinds,
    sweep: BoardSweep,
    place: int,
    line: int,
    weight: int,
) -> None:
    """Count a line of the pair at a place against all dealers."""
    category, pair = category_at(sweep, place), pair_at(sweep, place)
    row = counts.deals[kinds.of[pair], line, category]
    for lane in range(1 + classes.most_above + classes.most_below):
        row[lane] += weight * read_lane(sweep, place, lane)


@inlined
def _count_twin(
    counts: LineCounts,
    classes: DealerClasses,
    kinds: PocketKinds,
    strengths: Ints,
    pair: int,
    line: int,
    weight: int,
) -> None:
    """Count a line of a pair against its twin, where the board leaves the twin."""
    mine, other = strengths[pair], strengths[kinds.twin[pair]]
    if other >= 0:
        lane = 0
        if other < mine:
            lane = lane_of_below(classes, other >> 12)
        elif other > mine:
            lane = lane_of_above(classes, other >> 12)
        counts.twins[kinds.of[pair], line, mine >> 12, lane] += weight


class CodeRoom(NamedTuple):
    """Room for the choices of one board."""

    codes: NDArray[np.uint16]  # by pair
    strengths: Ints  # by pair, and -1 for no pair
    cards: Ints  # of a flop or a four


def new_code_room() -> CodeRoom:
    strengths = np.zeros(PAIRS + 1, np.int64)
    return CodeRoom(np.zeros(PAIRS, np.uint16), strengths, np.zeros(FOUR, np.int64))


@lean
def _count_lines(
    boards: BoardTables,
    classes: DealerClasses,
    choices: ChoiceTables,
    kinds: PocketKinds,
    hands: Hands,
    weights: Ints,
    marks: Bits,
    counts: LineCounts,
    sweep: BoardSweep,
    room: CodeRoom,
) -> None:
    """Count the deals of some boards by line and result."""
    codes, strengths, cards = room
    for b in range(len(hands)):
        board, weight = hands[b], weights[b]
        size = order_pairs(boards.poker, boards.deck, board, sweep)
        count_dealers(boards.pairs, classes, sweep, size)
        code_flops(boards, board, choices.flops, codes, cards)
        for left_out in range(BOARD * (len(choices.fours) > 0)):
            for k in range(FOUR):
                cards[k] = board[k + (k >= left_out)]
            _code_choices(boards, boards.fours, cards, choices.fours, FLOPS + left_out, codes)
        strengths[:] = -1
        for place in range(size):
            strengths[pair_at(sweep, place)] = sweep.order[place] >> np.uint32(PAIR_BITS)
        for place in range(size):
            pair = pair_at(sweep, place)
            final = marks[b, pair >> 3] >> (pair & 7) & 1 if len(marks) else 0
            for line in range(choices.ways.shape[2]):
                ways = choices.ways[final, codes[pair], line]
                if choices.fixed[pair] >= 0:
                    ways = choices.orders * (line == choices.fixed[pair])
                if ways:
                    _count_line(counts, classes, kinds, sweep, place, line, weight * ways)
                    _count_twin(counts, classes, kinds, strengths, pair, line, weight * ways)


@dataclass(frozen=True)
class CountedLaw:
    """The deals of every joint outcome, and of every line."""

    counts: Counter[Outcomes]
    lines: list[int]


def count_law(
    deck: int,
    lines: Lines,
    choices: ChoiceTables,
    kinds: PocketKinds = ONE_KIND,
    progress: Progress = nobody_listens,
) -> CountedLaw:
    """Sweep every board, on all cores, and count the deals of each joint outcome."""
    boards, (hands, weights) = board_tables(deck), boards_of(deck)
    known = lines.outcomes
    many = range(len(lines.choices)), range(lines.kinds)
    classes = merge_categories(
        lambda category, result: [known[n, kind, category, result] for n in many[0] for kind in many[1]]
    )

    def work(part: slice) -> LineCounts:
        counts = _new_counts(lines, classes)
        marks = choices.boards[part]
        own = hands[part], weights[part], marks, counts, new_sweep(), new_code_room()
        _count_lines(boards, classes, choices, kinds, *own)
        return counts

    parts = map_in_threads(work, slices(len(hands), SLICES), progress)
    twins = sum((part.twins for part in parts), start=np.zeros_like(parts[0].twins))
    deals = sum((part.deals for part in parts), start=-twins)
    deals[kinds.against_twin] += twins.sum(axis=0)
    return CountedLaw(_name_outcomes(lines, classes, deals), deals.sum(axis=(0, 2, 3)).tolist())


def _new_counts(lines: Lines, classes: DealerClasses) -> LineCounts:
    lanes = 1 + classes.most_above + classes.most_below
    deals, twins = np.zeros((2, lines.kinds, len(lines.choices), CATEGORIES, lanes), np.int64)
    return LineCounts(deals, twins)


def _name_outcomes(lines: Lines, classes: DealerClasses, deals: Ints) -> Counter[Outcomes]:
    """The deals of each joint outcome."""
    results = {(category, lane_of(classes, result)): result for _, _, category, result in lines.outcomes}
    found: Counter[Outcomes] = Counter()
    for kind, line, category, lane in np.argwhere(deals).tolist():
        outcomes = lines.outcomes[line, kind, category, results[category, lane]]
        found[outcomes] += int(deals[kind, line, category, lane])
    return found
