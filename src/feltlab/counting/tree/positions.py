"""The positions of a game in which a choice is open, with the value of each choice, from one walk."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.counting.tree.deals import DeckFaces, Ints
from feltlab.counting.tree.decisions import Record, new_record, place_of, write_down
from feltlab.counting.tree.solve import TreeResult, plan_walk, walk_all
from feltlab.errors import Refused
from feltlab.kernel import Array, kernel, lean
from feltlab.parallel.progress import Progress, nobody_listens

ROOM = 1 << 15  # positions below the classes of one slice


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
    """Write a position down."""
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
    """The positions of one street; rows of arrays."""

    seen: Array
    made: Array
    best: Array
    values: Ints  # values[position, choice]: the sum of nets over the deals below, in parts of a unit
    weights: Any  # deals of the seen cards in order, as Python's ints; 0 where best play never comes
    legal: Any  # legal[position, choice]


@dataclass(frozen=True)
class Solution:
    """The best play of a game under a stake: the sums of the walk, the table of choices, and positions."""

    game: Game
    found: TreeResult
    record: Record
    streets: tuple[Positions, ...]
    parts: int  # of a unit, in the values


def solve_positions(game: Game, stake: Stake, progress: Progress = nobody_listens) -> Solution:
    """TreeWalk through a game once and keep every position."""
    plan, record, logs = plan_walk(game, stake), new_record(game), dict[int, Log]()

    def log_of(part: slice) -> Log:
        logs[part.start] = _new_log(game, record)
        return logs[part.start]

    found = walk_all(plan, None, game.kernel_data, log_position, log_of, progress)
    ordered = [logs[start] for start in sorted(logs)]
    if any(int(log.used[0]) > ROOM for log in ordered):
        raise Refused(f"{game.title} has too many positions for a strategy card.")
    streets = _split_streets(game, record, ordered, found)
    return Solution(game, found, record, streets, plan.parts)


def _new_log(game: Game, record: Record) -> Log:
    choices, streets = max(len(game.choices), 1), max(len(game.streets), 1)
    seen, made = np.empty((ROOM, game.places), np.int8), np.empty((ROOM, streets), np.int8)
    values, best = np.zeros((ROOM, choices), np.int64), np.empty(ROOM, np.int8)
    return Log(record, seen, made, best, values, np.zeros(ROOM, np.int64), np.zeros(1, np.int64))


def _split_streets(game: Game, record: Record, logs: list[Log], found: TreeResult) -> tuple[Positions, ...]:
    """The positions street by street."""
    arrays = [np.concatenate([getattr(log, name)[: int(log.used[0])] for log in logs]) for name in FIELDS]
    seen, made, best, values, weights = arrays
    reached = np.zeros(len(best), np.bool_)
    _mark_reached(record, np.arange(64), seen, made, reached)
    roots = _root_weights(found, seen)
    depth = (made >= 0).sum(axis=1)
    streets = []
    for street in range(max(len(game.streets), 1)):
        at = np.flatnonzero(depth == street)
        deals = weights[at].astype(object) * roots[at] * reached[at]
        legal = _legal(game, seen[at], made[at], street)
        streets.append(Positions(seen[at], made[at], best[at], values[at], deals, legal))
    return tuple(streets)


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


def _legal(game: Game, seen: Array, made: Array, street: int) -> Any:
    open_now = [game.rules.legal(game.kernel_data, s, m[:street]) for s, m in zip(seen, made, strict=True)]
    return np.array([[mask >> n & 1 for n in range(len(game.choices))] for mask in open_now], np.bool_)
