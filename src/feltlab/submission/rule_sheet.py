"""Rule sheets: `docs/rules/<game>.md`, rendered under the options in force and parsed into numbered clauses.

A clause has a number, a sentence, its source, and our reading of the source where the source leaves a
question open. The packet prints some chapters in parts of their own; their titles are constants here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games import GAMES, home_of
from feltlab.games.data_files import read_text_of
from feltlab.games.rule_text import RuleText
from feltlab.submission.rendered_sheet import SheetMistake, render_sheet
from feltlab.submission.venues import Venue
from feltlab.text import listing

DEALING = ("The deal", "Calls and dealing")  # a sheet has one of these chapters,
SETTLING = "Settling"  # these,
IRREGULARITIES = "Irregularities"
PROCEDURE = "Dealing procedure"  # and this one
HOUSE_PROCEDURE = "the procedures approved for the house"  # where no venue says more

Row = tuple[str, ...]

SHEET_FILE = "rules.md"  # beside the rules of a game from outside
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")  # a name, and never a path
_CHAPTER = re.compile(r"## (\d+) (.+)")
_CLAUSE = re.compile(r"\*\*(\d+\.\d+)\*\* ([^\n]+)\n> Source: (.+?)(?: Reading: (.+))?")


@dataclass(frozen=True)
class Clause:
    """One numbered rule."""

    number: str
    text: str
    source: str
    reading: str = ""
    table: tuple[Row, ...] = ()  # the column heads first


@dataclass(frozen=True)
class Chapter:
    """A section of a rule sheet."""

    number: int
    title: str
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True)
class RuleSheet:
    """A game's rules as plain text, without Markdown's marks."""

    title: str
    summary: str
    chapters: tuple[Chapter, ...]
    closing: str

    @property
    def clauses(self) -> Iterator[Clause]:
        return (clause for chapter in self.chapters for clause in chapter.clauses)


def read_rule_sheet(game_name: str) -> str:
    """The rules of a game in Markdown, from the package or from the source tree around it.

    The sheet of a game from outside is `rules.md` beside its rules.
    """
    if game_name in GAMES and not (home := home_of(game_name)).is_ours:
        if home.file(SHEET_FILE).is_file():
            return read_text_of(home, SHEET_FILE)
    elif _NAME.fullmatch(game_name):
        places = (resources.files("feltlab") / "docs" / "rules", Path(__file__).parents[3] / "docs" / "rules")
        for place in places:
            sheet = place / f"{game_name}.md"
            if sheet.is_file():
                return sheet.read_text(encoding="utf-8")
    raise Refused(f"There is no rule sheet for {game_name!r}.")


def has_rule_sheet(game_name: str) -> bool:
    """Our games all have one; a game from outside may not."""
    home = home_of(game_name)
    return home.is_ours or home.file(SHEET_FILE).is_file()


def render_rule_sheet(game: Game, venue: Venue | None = None) -> str:
    """The rules of a game in Markdown, under its options and pays; a venue names its own procedures."""
    procedure = venue.house_procedure if venue else HOUSE_PROCEDURE
    try:
        return render_sheet(read_rule_sheet(game.name), RuleText(game, {"house_procedure": procedure}))
    except SheetMistake as mistake:
        raise Refused(f"{_describe_sheet(game.name)}, line {mistake.line}: {mistake}") from None


def parse_rule_sheet(game: Game, venue: Venue | None = None) -> RuleSheet:
    """The rule sheet of a game under its options; refuses one without the chapters that a packet needs."""
    paragraphs = re.split(r"\n\s*\n", render_rule_sheet(game, venue).strip().replace("`", ""))
    if len(paragraphs) < 3:
        raise _mistake(game.name, "have a title, a summary, chapters and a closing sentence", "")
    title, summary, *body, closing = paragraphs
    chapters: list[Chapter] = []
    for paragraph in body:
        if head := _CHAPTER.fullmatch(paragraph):
            chapters.append(Chapter(int(head[1]), head[2]))
        elif not chapters:
            raise _mistake(game.name, "begin with a chapter, such as '## 1 Cards and deck'", paragraph)
        else:
            chapters[-1] = _add_paragraph(game.name, chapters[-1], paragraph)
    _check_chapters(game.name, chapters)
    return RuleSheet(title.removeprefix("# "), summary, tuple(chapters), closing)


def _add_paragraph(game_name: str, chapter: Chapter, paragraph: str) -> Chapter:
    """The chapter with one more paragraph: a clause, or the table of its last clause."""
    if paragraph.startswith("|") and chapter.clauses:
        *others, last = chapter.clauses
        return replace(chapter, clauses=(*others, replace(last, table=_parse_table(paragraph))))
    found = _CLAUSE.fullmatch(paragraph)
    if not found:
        shape = "consist of clauses, such as '**1.1** One deck.' with '> Source: ruling.' below, and tables"
        raise _mistake(game_name, shape, paragraph)
    number, text, source, reading = found.groups(default="")
    return replace(chapter, clauses=(*chapter.clauses, Clause(number, text, source, reading)))


def _parse_table(paragraph: str) -> tuple[Row, ...]:
    head, _, *rows = paragraph.splitlines()
    return tuple(tuple(cell.strip() for cell in row.split("|")[1:-1]) for row in (head, *rows))


def _check_chapters(game_name: str, chapters: list[Chapter]) -> None:
    titles = {chapter.title for chapter in chapters}
    for needed in (DEALING, (SETTLING,), (IRREGULARITIES,), (PROCEDURE,)):
        if not titles.intersection(needed):
            names = listing((repr(name) for name in needed), "or")
            raise _mistake(game_name, f"have a chapter {names}", "")


def _mistake(game_name: str, must: str, found: str) -> Refused:
    where = f", not {found.splitlines()[0]!r}" if found else ""
    return Refused(f"{_describe_sheet(game_name, found)} must {must}{where}.")


def _describe_sheet(game_name: str, paragraph: str = "") -> str:
    """The file of a rule sheet, with the line of a paragraph that it has in the same words."""
    home, first = home_of(game_name), paragraph.partition("\n")[0]
    file = f"docs/rules/{game_name}.md" if home.is_ours else home.describe_file(SHEET_FILE)
    lines = read_rule_sheet(game_name).replace("`", "").splitlines()
    return f"{file}, line {lines.index(first) + 1}: it" if first and first in lines else file
