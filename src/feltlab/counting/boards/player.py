"""A strategy for community cards that kernels can follow: choices by hole cards and a set of cards."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.solver import Decisions
from feltlab.counting.boards.card_sets import CardSetClasses, Ints, card_sets, choose_table, pair_tables
from feltlab.counting.boards.values import ROW_BYTES
from feltlab.kernel import int64, lean

Bits = NDArray[np.uint8]


class SetChoices(NamedTuple):
    """A choice of two for every pair of hole cards and every set of community cards."""

    class_of: NDArray[np.int32]  # by number of a set
    renaming: NDArray[np.uint8]
    larger: Bits  # larger[class]: a bit for each pair


class BoardPlayer(NamedTuple):
    """The data of a player: choices before the flop, after it, and after more cards."""

    choose: Ints
    renamed: NDArray[np.uint16]
    first: Bits  # by pair: a choice
    flops: SetChoices
    later: SetChoices


def pack_marks(marks: Bits) -> Bits:
    """A bit for each pair, from a byte each."""
    packed = np.packbits(marks, axis=1, bitorder="little")
    return packed[:, :ROW_BYTES] if packed.shape[1] >= ROW_BYTES else np.pad(packed, ((0, 0), (0, 1)))


def pack_decisions(first: Bits, flops: Bits, later: Bits) -> Decisions:
    """All choices in one array."""
    return np.concatenate([first, flops.ravel(), later.ravel()]).astype(np.uint8)


def board_player(made: Decisions, later_cards: int) -> BoardPlayer:
    """The data of a player from packed decisions."""
    pairs, flops, later = pair_tables(), card_sets(3), card_sets(later_cards)
    cuts = np.cumsum([len(pairs.low), len(flops.cards) * ROW_BYTES])
    first, by_flop, by_later = np.split(made, cuts)
    tables = (_choices(sets, rows) for sets, rows in ((flops, by_flop), (later, by_later)))
    return BoardPlayer(choose_table(), pairs.renamed, first, *tables)


def _choices(sets: CardSetClasses, rows: Bits) -> SetChoices:
    return SetChoices(sets.class_of, sets.renaming, rows.reshape(-1, ROW_BYTES))


@lean
def pair_of(seen: Any) -> int:
    """The number of the player's own two cards, the first two that are seen."""
    high, low = int64(max(seen[0], seen[1])), int64(min(seen[0], seen[1]))
    return high * (high - 1) // 2 + low


@lean
def makes_larger(data: BoardPlayer, choices: SetChoices, seen: Any, cards: int) -> bool:
    """Does the player make the larger wager after this many community cards?"""
    number = int64(0)
    for i in range(2, 2 + cards):
        below = 1
        for j in range(2, 2 + cards):
            below += seen[j] < seen[i]
        number += data.choose[seen[i], below]
    pair = int64(data.renamed[choices.renaming[number], pair_of(seen)])
    return int64(choices.larger[choices.class_of[number], pair >> 3]) >> (pair & 7) & 1 == 1
