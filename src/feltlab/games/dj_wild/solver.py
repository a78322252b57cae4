"""The solver of DJ Wild Stud Poker: every hand against every dealer's hand, with wild cards."""

import numpy as np

from feltlab.core.hands import wild
from feltlab.counting.dealer_kinds import Strengths
from feltlab.counting.showdown_solver import Showdown, showdown_solver
from feltlab.counting.suits import Hands
from feltlab.games.dj_wild import rules


def read_hands(hands: Hands) -> Strengths:
    """The strength of every row of cards."""
    out = np.empty(len(hands), np.uint16)
    wild.strengths(wild.tables(), hands, out)
    return out


SHOWDOWN = Showdown(read_hands, rules.judge, decides=("ante", "blind"))
SOLVER = showdown_solver(SHOWDOWN)
