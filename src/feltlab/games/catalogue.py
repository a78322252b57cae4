"""The catalogue: the games of the approval letter by number and name.

Its last column says where the rules of a game come from: '' for the papers of the approval, `public` for
public sources. A game of public sources is shown as dealt once it is in the list of games.
"""

import csv
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from feltlab.core.game import Game
from feltlab.games import FOLDERS, GAMES
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
    """The entries of `catalogue.csv` in the order of the letter; a game that is not dealt yet is left out."""
    return [each if each.game in GAMES else replace(each, game="") for each in _read()]


def public_games() -> list[str]:
    """The names of the games whose rules come from public sources, dealt or not."""
    return sorted({entry.game for entry in _read() if entry.has_public_rules})


def has_public_rules(game: Game) -> bool:
    return game.name in public_games()


def folder_of(name: str) -> str:
    """The folder of a game, dealt or not."""
    return FOLDERS.get(name, name.replace("-", "_"))


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
    if game and game not in GAMES and not (rules and _has_figures(game)):
        raise place.refusal(f"{game!r} is not a game; the games are {listing(GAMES)}")
    return CatalogueEntry(int(number), name, game, rules)


def _has_figures(name: str) -> bool:
    """Is there a folder of data for a game that is not dealt yet?"""
    return (resources.files("feltlab.games") / folder_of(name) / "figures.toml").is_file()
