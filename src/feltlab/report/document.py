"""A document: sections of paragraphs, lists, tables and pictures, without a word on how they look.

Text is plain. Numbers come formatted, so that every rendering shows the same digits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Tone = Literal["plain", "lead", "note", "good", "bad"]


@dataclass(frozen=True)
class Paragraph:
    text: str
    tone: Tone = "plain"  # lead opens a document, note is small print, good and bad are verdicts


@dataclass(frozen=True)
class Items:
    """A list, numbered or not; an entry may begin with a term and a colon of its own."""

    entries: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True)
class TableColumn:
    title: str
    right: bool = False  # numbers stand under each other


def columns(*titles: str) -> tuple[TableColumn, ...]:
    """Columns of these titles; '>' before a title aligns its column right, as numbers are."""
    return tuple(TableColumn(title.removeprefix(">"), title.startswith(">")) for title in titles)


@dataclass(frozen=True)
class TableBlock:
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    totals: int = 0  # how many of the last rows are sums
    tones: tuple[Tone, ...] = ()  # of each row, where rows differ


@dataclass(frozen=True)
class Picture:
    """A drawing, and what it shows in words."""

    name: str  # of a file, without suffix
    svg: bytes
    words: str
    instead: TableBlock | None = None  # where nothing can be drawn; without it the words stand there


Block: TypeAlias = Paragraph | Items | TableBlock | Picture


@dataclass(frozen=True)
class Section:
    title: str
    blocks: tuple[Block, ...]
    level: int = 1
    new_page: bool = False


@dataclass(frozen=True)
class Document:
    """What a reader holds. The mark and the date of the rules stand on every page; no clock is read."""

    title: str
    kind: str  # "PAR sheet"
    digest: str  # of the rules, or of the sources where a document is about several games
    date: str  # of the rules
    sections: tuple[Section, ...]

    @property
    def pictures(self) -> Iterator[Picture]:
        blocks = (block for section in self.sections for block in section.blocks)
        return (block for block in blocks if isinstance(block, Picture))
