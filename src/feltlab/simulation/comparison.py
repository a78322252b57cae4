"""A simulation held against a proof.

Every measure is the mean of some value of a round: the net for the edge, won or not for the hit
frequency, the squared distance from the proved mean for the deviation. The proof says how far such a mean
strays by chance, so the distance is told in standard errors of the law, not of the sample. A chi-square
over all joint outcomes sees what no mean sees.

With k tests the smallest of their probabilities, times k, is about how rarely a true proof would look so
wrong. A mean whose law is too lopsided for so few rounds is shown but does not judge.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import erfc, exp, lgamma, log, sqrt
from typing import Any

from feltlab.core.layout import Spot
from feltlab.core.tally import Outcomes, Tally
from feltlab.proving.exact_numbers import exact, root
from feltlab.proving.proof import Proof

ENOUGH = 25  # rounds for each squared unit of skewness: the mean's own skewness is then below 0.2
LEAST_EXPECTED = 10  # rounds in a cell of the chi-square; rarer outcomes share one
UNUSUAL, WRONG = 1e-2, 1e-6  # how rarely a true proof looks so wrong


@dataclass(frozen=True)
class Measure:
    """One figure: as simulated with its standard error, as proved, and the distance in standard errors."""

    bet: Spot
    name: str  # edge, hit frequency, deviation
    simulated: float
    error: float  # standard, of the simulated figure
    proved: Fraction | float | None  # None where nothing is proved
    z: float
    judges: bool  # are the rounds enough for chance to be nearly normal?

    @property
    def probability(self) -> float:
        """Of so large a distance by chance."""
        return erfc(abs(self.z) / sqrt(2))

    def as_json(self) -> dict[str, Any]:
        found = {
            "bet": self.bet.name,
            "measure": self.name,
            "simulated": self.simulated,
            "standard_error": self.error,
        }
        if self.proved is None:
            return found
        proved = exact(self.proved) if isinstance(self.proved, Fraction) else {"value": self.proved}
        return found | {"proved": proved, "z": self.z, "judges": self.judges}


@dataclass(frozen=True)
class ChiSquare:
    """The squared distances of all cells, each in its own variance."""

    statistic: float
    freedom: int

    @property
    def probability(self) -> float:
        return survival(self.statistic, self.freedom)

    def as_json(self) -> dict[str, Any]:
        return {
            "statistic": self.statistic,
            "degrees_of_freedom": self.freedom,
            "probability": self.probability,
        }


@dataclass(frozen=True)
class Comparison:
    """How well a simulation and a proof agree."""

    measures: tuple[Measure, ...]
    outcomes: ChiSquare
    choices: ChiSquare  # over first choices
    impossible: Mapping[Outcomes, int]  # outcomes that the proof excludes, and how often they occurred

    @property
    def tests(self) -> list[float]:
        """The probabilities of all that judges."""
        tests = [test.probability for test in (self.outcomes, self.choices) if test.freedom]
        return tests + [measure.probability for measure in self.measures if measure.judges]

    @property
    def probability(self) -> float:
        """About how rarely a true proof would look so wrong."""
        if self.impossible:
            return 0.0
        return min(1.0, len(self.tests) * min(self.tests)) if self.tests else 1.0

    @property
    def verdict(self) -> str:
        if self.probability < WRONG:
            return "differs"
        if not self.tests:
            return "too few"
        return "unusual" if self.probability < UNUSUAL else "agrees"

    def in_words(self) -> str:
        if self.impossible:
            times = sum(self.impossible.values())
            return f"The simulation differs from the proof: {times:,} rounds ended as the proof excludes."
        if self.verdict == "differs":
            return f"The simulation differs from the proof: chance does this {_seldom(self.probability)}."
        if self.verdict == "unusual":
            seldom = _seldom(self.probability)
            return f"Unusual: a true proof looks so wrong {seldom}; try another seed or more rounds."
        if self.verdict == "too few":
            return "So few rounds say nothing about the proof."
        return "The simulation agrees with the proof."

    def as_json(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "probability": self.probability,
            "measures": [measure.as_json() for measure in self.measures],
            "chi_square_outcomes": self.outcomes.as_json(),
            "chi_square_first_choices": self.choices.as_json(),
            "impossible_rounds": sum(self.impossible.values()),
        }


def _seldom(probability: float) -> str:
    return f"once in {1 / probability:,.0f} times" if probability > 1e-12 else "practically never"


def compare(tally: Tally, first_choices: Mapping[str, int], proof: Proof) -> Comparison:
    """A simulated tally against a proof; nets are those of each one's own pay tables."""
    law = proof.law
    return Comparison(
        tuple(measured(tally, proof.tally)),
        chi_square(tally.counts, law.counts),
        chi_square(first_choices, law.first_choices),
        {outcomes: n for outcomes, n in tally.counts.items() if outcomes not in law.counts},
    )


# -- Measures ---------------------------------------------------------------------------------------

Values = Mapping[Fraction, int]  # how often a round has each value


def measured(tally: Tally, law: Tally | None = None) -> Iterator[Measure]:
    """The figures of every bet; without a law the sample itself says how far they stray."""
    for bet in tally.game.wagers:
        yield from _of_bet(tally, law, bet)


def _of_bet(tally: Tally, law: Tally | None, bet: Spot) -> Iterator[Measure]:
    nets, known = _nets(tally, bet), _nets(law or tally, bet)
    mean = _moment(known, Fraction(0), 1)

    def measure(name: str, of: Callable[[Fraction], Fraction]) -> Measure:
        return _measure(bet, name, _each(nets, of), _each(known, of), law is not None)

    yield measure("edge", lambda net: -net)
    yield measure("hit frequency", lambda net: Fraction(net > 0))
    yield _of_root(measure("deviation", lambda net: (net - mean) ** 2), root(tally.variance(bet)))


def _measure(bet: Spot, name: str, simulated: Values, known: Values, proved: bool) -> Measure:
    found, expected, rounds = (
        _moment(simulated, Fraction(0), 1),
        _moment(known, Fraction(0), 1),
        _sum(simulated),
    )
    variance = float(_moment(known, expected, 2))
    error, distance = sqrt(variance / rounds), float(found - expected)
    z = distance / error if error else float("inf") * distance if distance else 0.0
    skewness = float(_moment(known, expected, 3)) / variance**1.5 if variance else 0.0
    enough = rounds >= ENOUGH * max(1.0, skewness**2)
    return Measure(bet, name, float(found), error, expected if proved else None, z, proved and enough)


def _of_root(square: Measure, simulated: float) -> Measure:
    """The measure of a root from that of its square; the error to first order."""
    proved = None if square.proved is None else root(Fraction(square.proved))
    error = square.error / (2 * simulated) if simulated else 0.0
    return replace(square, simulated=simulated, error=error, proved=proved)


def _nets(tally: Tally, bet: Spot) -> Values:
    found: Counter[Fraction] = Counter()
    for outcomes, count in tally.counts.items():
        found[tally.net(bet, outcomes)] += count
    return found


def _each(values: Values, of: Callable[[Fraction], Fraction]) -> Values:
    found: Counter[Fraction] = Counter()
    for value, count in values.items():
        found[of(value)] += count
    return found


def _moment(values: Values, about: Fraction, power: int) -> Fraction:
    total = sum(((value - about) ** power * count for value, count in values.items()), Fraction(0))
    return total / _sum(values)


def _sum(values: Values) -> int:
    return sum(values.values())


# -- Chi-square -------------------------------------------------------------------------------------


def chi_square(found: Mapping[Any, int], law: Mapping[Any, int]) -> ChiSquare:
    """Over the cells of a law; cells of which hardly any rounds are expected are taken together."""
    rounds, deals = sum(found.values()), sum(law.values())
    cells = [(rounds * count / deals, found.get(cell, 0)) for cell, count in law.items()]
    often = [cell for cell in cells if cell[0] >= LEAST_EXPECTED]
    rest = [sum(column) for column in zip(*(cell for cell in cells if cell[0] < LEAST_EXPECTED), strict=True)]
    if rest and rest[0] >= LEAST_EXPECTED:
        often.append((rest[0], int(rest[1])))
    statistic = sum((seen - expected) ** 2 / expected for expected, seen in often)
    return ChiSquare(statistic, max(len(often) - 1, 0))


def survival(statistic: float, freedom: int) -> float:
    """The chance that a chi-square of so many degrees of freedom is larger: a finite sum for whole ones."""
    if freedom == 0 or statistic <= 0:
        return 1.0
    half = statistic / 2
    start = erfc(sqrt(half)) if freedom % 2 else exp(-half)
    powers = range(1, (freedom + 1) // 2) if freedom % 2 else range(1, freedom // 2)
    shift = 0.5 if freedom % 2 else 0.0
    terms = (exp((n - shift) * log(half) - half - lgamma(n + 1 - shift)) for n in powers)
    return min(1.0, start + sum(terms))
