"""Readings of the rules that could be otherwise: what each would do to the edges, proved.

A reading is in the game's `readings.toml`. Its other readings are proved by the same counting as the rules,
with another way to read the cards, other pays or another option, and by the best play under that reading.
Published figures decide between two readings where one gives the printed digits and the other does not.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from feltlab.analysis.printed_digits import digits_off, format_share
from feltlab.analysis.published_measures import measure, proof_of
from feltlab.core.game import Game
from feltlab.core.solver import Law
from feltlab.core.stake import Stake, default_stake, read_stake
from feltlab.games import find_game, solver_of
from feltlab.games.figures import Figure, figures
from feltlab.games.readings import OtherReading, Reading, load_readings
from feltlab.parallel.progress import Progress, nobody_listens, part_of
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import Proof, is_plausible_law, prove
from feltlab.proving.store import cached_json, cached_law

MAX_DIGITS_OFF = 1  # of a printed figure that a reading still gives: its last digit may be cut off


@dataclass(frozen=True)
class Effect:
    """The measures of a bet, or of the whole stake, under our reading and under another one."""

    bet: str  # '' for the whole stake, whose edge is per unit of its first wagers
    strategy: str
    edge: Fraction
    other_edge: Fraction
    hit: Fraction | None
    other_hit: Fraction | None  # None where only the edge is computed

    @property
    def change(self) -> Fraction:
        """The change of the house edge."""
        return self.other_edge - self.edge

    @property
    def is_none(self) -> bool:
        return self.change == 0 and self.other_hit in (self.hit, None)

    def as_json(self) -> dict[str, Any]:
        return {
            "bet": self.bet,
            "strategy": self.strategy,
            "house_edge": exact(self.edge),
            "other_house_edge": exact(self.other_edge),
            "change": exact(self.change),
            "hit_frequency": None if self.hit is None else exact(self.hit),
            "other_hit_frequency": None if self.other_hit is None else exact(self.other_hit),
        }

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> "Effect":
        names = ("house_edge", "other_house_edge", "hit_frequency", "other_hit_frequency")
        shares: list[Any] = [data[name] and Fraction(data[name]["exact"]) for name in names]
        return cls(data["bet"], data["strategy"], *shares)


@dataclass(frozen=True)
class FigureCheck:
    """A published figure beside the value of each reading."""

    figure: str
    published: str
    ours: str  # in percent, with more digits than are printed
    other: str
    fits_ours: bool
    fits_other: bool

    def as_json(self) -> dict[str, Any]:
        return self.__dict__.copy()


@dataclass(frozen=True)
class ReadOtherwise:
    """Another reading, its effects on the bets, and the published figures that decide."""

    reading: OtherReading
    effects: tuple[Effect, ...] = ()
    checks: tuple[FigureCheck, ...] = ()

    @property
    def changes_nothing(self) -> bool:
        return self.reading.kind == "proved" and all(effect.is_none for effect in self.effects)

    @property
    def against(self) -> list[FigureCheck]:
        """The figures that our reading gives and this one does not."""
        return [check for check in self.checks if check.fits_ours and not check.fits_other]

    @property
    def in_favour(self) -> list[FigureCheck]:
        return [check for check in self.checks if check.fits_other and not check.fits_ours]

    @property
    def verdict(self) -> str:
        """The conclusion from the proof and the published figures, in sentences."""
        if self.reading.effect:
            return self.reading.effect
        found = "Changes nothing: every edge and frequency is the same." if self.changes_nothing else ""
        return " ".join(filter(None, (found, self._evidence, self.reading.note)))

    @property
    def _evidence(self) -> str:
        if self.against:
            return _contradiction(self.against)
        if self.in_favour:
            first = self.in_favour[0]
            return f"The published {first.published} ({first.figure}) fits this reading and not ours."
        if self.changes_nothing:
            return ""
        return "No published figure decides." if self.checks else "No figure is published for it."

    def as_json(self) -> dict[str, Any]:
        return {
            "words": self.reading.words,
            "kind": self.reading.kind,
            "changes_nothing": self.changes_nothing,
            "verdict": self.verdict,
            "bets": [effect.as_json() for effect in self.effects],
            "figures": [check.as_json() for check in self.checks],
        }


def _contradiction(checks: list[FigureCheck]) -> str:
    first, more = checks[0], len(checks) - 1
    found = f"Contradicts the published {first.published} ({first.figure}): it gives {first.other}."
    if more == 0:
        return found
    return f"{found} {more} more published figure{'s contradict' if more > 1 else ' contradicts'} it, too."


@dataclass(frozen=True)
class ProvedReading:
    """A question, our reading of it, and what the other readings would do."""

    reading: Reading
    stake: Stake
    others: tuple[ReadOtherwise, ...]

    def as_json(self) -> dict[str, Any]:
        words = {name: getattr(self.reading, name) for name in ("name", "question", "clause", "ours", "why")}
        return words | {
            "stake": {bet: str(units) for bet, units in self.stake.items() if units},
            "options": dict(self.reading.options),
            "others": [other.as_json() for other in self.others],
        }


# -- Proving ----------------------------------------------------------------------------------------


def prove_readings(game: Game | str, progress: Progress = nobody_listens) -> tuple[ProvedReading, ...]:
    """Every reading of a game that could be otherwise, with its effects proved.

    >>> from feltlab.analysis.readings import prove_readings
    >>> ace = prove_readings("casino-war")[0]
    >>> ace.reading.question, ace.others[0].changes_nothing
    ('Is the ace the highest card or the lowest?', True)
    """
    game = Game(find_game(game).rules)  # the readings of the rules themselves, whatever the options
    readings = load_readings(game.name)
    proved = []
    for n, reading in enumerate(readings):
        share = part_of(progress, n / len(readings), (n + 1) / len(readings))
        proved.append(_prove_reading(game, reading, share))
    return tuple(proved)


def _prove_reading(game: Game, reading: Reading, progress: Progress) -> ProvedReading:
    stake = read_stake(reading.change_game(game), reading.stake)
    others = tuple(_read_otherwise(game, reading, n, progress) for n in range(len(reading.other)))
    return ProvedReading(reading, stake, others)


def _read_otherwise(game: Game, reading: Reading, number: int, progress: Progress) -> ReadOtherwise:
    """One other reading; its measures are stored beside its laws."""
    other = reading.other[number]
    if other.kind != "proved":
        return ReadOtherwise(other)

    def compute() -> dict[str, Any]:
        effects = [effect.as_json() for effect in _effects(game, reading, other, progress)]
        return {"effects": effects, "checks": [check.as_json() for check in _checks(game, reading, other)]}

    data = cached_json([game.name, "joint edges of another reading", reading.name, number], compute)
    checks = tuple(FigureCheck(**check) for check in data["checks"])
    return ReadOtherwise(other, tuple(map(Effect.of_json, data["effects"])), checks)


def _effects(game: Game, reading: Reading, other: OtherReading, progress: Progress) -> Iterator[Effect]:
    ours = reading.change_game(game)
    changed = other.change_game(ours)
    stake = read_stake(ours, reading.stake)
    for strategy in reading.strategies:
        before = prove(ours, stake, strategy, progress)
        after = prove_otherwise(other, changed, stake, strategy, progress)
        extra = _extra_nets(other, changed, stake, strategy)
        for bet in map(ours.spot, reading.bets):
            edges = before.house_edge(bet.name), after.house_edge(bet.name) - extra.get(bet.name, 0)
            other_hit = None if extra else after.tally.hit_frequency(bet)
            yield Effect(bet.name, strategy, *edges, before.tally.hit_frequency(bet), other_hit)
        if len(reading.bets) > 1 and all(stake[bet] for bet in reading.bets):
            yield Effect("", strategy, before.joint_edge, after.joint_edge, None, None)


def prove_otherwise(
    other: OtherReading, game: Game, stake: Stake, strategy: str, progress: Progress = nobody_listens
) -> Proof:
    """The proof of a game that another reading has changed; its law is in the store."""
    if not other.law:
        return prove(game, stake, strategy, progress)

    def solve() -> Law:
        return other.solve(game, stake, strategy, progress)

    key = [game.name, "other law", other.law, solver_of(game).law_key(game, stake, strategy)]
    return Proof(game, stake, strategy, cached_law(key, solve, lambda law: is_plausible_law(game, law)))


def _extra_nets(other: OtherReading, game: Game, stake: Stake, strategy: str) -> Mapping[str, Fraction]:
    if not other.extra:
        return {}
    # An extra net depends on pays that change no choice, too, so the whole game is in the key.
    key = [str(game), "extra nets", other.extra, solver_of(game).law_key(game, stake, strategy)]
    found = cached_json(key, lambda: {b: str(n) for b, n in other.extra_nets(game, stake, strategy).items()})
    return {bet: Fraction(net) for bet, net in found.items()}


# -- Published figures ------------------------------------------------------------------------------


def _checks(game: Game, reading: Reading, other: OtherReading) -> Iterator[FigureCheck]:
    """The published figures of the bets that a reading touches, under both readings.

    Edges come first, and once a figure has decided, no further law is proved for others.
    """
    proved: list[Any] = []
    decided = False
    for figure in sorted(figures(game), key=lambda figure: figure.measure != "house_edge"):
        if figure.bet not in reading.bets or _sets_the_same(figure, other) or not _is_computed(figure, other):
            continue
        changed = other.change_game(game.with_options(figure.options))
        key = solver_of(game).law_key(changed, default_stake(changed), figure.strategy)
        if key in proved or not decided:
            proved.append(key)
            check = _check(game, other, figure, changed)
            decided = decided or check.fits_ours != check.fits_other
            yield check


def _sets_the_same(figure: Figure, other: OtherReading) -> bool:
    """Is the figure published for a value of the option that the reading changes?"""
    return bool(figure.options.keys() & other.options.keys())


def _is_computed(figure: Figure, other: OtherReading) -> bool:
    """Is the figure known under a reading that is computed as an extra net only?"""
    return not other.extra or figure.measure in EXTRA_SIGNS


def _check(game: Game, other: OtherReading, figure: Figure, changed: Game) -> FigureCheck:
    ours = measure(proof_of(game, figure), figure)
    found = _measure_otherwise(other, figure, changed)
    printed, scale = figure.value, figure.scale
    one, two = (format_share(value, printed, scale) for value in (ours, found))
    fits, other_fits = (digits_off(value, printed, scale) <= MAX_DIGITS_OFF for value in (ours, found))
    return FigureCheck(figure.name, figure.published, one, two, fits, other_fits)


def _measure_otherwise(other: OtherReading, figure: Figure, changed: Game) -> Fraction:
    """The value of a figure under another reading, which has changed the game."""
    stake = default_stake(changed)
    proof = prove_otherwise(other, changed, stake, figure.strategy)
    extra = _extra_nets(other, changed, stake, figure.strategy).get(figure.bet, 0)
    return measure(proof, figure) + EXTRA_SIGNS.get(figure.measure, 0) * extra


EXTRA_SIGNS = {"house_edge": -1, "return": 1}  # of an extra net in these measures
