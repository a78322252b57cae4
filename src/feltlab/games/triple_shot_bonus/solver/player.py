"""A strategy as a simulation follows it: what it chooses in every state, against every up-card."""

from typing import NamedTuple

import numpy as np

from feltlab.core.cards import RANKS
from feltlab.core.game import Game
from feltlab.core.solver import Decisions, Player
from feltlab.core.stake import Stake
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.labels import labels
from feltlab.games.triple_shot_bonus.solver.states import States, find, states
from feltlab.games.triple_shot_bonus.solver.strategies import choices
from feltlab.kernel import Array, int64, lean
from feltlab.parallel.threads import map_in_threads

PAIRS = 52 * 52


def decisions(game: Game, stake: Stake, strategy: str) -> Decisions:
    """By up-card's rank and whether the Hat Trick is dead: first by two cards, then by state."""
    labels(game.kernel_data.six_card_rule)  # builds its tables before two threads ask for them

    def against(up: int) -> list[Decisions]:
        return [
            np.concatenate((made.first.ravel(), made.later)) for made in choices(game, stake, strategy, up)
        ]

    return np.array(map_in_threads(against, range(len(RANKS))))


class InEveryState(NamedTuple):
    states: States
    choice: Decisions


@lean
def _renamed(card: int, suit: int) -> int:
    """A card after a suit has changed names with the first."""
    if card & 3 == suit:
        return card & ~3
    return card | suit if card & 3 == 0 else card


@lean
def decide(data: InEveryState, seen: Array, legal: int) -> int:
    """Insurance is always declined; for the rest the up-card's suit is renamed to be the first."""
    if legal >> rules.DECLINE & 1:
        return rules.DECLINE
    up = seen[rules.UP]
    dead = int(rules.judge_war(seen[0], up) == rules.WAR_LOST)
    made = data.choice[up >> 2, dead]
    size = 0
    while size < rules.PLAYER_CARDS and seen[size] >= 0:
        seen[size] = _renamed(seen[size], up & 3)
        size += 1
    if size == 2:
        return int64(made[int64(seen[0]) * 52 + seen[1]])
    return int64(made[PAIRS + find(data.states, True, seen[:size])])


def player(game: Game, strategy: str, made: Decisions) -> Player:
    return Player(decide, InEveryState(states(), made))
