"""The chart of the first choice: 13 by 13 classes of hole cards."""

from collections.abc import Callable, Sequence

from feltlab.core.cards import RANKS
from feltlab.core.solver import Chart
from feltlab.core.strategy.card_rows import CardRow
from feltlab.counting.boards.card_sets import number_pair

SUITED, OFFSUIT = (0, 0), (0, 1)  # the suits of two cards


def pocket_chart(title: str, choice_of: Callable[[int], str]) -> Chart:
    """The choice by hole cards, from its choice by number of a pair."""
    ranks = range(len(RANKS) - 1, -1, -1)
    rows = {}
    for row in ranks:
        pairs = (_pair(row, column) for column in ranks)
        rows[RANKS[row]] = tuple(choice_of(pair) for pair in pairs)
    names = tuple(tuple(_name_pocket(row, column) for column in ranks) for row in ranks)
    return Chart(title, tuple(RANKS[rank] for rank in ranks), rows, names)


def _name_pocket(row: int, column: int) -> str:
    """'AK suited', '72 offsuit', 'QQ'."""
    high, low = RANKS[max(row, column)], RANKS[min(row, column)]
    return f"{high}{low}" if row == column else f"{high}{low} {'suited' if column < row else 'offsuit'}"


def index_chart(chart: Chart) -> dict[str, tuple[CardRow, ...]]:
    """The cells of the chart, the first of a card, by the hole cards that they are for."""
    return {
        _key_of(row, column): (CardRow(choice, chart=0, row=row, column=column),)
        for row, choices in enumerate(chart.rows.values())
        for column, choice in enumerate(choices)
    }


def read_pocket(hole: Sequence[int]) -> str:
    """The key of two hole cards."""
    high, low = sorted((len(RANKS) - 1 - (card >> 2) for card in hole), reverse=True)
    is_suited = hole[0] & 3 == hole[1] & 3
    return _key_of(low, high) if is_suited else _key_of(high, low)


def _key_of(row: int, column: int) -> str:
    return f"pocket {row} {column}"


def _pair(row: int, column: int) -> int:
    """Suited cards where the column's rank is lower, others where it is higher; pairs on the diagonal."""
    one, other = SUITED if column < row else OFFSUIT
    return number_pair(4 * row + one, 4 * column + other)
