"""Shares and amounts of a progressive as exact numbers, from text and to text.

A rate is a `Fraction` of the bet, a share a `Fraction` of a meter. Meters count whole thousandths of a cent.
"""

import re
from fractions import Fraction

from feltlab.errors import Refused
from feltlab.text import dollars, parse_dollars, short_percent

MILLICENTS_PER_CENT = 1000
MAX_CENTS = 10**12  # of a seed, a cap or a prize: ten thousand million dollars
RATE_PATTERN = re.compile(r"(-?\d{1,9}(?:\.\d{1,9})?)\s?%|(-?\d{1,9}(?:\.\d{1,9}|/\d{1,9})?)", re.ASCII)


def parse_rate(text: str) -> Fraction:
    """A share of a whole: '65 %', '0.65' or '13/20'.

    >>> parse_rate("65 %") == parse_rate("0.65") == parse_rate("13/20")
    True
    """
    found = RATE_PATTERN.fullmatch(text.strip())
    try:
        if found:
            return Fraction(found[1]) / 100 if found[1] else Fraction(found[2])
    except ZeroDivisionError:
        pass
    raise Refused(f"{text!r} is not a share; write 65 %, 0.65 or 13/20.")


def rate_text(rate: Fraction) -> str:
    """A rate that `parse_rate` reads back exactly: '65 %', or '1/3' where no short percentage is exact.

    >>> rate_text(Fraction(13, 20)), rate_text(Fraction(1, 3))
    ('65 %', '1/3')
    """
    written = short_percent(rate)
    return written if parse_rate(written) == rate else str(rate)


def parse_cents(text: str) -> int:
    """An amount in dollars as cents, within what a meter may hold."""
    cents = parse_dollars(text)
    if abs(cents) > MAX_CENTS:
        raise Refused(f"{text!r} is too large an amount for a progressive.")
    return cents


def millicents(cents: int) -> int:
    """Cents in whole thousandths of a cent."""
    return cents * MILLICENTS_PER_CENT


def meter_dollars(amount: int | Fraction) -> str:
    """Thousandths of a cent as a player reads them: dollars, whole cents rounded down.

    >>> meter_dollars(123_456_789)
    '$1,234.56'
    """
    return dollars(int(amount // MILLICENTS_PER_CENT))
