"""Intervals of the return to player by number of rounds, and how often the volatility index holds.

The law of the mean of n independent rounds is the n-fold convolution of the law of one round, by a Fourier
transform. The volatility index assumes a normal law instead; how often it holds is computed by the same
convolution.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from statistics import NormalDist
from typing import Any

from feltlab.analysis.bankroll_walk import Spread, Walk, sum_rounds
from feltlab.analysis.measures import VOLATILITY
from feltlab.analysis.session import RoundLaw, skewness
from feltlab.proving.exact_numbers import root
from feltlab.proving.store import cached_json

ROUNDS = tuple(10**power for power in range(3, 8))
INDEX_ROUNDS = (1, 100, 10_000, 1_000_000)
CONFIDENCES = (90, 95, 99)  # percent
EXACT = "convolution of the law of one round; no probability is off by more than about 1e-8"
NORMAL_COVERAGE = {str(float(z)): 2 * NormalDist().cdf(float(z)) - 1 for z in VOLATILITY}
NORMAL = "normal law corrected for skewness, since the convolution takes too much memory"


@dataclass(frozen=True)
class ReturnInterval:
    """The return to player after a number of rounds: where it lies with some probabilities."""

    rounds: int
    method: str
    ends: Mapping[int, tuple[float, float]]  # by percent of cases

    def as_json(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "method": self.method,
            "return_to_player": {str(percent): list(ends) for percent, ends in self.ends.items()},
        }

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> "ReturnInterval":
        ends = {int(percent): (low, high) for percent, (low, high) in data["return_to_player"].items()}
        return cls(data["rounds"], data["method"], ends)


def return_intervals(law: RoundLaw, first_wagers: int) -> tuple[ReturnInterval, ...]:
    """The intervals of a stake with these first wagers, in cents; stored, since they take some seconds."""
    nets = {str(net): str(chance) for net, chance in law.nets.items()}
    data = cached_json(
        ["intervals of the return", nets, first_wagers],
        lambda: [found.as_json() for found in _compute(law, first_wagers)],
    )
    return tuple(map(ReturnInterval.of_json, data))


def _compute(law: RoundLaw, first_wagers: int) -> Iterator[ReturnInterval]:
    for rounds in ROUNDS:
        spread = sum_rounds(Walk(law.nets, 0, rounds))
        found = _ends_exactly(spread) if spread else _ends_nearly(law, rounds)
        ends = {
            percent: (1 + low / rounds / first_wagers, 1 + high / rounds / first_wagers)
            for percent, (low, high) in found.items()
        }
        yield ReturnInterval(rounds, EXACT if spread else NORMAL, ends)


def _tails() -> Iterator[tuple[int, float, float]]:
    """Each percentage with the shares of cases below and up to its interval."""
    for percent in CONFIDENCES:
        tail = (1 - percent / 100) / 2
        yield percent, tail, 1 - tail


def _ends_exactly(spread: Spread) -> dict[int, tuple[float, float]]:
    return {percent: (spread.percentile(low), spread.percentile(high)) for percent, low, high in _tails()}


def _ends_nearly(law: RoundLaw, rounds: int) -> dict[int, tuple[float, float]]:
    """By Cornish and Fisher, as in a month."""
    mean, deviation = rounds * float(law.mean), sqrt(rounds) * root(law.variance)
    skew = skewness(rounds * law.third, rounds * law.variance)

    def end(share: float) -> float:
        z = NormalDist().inv_cdf(share)
        return mean + deviation * (z + skew * (z * z - 1) / 6)

    return {percent: (end(low), end(high)) for percent, low, high in _tails()}


# -- The volatility index ---------------------------------------------------------------------------


def index_coverage(nets: Mapping[Fraction, Fraction]) -> dict[str, dict[str, float]]:
    """By deviations and number of rounds, how often the mean net is within the volatility index.

    It is 90.1 % and 95.0 % for a normal law. A number of rounds whose law takes too much memory is left out.
    """
    key = ["index coverage", {str(net): str(chance) for net, chance in nets.items()}]
    found: dict[str, dict[str, float]] = cached_json(key, lambda: _compute_coverage(nets))
    return found


def _compute_coverage(nets: Mapping[Fraction, Fraction]) -> dict[str, dict[str, float]]:
    parts = lcm(*(net.denominator for net in nets))
    law = RoundLaw({int(net * parts): chance for net, chance in nets.items()}, Fraction(0), 0)
    spreads = {rounds: sum_rounds(Walk(law.nets, 0, rounds)) for rounds in INDEX_ROUNDS}
    return {
        str(float(z)): {str(n): _how_often(law, n, z, spread) for n, spread in spreads.items() if spread}
        for z in VOLATILITY
    }


def _how_often(law: RoundLaw, rounds: int, deviations: Fraction, spread: Spread) -> float:
    """The probability that the net of all rounds is within this number of deviations of its mean."""
    away = abs(spread.results - rounds * float(law.mean))
    return spread.chance(away <= float(deviations) * sqrt(rounds) * root(law.variance))
