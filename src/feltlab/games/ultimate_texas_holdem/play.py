"""The best play of Ultimate Texas Hold'em, from sums over all boards.

Choices go backwards: on the river by hole cards and board, after the flop by hole cards and flop, before it
by the 169 classes of hole cards. Gains are those over checking to the end and folding, so that wagers that no
choice touches cancel.
"""

from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.counting.boards.card_sets import card_sets, first_pairs, pocket_classes
from feltlab.counting.boards.lines import Lines, net_tables
from feltlab.counting.boards.values import BoardValues, Wanted, add_values, deck_mask
from feltlab.games.ultimate_texas_holdem import rules
from feltlab.kernel import Array

LINES = (
    ("raise-4x",),
    ("raise-3x",),
    ("check", "raise-2x"),
    ("check", "check", "raise-1x"),
    ("check", "check", "fold"),
)
RAISED_4X, RAISED_3X, RAISED_2X, RAISED_1X, FOLDED = range(len(LINES))
GAIN_2X, GAIN_1X, BEST_ON_RIVER = range(3)  # functionals: raises over the fold; the better of raise and fold
SPLITS = 10  # ways to tell the flop of five community cards from the rest
Ints = NDArray[np.int64]


def lines_of(game: Game) -> Lines:
    return Lines(game, LINES, _judge)


def _judge(kernel_data: Any, choices: Array, kind: int, player: int, dealer: int, outcomes: Array) -> None:
    rules.judge(kernel_data, choices, player, dealer, outcomes)


class UltimatePlay(NamedTuple):
    """The best play of a stake."""

    first: Ints  # by pair: the line that the first choice leads to; -1 for a check
    flops: NDArray[np.uint8]  # flops[class, pair]: 1 for a raise
    after_flop: Ints  # after_flop[class, pair, n]: gains of a raise and of a check over all boards, in parts
    boards: NDArray[np.uint8]  # boards[board]: a bit for each pair that raises on the river
    equal: int  # positions up to suits with two best choices
    gains: list[
        list[int]
    ]  # by class of hole cards: of raise-4x, raise-3x and check, in parts, over all deals
    parts: int  # of a unit


def best_play(game: Game, stake: Stake, cautious: bool = False) -> UltimatePlay:
    return _best_play(game, tuple(deciding_stake(game, stake).items()), cautious)


def deciding_stake(game: Game, stake: Stake) -> Stake:
    """The part of a stake on which choices depend, in units of its first wager.

    No choice matters to Bad Beat, and a choice matters to Trips only where a fold loses it.
    """
    bets = ["ante", "blind", *(["trips"] if game.options["fold-loses-trips"] == "yes" else [])]
    units = {bet: stake.get(bet, Fraction(0)) for bet in bets}
    first = next((number for number in units.values() if number), Fraction(1))
    return {bet: number / first for bet, number in units.items()}


@lru_cache(maxsize=2)
def _best_play(game: Game, stake: Any, cautious: bool) -> UltimatePlay:
    tables = net_tables(lines_of(game), dict(stake), [(RAISED_2X, FOLDED), (RAISED_1X, FOLDED)])
    columns = GAIN_2X, BEST_ON_RIVER
    wanted = Wanted(tables, GAIN_1X, least=int(cautious), flop_columns=columns, marks=True)
    found = add_values(deck_mask(game), wanted)
    gain = found.flops[:, :, 0] - found.flops[:, :, 1]
    gains = [first_gains(found, n) for n in range(len(card_sets(2).cards))]
    order = (2, 1, 0) if cautious else (0, 1, 2)
    best = [max(order, key=row.__getitem__) for row in gains]  # of equal ones, the first
    lines = np.array([n if n < 2 else -1 for n in best])
    after_flop = int(((gain == 0) & (first_pairs(rules.FLOP, deck_mask(game)) == 1)).sum())
    equal = found.equal + after_flop + sum(row.count(max(row)) > 1 for row in gains)
    flops = (gain >= int(cautious)).astype(np.uint8)
    return UltimatePlay(
        lines[pocket_classes()[0]], flops, found.flops, found.marks, equal, gains, tables.parts
    )


def first_gains(found: BoardValues, pocket: int) -> list[int]:
    """The gains of raise-4x, raise-3x and check over all deals of a class of hole cards, flops told apart."""
    pairs = np.flatnonzero(pocket_classes()[0] == pocket)
    two, one = (SPLITS * sum(found.holes[f, pairs].tolist()) for f in (GAIN_2X, GAIN_1X))
    best = found.flops[:, pairs].max(axis=2).sum(axis=1)
    check = sum(best.astype(object) * card_sets(rules.FLOP).weights)
    return [3 * two - 2 * one, 2 * two - one, int(check)]  # each unit more adds what the second added
