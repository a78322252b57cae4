"""The history of each game's rules: every recorded wording, and whether it changed a rule.

`rules_history.toml` beside a game's rules lists their wordings, the newest last. Approvals and tables are
bound to a digest of rules, options and pays. A digest of an earlier wording still stands for the rules of
today if no wording since has changed a rule. So rewording rules, or computing digests in another way, lapses
no approval and closes no table.

A wording may give an outcome another name. Rounds on record keep the names of their time, so the history
lists the earlier names, and a replay compares a payment under the name that it had then.

The first wording has no digest of its own here: until then a digest was that of whole source files, options
and pays together. Those files are in `first_wording.zip`, so that such digests can still be computed.
"""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib import resources
from io import BytesIO
from typing import NamedTuple
from zipfile import ZipFile

from feltlab.core.game import Game
from feltlab.games import FOLDERS, GAMES, home_of
from feltlab.games.data_files import build, read_game_data

HISTORY_FILE = "rules_history.toml"
DIGEST = re.compile("[0-9a-f]{64}")
SHARED_SOURCES = ("cards.py", "layout.py", "paytable.py")  # of the first wording, after those of hands


@dataclass(frozen=True)
class RenamedOutcome:
    """An outcome that had another name in the wording before, when a spot had this many units on it."""

    spot: str
    outcome: str
    units: int
    was: str


@dataclass(frozen=True)
class Wording:
    date: date
    version: str  # of feltlab
    changes_rules: bool  # from the wording before
    why: str  # one or more sentences
    rules_digest: str = ""  # empty for the first wording
    new_options: tuple[str, ...] = field(default=())  # whose default is the rule of the wording before
    renamed: tuple[RenamedOutcome, ...] = field(default=())  # from the wording before

    def digest_of(self, game: Game, options: dict[str, str]) -> str:
        """The digest of a game under these options, as it was under this wording."""
        if self.rules_digest:
            return game.digest_under(self.rules_digest, options)
        return _first_digest(game, options)

    def name_before(self, spot: str, outcome: str, units: int) -> str:
        """The name of an outcome in the wording before."""
        asked = (spot, outcome, units)
        return next((one.was for one in self.renamed if (one.spot, one.outcome, one.units) == asked), outcome)


@dataclass(frozen=True)
class _History:
    wording: tuple[Wording, ...]


class RulesChange(NamedTuple):
    """The difference between the rules under a recorded digest and those of today."""

    same_rules: bool
    why: str
    is_recorded: bool = True  # both wordings are in the history

    @property
    def reason(self) -> str:
        """One sentence or two for an approval that lapses and a table that closes."""
        claim = "The rules have changed." if self.is_recorded else "The rules may have changed."
        return f"{claim} {self.why}"


UNKNOWN = RulesChange(False, "The wording of that time is not in the history of the rules.", False)
NOT_RECORDED = RulesChange(False, "The wording of today is not in the history of the rules.", False)


@cache
def wordings_of(name: str) -> tuple[Wording, ...]:
    """The wordings of a game's rules, the newest last."""
    if name not in GAMES or not home_of(name).file(HISTORY_FILE).is_file():
        return ()
    data, place = read_game_data(name, HISTORY_FILE)
    wordings = build(_History, data, place).wording
    for n, wording in enumerate(wordings):
        if n and not DIGEST.fullmatch(wording.rules_digest):
            raise place.child("wording", n).refusal(
                "a digest of 64 hexadecimal digits is expected", "rules_digest"
            )
    return wordings


def is_recorded(game: Game) -> bool:
    """Whether the rules of today are the last wording of their history."""
    wordings = wordings_of(game.name)
    return bool(wordings) and wordings[-1].rules_digest == game.rules_digest


def rules_change(game: Game, digest: str) -> RulesChange:
    """Compare the rules under a digest on record with those of the game today."""
    if digest == game.digest:
        return RulesChange(True, "")
    if not is_recorded(game):
        return NOT_RECORDED
    before = _place_of(game, digest)
    return UNKNOWN if before is None else _change_between(game, before, len(wordings_of(game.name)))


def are_same_rules(game: Game, one: str, other: str) -> bool:
    """Whether two digests on record stand for the same rules, options and pays of a game."""
    if one == other:
        return True
    first, second = _place_of(game, one), _place_of(game, other)
    if first is None or second is None:
        return False
    return _change_between(game, min(first, second), max(first, second) + 1).same_rules


def earlier_name(game: Game, digest: str, spot: str, outcome: str, units: int) -> str:
    """The name that an outcome of today had under a digest on record, with this many units on its spot."""
    place = _place_of(game, digest)
    later = () if place is None else wordings_of(game.name)[place + 1 :]
    for wording in reversed(later):
        outcome = wording.name_before(spot, outcome, units)
    return outcome


def renamed_outcomes(name: str, spot: str) -> dict[str, str]:
    """Today's outcomes of a spot by the earlier names of a game's history."""
    found: dict[str, str] = {}
    for wording in reversed(wordings_of(name)):
        for one in wording.renamed:
            if one.spot == spot:
                found.setdefault(one.was, found.get(one.outcome, one.outcome))
    return found


def _change_between(game: Game, before: int, end: int) -> RulesChange:
    later = wordings_of(game.name)[before + 1 : end]
    changes = [wording.why for wording in later if wording.changes_rules]
    return RulesChange(not changes, " ".join(changes or [wording.why for wording in later]))


@cache
def _place_of(game: Game, digest: str) -> int | None:
    """The place of the wording under which a game had this digest; None if there is no such wording."""
    wordings = wordings_of(game.name)
    if not is_recorded(game):
        return None
    options = dict(game.options)
    for place in reversed(range(len(wordings))):
        if wordings[place].digest_of(game, options) == digest:
            return place
        options = {name: value for name, value in options.items() if name not in wordings[place].new_options}
    return None


# -- The first wording ------------------------------------------------------------------------------


def _first_digest(game: Game, options: dict[str, str]) -> str:
    pays = (" ".join(map(str, pay)) for pay in game.pays)
    offered = [str(sorted(options.items())), *pays]
    return hashlib.sha256("\0".join([*_first_sources(game.name), *offered]).encode()).hexdigest()


@cache
def _first_sources(name: str) -> tuple[str, ...]:
    """The texts of a game's rules and of all that rules were made of, in the order of the digest."""
    archive = (resources.files("feltlab.games") / "first_wording.zip").read_bytes()
    with ZipFile(BytesIO(archive)) as texts:
        hands = sorted(path for path in texts.namelist() if path.startswith("hands/"))
        paths = (f"{FOLDERS[name]}/rules.py", *hands, *SHARED_SOURCES)
        return tuple(texts.read(path).decode() for path in paths if path in texts.namelist())
