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
from feltlab.counting.tree.state import CARD, CHOICE, Records, TreeWalk, WalkTables, WalkTools
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
        cursor = state.cursor[0]
        _begin(state, start)
        step = ASK
        while step >= 0:
            if step == ASK:
                step = ask(tools, state)
            elif cursor.top < 0:
                step = spread_ends(tools.tables, state)
                return int64(cursor.first) if step == GO_ON else step
            elif state.frames[cursor.top].kind == CARD:
                step = deal(tools, state)
            else:
                step = choose(tools, state)
        return step

    return walk


@lean
def _begin(state: TreeWalk, start: int) -> None:
    cursor, level = state.cursor[0], state.levels[0]
    cursor.depth, cursor.top, cursor.made, cursor.weight = 0, -1, start, 1
    cursor.first, cursor.start, cursor.random = NO_CHOICE, start, 1
    level.members, level.ways = 1, 1
    for n in range(start):
        state.sized[n] = state.drawn[n] = state.choices[n]


def _build_ask(rules: Rules, decide: Decide | None, ends_alike: Compare) -> Step:
    """Build the step that asks the rules: it counts an end, or begins a frame for cards or for a choice."""
    legal, visible, settle = rules.legal, rules.visible, rules.settle
    looks_alike = lean(build_view_comparison(rules))
    allowed = lean(_build_policy(decide))

    def ask(tools: WalkTools, state: TreeWalk) -> int:
        shoe, seen, cursor = state.shoe, state.seen, state.cursor[0]
        choices, many = state.choices[: cursor.made], state.levels[cursor.depth].ways > 1
        settle(tools.kernel_data, shoe, choices, state.outcomes)
        drawn = state.drawn[: cursor.made]
        if many and not ends_alike(tools.kernel_data, shoe, drawn, state.outcomes, state.drawn_outcomes):
            return UNLIKE
        if are_decided(state.outcomes):
            return count_end(tools.tables, state, ways_to_fill(shoe, state.left))
        visible(tools.kernel_data, shoe, choices, seen)
        begin = state.frames[cursor.top].end if cursor.top >= 0 else 0
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
        cursor, found = state.cursor[0], 0
        for way in range(state.levels[cursor.depth].ways):
            write_way(state, cursor.depth, way, state.sized)
            found |= 1 << decide(tools.data, state.seen, mask, state.sized[: cursor.made])
        return mask & found

    return choices_made


def _build_deal(rules: Rules, ends_alike: Compare) -> Step:
    """Build the step that deals the next card to the place of the frame on top.

    The last place of a reveal is filled in every way at once, as long as each way ends the round.
    """
    settle = rules.settle

    def deal(tools: WalkTools, state: TreeWalk) -> int:
        cursor, ways = state.cursor[0], 0
        frame, choices = state.frames[cursor.top], state.choices[: cursor.made]
        many, drawn = state.levels[cursor.depth].ways > 1, state.drawn[: cursor.made]
        while True:
            cursor.weight = next_card(state, tools.tables.faces, cursor.top)
            if cursor.weight == 0:
                cursor.top -= 1
                return GO_ON
            if frame.next < frame.end:
                push_card(state, tools.tables.faces, frame.next, frame.end)
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
        cursor = state.cursor[0]
        frame = state.frames[cursor.top]
        if spread_ends(tools.tables, state) < 0:
            return FULL
        if frame.open:
            _follow_next(tools.tables, state)
            return ASK
        cursor.made -= 1
        choices = state.sized[: cursor.made]
        visible(tools.kernel_data, state.shoe, state.choices[: cursor.made], state.seen)
        met, legal, best = _weight_of(state.frames, cursor.top), frame.legal, NO_CHOICE
        ways = state.levels[cursor.depth - 1].ways
        cursor.weight = frame.weight
        for way in range(ways):
            write_way(state, cursor.depth - 1, way, state.sized)
            if follows:
                legal = 1 << policy(tools.data, state.seen, frame.legal, choices)
            best = find_best(tools.tables, state, way, legal)
            note(tools.record, tools.tables.faces, state.seen, choices, best, state.values, met)
            pass_up(state, way, best, len(tools.tables.code.puts))
        _pop_choice(state, best, ways)
        return GO_ON

    return choose


@lean
def _push_choice(state: TreeWalk, begin: int, legal: int, followed: int) -> int:
    """Begin a frame for a choice; places pending below it are kept from `begin` on."""
    cursor = state.cursor[0]
    if cursor.depth + 1 >= len(state.counts):
        return TOO_DEEP
    cursor.top += 1
    cursor.depth += 1
    cursor.made += 1
    frame = state.frames[cursor.top]
    frame.kind, frame.weight, frame.end = CHOICE, cursor.weight, begin
    frame.legal, frame.open = legal, followed
    return GO_ON


@lean
def _follow_next(tables: WalkTables, state: TreeWalk) -> None:
    """Make the lowest choice of the frame on top that was not followed yet, for all of its sizes."""
    cursor = state.cursor[0]
    frame, level = state.frames[cursor.top], state.levels[cursor.depth]
    choice, before = nth_choice(frame.open, 0), state.levels[cursor.depth - 1].ways
    members = frame.open & tables.sizes[choice]
    ways = before * count_choices(members)
    if ways > state.counts.shape[2]:
        members, ways = int64(1) << choice, before
    level.members, level.ways = members, ways
    frame.open &= ~members
    state.choices[cursor.made - 1] = choice
    cursor.weight = 1
    if ways > 1:
        draw_way(state)


@lean
def _pop_choice(state: TreeWalk, best: int, ways: int) -> None:
    """End the frame of a choice; `best` is the first choice of the walk if nothing was chosen before."""
    cursor = state.cursor[0]
    clear_counts(state, cursor.depth, ways)
    if cursor.depth == 1:
        cursor.first = best
    cursor.top -= 1
    cursor.depth -= 1


@inlined
def are_decided(outcomes: Array) -> bool:
    for spot in range(len(outcomes)):  # noqa: SIM110 - kernels have no generators
        if outcomes[spot] == OPEN:
            return False
    return True


@lean
def _weight_of(frames: Records, top: int) -> int:
    """The number of deals of the cards seen on the way to a choice's frame that it stands for."""
    weight = 1
    for n in range(top + 1):
        if frames[n].kind == CHOICE:
            weight *= frames[n].weight
    return weight
