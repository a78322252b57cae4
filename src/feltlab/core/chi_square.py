"""Pearson's chi-square test: do counts agree with the probabilities that a law gives them?"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import erfc, exp, lgamma, log, sqrt
from typing import Any

MIN_EXPECTED_PER_CELL = 10  # expected counts; cells with fewer are put together


@dataclass(frozen=True)
class ChiSquare:
    """The statistic of a chi-square test and its degrees of freedom."""

    statistic: float
    freedom: int

    @property
    def probability(self) -> float:
        """The probability that chance alone gives so large a statistic."""
        return chi_square_probability(self.statistic, self.freedom)

    def as_json(self) -> dict[str, Any]:
        return {
            "statistic": self.statistic,
            "degrees_of_freedom": self.freedom,
            "probability": self.probability,
        }


def chi_square(found: Mapping[Any, int], law: Mapping[Any, int]) -> ChiSquare:
    """Test counts against a law, which gives each cell a weight.

    >>> dice = {face: 1 for face in range(1, 7)}
    >>> test = chi_square({1: 95, 2: 106, 3: 101, 4: 97, 5: 104, 6: 97}, dice)
    >>> test.freedom, round(test.statistic, 2), round(test.probability, 2)
    (5, 0.96, 0.97)
    """
    rounds, deals = sum(found.values()), sum(law.values())
    cells = [(rounds * count / deals, found.get(cell, 0)) for cell, count in law.items()]
    often = [cell for cell in cells if cell[0] >= MIN_EXPECTED_PER_CELL]
    rare = [cell for cell in cells if cell[0] < MIN_EXPECTED_PER_CELL]
    together = (sum(expected for expected, _ in rare), sum(seen for _, seen in rare))
    if together[0] >= MIN_EXPECTED_PER_CELL:
        often.append(together)
    statistic = sum((seen - expected) ** 2 / expected for expected, seen in often)
    return ChiSquare(statistic, max(len(often) - 1, 0))


def chi_square_probability(statistic: float, freedom: int) -> float:
    """The probability that chi-square with these degrees of freedom is larger than `statistic`.

    For whole degrees of freedom this is a finite sum.
    """
    if freedom == 0 or statistic <= 0:
        return 1.0
    half = statistic / 2
    start = erfc(sqrt(half)) if freedom % 2 else exp(-half)
    powers = range(1, (freedom + 1) // 2) if freedom % 2 else range(1, freedom // 2)
    shift = 0.5 if freedom % 2 else 0.0
    terms = (exp((n - shift) * log(half) - half - lgamma(n + 1 - shift)) for n in powers)
    return min(1.0, start + sum(terms))
