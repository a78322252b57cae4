"""Numbers as reports print them."""

from decimal import Decimal
from fractions import Fraction

from feltlab.analysis.audit import rounded
from feltlab.text import dollars


def percent(share: Fraction | float, digits: int = 4) -> str:
    """'2.3301 %'"""
    return f"{rounded(Fraction(share), Decimal(1).scaleb(-digits)):f} %"


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


def units(value: Fraction | float) -> str:
    return f"{float(value):.6f}"


def signed(value: Fraction) -> str:
    """Exact where that is short: +10, -0.5, +1.2."""
    return f"{float(value):+,.6g}" if value else "0"


def chance(probability: Fraction) -> str:
    """Eight digits, or five that count where the first four behind the point would be noughts."""
    value = float(probability)
    return f"{value:.8f}" if value >= 1e-4 else f"{value:.4e}"


def gain(returned: Fraction) -> str:
    """Six digits, or four that count where the first five behind the point would be noughts."""
    value = float(returned)
    if not value:
        return "0.000000"
    return f"{value:+.6f}" if abs(value) >= 1e-5 else f"{value:+.3e}"
