"""Sums over the cards that a player might see: by rank, with the knowledge used and unused.

Values are arrays by class of the player's cards and by card seen, 0 where the class holds the card itself.
Each is the net of a choice, summed over all deals of the class in which that card is seen.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import RANKS
from feltlab.core.solver import SeenRank

Values = NDArray[np.int64]
HALF = 32
HALF_LOW = (1 << HALF) - 1
TOO_FINE = "not proved: the units of this stake are too far apart, or in too small parts"


def whole_parts(nets: Sequence[Fraction]) -> tuple[list[int], int]:
    """The nets in whole parts of a unit, and the parts of one."""
    unit = lcm(*(net.denominator for net in nets))
    return [int(net * unit) for net in nets], unit


def sum_exactly(numbers: Values) -> int:
    """The sum of many numbers of 64 bits, which may itself need more."""
    return (int((numbers >> HALF).sum()) << HALF) + int((numbers & HALF_LOW).sum())


def sum_by_rank(
    values: Values, chosen: NDArray[Any], deck: Sequence[int], parts: int
) -> tuple[SeenRank, ...]:
    """The expected net for each rank of the card seen.

    `values` is by choice, class and card; `chosen` by class is the choice of a player who saw nothing.
    `parts` is the number of deals in which one card is seen, times the parts of a unit.
    """
    used, unused = values.max(axis=0), np.choose(chosen[:, np.newaxis], values)
    return tuple(_sum_ranks(unused, used, deck, parts))


def _sum_ranks(unused: Values, used: Values, deck: Sequence[int], parts: int) -> Iterator[SeenRank]:
    for rank, name in enumerate(RANKS):
        cards = [card for card in deck if card >> 2 == rank]
        if cards:
            blind, best = (Fraction(sum_exactly(of[:, cards]), len(cards) * parts) for of in (unused, used))
            yield SeenRank(name, Fraction(len(cards), len(deck)), blind, best)
