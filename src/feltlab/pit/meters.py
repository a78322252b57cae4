"""Meters: what a table has taken in, put down and won, and whether the proofs believe it.

A table adds every settled round to its `Meters`. Beside the money they keep the sums of products of first
wagers, so that the mean and the variance of the win follow later from the law, whatever was wagered. The
law itself is an `Expectation`: plain numbers that a child process proves, so that no server ever waits for
a solver.

Amounts are cents. Pairs of spots are written "a b", in alphabetical order, each pair once.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from itertools import combinations_with_replacement
from math import sqrt
from statistics import NormalDist
from types import MappingProxyType
from typing import Any

import orjson

from feltlab.core.game import Game
from feltlab.core.limits import Limits
from feltlab.errors import Refused
from feltlab.text import dollars, money
from feltlab.workers.process import started

ALARM = 99.9  # percent: the band that a win has to leave
FEWEST_ROUNDS = 200  # before that the normal law says too little
SLIP_BAND = 99.0  # percent: the band that a slip shows
LONGEST = 1 << 53  # from here on other readers of JSON round numbers

Sums = Mapping[str, int]


@dataclass(frozen=True)
class Meters:
    """Sums over everything that a table has dealt. A reading at any time; two of them can be subtracted."""

    rounds: int = 0  # settled
    hands: int = 0  # seats that were dealt in, over those rounds
    voids: int = 0  # rounds that were refunded
    drop: int = 0  # bought in
    handle: int = 0  # put down on settled rounds, raises included
    win: int = 0  # of the house
    first: Sums = field(default_factory=dict, hash=False)  # by spot, first wagers
    squares: Sums = field(default_factory=dict, hash=False)  # by pair, products of one seat's first wagers
    shared: Sums = field(default_factory=dict, hash=False)  # by pair, those of two seats of one round

    def bought(self, cents: int) -> "Meters":
        return replace(self, drop=self.drop + cents)

    def voided(self) -> "Meters":
        return replace(self, voids=self.voids + 1)

    def after_round(self, wagers: Sequence[Mapping[str, int]], staked: int, net: int) -> "Meters":
        """After a settled round: each seat's first wagers, all that was put down, all that players won."""
        first, squares, shared = dict(self.first), dict(self.squares), dict(self.shared)
        for seat in wagers:
            _add_wagers(seat, first, squares)
        if len(wagers) > 1:
            _add_shared(wagers, shared)
        played = (self.rounds + 1, self.hands + len(wagers), self.voids)
        return Meters(*played, self.drop, self.handle + staked, self.win - net, first, squares, shared)

    def __add__(self, other: "Meters") -> "Meters":
        return self._joined(other, 1)

    def __sub__(self, other: "Meters") -> "Meters":
        """What happened between two readings."""
        return self._joined(other, -1)

    def _joined(self, other: "Meters", sign: int) -> "Meters":
        mine, others = vars(self), vars(other)
        plain = (mine[name] + sign * others[name] for name in PLAIN + MONEY)
        return Meters(*plain, *(_summed(mine[name], others[name], sign) for name in SUMS))

    @property
    def hold(self) -> float | None:
        """The share of the drop that the house has kept; None before anyone has bought in."""
        return self.win / self.drop if self.drop else None

    @property
    def usual(self) -> dict[str, int]:
        """The stake that is usual at the table: a unit on each spot that takes half as much as any other."""
        most = max(self.first.values(), default=0)
        return {spot: 1 for spot, cents in sorted(self.first.items()) if 2 * cents >= most}

    def to_json(self) -> dict[str, Any]:
        """For the ledger. Sums of products are text, as they soon need more than 64 bits."""
        found: dict[str, Any] = {name: getattr(self, name) for name in PLAIN}
        found |= {name: _written(getattr(self, name)) for name in MONEY}
        found["first"] = {spot: _written(cents) for spot, cents in self.first.items()}
        found["squares"] = {pair: str(total) for pair, total in self.squares.items()}
        found["shared"] = {pair: str(total) for pair, total in self.shared.items()}
        return found

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Meters":
        fields: dict[str, Any] = {name: int(data[name]) for name in PLAIN + MONEY}
        fields |= {name: {key: int(total) for key, total in data[name].items()} for name in SUMS}
        return cls(**fields)


PLAIN, MONEY, SUMS = ("rounds", "hands", "voids"), ("drop", "handle", "win"), ("first", "squares", "shared")
NO_METERS = Meters()


def _written(cents: int) -> int | str:
    """A number, or text where other readers of JSON would round it."""
    return cents if -LONGEST < cents < LONGEST else str(cents)


def _summed(sums: Sums, others: Sums, sign: int) -> dict[str, int]:
    """Sum by sum; one that comes to nothing is left out, as if it had never begun."""
    found = {key: sums.get(key, 0) + sign * others.get(key, 0) for key in {**sums, **others}}
    return {key: total for key, total in found.items() if total}


@cache
def pair(a: str, b: str) -> str:
    """The name of a pair of spots."""
    return f"{a} {b}" if a <= b else f"{b} {a}"


@cache
def orders(pair: str) -> int:
    """In how many orders a pair can be named: sums over all orders count it so often."""
    a, _, b = pair.partition(" ")
    return 1 if a == b else 2


def _add_wagers(wagers: Mapping[str, int], first: dict[str, int], squares: dict[str, int]) -> None:
    """A seat's first wagers, added to their sums and to those of their products."""
    for spot, cents in wagers.items():
        first[spot] = first.get(spot, 0) + cents
    for (a, mine), (b, other) in combinations_with_replacement(wagers.items(), 2):
        name = pair(a, b)
        squares[name] = squares.get(name, 0) + mine * other


def _add_shared(wagers: Sequence[Mapping[str, int]], shared: dict[str, int]) -> None:
    """Products over all ordered pairs of different seats: those of the table's sums, less each seat's own."""
    table: dict[str, int] = {}
    own: dict[str, int] = {}
    for seat in wagers:
        _add_wagers(seat, table, own)
    for (a, mine), (b, other) in combinations_with_replacement(table.items(), 2):
        name = pair(a, b)
        if products := mine * other - own.get(name, 0):
            shared[name] = shared.get(name, 0) + products


# -- What the proofs expect -------------------------------------------------------------------------


@dataclass(frozen=True)
class Expectation:
    """What a round is to bring the house, for each unit of its first wagers.

    Players are taken to play optimally for one stake, whatever they wager. Wins are taken as normal, which
    they nearly are after some hundred rounds, and rounds as independent.
    """

    game: str  # with the options and pays of the house
    digest: str  # of its rules
    stake: Mapping[str, str] = field(hash=False)  # units by wager, as text
    means: Mapping[str, float] = field(hash=False)  # by spot, what the house nets
    covariances: Mapping[str, float] = field(hash=False)  # by pair, of two bets of one seat
    shared: Mapping[str, float] = field(hash=False)  # by pair, of bets of two seats; simulated
    errors: Mapping[str, float] = field(hash=False)  # by pair, the standard errors of `shared`

    def expected(self, meters: Meters) -> float:
        """What the house was to win."""
        return float(mean_of(meters, self.means))

    def deviation(self, meters: Meters) -> float:
        """The standard deviation of the win; what is simulated may be off, but no variance is negative."""
        return sqrt(max(0.0, variance_of(meters, self.covariances, self.shared)))

    def band(self, meters: Meters, percent: float) -> tuple[float, float]:
        """Where the win was to lie with this probability."""
        middle, away = self.expected(meters), quantile(percent) * self.deviation(meters)
        return middle - away, middle + away

    def hold(self, meters: Meters) -> float | None:
        """The share of the drop that the house was to keep; None before anyone has bought in."""
        return self.expected(meters) / meters.drop if meters.drop else None

    def alarm(self, meters: Meters) -> str:
        """A sentence once the win has left its band, or ''."""
        if meters.rounds < FEWEST_ROUNDS:
            return ""
        low, high = self.band(meters, ALARM)
        if low <= meters.win <= high:
            return ""
        side, band = "below" if meters.win < low else "above", f"{money(low)} to {money(high)}"
        won = f"After {meters.rounds:,} rounds the house has won {dollars(meters.win)}"
        return f"{won}, {side} the {ALARM} % band of {band}."

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Expectation":
        numbers = ("means", "covariances", "shared", "errors")
        found = ({str(key): float(number) for key, number in data[name].items()} for name in numbers)
        stake = {str(wager): str(units) for wager, units in data["stake"].items()}
        return cls(str(data["game"]), str(data["digest"]), stake, *found)


@cache
def quantile(percent: float) -> float:
    """How many deviations from its mean a normal law stays with this probability."""
    if not 0 < percent < 100:
        raise Refused(f"A band holds more than 0 and less than 100 percent, not {percent}.")
    return NormalDist().inv_cdf((1 + percent / 100) / 2)


def mean_of(meters: Meters, means: Mapping[str, Any]) -> Any:
    """The mean of the win, as exact as the means by spot are."""
    return sum(means[spot] * cents for spot, cents in meters.first.items())


def variance_of(meters: Meters, covariances: Mapping[str, Any], shared: Mapping[str, Any]) -> Any:
    """The variance of the win, as exact as the covariances by pair are."""
    own = sum(covariances[pair] * orders(pair) * total for pair, total in meters.squares.items())
    return own + sum(shared[pair] * orders(pair) * total for pair, total in meters.shared.items())


# -- Slips ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slip:
    """What is signed when a table opens and when it closes.

    The meters of an open slip are their reading; those of a close slip are what was added since.
    """

    kind: str  # open or close
    table: str
    at: str
    by: str
    game: str
    digest: str
    limits: Limits
    chips: int  # that players have on the table
    meters: Meters
    expected: float | None = None  # win; None where nothing is proved yet
    band: tuple[float, float] | None = None  # of the win

    @property
    def hold(self) -> float | None:
        return self.meters.hold

    def closed(
        self, at: str, by: str, chips: int, meters: Meters, expectation: Expectation | None = None
    ) -> "Slip":
        """The close slip that belongs to this open slip, from the reading at the end."""
        since = meters - self.meters
        end = replace(self, kind="close", at=at, by=by, chips=chips, meters=since)
        if expectation is None:
            return end
        if expectation.digest != self.digest:
            raise Refused(f"What {expectation.game} is expected to win says nothing about {self.game}.")
        return replace(end, expected=expectation.expected(since), band=expectation.band(since, SLIP_BAND))

    def to_json(self) -> dict[str, Any]:
        """For the ledger; hold is written for who reads it, and computed anew when it is read."""
        plain = {name: value for name, value in vars(self).items() if name not in ("limits", "meters")}
        return plain | {"limits": asdict(self.limits), "meters": self.meters.to_json(), "hold": self.hold}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Slip":
        fields = {name: value for name, value in data.items() if name != "hold"}
        fields |= {"limits": Limits(**data["limits"]), "meters": Meters.from_json(data["meters"])}
        return cls(**fields | {"band": tuple(data["band"]) if data["band"] else None})

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The slip as it is shown: what, and how much."""
        read = self.meters
        rows = [("rounds", f"{read.rounds:,}"), ("voids", f"{read.voids:,}"), ("drop", dollars(read.drop))]
        rows += [("handle", dollars(read.handle)), ("win", dollars(read.win)), ("chips", dollars(self.chips))]
        rows += [("hold", f"{self.hold:.2%}")] if self.hold is not None else []
        rows += [("expected win", money(self.expected))] if self.expected is not None else []
        return rows + ([(f"{SLIP_BAND:g} % band", " to ".join(map(money, self.band)))] if self.band else [])


def open_slip(
    table: str, game: Game, limits: Limits, at: str, by: str, chips: int = 0, meters: Meters = NO_METERS
) -> Slip:
    return Slip("open", table, at, by, str(game), game.digest, limits, chips, meters)


# -- The proof, elsewhere ---------------------------------------------------------------------------


async def expectation_of(
    game: Game, stake: Mapping[str, Any] = MappingProxyType({})
) -> tuple[Expectation | None, str]:
    """What the proofs expect of a game, or None and a sentence that says why nothing is known.

    The stake is what players play for, in units by wager; what it leaves out is as in the default stake.
    A process of its own proves it: that may take minutes, and it gives way to everything else.
    """
    try:
        words = (*game.words, "--stake", *(f"{wager}={units}" for wager, units in stake.items()))
        command = (sys.executable, "-P", "-m", "feltlab.workers.expectation", *words)
        status, answer, complaint = await (await started(*command, complaints=True)).ended()
    except OSError as error:
        return None, _unknown(game, f"{error.strerror or error}.")
    if status:
        said = complaint.decode(errors="replace").strip().splitlines()
        why = said[-1] if said else f"Its proof ended with status {status}."
        return None, _unknown(game, why)
    return _read(game, answer)


def _read(game: Game, answer: bytes) -> tuple[Expectation | None, str]:
    try:
        found = Expectation.from_json(orjson.loads(answer))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None, _unknown(game, "Its proof cannot be read.")
    if found.digest != game.digest:
        return None, _unknown(game, "Its rules have changed since they were loaded.")
    return found, ""


def _unknown(game: Game, why: str) -> str:
    return f"The expected win of {game.title} is not known: {why}"
