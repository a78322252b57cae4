"""Seat numbers: from 0 in code, and from 1 wherever people read them, also in the ledger."""

from collections.abc import Mapping
from typing import Any

Data = Mapping[str, Any]  # of an event


def to_record(data: Data) -> Data:
    """The data of an event with seats numbered as in the ledger."""
    return _renumber(data, 1)


def from_record(data: Data) -> Data:
    """The data of an event on record with seats numbered as in code."""
    return _renumber(data, -1)


def _renumber(data: Data, by: int) -> Data:
    changes: dict[str, Any] = {}
    if "seat" in data:
        changes["seat"] = data["seat"] + by
    if "playing" in data:
        changes["playing"] = [seat + by for seat in data["playing"]]
    if "payments" in data:
        changes["payments"] = [[seat + by, *paid] for seat, *paid in data["payments"]]
    for back in ("returned", "before"):
        if back in data:
            changes[back] = {str(int(seat) + by): cents for seat, cents in data[back].items()}
    return {**data, **changes} if changes else data
