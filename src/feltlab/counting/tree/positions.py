"""The positions of a game in which a choice is open, with the value of each choice, from one walk.

Every walk tells `log_position` of its choices, whether they are kept or not: compiling another walk takes
far longer than calls that do nothing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np

from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.counting.tree.deals import DeckFaces, Ints
from feltlab.counting.tree.decisions import Record, new_record, no_record, place_of, write_down
from feltlab.counting.tree.solve import TreeResult, plan_walk, walk_all
from feltlab.errors import Refused
from feltlab.kernel import Array, kernel, lean
from feltlab.parallel.progress import Progress, nobody_listens

ROOM = 1 << 17  # positions below the classes of one slice


class Log(NamedTuple):
    """Room for the positions below some classes, and the table of choices that all slices share."""

    record: Record
    seen: Array  # a row each
    made: Array  # the choices made before, -1 after the last
    best: Array
    values: Ints
    weights: Ints  # deals of the cards that were seen after the first choice
    used: Ints  # the number of positions; more than there is room for if some were left out


@lean
def log_position(
    log: Log, faces: DeckFaces, seen: Array, choices: Array, choice: int, values: Ints, weight: int
) -> None:
    """Write a choice down in the record, and its position if there is room."""
    write_down(log.record, faces, seen, choices, choice, values, weight)
    at = log.used[0]
    log.used[0] += 1
    if at >= len(log.best):
        return
    log.best[at], log.weights[at] = choice, weight
    for place in range(len(seen)):  # lean kernels cannot copy arrays as a whole
        log.seen[at, place] = seen[place]
    for street in range(log.made.shape[1]):
        log.made[at, street] = choices[street] if street < len(choices) else -1
    for number in range(len(values)):
        log.values[at, number] = values[number]


@dataclass(frozen=True)
class Positions:
    """The positions of one street; rows of arrays.

    The same cards with the same open choices are one position, whatever was chosen before: best play comes to
    the same cards by one sequence of choices only, and that one is kept.
    """

    seen: Array
    made: Array
    best: Array
    values: Ints  # values[position, choice]: the sum of nets over the deals below, in parts of a unit
    weights: Any  # deals of the seen cards in order, as Python's ints; 0 where best play never comes
    legal: Any  # legal[position, choice]


class Paths(NamedTuple):
    """Every sequence of choices to the positions of a street; rows of arrays."""

    seen: Array
    made: Array
    position: Ints  # the number of the position


@dataclass(frozen=True)
class Solution:
    """The best play of a game under a stake: the sums of the walk, the table of choices, and positions."""

    game: Game
    found: TreeResult
    record: Record
    streets: tuple[Positions, ...]
    paths: tuple[Paths, ...]  # by street
    parts: int  # of a unit, in the values


def solve_positions(game: Game, stake: Stake, progress: Progress = nobody_listens) -> Solution:
    """Walk through a game once and keep every position."""
    plan, record, logs = plan_walk(game, stake), new_record(game), dict[int, Log]()

    def log_of(part: slice) -> Log:
        logs[part.start] = _new_log(game, record)
        return logs[part.start]

    found = walk_all(plan, None, game.kernel_data, log_position, log_of, progress)
    ordered = [logs[start] for start in sorted(logs)]
    if any(int(log.used[0]) > ROOM for log in ordered):
        raise Refused(f"{game.title} has too many positions for a strategy card.")
    split = _split_streets(game, record, ordered, found)
    streets, paths = zip(*split, strict=True)
    return Solution(game, found, record, streets, paths, plan.parts)


def _new_log(game: Game, record: Record, room: int = ROOM) -> Log:
    choices, streets = max(len(game.choices), 1), max(len(game.streets), 1)
    seen, made = np.empty((room, game.places), np.int8), np.empty((room, streets), np.int8)
    values, best = np.zeros((room, choices), np.int64), np.empty(room, np.int8)
    return Log(record, seen, made, best, values, np.zeros(room, np.int64), np.zeros(1, np.int64))


def log_choices(game: Game, record: Record) -> Callable[[slice], Log]:
    """For a walk that keeps its choices in a record, but no positions."""
    return lambda part: _new_log(game, record, 0)


def log_nothing(game: Game) -> Callable[[slice], Log]:
    """For a walk of which only the sums are wanted."""
    return log_choices(game, no_record())


def _split_streets(
    game: Game, record: Record, logs: list[Log], found: TreeResult
) -> Iterator[tuple[Positions, Paths]]:
    """The positions street by street, and the paths to them."""
    arrays = [np.concatenate([getattr(log, name)[: int(log.used[0])] for log in logs]) for name in FIELDS]
    seen, made, best, values, weights = arrays
    reached, legal = np.zeros(len(best), np.bool_), np.zeros(len(best), np.int64)
    _mark_reached(record, np.arange(64), seen, made, reached)
    _ask_legal(cast(Any, game.rules))(game.kernel_data, seen, made, legal)
    depth = (made >= 0).sum(axis=1)
    for street in range(max(len(game.streets), 1)):
        rows = np.flatnonzero(depth == street)
        kept, position = _merge_paths(seen[rows], legal[rows], reached[rows])
        at = rows[kept]
        deals = weights[at].astype(object) * _root_weights(found, seen[at]) * reached[at]
        masks = (legal[at, None] >> np.arange(len(game.choices)) & 1).astype(np.bool_)
        positions = Positions(seen[at], made[at], best[at], values[at], deals, masks)
        yield positions, Paths(seen[rows], made[rows, :street], position)


def _merge_paths(seen: Array, legal: Ints, reached: Any) -> tuple[Ints, Ints]:
    """The row that is kept for each position, the reached one if there is one; and by row, its position."""
    order = np.lexsort((~reached, legal, *seen.T))
    keys = np.column_stack([seen, legal])[order]
    begins = np.ones(len(order), np.bool_)
    begins[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    kept, run = order[begins], np.cumsum(begins) - 1
    number = np.empty_like(kept)
    number[np.argsort(kept)] = np.arange(len(kept))  # in the order of the walk
    position = np.empty_like(order)
    position[order] = number[run]
    return np.sort(kept), position


@cache
def _ask_legal(rules: Any) -> Callable[..., None]:
    """A kernel that asks for the open choices of every position."""
    legal = rules.legal

    def ask_legal(kernel_data: Any, seen: Array, made: Array, masks: Ints) -> None:
        for n in range(len(seen)):
            depth = 0
            while depth < made.shape[1] and made[n, depth] >= 0:
                depth += 1
            masks[n] = legal(kernel_data, seen[n], made[n, :depth])

    return kernel(ask_legal)


FIELDS = ("seen", "made", "best", "values", "weights")


@kernel
def _mark_reached(record: Record, names: Ints, seen: Array, made: Array, reached: Any) -> None:
    """Mark the positions before which only best choices were made."""
    for n in range(len(seen)):
        depth = 0
        while depth < made.shape[1] and made[n, depth] >= 0:
            depth += 1
        reached[n] = True
        for street in range(depth):
            place = place_of(record, names, seen[n], made[n, :street])
            reached[n] = reached[n] and record.table[place] == made[n, street]


def _root_weights(found: TreeResult, seen: Array) -> Ints:
    """The weight of the class of first cards above each position."""
    shoes = found.classes.shoes
    first = np.flatnonzero((shoes >= 0).any(axis=0))
    of = {tuple(row): n for n, row in enumerate(shoes[:, first].tolist())}
    return found.classes.weights[[of[tuple(row)] for row in seen[:, first].tolist()]]
