"""Readings of the rules that could be otherwise: `readings.toml` beside each game, and its only reader.

The file holds words and the way to compute, and no figure. The game's `other_laws.py` exports `OTHER_LAWS`,
the solvers of other readings by name, and `EXTRA_NETS` for readings that change the net of a bet in a way
that no outcome of the rules expresses.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from feltlab.core.game import Game
from feltlab.core.solver import Law
from feltlab.core.stake import Stake, read_stake
from feltlab.errors import Refused
from feltlab.games import GAMES, home_of, solver_of
from feltlab.games.data_files import FilePlace, build, check_names, read_game_data
from feltlab.parallel.progress import Progress

ReadingKind = Literal["proved", "same", "procedure", "not proved"]
ExtraNets = Callable[[Game, Stake, str], Mapping[str, Any]]  # by bet, a Fraction of its first wager


@dataclass(frozen=True)
class OtherReading:
    """Another reading of a question, and how to prove it."""

    words: str
    kind: ReadingKind = "proved"
    law: str = ""  # its name in `OTHER_LAWS`
    extra: str = ""  # its name in `EXTRA_NETS`
    pays: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by spot and outcome
    options: Mapping[str, str] = field(default_factory=dict)
    effect: str = ""  # in sentences, where nothing is computed
    note: str = ""  # a remark beside what is computed

    def change_game(self, game: Game) -> Game:
        """The game with the options and pays of this reading."""
        changed = game.with_options(self.options)
        for spot, pays in self.pays.items():
            changed = changed.with_pays(spot, pays)
        return changed

    def solve(self, game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
        """The law of this reading, for a game that it has changed."""
        solve = _other_laws(game, "OTHER_LAWS")[self.law] if self.law else solver_of(game).solve
        law: Law = solve(game, stake, strategy, progress)
        return law

    def extra_nets(self, game: Game, stake: Stake, strategy: str) -> Mapping[str, Any]:
        """By bet, the expected net that this reading adds to that of its law."""
        extra: ExtraNets = _other_laws(game, "EXTRA_NETS")[self.extra]
        return extra(game, stake, strategy)


@dataclass(frozen=True)
class Reading:
    """A question that the documents leave open, and how the rule sheet answers it."""

    name: str
    question: str
    clause: str  # of the rule sheet
    ours: str
    why: str
    other: tuple[OtherReading, ...]
    bets: tuple[str, ...] = ()  # those that it may change
    strategies: tuple[str, ...] = ("optimal",)
    stake: Mapping[str, str] = field(default_factory=dict)  # besides one unit on each required wager
    options: Mapping[str, str] = field(default_factory=dict)

    def change_game(self, game: Game) -> Game:
        return game.with_options(self.options)


@dataclass(frozen=True)
class _Readings:
    reading: tuple[Reading, ...] = ()


@cache
def load_readings(name: str) -> tuple[Reading, ...]:
    """The readings of a game that could be otherwise, checked against its rules."""
    data, place = read_game_data(name, "readings.toml")
    found = build(_Readings, data, place).reading
    for n, reading in enumerate(found):
        _check_reading(GAMES[name], reading, place.child("reading", n))
    return found


def _check_reading(game: Game, reading: Reading, place: FilePlace) -> None:
    check_names("bets", reading.bets, [spot.name for spot in game.wagers], place)
    check_names("strategies", reading.strategies, solver_of(game).strategies, place)
    for other in reading.other:
        computed = bool(other.law or other.extra or other.pays or other.options)
        if computed != (other.kind == "proved") or computed == bool(other.effect):
            raise place.refusal(f"{other.words!r} needs a way to prove it, or a kind and an effect")
        check_names("law", filter(None, [other.law]), _other_laws(game, "OTHER_LAWS"), place)
        check_names("extra", filter(None, [other.extra]), _other_laws(game, "EXTRA_NETS"), place)
        try:
            read_stake(other.change_game(reading.change_game(game)), reading.stake)
        except Refused as refused:
            raise place.refusal(str(refused).rstrip(".")) from None


def _other_laws(game: Game, which: str) -> Mapping[str, Any]:
    """The other laws, or the extra nets, of a game; empty where it has none."""
    module = home_of(game.name).module("other_laws")
    found: Mapping[str, Any] = getattr(import_module(module), which, {}) if find_spec(module) else {}
    return found
