"""The cards of a game as the tree deals them, and the classes of its first cards.

Two deals that differ only by renaming suits, or by the order of cards that a player comes to see together,
are one class with a weight, where the rules declare that they do not read the difference. Deals are counted
as if every place of a seat's shoe were dealt in order.
"""

from itertools import groupby, permutations
from math import factorial, perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import UNKNOWN
from feltlab.core.game import Game
from feltlab.core.layout import ALIKE, UNREAD
from feltlab.kernel import Array, kernel, lean

Ints = NDArray[np.int64]
SUITS = 4
JOKERS_FROM = 52  # cards from here on have no suit


class DeckFaces(NamedTuple):
    """The cards that the rules can tell apart."""

    cards: Ints  # one card of each face, in rising order
    copies: Ints  # of each face in the deck
    renamings: Ints  # renamings[n, card]: the card after a renaming of suits that no rule notices
    group: Ints  # by place: the area whose cards have no order, or -1
    suits_are_alike: bool


def faces_of(game: Game) -> DeckFaces:
    """The faces of a game's deck."""
    deck = np.array(game.deck.cards, np.int64)
    if game.suits == UNREAD:
        deck = np.where(deck < JOKERS_FROM, deck // SUITS * SUITS, deck)
    cards, copies = np.unique(deck, return_counts=True)
    alike = game.suits == ALIKE and _is_symmetric(cards, copies)
    suits = sorted({int(card) % SUITS for card in cards if card < JOKERS_FROM}) if alike else []
    single = bool((copies == 1).all())
    return DeckFaces(cards, copies.astype(np.int64), suit_renamings(suits), _groups(game, single), alike)


def _is_symmetric(cards: Ints, copies: Ints) -> bool:
    """Does the deck hold the same ranks in every suit that it has? Otherwise suits differ by their cards."""
    held = {int(card): int(n) for card, n in zip(cards, copies, strict=True) if card < JOKERS_FROM}
    ranks, suits = {card // SUITS for card in held}, {card % SUITS for card in held}
    return len({held.get(SUITS * rank + suit) for rank in ranks for suit in suits}) == 1


def suit_renamings(suits: list[int]) -> Ints:
    every = []
    for order in permutations(suits):
        to = dict(zip(suits, order, strict=True))
        renamed = [card - card % SUITS + to.get(card % SUITS, card % SUITS) for card in range(JOKERS_FROM)]
        every.append([*renamed, *range(JOKERS_FROM, JOKERS_FROM + SUITS)])
    return np.array(every, np.int64)


def _groups(game: Game, single: bool) -> Ints:
    """By place, the number of its area if order means nothing there; two cards of one face would repeat."""
    areas = enumerate(game.areas)
    return np.array([n if area.any_order and single else -1 for n, area in areas for _ in range(area.cards)])


class RootClasses(NamedTuple):
    """The classes of the cards that a player sees before the first choice."""

    shoes: Array  # a row each; places that are not seen are unknown
    weights: Ints  # deals of those cards in order
    orders: int  # in which the same cards are dealt


def root_classes(game: Game, faces: DeckFaces) -> RootClasses:
    """Every class of the cards that are seen first."""
    places = first_places(game)
    after = places_before(places, faces.group)
    arguments = (places, after, faces.cards, faces.copies, faces.renamings)
    found = _write_roots(*arguments, np.empty((0, game.places), np.int8), np.empty(0, np.int64))
    shoes, weights = np.full((found, game.places), UNKNOWN, np.int8), np.empty(found, np.int64)
    _write_roots(*arguments, shoes, weights)
    runs = (len(list(run)) for _, run in groupby(places.tolist(), key=lambda place: _run_key(faces, place)))
    orders = np.prod([factorial(n) for n in runs], dtype=np.int64) if (after >= 0).any() else 1
    return RootClasses(shoes, weights * orders, int(orders))


def _run_key(faces: DeckFaces, place: int) -> tuple[int, int]:
    group = int(faces.group[place])
    return group, place if group < 0 else -1


def first_places(game: Game) -> Ints:
    """The places that a player sees before the first choice."""
    shoe = np.full(game.places, UNKNOWN, np.int8)
    seen = np.zeros_like(shoe)
    game.rules.visible(game.kernel_data, shoe, shoe[:0], seen)
    return np.flatnonzero(seen == UNKNOWN)


def places_before(places: Ints, group: Ints) -> Ints:
    """By place in a list: the place before it whose card must be lower, or -1."""
    before = np.full(len(places), -1, np.int64)
    for n in range(1, len(places)):
        if group[places[n]] >= 0 and group[places[n]] == group[places[n - 1]]:
            before[n] = places[n - 1]
    return before


def total_deals(game: Game) -> int:
    """The number of orders in which a seat's shoe can be dealt."""
    return perm(len(game.deck), game.places)


@lean
def _compare_renamed(shoe: Array, places: Ints, after: Ints, renaming: Ints) -> int:
    """-1 if renaming suits gives a smaller shoe, 0 if it gives the same one, 1 otherwise.

    Cards without an order are compared in rising order, so the k-th smallest of a run is looked for.
    """
    n = 0
    while n < len(places):
        end = n + 1
        while end < len(places) and after[end] >= 0:
            end += 1
        last = -1
        for k in range(n, end):
            least = 127
            for j in range(n, end):
                renamed = renaming[shoe[places[j]]]
                if last < renamed < least:
                    least = renamed
            last = least
            if least < shoe[places[k]]:
                return -1
            if least > shoe[places[k]]:
                return 1
        n = end
    return 0


@kernel
def _write_roots(
    places: Ints, after: Ints, cards: Ints, copies: Ints, renamings: Ints, shoes: Array, weights: Ints
) -> int:
    """Write every class for which there is room; return the number of classes."""
    found, level, last = 0, 0, len(places) - 1
    left, at = copies.copy(), np.full(len(places), -1, np.int64)
    shoe = np.full(shoes.shape[1], -1, np.int8)
    while level >= 0:
        if level <= last and not _next_root_card(left, after, at, level):
            level -= 1
            continue
        if level <= last:
            shoe[places[level]] = cards[at[level]]
        if level < last:
            level += 1
            continue
        alike = _count_alike(shoe, places, after, renamings)
        if alike:
            if found < len(weights):
                weights[found] = alike * _count_copies(copies, at)
                shoes[found] = shoe
            found += 1
        if last < 0:
            break
    return found


@lean
def _next_root_card(left: Ints, after: Ints, at: Ints, level: int) -> bool:
    """Go on to the next face of a place; False after the last. A run without an order is dealt rising."""
    face = at[level] + 1
    if at[level] >= 0:
        left[at[level]] += 1
    elif after[level] >= 0:
        face = at[level - 1] + 1
    while face < len(left) and left[face] == 0:
        face += 1
    if face == len(left):
        at[level] = -1
        return False
    at[level] = face
    left[face] -= 1
    return True


@lean
def _count_alike(shoe: Array, places: Ints, after: Ints, renamings: Ints) -> int:
    """The number of shoes that renaming suits makes of this one; 0 unless it is the least of them."""
    same = 0
    for n in range(len(renamings)):
        compared = _compare_renamed(shoe, places, after, renamings[n])
        if compared < 0:
            return 0
        same += compared == 0
    return len(renamings) // same


@lean
def _count_copies(copies: Ints, at: Ints) -> int:
    """The number of ways to take cards of these faces, one after another."""
    ways = 1
    for n in range(len(at)):
        before = 0
        for m in range(n):
            before += at[m] == at[n]
        ways *= copies[at[n]] - before
    return ways
