"""A reading of the rules. The defaults are the rules; other values serve to prove other readings."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE, RANKS
from feltlab.core.hands import blackjack
from feltlab.games.triple_shot_bonus import rules


class BonusReading(NamedTuple):
    """The questions that a reading answers."""

    ace_low: bool = False  # is the ace the lowest card at War?
    tens_tie: bool = False  # are tens and pictures equal at War?
    hits_21: bool = True  # may a hand of 21 be hit?
    peeks: bool = True  # does the dealer look for a blackjack before the players act?
    push_keeps: bool = True  # does the Hat Trick survive a push at Blackjack?
    bust_keeps_poker: bool = True  # does a player who busts still play Poker?


AS_RULED = BonusReading()


def war_outcomes(read: BonusReading, up: int) -> NDArray[np.int64]:
    """By rank of the player's first card: the outcome of War against an up-card of this rank."""
    card = [_war_card(read, rank) for rank in range(len(RANKS))]
    return np.array([rules.judge_war(card[rank], card[up]) for rank in range(len(RANKS))], np.int64)


def _war_card(read: BonusReading, rank: int) -> int:
    """A card that the rules rank as the reading ranks this one."""
    if read.ace_low:
        return 4 * ((rank + 1) % len(RANKS))
    if read.tens_tie and rank < ACE:
        return 4 * (min(int(blackjack.value(4 * rank)), 10) - 2)
    return 4 * rank


def is_blackjack_lost(read: BonusReading, number: int) -> bool:
    """Does this outcome of Blackjack, with any units, lose the Hat Trick?"""
    outcome, _ = rules.SPOTS[rules.AT_BLACKJACK].split_number(number)
    return bool(rules.blackjack_lost(outcome)) or (outcome == rules.PUSHED and not read.push_keeps)


def judge_hat_trick(read: BonusReading, war: int, number: int, six: int) -> int:
    """The outcome of the Hat Trick from those of War, of Blackjack with any units, and of Poker."""
    lost = is_blackjack_lost(read, number)
    return rules.judge_hat_trick(war, rules.LOST if lost else rules.WON, six)
