"""Exact numbers as JSON: fractions and square roots of fractions."""

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt, ldexp
from typing import Any


def exact(value: Fraction) -> dict[str, Any]:
    """A fraction, and its value as near as a float comes."""
    return {"exact": f"{value.numerator}/{value.denominator}", "value": float(value)}


def exact_shares(shares: Mapping[str, Fraction]) -> dict[str, Any]:
    """Fractions by name, such as the shares of choices."""
    return {name: exact(share) for name, share in shares.items()}


def exact_root(square: Fraction) -> dict[str, Any]:
    return {"exact": f"sqrt({square.numerator}/{square.denominator})", "value": root(square)}


def root(square: Fraction) -> float:
    """The square root to a float's precision, however long or small the fraction."""
    half = max(0, 64 + (square.denominator.bit_length() - square.numerator.bit_length()) // 2)
    return ldexp(isqrt((square.numerator << 2 * half) // square.denominator), -half)
