"""Reports as files: the suffix says which rendering."""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from feltlab.errors import Refused
from feltlab.files import place_of
from feltlab.files import write_file as write_whole
from feltlab.report.document import Document
from feltlab.report.renderers import html, markdown, pdf
from feltlab.report.renderers import text as terminal
from feltlab.text import listing

TEXT_RENDERERS: dict[str, Callable[[Document], str]] = {
    ".html": html.render,
    ".md": markdown.render,
    ".txt": terminal.render,
}
RENDERED_SUFFIXES = (".pdf", *TEXT_RENDERERS)
DOCUMENT_SUFFIXES = (*RENDERED_SUFFIXES, ".json")


class Output:
    """A file to be written: checked when it is named, before anything is computed, and written at the end."""

    def __init__(
        self,
        path: Path,
        suffixes: Sequence[str] = DOCUMENT_SUFFIXES,
        kind: str = "document",
        paper: pdf.Paper = "letter",
    ) -> None:
        self.path, self.suffix, self.paper = path, path.suffix.lower(), paper
        if self.suffix not in suffixes:
            raise Refused(f"A {kind} is written as {listing(suffixes, 'or')}, not as {path.name!r}.")
        if why := _why_not_writable(place_of(path)):
            raise Refused(f"{path} cannot be written: {why}.")

    def write(self, content: str | bytes) -> None:
        """Write the whole file or nothing."""
        write_whole(self.path, content.encode() if isinstance(content, str) else content)

    def write_document(self, document: Callable[[], Document], data: Callable[[], Any] | None = None) -> None:
        """Write a document, or as .json the data behind it; only the one that is needed is made."""
        if self.suffix == ".json" and data:
            self.write(as_text(data()))
        else:
            self.write(self._render(document()))

    def _render(self, document: Document) -> str | bytes:
        if self.suffix == ".pdf":
            return pdf.render(document, self.paper)
        return TEXT_RENDERERS[self.suffix](document)


def _why_not_writable(place: Path) -> str:
    if place.is_dir():
        return "it is a folder"
    if place.exists() and not place.is_file():
        return "it is not an ordinary file"
    if not place.parent.is_dir():
        return f"there is no folder {place.parent}"
    if not os.access(place.parent, os.W_OK):
        return f"nothing may be written in {place.parent}"
    return ""


def as_text(data: Any) -> str:
    """JSON for a file or a terminal."""
    return json.dumps(data, indent=2) + "\n"
