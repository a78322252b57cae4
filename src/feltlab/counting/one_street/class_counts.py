"""Counts by class of the cards that a player sees at the one choice of a round.

The unseen cards of a class fall into a few *kinds*, for example dealer's hands that are lower, equal or
higher. Every choice has one joint outcome for each kind. That outcome is the same for all classes of a
*group*, for example for all hands of one strength, so tables of outcomes are small and counts are the only
large array.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes, Tally
from feltlab.errors import Refused
from feltlab.kernel import Array, kernel
from feltlab.parallel.progress import Progress
from feltlab.parallel.threads import map_in_threads, slices

Ints = NDArray[np.int64]
NOT_OPEN = -1  # in place of the number of a joint outcome
NO_CHOICE = 255  # in place of a choice
SLICES = 64
LARGEST = 1 << 62


@dataclass(frozen=True)
class ClassCounts:
    """The number of deals of the unseen cards of each kind, by class of the cards seen."""

    shoes: Array  # a row per class; places that are not seen are UNKNOWN
    weights: Ints  # by class: the number of such hands
    counts: NDArray[np.integer[Any]]  # counts[class, kind]: deals of the unseen cards, their order aside
    group: NDArray[np.integer[Any]]  # by class: the row of `columns`
    columns: Ints  # columns[choice, group, kind]: the number of a joint outcome, NOT_OPEN if it is not open
    outcomes: tuple[Outcomes, ...]  # by number; units are in them, as in a law

    def __post_init__(self) -> None:
        if int(self.weights.sum()) * self.deals > LARGEST:
            raise Refused("There are too many deals to be added up in 64 bits.")

    @cached_property
    def deals(self) -> int:
        """The deals of the unseen cards of each class."""
        return int(self.counts[0].sum(dtype=np.int64))

    @cached_property
    def is_open(self) -> NDArray[np.bool_]:
        """is_open[choice, group]: may this choice be made?"""
        found: NDArray[np.bool_] = (self.columns != NOT_OPEN).any(axis=2)
        return found

    @cached_property
    def legal(self) -> Ints:
        """By group, the open choices, a bit each."""
        bits = 1 << np.arange(len(self.columns))
        legal: Ints = (self.is_open * bits[:, None]).sum(axis=0)
        return legal

    def examples(self) -> Ints:
        """By group, a class of it."""
        found = np.zeros(self.columns.shape[1], np.int64)
        found[self.group[::-1]] = np.arange(len(self.group))[::-1]
        return found


class ColumnList:
    """The joint outcomes met so far, each with its number."""

    def __init__(self, game: Game) -> None:
        self.game, self.numbers = game, dict[Outcomes, int]()

    def number(self, choice: int, outcomes: Sequence[int]) -> int:
        """The number of a joint outcome after a choice; `outcomes` are the numbers that the rules write."""
        puts = self.game.puts(self.game.choices[choice], 0)
        spots = zip(self.game.spots, outcomes, strict=True)
        joint = tuple(spot.number(outcome, self._units(spot.name, puts)) for spot, outcome in spots)
        return self.numbers.setdefault(joint, len(self.numbers))

    def _units(self, spot: str, puts: tuple[str, ...]) -> int:
        return puts.count(spot) + (0 if self.game.spot(spot).raises else 1)

    @property
    def outcomes(self) -> tuple[Outcomes, ...]:
        return tuple(self.numbers)


# -- Counting once ----------------------------------------------------------------------------------

Count = Callable[[Game, Progress], ClassCounts]
_kept: dict[tuple[Count, Game], ClassCounts] = {}  # the last counts: some hundred megabytes


def counts_of(count: Count, game: Game, progress: Progress) -> ClassCounts:
    """The counts of a game, which do not depend on pays; those of the last game are kept."""
    key = count, without_pays(game)
    if key not in _kept:
        found = count(key[1], progress)
        _kept.clear()
        _kept[key] = found
    return _kept[key]


def without_pays(game: Game) -> Game:
    """The game with its usual pays and procedure: what is left decides which outcome each deal has."""
    tables = {spot.option for spot in game.spots}
    return Game(game.rules, tuple(pair for pair in game.as_proved.chosen if pair[0] not in tables))


# -- Values -----------------------------------------------------------------------------------------


class NetTable(NamedTuple):
    """The net of a stake in whole parts of a unit."""

    table: Ints  # table[choice, group, kind]
    parts: int  # of a unit


def nets_of(game: Game, stake: Stake, counts: ClassCounts) -> NetTable:
    """The net of a stake by choice, group and kind; refused if sums could exceed 64 bits."""
    tally, bets = Tally(game, {}), [(game.spot(bet), units) for bet, units in stake.items()]
    nets = [
        sum((units * tally.net(bet, outcomes) for bet, units in bets), Fraction(0))
        for outcomes in counts.outcomes
    ]
    parts = lcm(*(net.denominator for net in nets))
    largest = max((abs(int(net * parts)) for net in nets), default=0)
    if int(counts.weights.sum()) * counts.deals * max(largest, 1) > LARGEST:
        raise Refused(f"The nets of {game.title} are too fine to be added up in 64 bits.")
    whole = np.array([*(int(net * parts) for net in nets), 0], np.int64)  # the last one is NOT_OPEN's
    return NetTable(whole[counts.columns], parts)


def values_of(counts: ClassCounts, nets: NetTable, part: slice) -> Ints:
    """values[class, choice] of some classes: the net of all deals of the unseen cards, in parts of a unit."""
    group = counts.group[part]
    values = np.empty((len(group), len(counts.columns)), np.int64)
    _value(counts.counts[part], group, nets.table, values)
    return values


class Chosen(NamedTuple):
    """The choice of each class, and how many classes have two best ones."""

    choices: NDArray[np.uint8]
    equal: int


def choose_best(counts: ClassCounts, nets: NetTable, order: Ints) -> Chosen:
    """The best choice of each class; of equal ones, that which comes first in `order`."""
    choices = np.empty(len(counts.group), np.uint8)

    def work(part: slice) -> int:
        values = values_of(counts, nets, part)
        return int(_choose(values, counts.group[part], counts.is_open, order, choices[part]))

    return Chosen(choices, sum(map_in_threads(work, slices(len(choices), SLICES))))


def sum_outcomes(counts: ClassCounts, choices: NDArray[np.uint8]) -> dict[Outcomes, int]:
    """The number of deals that lead to each joint outcome, if every class makes its choice."""

    def work(part: slice) -> Ints:
        totals = np.zeros(len(counts.outcomes), np.int64)
        rows = counts.counts[part], counts.weights[part], counts.group[part], choices[part]
        _sum_outcomes(*rows, counts.columns, totals)
        return totals

    parts = map_in_threads(work, slices(len(choices), SLICES))
    totals = [sum(column) for column in zip(*(part.tolist() for part in parts), strict=True)]
    return {outcomes: n for outcomes, n in zip(counts.outcomes, totals, strict=True) if n}


# -- Kernels ----------------------------------------------------------------------------------------


@kernel
def _value(counts: Any, group: Any, nets: Ints, values: Ints) -> None:
    for n in range(len(group)):
        for choice in range(len(nets)):
            total = 0
            for kind in range(counts.shape[1]):
                total += counts[n, kind] * nets[choice, group[n], kind]
            values[n, choice] = total


@kernel
def _choose(values: Ints, group: Any, is_open: Any, order: Ints, choices: Any) -> int:
    """Write the best choice of each class; return the number of classes with two best ones."""
    equal = 0
    for n in range(len(values)):
        best, ties = NO_CHOICE, 0
        for choice in order:
            if is_open[choice, group[n]]:
                if best == NO_CHOICE or values[n, choice] > values[n, best]:
                    best, ties = choice, 0
                elif values[n, choice] == values[n, best]:
                    ties = 1
        choices[n] = best
        equal += ties
    return equal


@kernel
def _sum_outcomes(counts: Any, weights: Ints, group: Any, choices: Any, columns: Ints, totals: Ints) -> None:
    for n in range(len(group)):
        for kind in range(counts.shape[1]):
            if counts[n, kind]:
                totals[columns[choices[n], group[n], kind]] += weights[n] * counts[n, kind]
