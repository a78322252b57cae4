"""The chart of the first choice: 13 by 13 classes of hole cards."""

from collections.abc import Callable

from feltlab.core.cards import RANKS
from feltlab.core.solver import Chart
from feltlab.counting.boards.card_sets import number_pair

SUITED, OFFSUIT = (0, 0), (0, 1)  # the suits of two cards


def pocket_chart(title: str, choice_of: Callable[[int], str]) -> Chart:
    """The choice by hole cards, from its choice by number of a pair."""
    ranks = range(len(RANKS) - 1, -1, -1)
    rows = {}
    for row in ranks:
        pairs = (_pair(row, column) for column in ranks)
        rows[RANKS[row]] = tuple(choice_of(pair) for pair in pairs)
    return Chart(title, tuple(RANKS[rank] for rank in ranks), rows)


def _pair(row: int, column: int) -> int:
    """Suited cards where the column's rank is lower, others where it is higher; pairs on the diagonal."""
    one, other = SUITED if column < row else OFFSUIT
    return number_pair(4 * row + one, 4 * column + other)
