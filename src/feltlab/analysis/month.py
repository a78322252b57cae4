"""The house's win over many rounds at full tables. Money is in cents."""

from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from math import ceil, sqrt
from statistics import NormalDist
from typing import Any

from feltlab.analysis.bankroll_walk import Spread, Walk, sum_rounds
from feltlab.analysis.session import RoundLaw, skewness
from feltlab.proving.exact_numbers import exact, exact_root, root

BANDS = (95, 99)  # percent of cases
LEAD_PROBABILITY = 0.99  # that the house is ahead after `Month.rounds_to_lead`
NORMAL = NormalDist()


@dataclass(frozen=True)
class Month:
    """The house's side of many rounds at full tables.

    A player who stops is replaced at once by another who buys in for the same bankroll. Seats of one table
    share the dealer's hand: `seat_covariance` is the covariance of the nets of two seats in a round, in cents
    squared.
    """

    law: RoundLaw
    tables: int
    seats: int
    rounds: int  # of each table
    bankroll: int  # buy-in of a player
    session_rounds: float  # mean rounds of a player
    seat_covariance: Fraction | float = 0
    seat_covariance_error: float = 0  # a standard error

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
        """The variance of the net of one table in one round."""
        pairs = self.seats * (self.seats - 1)
        return self.seats * self.law.variance + pairs * Fraction(self.seat_covariance)

    @property
    def variance(self) -> Fraction:
        return self.tables * self.rounds * self.table_variance

    @property
    def skewness(self) -> float:
        """The skewness of the win; its third moment is taken as if seats were independent."""
        return skewness(-self.law.third * self.player_rounds, self.variance)

    @property
    def sessions(self) -> float:
        """The number of players who buy in."""
        return self.player_rounds / self.session_rounds

    @property
    def drop(self) -> float:
        return self.sessions * self.bankroll

    @property
    def hold(self) -> float:
        return float(self.win) / self.drop

    @cached_property
    def _spread(self) -> Spread | None:
        """The joint win of all players as if seats were independent; None if it takes too much memory."""
        return sum_rounds(Walk(self.law.nets, 0, self.player_rounds))

    @property
    def _stretch(self) -> float:
        """The factor by which a shared dealer widens the spread."""
        alone = self.seats * self.law.variance
        return sqrt(float(self.table_variance / alone)) if alone else 1.0

    def band(self, percent: int) -> tuple[float, float]:
        """The range of the win with this probability.

        By the law of all rounds together, widened about its mean because seats win and lose together; if
        that law takes too much memory, by a normal law corrected for skewness.
        """
        tail, mean = (1 - percent / 100) / 2, float(self.win)
        if self._spread is None:
            skewness, deviation = self.skewness, root(self.variance)
            low, high = (_correct_skew(NORMAL.inv_cdf(p), skewness) * deviation for p in (tail, 1 - tail))
        else:
            ends = (-self._spread.percentile(p) for p in (1 - tail, tail))
            low, high = (self._stretch * (end - mean) for end in ends)
        return mean + low, mean + high

    @property
    def loss_probability(self) -> float:
        """The probability that the house does not win, by the same law."""
        if self._spread is not None:
            mean = float(self.win)
            wins = mean + self._stretch * (-self._spread.results - mean)
            return self._spread.chance(wins <= 0)
        x = -float(self.win) / root(self.variance)
        correction = self.skewness * (x * x - 1) * NORMAL.pdf(x) / 6
        return min(1.0, max(0.0, NORMAL.cdf(x) - correction))

    # -- Errors -------------------------------------------------------------------------------------------

    def band_error(self, percent: int) -> float:
        """About how far an end of the band may be off: 0 where the law of all rounds together is exact."""
        ends = zip(self.band(percent), self._near_normal.band(percent), strict=True)
        return self._error(max(abs(one - other) for one, other in ends), self.deviation_error * 2)

    @property
    def loss_probability_error(self) -> float:
        """About how far the probability that the house does not win may be off."""
        slope = NORMAL.pdf(float(self.win) / root(self.variance)) * float(self.win) / float(self.variance)
        apart = abs(self.loss_probability - self._near_normal.loss_probability)
        return self._error(apart, abs(slope) * self.deviation_error)

    @property
    def deviation_error(self) -> float:
        """The standard error of the standard deviation, from that of the simulated covariance."""
        pairs = self.tables * self.rounds * self.seats * (self.seats - 1)
        return pairs * self.seat_covariance_error / (2 * root(self.variance))

    def _error(self, apart: float, sampled: float) -> float:
        """The distance of two approximations and an error of sampling; one seat needs neither."""
        return 0.0 if self.seats == 1 and self._spread is not None else apart + sampled

    @cached_property
    def _near_normal(self) -> "Month":
        """The same month by a normal law corrected for skewness, as if all rounds took too much memory."""
        return NearNormalMonth(**{each.name: getattr(self, each.name) for each in fields(self)})

    @property
    def rounds_to_lead(self) -> int | None:
        """Rounds of one table after which the house is ahead with `LEAD_PROBABILITY`; None without an edge.

        After n rounds the percentile of the corrected normal law is mean n - z deviation sqrt(n) + skew,
        where skew does not depend on n. That is a quadratic equation for sqrt(n).
        """
        mean, deviation, z = (
            float(-self.seats * self.law.mean),
            root(self.table_variance),
            NORMAL.inv_cdf(LEAD_PROBABILITY),
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
            "band_errors": {str(percent): self.band_error(percent) for percent in BANDS},
            "loss_probability": {"value": self.loss_probability, "error": self.loss_probability_error},
            "sessions": self.sessions,
            "drop": self.drop,
            "hold": self.hold,
            "rounds_to_lead": self.rounds_to_lead,
        }


class NearNormalMonth(Month):
    """A month by a normal law corrected for skewness."""

    @property
    def _spread(self) -> None:
        return None


def _correct_skew(z: float, skewness: float) -> float:
    """A percentile of the normal law, corrected for skewness by Cornish and Fisher."""
    return z + skewness * (z * z - 1) / 6
