"""Strategies that are published for Crazy 4 Poker."""

from feltlab.core.cards import RANKS
from feltlab.core.hands import four_card
from feltlab.counting.tree.solver import NamedStrategy
from feltlab.games.crazy_4_poker.rules import FOLD, HAND, PLAY_1X, PLAY_3X, RAISES, Crazy4House
from feltlab.kernel import Array, lean

K_Q_8_4 = four_card.high_card([RANKS.index(rank) for rank in "KQ84"])


@lean
def quick(data: Crazy4House, seen: Array, legal: int, choices: Array) -> int:
    strength = four_card.strength(data.tables, seen[:HAND])
    if strength >= RAISES:
        return PLAY_3X
    return PLAY_1X if strength >= K_Q_8_4 else FOLD


STRATEGIES = {
    "quick": NamedStrategy(
        "play three times the Ante with a pair of aces or better, once from K-Q-8-4 up, fold less", quick
    ),
}
