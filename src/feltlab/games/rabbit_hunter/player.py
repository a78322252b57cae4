"""A strategy as a kernel, for simulation: the choice of every hand of five."""

from typing import NamedTuple

import numpy as np

from feltlab.core.game import Game
from feltlab.core.solver import Decisions, Player
from feltlab.core.stake import Stake
from feltlab.counting.removal import Ints, removal
from feltlab.games.rabbit_hunter.choices import choices_of
from feltlab.games.rabbit_hunter.counts import FULL_DECK, count_deals
from feltlab.games.rabbit_hunter.rules import SIXTH
from feltlab.kernel import Array, int64, lean


def decisions(game: Game, stake: Stake, strategy: str) -> Decisions:
    """The choices of a strategy, by class of five cards."""
    return choices_of(strategy, count_deals(), game, stake).astype(np.uint8)


# A sorting network for five cards: pairs of places to put in order. It has no branch to mispredict.
SORTING_NETWORK = ((0, 3), (1, 4), (0, 2), (1, 3), (0, 1), (2, 4), (1, 2), (3, 4), (2, 3))


class FiveCardChoices(NamedTuple):
    """The choice of every hand of five cards."""

    choose: Ints
    choice: Decisions  # by place among the hands of five


@lean
def decide(data: FiveCardChoices, seen: Array, legal: int, choices: Array) -> int:
    for i, j in SORTING_NETWORK:
        low, high = min(seen[i], seen[j]), max(seen[i], seen[j])
        seen[i], seen[j] = low, high
    place = 0
    for i in range(SIXTH):
        place += data.choose[i + 1, seen[i]]
    return int64(data.choice[place])


def player(game: Game, strategy: str, made: Decisions) -> Player:
    tables = removal(FULL_DECK)
    class_of = tables.class_of[tables.start[SIXTH] :]
    return Player(decide, FiveCardChoices(tables.choose, made[class_of]))
