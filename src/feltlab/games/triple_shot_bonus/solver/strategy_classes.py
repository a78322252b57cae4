"""The classes of hands of the complete strategy against one up-card of suit 0, and how many hands each has.

Once the Hat Trick is lost, or without a stake on it, suits do not matter: classes are sets of ranks. While it
is alive, a flush may win Poker: two cards are a class of their own, and more cards are a state.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands import blackjack
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.classes import SHORTEST, can_be_dealt
from feltlab.games.triple_shot_bonus.solver.states import NONE, RANKS, SIX, states, totals

ALIVE, DEAD = range(2)  # the Hat Trick: as far as War decides it
OWN_SUIT, OTHER_SUITS = 1, 3  # suits that a suited hand can have: the up-card's own, or another


# -- Two cards --------------------------------------------------------------------------------------


def open_pairs(phase: int, up: int) -> NDArray[np.int64]:
    """Two cards of each class in which a choice opens; a blackjack has none."""
    pairs = combinations(range(52), 2) if phase == ALIVE else _rank_pairs()
    found = [pair for pair in pairs if 4 * up not in pair and not blackjack.is_blackjack(*pair)]
    return np.array(found)


def _rank_pairs() -> list[tuple[int, int]]:
    """Two cards of each pair of ranks, neither of suit 0."""
    return [(4 * one + 1, 4 * two + 2) for one, two in combinations_with_replacement(range(RANKS), 2)]


def count_pairs(phase: int, up: int, one: int, two: int, has_hat_trick: bool) -> int:
    """The orders of two cards of a class in which the Hat Trick is in this phase."""
    orders = [
        (first, second)
        for first, second in permutations(_cards_like(phase, one, two), 2)
        if {first >> 2, second >> 2} == {one >> 2, two >> 2} and 4 * up not in (first, second)
    ]
    lost = sum(rules.judge_war(first, 4 * up) == rules.WAR_LOST for first, _ in orders)
    if not has_hat_trick:
        return len(orders)
    return lost if phase == DEAD else len(orders) - lost


def _cards_like(phase: int, one: int, two: int) -> list[int]:
    if phase == ALIVE:
        return [one, two]
    return [4 * rank + suit for rank in {one >> 2, two >> 2} for suit in range(4)]


# -- Three cards or more ----------------------------------------------------------------------------


def open_states(phase: int, up: int) -> NDArray[np.int64]:
    """The states of three to five cards in which a choice opens."""
    table = states()
    is_open = (table.size >= SHORTEST) & (table.size < SIX) & (totals()[0] <= 21) & can_be_dealt()[up]
    if phase == DEAD:
        is_open[: table.first_plain] = False
    return np.flatnonzero(is_open)


def count_hands(phase: int, up: int, state: int) -> int:
    """The sets of cards that make a state, without the up-card."""
    table = states()
    if state < table.first_plain:
        return _count_suited(up, state)
    held = table.held[state - table.first_plain].tolist()
    every = prod(comb(4 - (rank == up), n) for rank, n in enumerate(held))
    return (
        every
        if phase == DEAD
        else every - sum(_count_suited(up, suited) for suited in _suited_states().get(state, ()))
    )


@cache
def _suited_states() -> dict[int, list[int]]:
    """By plain state, the suited states with the same ranks."""
    table = states()
    found: dict[int, list[int]] = {}
    for suited, plain in enumerate(table.plain_of[: table.first_plain].tolist()):
        found.setdefault(plain, []).append(suited)
    return found


def _count_suited(up: int, state: int) -> int:
    table = states()
    same, own, odd = state & 1, int(table.own[state >> 1]), int(table.odd[state >> 1])
    if same and own >> up & 1:
        return 0
    suits = OWN_SUIT if same else OTHER_SUITS
    return suits * (1 if odd == NONE else 3 - (not same and odd == up))
