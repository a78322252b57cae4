"""A document as Markdown. Drawings are left out or replaced by tables."""

import re
from collections.abc import Iterator

from feltlab.report.document import Block, Document, Items, Paragraph, Picture, Section, TableBlock


def render(document: Document) -> str:
    head = f"# {_plain(document.title)}: {_plain(document.kind)}"
    foot = f"Rules of {document.date}, {document.digest_title} `{document.digest}`."
    warnings = (f"> **{_plain(text)}**" for text in document.notices)
    return "\n\n".join([head, *warnings, *_sections(document), foot]) + "\n"


def _sections(document: Document) -> Iterator[str]:
    for section in document.sections:
        yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    yield f"{'#' * (section.level + 1)} {_plain(section.title)}"
    yield from filter(None, map(_block, section.blocks))


def _block(block: Block) -> str:
    if isinstance(block, Picture):
        return _table(block.instead) if block.instead else ""  # the tables around it say what it shows
    if isinstance(block, TableBlock):
        return _table(block)
    return _items(block) if isinstance(block, Items) else _paragraph(block)


def _items(items: Items) -> str:
    marks = (f"{n}." if items.numbered else "-" for n in range(1, len(items.entries) + 1))
    return "\n".join(f"{mark} {_line(entry)}" for mark, entry in zip(marks, items.entries, strict=True))


def _paragraph(paragraph: Paragraph) -> str:
    text = _line(paragraph.text)
    return {"lead": f"**{text}**", "note": f"*{text}*"}.get(paragraph.tone, text)


def _table(table: TableBlock) -> str:
    titles = [_plain(column.title) for column in table.columns]
    rows = [[_plain(cell) for cell in row] for row in table.rows]
    bold = len(rows) - table.totals
    rows = [[f"**{cell}**" if cell and n >= bold else cell for cell in row] for n, row in enumerate(rows)]
    widths = [max(3, *(len(row[at]) for row in [titles, *rows])) for at in range(len(titles))]
    right = [column.right for column in table.columns]
    rules = ["-" * (width - 1) + ":" if r else "-" * width for width, r in zip(widths, right, strict=True)]
    lines = [_row(titles, widths, right), _row(rules, widths, right)]
    lines += [_row(row, widths, right) for row in rows]
    return "\n".join([f"*{_plain(table.caption)}*\n", *lines] if table.caption else lines)


def _row(cells: list[str], widths: list[int], right: list[bool]) -> str:
    padded = (
        cell.rjust(width) if r else cell.ljust(width)
        for cell, width, r in zip(cells, widths, right, strict=True)
    )
    return f"| {' | '.join(padded)} |"


def _line(text: str) -> str:
    """Escape text at the start of a line, so that it begins neither a list nor a heading."""
    return re.sub(r"^(\d*)([#>+=.)-])", r"\1\\\2", _plain(text))


def _plain(text: str) -> str:
    """Escape every character that Markdown would interpret."""
    return re.sub(r"([\\|*_`~&<\[\]])", r"\\\1", " ".join(text.split()))
