"""The lines of play of a game with community cards, and the joint outcome and net that each leads to.

A line is a sequence of choices that completes a round. What it leads to depends on the category of the
player's hand, on the result against the dealer's (below, equal or above) with its category, and on the kind
of the hole cards, for games that pay for them.
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
from feltlab.core.hands import poker
from feltlab.core.joint_numbers import decode, encode, joint_code
from feltlab.core.layout import new_outcomes
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes, Tally
from feltlab.counting.boards.sweep import (
    CATEGORIES,
    WORD_LANES,
    DealerClasses,
    lane_of_above,
    lane_of_below,
)
from feltlab.errors import Refused
from feltlab.kernel import Array

BELOW, EQUAL, ABOVE = 0, CATEGORIES, CATEGORIES + 1  # results: dealers below by category, equal, above
RESULTS = 2 * CATEGORIES + 1
MOST_SUM = 1 << 62
MOST_DEALS = 10**12  # that one sum of gains runs over, each in parts of a unit
MIDDLE = 0x800  # of the strengths of one category
# Writes the outcomes from kernel data, choices, kind of hole cards, and the strengths of both hands.
JudgeLine = Callable[[Any, Array, int, int, int, Array], None]


@dataclass(frozen=True)
class Lines:
    """The lines of a game. Judges may read the order of two strengths and their categories, no more."""

    game: Game
    choices: tuple[tuple[str, ...], ...]  # of each line
    judge: JudgeLine
    kinds: int = 1  # of hole cards

    @cached_property
    def outcomes(self) -> dict[tuple[int, int, int, int], Outcomes]:
        """By line, kind, category and result: the joint outcome, for the results that can be."""
        code, found = joint_code(self.game), {}
        room = new_outcomes(len(self.game.spots))
        for n, names in enumerate(self.choices):
            made = np.array([self.game.choice_numbers[name] for name in names], np.int8)
            for kind in range(self.kinds):
                for category, result, player, dealer in list_showdowns():
                    self.judge(self.game.kernel_data, made, kind, player, dealer, room)
                    found[n, kind, category, result] = encode(code, made, len(made), room)
        numbers = decode(code, found.values())
        return dict(zip(found, numbers, strict=True))

    def nets(self, stake: Stake) -> dict[tuple[int, int, int, int], Fraction]:
        """By line, kind, category and result: the net of the stake in units."""
        tally, known = Tally(self.game, {}), dict[Outcomes, Fraction]()
        bets = [(self.game.spot(bet), units) for bet, units in stake.items()]
        for outcomes in set(self.outcomes.values()):
            known[outcomes] = sum((units * tally.net(bet, outcomes) for bet, units in bets), Fraction(0))
        return {key: known[outcomes] for key, outcomes in self.outcomes.items()}

    def whole_nets(self, stake: Stake) -> tuple[NDArray[np.int64], int]:
        """By line, kind, category and result: the net in whole parts of a unit; and the parts."""
        nets = self.nets(stake)
        parts = lcm(*(net.denominator for net in nets.values()))
        table = np.zeros((len(self.choices), self.kinds, CATEGORIES, RESULTS), np.int64)
        for key, net in nets.items():
            if abs(net * parts) * MOST_DEALS > MOST_SUM:
                raise Refused("The pays or the stake are too large, or too fine, to be added up exactly.")
            table[key] = int(net * parts)
        return table, parts


def list_showdowns() -> list[tuple[int, int, int, int]]:
    """Every category with every result that it can have, and two strengths that lead to it."""
    found = []
    for category in range(CATEGORIES):
        player = category << 12 | MIDDLE
        found.append((category, EQUAL, player, player))
        for dealer in range(CATEGORIES):
            if dealer < category or (dealer == category < poker.ROYAL):
                found.append((category, BELOW + dealer, player, dealer << 12 | MIDDLE - 1))
            if dealer > category or (dealer == category < poker.ROYAL):
                found.append((category, ABOVE + dealer, player, dealer << 12 | MIDDLE + 1))
    return found


# -- Tables for kernels -------------------------------------------------------------------------------


class NetTables(NamedTuple):
    """Functionals of a showdown in whole parts of a unit: each is the difference of the nets of two lines."""

    classes: DealerClasses
    nets: NDArray[np.int64]  # nets[functional, category, lane]
    parts: int


def net_tables(lines: Lines, stake: Stake, pairs: Sequence[tuple[int, ...]], kind: int = 0) -> NetTables:
    """The gain of the first line over the second for each pair of lines; the net of a line that is alone."""
    nets, parts = lines.whole_nets(stake)
    alone = [nets[line[0], kind] for line in pairs]
    full = np.array(
        [own - nets[line[1], kind] if line[1:] else own for own, line in zip(alone, pairs, strict=True)]
    )
    classes = merge_categories(lambda category, result: full[:, category, result].tobytes())
    by_lane = np.zeros((len(pairs), CATEGORIES, classes.words * WORD_LANES), np.int64)
    for category, result, _, _ in list_showdowns():
        by_lane[:, category, lane_of(classes, result)] = full[:, category, result]
    return NetTables(classes, by_lane, parts)


def lane_of(classes: DealerClasses, result: int) -> int:
    """The lane in which dealers with a result are counted."""
    if result == EQUAL:
        return 0
    return lane_of_above(classes, result - ABOVE) if result > EQUAL else lane_of_below(classes, result)


def merge_categories(mark: Callable[[int, int], object]) -> DealerClasses:
    """The fewest classes of the dealer's categories such that dealers of one class have equal marks."""
    below, above = _merge(mark, BELOW), _merge(mark, ABOVE)
    lanes = 1 + max(above) + 1 + max(below) + 1
    words = -(-lanes // WORD_LANES)
    return DealerClasses(np.array(below), np.array(above), max(below) + 1, max(above) + 1, words)


def _merge(mark: Callable[[int, int], object], start: int) -> list[int]:
    """The class of each category, from 0; categories are compared where both can be met."""
    possible = {(category, result) for category, result, _, _ in list_showdowns()}
    classes: list[dict[int, object]] = []
    found = []
    for dealer in range(CATEGORIES):
        met = (c for c in range(CATEGORIES) if (c, start + dealer) in possible)
        marks = {category: mark(category, start + dealer) for category in met}
        for n, known in enumerate(classes):
            if all(known.get(category, own) == own for category, own in marks.items()):
                known.update(marks)
                found.append(n)
                break
        else:
            found.append(len(classes))
            classes.append(marks)
    return found
