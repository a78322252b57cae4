"""A complete strategy: one row for each class of hands, with the exact value of every open choice."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple


class StrategyRow(NamedTuple):
    """A class of hands, its best choice, and the expected net of each choice in whole parts of a unit."""

    hand: str
    situation: str  # what the player knows besides the hand; empty if nothing
    hands: int  # in the class
    choice: int  # the best one, as the rules number it
    nets: tuple[int | None, ...]  # by choice; None where it is not open
    parts: int  # of a unit: nets[choice] / parts is an expected net in units

    @property
    def second_cost(self) -> Fraction | None:
        """The cost of the second best choice, in units; None if only one choice is open."""
        best, *others = sorted((net for net in self.nets if net is not None), reverse=True)
        return Fraction(best - others[0], self.parts) if others else None


@dataclass(frozen=True)
class StrategyTable:
    """All classes of hands in which a choice opens. Rows are made while they are read."""

    count: int  # of rows
    rows: Iterator[StrategyRow]
    note: str  # which net the values are, and what `hands` counts
