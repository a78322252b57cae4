"""The solver of Crazy 4 Poker: every hand against every dealer's hand, both by their best four cards."""

from collections.abc import Sequence

from feltlab.core.hands import four_card
from feltlab.counting.showdown_solver import Showdown, showdown_solver
from feltlab.counting.suits import four_card_strengths_of
from feltlab.games.crazy_4_poker import rules
from feltlab.games.crazy_4_poker.strategies import STRATEGIES


def best_four(hand: Sequence[int]) -> Sequence[int]:
    return four_card.read(hand).cards


# A fold loses Queens Up too, so its stake can matter to the choice.
SHOWDOWN = Showdown(
    four_card_strengths_of,
    rules.judge,
    decides=("ante", "super-bonus", "queens-up"),
    qualifies=rules.QUALIFIES,
    shown=best_four,
)
SOLVER = showdown_solver(SHOWDOWN, STRATEGIES)
