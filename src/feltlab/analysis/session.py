"""Sessions: what becomes of a player's bankroll in some hours, and of the house in a month.

Money is in cents. What follows from the law of a round alone is a Fraction; what depends on where a
bankroll runs out is a float with its error.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, sqrt
from statistics import NormalDist
from typing import Any

from feltlab.analysis.bankroll_walk import MOST_WORK, Spread, Walk, Walked, summed, walked
from feltlab.core.game import MOST_CENTS, Game
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.exact_numbers import exact, exact_root, root
from feltlab.proving.proof import Proof
from feltlab.text import dollars

MOST_ROUNDS = 10_000_000
PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
BANDS = (95, 99)  # percent
SEATS = 5  # that are taken, unless told otherwise or fewer fit
BANKROLL = 40  # times the first wagers, unless told otherwise
SURE = 0.99  # how likely the house is ahead after `Month.rounds_to_lead`


def wagers(game: Game, stake: Stake, bet: int) -> dict[str, int]:
    """The wagers in cents, a unit being `bet` cents; refuses what the game does not take."""
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
    """What one round nets and puts down."""

    nets: Mapping[int, Fraction]  # with their probabilities
    average: Fraction  # put down, raises included
    need: int  # the most that is put down

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
        """The mean loss for each cent put down."""
        return -self.mean / self.average


def moment(nets: Mapping[Any, Fraction], centre: Fraction, power: int) -> Fraction:
    """The mean power of the distance from a centre, of nets with their probabilities."""
    return sum(((net - centre) ** power * chance for net, chance in nets.items()), Fraction(0))


@dataclass(frozen=True)
class SessionPlan:
    """A bankroll, and how many rounds it is to last.

    The player stops as soon as what is left is less than a round may need, so that every round can be
    played to its end. To have to stop before the last round is ruin.
    """

    law: RoundLaw
    rounds: int
    bankroll: int

    def __post_init__(self) -> None:
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise Refused(f"A session has from 1 to {MOST_ROUNDS:,} rounds.")
        if self.bankroll > 100 * MOST_CENTS:
            raise Refused(f"The bankroll may be at most {dollars(100 * MOST_CENTS)}.")
        if self.bankroll < self.law.need:
            put = f"the {dollars(self.law.need)} that a round can put down"
            raise Refused(f"A bankroll of {dollars(self.bankroll)} is less than {put}.")

    @property
    def walk(self) -> Walk:
        return Walk(self.law.nets, self.bankroll - self.law.need, self.rounds)

    # -- As if the bankroll had no end ---------------------------------------------------------------

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
    """A number and its error: a bound where it was computed, a standard error where it was simulated."""

    value: float
    error: float

    def __mul__(self, factor: Fraction) -> "Estimate":
        return Estimate(self.value * float(factor), self.error * abs(float(factor)))

    def as_json(self) -> dict[str, float]:
        return {"value": self.value, "error": self.error}


@dataclass(frozen=True)
class Prospect:
    """What becomes of a plan."""

    plan: SessionPlan
    walked: Walked

    @property
    def spread(self) -> Spread:
        return self.walked.spread

    @property
    def simulated(self) -> int:
        """How many sessions were simulated; 0 if their chances were computed."""
        return self.walked.sessions

    @property
    def method(self) -> str:
        if self.simulated:
            return f"simulation of {self.simulated:,} sessions; errors are standard errors"
        return f"Markov chain of the bankroll; no probability is off by more than {self.walked.error:.1e}"

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
            return Estimate(share, self.walked.error)
        unseen = 1 / self.simulated  # what never happened may still happen
        return Estimate(share, sqrt(max(share * (1 - share), unseen) / self.simulated))

    @property
    def percentiles(self) -> dict[int, int]:
        return {percent: self.spread.percentile(percent / 100) for percent in PERCENTILES}

    @property
    def rounds(self) -> Estimate:
        """Played on average."""
        return Estimate(self.walked.rounds, self.walked.rounds_error)

    @property
    def expected(self) -> Estimate:
        """The mean result. By Wald it is that of a round, as often as rounds are played on average."""
        return self.rounds * self.plan.law.mean

    @property
    def handle(self) -> Estimate:
        """The mean of all that is put down, by Wald too."""
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
        times = [int(mark) for mark in self.walked.marks]
        fan = [[plan.bankroll + int(net) for net in row] for row in self.walked.fan]
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
    plan: SessionPlan, seed: int = 1, progress: Progress = nobody_listens, most_work: float = MOST_WORK
) -> Prospect:
    """What becomes of a plan: computed, or simulated where that would take more work than given."""
    return Prospect(plan, walked(plan.walk, seed, progress, most_work))


# -- The house --------------------------------------------------------------------------------------

NORMAL = NormalDist()


@dataclass(frozen=True)
class Month:
    """The house's side of many rounds at full tables.

    Who stops is followed at once by another, who buys in for the same bankroll. Seats of one table share
    the dealer's hand: `seat_covariance`, in cents squared, is that of the nets of two of them in a round.
    """

    law: RoundLaw
    tables: int
    seats: int
    rounds: int  # of each table
    bankroll: int  # that a player buys in for
    session_rounds: float  # that a player plays on average
    seat_covariance: Fraction | float = 0
    seat_covariance_error: float = 0  # standard, where it was simulated

    @property
    def player_rounds(self) -> int:
        return self.tables * self.seats * self.rounds

    @property
    def win(self) -> Fraction:
        """The theoretical win."""
        return -self.law.mean * self.player_rounds

    @property
    def handle(self) -> Fraction:
        return self.law.average * self.player_rounds

    @property
    def table_variance(self) -> Fraction:
        """Of what one table nets in one round."""
        pairs = self.seats * (self.seats - 1)
        return self.seats * self.law.variance + pairs * Fraction(self.seat_covariance)

    @property
    def variance(self) -> Fraction:
        return self.tables * self.rounds * self.table_variance

    @property
    def skewness(self) -> float:
        """Of the win; the third moment is taken as if seats were independent."""
        return skewness(-self.law.third * self.player_rounds, self.variance)

    @property
    def sessions(self) -> float:
        """Players who sit down."""
        return self.player_rounds / self.session_rounds

    @property
    def drop(self) -> float:
        return self.sessions * self.bankroll

    @property
    def hold(self) -> float:
        return float(self.win) / self.drop

    @cached_property
    def _spread(self) -> Spread | None:
        """What players win together if seats are independent, where it can be computed."""
        return summed(Walk(self.law.nets, 0, self.player_rounds))

    @property
    def _stretch(self) -> float:
        """How much wider sharing the dealer makes it."""
        alone = self.seats * self.law.variance
        return sqrt(float(self.table_variance / alone)) if alone else 1.0

    def band(self, percent: int) -> tuple[float, float]:
        """Where the win lies with this probability.

        By the law of all rounds together, drawn out about its mean as far as seats win and lose together;
        where that law would take too much memory, by a normal law that is corrected for skewness.
        """
        tail, mean = (1 - percent / 100) / 2, float(self.win)
        if self._spread is None:
            skewness, deviation = self.skewness, root(self.variance)
            low, high = (_corrected(NORMAL.inv_cdf(p), skewness) * deviation for p in (tail, 1 - tail))
        else:
            ends = (-self._spread.percentile(p) for p in (1 - tail, tail))
            low, high = (self._stretch * (end - mean) for end in ends)
        return mean + low, mean + high

    @property
    def loss_probability(self) -> float:
        """That the house does not win, by the same law."""
        if self._spread is not None:
            mean = float(self.win)
            wins = mean + self._stretch * (-self._spread.results - mean)
            return self._spread.chance(wins <= 0)
        x = -float(self.win) / root(self.variance)
        correction = self.skewness * (x * x - 1) * NORMAL.pdf(x) / 6
        return min(1.0, max(0.0, NORMAL.cdf(x) - correction))

    @property
    def rounds_to_lead(self) -> int | None:
        """Rounds of one table after which the house is ahead with `SURE`; None if it has no edge.

        With n rounds the corrected normal law has its percentile at mean n - z deviation sqrt(n) + skew,
        where skew does not depend on n: a quadratic equation for sqrt(n).
        """
        mean, deviation, z = (
            float(-self.seats * self.law.mean),
            root(self.table_variance),
            NORMAL.inv_cdf(SURE),
        )
        if mean <= 0:
            return None
        lopsided = skewness(-self.seats * self.law.third, self.table_variance)
        skew = deviation * lopsided * (z * z - 1) / 6
        inside = max(0.0, (z * deviation) ** 2 - 4 * mean * skew)
        return max(1, ceil(((z * deviation + sqrt(inside)) / (2 * mean)) ** 2))

    def as_json(self) -> dict[str, Any]:
        return {
            "tables": self.tables,
            "seats": self.seats,
            "rounds_per_table": self.rounds,
            "player_rounds": self.player_rounds,
            "seat_covariance": {"value": float(self.seat_covariance), "error": self.seat_covariance_error},
            "win": exact(self.win),
            "handle": exact(self.handle),
            "std_dev": {"value": root(self.variance)} if self.seat_covariance else exact_root(self.variance),
            "skewness": self.skewness,
            "bands": {str(percent): list(self.band(percent)) for percent in BANDS},
            "loss_probability": self.loss_probability,
            "sessions": self.sessions,
            "drop": self.drop,
            "hold": self.hold,
            "rounds_to_lead": self.rounds_to_lead,
        }


def _corrected(z: float, skewness: float) -> float:
    """Cornish and Fisher: a percentile of the normal law, moved by skewness."""
    return z + skewness * (z * z - 1) / 6
