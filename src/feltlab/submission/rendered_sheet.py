"""A rule sheet under the options and pays in force, as Markdown.

The source of a sheet holds the rules under all options. Below a clause it may say

- "> Only with `soft-17=hit`.": under other options the clause and its table are left out; of several such
  lines one must hold;
- "> Table: pays of `ante` and `play`.": the table keeps the columns of the pay tables in force.

A table may end with a column "only with", the condition of each row. A column "step" is numbered through the
sheet. Numbers of clauses never change. `games/rule_text.py` replaces text in braces.
"""

import re
from collections.abc import Iterator
from itertools import count

from feltlab.core.layout import Spot
from feltlab.errors import Refused
from feltlab.games.rule_text import RuleText

ONLY_WITH = re.compile(r"\n> Only with (.+)\.(?=\n|$)")
TABLE_PAYS = re.compile(r"\n> Table: pays of (.+)\.(?=\n|$)")
STEP, CONDITION, PAYS = "step", "only with", "pays"  # heads of columns

Row = list[str]


def render_sheet(source: str, text: RuleText) -> str:
    """The paragraphs that hold under the options of the game."""
    return "\n\n".join(_SheetRenderer(text).render(source.strip())) + "\n"


class SheetMistake(Refused):
    """A mistake in a paragraph of a sheet, with the line where the paragraph begins."""

    def __init__(self, sentence: str, line: int) -> None:
        super().__init__(sentence)
        self.line = line


class _SheetRenderer:
    """Renders paragraph by paragraph: a table follows the clause before it."""

    def __init__(self, text: RuleText) -> None:
        self.text = text
        self.steps = count(1)
        self.holds = True  # the last clause
        self.spots: list[Spot] = []  # whose pays its table shows

    def render(self, source: str) -> Iterator[str]:
        line = 1
        for paragraph in re.split(r"(\n\s*\n)", source):
            try:
                yield from self._paragraph(paragraph) if paragraph.strip() else ()
            except Refused as refused:
                raise SheetMistake(str(refused), line) from None
            line += paragraph.count("\n")

    def _paragraph(self, paragraph: str) -> Iterator[str]:
        if paragraph.startswith("|"):
            yield from [self._table(paragraph)] if self.holds else []
        else:
            yield from self._clause(paragraph)

    def _clause(self, paragraph: str) -> Iterator[str]:
        """A clause without its marks, if it holds; a heading always does."""
        conditions = [found.replace("`", "") for found in ONLY_WITH.findall(paragraph)]
        self.holds = not conditions or any(self.text.holds(condition) for condition in conditions)
        named = TABLE_PAYS.search(paragraph)
        names = re.split(r", | and ", named[1].replace("`", "")) if named else []
        self.spots = [self.text.game.spot(name) for name in names]
        if self.holds:
            yield self.text.render(TABLE_PAYS.sub("", ONLY_WITH.sub("", paragraph)))

    def _table(self, paragraph: str) -> str:
        head, _, *rows = [_cells(line) for line in paragraph.splitlines()]
        rows = self._rows_that_hold(head, rows)
        for spot in self.spots:
            head, rows = self._pay_column(spot, head, rows)
        if self.spots:
            rows = [row for row in rows if any(row[1:])]
        if head[0] == STEP:
            rows = [[str(next(self.steps)), *row[1:]] for row in rows]
        rows = [[self.text.render(cell) for cell in row] for row in rows]
        return "\n".join([_line(head), "|" + "---|" * len(head), *map(_line, rows)])

    def _rows_that_hold(self, head: Row, rows: list[Row]) -> list[Row]:
        """The rows that hold; removes the column of conditions from the head."""
        if head[-1] != CONDITION:
            return rows
        head.pop()
        return [row[:-1] for row in rows if self.text.holds(row[-1].replace("`", ""))]

    def _pay_column(self, spot: Spot, head: Row, rows: list[Row]) -> tuple[Row, list[Row]]:
        """The table with one column for a spot: the pays in force, empty where a line is not listed."""
        table, names = self.text.game.pay_table(spot), {table.name for table in spot.tables}
        first, *others = [n for n, title in enumerate(head) if title in {spot.title, PAYS} | names]
        pays = {line.outcome: line.odds if line.listed else "" for line in table.lines}
        for row in rows:
            row[first] = pays.get(row[0], row[first])
        head[first] = table.name if head[first] in names else head[first]
        return _without(head, others), [_without(row, others) for row in rows]


def _without(row: Row, columns: list[int]) -> Row:
    return [cell for n, cell in enumerate(row) if n not in columns]


def _line(cells: Row) -> str:
    return "| " + " ".join(f"{cell} |" if cell else "|" for cell in cells)


def _cells(line: str) -> Row:
    return [cell.strip() for cell in line.split("|")[1:-1]]
