"""The measures of a bet or of a stake in one round, and the definitions of all terms of a PAR sheet."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from feltlab.analysis.session import moment, skewness
from feltlab.proving.exact_numbers import exact, exact_root, root

VOLATILITY = (Fraction(165, 100), Fraction(196, 100))  # deviations: about 90 % and 95 % of a normal law


@dataclass(frozen=True)
class Measures:
    """Measures of the net of a bet, or of the whole stake, in a round, in units."""

    nets: Mapping[Fraction, Fraction]  # with their probabilities
    average_wager: Fraction
    first_wagers: Fraction  # the units that are put down before the cards; raises are not
    hit_frequency: Fraction | None = None  # of a bet's own wager; a stake of several wagers has none

    @cached_property
    def expected(self) -> Fraction:
        return moment(self.nets, Fraction(0), 1)

    @property
    def loss(self) -> Fraction:
        """The expected loss of a round."""
        return -self.expected

    @property
    def edge(self) -> Fraction:
        """The expected loss for each unit of the first wagers."""
        return self.loss / self.first_wagers

    @property
    def element_of_risk(self) -> Fraction:
        return self.loss / self.average_wager

    @property
    def win_frequency(self) -> Fraction:
        return self._chance(1)

    @property
    def push_frequency(self) -> Fraction:
        return self._chance(0)

    @property
    def loss_frequency(self) -> Fraction:
        return self._chance(-1)

    @cached_property
    def variance(self) -> Fraction:
        return moment(self.nets, self.expected, 2)

    @property
    def deviation(self) -> float:
        return root(self.variance)

    @property
    def skewness(self) -> float:
        return skewness(moment(self.nets, self.expected, 3), self.variance)

    def volatility(self, deviations: Fraction) -> float:
        return root(deviations**2 * self.variance)

    @property
    def largest(self) -> Fraction:
        """The most that the house can lose in a round."""
        return max(self.nets)

    def _chance(self, sign: int) -> Fraction:
        """The probability that the net has this sign."""
        found = (chance for net, chance in self.nets.items() if (net > 0) - (net < 0) == sign)
        return sum(found, Fraction(0))

    def as_json(self) -> dict[str, Any]:
        hit = {} if self.hit_frequency is None else {"hit_frequency": exact(self.hit_frequency)}
        shares = ("element_of_risk", "average_wager", "win_frequency", "push_frequency", "loss_frequency")
        return {
            "expected": exact(self.expected),
            "first_wagers": exact(self.first_wagers),
            "house_edge": exact(self.edge),
            "return_to_player": exact(1 - self.edge),
            **hit,
            **{name: exact(getattr(self, name)) for name in shares},
            "variance": exact(self.variance),
            "std_dev": exact_root(self.variance),
            "skewness": self.skewness,
            "volatility_index": {str(float(z)): exact_root(z**2 * self.variance) for z in VOLATILITY},
            "largest_net": exact(self.largest),
        }


DEFINITIONS = {
    "unit": "the amount of one first wager; everything that is not in dollars is in units",
    "combinations": "the number of equally likely deals with this outcome, under the strategy of this sheet",
    "net": "what the outcome wins or loses, raises included",
    "return": "probability times net; the returns of a bet add up to its expected net",
    "house edge": "the expected loss for each unit of the first wager, of a stake for each unit of all its "
    "first wagers together; if negative, the player has the edge",
    "return to player": "one minus the house edge",
    "joint edge": "the house edge of a whole stake: the expected loss for each unit of its first wagers",
    "added cost": "the expected loss of a round with a wager less that without it, each at its own best "
    "play, for each unit of the wager",
    "least and most alone": "the house edge of a wager under the play that is best for this wager and "
    "nothing else, and under the play that is best for the other wagers of the stake and nothing else; the "
    "added cost is between them",
    "element of risk": "the expected loss for each unit put down, raises included",
    "average wager": "the mean amount put down in a round, raises included",
    "hit frequency": "the probability that the wager itself wins, whatever its raises do",
    "net win": "the probability that the bet, raises included, nets more than zero",
    "net push": "the probability that the bet, raises included, nets zero",
    "net loss": "the probability that the bet, raises included, nets less than zero",
    "variance": "the mean squared distance of a round's net from its mean",
    "standard deviation": "the square root of the variance",
    "skewness": "the third central moment divided by the third power of the standard deviation",
    "volatility index": "1.65 or 1.96 standard deviations of one round. If the mean of n rounds were "
    "normal, it would differ from its expectation by at most the index divided by the root of n in 90.1 % "
    "or 95.0 % of cases; the table of intervals has the true percentages, which for few rounds and skewed "
    "pays are others",
    "interval": "the range of the return to player over n independent rounds, each from full cards, with at "
    "least this probability; at most half of the other cases are below it and at most half above it",
    "covariance": "of two bets on the same hand, one unit each; divided by the two standard deviations it is "
    "the correlation",
    "cost": "the loss of a strategy against the best strategy, for the stake of this sheet",
    "sensitivity": "the change of the house edge when a line pays one more to one and the strategy stays the "
    "same; options are proved for each value, and the optimal strategy is the one for that value",
    "class of hands": "hands with the same law, such as those that differ by the names of suits only",
    "standard error": "the standard deviation of a simulated mean",
    "z": "the difference of a simulated and a proved value, in standard errors",
    "chi-square": "the sum over all cells of the squared difference of simulated and expected rounds, "
    "divided by the expected ones; its degrees of freedom are the cells less one",
    "p": "the probability that chance alone gives a chi-square as large as this",
    "theoretical win": "the expected win of the house",
    "handle": "the total of all money put down, raises included",
    "drop": "the money that players buy in for",
    "hold": "the share of the drop that the house keeps; it is not the house edge, because players put the "
    "same money down many times",
    "percentile": "the result that this many of a hundred sessions do not exceed; the median is the 50th",
    "ruin": "before the last round, the player has less left than a round can require",
    "bands": "the range of the win with this probability, by the law of all rounds of independent seats, "
    "widened about its mean because seats that share a dealer win and lose together. Its error is about the "
    "distance from a normal law corrected for skewness, and what the standard error of a simulated "
    "correlation adds",
    "largest exposure": "the largest net of one seat times the number of seats: an upper bound, which one "
    "deck may not reach",
    "aggregate payout limit": "the most that the house pays all players together for one prize in one deal, "
    "where it posts such a limit",
    "average round of a shoe": "the mean over all rounds that are dealt from a shoe until its cut card is "
    "out, in the long run",
}
