"""A document as PDF, set by typst.

The text of a document goes to typst as data, never as markup. No clock is read and no font of the
machine is used, so the same document is the same bytes.
"""

import json
from dataclasses import asdict
from importlib import resources
from typing import Any

from feltlab.report.document import Block, Document, Paragraph, Picture, Section, TableBlock

LINE_CHARS = 110  # that fit on a line of a table
MIN_WRAPPED_CHARS = 22  # of a column that may wrap if its table is too wide
MAX_UNBROKEN_ROWS = 20  # of a table that is kept on one page
MARK_DIGITS = 16  # of the digest, on every page


def render(document: Document) -> bytes:
    import typst

    page = (resources.files("feltlab.report.renderers") / "page.typ").read_bytes()
    data = json.dumps(_data(document))
    made: bytes = typst.compile(
        page, format="pdf", ignore_system_fonts=True, sys_inputs={"document": data}, timestamp=0
    )
    return made


def _data(document: Document) -> dict[str, Any]:
    return {
        "title": document.title,
        "kind": document.kind,
        "mark": document.digest[:MARK_DIGITS],
        "date": document.date,
        "sections": [_section(section) for section in document.sections],
    }


def _section(section: Section) -> dict[str, Any]:
    blocks = [_block(block) for block in section.blocks]
    return {"title": section.title, "level": section.level, "new_page": section.new_page, "blocks": blocks}


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, TableBlock):
        return _table(block)
    if isinstance(block, Picture):
        return {"is": "picture", "svg": block.svg.decode(), "words": block.words}
    return {"is": "paragraph" if isinstance(block, Paragraph) else "items"} | asdict(block)


def _table(table: TableBlock) -> dict[str, Any]:
    return {
        "is": "table",
        "caption": table.caption,
        "titles": [column.title for column in table.columns],
        "right": [column.right for column in table.columns],
        "widths": _widths(table),
        "rows": table.rows,
        "totals": table.totals,
        "tones": table.tones or ("plain",) * len(table.rows),
        "whole": len(table.rows) <= MAX_UNBROKEN_ROWS,
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
    return [min(n, 60) if bends else 0 for n, bends in zip(needed, flexible, strict=True)]
