"""Rule sheets, read: sections of numbered clauses, each with its source and our reading of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from feltlab.submission.sheets import rule_sheet

Row = tuple[str, ...]

_SECTION = re.compile(r"## (\d+) (.+)")
_CLAUSE = re.compile(r"\*\*(\d+\.\d+)\*\* ([^\n]+)\n> Source: (.+?)(?: Reading: (.+))?")


@dataclass(frozen=True)
class Clause:
    number: str
    text: str
    source: str
    reading: str = ""
    table: tuple[Row, ...] = ()  # the heads of its columns first


@dataclass(frozen=True)
class Chapter:
    """A section of a rule sheet."""

    number: int
    title: str
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A game's rules. Text is plain: the marks of Markdown are gone."""

    title: str
    summary: str
    chapters: tuple[Chapter, ...]
    closing: str

    @property
    def clauses(self) -> Iterator[Clause]:
        return (clause for chapter in self.chapters for clause in chapter.clauses)


def sheet(game_name: str) -> Sheet:
    """The rule sheet of a game."""
    title, summary, *body, closing = re.split(r"\n\s*\n", rule_sheet(game_name).strip().replace("`", ""))
    chapters: list[Chapter] = []
    for paragraph in body:
        if head := _SECTION.fullmatch(paragraph):
            chapters.append(Chapter(int(head[1]), head[2]))
        else:
            chapters[-1] = replace(chapters[-1], clauses=_with(chapters[-1].clauses, paragraph))
    return Sheet(title.removeprefix("# "), summary, tuple(chapters), closing)


def _with(clauses: tuple[Clause, ...], paragraph: str) -> tuple[Clause, ...]:
    """The clauses and one more paragraph: a clause, or the table of the last one."""
    if paragraph.startswith("|"):
        return (*clauses[:-1], replace(clauses[-1], table=_table(paragraph)))
    found = _CLAUSE.fullmatch(paragraph)
    if not found:
        raise ValueError(f"neither a clause nor a table: {paragraph!r}")
    number, text, source, reading = found.groups(default="")
    return (*clauses, Clause(number, text, source, reading))


def _table(paragraph: str) -> tuple[Row, ...]:
    head, _, *rows = paragraph.splitlines()
    return tuple(tuple(cell.strip() for cell in row.split("|")[1:-1]) for row in (head, *rows))
