"""A simulation compared with a proof.

Every measure is the mean of some value of a round: the net for the edge, 1 or 0 for the hit frequency, the
squared distance from the proved mean for the deviation. The proof says how far such a mean strays by
chance, so distances are in standard errors of the proved law, not of the sample. A chi-square test over
all joint outcomes finds differences that no mean shows.

The verdict takes all k tests together (Bonferroni): the smallest of their probabilities, times k, is about
the probability that a true proof looks so wrong. A mean is shown but does not judge when its law is too
skewed for the number of rounds.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import erfc, sqrt
from typing import Any

from feltlab.core.chi_square import ChiSquare, chi_square
from feltlab.core.layout import Spot
from feltlab.core.tally import Outcomes, Tally
from feltlab.proving.exact_numbers import exact, root
from feltlab.proving.proof import Proof

# The skewness of the mean is then at most 0.1: at five standard errors the tail of the normal law, by which
# a mean is judged, is wrong by a factor of eight at most (exp(0.1 * 5**3 / 6)).
ROUNDS_PER_SQUARED_SKEWNESS = 100
UNUSUAL_PROBABILITY, WRONG_PROBABILITY = 1e-2, 1e-6  # that a true proof looks so wrong


@dataclass(frozen=True)
class ComparedMeasure:
    """One figure: simulated with its standard error, proved, and the distance in standard errors."""

    bet: Spot
    name: str  # edge, hit frequency, deviation
    simulated: float
    error: float  # standard, of the simulated figure
    proved: Fraction | float | None  # None where nothing is proved
    z: float
    judges: bool  # are there enough rounds for the mean to be nearly normal?

    @property
    def probability(self) -> float:
        """The probability of so large a distance by chance."""
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
class Comparison:
    """The agreement of a simulation with a proof."""

    measures: tuple[ComparedMeasure, ...]
    outcomes: ChiSquare
    choices: ChiSquare  # over first choices
    impossible: Mapping[Outcomes, int]  # outcomes that the proof excludes, and how often they occurred

    @property
    def tests(self) -> list[float]:
        """The probabilities of all tests that judge."""
        tests = [test.probability for test in (self.outcomes, self.choices) if test.freedom]
        return tests + [measure.probability for measure in self.measures if measure.judges]

    @property
    def probability(self) -> float:
        """About the probability that a true proof looks so wrong."""
        if self.impossible:
            return 0.0
        return min(1.0, len(self.tests) * min(self.tests)) if self.tests else 1.0

    @property
    def verdict(self) -> str:
        if self.probability < WRONG_PROBABILITY:
            return "differs"
        if not self.tests:
            return "too few"
        return "unusual" if self.probability < UNUSUAL_PROBABILITY else "agrees"

    def in_words(self) -> str:
        if self.impossible:
            times = sum(self.impossible.values())
            return f"The simulation differs from the proof, which excludes the outcomes of {times:,} rounds."
        rarity = _describe_rarity(self.probability)
        if self.verdict == "differs":
            return f"The simulation differs from the proof: chance does this {rarity}."
        if self.verdict == "unusual":
            return f"Unusual: a true proof looks so wrong {rarity}; try another seed or more rounds."
        if self.verdict == "too few":
            return "There are too few rounds to judge the proof."
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


def _describe_rarity(probability: float) -> str:
    return f"once in {1 / probability:,.0f} times" if probability > 1e-12 else "practically never"


def compare(tally: Tally, first_choices: Mapping[str, int], proof: Proof) -> Comparison:
    """Compare a simulated tally with a proof; each pays by its own game's pay tables."""
    law = proof.law
    return Comparison(
        tuple(measure_tally(tally, proof.tally)),
        chi_square(tally.counts, law.counts),
        chi_square(first_choices, law.first_choices),
        {outcomes: n for outcomes, n in tally.counts.items() if outcomes not in law.counts},
    )


# -- Measures ---------------------------------------------------------------------------------------

Values = Mapping[Fraction, int]  # how often a round has each value


def measure_tally(tally: Tally, law: Tally | None = None) -> Iterator[ComparedMeasure]:
    """Measure every bet; without a law, standard errors are those of the sample."""
    for bet in tally.game.wagers:
        yield from _measure_bet(tally, law, bet)


def _measure_bet(tally: Tally, law: Tally | None, bet: Spot) -> Iterator[ComparedMeasure]:
    nets, known = _count_nets(tally, bet), _count_nets(law or tally, bet)
    mean = _moment(known, Fraction(0), 1)

    def measure(name: str, of: Callable[[Fraction], Fraction]) -> ComparedMeasure:
        return _compare_measure(bet, name, _map_values(nets, of), _map_values(known, of), law is not None)

    yield measure("edge", lambda net: -net)
    hits = _count_hits(tally, bet), _count_hits(law or tally, bet)
    yield _compare_measure(bet, "hit frequency", *hits, law is not None)
    yield _measure_root(measure("deviation", lambda net: (net - mean) ** 2), root(tally.variance(bet)))


def _compare_measure(bet: Spot, name: str, simulated: Values, known: Values, proved: bool) -> ComparedMeasure:
    found, expected = _moment(simulated, Fraction(0), 1), _moment(known, Fraction(0), 1)
    rounds = _total(simulated)
    variance = float(_moment(known, expected, 2))
    error, distance = sqrt(variance / rounds), float(found - expected)
    z = distance / error if error else float("inf") * distance if distance else 0.0
    skewness = float(_moment(known, expected, 3)) / variance**1.5 if variance else 0.0
    enough = rounds >= ROUNDS_PER_SQUARED_SKEWNESS * max(1.0, skewness**2)
    return ComparedMeasure(bet, name, float(found), error, expected if proved else None, z, proved and enough)


def _measure_root(square: ComparedMeasure, simulated: float) -> ComparedMeasure:
    """Turn the measure of a square into that of its root, with the error to first order."""
    proved = None if square.proved is None else root(Fraction(square.proved))
    error = square.error / (2 * simulated) if simulated else 0.0
    return replace(square, simulated=simulated, error=error, proved=proved)


def _count_nets(tally: Tally, bet: Spot) -> Values:
    found: Counter[Fraction] = Counter()
    for outcomes, count in tally.counts.items():
        found[tally.net(bet, outcomes)] += count
    return found


def _count_hits(tally: Tally, bet: Spot) -> Values:
    """By 1 or 0, the rounds in which the wager itself wins or does not."""
    hits = int(tally.hit_frequency(bet) * tally.deals)
    return {Fraction(1): hits, Fraction(0): tally.deals - hits}


def _map_values(values: Values, of: Callable[[Fraction], Fraction]) -> Values:
    found: Counter[Fraction] = Counter()
    for value, count in values.items():
        found[of(value)] += count
    return found


def _moment(values: Values, about: Fraction, power: int) -> Fraction:
    total = sum(((value - about) ** power * count for value, count in values.items()), Fraction(0))
    return total / _total(values)


def _total(values: Values) -> int:
    return sum(values.values())
