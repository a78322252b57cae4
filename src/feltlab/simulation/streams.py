"""Streams of random numbers inside kernels, and fair hands from them. Live tables never use these.

Each batch of rounds has its own stream, spawned from the seed: numpy's `SeedSequence` keeps streams apart,
and numpy's generator SFC64 is written out here for kernels. So the cards of a batch depend on the seed and
the number of the batch, and on nothing else.
"""

import numpy as np
from numpy.typing import NDArray

from feltlab.kernel import Array, int64, lean

Stream = NDArray[np.uint64]  # the state of SFC64: three words and a counter
HALF, WHOLE = np.uint64(32), np.uint64(1 << 32)
LOW = np.uint64((1 << 32) - 1)


def new_stream(seed: int, batch: int) -> Stream:
    """The stream of one batch."""
    generator = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(batch,)))
    state: Stream = generator.state["state"]["state"].copy()
    return state


@lean
def next_word(stream: Stream) -> np.uint64:
    """The next 64 random bits."""
    a, b, c, counter = stream[0], stream[1], stream[2], stream[3]
    word: np.uint64 = a + b + counter
    stream[0] = b ^ (b >> np.uint64(11))
    stream[1] = c + (c << np.uint64(3))
    stream[2] = ((c << np.uint64(24)) | (c >> np.uint64(40))) + word
    stream[3] = counter + np.uint64(1)
    return word


@lean
def random_below(stream: Stream, end: np.uint64) -> int:
    """A fair number below a small `end`.

    32 random bits times `end` give a number in the upper half and a remainder in the lower. Every number
    comes from equally many words once those with a remainder below 2**32 modulo `end` are rejected.
    """
    while True:
        product = (next_word(stream) >> HALF) * end
        rest = product & LOW
        if rest >= end or rest >= WHOLE % end:
            return int64(product >> HALF)


@lean
def deal_randomly(stream: Stream, deck: Array, shoe: Array) -> None:
    """Fill the shoe with random cards of the deck; the deck may lie in any order and keeps a new one."""
    for i in range(len(shoe)):
        j = i + random_below(stream, np.uint64(len(deck) - i))
        card = deck[j]
        deck[j] = deck[i]
        deck[i] = shoe[i] = card
