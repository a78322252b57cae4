"""The sums of a walk: ends by outcome, joint outcomes by choice and way, and the best choice by them."""

from feltlab.core.joint_numbers import JointCode, encode, find_number, units_on
from feltlab.counting.tree.choice_sizes import count_choices, nth_choice, write_way
from feltlab.counting.tree.state import Ints, Outcomes, TreeWalk, WalkTables
from feltlab.kernel import inlined, int64, lean

NO_CHOICE = -1
FULL = -2  # the table of joint outcomes has no room


@lean
def count_end(tables: WalkTables, state: TreeWalk, ways: int) -> int:
    """Count the deals of an end as if one unit stood on each spot; `ways` are the orders of undealt cards."""
    cursor = state.cursor[0]
    depth = cursor.depth
    found = find_joint(tables.known, tables.code, encode(tables.code, state.choices, 0, state.outcomes))
    if found < 0:
        return FULL
    if state.ends[depth, found] == 0:
        level = state.levels[depth]
        state.ended[depth, level.endings] = found
        level.endings += 1
    state.ends[depth, found] += cursor.weight * ways
    cursor.nodes += 1
    return 0


@lean
def spread_ends(tables: WalkTables, state: TreeWalk) -> int:
    """Count the ends below the last choice followed for every way, with the units of each."""
    depth = state.cursor[0].depth
    level = state.levels[depth]
    if level.endings == 0:
        return 0
    size = count_choices(level.members)
    for way in range(level.ways):
        choice, before = nth_choice(level.members, way % size), way // size
        if _spread_to(tables, state, way, choice, before) < 0:
            return FULL
    for n in range(level.endings):
        state.ends[depth, state.ended[depth, n]] = 0
    level.endings = 0
    return 0


@lean
def _spread_to(tables: WalkTables, state: TreeWalk, way: int, choice: int, before: int) -> int:
    known, depth = tables.known, state.cursor[0].depth
    write_way(state, depth, way, state.sized)
    placed, more = int64(-1), int64(0)
    for n in range(state.levels[depth].endings):
        found = state.ended[depth, n]
        count = state.ends[depth, found]
        if tables.code.units_differ:
            met = known.met[found]
            if met.placed != placed:
                placed = met.placed
                more = _add_units(tables, state, placed)
            found = find_joint(known, tables.code, met.number + more)
            if found < 0:
                return FULL
        _add(state, depth, choice, before, found, count)
    return 0


@lean
def _add_units(tables: WalkTables, state: TreeWalk, placed: int) -> int:
    """The growth of a joint outcome's number, for the units of the way on spots with a wager."""
    code, more, step = tables.code, int64(0), int64(1)
    for n in range(len(code.radix)):
        spot = len(code.radix) - 1 - n
        if placed >> spot & 1 and code.most_units[spot] > 1:
            units = units_on(code, state.sized, state.cursor[0].made, spot)
            more += step * code.outcomes[spot] * (units - 1)
        step *= code.radix[spot]
    return more


@inlined
def find_joint(known: Outcomes, code: JointCode, number: int) -> int:
    """The id of a joint outcome; a new one is written down with its net. -1 if there is no room."""
    lookup = known.lookup[0]
    if lookup.number == number:  # neighbours often end alike
        return int64(lookup.id)
    place = known.places[find_number(known.places.number, number)]
    if place.number == 0:
        if lookup.used >= len(known.met):
            return -1
        place.number, place.id = number + 1, lookup.used
        _write_net(known, code, lookup.used, number)
        lookup.used += 1
    lookup.number, lookup.id = number, place.id
    return int64(place.id)


@lean
def _write_net(known: Outcomes, code: JointCode, new: int, number: int) -> None:
    met, net, placed = known.met[new], 0, 0
    met.number = number
    for n in range(len(code.radix)):
        spot = len(code.radix) - 1 - n
        digit = number % code.radix[spot]
        net += known.spot_nets[spot, digit]
        placed |= int64(digit > 0) << spot
        number //= code.radix[spot]
    met.net, met.placed = net, placed


@inlined
def _add(state: TreeWalk, depth: int, choice: int, before: int, found: int, count: int) -> None:
    if state.counts[depth, choice, before, found] == 0:
        state.touched[depth, choice, before, state.touches[depth, choice, before]] = found
        state.touches[depth, choice, before] += 1
    state.counts[depth, choice, before, found] += count


@lean
def find_best(tables: WalkTables, state: TreeWalk, way: int, legal: int) -> int:
    """The choice of the highest value after a way; of equal ones, the first in the order of the street."""
    cursor, order = state.cursor[0], tables.order
    depth, street = cursor.depth, min(cursor.made, len(order) - 1)
    best, most, ties = NO_CHOICE, 0, 0
    for n in range(order.shape[1]):
        choice = order[street, n]
        if not legal >> choice & 1:
            state.values[choice] = 0
            continue
        value = 0
        for k in range(state.touches[depth, choice, way]):
            found = state.touched[depth, choice, way, k]
            value += state.counts[depth, choice, way, found] * tables.known.met[found].net
        state.values[choice] = value
        if best == NO_CHOICE or value > most:
            best, most, ties = choice, value, 0
        elif value == most:
            ties += 1
    cursor.equal += ties > 0
    return int64(best)


@lean
def pass_up(state: TreeWalk, way: int, best: int, streets: int) -> None:
    """Add the counts of the best choice after a way to the last choice of that way."""
    cursor = state.cursor[0]
    below, depth, weight, deals = cursor.depth, cursor.depth - 1, cursor.weight, 0
    members = state.levels[depth].members
    size = count_choices(members)
    choice, before = nth_choice(members, way % size), way // size
    for k in range(state.touches[below, best, way]):
        found = state.touched[below, best, way, k]
        count = state.counts[below, best, way, found]
        deals += count
        _add(state, depth, choice, before, found, weight * count)
    for street in range(cursor.made + 1, state.made.shape[3]):
        for n in range(state.made.shape[4]):
            state.made[depth, choice, before, street, n] += weight * state.made[below, best, way, street, n]
    if cursor.made < streets:
        state.made[depth, choice, before, cursor.made, best] += weight * deals


@lean
def clear_counts(state: TreeWalk, depth: int, ways: int) -> None:
    """Clear the counts of all choices of a depth after some ways."""
    for choice in range(state.counts.shape[1]):
        for way in range(ways):
            for k in range(state.touches[depth, choice, way]):
                state.counts[depth, choice, way, state.touched[depth, choice, way, k]] = 0
            state.touches[depth, choice, way] = 0
            _clear_made(state.made[depth, choice, way])


@inlined
def _clear_made(made: Ints) -> None:
    for street in range(made.shape[0]):
        for n in range(made.shape[1]):
            made[street, n] = 0
