"""Chips of a dealer's rack: their values and colours, and an amount in the fewest of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from feltlab.errors import Refused
from feltlab.text import dollars, listing


@dataclass(frozen=True)
class Chip:
    """A value in the rack; values below a dollar are coins."""

    cents: int
    colour: str  # 'green', or the name of a coin


# The largest first. Each amount in whole cents has one way with the fewest chips, and taking the largest
# chip that fits finds it.
RACK = (
    Chip(100_000, "yellow"),
    Chip(50_000, "purple"),
    Chip(10_000, "black"),
    Chip(2_500, "green"),
    Chip(500, "red"),
    Chip(100, "white"),
    Chip(50, "half dollar"),
    Chip(25, "quarter"),
    Chip(10, "dime"),
    Chip(5, "nickel"),
    Chip(1, "cent"),
)


def count_chips(cents: int) -> dict[Chip, int]:
    """An amount in the fewest chips, the largest first.

    >>> [(chip.colour, count) for chip, count in count_chips(13_250).items()]
    [('black', 1), ('green', 1), ('red', 1), ('white', 2), ('half dollar', 1)]
    """
    if cents < 0:
        raise Refused(f"Chips cannot make {dollars(cents)}.")
    return dict(_take_chips(cents))


def _take_chips(cents: int) -> Iterator[tuple[Chip, int]]:
    for chip in RACK:
        count, cents = divmod(cents, chip.cents)
        if count:
            yield chip, count


def describe_chips(cents: int) -> str:
    """The fewest chips in words.

    >>> describe_chips(3750), describe_chips(0)
    ('1 green, 2 red, 2 white and 1 half dollar', 'no chips')
    """
    counts = (f"{count} {chip.colour}" for chip, count in count_chips(cents).items())
    return listing(counts) if cents else "no chips"
