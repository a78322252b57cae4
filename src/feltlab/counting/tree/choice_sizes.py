"""Choices that differ only by their size, such as bets of one, two and three units on the same spot.

Cards and later choices do not depend on the size, and every wager ends alike; only the units differ. So the
walk follows one of them, the leader, and counts for all. A *way* is one sequence of sizes along the path of
leaders, as a number with a digit for each choice.

Rules are not bound to that: beside every leader the walk asks them about a way that is drawn at random, and
it stops where the answers differ. Then each choice is followed by itself.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.rules import Rules
from feltlab.counting.tree.state import Ints, TreeWalk
from feltlab.kernel import Array, int64, lean

NOT_ASKED = -1  # which choices are open
MOST_WAYS = 64  # that one walk counts for
LCG_FACTOR, LCG_STEP, LCG_MASK = 1103515245, 12345, (1 << 31) - 1


def sizes_of(game: Game) -> NDArray[np.int64]:
    """By choice, the choices that differ from it only by the number of units, itself included, a bit each."""
    alike = defaultdict(list)
    for n, choice in enumerate(game.choices):
        alike[frozenset(choice.puts), choice.wager, choice.gives_up, choice.any_amount].append(n)
    sizes = sizes_apart(game)
    for numbers in alike.values():
        if len({len(game.choices[n].puts) for n in numbers}) == len(numbers):
            sizes[numbers] = sum(1 << n for n in numbers)
    return sizes


def sizes_apart(game: Game) -> NDArray[np.int64]:
    """The same if no choice is followed for another."""
    return np.array([1 << n for n in range(max(len(game.choices), 1))], np.int64)


def most_ways(game: Game, sizes: Ints) -> int:
    """The number of ways that need room."""
    most = max(int(mask).bit_count() for mask in sizes)
    return int(min(most ** max(len(game.streets), 1), MOST_WAYS))


@lean
def count_choices(mask: int) -> int:
    count = 0
    while mask:
        count += mask & 1
        mask >>= 1
    return count


@lean
def nth_choice(mask: int, n: int) -> int:
    """The n-th of the choices whose bits are set, from 0."""
    choice = 0
    while n or not mask >> choice & 1:
        n -= mask >> choice & 1
        choice += 1
    return choice


@lean
def write_way(state: TreeWalk, depth: int, way: int, choices: Array) -> None:
    """Write the choices of a way down to a depth; those before the walk stay."""
    start = state.cursor[0].start
    for n in range(depth):
        members = state.levels[depth - n].members
        size = count_choices(members)
        choices[start + depth - n - 1] = nth_choice(members, way % size)
        way //= size


@lean
def draw_way(state: TreeWalk) -> None:
    """Draw the way that the rules are asked about beside the leaders."""
    cursor = state.cursor[0]
    cursor.random = cursor.random * LCG_FACTOR + LCG_STEP & LCG_MASK
    ways = state.levels[cursor.depth].ways
    write_way(state, cursor.depth, int64(cursor.random >> 12) % ways, state.drawn)


def build_comparison(rules: Rules) -> Callable[..., bool]:
    """Build the question whether every wager ends alike in the way that was drawn."""
    settle = rules.settle

    def ends_alike(kernel_data: Any, shoe: Array, drawn: Array, outcomes: Array, others: Array) -> bool:
        settle(kernel_data, shoe, drawn, others)
        return _are_equal(outcomes, others)

    return ends_alike


def build_view_comparison(rules: Rules) -> Callable[..., bool]:
    """Build the question whether the same cards are seen and the same choices are open in the way drawn."""
    legal, visible = rules.legal, rules.visible

    def looks_alike(
        kernel_data: Any, shoe: Array, drawn: Array, seen: Array, others: Array, mask: int
    ) -> bool:
        visible(kernel_data, shoe, drawn, others)
        if not _are_equal(seen, others):
            return False
        return mask == NOT_ASKED or mask == legal(kernel_data, shoe, drawn)

    return looks_alike


@lean
def _are_equal(one: Array, other: Array) -> bool:
    for n in range(len(one)):  # noqa: SIM110 - kernels have no generators
        if one[n] != other[n]:
            return False
    return True
