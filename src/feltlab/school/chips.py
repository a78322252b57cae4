"""Chips of a payment: those in use at the tables of the school, and the fewest for an amount."""

from collections import Counter
from collections.abc import Sequence

from feltlab.errors import Refused
from feltlab.submission.chips import RACK, Chip, count_chips
from feltlab.text import dollars, listing

SMALLEST_CENTS = 50  # smaller coins are not used: wagers are made so that every payment can be made


def tray_chips() -> tuple[Chip, ...]:
    """The chips of the tray, the smallest first."""
    return tuple(chip for chip in reversed(RACK) if chip.cents >= SMALLEST_CENTS)


def fewest_chips(cents: int) -> tuple[int, ...]:
    """The values of the fewest chips that make an amount, the largest first.

    >>> fewest_chips(3750)
    (2500, 500, 500, 100, 100, 50)
    """
    if cents % SMALLEST_CENTS:
        raise Refused(f"{dollars(cents)} cannot be made with the chips of the tray.")
    return tuple(chip.cents for chip, count in count_chips(cents).items() for _ in range(count))


def parse_chips(words: Sequence[str]) -> tuple[int, ...]:
    """The values of chips in an answer; refuses a value that the tray does not have."""
    known = {str(chip.cents): chip.cents for chip in tray_chips()}
    for word in words:
        if word not in known:
            raise Refused(f"{word!r} is not a chip of the tray; its chips are {listing(known)} cents.")
    return tuple(known[word] for word in words)


def name_chips(chips: Sequence[int]) -> str:
    """'2 red, 1 white' for values of chips, the largest first; 'no chips' for none."""
    colours = {chip.cents: chip.colour for chip in tray_chips()}
    counts = sorted(Counter(chips).items(), reverse=True)
    return ", ".join(f"{count} {colours[cents]}" for cents, count in counts) or "no chips"
