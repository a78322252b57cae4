"""Text for people and from people: amounts, lists, NAME=VALUE pairs."""

import re
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

from feltlab.errors import Refused


def listing(names: Any, word: str = "and") -> str:
    """'a', 'a and b', 'a, b and c'."""
    *first, last = [str(name) for name in names] or ["none"]
    return f"{', '.join(first)} {word} {last}" if first else last


def dollars(cents: int) -> str:
    """'$5', '$7.50', '-$0.05'."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${whole:,}" + (f".{rest:02}" if rest else "")


def signed_dollars(cents: int) -> str:
    """'+$5', '-$5', '$0'."""
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def money(cents: float) -> str:
    """An amount that need not be whole: dollars and cents, whole dollars from a million on."""
    whole = abs(cents) / 100
    amount = f"{whole:,.2f}" if whole < 1_000_000 else f"{whole:,.0f}"
    return f"{'-' if cents < 0 else ''}${amount}"


def round_fraction(value: Fraction, digits: int, how: str = ROUND_HALF_UP) -> Decimal:
    """A number to some digits behind the point, without a float on the way."""
    scaled = value * 10**digits
    whole = {
        ROUND_HALF_UP: lambda: (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator),
        ROUND_FLOOR: lambda: scaled.numerator // scaled.denominator,
        ROUND_CEILING: lambda: -(-scaled.numerator // scaled.denominator),
    }[how]()
    return Decimal(whole).scaleb(-digits)


def percent(share: Fraction | float, digits: int = 4) -> str:
    """'2.3301 %'"""
    return f"{round_fraction(100 * Fraction(share), digits):f} %"


def short_percent(share: Fraction) -> str:
    """'4.5 %': without trailing noughts, for a percentage that a person chose."""
    return f"{percent(share).removesuffix(' %').rstrip('0').rstrip('.')} %"


def small_percent(share: Fraction | float, digits: int = 2) -> str:
    """For a chance that may be tiny: four digits where fewer show next to nothing, or '< 0.0001 %'."""
    if 0 < share < 1e-6:
        return "< 0.0001 %"
    return percent(share, 4 if 0 < abs(float(share)) < 0.001 else digits)


def capitalised(text: str) -> str:
    """With a capital, and everything behind it as it was."""
    return text[:1].upper() + text[1:]


# Sign, dollars and cents, as in -$1,234.50.
AMOUNT_PATTERN = re.compile(r"(-?)\$?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d\d?))?", re.ASCII)


MAX_DOLLAR_DIGITS = 40  # of dollars; a game says how much less is too much


def parse_pairs(given: Sequence[str], flag: str) -> dict[str, str]:
    """NAME=VALUE words as a dictionary; refuses a name that is given twice."""
    found: dict[str, str] = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise Refused(f"{flag} takes NAME=VALUE, not {word!r}.")
        if name in found:
            raise Refused(f"{flag} names {name} twice.")
        found[name] = value
    return found


def parse_dollars(text: str) -> int:
    """Dollars as people write them, in cents: '5', '$2.50', '1,000'."""
    read = AMOUNT_PATTERN.fullmatch(text.strip())
    if not read:
        raise Refused(f"{text!r} is not an amount of dollars and whole cents.")
    sign, whole, rest = read.groups(default="")
    if len(whole) > MAX_DOLLAR_DIGITS:
        raise Refused(f"{text!r} is too large an amount.")
    return int(f"{sign}{whole.replace(',', '')}{rest:0<2}")
