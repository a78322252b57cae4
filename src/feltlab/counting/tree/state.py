"""The state of a walk through the tree of a game: frames, counts and the joint outcomes met."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.joint_numbers import JointCode
from feltlab.counting.tree.deals import DeckFaces
from feltlab.kernel import Array

Ints = NDArray[np.int64]
CARD, CHOICE = range(2)  # kinds of frames

# Places in the cursor of a walk:
DEPTH = 0  # the choices that are followed now, those before the walk left out
TOP = 1  # the frame on top, -1 if there is none
MADE = 2  # the choices made, those before the walk included
WEIGHT = 3  # the deals that the cards dealt since the last choice stand for
FIRST = 4  # the choice that the walk made first
START = 5  # the choices made before the walk
RANDOM = 6  # the state of the generator that draws ways
CURSOR_PLACES = 7


class Outcomes(NamedTuple):
    """The joint outcomes met so far: the net of the stake in each, by the order in which they were met."""

    numbers: Ints  # a table of hashed numbers, each one more than the number of the joint outcome; 0 is free
    ids: Ints  # by place in the table
    met: Ints  # by id: the number
    nets: Ints  # by id: the net of the stake in parts of a unit
    placed: Ints  # by id: the spots with a wager, a bit each
    used: Ints  # the number of ids in use
    last: Ints  # the number that was looked up last, and its id
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
    cursor: Ints
    left: Ints  # of each face in the deck
    kind: Ints  # by frame
    place: Ints  # of a card's frame
    at: Ints  # of a card's frame: the face dealt now, or -1
    low: Ints  # of a card's frame: the first face that may be dealt
    alone: Ints  # of a card's frame: 1 if suits that no dealt card has may be renamed
    run: Ints  # of a card's frame: the first frame of its run of places without an order
    fresh: Ints  # of a card's frame: the suits that no card before the run has, a bit each; 0 if not two
    closes: Ints  # the same for the last card of a run of several, otherwise 0
    weight: Ints  # by frame: on entering it
    pending: Ints  # the places still to be dealt, frame by frame
    next: Ints  # of a card's frame: where the pending places after it begin
    end: Ints  # and end
    open: Ints  # of a choice's frame: the choices still to be followed, a bit each
    legal: Ints  # of a choice's frame: the choices that are open, a bit each
    members: Ints  # by depth: the choices that the last one followed stands for, a bit each
    ways: Ints  # by depth: the ways to reach it
    sized: Array  # the choices of one way
    drawn: Array  # the choices of the way that the rules are asked about beside the leaders
    drawn_seen: Array
    drawn_outcomes: Array
    ends: Ints  # ends[depth, id]: below the choice that is followed now, with one unit on each spot
    ended: Ints  # ended[depth, n]: the ids counted there
    endings: Ints  # endings[depth]
    counts: Ints  # counts[depth, choice, way before it, id]
    touched: Ints  # touched[depth, choice, way, n]: the ids counted there
    touches: Ints  # touches[depth, choice, way]
    made: Ints  # made[depth, choice, way, street, chosen]: deals in which a choice is made on a street
    values: Ints  # of the last choice's frame that was completed: the value of each choice
    equal: Ints  # the number of positions with two best choices
    nodes: Ints  # the number of ends met
