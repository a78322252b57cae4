"""Pay tables: the outcomes of a wager in order, and the pay of each.

Rules name outcomes; pay tables turn outcomes into money.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

CUSTOM = "custom"  # the name of a pay table that is not listed


@dataclass(frozen=True)
class Line:
    """One outcome. It pays `pays` for each unit staked: -1 is a loss, 0 a push, 3/2 is 3 to 2.

    >>> win("blackjack", Fraction(3, 2)).odds, lose("surrender", Fraction(-1, 2)).odds
    ('3 to 2', 'lose half')
    """

    outcome: str
    pays: Fraction
    refund: bool = False  # returned, because the rules take the wager out of play
    listed: bool = True  # printed on the table's pay table
    unraised: bool = False  # no choice can have put a second unit on the wager by then
    wagered: bool = True  # it counts towards the average wager

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


def win(outcome: str, pays: int | Fraction = 1, listed: bool = True, unraised: bool = False) -> Line:
    return Line(outcome, Fraction(pays), listed=listed, unraised=unraised)


def push(outcome: str) -> Line:
    return Line(outcome, Fraction(0))


def lose(outcome: str, pays: int | Fraction = -1, unraised: bool = False) -> Line:
    return Line(outcome, Fraction(pays), unraised=unraised)


def refund(outcome: str, wagered: bool = True) -> Line:
    return Line(outcome, Fraction(0), refund=True, wagered=wagered)


@dataclass(frozen=True)
class PayTable:
    """All outcomes of a wager, numbered by their order, under the name that the house gives the table.

    >>> table = PayTable("tie", (win("tie", 10), lose("no tie")))
    >>> table.outcomes
    ('tie', 'no tie')
    """

    name: str
    lines: tuple[Line, ...]

    @cached_property
    def outcomes(self) -> tuple[str, ...]:
        return tuple(line.outcome for line in self.lines)

    @cached_property
    def denominator(self) -> int:
        """The smallest number of cents of which every outcome pays whole cents."""
        return lcm(*(line.pays.denominator for line in self.lines))

    def with_pays(self, pays: Mapping[str, Fraction]) -> "PayTable":
        """This table with other pays on some lines. An unlisted line becomes listed once it differs."""
        if not pays:
            return self
        lines = [replace(line, pays=pays.get(line.outcome, line.pays)) for line in self.lines]
        beside = zip(lines, lines[1:] + lines[-1:], strict=True)
        listed = (replace(line, listed=line.listed or line.pays != below.pays) for line, below in beside)
        return PayTable(CUSTOM, tuple(listed))

    def find_lines(self, text: str) -> list[Line]:
        """The lines that a text may mean: of that name, or else beginning with it, or else with its words."""
        asked = _plain(text)
        names = {line: _plain(line.outcome) for line in self.lines} if asked else {}
        exactly = [line for line, name in names.items() if name == asked]
        beginning = [line for line, name in names.items() if name.startswith(asked)]
        words = set(asked.split())
        return exactly or beginning or [line for line, name in names.items() if words <= set(name.split())]

    def followers(self, line: Line) -> list[Line]:
        """The unlisted lines just before a listed one, which are paid like it."""
        at = self.lines.index(line)
        found = []
        while at and line.listed and not self.lines[at - 1].listed:
            at -= 1
            found.append(self.lines[at])
        return found


def _plain(name: str) -> str:
    """The words of a name in lower case, separated by single spaces."""
    return " ".join(re.findall(r"\w+", name.lower()))
