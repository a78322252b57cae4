"""Tallies: counts of the joint outcomes of all spots, and the measures of a bet and of a stake.

A *bet* is a first wager with its raises. Everything is exact: counts are ints, measures Fractions, in
units of the first wager.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import mul

from feltlab.core.game import Game
from feltlab.core.layout import NOT_PLACED, Spot
from feltlab.core.paytable import Line

Outcomes = tuple[int, ...]  # the number of each spot's outcome with its units, in the order of the spots


@dataclass(frozen=True)
class Tally:
    """Counts of joint outcomes of one game.

    >>> from feltlab import GAMES
    >>> game = GAMES["casino-war"]
    >>> tally = Tally(game, {(0, 1): 3, (1, 1): 5})  # primary: three higher cards, five lower; tie: never
    >>> tally.expected(game.spot("primary")), tally.expected(game.spot("tie"))
    (Fraction(-1, 4), Fraction(-1, 1))
    """

    game: Game
    counts: Mapping[Outcomes, int]

    @classmethod
    def of(cls, game: Game, outcomes: Iterable[Outcomes]) -> "Tally":
        return cls(game, Counter(outcomes))

    def __add__(self, other: "Tally") -> "Tally":
        if self.game != other.game:
            raise ValueError("tallies of different games do not add up")
        return Tally(self.game, Counter(self.counts) + Counter(other.counts))

    @cached_property
    def deals(self) -> int:
        return sum(self.counts.values())

    def outcomes(self, spot: Spot) -> dict[str, int]:
        """The count of each outcome of a spot, in the order of its pay table."""
        at = self.game.spots.index(spot)
        found: Counter[int] = Counter()
        for outcomes, count in self.counts.items():
            if outcomes[at] != NOT_PLACED:
                found[spot.split_number(outcomes[at])[0]] += count
        return {name: found[number] for number, name in enumerate(spot.outcomes)}

    def units(self, spot: Spot) -> dict[str, int]:
        """The units that each outcome of a spot decides, over all deals, in the order of its pay table."""
        at = self.game.spots.index(spot)
        found: Counter[int] = Counter()
        for outcomes, count in self.counts.items():
            if outcomes[at] != NOT_PLACED:
                outcome, units = spot.split_number(outcomes[at])
                found[outcome] += count * units
        lines = self.game.pay_table(spot).lines
        return {line.outcome: found[number] * line.wagered for number, line in enumerate(lines)}

    # -- Measures of a bet ---------------------------------------------------------------------------

    def expected(self, bet: Spot) -> Fraction:
        """The mean net, in units of the first wager; the house edge is its negative."""
        return self._mean(self._nets_of[bet])

    def covariance(self, bet: Spot, other: Spot) -> Fraction:
        product = self._mean(map(mul, self._nets_of[bet], self._nets_of[other]))
        return product - self.expected(bet) * self.expected(other)

    def variance(self, bet: Spot) -> Fraction:
        return self.covariance(bet, bet)

    def average_wager(self, bet: Spot) -> Fraction:
        """The mean amount put down, raises included."""
        return self._mean(self.staked(bet, outcomes) for outcomes in self.counts)

    def element_of_risk(self, bet: Spot) -> Fraction:
        """The mean loss for each unit put down, raises included."""
        return -self.expected(bet) / self.average_wager(bet)

    def hit_frequency(self, bet: Spot) -> Fraction:
        """The probability that the wager itself wins, whatever its raises do."""
        lines = zip(self.game.pay_table(bet).lines, self.outcomes(bet).values(), strict=True)
        return Fraction(sum(count for line, count in lines if line.pays > 0), self.deals)

    def win_frequency(self, bet: Spot) -> Fraction:
        """The probability that the bet, raises included, nets more than zero."""
        return self._mean(Fraction(net > 0) for net in self._nets_of[bet])

    def push_frequency(self, bet: Spot) -> Fraction:
        """The probability that the bet, raises included, nets zero."""
        return self._mean(Fraction(net == 0) for net in self._nets_of[bet])

    @cached_property
    def _nets_of(self) -> dict[Spot, list[Fraction]]:
        """By bet, its net in every joint outcome, in the order of the counts."""
        return {bet: [self.net(bet, outcomes) for outcomes in self.counts] for bet in self.game.wagers}

    def _mean(self, values: Iterable[Fraction]) -> Fraction:
        """The mean of a value over all joint outcomes. Few values differ, so counts are added first."""
        counted: Counter[Fraction] = Counter()
        for value, count in zip(values, self.counts.values(), strict=True):
            counted[value] += count
        return sum((value * count for value, count in counted.items()), Fraction(0)) / self.deals

    # -- Measures of a stake -------------------------------------------------------------------------

    def total_expected(self, stake: Mapping[str, Fraction | int]) -> Fraction:
        """The mean net of all bets together; the stake gives the units on each."""
        return sum((units * self.expected(self.game.spot(bet)) for bet, units in stake.items()), Fraction(0))

    def total_variance(self, stake: Mapping[str, Fraction | int]) -> Fraction:
        bets = [(self.game.spot(bet), units) for bet, units in stake.items()]
        return sum((u * v * self.covariance(a, b) for a, u in bets for b, v in bets), Fraction(0))

    # -- One joint outcome ---------------------------------------------------------------------------

    def net(self, bet: Spot, outcomes: Outcomes) -> Fraction:
        """The net of a bet in a joint outcome, in units of its first wager."""
        return self._sum(bet, outcomes, self._nets)

    def staked(self, bet: Spot, outcomes: Outcomes) -> Fraction:
        return self._sum(bet, outcomes, self._stakes)

    def _sum(self, bet: Spot, outcomes: Outcomes, values: list[list[Fraction]]) -> Fraction:
        spots = enumerate(self.game.spots)
        placed = ((at, outcomes[at]) for at, spot in spots if bet.name in (spot.name, spot.follows))
        return sum((values[at][number] for at, number in placed if number != NOT_PLACED), Fraction(0))

    @cached_property
    def _nets(self) -> list[list[Fraction]]:
        return self._by_number(lambda spot, line: spot.size * line.pays)

    @cached_property
    def _stakes(self) -> list[list[Fraction]]:
        return self._by_number(lambda spot, line: Fraction(0 if spot.bonus_on else spot.size * line.wagered))

    def _by_number(self, value: Callable[[Spot, Line], Fraction]) -> list[list[Fraction]]:
        """By spot and number of an outcome with its units, a value in units of the first wager."""
        return [
            [
                units * value(spot, line)
                for units in range(1, spot.most_units + 1)
                for line in self.game.pay_table(spot).lines
            ]
            for spot in self.game.spots
        ]
