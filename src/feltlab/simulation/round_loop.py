"""The compiled loop of a simulation: deal, list the legal choices, show, decide, settle.

The loop is put together from a game's own `legal`, `visible` and `settle`, so a simulation plays the very
rules that are dealt. The strategy sees the cards that `visible` shows, and nothing else.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.rules import Rules
from feltlab.kernel import Array
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
    """The number of rounds with each joint outcome and with each first choice."""

    joint: Ints
    first: Ints  # place 0 counts the rounds in which no choice opened


def radix_of(game: Game) -> Ints:
    """The base of each digit when a joint outcome is written as one number, a digit for each spot.

    A spot has one more digit than outcomes, for a wager that is not placed.
    """
    return np.array([len(spot.outcomes) + 1 for spot in game.spots])


def new_round_arrays(game: Game) -> RoundArrays:
    places = game.rules.PLAYER_CARDS + game.rules.DEALER_CARDS
    shoe, seen, choices = np.zeros((3, places + 1), np.int8)
    outcomes, answer = np.zeros(len(game.spots), np.int8), np.zeros(1, np.int64)
    return RoundArrays(shoe[:-1], seen[:-1], choices, outcomes, answer)


def build_round(rules: Rules, decide: Callable[..., int]) -> Callable[..., int]:
    """Build a function, not compiled yet, that plays the shoe of one seat to the end of the round.

    It returns the number of the joint outcome; after an illegal choice, -1 less the number of choices made
    before.
    """
    legal, visible, settle = rules.legal, rules.visible, rules.settle

    def play(kernel_data: Any, data: Any, radix: Ints, arrays: RoundArrays) -> int:
        shoe, seen, choices, outcomes, answer = arrays
        choices[0] = NO_CHOICE
        made = 0
        while True:
            open_now = legal(kernel_data, shoe, choices[:made])
            if open_now == 0:
                break
            visible(kernel_data, shoe, choices[:made], seen)
            choice = decide(data, seen, open_now)
            if not (0 <= choice < 63 and open_now >> choice & 1):
                answer[0] = choice
                return -1 - made
            choices[made] = choice
            made += 1
        settle(kernel_data, shoe, choices[:made], outcomes)
        number = 0
        for spot in range(len(radix)):
            number = number * radix[spot] + outcomes[spot] + 1
        return number

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
        radix: Ints,
        rounds: int,
        arrays: RoundArrays,
        counts: RoundCounts,
    ) -> int:
        joint, first = counts
        for _ in range(rounds):
            deal(stream, deck, arrays.shoe)
            number = play(kernel_data, data, radix, arrays)
            if number < 0:
                return number
            joint[number] += 1
            first[arrays.choices[0] + 1] += 1
        return 0

    return loop
