"""One position: hole cards and some community cards, against every dealer on every board that can follow."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands import poker
from feltlab.core.stake import Stake
from feltlab.counting.boards.lines import ABOVE, EQUAL, RESULTS, Lines
from feltlab.counting.boards.values import BOARD
from feltlab.kernel import int64, kernel

Ints = NDArray[np.int64]


class Runouts(NamedTuple):
    """The boards that can follow, and the results against every dealer on each."""

    cards: NDArray[np.uint8]  # cards[board]: those that were not known
    category: Ints  # of the player's hand
    results: Ints  # results[board, result]: dealers
    dealers: int  # on each board


@kernel
def _count_results(
    tables: poker.Tables,
    left: NDArray[np.uint8],
    hole: NDArray[np.uint8],
    boards: NDArray[np.uint8],
    category: Ints,
    results: Ints,
) -> None:
    """Deal every dealer's pair on each board, a complete one."""
    key, lane = tables.key, tables.lane
    for b in range(len(boards)):
        total, lanes, held = poker.LANES_EMPTY, 0, int64(0)
        for card in boards[b]:
            total += key[card]
            lanes += lane[card]
            held |= int64(1) << int64(card)
        one, two = hole
        mine = poker.look_up(tables, total + key[one] + key[two], lanes + lane[one] + lane[two])
        category[b] = mine >> 12
        for i in range(len(left)):
            for j in range(i):
                if (held >> int64(left[i]) | held >> int64(left[j])) & 1:
                    continue
                more, suits = key[left[i]] + key[left[j]], lane[left[i]] + lane[left[j]]
                other = poker.look_up(tables, total + more, lanes + suits)
                where = EQUAL if other == mine else other >> 12
                if other > mine:
                    where += ABOVE
                results[b, where] += 1


def run_out(deck: Sequence[int], hole: Sequence[int], known: Sequence[int]) -> Runouts:
    """Every board that contains the known community cards, against every dealer."""
    left = np.array([card for card in deck if card not in (*hole, *known)], np.uint8)
    missing = BOARD - len(known)
    every = list(combinations(left.tolist(), missing))
    more = np.array(every, np.uint8).reshape(len(every), missing)
    boards = np.hstack([np.tile(np.array(known, np.uint8), (len(more), 1)), more])
    category, results = np.zeros(len(more), np.int64), np.zeros((len(more), RESULTS), np.int64)
    _count_results(poker.tables(), left, np.array(hole, np.uint8), boards, category, results)
    return Runouts(more, category, results, int(results[0].sum()))


def line_values(lines: Lines, stake: Stake, runouts: Runouts, kind: int = 0) -> tuple[Ints, int]:
    """By line and board: the sum of the nets over all dealers, in whole parts of a unit; and the parts."""
    nets, parts = lines.whole_nets(stake)
    by_board = nets[:, kind][:, runouts.category]
    return (by_board * runouts.results[None]).sum(axis=2), parts
