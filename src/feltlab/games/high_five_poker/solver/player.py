"""A strategy as a kernel, for simulation: a rule by strength, and a bit for each hand, set for exceptions."""

from itertools import permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import JOKER
from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.solver import Decisions, Player
from feltlab.core.stake import Stake
from feltlab.counting import subsets
from feltlab.counting.subsets import HAND, Ints
from feltlab.counting.suits import Hands, sort, strengths_of
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.solver.choices import Nets
from feltlab.games.high_five_poker.solver.deck_proof import RULE_STRENGTH, prove_standard_deck
from feltlab.games.high_five_poker.solver.law import MIN_STRENGTH
from feltlab.kernel import Array, kernel, lean


def decisions(game: Game, stake: Stake, strategy: str) -> Decisions:
    """The exceptions to the rule by strength, one for each class."""
    if strategy != "optimal":
        return np.empty((0, HAND), np.uint8)
    return prove_standard_deck(nets=Nets.of(game)).exceptions.hands


class StrengthRule(NamedTuple):
    """A rule by strength, and the hands for which the other choice is made."""

    poker: poker.Tables
    least: int  # the strength from which on the rule plays
    lowest: int  # no exception is weaker
    highest: int  # or stronger
    choose: Ints  # by card and size: the hands of that size below the card
    exceptions: NDArray[np.uint8]  # a bit for each hand


@lean
def _place(choose: Ints, hand: NDArray[Any]) -> int:
    """Sort a hand, and return its number among all hands."""
    sort(hand)
    place = 0
    for i in range(len(hand)):
        place += choose[hand[i], i + 1]
    return place


@kernel
def _mark(choose: Ints, hands: Hands, orders: Hands, exceptions: NDArray[np.uint8]) -> None:
    """Mark all hands of each class, which renaming the suits of one hand gives."""
    renamed = np.empty(HAND, np.uint8)
    for n in range(len(hands)):
        for order in range(len(orders)):
            for i in range(HAND):
                card = hands[n, i]
                renamed[i] = card if card == JOKER else card & 0xFC | orders[order, card & 3]
            place = _place(choose, renamed)
            exceptions[place >> 3] |= 1 << (place & 7)


@lean
def decide(data: StrengthRule, seen: Array, legal: int, choices: Array) -> int:
    strength = poker.strength(data.poker, seen[:HAND])
    plays = strength >= data.least
    if data.lowest <= strength <= data.highest:
        place = _place(data.choose, seen[:HAND])
        plays ^= bool(data.exceptions[place >> 3] >> (place & 7) & 1)
    return rules.PLAY if plays else rules.FOLD


def player(game: Game, strategy: str, made: Decisions) -> Player:
    """The player who follows a rule by strength, but for the exceptions in `made`."""
    least, choose = MIN_STRENGTH.get(strategy, RULE_STRENGTH), subsets.PARTS.choose
    if not len(made):
        return Player(decide, StrengthRule(poker.tables(), least, 1, 0, choose, np.empty(0, np.uint8)))
    exceptions = np.zeros(comb(JOKER + 1, HAND) // 8 + 1, np.uint8)
    _mark(choose, made, np.array([*permutations(range(4))], np.uint8), exceptions)
    strengths = strengths_of(made)
    lowest, highest = int(strengths.min()), int(strengths.max())
    return Player(decide, StrengthRule(poker.tables(), least, lowest, highest, choose, exceptions))
