"""The strategies of Four Card Poker that are known by name."""

from feltlab.core.cards import RANKS
from feltlab.core.hands import four_card
from feltlab.counting.tree.solver import NamedStrategy
from feltlab.games.four_card_poker.rules import FOLD, HAND, PLAY_1X, PLAY_3X, FourCardHouse
from feltlab.kernel import Array, lean

PAIR_OF_TENS = four_card.pair_of(RANKS.index("T"))
PAIR_OF_THREES = four_card.pair_of(RANKS.index("3"))


@lean
def decide_simple(kernel_data: FourCardHouse, seen: Array, legal: int, choices: Array) -> int:
    player = four_card.strength(kernel_data.hands, seen[:HAND])
    if player >= PAIR_OF_TENS:
        return PLAY_3X
    return PLAY_1X if player >= PAIR_OF_THREES else FOLD


STRATEGIES = {
    "simple": NamedStrategy(
        "3x with a pair of tens or better, 1x with a pair of threes to nines, fold less", decide_simple
    ),
}
