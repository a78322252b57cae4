"""The better choice beside up cards as a kernel, for simulation.

A hand with a flush wagers. Every other hand has a shape, its six ranks, and shapes are numbered by strength:
the zone of the up cards says from which shape on some hands wager, from which on all do, and what the shapes
between do. Where that depends on ranks in the up cards' shared suit, a mask has a bit for each set of them.
"""

from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands import poker
from feltlab.core.hands.poker import (
    LANES_EMPTY,
    LANES_FULL,
    PLACE_BITS,
    PLACE_MASK,
    SUM_MASK,
    Tables,
    look_up,
)
from feltlab.counting.suits import classes
from feltlab.counting.up_cards.dealers import HAND, SUIT_BITS, UP, Ints, all_shapes, rank_keys
from feltlab.counting.up_cards.zones import UpCardZone
from feltlab.kernel import Array, int64, lean

MIXED = 2  # the first code of a shape whose hands do not all choose alike


class ZonePlayer(NamedTuple):
    """The data of a player who knows the zone of all up cards."""

    tables: Tables  # these look up the number of a shape
    class_of: NDArray[np.int16]  # by three cards, in any order
    low: NDArray[np.int32]
    start: NDArray[np.int32]
    codes: NDArray[np.int32]
    masks: Ints
    wager: int  # the numbers of the two choices
    give_up: int


@lean
def decide(data: ZonePlayer, seen: Array, legal: int, choices: Array) -> int:
    key = data.tables.key
    total = int64(LANES_EMPTY)
    for i in range(HAND):
        total += key[seen[i]]
    if total & LANES_FULL:
        return data.wager
    shape = look_up(data.tables, total, 0)
    up = data.class_of[seen[HAND], seen[HAND + 1], seen[HAND + 2]]
    if shape < data.low[up]:
        return data.give_up
    at = data.start[up] + shape - data.low[up]
    if at >= data.start[up + 1]:
        return data.wager
    code = data.codes[at]
    if code >= MIXED:
        code = data.masks[code - MIXED] >> _find_suited(seen) & 1
    return data.wager if code else data.give_up


@lean
def _find_suited(seen: Array) -> int:
    """The set of the hand's ranks in the suit that up cards share; a bit for each different rank, rising."""
    suit = seen[HAND] & 3
    if seen[HAND + 1] & 3 != suit and seen[HAND + 2] & 3 != suit:
        suit = seen[HAND + 1] & 3
    held, suited = int64(0), int64(0)
    for i in range(HAND):
        held |= int64(1) << (seen[i] >> 2)
    for i in range(HAND):
        if seen[i] & 3 == suit:
            bit, below = int64(1), held & ((int64(1) << (seen[i] >> 2)) - 1)
            while below:
                below &= below - 1
                bit <<= 1
            suited |= bit
    return suited


def new_player(zone: UpCardZone, wager: int, give_up: int) -> ZonePlayer:
    """The player of a zone of all 52 cards."""
    low, start, codes = (numbers.astype(np.int32) for numbers in zone[:3])
    return ZonePlayer(_shape_tables(), _class_numbers(), low, start, codes, zone.masks, wager, give_up)


def _shape_tables() -> Tables:
    """Tables that look up the number of a shape among those without a flush."""
    tables, shapes = poker.tables(), all_shapes()
    plain = ~shapes.is_flush
    keys = (rank_keys(tables)[shapes.rank[plain]] * shapes.copies[plain]).sum(axis=1)
    sums = keys >> SUIT_BITS & SUM_MASK
    number = np.zeros_like(tables.ranks)
    number[tables.offset[sums >> PLACE_BITS] + (sums & PLACE_MASK)] = np.arange(len(keys))
    return tables._replace(ranks=number)


def _class_numbers() -> NDArray[np.int16]:
    hands, _ = classes(UP)
    hands = np.sort(hands, axis=1)  # as `classes_of` has them
    found = np.zeros((52, 52, 52), np.int16)
    for suits in permutations(range(4)):
        renamed = hands & 0xFC | np.array(suits, np.uint8)[hands & 3]
        for a, b, c in permutations(range(UP)):
            found[renamed[:, a], renamed[:, b], renamed[:, c]] = np.arange(len(hands))
    return found
