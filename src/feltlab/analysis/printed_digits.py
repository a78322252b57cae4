"""Printed numbers against proved ones: rounding, truncation, a dropped digit, contradictions.

A printed number is a Decimal, whose digits tell how exact it claims to be. A proved one is a share, as a
Fraction. The scale is the printed number of the share 1: 100 for percentages, the number of all cases for
counts, 1 for plain numbers.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from fractions import Fraction

from feltlab.text import round_fraction

PERCENT_SCALE = 100
EXTRA_DIGITS = 4  # of a proved value beside a printed one

TRUNCATED = "is truncated, not rounded"
ROUNDED_UP = "is rounded up, not to the nearest"


def last_digit(printed: Decimal) -> Decimal:
    """One unit of the last printed digit."""
    return Decimal(1).scaleb(int(printed.as_tuple().exponent))


def round_like(
    share: Fraction, printed: Decimal, how: str = ROUND_HALF_UP, scale: int = PERCENT_SCALE
) -> Decimal:
    """A share on the scale of a printed number, with as many digits."""
    return round_fraction(scale * share, -int(printed.as_tuple().exponent), how)


def format_share(share: Fraction, printed: Decimal, scale: int = PERCENT_SCALE) -> str:
    """A share on the scale of a printed number, with some digits more; a whole count without them."""
    if scale == PERCENT_SCALE:
        return f"{round_like(share, printed.scaleb(-EXTRA_DIGITS))}%"
    is_count = scale != 1 and (scale * share).denominator == 1
    extra = 0 if is_count else EXTRA_DIGITS
    return f"{round_like(share, printed.scaleb(-extra), scale=scale):,f}"


def digits_off(share: Fraction, printed: Decimal, scale: int = PERCENT_SCALE) -> Decimal:
    """By how many units of its last digit a printed number is wrong."""
    return abs(round_like(share, printed, scale=scale) - printed) / last_digit(printed)


def explain_rounding(share: Fraction, printed: Decimal, scale: int = PERCENT_SCALE) -> str:
    """The reason of a wrong last digit: truncated, rounded up, or '' for neither."""
    if round_like(share, printed, ROUND_FLOOR, scale) == printed:
        return TRUNCATED
    return ROUNDED_UP if round_like(share, printed, ROUND_CEILING, scale) == printed else ""


def find_dropped_digit(share: Fraction, printed: Decimal, scale: int = PERCENT_SCALE) -> str:
    """The proved value with one more digit, if leaving out one of its digits gives the printed one."""
    longer = str(round_like(share, printed.scaleb(-1), scale=scale))
    places = (at for at, sign in enumerate(longer) if sign.isdigit())
    dropped = any(longer[:at] + longer[at + 1 :] == str(printed) for at in places)
    return longer if dropped else ""


def is_contradiction(one: Decimal, other: Decimal) -> bool:
    """Do two printed numbers disagree beyond the digits of the shorter one?"""
    coarse = max(last_digit(one), last_digit(other))
    return abs(one - other) > coarse / 2
