"""The cards of a walk: which places are dealt next, and every card that may go there, class by class."""

from feltlab.counting.tree.deals import JOKERS_FROM, SUITS, DeckFaces
from feltlab.counting.tree.state import CARD, TOP, WEIGHT, Ints, TreeWalk
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
    state.cursor[TOP] += 1
    top, weight, place = state.cursor[TOP], state.cursor[WEIGHT], state.pending[begin]
    group = faces.group[place]
    state.kind[top], state.place[top], state.at[top], state.low[top] = CARD, place, -1, 0
    state.next[top], state.end[top] = begin + 1, end
    follows = top > 0 and state.kind[top - 1] == CARD and state.next[top - 1] < state.end[top - 1]
    if group >= 0 and follows and faces.group[state.place[top - 1]] == group:
        state.low[top] = state.at[top - 1] + 1
        state.alone[top] = 0
        state.run[top], state.fresh[top] = state.run[top - 1], state.fresh[top - 1]
    else:
        size = 1
        while group >= 0 and begin + size < end and faces.group[state.pending[begin + size]] == group:
            size += 1
            weight *= size
        state.alone[top] = faces.suits_are_alike and size == 1
        state.run[top], state.fresh[top] = top, 0
        if faces.suits_are_alike and size > 1:
            state.fresh[top] = _fresh_suits(state, faces)
    goes_on = group >= 0 and begin + 1 < end and faces.group[state.pending[begin + 1]] == group
    state.closes[top] = 0 if goes_on else state.fresh[top]
    state.weight[top] = weight


@lean
def _fresh_suits(state: TreeWalk, faces: DeckFaces) -> int:
    """The suits of the deck that no dealt card has, a bit each; 0 unless there are two."""
    fresh, count = 0, 0
    used = _used_suits(state)
    for suit in range(SUITS):
        if not used >> suit & 1 and _has_suit(faces, suit):
            fresh |= 1 << suit
            count += 1
    return fresh if count > 1 else 0


@lean
def _used_suits(state: TreeWalk) -> int:
    used = 0
    for place in range(len(state.shoe)):
        card = state.shoe[place]
        if 0 <= card < JOKERS_FROM:
            used |= 1 << (card % SUITS)
    return used


@inlined
def next_card(state: TreeWalk, faces: DeckFaces, top: int) -> int:
    """Deal the next card to the place of a frame; return the deals that it stands for, 0 after the last."""
    place = state.place[top]
    while True:
        if state.at[top] >= 0:
            state.left[state.at[top]] += 1
            state.shoe[place] = -1
        factor = _next_face(state, faces, top)
        if factor == 0:
            return 0
        state.left[state.at[top]] -= 1
        state.shoe[place] = faces.cards[state.at[top]]
        alike = _count_alike_runs(state, faces, top) if state.closes[top] else 1
        if alike:
            return int64(state.weight[top] * factor * alike)


@inlined
def _count_alike_runs(state: TreeWalk, faces: DeckFaces, top: int) -> int:
    """The number of runs that differ from this one by the names of fresh suits; 0 unless it is the first.

    Each suit of the run has a set of ranks; in the first run they do not rise from suit to suit.
    """
    sets = int64(0)
    for frame in range(state.run[top], top + 1):
        card = faces.cards[state.at[frame]]
        if card < JOKERS_FROM:
            sets |= int64(1) << (16 * (card % SUITS) + card // SUITS)
    last, same, suits, ways = int64(1 << 16), 0, 0, 1
    for suit in range(SUITS):
        if state.closes[top] >> suit & 1:
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
    at = max(state.at[top] + 1, state.low[top])
    while at < len(faces.cards):
        factor = state.left[at]
        if factor and state.alone[top] and faces.cards[at] < JOKERS_FROM:
            factor *= _suits_like(state, faces, faces.cards[at] % SUITS)
        if factor:
            state.at[top] = at
            return int64(factor)
        at += 1
    state.at[top] = -1
    return 0


@lean
def _suits_like(state: TreeWalk, faces: DeckFaces, suit: int) -> int:
    """Of the suits that no dealt card has: their number for the lowest, 0 for others; 1 for a dealt suit."""
    used = _used_suits(state)
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
