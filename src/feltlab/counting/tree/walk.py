"""The walk through the tree of a game, from the cards that a player sees first to the end of the round.

At each step the walk asks the rules: is everything decided? Which cards does the player come to see? Which
choices are open? It deals the cards in every way, follows every choice, and goes back up with counts of
joint outcomes; the choice with the highest expected net stays. The player is given the cards that `visible`
shows and nothing else, since no other card of the shoe is dealt yet when a choice is made.
"""

from collections.abc import Callable
from typing import Any

from feltlab.core.joint_numbers import JointCode, encode
from feltlab.core.layout import OPEN
from feltlab.core.rules import Rules
from feltlab.counting.tree.dealing import count_alike_runs, deal_next, list_wanted, next_face, ways_to_fill
from feltlab.counting.tree.deals import DeckFaces
from feltlab.counting.tree.state import CARD, CHOICE, Ints, Outcomes, TreeWalk
from feltlab.kernel import Array, inlined, int64, lean

NO_CHOICE = -1
Decide = Callable[..., int]  # a kernel: decide(data, seen, legal, choices)
Note = Callable[..., None]  # a kernel: note(record, faces, seen, choices, choice, values, weight)
FULL = -2  # in place of a choice: the table of joint outcomes has no room
TOO_DEEP = -3  # or the round has too many choices


def build_walk(
    rules: Rules, decide: Callable[..., int] | None, note: Callable[..., None]
) -> Callable[..., int]:
    """Build a walk, not compiled yet, from a shoe of which some places are dealt.

    Without `decide` the best choice is made; with it, the one that it names. `note` is told every choice.
    The walk returns the choice made first, `NO_CHOICE` if there is none, or less if a table is full.
    """
    legal, visible, settle = rules.legal, rules.visible, rules.settle
    follows = decide is not None
    policy: Any = decide or rules.legal

    def walk(
        kernel_data: Any,
        data: Any,
        code: JointCode,
        faces: DeckFaces,
        order: Ints,
        known: Outcomes,
        state: TreeWalk,
        record: Any,
        start: int,
    ) -> int:
        shoe, seen, choices, outcomes = state.shoe, state.seen, state.choices, state.outcomes
        depth, top, made, weight = 0, -1, start, 1
        first = NO_CHOICE
        chosen = 0  # the choice of the frame at `depth`; at depth 0 there is only one
        asks = True  # the rules are asked what comes next
        while True:
            if asks:
                asks = False
                settle(kernel_data, shoe, choices[:made], outcomes)
                begin = state.end[top] if top >= 0 else 0
                count = 0
                if _are_decided(outcomes):
                    found = _find(known, code, encode(code, choices, made, outcomes))
                    if found < 0:
                        return FULL
                    _add(state, depth, chosen, found, weight * ways_to_fill(shoe, state.left))
                    state.nodes[0] += 1
                else:
                    visible(kernel_data, shoe, choices[:made], seen)
                    count = list_wanted(shoe, seen, state.pending, begin)
                    mask = 0
                    if count == 0:
                        mask = legal(kernel_data, shoe, choices[:made])
                        if mask == 0:  # the cards that are never seen
                            seen[:] = -1
                            count = list_wanted(shoe, seen, state.pending, begin)
                    if mask:
                        if depth + 1 >= len(state.counts):
                            return TOO_DEEP
                        if follows:
                            mask = mask & (1 << policy(data, seen, mask, choices[:made]))
                        top += 1
                        depth += 1
                        state.kind[top], state.weight[top], state.end[top] = CHOICE, weight, begin
                        state.legal[top] = state.open[top] = mask
                        made += 1
                if count:
                    top += 1
                    deal_next(state, faces, top, begin, begin + count, weight)
            # The frame on top goes on.
            if top < 0:
                return first
            if state.kind[top] == CARD:
                place, is_last = state.place[top], state.next[top] == state.end[top]
                ways, last, found = 0, int64(-1), int64(-1)
                while True:
                    at = state.at[top]
                    if at >= 0:
                        state.left[at] += 1
                        shoe[place] = -1
                    factor = next_face(state, faces, top)
                    if factor == 0:
                        top -= 1
                        break
                    at = state.at[top]
                    state.left[at] -= 1
                    shoe[place] = faces.cards[at]
                    weight = state.weight[top] * factor
                    if state.closes[top]:
                        alike = count_alike_runs(state, faces, top)
                        if alike == 0:
                            continue
                        weight *= alike
                    if not is_last:
                        begin, end = state.next[top], state.end[top]
                        top += 1
                        deal_next(state, faces, top, begin, end, weight)
                        break
                    settle(kernel_data, shoe, choices[:made], outcomes)
                    if not _are_decided(outcomes):
                        asks = True
                        break
                    if ways == 0:  # every way to end here leaves the same number of places empty
                        ways = ways_to_fill(shoe, state.left)
                    number = encode(code, choices, made, outcomes)
                    if number != last:  # neighbours often end alike
                        last, found = number, _find(known, code, number)
                    if found < 0:
                        return FULL
                    _add(state, depth, chosen, found, weight * ways)
                    state.nodes[0] += 1
            else:
                mask = state.open[top]
                if mask:
                    chosen = 0
                    while not mask >> chosen & 1:
                        chosen += 1
                    state.open[top] = mask & ~(1 << chosen)
                    choices[made - 1] = chosen
                    weight = 1
                    asks = True
                    continue
                made -= 1
                best = _best(state, known, order, depth, made, state.legal[top])
                visible(kernel_data, shoe, choices[:made], seen)
                met = _weight_of(state, top)
                note(record, faces, seen, choices[:made], best, state.values, met)
                if depth == 1:
                    first = best
                weight = state.weight[top]
                top -= 1
                depth -= 1
                chosen = 0
                if depth:
                    chosen = choices[made - 1]
                _pass_up(state, depth, chosen, best, made, weight, len(code.puts))

    return walk


@inlined
def _are_decided(outcomes: Array) -> bool:
    for spot in range(len(outcomes)):  # noqa: SIM110 - kernels have no generators
        if outcomes[spot] == OPEN:
            return False
    return True


@lean
def _weight_of(state: TreeWalk, top: int) -> int:
    """The number of deals of the cards seen on the way to a choice's frame that it stands for."""
    weight = 1
    for frame in range(top + 1):
        if state.kind[frame] == CHOICE:
            weight *= state.weight[frame]
    return weight


@inlined
def _find(known: Outcomes, code: JointCode, number: int) -> int:
    """The id of a joint outcome; a new one is written down with its net. -1 if there is no room."""
    last = len(known.numbers) - 1
    place = number * 0x9E3779B97F4A7C1 >> 20 & last
    while known.numbers[place] != 0:
        if known.numbers[place] == number + 1:
            return int64(known.ids[place])
        place = place + 1 & last
    new = known.used[0]
    if new >= len(known.met):
        return -1
    known.numbers[place] = number + 1
    known.ids[place] = new
    known.met[new] = number
    known.nets[new] = _net(known, code, number)
    known.used[0] += 1
    return int64(new)


@lean
def _net(known: Outcomes, code: JointCode, number: int) -> int:
    net = 0
    for n in range(len(code.radix)):
        spot = len(code.radix) - 1 - n
        net += known.spot_nets[spot, number % code.radix[spot]]
        number //= code.radix[spot]
    return net


@inlined
def _add(state: TreeWalk, depth: int, choice: int, found: int, count: int) -> None:
    if state.counts[depth, choice, found] == 0:
        state.touched[depth, choice, state.touches[depth, choice]] = found
        state.touches[depth, choice] += 1
    state.counts[depth, choice, found] += count


@lean
def _best(state: TreeWalk, known: Outcomes, order: Ints, depth: int, made: int, legal: int) -> int:
    """The choice of the highest value; of equal ones, the first in the order of the street."""
    best, most, ties = NO_CHOICE, 0, 0
    for n in range(order.shape[1]):
        choice = order[min(made, len(order) - 1), n]
        if not legal >> choice & 1:
            state.values[choice] = 0
            continue
        value = 0
        for k in range(state.touches[depth, choice]):
            found = state.touched[depth, choice, k]
            value += state.counts[depth, choice, found] * known.nets[found]
        state.values[choice] = value
        if best == NO_CHOICE or value > most:
            best, most, ties = choice, value, 0
        elif value == most:
            ties += 1
    state.equal[0] += ties > 0
    return int64(best)


@lean
def _pass_up(
    state: TreeWalk, depth: int, choice: int, best: int, made: int, weight: int, streets: int
) -> None:
    """Add the counts of the best choice one depth up, and clear those of all choices."""
    deals = 0
    below = depth + 1
    for k in range(state.touches[below, best]):
        found = state.touched[below, best, k]
        count = state.counts[below, best, found]
        deals += count
        _add(state, depth, choice, found, weight * count)
    for street in range(state.made.shape[2]):
        for n in range(state.made.shape[3]):
            state.made[depth, choice, street, n] += weight * state.made[below, best, street, n]
    if made < streets:
        state.made[depth, choice, made, best] += weight * deals
    for other in range(state.counts.shape[1]):
        for k in range(state.touches[below, other]):
            state.counts[below, other, state.touched[below, other, k]] = 0
        state.touches[below, other] = 0
        for street in range(state.made.shape[2]):
            for n in range(state.made.shape[3]):
                state.made[below, other, street, n] = 0
