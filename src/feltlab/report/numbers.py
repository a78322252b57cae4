"""Numbers as reports print them."""

from decimal import Decimal
from fractions import Fraction

from feltlab.audit import rounded
from feltlab.game import dollars


def percent(share: Fraction, digits: int = 4) -> str:
    """'2.3301%'"""
    return f"{rounded(share, Decimal(1).scaleb(-digits)):f}%"


def decimal(number: Fraction, digits: int = 4) -> str:
    """'6.9907'"""
    return f"{rounded(number / 100, Decimal(1).scaleb(-digits)):f}"


def of_100(share: Fraction) -> str:
    """A share as dollars of a hundred: '$5.44'."""
    return dollars(int(rounded(share, Decimal("0.01")) * 100))


def kept(edge: Fraction) -> str:
    """An edge in words: what the house keeps, or pays."""
    if edge < 0:
        return f"pays out {of_100(-edge)} more than it takes"
    return f"keeps {of_100(edge)}"


def counted(number: int, one: str, many: str = "") -> str:
    """'1 figure', '266 figures'."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
