"""Venues: where a game is offered, who approves it there, and the rule pack that holds.

Rule packs are data, `venues.toml`. What changes by law has the day from which it holds.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

from feltlab.errors import Unknown
from feltlab.text import listing


@dataclass(frozen=True)
class Cap:
    """The most that one wager may be, from a day on and until the next cap begins."""

    cents: int
    begins: date = date.min


@dataclass(frozen=True)
class Step:
    """Something that must be done before a game may be offered."""

    does: str
    responsible: str
    reference: str


@dataclass(frozen=True)
class Venue:
    """A kind of place, and what its regulator asks for."""

    name: str
    title: str
    approves: str
    caps: tuple[Cap, ...]  # none where the venue sets its own
    limits_reference: str
    games_per_hand: (
        int  # the most separate games that one hand may be wagered on; 0 where the state sets none
    )
    games_reference: str
    steps: tuple[Step, ...]

    def cap(self, day: date) -> int | None:
        """The most cents of a wager on a day, where there is such a rule."""
        found = self.cap_in_force(day)
        return found.cents if found else None

    def cap_in_force(self, day: date) -> Cap | None:
        return next((cap for cap in reversed(self.caps) if cap.begins <= day), None)


@cache
def venues() -> Mapping[str, Venue]:
    text = (resources.files("feltlab.submission") / "venues.toml").read_text(encoding="utf-8")
    return {name: _venue(name, data) for name, data in tomllib.loads(text).items()}


def venue(name: str) -> Venue:
    known = venues()
    if name not in known:
        raise Unknown(f"{name!r} is not a venue; the venues are {listing(known)}.")
    return known[name]


def _venue(name: str, data: dict[str, Any]) -> Venue:
    caps = tuple(map(_cap, data["caps"]))
    steps = tuple(Step(**step) for step in data["steps"])
    return Venue(name=name, **{**data, "caps": caps, "steps": steps})


def _cap(data: dict[str, Any]) -> Cap:
    begins = date.fromisoformat(data["begins"]) if "begins" in data else date.min
    return Cap(100 * data["dollars"], begins)
