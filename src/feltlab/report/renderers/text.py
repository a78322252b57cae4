"""A document on a terminal, by rich."""

from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Literal

from feltlab.report.document import Block, Document, Items, Paragraph, Picture, Section, TableBlock

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table as Drawn

WIDTH_COLUMNS = 100  # of a text file
GAP_COLUMNS = 2  # between columns of a table
MAX_WORD_CHARS = 24  # of a word that is not broken
STYLES = {"plain": "", "lead": "bold", "note": "dim", "good": "green", "bad": "red"}


def render(document: Document, width: int = WIDTH_COLUMNS) -> str:
    """The document as plain text."""
    from rich.console import Console

    written = StringIO()
    print_document(document, Console(file=written, width=width, force_terminal=False, color_system=None))
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"


def print_document(document: Document, paper: "Console") -> None:
    from rich.text import Text

    paper.print(Text(f"{document.title}: {document.kind}", style="bold"))
    for warning in document.notices:
        paper.print(Text(f"\n{warning}", style="bold red"))
    for section in document.sections:
        for line in _section(section, paper.width):
            paper.print(line)
    digest = f"{document.digest_title} {document.digest}"
    paper.print(Text(f"\nRules of {document.date}, {digest}.", style="dim"))


def _section(section: Section, width: int) -> "Iterator[RenderableType]":
    from rich.text import Text

    under = "=" if section.level == 1 else "-"
    yield Text(f"\n{section.title}\n{under * len(section.title)}", style="bold")
    for block in section.blocks:
        yield from _block(block, width)


def _block(block: Block, width: int) -> "Iterator[RenderableType]":
    if isinstance(block, Picture):
        if not block.instead:
            return  # the tables around it say what it shows
        block = block.instead
    yield ""
    if isinstance(block, TableBlock):
        yield from _table(block, width)
    elif isinstance(block, Items):
        yield _items(block)
    else:
        yield _paragraph(block)


def _paragraph(paragraph: Paragraph) -> "RenderableType":
    from rich.text import Text

    return Text(paragraph.text, style=STYLES[paragraph.tone])


def _items(items: Items) -> "RenderableType":
    from rich.table import Table as Drawn
    from rich.text import Text

    grid = Drawn.grid(padding=(0, 1))
    for n, entry in enumerate(items.entries, 1):
        grid.add_row(f"{n}." if items.numbered else "-", Text(entry))
    return grid


def _table(table: TableBlock, width: int) -> "Iterator[RenderableType]":
    from rich.text import Text

    if table.caption:
        yield Text(table.caption, style="italic")
    widths = _widths(table, width - GAP_COLUMNS * (len(table.columns) - 1))
    if widths:
        yield _rich_table(table, widths)
    else:
        yield from _entries(table, width)


def _widths(table: TableBlock, room: int) -> list[int]:
    """The width of each column: its full width if there is room, or what it needs and a part of the rest.

    Empty if there is not even room for the numbers and the longest words.
    """
    columns = list(zip((column.title for column in table.columns), *table.rows, strict=True))
    wanted = [max(map(len, cells)) for cells in columns]
    needed = [_least_width(table, at) for at in range(len(columns))]
    spare, missing = room - sum(needed), sum(wanted) - sum(needed)
    if spare < 0:
        return []
    share = min(1.0, spare / missing) if missing else 0.0
    return [least + int(share * (most - least)) for least, most in zip(needed, wanted, strict=True)]


def _least_width(table: TableBlock, at: int) -> int:
    """The least width of a column: its numbers, or its longest word or address that is not broken."""
    cells, column = [row[at] for row in table.rows], table.columns[at]
    title = max(map(len, column.title.split()), default=0)
    if column.right:
        return max(title, *map(len, cells))
    words = [word for cell in cells for word in cell.split()]
    return max(
        title, *(len(word) if _is_address(word) else min(MAX_WORD_CHARS, len(word)) for word in ("", *words))
    )


def _is_address(word: str) -> bool:
    return word.startswith(("http://", "https://"))


def _entries(table: TableBlock, width: int) -> "Iterator[RenderableType]":
    """A table that is too wide, printed row by row."""
    from rich.table import Table as Drawn
    from rich.text import Text

    room = width - max(len(column.title) for column in table.columns) - 1
    for row in table.rows:
        grid = Drawn.grid(padding=(0, 1))
        for column, cell in zip(table.columns, row, strict=True):
            if cell:
                grid.add_row(Text(column.title, style="dim"), Text(_break_addresses(cell, room)))
        yield grid
        yield ""


def _break_addresses(text: str, room: int) -> str:
    """Break an address that is longer than a line behind a slash or a hyphen, never within a word."""
    return " ".join(_break_address(word, room) if _is_address(word) else word for word in text.split(" "))


def _break_address(address: str, room: int) -> str:
    if len(address) <= room:
        return address
    ends = max(address.rfind(sign, 0, room) for sign in "/-") + 1
    return f"{address[:ends]}\n{_break_address(address[ends:], room)}" if ends > 0 else address


def _rich_table(table: TableBlock, widths: Sequence[int]) -> "Drawn":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Drawn
    from rich.text import Text

    drawn = Drawn(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for column, width in zip(table.columns, widths, strict=True):
        side: Literal["left", "right"] = "right" if column.right else "left"
        drawn.add_column(Text(column.title), justify=side, width=width, overflow="fold")
    totals, tones = len(table.rows) - table.totals, table.tones or ("plain",) * len(table.rows)
    for n, (row, tone) in enumerate(zip(table.rows, tones, strict=True)):
        if n == totals and table.totals:
            drawn.add_section()
        drawn.add_row(*map(Text, row), style="bold" if n >= totals else STYLES[tone])
    return drawn
