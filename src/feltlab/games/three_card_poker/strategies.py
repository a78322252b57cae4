"""Strategies that the public sources name."""

from feltlab.core.hands import three_card
from feltlab.counting.tree.solver import NamedStrategy
from feltlab.games.three_card_poker.rules import FOLD, PLAY, QUALIFIES, ThreeCardHouse
from feltlab.kernel import Array, lean


@lean
def play_queen_high(kernel_data: ThreeCardHouse, seen: Array, legal: int, choices: Array) -> int:
    return PLAY if three_card.strength(seen[0], seen[1], seen[2]) >= QUALIFIES else FOLD


@lean
def play_everything(kernel_data: ThreeCardHouse, seen: Array, legal: int, choices: Array) -> int:
    return PLAY


STRATEGIES = {
    "queen-high": NamedStrategy("play queen high or better, as the dealer would", play_queen_high),
    "never-fold": NamedStrategy("play every hand", play_everything),
}
