"""The best play of Texas Hold'em Bonus, from sums over all boards.

Wagers on the turn and on the river stand alone: each is worth its own sum over the boards and dealers that
can follow, by hole cards and flop, and by hole cards and four community cards. Whether to see the flop is
decided for each of the 169 classes of hole cards.
"""

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE
from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.counting.boards.card_sets import (
    PAIRS,
    card_sets,
    first_pairs,
    number_pair,
    pair_tables,
    pocket_classes,
)
from feltlab.counting.boards.law import NO_TWIN, PocketKinds
from feltlab.counting.boards.lines import Lines, net_tables
from feltlab.counting.boards.values import FOUR, BoardValues, Wanted, add_values, deck_mask
from feltlab.games.texas_holdem_bonus import rules
from feltlab.kernel import Array

LINES = (
    ("fold",),
    ("play", "check", "check"),
    ("play", "bet", "check"),
    ("play", "check", "bet"),
    ("play", "bet", "bet"),
)
FOLDED, PLAYED, BET_TURN, BET_RIVER, BET_BOTH = range(len(LINES))
GAIN_PLAY, GAIN_TURN, GAIN_RIVER = range(3)  # functionals
COMPARED = ((PLAYED, FOLDED), (BET_TURN, PLAYED), (BET_RIVER, PLAYED))
SPLITS = 20  # ways to tell the flop, the turn and the river of five community cards apart
FLOPS, FOURS = 10, 5  # of a board
TURNS, RIVERS = 2, 1  # orders of the cards after a flop, after four cards
BONUS_KINDS = rules.BONUS_FOLDED  # outcomes of the Bonus but for the fold
Ints = NDArray[np.int64]


def lines_of(game: Game) -> Lines:
    return Lines(game, LINES, _judge, BONUS_KINDS)


def _judge(kernel_data: Any, choices: Array, kind: int, player: int, dealer: int, outcomes: Array) -> None:
    if choices[0] == rules.FOLD:
        rules.give_up(outcomes)
    else:
        rules.judge(kernel_data, choices, player, dealer, kind, outcomes)


def pair_kinds() -> PocketKinds:
    """The outcome of the Bonus by hole cards; aces against aces are counted apart."""
    pairs = pair_tables()
    kinds = [
        int(rules.judge_bonus(*pair)) for pair in zip(pairs.low.tolist(), pairs.high.tolist(), strict=True)
    ]
    twins = np.full(PAIRS, NO_TWIN)
    aces = [card for card in range(52) if card >> 2 == ACE]
    for n in np.flatnonzero(np.array(kinds) == rules.ACES).tolist():
        twins[n] = number_pair(*(card for card in aces if card not in (pairs.low[n], pairs.high[n])))
    return PocketKinds(np.array(kinds), twins, rules.ACES_TWICE)


class HoldemBonusPlay(NamedTuple):
    """The best play of a stake."""

    first: Ints  # by pair: the line of a fold, or -1
    flops: NDArray[np.uint8]  # flops[class, pair]: 1 for a bet on the turn
    fours: NDArray[np.uint8]  # fours[class, pair]: 1 for a bet on the river
    turn_gains: Ints  # turn_gains[class, pair]: of a bet over all boards, in parts of a unit
    river_gains: Ints
    equal: int  # positions up to suits with two best choices
    parts: int  # of a unit


def best_play(game: Game, stake: Stake, cautious: bool = False) -> HoldemBonusPlay:
    return _best_play(game, tuple(deciding_stake(stake).items()), cautious)


def deciding_stake(stake: Stake) -> Stake:
    """A stake in units of its first wager."""
    units = {bet: stake.get(bet, Fraction(0)) for bet in ("ante", "bonus")}
    first = next((number for number in units.values() if number), Fraction(1))
    return {bet: number / first for bet, number in units.items()}


@lru_cache(maxsize=1)
def _best_play(game: Game, stake: Any, cautious: bool) -> HoldemBonusPlay:
    lines, deck = lines_of(game), deck_mask(game)
    tables = net_tables(lines, dict(stake), COMPARED, rules.NO_BONUS)
    found = add_values(deck, Wanted(tables, flop_columns=(GAIN_TURN,), four_columns=(GAIN_RIVER,)))
    turn, river = found.flops[:, :, 0], found.fours[:, :, 0]
    gains = [play_gain(lines, dict(stake), found, pocket) for pocket in range(len(card_sets(2).cards))]
    plays = np.array([gain >= int(cautious) for gain in gains])
    equal = gains.count(0)
    for size, gain in ((rules.FLOP_CARDS, turn), (FOUR, river)):
        equal += int(((gain == 0) & (first_pairs(size, deck) == 1)).sum())
    least = int(cautious)
    turn_bets, river_bets = (turn >= least).astype(np.uint8), (river >= least).astype(np.uint8)
    first = np.where(plays, -1, FOLDED)[pocket_classes()[0]]
    return HoldemBonusPlay(first, turn_bets, river_bets, turn, river, equal, tables.parts)


def play_gain(lines: Lines, stake: Stake, found: BoardValues, pocket: int) -> int:
    """The gain of seeing the flop over folding for a class of hole cards, over all deals, in parts."""
    pairs = np.flatnonzero(pocket_classes()[0] == pocket)
    total = SPLITS * sum(found.holes[GAIN_PLAY, pairs].tolist())
    for size, sums, orders in ((rules.FLOP_CARDS, found.flops, TURNS), (FOUR, found.fours, RIVERS * FOUR)):
        bets = np.maximum(sums[:, pairs, 0], 0).sum(axis=1)
        total += orders * sum((bets.astype(object) * card_sets(size).weights).tolist())
    return int(total) + bonus_gain(lines, stake, pairs)


def bonus_gain(lines: Lines, stake: Stake, pairs: Ints) -> int:
    """The gain of playing with a Bonus over one that has no hand, over all deals, in parts."""
    nets, _ = lines.whole_nets(stake)
    by_kind = nets[PLAYED, :, 0, 0] - nets[PLAYED, rules.NO_BONUS, 0, 0]
    cards, kinds = len(lines.game.deck), pair_kinds()
    boards, dealers = comb(cards - 2, 5), comb(cards - 7, 2)
    total = 0
    for pair in pairs.tolist():
        own = int(by_kind[kinds.of[pair]])
        total += SPLITS * boards * dealers * own
        if kinds.twin[pair] != NO_TWIN:  # one dealer's pair, on the boards without an ace
            total += SPLITS * comb(cards - 4, 5) * (int(by_kind[kinds.against_twin]) - own)
    return total
