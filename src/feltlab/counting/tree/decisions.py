"""The choices of a strategy by what the player sees, in one table that kernels can look up.

The place of a choice follows from the cards seen and the choices made before: each run of cards without an
order has a number among the sets of its size, and each other card is its own number. All shoes of a class
have their place, so that nothing needs to be sorted into classes during a simulation.
"""

from itertools import product
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import UNKNOWN
from feltlab.core.game import Game
from feltlab.core.solver import Decisions
from feltlab.counting.tree.deals import DeckFaces, faces_of
from feltlab.errors import Refused
from feltlab.kernel import Array, int64, lean

Ints = NDArray[np.int64]
CARDS = 56  # that a place may hold, with room for jokers
MOST_PLACES = 1 << 28
NOT_MET = 255  # in place of a choice


class SeenPlaces(NamedTuple):
    """By number of choices made before, the places that a player sees, and where its choices begin."""

    places: Ints  # places[made, n]; -1 after the last
    runs: Ints  # runs[made, n]: the number of the place in its run of places without an order, from 0
    size: Ints  # by number of choices made: the places of one sequence of choices
    start: Ints  # likewise: where they begin
    choices: int  # of the game


class Record(NamedTuple):
    """A table of choices, and what is needed to find a place in it."""

    table: Decisions
    seen: SeenPlaces
    choose: Ints  # choose[n, k]: the number of sets of k of n cards
    face_of: Ints  # by card


def seen_places(game: Game, faces: DeckFaces) -> SeenPlaces:
    """Ask the rules what a player sees after each number of choices; it must not depend on the choices."""
    asked = (_seen_after(game, made) for made in range(max(len(game.streets), 1)))
    rows = [row for row in asked if row is not None]
    most = max(map(len, rows))
    places, runs = np.full((2, len(rows), most), -1, np.int64)
    sizes = []
    for made, row in enumerate(rows):
        places[made, : len(row)] = row
        runs[made, : len(row)] = _runs(rows[:made], row, faces.group)
        counted = runs[made, : len(row)].tolist()
        lengths = [run + 1 for run, after in zip(counted, [*counted[1:], 0], strict=True) if after == 0]
        sizes.append(prod(comb(CARDS, length) for length in lengths))
    choices = max(len(game.choices), 1)
    wanted = [size * choices**made for made, size in enumerate(sizes)]
    if sum(wanted) > MOST_PLACES:
        raise Refused(f"The strategy of {game.title} has too many hands for a table; give it a player.")
    return SeenPlaces(places, runs, np.array(sizes), np.cumsum([0, *wanted]), choices)


def _seen_after(game: Game, made: int) -> list[int] | None:
    """The places that are seen after some choices, in the order of the shoe; None if no choice is open."""
    shoe = np.full(game.places, UNKNOWN, np.int8)
    seen, found = np.zeros_like(shoe), set()
    for chosen in product(range(len(game.choices)), repeat=made):
        choices = np.array(chosen, np.int8)
        if _are_possible(game, shoe, choices):
            game.rules.visible(game.kernel_data, shoe, choices, seen)
            found.add(tuple(np.flatnonzero(seen == UNKNOWN).tolist()))
    if len(found) > 1:
        raise Refused(f"What a player of {game.title} sees depends on more than the number of choices.")
    return list(found.pop()) if found else None


def _are_possible(game: Game, shoe: Array, choices: Array) -> bool:
    """May these choices be made one after another, and is one more open? Cards are not known."""
    for made in range(len(choices) + 1):
        legal = game.rules.legal(game.kernel_data, shoe, choices[:made])
        if not legal or (made < len(choices) and not legal >> int(choices[made]) & 1):
            return False
    return True


def _runs(before: list[list[int]], row: list[int], group: Ints) -> list[int]:
    """By place: its number in a run of places without an order that are first seen together."""
    first_seen = [next((n for n, seen in enumerate(before) if place in seen), len(before)) for place in row]
    runs: list[int] = []
    for n, place in enumerate(row):
        joins = n > 0 and group[place] >= 0 and group[place] == group[row[n - 1]]
        runs.append(runs[-1] + 1 if joins and first_seen[n] == first_seen[n - 1] else 0)
    return runs


def new_record(game: Game, table: Decisions | None = None) -> Record:
    """A table of a game's choices, empty unless one is given."""
    faces = faces_of(game)
    seen = seen_places(game, faces)
    if table is None:
        table = np.full(int(seen.start[-1]), NOT_MET, np.uint8)
    choose = np.array([[comb(n, k) for k in range(CARDS)] for n in range(CARDS + 1)], dtype=object)
    held = np.minimum(choose, np.iinfo(np.int64).max).astype(np.int64)
    return Record(table, seen, held, _face_of(faces))


def no_record() -> Record:
    """A record in which nothing is written down, of the same types as any other."""
    pairs, row = np.zeros((0, 0), np.int64), np.zeros(0, np.int64)
    return Record(np.zeros(0, np.uint8), SeenPlaces(pairs, pairs, row, row, 0), pairs, row)


def _face_of(faces: DeckFaces) -> Ints:
    """By card, the card that stands for its face."""
    every = np.arange(CARDS)
    known = set(faces.cards.tolist())
    return np.array([card if card in known else card - card % 4 for card in every.tolist()])


@lean
def place_of(record: Record, renaming: Ints, seen: Array, choices: Array) -> int:
    """The place of the choice that follows these cards, with their suits renamed, and these choices."""
    made = len(choices)
    place = int64(0)
    for n in range(made):
        place = place * record.seen.choices + choices[n]
    row, runs = record.seen.places[made], record.seen.runs[made]
    n = 0
    while n < len(row) and row[n] >= 0:
        end = n + 1
        while end < len(row) and row[end] >= 0 and runs[end] > 0:
            end += 1
        number = int64(0)
        for i in range(n, end):
            card = renaming[record.face_of[seen[row[i]]]]
            lower = 0
            for j in range(n, end):
                lower += renaming[record.face_of[seen[row[j]]]] < card
            number += record.choose[card, lower + 1]
        place = place * record.choose[CARDS, end - n] + number
        n = end
    return int64(place + record.seen.start[made])


@lean
def write_down(
    record: Record, faces: DeckFaces, seen: Array, choices: Array, choice: int, values: Ints, weight: int
) -> None:
    """Write a choice down for every hand of its class, unless the record is empty."""
    if len(record.table) == 0:
        return
    for n in range(len(faces.renamings)):
        record.table[place_of(record, faces.renamings[n], seen, choices)] = choice


class Lookup(NamedTuple):
    """The data of a player who looks choices up."""

    record: Record
    names: Ints  # the suits as they are


@lean
def look_up(data: Lookup, seen: Array, legal: int, choices: Array) -> int:
    return int64(data.record.table[place_of(data.record, data.names, seen, choices)])
