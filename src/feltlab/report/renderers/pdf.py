"""A document as PDF, set by typst.

The text of a document goes to typst as data, never as markup. No clock is read and no font of the
machine is used, so the same document is the same bytes.
"""

import json
from dataclasses import asdict
from importlib import resources
from typing import Any, Literal, TypeAlias

from feltlab.report.document import Block, Document, Paragraph, Picture, Section, Sheet, TableBlock

Paper: TypeAlias = Literal["letter", "a4"]
PAPERS: tuple[Paper, ...] = ("letter", "a4")
PAGE_SIZES: dict[Paper, str] = {"letter": "us-letter", "a4": "a4"}  # typst's names
# Width and height of what is printed on a sheet of its own.
SHEET_SIZES: dict[Paper, dict[Sheet, tuple[str, str]]] = {
    "letter": {"rack card": ("4in", "9in"), "placard": ("5.5in", "8.5in")},
    "a4": {"rack card": ("99mm", "210mm"), "placard": ("148mm", "210mm")},
}
LINE_CHARS = 110  # that fit on a line of a table
MIN_WRAPPED_CHARS = 22  # of a column that may wrap if its table is too wide
MIN_SHARE, MAX_SHARE = 12, 60  # of the width of such a column
MAX_UNBROKEN_ROWS = 14  # of a table that is kept on one page, if no cell of it wraps
MARK_DIGITS = 16  # of the digest, on every page
CONTENTS_SECTIONS = 8  # a document of so many sections begins with its contents


def render(document: Document, paper: Paper = "letter") -> bytes:
    import typst

    page = (resources.files("feltlab.report.renderers") / "page.typ").read_bytes()
    data = json.dumps(_data(document) | {"paper": PAGE_SIZES[paper], "sheets": SHEET_SIZES[paper]})
    made: bytes = typst.compile(
        page, format="pdf", ignore_system_fonts=True, sys_inputs={"document": data}, timestamp=0
    )
    return made


def _data(document: Document) -> dict[str, Any]:
    return {
        "title": document.title,
        "kind": document.kind,
        "mark": f"{document.digest_title} {document.digest[:MARK_DIGITS]}",
        "date": document.date,
        "contents": sum(section.level == 1 for section in document.sections) >= CONTENTS_SECTIONS,
        "warnings": document.warnings,
        "stamp": document.stamp,
        "sections": [_section(section) for section in document.sections],
    }


def _section(section: Section) -> dict[str, Any]:
    blocks = [_block(block) for block in section.blocks]
    return {
        "title": section.title,
        "level": section.level,
        "new_page": section.new_page,
        "sheet": section.sheet,
        "blocks": blocks,
    }


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, TableBlock):
        return _table(block)
    if isinstance(block, Picture):
        return {"is": "picture", "svg": block.svg.decode(), "words": block.words}
    return {"is": "paragraph" if isinstance(block, Paragraph) else "items"} | asdict(block)


def _table(table: TableBlock) -> dict[str, Any]:
    widths = list(table.shares) or _widths(table)
    return {
        "is": "table",
        "caption": table.caption,
        "titles": [column.title for column in table.columns],
        "right": [column.right for column in table.columns],
        "strong": [column.strong for column in table.columns],
        "widths": widths,
        "rows": table.rows,
        "totals": table.totals,
        "tones": table.tones or ("plain",) * len(table.rows),
        "whole": len(table.rows) <= MAX_UNBROKEN_ROWS and not any(widths),
    }


def _widths(table: TableBlock) -> list[int]:
    """Each column's share of the remaining width, or 0 for a column that takes what it needs."""
    needed = [
        max(map(len, cells)) for cells in zip(*table.rows, [c.title for c in table.columns], strict=True)
    ]
    if sum(needed) + 3 * len(needed) <= LINE_CHARS:
        return [0] * len(needed)
    flexible = [
        not column.right and n > MIN_WRAPPED_CHARS for column, n in zip(table.columns, needed, strict=True)
    ]
    shares = map(_share, zip(*table.rows, strict=True))
    return [share if bends else 0 for share, bends in zip(shares, flexible, strict=True)]


def _share(cells: tuple[str, ...]) -> int:
    """By the usual length of a column's cells, so that rows become low; a heading decides nothing."""
    return min(MAX_SHARE, max(MIN_SHARE, sum(map(len, cells)) // len(cells)))
