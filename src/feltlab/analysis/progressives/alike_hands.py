"""Hands up to the names of suits: each class once, with the number of its hands."""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import JOKER

Ints = NDArray[np.int64]


def merge_alike(
    own: int, cards: NDArray[np.int8], base: NDArray[np.int8], fixed: Ints, shares: Ints, alike: bool
) -> tuple[NDArray[np.int8], Ints, NDArray[np.int8], Ints, Ints]:
    """The listed hands with their weights, each class of suits once."""
    if not alike or not len(cards):
        return cards, np.ones(len(cards), np.int64), base, fixed, shares
    _, at, weights = np.unique(code_alike(cards, own), return_index=True, return_counts=True)
    return cards[at], weights.astype(np.int64), base[at], fixed[at], shares[at]


def code_alike(cards: NDArray[np.int8], own: int) -> Ints:
    """One number for each hand, the same for hands that renaming suits makes equal."""
    renamed = [_code(_rename(cards, order), own) for order in permutations(range(4))]
    codes: Ints = np.stack(renamed).min(axis=0)
    return codes


def _rename(cards: NDArray[np.int8], order: tuple[int, ...]) -> NDArray[np.int8]:
    renamed: NDArray[np.int8] = np.where(
        cards == JOKER, cards, (cards & ~3) | np.array(order, np.int8)[cards & 3]
    ).astype(np.int8)
    return renamed


def _code(cards: NDArray[np.int8], own: int) -> Ints:
    """One number for each hand, the order of its own cards aside."""
    wide = cards.astype(np.int64)
    word: Ints = np.bitwise_or.reduce(np.int64(1) << wide[:, :own], axis=1)
    for column in wide[:, own:].T:
        word |= (column + 1) << JOKER + 1
    return word
