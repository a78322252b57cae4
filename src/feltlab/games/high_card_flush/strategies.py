"""Named strategies of High Card Flush."""

from feltlab.core.hands import longest_suit
from feltlab.counting.tree.solver import NamedStrategy
from feltlab.games.high_card_flush import rules
from feltlab.kernel import Array, lean

T_8_6 = longest_suit.strength_named("T86")


@lean
def raise_most(legal: int) -> int:
    """The largest raise that is open."""
    if legal >> rules.RAISE_3X & 1:
        return rules.RAISE_3X
    return rules.RAISE_2X if legal >> rules.RAISE_2X & 1 else rules.RAISE_1X


@lean
def play_t_8_6(house: rules.FlushHouse, seen: Array, legal: int, choices: Array) -> int:
    return raise_most(legal) if longest_suit.strength(seen[: rules.HAND]) >= T_8_6 else rules.FOLD


@lean
def never_fold(house: rules.FlushHouse, seen: Array, legal: int, choices: Array) -> int:
    return raise_most(legal)


STRATEGIES = {
    "t-8-6": NamedStrategy("raise the most with T-8-6 of a suit or better, fold the rest", play_t_8_6),
    "never-fold": NamedStrategy("raise the most with every hand", never_fold),
}
