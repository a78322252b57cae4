"""Laws, values and strategies from the walk through the tree of a game."""

from collections.abc import Callable
from functools import lru_cache
from math import lcm, perm
from typing import Any, NamedTuple, cast

import numpy as np

from feltlab.core.game import Game
from feltlab.core.joint_numbers import JointCode, decode, joint_code
from feltlab.core.layout import new_outcomes
from feltlab.core.rules import Rules
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes as Joint
from feltlab.counting.tree.choice_sizes import most_ways, sizes_apart, sizes_of
from feltlab.counting.tree.deals import DeckFaces, Ints, RootClasses, faces_of, first_places, root_classes
from feltlab.counting.tree.state import (
    CURSOR_FIELDS,
    FRAME_FIELDS,
    LEVEL_FIELDS,
    LOOKUP_FIELDS,
    MET_FIELDS,
    PLACE_FIELDS,
    Outcomes,
    TreeWalk,
    WalkTables,
    WalkTools,
    new_records,
)
from feltlab.counting.tree.sums import NO_CHOICE
from feltlab.counting.tree.walk import UNLIKE, Decide, Note, build_walk
from feltlab.errors import Refused
from feltlab.kernel import kernel
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.parallel.threads import map_in_threads, slices

MOST_OUTCOMES = 1 << 14  # different joint outcomes
TABLE_PLACES = 1 << 17
FRAMES = 128
MOST_DEPTH = 12  # choices in one round of a game without streets
SLICES = 64
LARGEST = 1 << 62


class Plan(NamedTuple):
    """A game and a stake as tables for a walk."""

    game: Game
    code: JointCode
    faces: DeckFaces
    order: Ints  # order[street, n]: the choices, the one that equal values go to first
    sizes: Ints  # by choice: those that differ from it only by size, a bit each
    spot_nets: Ints
    parts: int  # of a unit


def plan_walk(game: Game, stake: Stake, cautious: bool = False) -> Plan:
    """The tables of a walk for a stake; refused if its sums could exceed 64 bits."""
    nets, parts = _spot_nets(game, stake)
    faces = faces_of(game)
    largest = int(np.abs(nets).max(axis=1).sum())
    first = len(first_places(game))
    if perm(len(game.deck) - first, game.places - first) * largest > LARGEST:
        raise Refused(f"{game.title} has too many deals to be counted one by one; it needs a faster method.")
    return Plan(game, joint_code(game), faces, tie_order(game, cautious), sizes_of(game), nets, parts)


def _spot_nets(game: Game, stake: Stake) -> tuple[Ints, int]:
    """By spot and digit of a joint outcome, the net of the stake in whole parts of a unit; and the parts."""
    rows = []
    for spot in game.spots:
        units = stake.get(spot.follows or spot.name, 0) * spot.size
        lines = game.pay_table(spot).lines
        nets = [many * units * line.pays for many in range(1, spot.most_units + 1) for line in lines]
        rows.append([units * 0, *nets])
    parts = lcm(*(net.denominator for row in rows for net in row))
    table = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for n, row in enumerate(rows):
        table[n, : len(row)] = [int(net * parts) for net in row]
    return table, parts


def tie_order(game: Game, cautious: bool) -> Ints:
    """By street, the choices from the largest wager down; the other way round for a cautious player."""
    rows = []
    for street in range(max(len(game.streets), 1)):
        sizes = [sum(game.spot(put).size for put in game.puts(choice, street)) for choice in game.choices]
        rows.append(sorted(range(len(sizes)), key=lambda n: -sizes[n]))
    return np.array([row[::-1] for row in rows] if cautious else rows, np.int64).reshape(len(rows), -1)


@lru_cache(maxsize=32)
def _compile_walk(rules: Any, decide: Decide | None, note: Note) -> Callable[..., int]:
    return kernel(build_walk(rules, decide, note))


def compiled_walk(rules: Rules, decide: Decide | None, note: Note) -> Callable[..., int]:
    """The walk through the tree of these rules, compiled once."""
    return _compile_walk(cast(Any, rules), decide, note)


def new_outcome_table(plan: Plan) -> Outcomes:
    places, met = new_records(PLACE_FIELDS, TABLE_PLACES), new_records(MET_FIELDS, MOST_OUTCOMES)
    lookup = new_records(LOOKUP_FIELDS, 1)
    lookup[0].number = -1  # of no joint outcome
    return Outcomes(places, met, lookup, plan.spot_nets)


def tools_of(plan: Plan, data: Any, record: Any, known: Outcomes) -> WalkTools:
    """The tools of a walk that follows a strategy by its data, or makes the best choices."""
    tables = WalkTables(plan.code, plan.faces, plan.order, plan.sizes, known)
    return WalkTools(plan.game.kernel_data, data, tables, record)


def new_walk(plan: Plan) -> TreeWalk:
    """A walk over an empty shoe."""
    game = plan.game
    shoe, seen, drawn_seen = np.full((3, game.places), -1, np.int8)
    made, sized, drawn = np.full((3, MOST_DEPTH + 1), -1, np.int8)
    return TreeWalk(
        shoe,
        seen,
        made,
        new_outcomes(len(game.spots)),
        sized,
        drawn,
        drawn_seen,
        new_outcomes(len(game.spots)),
        new_records(CURSOR_FIELDS, 1),
        new_records(FRAME_FIELDS, FRAMES),
        new_records(LEVEL_FIELDS, MOST_DEPTH),
        plan.faces.copies.copy(),
        np.zeros(FRAMES * 2, np.int64),
        *_new_sums(plan),
    )


def _new_sums(plan: Plan) -> tuple[Ints, ...]:
    """Room for the counts of ends and of joint outcomes, and for the values of choices."""
    choices, streets = max(len(plan.game.choices), 1), len(plan.game.streets)
    depths = streets + 1 if streets else MOST_DEPTH
    sums = depths, choices, most_ways(plan.game, plan.sizes)
    return (
        *np.zeros((2, depths, MOST_OUTCOMES), np.int64),
        *np.zeros((2, *sums, MOST_OUTCOMES), np.int64),
        np.zeros(sums, np.int64),
        np.zeros((*sums, max(streets, 1), choices), np.int64),
        np.zeros(choices, np.int64),
    )


def start_from(state: TreeWalk, faces: DeckFaces, shoe: Any) -> None:
    """Put the known cards of a shoe down, and take them out of the deck."""
    state.shoe[:] = shoe
    state.left[:] = faces.copies
    dealt = np.searchsorted(faces.cards, [card for card in shoe.tolist() if card >= 0])
    np.subtract.at(state.left, dealt, 1)


class TreeResult(NamedTuple):
    """The sums of a walk over all classes."""

    counts: dict[Joint, int]
    made: list[list[int]]  # made[street][choice]: deals
    equal: int
    ends: int  # of the tree that were visited
    classes: RootClasses
    choices: Ints  # by class; -1 where none is open
    values: Ints  # values[class, choice], in parts of a unit, over all deals of one hand of the class


class UnlikeSizes(Exception):
    """The rules treat choices differently that differ only by the units that they put down."""


def walk_all(
    plan: Plan,
    decide: Decide | None,
    data: Any,
    note: Note,
    record_of: Callable[[slice], Any],
    progress: Progress = nobody_listens,
) -> TreeResult:
    """Walk from every class of first cards; `record_of` gives the record of some classes."""
    roots = root_classes(plan.game, plan.faces)
    walk = compiled_walk(plan.game.rules, decide, note)
    done = 0

    spare: list[_Workspace] = []

    def work(part: slice) -> "_Part":
        nonlocal done
        space = spare.pop() if spare else _Workspace(new_walk(plan), new_outcome_table(plan))
        found = _Part(plan, roots, part)
        found.run(walk, space, tools_of(plan, data, record_of(part), space.known))
        spare.append(space)
        done += part.stop - part.start
        progress(done / len(roots.weights))
        return found

    try:
        parts = map_in_threads(work, list(slices(len(roots.weights), SLICES)))
    except UnlikeSizes:
        return walk_all(follow_apart(plan), decide, data, note, record_of, progress)
    return _add_up(plan, roots, parts)


def follow_apart(plan: Plan) -> Plan:
    """The same plan, by which no choice is followed for another."""
    return plan._replace(sizes=sizes_apart(plan.game))


def run_walk(plan: Plan, walk: Callable[..., int], tools: WalkTools, state: TreeWalk, start: int) -> int:
    """Walk from the cards and the choices of a state; return the choice made first."""
    first = walk(tools, state, start)
    if first == UNLIKE:
        raise UnlikeSizes
    if first < NO_CHOICE:
        raise Refused(f"{plan.game.title} has too many outcomes or choices for this prover.")
    return first


class _Workspace(NamedTuple):
    """The arrays of a walk, large enough that it pays to use them for one part after another."""

    state: TreeWalk
    known: Outcomes


class _Part:
    """The sums over some classes. Weights are multiplied in Python, so that nothing overflows."""

    def __init__(self, plan: Plan, roots: RootClasses, part: slice) -> None:
        self.plan, self.roots, self.part = plan, roots, part
        self.counts: dict[int, int] = {}
        self.made = [[0] * len(plan.game.choices) for _ in range(max(len(plan.game.streets), 1))]
        self.choices: list[int] = []
        self.values: list[list[int]] = []
        self.equal = self.ends = 0

    def run(self, walk: Callable[..., int], space: _Workspace, tools: WalkTools) -> None:
        plan, state = self.plan, space.state
        cursor = state.cursor[0]
        cursor.equal = cursor.nodes = 0
        shoes, weights = self.roots.shoes[self.part], self.roots.weights[self.part].tolist()
        for shoe, weight in zip(shoes, weights, strict=True):
            start_from(state, plan.faces, shoe)
            first = run_walk(plan, walk, tools, state, 0)
            self._collect(state, space.known, weight, first)
        self.equal, self.ends = int(cursor.equal), int(cursor.nodes)

    def _collect(self, state: TreeWalk, known: Outcomes, weight: int, first: int) -> None:
        ids = state.touched[0, 0, 0, : state.touches[0, 0, 0]]
        counts = state.counts[0, 0, 0, ids].tolist()
        for number, count in zip(known.met.number[ids].tolist(), counts, strict=True):
            self.counts[number] = self.counts.get(number, 0) + weight * count
        state.counts[0, 0, 0, ids] = 0
        state.touches[0, 0, 0] = 0
        for row, found in zip(self.made, state.made[0, 0, 0].tolist(), strict=True):
            row[:] = [mine + weight * more for mine, more in zip(row, found, strict=False)]
        state.made[0, 0, 0] = 0
        self.choices.append(first)
        self.values.append(state.values.tolist() if first >= 0 else [0] * len(state.values))


def _add_up(plan: Plan, roots: RootClasses, parts: list[_Part]) -> TreeResult:
    counts: dict[int, int] = {}
    for part in parts:
        for number, count in part.counts.items():
            counts[number] = counts.get(number, 0) + count
    joint = dict(zip(decode(plan.code, counts), counts.values(), strict=True))
    made = [
        [sum(column) for column in zip(*rows, strict=True)]
        for rows in zip(*(p.made for p in parts), strict=True)
    ]
    choices = np.array([choice for part in parts for choice in part.choices], np.int64)
    values = np.array([row for part in parts for row in part.values], np.int64)
    equal, ends = sum(part.equal for part in parts), sum(part.ends for part in parts)
    return TreeResult(joint, made, equal, ends, roots, choices, values)
