"""The catalogue: the games of the approval letter by number and name.

Its last column says where the rules of a game come from: '' for the papers of the approval, `public` for
public sources.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources

from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.games.data_files import FilePlace
from feltlab.text import listing

COLUMNS = ["number", "name", "game", "rules"]
PUBLIC = "public"
PUBLIC_RULES = "The rules come from public sources, not from an approval packet."


@dataclass(frozen=True)
class CatalogueEntry:
    """A line of the letter; `game` is the name under which feltlab deals it, or ''."""

    number: int
    name: str
    game: str
    rules: str = ""  # PUBLIC for rules from public sources, '' for those of the papers

    @property
    def has_public_rules(self) -> bool:
        return self.rules == PUBLIC


def catalogue() -> list[CatalogueEntry]:
    """The entries of `catalogue.csv` in the order of the letter."""
    return _read()


def public_games() -> list[str]:
    """The names of the games whose rules come from public sources."""
    return sorted({entry.game for entry in _read() if entry.has_public_rules})


def has_public_rules(game: Game) -> bool:
    return game.name in public_games()


@cache
def _read() -> list[CatalogueEntry]:
    text = (resources.files("feltlab.games") / "catalogue.csv").read_text(encoding="utf-8")
    return _parse("games/catalogue.csv", text.splitlines())


def _parse(file: str, lines: list[str]) -> list[CatalogueEntry]:
    rows = list(csv.reader(lines))
    places = [FilePlace(file, tuple(lines), n) for n in range(len(lines))]
    if rows[:1] != [COLUMNS]:
        raise places[0].refusal(f"the columns are {listing(COLUMNS)}")
    return [_entry(row, place) for row, place in zip(rows[1:], places[1:], strict=True)]


def _entry(row: list[str], place: FilePlace) -> CatalogueEntry:
    if len(row) != len(COLUMNS) or not row[0].isdecimal() or row[3] not in ("", PUBLIC):
        raise place.refusal(f"a row has {listing(COLUMNS)}, not {','.join(row)!r}")
    number, name, game, rules = row
    if game and game not in GAMES:
        raise place.refusal(f"{game!r} is not a game; the games are {listing(GAMES)}")
    return CatalogueEntry(int(number), name, game, rules)
