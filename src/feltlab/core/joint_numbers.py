"""Joint outcomes as single numbers, for kernels that count them.

A joint outcome is written as one number with a digit for each spot: 0 where no wager is placed, otherwise
one more than the number of the outcome with the units that stand on the spot.
"""

from collections.abc import Iterable
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.tally import Outcomes
from feltlab.errors import Refused
from feltlab.kernel import Array, int64, lean

Ints = NDArray[np.int64]
MOST_NUMBERS = 1 << 62
SCATTER_MODULUS, SCATTER_FACTOR = (1 << 31) - 1, 0x9E3779B1  # their product is below 2^63
NO_SUCH_OUTCOME = "The rules gave an outcome that its pay table does not have; feltlab check says which one."


class JointCode(NamedTuple):
    """The tables that turn outcomes and choices into a number."""

    radix: Ints  # by spot: the base of its digit
    outcomes: Ints  # by spot: the number of its outcomes
    most_units: Ints
    first_units: Ints  # by spot: 1 for a first wager, 0 for a raise; a bonus counts as 1
    puts: Ints  # puts[street, choice, spot]: the units that a choice puts down on that street
    units_differ: bool  # on some spot


def joint_code(game: Game) -> JointCode:
    """The code of a game's joint outcomes."""
    radix = [spot.numbers + 1 for spot in game.spots]
    if prod(radix) > MOST_NUMBERS:
        raise Refused(f"{game.title} has too many joint outcomes: {prod(radix):.1e}.")
    most = [spot.most_units for spot in game.spots]
    return JointCode(
        np.array(radix),
        np.array([len(spot.outcomes) for spot in game.spots]),
        np.array(most),
        np.array([int(not spot.raises) for spot in game.spots]),
        _puts(game),
        max(most) > 1,
    )


def _puts(game: Game) -> Ints:
    streets = max(len(game.streets), 1)
    puts = np.zeros((streets, max(len(game.choices), 1), len(game.spots)), np.int64)
    for street in range(streets):
        for number, choice in enumerate(game.choices):
            for spot in game.puts(choice, street):
                puts[street, number, game.spot_numbers[spot]] += 1
    return puts


@lean
def units_on(code: JointCode, choices: Array, made: int, spot: int) -> int:
    """The units on a spot after the first `made` of these choices."""
    units = int64(code.first_units[spot])
    for n in range(made):
        units += code.puts[min(n, len(code.puts) - 1), choices[n], spot]
    return min(max(units, 1), int64(code.most_units[spot]))


@lean
def encode(code: JointCode, choices: Array, made: int, outcomes: Array) -> int:
    """The number of a joint outcome after these choices."""
    number = 0
    for spot in range(len(outcomes)):
        digit = outcomes[spot] + 1
        if not 0 <= digit <= code.outcomes[spot]:
            raise Refused(NO_SUCH_OUTCOME)
        if code.units_differ and digit > 0 and code.most_units[spot] > 1:
            digit += code.outcomes[spot] * (units_on(code, choices, made, spot) - 1)
        number = number * code.radix[spot] + digit
    return number


@lean
def find_number(table: Ints, number: int) -> int:
    """The place of a number in a table of numbers, each one more than it is; or the free place for it, a 0.

    The table has a power of two of places, and at least one more than numbers.
    """
    last = len(table) - 1
    place = number % SCATTER_MODULUS * SCATTER_FACTOR >> 20 & last
    while table[place] not in (0, number + 1):
        place = place + 1 & last
    return place


def decode(code: JointCode, numbers: Iterable[int]) -> list[Outcomes]:
    """The joint outcomes behind some numbers."""
    left, digits = np.fromiter(numbers, np.int64), []
    for base in reversed(code.radix.tolist()):
        left, digit = np.divmod(left, base)
        digits.append(digit - 1)
    return [tuple(outcomes) for outcomes in np.stack(digits[::-1], axis=1).tolist()]
