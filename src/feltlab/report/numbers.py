"""Numbers as reports print them. Shares in percent are `feltlab.text.percent`."""

from fractions import Fraction
from math import floor, log10

from feltlab.text import dollars, round_fraction


def decimal(number: Fraction, digits: int = 4) -> str:
    """'6.9907'"""
    return f"{round_fraction(number, digits):f}"


def of_100(share: Fraction) -> str:
    """A share as dollars of a hundred: '$5.44'."""
    return dollars(int(round_fraction(100 * share, 2) * 100))


def describe_edge(edge: Fraction) -> str:
    """An edge in words, on each $100 wagered: 'keeps $5.44', 'pays out $25 more than it takes in'."""
    if edge < 0:
        return f"pays out {of_100(-edge)} more than it takes in"
    return f"keeps {of_100(edge)}"


def count_of(number: int, one: str, many: str = "") -> str:
    """'1 figure', '266 figures'."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def short(number: Fraction) -> str:
    """As a decimal where it has a short one: '1', '0.5', '1/3'."""
    decimal = round_fraction(number, 4)
    return f"{decimal.normalize():f}" if Fraction(decimal) == number else str(number)


def count_units(number: Fraction) -> str:
    """'1 unit', '0.5 units', '2 units'."""
    return f"{short(number)} unit{'' if number == 1 else 's'}"


def percent_with_error(share: float, error: float) -> str:
    """With no more digits than the error leaves: '23.42 ± 0.06 %'; four if there is no error to speak of."""
    if share < 1e-6 and error < 1e-6:
        return "< 0.0001 %"
    digits = max(0, min(4, 1 - floor(log10(100 * error)))) if error > 1e-8 else 4
    if error <= 1e-8:
        return f"{100 * share:.4f} %"
    return f"{100 * share:.{digits}f} ± {100 * error:.{digits}f} %"


def units(value: Fraction | float) -> str:
    """'0.023301'"""
    return f"{float(value):.6f}"


def with_sign(value: Fraction) -> str:
    """Exact where that is short: '+10', '-0.5', '+1.2'."""
    return f"{float(value):+,.6g}" if value else "0"


def chance(probability: Fraction) -> str:
    """Eight digits behind the point, or five significant ones for a chance below 0.0001."""
    value = float(probability)
    return f"{value:.8f}" if value >= 1e-4 else f"{value:.4e}"


def gain(returned: Fraction) -> str:
    """Six digits behind the point, or four significant ones for a value below 0.00001."""
    value = float(returned)
    if not value:
        return "0.000000"
    return f"{value:+.6f}" if abs(value) >= 1e-5 else f"{value:+.3e}"
