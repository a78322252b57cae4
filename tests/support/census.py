"""A census of poker hands: every hand in order, counted by category."""

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands import poker
from feltlab.kernel import kernel


@kernel
def count_categories(tables: poker.Tables, size: int, cards: int, first: int) -> NDArray[np.int64]:
    """Count the hands of each category among hands of `size` of `cards` cards whose lowest is the `first`.

    Hands come one at a time, in order: the sum of all but the last two cards stays while those two run.
    """
    key, lane = tables.key, tables.lane
    count = np.zeros((4, len(poker.CATEGORIES)), np.int64)  # four in turn: no increment waits for another
    fixed = np.arange(first, first + size - 2)
    while True:
        total = poker.LANES_EMPTY
        lanes = 0
        for i in range(len(fixed)):
            total += key[fixed[i]]
            lanes += lane[fixed[i]]
        for c in range(fixed[-1] + 1, cards - 1):
            total_c = total + key[c]
            lanes_c = lanes + lane[c]
            for d in range(c + 1, cards):
                count[d & 3, poker.look_up(tables, total_c + key[d], lanes_c + lane[d]) >> 12] += 1
        if not _advance(fixed, cards - 2):
            total_count: NDArray[np.int64] = count.sum(axis=0)
            return total_count


@kernel
def _advance(place: NDArray[np.int64], end: int) -> bool:
    """Advance to the next rising numbers below `end`, with the same first; False after the last."""
    last = len(place) - 1
    i = last
    while i > 0 and place[i] == end - 1 - (last - i):
        i -= 1
    if i == 0:
        return False
    place[i] += 1
    for j in range(i + 1, last + 1):
        place[j] = place[j - 1] + 1
    return True
