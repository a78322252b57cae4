"""Documents as files: the suffix says which rendering."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from feltlab.errors import Refused
from feltlab.files import write as write_whole
from feltlab.report.document import Document
from feltlab.report.renderers import html, markdown, pdf
from feltlab.report.renderers import text as terminal
from feltlab.text import listing

RENDERINGS: dict[str, Callable[[Document], str | bytes]] = {
    ".pdf": pdf.render,
    ".html": html.render,
    ".md": markdown.render,
    ".txt": terminal.text,
}
SUFFIXES = (*RENDERINGS, ".json")


def check(path: Path) -> None:
    """Refuse a file that cannot be written, before anything is computed for it."""
    if path.suffix.lower() not in SUFFIXES:
        raise Refused(f"A document is written as {listing(SUFFIXES, 'or')}, not as {path.name!r}.")
    if not path.parent.is_dir():
        raise Refused(f"{path} cannot be written: there is no folder {path.parent}.")
    if path.is_dir():
        raise Refused(f"{path} cannot be written: it is a folder.")


def write(path: Path, document: Document, data: Any) -> None:
    """A document, or as .json the data that it is about, in one whole file."""
    check(path)
    content = as_text(data) if is_data(path) else RENDERINGS[path.suffix.lower()](document)
    write_whole(path, content.encode() if isinstance(content, str) else content)


def is_data(path: Path) -> bool:
    """Is the file to hold the data instead of the document?"""
    return path.suffix.lower() == ".json"


def as_text(data: Any) -> str:
    return json.dumps(data, indent=2) + "\n"
