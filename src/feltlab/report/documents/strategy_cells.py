"""Cells of published strategy tables that are not best for every hand, grouped by the rows of the table."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction

from feltlab.analysis.audit import Finding
from feltlab.games import GAMES
from feltlab.report.document import Block, Paragraph, Section, TableBlock, columns

TITLES = columns("against", ">published", "best", ">costs", "hands")
SHARES = (0, 0, 0, 0, 1)  # the sentence about the hands takes the width that the others leave


def sections(findings: Sequence[Finding]) -> Iterator[Section]:
    """A section for each game whose published strategy table has such cells."""
    wrong = [found for found in findings if found.is_cell and found.verdict != "agrees"]
    for name in dict.fromkeys(found.game for found in wrong):
        title = f"Cells of the strategy table of {GAMES[name].title}"
        yield Section(title, tuple(_blocks([found for found in wrong if found.game == name])))


def _blocks(cells: Sequence[Finding]) -> Iterator[Block]:
    yield Paragraph(
        f"Source: {cells[0].where}. A cell is listed if a hand that it covers, of two cards and more, does "
        "better with another choice. Costs are in units a round, for a player who follows the table. The "
        "rows of the table are in the order of what their cells cost together, and so are the cells of a row."
    )
    rows: dict[str, list[Finding]] = defaultdict(list)
    for cell in cells:
        rows[_place(cell)[0]].append(cell)
    for row, listed in sorted(rows.items(), key=lambda group: -_cost(group[1])):
        yield _table(row, sorted(listed, key=lambda found: -found.lost))


def _table(row: str, cells: Sequence[Finding]) -> TableBlock:
    lines = tuple((_place(f)[1], f.published, f.proved, f"{float(f.lost):.1e}", f.reason) for f in cells)
    return TableBlock(TITLES, lines, f"Row {row}", shares=SHARES)


def _place(cell: Finding) -> tuple[str, str]:
    """The row and the column of a cell, which the audit names 'strategy, 12 against 3'."""
    row, _, column = cell.figure.removeprefix("strategy, ").rpartition(" against ")
    return row, column


def _cost(cells: Sequence[Finding]) -> Fraction:
    return sum((cell.lost for cell in cells), Fraction(0))
