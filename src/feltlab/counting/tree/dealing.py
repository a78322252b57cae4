"""The cards of a walk: which places are dealt next, and every card that may go there, class by class."""

from feltlab.counting.tree.deals import JOKERS_FROM, SUITS, DeckFaces
from feltlab.counting.tree.state import CARD, Ints, Records, TreeWalk
from feltlab.kernel import Array, inlined, int64, lean


@lean
def ways_to_fill(shoe: Array, left: Ints) -> int:
    """The number of orders of cards for the places that no card was dealt to."""
    cards = 0
    for face in range(len(left)):
        cards += left[face]
    ways = 1
    for place in range(len(shoe)):
        if shoe[place] < 0:
            ways *= cards
            cards -= 1
    return ways


@lean
def list_wanted(shoe: Array, seen: Array, pending: Ints, begin: int) -> int:
    """Write the places whose cards are seen but not dealt; return their number."""
    count = 0
    for place in range(len(shoe)):
        if shoe[place] < 0 and seen[place] == -1:
            pending[begin + count] = place
            count += 1
    return count


@lean
def push_card(state: TreeWalk, faces: DeckFaces, begin: int, end: int) -> None:
    """Begin a frame for the first of the pending places.

    A run of places without an order is dealt in rising order, and stands for all its orders. Suits that no
    dealt card has are alike: a card that stands alone is dealt in the lowest of them, a run in the one way
    in which lower suits have the larger sets of ranks.
    """
    cursor = state.cursor[0]
    cursor.top += 1
    top, weight, place = cursor.top, cursor.weight, state.pending[begin]
    group = faces.group[place]
    frame, before = state.frames[top], state.frames[max(top - 1, 0)]
    frame.kind, frame.place, frame.at, frame.low = CARD, place, -1, 0
    frame.next, frame.end = begin + 1, end
    follows = top > 0 and before.kind == CARD and before.next < before.end
    if group >= 0 and follows and faces.group[before.place] == group:
        frame.low = before.at + 1
        frame.alone = 0
        frame.run, frame.fresh = before.run, before.fresh
    else:
        size = 1
        while group >= 0 and begin + size < end and faces.group[state.pending[begin + size]] == group:
            size += 1
            weight *= size
        frame.alone = faces.suits_are_alike and size == 1
        frame.run, frame.fresh = top, 0
        if faces.suits_are_alike and size > 1:
            frame.fresh = _fresh_suits(state.shoe, faces)
    goes_on = group >= 0 and begin + 1 < end and faces.group[state.pending[begin + 1]] == group
    frame.closes = 0 if goes_on else frame.fresh
    frame.weight = weight


@lean
def _fresh_suits(shoe: Array, faces: DeckFaces) -> int:
    """The suits of the deck that no dealt card has, a bit each; 0 unless there are two."""
    fresh, count = 0, 0
    used = _used_suits(shoe)
    for suit in range(SUITS):
        if not used >> suit & 1 and _has_suit(faces, suit):
            fresh |= 1 << suit
            count += 1
    return fresh if count > 1 else 0


@lean
def _used_suits(shoe: Array) -> int:
    used = 0
    for place in range(len(shoe)):
        card = shoe[place]
        if 0 <= card < JOKERS_FROM:
            used |= 1 << (card % SUITS)
    return used


@inlined
def next_card(state: TreeWalk, faces: DeckFaces, top: int) -> int:
    """Deal the next card to the place of a frame; return the deals that it stands for, 0 after the last."""
    frame = state.frames[top]
    while True:
        if frame.at >= 0:
            state.left[frame.at] += 1
            state.shoe[frame.place] = -1
        factor = _next_face(state, faces, top)
        if factor == 0:
            return 0
        state.left[frame.at] -= 1
        state.shoe[frame.place] = faces.cards[frame.at]
        alike = _count_alike_runs(state.frames, faces, top) if frame.closes else 1
        if alike:
            return int64(frame.weight * factor * alike)


@inlined
def _count_alike_runs(frames: Records, faces: DeckFaces, top: int) -> int:
    """The number of runs that differ from this one by the names of fresh suits; 0 unless it is the first.

    Each suit of the run has a set of ranks; in the first run they do not rise from suit to suit.
    """
    sets = int64(0)
    for n in range(frames[top].run, top + 1):
        card = faces.cards[frames[n].at]
        if card < JOKERS_FROM:
            sets |= int64(1) << (16 * (card % SUITS) + card // SUITS)
    last, same, suits, ways = int64(1 << 16), 0, 0, 1
    for suit in range(SUITS):
        if frames[top].closes >> suit & 1:
            ranks = sets >> (16 * suit) & 0xFFFF
            if ranks > last:
                return 0
            same = same + 1 if ranks == last else 1
            suits += 1
            ways = ways * suits // same
            last = ranks
    return int64(ways)


@inlined
def _next_face(state: TreeWalk, faces: DeckFaces, top: int) -> int:
    """Go on to the next face of a card's frame; return the number of cards that it stands for, or 0."""
    frame = state.frames[top]
    at = max(frame.at + 1, frame.low)
    while at < len(faces.cards):
        factor = state.left[at]
        if factor and frame.alone and faces.cards[at] < JOKERS_FROM:
            factor *= _suits_like(state.shoe, faces, faces.cards[at] % SUITS)
        if factor:
            frame.at = at
            return int64(factor)
        at += 1
    frame.at = -1
    return 0


@lean
def _suits_like(shoe: Array, faces: DeckFaces, suit: int) -> int:
    """Of the suits that no dealt card has: their number for the lowest, 0 for others; 1 for a dealt suit."""
    used = _used_suits(shoe)
    if used >> suit & 1:
        return 1
    fresh = 0
    for other in range(SUITS):
        if not used >> other & 1 and _has_suit(faces, other):
            if other < suit:
                return 0
            fresh += 1
    return fresh


@lean
def _has_suit(faces: DeckFaces, suit: int) -> bool:
    for face in range(min(SUITS, len(faces.cards))):  # noqa: SIM110 - kernels have no generators
        if faces.cards[face] % SUITS == suit:
            return True
    return False
