"""The rows of a strategy card: the line, or the cell of a chart, that covers a hand.

A card carries an index. Its solver reads a hand as a key and an order; the hands of one key fall, from the
highest order down, into the rows that the index lists.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

NO_PLACE = -1
LINE, CHART = "line", "chart"  # the first words of a row's name


class HandKey(NamedTuple):
    """The features of a hand that a strategy card looks at."""

    key: str  # of the card's index
    order: tuple[int, ...] = ()  # among the hands of that key


class CardRow(NamedTuple):
    """A row of a card, for the hands of one key from an order on."""

    choice: str
    least: tuple[int, ...] = ()  # the lowest order
    line: int = NO_PLACE  # the number of the line,
    chart: int = NO_PLACE  # or those of a chart, its row and its column
    row: int = NO_PLACE
    column: int = NO_PLACE

    @property
    def name(self) -> str:
        """'line/3', 'chart/0/4/2': also the name of a drill; a prefix of it names a whole row or chart."""
        if self.line != NO_PLACE:
            return f"{LINE}/{self.line}"
        return f"{CHART}/{self.chart}/{self.row}/{self.column}"


CardIndex = Mapping[str, Sequence[CardRow]]  # by key, the highest orders first


def find_row(index: CardIndex, hand: HandKey) -> CardRow | None:
    """The row that covers a hand; None if the card has none, as for hands that best play never meets."""
    return next((row for row in index.get(hand.key, ()) if hand.order >= row.least), None)


def index_runs(rows: Sequence[CardRow]) -> tuple[CardRow, ...]:
    """Rows of rising orders, those that differ only in their order joined to one; the highest first."""
    runs = (next(run) for _, run in groupby(rows, key=lambda row: row._replace(least=())))
    return tuple(runs)[::-1]


def index_from_json(data: Mapping[str, Sequence[Sequence[object]]]) -> CardIndex:
    return {key: tuple(_rows_from_json(rows)) for key, rows in data.items()}


def _rows_from_json(rows: Sequence[Sequence[object]]) -> Iterator[CardRow]:
    for choice, least, *places in rows:
        yield CardRow(str(choice), tuple(least), *places)  # type: ignore[arg-type]
