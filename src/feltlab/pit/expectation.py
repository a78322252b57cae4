"""Expectations: the win that the proofs expect of a table, its spread, and the alarm when it strays.

An `Expectation` is plain numbers that a child process proves, so that no server waits for a solver.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Protocol

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.pit.meters import Meters, count_orders
from feltlab.text import dollars, money

if TYPE_CHECKING:
    from feltlab.pit.table import Table  # which loads games

ALARM_BAND_PERCENT = 99.9  # a win outside this band raises the alarm
LOOK_SECONDS = 30.0  # between two looks at all tables
REPROVE_SECONDS = 300.0  # until a proof that failed is tried again
MIN_ALARM_ROUNDS = 200  # with fewer rounds the normal law is too rough


@dataclass(frozen=True)
class Expectation:
    """The mean and covariances of the house's win, for one unit of each first wager.

    It assumes players who play optimally for one stake, whatever they wager, independent rounds, and a
    normal win, which the win nearly is after some hundred rounds.
    """

    game: str  # with the options and pays of the house
    digest: str  # of its rules
    stake: Mapping[str, str] = field(hash=False)  # units by wager, as text
    means: Mapping[str, float] = field(hash=False)  # by spot: the house's net
    covariances: Mapping[str, float] = field(hash=False)  # by pair: of two bets of one seat
    shared: Mapping[str, float] = field(hash=False)  # by pair: of bets of two seats; simulated
    errors: Mapping[str, float] = field(hash=False)  # by pair: the standard errors of `shared`

    def expected_win(self, meters: Meters) -> float:
        return float(mean_of(meters, self.means))

    def deviation(self, meters: Meters) -> float:
        """The standard deviation of the win.

        Simulated covariances may be off; a variance below zero counts as zero.
        """
        return sqrt(max(0.0, variance_of(meters, self.covariances, self.shared)))

    def band(self, meters: Meters, percent: float) -> tuple[float, float]:
        """The band around the expected win that holds the win with this probability."""
        middle, away = self.expected_win(meters), quantile(percent) * self.deviation(meters)
        return middle - away, middle + away

    def describe_alarm(self, meters: Meters) -> str:
        """A sentence if the win lies outside its band, else ''."""
        if meters.rounds < MIN_ALARM_ROUNDS:
            return ""
        low, high = self.band(meters, ALARM_BAND_PERCENT)
        if low <= meters.win <= high:
            return ""
        side, band = "below" if meters.win < low else "above", f"{money(low)} to {money(high)}"
        won = f"After {meters.rounds:,} rounds the house has won {dollars(meters.win)}"
        return f"{won}, {side} the {ALARM_BAND_PERCENT} % band of {band}."

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Expectation":
        names = ("means", "covariances", "shared", "errors")
        numbers = ({str(key): float(number) for key, number in data[name].items()} for name in names)
        stake = {str(wager): str(units) for wager, units in data["stake"].items()}
        return cls(str(data["game"]), str(data["digest"]), stake, *numbers)


@cache
def quantile(percent: float) -> float:
    """The distance from its mean, in deviations, within which a normal variable stays so probably."""
    if not 0 < percent < 100:
        raise Refused(f"A band holds more than 0 and less than 100 percent, not {percent}.")
    return NormalDist().inv_cdf((1 + percent / 100) / 2)


def mean_of(meters: Meters, means: Mapping[str, Any]) -> Any:
    """The mean of the win, as exact as the means by spot."""
    return sum(means[spot] * cents for spot, cents in meters.first.items())


def variance_of(meters: Meters, covariances: Mapping[str, Any], shared: Mapping[str, Any]) -> Any:
    """The variance of the win, as exact as the covariances by pair."""
    own = sum(covariances[pair] * count_orders(pair) * total for pair, total in meters.squares.items())
    return own + sum(shared[pair] * count_orders(pair) * total for pair, total in meters.shared.items())


# -- Of all tables ---------------------------------------------------------------------------------

# Proves what a game is expected to win at a stake: the expectation, or None and a sentence that says why.
Expect = Callable[[Game, Mapping[str, int]], Awaitable[tuple[Expectation | None, str]]]


class ExpectedTable(Protocol):
    """A table with a place for its expectation."""

    table: "Table"
    expectation: Expectation | None
    why_unexpected: str


class Expectations:
    """Proved expectations by rules and stake."""

    def __init__(self, expect: Expect) -> None:
        self._expect = expect
        self._known: dict[tuple[Any, ...], tuple[Expectation | None, str]] = {}
        self._reprove_at: dict[tuple[Any, ...], float] = {}  # when a proof that failed is tried again

    async def keep(self, list_tables: Callable[[], Iterable[ExpectedTable]]) -> None:
        """Have the expectation of each table proved, one after the other, again and again."""
        while True:
            for live in list_tables():
                live.expectation, live.why_unexpected = await self._find(live.table)
            await asyncio.sleep(LOOK_SECONDS)

    async def _find(self, table: "Table") -> tuple[Expectation | None, str]:
        """The expectation of a table under the strategy that is best for its usual stake."""
        usual = (table.game.digest, tuple(table.meters.usual_stake.items()))
        known, _ = self._known.get(usual, (None, ""))
        if known is None and time.monotonic() >= self._reprove_at.get(usual, 0.0):
            self._known[usual] = await self._expect(table.game, dict(usual[1]))
            self._reprove_at[usual] = time.monotonic() + REPROVE_SECONDS
        return self._known[usual]
