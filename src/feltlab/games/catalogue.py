"""The catalogue: the games of the approval letter by number and name."""

import csv
from dataclasses import dataclass
from importlib import resources

from feltlab.games import GAMES
from feltlab.games.data_files import FilePlace
from feltlab.text import listing

COLUMNS = ["number", "name", "game"]


@dataclass(frozen=True)
class CatalogueEntry:
    """A line of the letter; `game` is the name under which feltlab deals it, or ''."""

    number: int
    name: str
    game: str


def catalogue() -> list[CatalogueEntry]:
    """The entries of `catalogue.csv` in the order of the letter."""
    text = (resources.files("feltlab.games") / "catalogue.csv").read_text(encoding="utf-8")
    return _parse("games/catalogue.csv", text.splitlines())


def _parse(file: str, lines: list[str]) -> list[CatalogueEntry]:
    rows = list(csv.reader(lines))
    places = [FilePlace(file, tuple(lines), n) for n in range(len(lines))]
    if rows[:1] != [COLUMNS]:
        raise places[0].refusal(f"the columns are {listing(COLUMNS)}")
    return [_entry(row, place) for row, place in zip(rows[1:], places[1:], strict=True)]


def _entry(row: list[str], place: FilePlace) -> CatalogueEntry:
    if len(row) != len(COLUMNS) or not row[0].isdecimal():
        raise place.refusal(f"a row has {listing(COLUMNS)}, not {','.join(row)!r}")
    number, name, game = row
    if game and game not in GAMES:
        raise place.refusal(f"{game!r} is not a game; the games are {listing(GAMES)}")
    return CatalogueEntry(int(number), name, game)
