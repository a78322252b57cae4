"""The letters in which a regulator approves games to their makers: `letters.toml`.

The conditions of the letters are the steps of each venue's checklist, `submission/venues.toml`.
"""

from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.games.catalogue import catalogue
from feltlab.games.data_files import FilePlace, build, read_data
from feltlab.text import listing


@dataclass(frozen=True)
class ApprovalLetter:
    """A letter to a maker."""

    day: date
    regulator: str
    maker: str
    subject: str
    enclosed: tuple[str, ...]  # the games whose rules came with the letter
    submission: str = ""  # the number of the submission, if the letter names one
    rules_received: tuple[date, ...] = ()
    lists_catalogue: bool = False  # does the letter name all games of the catalogue?
    amendments: tuple[str, ...] = ()  # kinds; the letter does not say which game has which
    notices: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """'letter of 14 June 2023, submission 3119, to Light and Wonder'."""
        number = f", submission {self.submission}" if self.submission else ""
        return f"letter of {self.day_in_words}{number}, to {self.maker}"

    @property
    def day_in_words(self) -> str:
        return _in_words(self.day)

    def number_of(self, game: Game) -> int | None:
        """The number of a game in the letter's list."""
        entries = catalogue() if self.lists_catalogue else []
        return next((entry.number for entry in entries if entry.game == game.name), None)

    def describe_rules(self, game: Game) -> str:
        """The rules of a game that the letter approves, and whether they are in the papers."""
        number = self.number_of(game)
        listed = f"No. {number} of its list. " if number else ""
        days = listing(map(_in_words, self.rules_received))
        received = f" that the maker provided on {days}" if self.rules_received else ""
        rules = f"the {'amended ' if self.amendments else ''}rules{received}"
        where = "are enclosed" if game.name in self.enclosed else "are not enclosed in the papers"
        return f"{listed}Approves {rules}; these {where}."

    @property
    def amendments_in_words(self) -> str:
        """The kinds of amendment in two sentences, or ''."""
        if not self.amendments:
            return ""
        kinds = "; ".join(self.amendments)
        return f"Kinds of amendment: {kinds}. The letter does not say which game has which."

    def as_json(self, game: Game) -> dict[str, Any]:
        return {
            "date": self.day.isoformat(),
            "regulator": self.regulator,
            "maker": self.maker,
            "subject": self.subject,
            "submission": self.submission,
            "number": self.number_of(game),
            "rules enclosed": game.name in self.enclosed,
            "rules received": [day.isoformat() for day in self.rules_received],
            "amendments": list(self.amendments),
            "notices": list(self.notices),
        }


@dataclass(frozen=True)
class _Letters:
    letter: tuple[ApprovalLetter, ...]


@cache
def letters() -> tuple[ApprovalLetter, ...]:
    """All letters, oldest first."""
    data, place = read_data("games", "letters.toml")
    found = build(_Letters, data, place).letter
    for n, letter in enumerate(found):
        _check(letter, found[:n], place.child("letter", n))
    return found


def _check(letter: ApprovalLetter, before: tuple[ApprovalLetter, ...], place: FilePlace) -> None:
    for name in letter.enclosed:
        if name not in GAMES:
            raise place.refusal(f"{name!r} is not a game; the games are {listing(GAMES)}", "enclosed")
    if before and letter.day <= before[-1].day:
        raise place.refusal("each letter is younger than the one before it", "day")


def letters_of(game: Game) -> tuple[ApprovalLetter, ...]:
    """The letters that approve a game, oldest first; none for a game that is not in the papers."""
    return tuple(each for each in letters() if game.name in each.enclosed or each.number_of(game))


def _in_words(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"
