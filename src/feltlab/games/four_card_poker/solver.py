"""The solver of Four Card Poker: every hand and up card against every six cards of the dealer."""

from collections.abc import Sequence

import numpy as np

from feltlab.core.cards import RANKS
from feltlab.core.hands import four_card
from feltlab.counting.one_street.class_counts import ClassCounts, Ints
from feltlab.counting.one_street.limited_play import LimitedPlay
from feltlab.counting.showdown_solver import Showdown, showdown_solver
from feltlab.counting.suits import four_card_strengths_of
from feltlab.games.four_card_poker import rules
from feltlab.games.four_card_poker.strategies import STRATEGIES


def best_four(hand: Sequence[int]) -> Sequence[int]:
    return four_card.read(hand).cards


def read_hand(counts: ClassCounts) -> Ints:
    """By class, the strength of the hand alone."""
    return counts.group.astype(np.int64)


def read_hand_and_up_rank(counts: ClassCounts) -> Ints:
    """By class, the strength of the hand and the rank of the up card."""
    return read_hand(counts) * len(RANKS) + (counts.shoes[:, rules.UP_CARD] >> 2)


LIMITED = {
    "own-hand": LimitedPlay(
        "the best play by the strength of the four cards, without the up card", read_hand
    ),
    "up-card-rank": LimitedPlay(
        "the best play by the strength of the four cards and the rank of the up card", read_hand_and_up_rank
    ),
}

# Aces Up stays in action after a fold, so its stake does not matter to the choice.
SHOWDOWN = Showdown(four_card_strengths_of, rules.judge, decides=("ante",), shown=best_four)
SOLVER = showdown_solver(SHOWDOWN, STRATEGIES, LIMITED)
