"""A document: sections of paragraphs, lists, tables and pictures, without any formatting.

Text is plain. Numbers are text already, so that every rendering shows the same digits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Tone = Literal["plain", "lead", "note", "good", "bad"]
Sheet = Literal["page", "rack card", "placard"]  # what a section is printed on

BLANK = "_" * 34  # for the reader to fill in by hand


@dataclass(frozen=True)
class Paragraph:
    text: str
    tone: Tone = "plain"  # lead: opening; note: small print; good, bad: verdicts


@dataclass(frozen=True)
class Items:
    """A list, numbered or not."""

    entries: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True)
class TableColumn:
    title: str
    right: bool = False  # aligned right, as numbers are
    strong: bool = False  # set apart from the columns beside it


def columns(*titles: str) -> tuple[TableColumn, ...]:
    """Columns with these titles; a '>' before a title aligns its column right."""
    return tuple(TableColumn(title.removeprefix(">"), title.startswith(">")) for title in titles)


@dataclass(frozen=True)
class TableBlock:
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    totals: int = 0  # number of rows at the end that are sums
    tones: tuple[Tone, ...] = ()  # of each row, where rows differ
    shares: tuple[
        int, ...
    ] = ()  # of the width, by column, 0 for as much as it needs; () leaves it to a rendering


@dataclass(frozen=True)
class Picture:
    """A drawing and its description."""

    name: str  # of a file, without suffix
    svg: bytes
    words: str
    instead: TableBlock | None = None  # for renderings without drawings


Block: TypeAlias = Paragraph | Items | TableBlock | Picture


@dataclass(frozen=True)
class Section:
    title: str
    blocks: tuple[Block, ...]
    level: int = 1
    new_page: bool = False
    sheet: Sheet = "page"  # a card or a sign is printed on a sheet of its own size


@dataclass(frozen=True)
class Document:
    """A document for readers. Every page shows what its digest identifies and the date of the rules; nothing
    reads a clock."""

    title: str
    kind: str  # "PAR sheet"
    digest: str  # of the rules, or of the sources where a document is about several games
    date: str  # of the rules
    sections: tuple[Section, ...]
    warnings: tuple[str, ...] = ()  # in red, directly below the title
    digest_title: str = "digest"  # what a page calls the digest, where it is not that of the rules
    stamp: str = ""  # in red at the top of every page

    @property
    def notices(self) -> tuple[str, ...]:
        """The stamp and the warnings, for renderings without pages."""
        return (*filter(None, [self.stamp]), *self.warnings)

    @property
    def pictures(self) -> Iterator[Picture]:
        blocks = (block for section in self.sections for block in section.blocks)
        return (block for block in blocks if isinstance(block, Picture))
