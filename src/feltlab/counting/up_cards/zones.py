"""Zones of strength in which the choice depends on more: one for each class of up cards."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.solver import Decisions
from feltlab.counting.suits import classes
from feltlab.counting.up_cards.dealers import UP, Ints


class UpCardZone(NamedTuple):
    """By class of up cards, the shapes without a flush that do not all give up, and do not all wager."""

    low: Ints  # by class of up cards: the first of them; weaker shapes give up
    start: Ints  # where they begin in `codes`; after the last one all wager
    codes: Ints  # 0: all classes of the shape give up; 1: all wager; n + 2: look at mask n
    masks: Ints  # a bit for each set of the shape's ranks in the shared suit: who wagers


def whole_zone() -> UpCardZone:
    """The zone of a player who always wagers."""
    ups, nothing = len(classes(UP)[0]), np.zeros(0, np.int64)
    return UpCardZone(np.zeros(ups, np.int64), np.zeros(ups + 1, np.int64), nothing, nothing)


class ShapeCodes(NamedTuple):
    """The zone of one class of up cards."""

    low: int
    codes: Ints
    masks: Ints


def code_shapes(possible: Ints, wagers: Ints) -> ShapeCodes:
    """The zone, from the classes of each shape that hands have, and those that wager."""
    some, give_up = np.flatnonzero(wagers), np.flatnonzero(wagers != possible)
    low = int(some[0]) if len(some) else len(possible)
    high = max(int(give_up[-1]) + 1 if len(give_up) else 0, low)
    wagers, possible = wagers[low:high], possible[low:high]
    mixed = (wagers != 0) & (wagers != possible)
    codes = np.where(mixed, np.cumsum(mixed) + 1, wagers == possible)
    return ShapeCodes(low, codes, wagers[mixed])


def join_zones(parts: tuple[ShapeCodes, ...]) -> UpCardZone:
    masks = np.cumsum([0, *(len(part.masks) for part in parts)])
    codes = [part.codes + first * (part.codes > 1) for part, first in zip(parts, masks[:-1], strict=True)]
    start = np.cumsum([0, *map(len, codes)])
    low = np.array([part.low for part in parts])
    return UpCardZone(low, start, np.concatenate(codes), np.concatenate([part.masks for part in parts]))


# -- Zones as bytes ---------------------------------------------------------------------------------------


def pack_zone(zone: UpCardZone) -> Decisions:
    """A zone as bytes, which a store keeps."""
    parts: list[NDArray[Any]] = [np.array([len(part) for part in zone])]
    parts += [zone.low, zone.start, zone.masks, zone.codes.astype(np.int32)]
    return np.concatenate([part.view(np.uint8) for part in parts])


def unpack_zone(packed: Decisions) -> UpCardZone:
    lengths = packed[:32].view(np.int64).tolist()
    ends = np.cumsum([32, *(8 * lengths[n] for n in (0, 1, 3)), 4 * lengths[2]]).tolist()
    low, start, masks = (packed[a:b].view(np.int64) for a, b in pairwise(ends[:4]))
    return UpCardZone(low, start, packed[ends[3] : ends[4]].view(np.int32).astype(np.int64), masks)
