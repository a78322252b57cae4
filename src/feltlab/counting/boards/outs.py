"""The last choice by the number of cards that beat the player, for a strategy card.

An out of the dealer is an unseen card that beats the player's hand together with the board alone.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands import poker
from feltlab.counting.boards.law import CodeRoom, code_flops, new_code_room
from feltlab.counting.boards.lines import NetTables
from feltlab.counting.boards.sweep import (
    PAIR_BITS,
    BoardSweep,
    DealerClasses,
    count_dealers,
    new_sweep,
    order_pairs,
    pair_at,
)
from feltlab.counting.boards.values import (
    SLICES,
    Bits,
    BoardTables,
    board_tables,
    boards_of,
    sum_nets,
)
from feltlab.counting.suits import Hands, sort
from feltlab.kernel import lean
from feltlab.parallel.threads import map_in_threads, slices

Ints = NDArray[np.int64]
MOST_OUTS = 47


class OutsTables(NamedTuple):
    """The choices that lead to the last one, and the gain of its larger wager."""

    is_met: Bits  # by pair: 1 if the first choice lets the round go on
    flops: Bits  # flops[class, pair]: 1 if the round ends after the flop
    ends: NDArray[np.uint8]  # by code of the ten flops: those after which the round ends
    orders: int
    classes: DealerClasses
    nets: Ints  # nets[0, category, lane]: the gain
    lanes: int


@lean
def _single_cards(tables: poker.Tables, board: Any, sweep: BoardSweep, singles: Ints) -> int:
    """The strengths of the board with each unseen card, in rising order; return how many there are."""
    key, lane = tables.key, tables.lane
    total, lanes = poker.LANES_EMPTY, 0
    for card in board:
        total += key[card]
        lanes += lane[card]
    left = 0
    while left < len(sweep.cards) and (left == 0 or sweep.cards[left] > sweep.cards[left - 1]):
        left += 1
    for n in range(left):
        card = sweep.cards[n]
        singles[n] = poker.look_up(tables, total + key[card], lanes + lane[card])
    sort(singles[:left])
    return left


@lean
def _add_gains(
    boards: BoardTables,
    tables: OutsTables,
    hands: Hands,
    weights: Ints,
    gains: Ints,
    sweep: BoardSweep,
    room: CodeRoom,
) -> None:
    """Add the gain of the larger last wager by the number of outs, over all orders that lead to it."""
    codes, singles, cards = room
    for b in range(len(hands)):
        board = hands[b]
        sweep.cards[:] = 0
        size = order_pairs(boards.poker, boards.deck, board, sweep)
        count_dealers(boards.pairs, tables.classes, sweep, size)
        code_flops(boards, board, tables.flops, codes, cards)
        left = _single_cards(boards.poker, board, sweep, singles)
        outs, lower = left, 0
        for place in range(size):
            pair = pair_at(sweep, place)
            strength = sweep.order[place] >> np.uint32(PAIR_BITS)
            while lower < left and singles[lower] <= strength:
                lower += 1
            outs = left - lower
            if tables.is_met[pair]:
                ways = tables.orders - tables.ends[codes[pair]]
                gain = sum_nets(tables.nets, tables.lanes, sweep, place, 0)
                gains[outs] += weights[b] * ways * gain


def gains_by_outs(deck: int, first: Bits, flops: Bits, tables: NetTables, orders: int) -> list[int]:
    """By number of outs, the gain of the larger last wager over all deals, flops told apart, in parts.

    `first[pair]` is 1 where the round goes on after the first choice, `flops[class, pair]` where it ends
    after the flop.
    """
    boards, (hands, weights) = board_tables(deck), boards_of(deck)
    ends = np.array([code.bit_count() for code in range(1 << 10)], np.uint8)
    lanes = 1 + tables.classes.most_above + tables.classes.most_below
    known = OutsTables(first, flops, ends, orders, tables.classes, tables.nets, lanes)

    def work(part: slice) -> Ints:
        gains = np.zeros(MOST_OUTS + 1, np.int64)
        _add_gains(boards, known, hands[part], weights[part], gains, new_sweep(), new_code_room())
        return gains

    parts = map_in_threads(work, slices(len(hands), SLICES))
    return [sum(column) for column in zip(*(part.tolist() for part in parts), strict=True)]
