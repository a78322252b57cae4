"""A strategy as a kernel, for simulation: its choice in every state, against every up-card."""

from typing import NamedTuple

import numpy as np

from feltlab.core.cards import RANKS
from feltlab.core.game import Game
from feltlab.core.solver import Decisions, Player
from feltlab.core.stake import Stake
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.labels import labels
from feltlab.games.triple_shot_bonus.solver.states import States, find_state, states
from feltlab.games.triple_shot_bonus.solver.strategies import choices
from feltlab.kernel import Array, int64, lean
from feltlab.parallel.threads import map_in_threads

PAIRS = 52 * 52


def decisions(game: Game, stake: Stake, strategy: str) -> Decisions:
    """The choices by rank of the up-card and whether the Hat Trick is lost: by two cards, then by state."""
    labels(game.kernel_data.six_card_rule)  # builds its tables before the threads need them

    def against(up: int) -> list[Decisions]:
        return [
            np.concatenate((made.first.ravel(), made.later)) for made in choices(game, stake, strategy, up)
        ]

    return np.array(map_in_threads(against, range(len(RANKS))))


class StateStrategy(NamedTuple):
    """The choice in every state, by rank of the up-card and whether the Hat Trick is lost."""

    states: States
    choice: Decisions


@lean
def _rename_suit(card: int, suit: int) -> int:
    """A card after its suits `suit` and 0 have changed names."""
    if card & 3 == suit:
        return card & ~3
    return card | suit if card & 3 == 0 else card


@lean
def decide(data: StateStrategy, seen: Array, legal: int, choices: Array) -> int:
    """Decline insurance; otherwise rename the up-card's suit to 0 and look the choice up."""
    if legal >> rules.DECLINE & 1:
        return rules.DECLINE
    up = seen[rules.UP]
    dead = int(rules.judge_war(seen[0], up) == rules.WAR_LOST)
    made = data.choice[up >> 2, dead]
    size = 0
    while size < rules.PLAYER_CARDS and seen[size] >= 0:
        seen[size] = _rename_suit(seen[size], up & 3)
        size += 1
    if size == 2:
        return int64(made[int64(seen[0]) * 52 + seen[1]])
    return int64(made[PAIRS + find_state(data.states, True, seen[:size])])


def player(game: Game, strategy: str, made: Decisions) -> Player:
    return Player(decide, StateStrategy(states(), made))
