"""The five reasons for which the amount of a progressive may fall (WAC 230-15-695). There is no sixth.

A void round is none of them: the house itself returns the bets, and the meter keeps its parts of them.
"""

from enum import StrEnum

from feltlab.errors import Refused
from feltlab.text import listing

CITATION = "WAC 230-15-695"


class Decrease(StrEnum):
    WIN = "a win"
    DISPLAY_FAULT = "a display fault"
    ABOVE_CAP = "a display above the cap"
    RECEIPTS = "money that is not displayed, taken as gross receipts"
    SEED_RECOVERY = "the recovery of the seed"


BY_STAFF = tuple(reason for reason in Decrease if reason != Decrease.WIN)  # a win lowers a meter by itself


def parse_decrease(text: str) -> Decrease:
    """One of the reasons that staff may give; everything else is refused."""
    for reason in BY_STAFF:
        if text == reason:
            return reason
    raise Refused(f"A meter may fall only for {listing(BY_STAFF, 'or')} ({CITATION}), not for {text!r}.")
