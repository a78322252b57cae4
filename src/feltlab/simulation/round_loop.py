"""The compiled loop of a simulation: deal, list the legal choices, show, decide, settle.

The loop is put together from a game's own `legal`, `visible` and `settle`, so a simulation plays the very
rules that are dealt. The strategy sees the cards that `visible` shows, and nothing else.
"""

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.joint_numbers import JointCode, encode, find_number, joint_code
from feltlab.core.layout import new_outcomes
from feltlab.core.rules import Rules
from feltlab.kernel import Array, lean
from feltlab.simulation.streams import Stream, deal_randomly

Ints = NDArray[np.int64]
NO_CHOICE = -1  # in place of the first choice, in a round in which none opens


class RoundArrays(NamedTuple):
    """The arrays of the round that is being played; every round overwrites those of the last."""

    shoe: Array
    seen: Array
    choices: Array
    outcomes: Array
    answer: Ints  # the last illegal choice


class RoundCounts(NamedTuple):
    """The number of rounds with each joint outcome, and with each choice on each street.

    A joint outcome is counted at its own number, or, where there are too many numbers, at the place in a
    table where its number is found or first put down.
    """

    joint: Ints
    numbers: Ints  # by place: one more than its number, or 0; empty where every number has its own place
    made: Ints  # made[street, choice + 1]; made[0, 0] counts the rounds in which no choice opened

    def list_met(self) -> tuple[Ints, Ints]:
        """The numbers that were met, and the count of each."""
        places = np.flatnonzero(self.joint)
        return self.numbers[places] - 1 if len(self.numbers) else places, self.joint[places]


MOST_OWN_PLACES = 1 << 18
TABLE_PLACES = 1 << 20  # no fewer than the rounds of a batch, so that a table never overflows


def new_round_counts(game: Game) -> RoundCounts:
    """Counts of no rounds."""
    numbers = prod(joint_code(game).radix.tolist())
    is_small = numbers <= MOST_OWN_PLACES
    places = numbers if is_small else TABLE_PLACES
    made = np.zeros((max(len(game.streets), 1), len(game.choices) + 1), np.int64)
    return RoundCounts(np.zeros(places, np.int64), np.zeros(0 if is_small else places, np.int64), made)


@lean
def count_joint(counts: RoundCounts, number: int) -> None:
    """Count one round with a joint outcome."""
    place = number
    if len(counts.numbers):
        place = find_number(counts.numbers, number)
        counts.numbers[place] = number + 1
    counts.joint[place] += 1


def new_round_arrays(game: Game) -> RoundArrays:
    shoe, seen, choices = np.zeros((3, game.places + 1), np.int8)
    outcomes, answer = new_outcomes(len(game.spots)), np.zeros(1, np.int64)
    return RoundArrays(shoe[:-1], seen[:-1], choices, outcomes, answer)


def build_round(rules: Rules, decide: Callable[..., int]) -> Callable[..., int]:
    """Build a function, not compiled yet, that plays the shoe of one seat to the end of the round.

    It returns the number of the joint outcome; after an illegal choice, -1 less the number of choices made
    before.
    """
    legal, visible, settle = rules.legal, rules.visible, rules.settle

    def play(kernel_data: Any, data: Any, code: JointCode, arrays: RoundArrays) -> int:
        shoe, seen, choices, outcomes, answer = arrays
        made = 0
        while True:
            open_now = legal(kernel_data, shoe, choices[:made])
            if open_now == 0:
                break
            visible(kernel_data, shoe, choices[:made], seen)
            choice = decide(data, seen, open_now, choices[:made])
            if not (0 <= choice < 63 and open_now >> choice & 1):
                answer[0] = choice
                return -1 - made
            choices[made] = choice
            made += 1
        choices[made] = NO_CHOICE
        settle(kernel_data, shoe, choices[:made], outcomes)
        return encode(code, choices, made, outcomes)

    return play


def build_loop(play: Callable[..., int], deal: Callable[..., None] = deal_randomly) -> Callable[..., int]:
    """Build a loop, not compiled yet, over random rounds of one seat.

    It returns 0, or what `play` returned for the first illegal choice.
    """

    def loop(
        kernel_data: Any,
        data: Any,
        stream: Stream,
        deck: Array,
        code: JointCode,
        rounds: int,
        arrays: RoundArrays,
        counts: RoundCounts,
    ) -> int:
        made, choices = counts.made, arrays.choices
        for _ in range(rounds):
            deal(stream, deck, arrays.shoe)
            number = play(kernel_data, data, code, arrays)
            if number < 0:
                return number
            count_joint(counts, number)
            made[0, choices[0] + 1] += 1
            for street in range(1, len(made)):
                if choices[street - 1] == NO_CHOICE or choices[street] == NO_CHOICE:
                    break
                made[street, choices[street] + 1] += 1
        return 0

    return loop
