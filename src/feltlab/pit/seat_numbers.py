"""Seats are counted from zero in the code, and from one wherever people read: also in the ledger."""

from collections.abc import Mapping
from typing import Any

Data = Mapping[str, Any]  # of an event


def written(data: Data) -> Data:
    """The data of an event as the ledger has it."""
    return _moved(data, 1)


def read(data: Data) -> Data:
    """The data of an event on record as a table has it."""
    return _moved(data, -1)


def _moved(data: Data, by: int) -> Data:
    changes: dict[str, Any] = {}
    if "seat" in data:
        changes["seat"] = data["seat"] + by
    if "playing" in data:
        changes["playing"] = [seat + by for seat in data["playing"]]
    if "payments" in data:
        changes["payments"] = [[seat + by, *paid] for seat, *paid in data["payments"]]
    if "returned" in data:
        changes["returned"] = {str(int(seat) + by): cents for seat, cents in data["returned"].items()}
    return {**data, **changes} if changes else data
