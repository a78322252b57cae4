"""The walk through the tree of a game, from the cards that a player sees first to the end of the round.

At each step the walk asks the rules: is everything decided? Which cards does the player come to see? Which
choices are open? It deals the cards in every way, follows every choice, and goes back up with counts of
joint outcomes; the choice with the highest expected net stays. Choices that differ only by their size are
followed once. The player is given the cards that `visible` shows and nothing else, since no other card of
the shoe is dealt yet when a choice is made.
"""

from collections.abc import Callable
from typing import Any

from feltlab.core.layout import OPEN
from feltlab.core.rules import Rules
from feltlab.counting.tree.choice_sizes import (
    NOT_ASKED,
    build_comparison,
    build_view_comparison,
    count_choices,
    draw_way,
    nth_choice,
    write_way,
)
from feltlab.counting.tree.dealing import list_wanted, next_card, push_card, ways_to_fill
from feltlab.counting.tree.state import (
    CARD,
    CHOICE,
    DEPTH,
    FIRST,
    MADE,
    RANDOM,
    START,
    TOP,
    WEIGHT,
    TreeWalk,
    WalkTables,
    WalkTools,
)
from feltlab.counting.tree.sums import (
    FULL,
    NO_CHOICE,
    clear_counts,
    count_end,
    find_best,
    pass_up,
    spread_ends,
)
from feltlab.kernel import Array, inlined, int64, lean

Decide = Callable[..., int]  # a kernel: decide(data, seen, legal, choices)
Note = Callable[..., None]  # a kernel: note(record, faces, seen, choices, choice, values, weight)
Compare = Callable[..., bool]  # a kernel
Step = Callable[[WalkTools, TreeWalk], int]  # a kernel: it returns one of

GO_ON, ASK = 0, 1  # the frame on top goes on; or the rules are asked what comes next;
TOO_DEEP = -3  # or the walk stops: the round has too many choices,
UNLIKE = -4  # or choices of different sizes differ by more than their size; or `FULL`


def build_walk(rules: Rules, decide: Decide | None, note: Note) -> Callable[..., int]:
    """Build a walk, not compiled yet, from a shoe of which some places are dealt.

    Without `decide` the best choice is made; with it, the one that it names. `note` is told every choice.
    The walk returns the choice made first, `NO_CHOICE` if there is none, or less if it had to stop.
    """
    ends_alike = lean(build_comparison(rules))
    steps = (
        _build_ask(rules, decide, ends_alike),
        _build_deal(rules, ends_alike),
        _build_choose(rules, decide, note),
    )
    ask, deal, choose = (inlined(step) for step in steps)

    def walk(tools: WalkTools, state: TreeWalk, start: int) -> int:
        cursor = state.cursor
        _begin(state, start)
        step = ASK
        while step >= 0:
            if step == ASK:
                step = ask(tools, state)
            elif cursor[TOP] < 0:
                step = spread_ends(tools.tables, state)
                return int64(cursor[FIRST]) if step == GO_ON else step
            elif state.kind[cursor[TOP]] == CARD:
                step = deal(tools, state)
            else:
                step = choose(tools, state)
        return step

    return walk


@lean
def _begin(state: TreeWalk, start: int) -> None:
    cursor = state.cursor
    cursor[DEPTH], cursor[TOP], cursor[MADE], cursor[WEIGHT] = 0, -1, start, 1
    cursor[FIRST], cursor[START], cursor[RANDOM] = NO_CHOICE, start, 1
    state.members[0] = state.ways[0] = 1
    for n in range(start):
        state.sized[n] = state.drawn[n] = state.choices[n]


def _build_ask(rules: Rules, decide: Decide | None, ends_alike: Compare) -> Step:
    """Build the step that asks the rules: it counts an end, or begins a frame for cards or for a choice."""
    legal, visible, settle = rules.legal, rules.visible, rules.settle
    looks_alike = lean(build_view_comparison(rules))
    allowed = lean(_build_policy(decide))

    def ask(tools: WalkTools, state: TreeWalk) -> int:
        shoe, seen, top = state.shoe, state.seen, state.cursor[TOP]
        choices, many = state.choices[: state.cursor[MADE]], state.ways[state.cursor[DEPTH]] > 1
        settle(tools.kernel_data, shoe, choices, state.outcomes)
        drawn = state.drawn[: state.cursor[MADE]]
        if many and not ends_alike(tools.kernel_data, shoe, drawn, state.outcomes, state.drawn_outcomes):
            return UNLIKE
        if are_decided(state.outcomes):
            return count_end(tools.tables, state, ways_to_fill(shoe, state.left))
        visible(tools.kernel_data, shoe, choices, seen)
        begin = state.end[top] if top >= 0 else 0
        mask, wanted = NOT_ASKED, list_wanted(shoe, seen, state.pending, begin)
        if wanted == 0:
            mask = legal(tools.kernel_data, shoe, choices)
        if many and not looks_alike(tools.kernel_data, shoe, drawn, seen, state.drawn_seen, mask):
            return UNLIKE
        if mask == 0:  # the cards that are never seen
            seen[:] = -1
            wanted = list_wanted(shoe, seen, state.pending, begin)
        if wanted:
            push_card(state, tools.tables.faces, begin, begin + wanted)
            return GO_ON
        return _push_choice(state, begin, mask, allowed(tools, state, mask))

    return ask


def _build_policy(decide: Decide | None) -> Callable[[WalkTools, TreeWalk, int], int]:
    """Build the answer which of the open choices are followed: all, or those that the strategy may make."""

    def every_choice(tools: WalkTools, state: TreeWalk, mask: int) -> int:
        return mask

    if decide is None:
        return every_choice

    def choices_made(tools: WalkTools, state: TreeWalk, mask: int) -> int:
        made, depth, found = state.cursor[MADE], state.cursor[DEPTH], 0
        for way in range(state.ways[depth]):
            write_way(state, depth, way, state.sized)
            found |= 1 << decide(tools.data, state.seen, mask, state.sized[:made])
        return mask & found

    return choices_made


def _build_deal(rules: Rules, ends_alike: Compare) -> Step:
    """Build the step that deals the next card to the place of the frame on top.

    The last place of a reveal is filled in every way at once, as long as each way ends the round.
    """
    settle = rules.settle

    def deal(tools: WalkTools, state: TreeWalk) -> int:
        cursor, top = state.cursor, state.cursor[TOP]
        choices, many = state.choices[: cursor[MADE]], state.ways[cursor[DEPTH]] > 1
        is_last, drawn = state.next[top] == state.end[top], state.drawn[: cursor[MADE]]
        ways = 0
        while True:
            cursor[WEIGHT] = next_card(state, tools.tables.faces, top)
            if cursor[WEIGHT] == 0:
                cursor[TOP] -= 1
                return GO_ON
            if not is_last:
                push_card(state, tools.tables.faces, state.next[top], state.end[top])
                return GO_ON
            settle(tools.kernel_data, state.shoe, choices, state.outcomes)
            if not are_decided(state.outcomes):
                return ASK
            if many and not ends_alike(
                tools.kernel_data, state.shoe, drawn, state.outcomes, state.drawn_outcomes
            ):
                return UNLIKE
            if ways == 0:  # every way to end here leaves the same number of places empty
                ways = ways_to_fill(state.shoe, state.left)
            if count_end(tools.tables, state, ways) < 0:
                return FULL

    return deal


def _build_choose(rules: Rules, decide: Decide | None, note: Note) -> Step:
    """Build the step that follows the next choice of the frame on top; after the last, the best one stays."""
    visible = rules.visible
    follows = decide is not None
    policy: Any = decide or rules.legal

    def choose(tools: WalkTools, state: TreeWalk) -> int:
        cursor, top = state.cursor, state.cursor[TOP]
        if spread_ends(tools.tables, state) < 0:
            return FULL
        if state.open[top]:
            _follow_next(tools.tables, state)
            return ASK
        cursor[MADE] -= 1
        choices = state.sized[: cursor[MADE]]
        visible(tools.kernel_data, state.shoe, state.choices[: cursor[MADE]], state.seen)
        met, legal, best = _weight_of(state, top), state.legal[top], NO_CHOICE
        ways = state.ways[cursor[DEPTH] - 1]
        cursor[WEIGHT] = state.weight[top]
        for way in range(ways):
            write_way(state, cursor[DEPTH] - 1, way, state.sized)
            if follows:
                legal = 1 << policy(tools.data, state.seen, state.legal[top], choices)
            best = find_best(tools.tables, state, way, legal)
            note(tools.record, tools.tables.faces, state.seen, choices, best, state.values, met)
            pass_up(state, way, best, len(tools.tables.code.puts))
        _pop_choice(state, best, ways)
        return GO_ON

    return choose


@lean
def _push_choice(state: TreeWalk, begin: int, legal: int, followed: int) -> int:
    """Begin a frame for a choice; places pending below it are kept from `begin` on."""
    cursor = state.cursor
    if cursor[DEPTH] + 1 >= len(state.counts):
        return TOO_DEEP
    cursor[TOP] += 1
    cursor[DEPTH] += 1
    cursor[MADE] += 1
    top = cursor[TOP]
    state.kind[top], state.weight[top], state.end[top] = CHOICE, cursor[WEIGHT], begin
    state.legal[top], state.open[top] = legal, followed
    return GO_ON


@lean
def _follow_next(tables: WalkTables, state: TreeWalk) -> None:
    """Make the lowest choice of the frame on top that was not followed yet, for all of its sizes."""
    cursor, mask = state.cursor, state.open[state.cursor[TOP]]
    depth, choice = cursor[DEPTH], nth_choice(mask, 0)
    members = mask & tables.sizes[choice]
    ways = state.ways[depth - 1] * count_choices(members)
    if ways > state.counts.shape[2]:
        members, ways = int64(1) << choice, state.ways[depth - 1]
    state.members[depth], state.ways[depth] = members, ways
    state.open[cursor[TOP]] = mask & ~members
    state.choices[cursor[MADE] - 1] = choice
    cursor[WEIGHT] = 1
    if ways > 1:
        draw_way(state)


@lean
def _pop_choice(state: TreeWalk, best: int, ways: int) -> None:
    """End the frame of a choice; `best` is the first choice of the walk if nothing was chosen before."""
    cursor = state.cursor
    clear_counts(state, cursor[DEPTH], ways)
    if cursor[DEPTH] == 1:
        cursor[FIRST] = best
    cursor[TOP] -= 1
    cursor[DEPTH] -= 1


@inlined
def are_decided(outcomes: Array) -> bool:
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
