"""Random numbers for simulation, and fair hands from them. Play at a table never uses these.

Each unit of work has a stream of its own, spawned from the seed: numpy's `SeedSequence` keeps streams
apart, and numpy's generator SFC64 runs on inside kernels. So what a unit deals depends on the seed and
the unit's number, and on nothing else.
"""

import numpy as np
from numpy.typing import NDArray

from feltlab.kernel import Array, int64, lean

Stream = NDArray[np.uint64]  # three words and a counter, the state of SFC64
HALF, WHOLE = np.uint64(32), np.uint64(1 << 32)
LOW = np.uint64((1 << 32) - 1)


def stream(seed: int, unit: int) -> Stream:
    """The stream of one unit of work."""
    generator = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(unit,)))
    state: Stream = generator.state["state"]["state"].copy()
    return state


@lean
def word(stream: Stream) -> np.uint64:
    """The next 64 random bits."""
    a, b, c, counter = stream[0], stream[1], stream[2], stream[3]
    found: np.uint64 = a + b + counter
    stream[0] = b ^ (b >> np.uint64(11))
    stream[1] = c + (c << np.uint64(3))
    stream[2] = ((c << np.uint64(24)) | (c >> np.uint64(40))) + found
    stream[3] = counter + np.uint64(1)
    return found


@lean
def below(stream: Stream, end: np.uint64) -> int:
    """A fair number below a small one.

    32 bits, as a fraction of one, times `end` give a number and a rest. Every number comes from equally
    many bits once those with a rest below 2**32 modulo `end` are refused.
    """
    while True:
        product = (word(stream) >> HALF) * end
        rest = product & LOW
        if rest >= end or rest >= WHOLE % end:
            return int64(product >> HALF)


@lean
def deal(stream: Stream, deck: Array, shoe: Array) -> None:
    """Shuffle as much of the deck as the shoe holds, in whatever order it lay, and put it into the shoe."""
    for i in range(len(shoe)):
        j = i + below(stream, np.uint64(len(deck) - i))
        card = deck[j]
        deck[j] = deck[i]
        deck[i] = shoe[i] = card
