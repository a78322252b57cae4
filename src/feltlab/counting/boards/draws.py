"""A player's holdings with a few community cards, in kinds that fit on a strategy card.

A kind comes with a rank: that of the pair, of the player's highest card that matters, or of the card beside
an ace. A card says from which rank on the larger wager is made.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE, RANK_NAMES, plural
from feltlab.core.hands import poker
from feltlab.core.strategy.card_rows import CardRow
from feltlab.counting.boards.card_sets import PAIRS, card_sets, pair_tables
from feltlab.kernel import int64, kernel, lean

Ints = NDArray[np.int64]
MADE, POCKET_PAIR, PAIR_WITH_BOARD, FLUSH_DRAW, STRAIGHT_DRAW, BOARD_PAIR, ACE_HIGH, HIGH_CARDS = range(8)
KINDS, RANKS = 8, 13
CELLS = KINDS * RANKS
WORDS = {  # of a rank, which is followed by "or higher", and of any rank
    MADE: ("", "two pair or better with an own card"),
    POCKET_PAIR: ("a pocket pair of {}", "any pocket pair"),
    PAIR_WITH_BOARD: ("a pair with a community card, of {}", "any pair with a community card"),
    FLUSH_DRAW: (
        "four to a flush, with an own {} among them",
        "four to a flush, with an own card among them",
    ),
    STRAIGHT_DRAW: (
        "four in sequence, open at both ends, and an own {}",
        "four in sequence, open at both ends, an own card among them",
    ),
    BOARD_PAIR: ("equal cards on the board, and an own {}", "equal cards on the board"),
    ACE_HIGH: ("an own ace, and another own card of {}", "an own ace"),
    HIGH_CARDS: ("none of these, but an own {}", "any other hand"),
}
OTHERWISE = "otherwise"


@lean
def _flush_draw(hole: Any, board: Any) -> int:
    """The rank of the highest own card among four of a suit, or -1."""
    best = -1
    for own in hole:
        count = 0
        for card in hole:
            count += card & 3 == own & 3
        for card in board:
            count += card & 3 == own & 3
        if count == 4:
            best = max(best, own >> 2)
    return best


@lean
def _straight_draw(hole: Any, board: Any) -> bool:
    """Are four ranks in sequence, open at both ends, with an own card among them?"""
    ranks = own = 0
    for card in board:
        ranks |= 1 << (card >> 2)
    for card in hole:
        own |= 1 << (card >> 2)
    own &= ~ranks
    for low in range(RANKS - 4):
        run = 15 << low
        if (ranks | own) & run == run and own & run:
            return True
    return False


@lean
def find_cell(tables: poker.Tables, hole: Any, board: Any, hand: Any) -> int:
    """The kind and the rank of two own cards and some community cards, as one number."""
    hand[0], hand[1] = hole[0], hole[1]
    for n in range(len(board)):
        hand[2 + n] = board[n]
    category = poker.strength(tables, hand) >> 12
    high, low = max(hole[0], hole[1]) >> 2, min(hole[0], hole[1]) >> 2
    with_high = with_low = False
    for card in board:
        with_high |= card >> 2 == high
        with_low |= card >> 2 == low
    paired = high == low or with_high or with_low
    if category >= poker.STRAIGHT or (category >= poker.TWO_PAIR and paired):
        return MADE * RANKS
    if high == low:
        return int64(POCKET_PAIR * RANKS + high)
    if paired:
        return int64(PAIR_WITH_BOARD * RANKS + (high if with_high else low))
    flush = _flush_draw(hole, board)
    if flush >= 0:
        return int64(FLUSH_DRAW * RANKS + flush)
    if _straight_draw(hole, board):
        return int64(STRAIGHT_DRAW * RANKS + high)
    if category >= poker.PAIR:
        return int64(BOARD_PAIR * RANKS + high)
    return int64(ACE_HIGH * RANKS + low if high == ACE else HIGH_CARDS * RANKS + high)


@kernel
def _fill_cells(tables: poker.Tables, low: Any, high: Any, sets: Any, cells: NDArray[np.int8]) -> None:
    hand = np.zeros(2 + sets.shape[1], np.int64)
    hole, board = np.zeros(2, np.int64), np.zeros(sets.shape[1], np.int64)
    for n in range(len(sets)):
        board[:] = sets[n]
        for pair in range(PAIRS):
            hole[0], hole[1] = low[pair], high[pair]
            cells[n, pair] = -1
            if not (board == hole[0]).any() and not (board == hole[1]).any():
                cells[n, pair] = find_cell(tables, hole, board, hand)


def cells_of(size: int) -> NDArray[np.int8]:
    """cells[class, pair]: the kind and rank beside each set of community cards; -1 if they share a card."""
    sets, pairs = card_sets(size), pair_tables()
    cells = np.zeros((len(sets.cards), PAIRS), np.int8)
    _fill_cells(poker.tables(), pairs.low, pairs.high, sets.cards, cells)
    return cells


class KindCard(NamedTuple):
    """A rule by kind and rank."""

    larger: NDArray[np.bool_]  # by cell: is the larger wager made?
    lines: tuple[tuple[str, str], ...]
    line_of: Ints  # by cell: the number of its line

    def index_lines(self, street: str, first: int) -> dict[str, tuple[CardRow, ...]]:
        """The lines by cell, for a card on which they begin with number `first`."""
        return {
            cell_key(street, cell): (CardRow(self.lines[line][1], line=first + line),)
            for cell, line in enumerate(self.line_of.tolist())
        }


def cell_key(street: str, cell: int) -> str:
    return f"{street} {cell}"


def read_cell(street: str, hole: Sequence[int], board: Sequence[int]) -> str:
    """The key of two own cards and some community cards."""
    room = np.zeros(2 + len(board), np.int64)
    cell = find_cell(poker.tables(), np.array(hole, np.int64), np.array(board, np.int64), room)
    return cell_key(street, int(cell))


def describe_kind(kind: int, least: int) -> str:
    """'a pocket pair of fours or higher'; hands of a kind from a rank on."""
    from_rank, any_rank = WORDS[kind]
    if least == 0:
        return any_rank
    name = plural(least) if kind in (POCKET_PAIR, PAIR_WITH_BOARD) else RANK_NAMES[least]
    return from_rank.format(name.lower() + (" or higher" if least < ACE else ""))


def rule_by_kind(gains: Sequence[int], larger: str, smaller: str) -> KindCard:
    """The rank of each kind from which on the larger wager gains most; `gains` of it are by cell."""
    rule, lines, line_of = np.zeros(CELLS, np.bool_), list[tuple[str, str]](), np.full(CELLS, -1, np.int64)
    for kind in range(KINDS):
        own = list(gains[kind * RANKS : (kind + 1) * RANKS])
        worth = [sum(own[rank:]) for rank in range(RANKS + 1)]
        least = worth.index(max(worth))
        rule[kind * RANKS + least : (kind + 1) * RANKS] = True
        if kind == MADE and own[0] > 0:
            rule[kind * RANKS : (kind + 1) * RANKS] = True
            line_of[kind * RANKS : (kind + 1) * RANKS] = len(lines)
            lines.append((describe_kind(kind, 0), larger))
        elif kind != MADE and least < RANKS and sum(own[least:]) > 0:
            line_of[kind * RANKS + least : (kind + 1) * RANKS] = len(lines)
            lines.append((describe_kind(kind, least), larger))
    line_of[line_of < 0] = len(lines)
    return KindCard(rule, (*lines, (OTHERWISE, smaller)), line_of)


def describe_missed(street: str, missed: int, classes: int, cost: Fraction) -> str:
    """The omissions of a card on a street, and their cost."""
    return (
        f"on the {street}, where {missed:,} of {classes:,} classes of hands have a better choice; "
        f"these cost {float(cost):.6f} units a round"
    )


def add_by_cell(cells: NDArray[np.int8], values: Ints, weights: Ints) -> list[int]:
    """The sum of values[class, pair], times the weight of each class, by cell."""
    found = [0] * CELLS
    for n in range(len(cells)):
        live = cells[n] >= 0
        row = np.zeros(CELLS, np.int64)
        np.add.at(row, cells[n][live], values[n][live])
        for cell in np.flatnonzero(row).tolist():
            found[cell] += int(row[cell]) * int(weights[n])
    return found
