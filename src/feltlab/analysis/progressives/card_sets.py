"""Sets of cards one after the other, for kernels that read each of them."""

import numpy as np
from numpy.typing import NDArray

from feltlab.kernel import Array, lean

Places = NDArray[np.int64]


@lean
def step_set(deck: Array, at: Places, hand: Array, kept: int) -> bool:
    """Go on to the next set of places of a deck, the first `kept` of them unchanged; False after the last."""
    size = len(at)
    turn = size - 1
    while turn >= kept and at[turn] == len(deck) - size + turn:
        turn -= 1
    if turn < kept:
        return False
    at[turn] += 1
    hand[turn] = deck[at[turn]]
    for later in range(turn + 1, size):
        at[later] = at[later - 1] + 1
        hand[later] = deck[at[later]]
    return True


@lean
def is_among(at: Places, place: int) -> bool:
    """Is this place one of a set?"""
    for each in at:  # noqa: SIM110 - kernels have no generators
        if each == place:
            return True
    return False
