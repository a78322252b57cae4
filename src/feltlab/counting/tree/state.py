"""The state of a walk through the tree of a game: frames, counts and the joint outcomes met.

A kernel takes the state as a tuple of arrays, and compiling it takes longer with every array. So values that
belong together are the fields of one array of records.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.joint_numbers import JointCode
from feltlab.counting.tree.deals import DeckFaces
from feltlab.kernel import Array

Ints = NDArray[np.int64]
Records = Any  # an array of records, each field an int64
CARD, CHOICE = range(2)  # kinds of frames

CURSOR_FIELDS = (
    "depth",  # the choices that are followed now, those before the walk left out
    "top",  # the frame on top, -1 if there is none
    "made",  # the choices made, those before the walk included
    "weight",  # the deals that the cards dealt since the last choice stand for
    "first",  # the choice that the walk made first
    "start",  # the choices made before the walk
    "random",  # the state of the generator that draws ways
    "equal",  # the number of positions with two best choices
    "nodes",  # the number of ends met
)
FRAME_FIELDS = (
    "kind",
    "weight",  # on entering the frame
    "end",  # of a card's frame: where the pending places after it end; of a choice's: where those below begin
    # Of a card's frame:
    "place",
    "at",  # the face dealt now, or -1
    "low",  # the first face that may be dealt
    "alone",  # 1 if suits that no dealt card has may be renamed
    "run",  # the first frame of its run of places without an order
    "fresh",  # the suits that no card before the run has, a bit each; 0 if not two
    "closes",  # the same for the last card of a run of several, otherwise 0
    "next",  # where the pending places after it begin
    # Of a choice's frame:
    "open",  # the choices still to be followed, a bit each
    "legal",  # the choices that are open, a bit each
)
LEVEL_FIELDS = (
    "members",  # the choices that the last one followed stands for, a bit each
    "ways",  # the ways to reach this depth
    "endings",  # the number of ids in `ended`
)
MET_FIELDS = (
    "number",  # of the joint outcome
    "net",  # of the stake in parts of a unit
    "placed",  # the spots with a wager, a bit each
)
PLACE_FIELDS = ("number", "id")  # of a hashed number, which is one more than it is; 0 is free
LOOKUP_FIELDS = ("used", "number", "id")  # the number of ids in use; the number looked up last, and its id


def new_records(fields: tuple[str, ...], count: int) -> Records:
    return np.zeros(count, [(field, np.int64) for field in fields]).view(np.recarray)


class Outcomes(NamedTuple):
    """The joint outcomes met so far, by id: the order in which they were met."""

    places: Records  # the table of hashed numbers
    met: Records  # by id
    lookup: Records  # one record
    spot_nets: Ints  # spot_nets[spot, digit]: the net of the stake on a spot in parts of a unit


class WalkTables(NamedTuple):
    """The tables that general steps of a walk read.

    Nothing in them is of a type of one game, so a kernel that takes them is compiled once for all games.
    """

    code: JointCode
    faces: DeckFaces
    order: Ints  # order[street, n]: the choices, the one that equal values go to first
    sizes: Ints  # by choice: those that differ from it only by size, a bit each
    known: Outcomes


class WalkTools(NamedTuple):
    """The tables of a walk, what the rules and the strategy read, and the record that the walk writes."""

    kernel_data: Any  # of the rules
    data: Any  # of the strategy that is followed
    tables: WalkTables
    record: Any


class TreeWalk(NamedTuple):
    """The state of a walk: a stack of frames, and counts by depth and choice."""

    shoe: Array
    seen: Array
    choices: Array  # the leaders, where choices differ only by size
    outcomes: Array
    sized: Array  # the choices of one way
    drawn: Array  # the choices of the way that the rules are asked about beside the leaders
    drawn_seen: Array
    drawn_outcomes: Array
    cursor: Records  # one record
    frames: Records
    levels: Records  # by depth
    left: Ints  # of each face in the deck
    pending: Ints  # the places still to be dealt, frame by frame
    ends: Ints  # ends[depth, id]: below the choice that is followed now, with one unit on each spot
    ended: Ints  # ended[depth, n]: the ids counted there
    counts: Ints  # counts[depth, choice, way before it, id]
    touched: Ints  # touched[depth, choice, way, n]: the ids counted there
    touches: Ints  # touches[depth, choice, way]
    made: Ints  # made[depth, choice, way, street, chosen]: deals in which a choice is made on a street
    values: Ints  # of the last choice's frame that was completed: the value of each choice
