"""Sessions: a player's bankroll over some hours.

Money is in cents. Values that follow from the law of a round alone are Fractions; values that depend on when
a bankroll runs out are floats with their errors.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any

from feltlab.analysis.bankroll_walk import MAX_CHAIN_WORK, Spread, Walk, WalkResult, follow_walk
from feltlab.core.amounts import MAX_WAGER_CENTS
from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.exact_numbers import exact, exact_root, root
from feltlab.proving.proof import Proof
from feltlab.text import dollars

MAX_SESSION_ROUNDS = 10_000_000
PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
DEFAULT_SEATS = 5  # of a table, where the game has as many
DEFAULT_BANKROLL_STAKES = 40  # times the first wagers
MAX_BANKROLL_CENTS = 100 * MAX_WAGER_CENTS


def wagers_in_cents(game: Game, stake: Stake, bet: int) -> dict[str, int]:
    """The wagers of a stake whose unit is `bet` cents; refuses wagers that the game does not take."""
    found = {name: units * bet for name, units in stake.items() if units}
    for name, amount in found.items():
        if amount.denominator != 1:
            units = f"{stake[name]} times {dollars(bet)}"
            raise Refused(f"The {game.spot(name).title} wager of {units} is not a whole number of cents.")
    whole = {name: int(amount) for name, amount in found.items()}
    game.check_wagers(whole)
    return whole


@dataclass(frozen=True)
class RoundLaw:
    """The law of one round: its nets, and the money that it puts down."""

    nets: Mapping[int, Fraction]  # with their probabilities
    average: Fraction  # mean amount put down, raises included
    need: int  # the most that a round can put down

    @classmethod
    def of(cls, proof: Proof, wagers: Mapping[str, int]) -> "RoundLaw":
        tally, spots = proof.tally, [(proof.game.spot(name), amount) for name, amount in wagers.items()]
        nets: Counter[int] = Counter()
        put_down: Counter[int] = Counter()
        for outcomes, count in tally.counts.items():
            nets[int(sum(amount * tally.net(spot, outcomes) for spot, amount in spots))] += count
            put_down[int(sum(amount * tally.staked(spot, outcomes) for spot, amount in spots))] += count
        average = Fraction(sum(amount * count for amount, count in put_down.items()), tally.deals)
        chances = {net: Fraction(count, tally.deals) for net, count in sorted(nets.items())}
        return cls(chances, average, max(put_down))

    @cached_property
    def mean(self) -> Fraction:
        return moment(self.nets, Fraction(0), 1)

    @cached_property
    def variance(self) -> Fraction:
        return moment(self.nets, self.mean, 2)

    @cached_property
    def third(self) -> Fraction:
        """The third central moment."""
        return moment(self.nets, self.mean, 3)

    @property
    def edge(self) -> Fraction:
        """The expected loss for each cent put down."""
        return -self.mean / self.average


def moment(nets: Mapping[Any, Fraction], centre: Fraction, power: int) -> Fraction:
    """A moment of nets about a centre."""
    return sum(((net - centre) ** power * chance for net, chance in nets.items()), Fraction(0))


@dataclass(frozen=True)
class SessionPlan:
    """A bankroll and a number of rounds.

    The player stops as soon as less is left than a round can require, so that every round can be played to
    its end. Having to stop before the last round is ruin.
    """

    law: RoundLaw
    rounds: int
    bankroll: int

    def __post_init__(self) -> None:
        if not 1 <= self.rounds <= MAX_SESSION_ROUNDS:
            raise Refused(f"A session has from 1 to {MAX_SESSION_ROUNDS:,} rounds.")
        if self.bankroll > MAX_BANKROLL_CENTS:
            raise Refused(f"The bankroll may be at most {dollars(MAX_BANKROLL_CENTS)}.")
        if self.bankroll < self.law.need:
            put = f"the {dollars(self.law.need)} that a round can require"
            raise Refused(f"A bankroll of {dollars(self.bankroll)} is less than {put}.")

    @property
    def walk(self) -> Walk:
        return Walk(self.law.nets, self.bankroll - self.law.need, self.rounds)

    # -- With an unlimited bankroll -------------------------------------------------------------------

    @property
    def expected(self) -> Fraction:
        return self.rounds * self.law.mean

    @property
    def variance(self) -> Fraction:
        return self.rounds * self.law.variance

    @property
    def skewness(self) -> float:
        return skewness(self.rounds * self.law.third, self.variance)


def skewness(third: Fraction, variance: Fraction) -> float:
    return float(third / variance) / root(variance) if variance else 0.0


@dataclass(frozen=True)
class Estimate:
    """A number and its error: a bound if it was computed, a standard error if it was simulated."""

    value: float
    error: float

    def __mul__(self, factor: Fraction) -> "Estimate":
        return Estimate(self.value * float(factor), self.error * abs(float(factor)))

    def as_json(self) -> dict[str, float]:
        return {"value": self.value, "error": self.error}


@dataclass(frozen=True)
class Prospect:
    """The prospect of a session: the probabilities of its results, and its averages."""

    plan: SessionPlan
    result: WalkResult

    @property
    def spread(self) -> Spread:
        return self.result.spread

    @property
    def simulated(self) -> int:
        """The number of simulated sessions; 0 if the probabilities were computed."""
        return self.result.sessions

    @property
    def method(self) -> str:
        if self.simulated:
            return f"simulation of {self.simulated:,} sessions; errors are standard errors"
        return f"Markov chain of the bankroll; no probability is off by more than {self.result.error:.1e}"

    @property
    def ruin(self) -> Estimate:
        return self._chance(self.spread.ruin)

    @property
    def ahead(self) -> Estimate:
        return self._chance(self.spread.chance(self.spread.results > 0))

    @property
    def even(self) -> Estimate:
        return self._chance(self.spread.chance(self.spread.results == 0))

    @property
    def behind(self) -> Estimate:
        return self._chance(self.spread.chance(self.spread.results < 0))

    def _chance(self, share: float) -> Estimate:
        if not self.simulated:
            return Estimate(share, self.result.error)
        unseen = 1 / self.simulated  # a result that was never drawn is not impossible
        return Estimate(share, sqrt(max(share * (1 - share), unseen) / self.simulated))

    @property
    def percentiles(self) -> dict[int, int]:
        return {percent: self.spread.percentile(percent / 100) for percent in PERCENTILES}

    @property
    def rounds(self) -> Estimate:
        """The mean number of rounds played."""
        return Estimate(self.result.rounds, self.result.rounds_error)

    @property
    def expected(self) -> Estimate:
        """The mean result: by Wald's identity, the mean of a round times the mean number of rounds."""
        return self.rounds * self.plan.law.mean

    @property
    def handle(self) -> Estimate:
        """The mean of all money put down, by the same identity."""
        return self.rounds * self.plan.law.average

    @property
    def drop(self) -> int:
        return self.plan.bankroll

    @property
    def hold(self) -> Estimate:
        """The share of the drop that the house keeps."""
        return self.expected * Fraction(-1, self.drop)

    def as_json(self) -> dict[str, Any]:
        plan = self.plan
        unlimited = {"expected": exact(plan.expected), "std_dev": exact_root(plan.variance)}
        chances = {name: getattr(self, name).as_json() for name in ("ruin", "ahead", "even", "behind")}
        means = {name: getattr(self, name).as_json() for name in ("expected", "rounds", "handle", "hold")}
        times = [int(mark) for mark in self.result.marks]
        fan = [[plan.bankroll + int(net) for net in row] for row in self.result.fan]
        return {
            "rounds": plan.rounds,
            "bankroll": plan.bankroll,
            "need": plan.law.need,
            "edge_on_handle": exact(plan.law.edge),
            "unlimited": unlimited | {"skewness": plan.skewness},
            "method": self.method,
            "sessions_simulated": self.simulated,
            "probability": chances,
            "drop": self.drop,
            "average": means,
            "percentiles": {str(percent): net for percent, net in self.percentiles.items()},
            "bankroll_after": [{"round": n, "percentiles": row} for n, row in zip(times, fan, strict=True)],
        }


def foresee(
    plan: SessionPlan, seed: int = 1, progress: Progress = nobody_listens, most_work: float = MAX_CHAIN_WORK
) -> Prospect:
    """The prospect of a plan: computed, or simulated if computing would take more work than allowed."""
    return Prospect(plan, follow_walk(plan.walk, seed, progress, most_work))
