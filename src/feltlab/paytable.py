"""Pay tables: the outcomes of a wager in order, and what each pays.

Rules name outcomes; only here do outcomes become money.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm


@dataclass(frozen=True)
class Line:
    """One outcome. It pays `pays` for each unit staked: -1 is a loss, 0 a push, 3/2 is 3 to 2."""

    outcome: str
    pays: Fraction
    staked: int = 1  # units on the felt by then, raises included
    refund: bool = False  # given back because the rules take the wager out of play
    listed: bool = True  # printed on the table's pay table

    @property
    def net(self) -> Fraction:
        """Units won for each unit first wagered."""
        return self.pays * self.staked

    @property
    def result(self) -> str:
        if self.refund:
            return "refund"
        return "win" if self.pays > 0 else "lose" if self.pays < 0 else "push"

    @property
    def odds(self) -> str:
        """'3 to 2', 'push', 'lose', 'lose half'."""
        if self.pays > 0:
            return f"{self.pays.numerator:,} to {self.pays.denominator}"
        if self.pays < 0:
            return (
                "lose"
                if self.pays == -1
                else "lose half"
                if self.pays == Fraction(-1, 2)
                else f"lose {-self.pays}"
            )
        return self.result


def win(outcome: str, pays: int | Fraction = 1, staked: int = 1, listed: bool = True) -> Line:
    return Line(outcome, Fraction(pays), staked, listed=listed)


def push(outcome: str, staked: int = 1) -> Line:
    return Line(outcome, Fraction(0), staked)


def lose(outcome: str, pays: int | Fraction = -1, staked: int = 1) -> Line:
    return Line(outcome, Fraction(pays), staked)


def refund(outcome: str) -> Line:
    return Line(outcome, Fraction(0), refund=True)


@dataclass(frozen=True)
class PayTable:
    """All outcomes of a wager, numbered by their order, and the name under which the house knows them."""

    name: str
    lines: tuple[Line, ...]

    @cached_property
    def outcomes(self) -> tuple[str, ...]:
        return tuple(line.outcome for line in self.lines)

    @cached_property
    def denominator(self) -> int:
        """The smallest number of cents of which every outcome pays whole cents."""
        return lcm(*(line.net.denominator for line in self.lines))
