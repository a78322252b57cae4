"""The state of a walk through the tree of a game: frames, counts and the joint outcomes met."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.kernel import Array

Ints = NDArray[np.int64]
CARD, CHOICE = range(2)  # kinds of frames


class Outcomes(NamedTuple):
    """The joint outcomes met so far: the net of the stake in each, by the order in which they were met."""

    numbers: Ints  # a table of hashed numbers, each one more than the number of the joint outcome; 0 is free
    ids: Ints  # by place in the table
    met: Ints  # by id: the number
    nets: Ints  # by id: the net of the stake in parts of a unit
    used: Ints  # the number of ids in use
    spot_nets: Ints  # spot_nets[spot, digit]: the net of the stake on a spot in parts of a unit


class TreeWalk(NamedTuple):
    """The state of a walk: a stack of frames, and counts by depth and choice."""

    shoe: Array
    seen: Array
    choices: Array
    outcomes: Array
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
    open: Ints  # of a choice's frame: the choices not followed yet, a bit each
    legal: Ints  # and all of them
    counts: Ints  # counts[depth, choice, id]
    touched: Ints  # touched[depth, choice, n]: the ids counted there
    touches: Ints  # touches[depth, choice]
    made: Ints  # made[depth, choice, street, chosen]: deals in which a choice is made on a street
    values: Ints  # of the last choice's frame that was completed: the value of each choice
    equal: Ints  # the number of positions with two best choices
    nodes: Ints  # the number of ends met
