"""Amounts that wagers and pays can have, and refusals of others."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from feltlab.core.layout import Spot
from feltlab.core.paytable import Line, PayTable
from feltlab.errors import Refused
from feltlab.text import dollars

MAX_KNOWN = 1_000  # sets of wagers that a game remembers
MAX_PAY_TO_ONE = 1_000_000
SMALLEST_PAY_FRACTION = Fraction(1, 100)  # every pay is a multiple of a part of a unit that is no smaller
MAX_WAGER_CENTS = 10**12  # catches typing errors, and keeps sums far below 64 bits


class PaidOutcome(NamedTuple):
    """An outcome of a spot, its result and its pay."""

    outcome: str
    result: str
    pays: Fraction  # for each unit staked


class KnownWagers:
    """Wagers that one hand may carry together: a live table sees the same ones again and again."""

    def __init__(self) -> None:
        self._known: set[tuple[tuple[str, int], ...]] = set()

    def check(self, wagers: Mapping[str, int], check: Callable[[Mapping[str, int]], None]) -> None:
        """Check wagers that are not known yet. 500.0 equals 500, but is no amount."""
        if {*map(type, wagers.values())} != {int}:
            check(wagers)
        elif (given := tuple(wagers.items())) not in self._known:
            check(wagers)
            if len(self._known) < MAX_KNOWN:
                self._known.add(given)


def wager_steps(spots: Sequence[Spot], tables: Mapping[str, PayTable]) -> dict[str, int]:
    """By spot, the cents of which its wager must be a multiple so that every pay is in whole cents.

    Wagers that must be equal have one step, which serves all of them.
    """
    steps: dict[str, int] = {}
    for spot in spots:
        first = spot.follows or spot.name
        main = next((other.equals for other in spots if other.name == first), "") or first
        steps[main] = lcm(steps.get(main, 1), spot.size.denominator * tables[spot.name].denominator)
    return {spot.name: steps.get(spot.equals or spot.name, 1) for spot in spots}


def check_cents(spot: Spot, cents: int, step: int) -> None:
    """Refuse an amount that a wager cannot have, whatever lies beside it."""
    if not isinstance(cents, int) or isinstance(cents, bool):
        raise Refused(f"The {spot.title} wager must be a whole number of cents, not {cents!r}.")
    if cents <= 0:
        raise Refused(f"The {spot.title} wager must be more than $0, not {dollars(cents)}.")
    if cents > MAX_WAGER_CENTS:
        raise Refused(f"The {spot.title} wager may be at most {dollars(MAX_WAGER_CENTS)}.")
    if cents % step:
        raise Refused(
            f"The {spot.title} wager must be a multiple of {dollars(step)} so that it pays whole cents."
        )
    if spot.fixed_cents and cents != spot.fixed_cents:
        raise Refused(f"The {spot.title} wager is {dollars(spot.fixed_cents)}, not {dollars(cents)}.")


def check_beside(spot: Spot, wagers: Mapping[str, int], find: Callable[[str], Spot]) -> None:
    """Refuse an amount that a wager cannot have beside the others; `find` gives a spot by its name."""
    cents = wagers[spot.name]
    if spot.at_most and cents > wagers.get(spot.at_most, 0):
        raise Refused(f"The {spot.title} wager may not be more than the {find(spot.at_most).title}.")
    if spot.equals and cents != wagers.get(spot.equals, 0):
        raise Refused(f"The {spot.title} wager must equal the {find(spot.equals).title}.")


def check_pay(line: Line, pays: Fraction) -> None:
    """Refuse a pay that turns a win into something else, or something else into a win."""
    if line.result != "win":
        raise Refused(f"{line.outcome!r} is not a win; only the pay of a win can be changed.")
    if not 0 < pays <= MAX_PAY_TO_ONE:
        raise Refused(
            f"{line.outcome!r} must pay more than 0 and at most {MAX_PAY_TO_ONE:,} to 1, not {pays}."
        )
    if pays.denominator > SMALLEST_PAY_FRACTION.denominator:
        raise Refused(
            f"{line.outcome!r} cannot pay {pays}: the smallest part of a unit is {SMALLEST_PAY_FRACTION}."
        )
