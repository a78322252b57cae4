"""Regimes: for each kind of venue, the steps that lead to the approval of a game, and those that end it.

They are data, `regimes.toml`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

from feltlab.errors import Refused
from feltlab.submission.venues import venue

LAPSE = "lapse"  # the step by which every regime ends an approval that no longer fits


@dataclass(frozen=True)
class StepTaken:
    """A step of an approval, as it was taken."""

    step: str
    state: str  # after it
    by: str
    day: date
    note: str = ""

    def as_json(self) -> dict[str, str]:
        day = self.day.isoformat()
        return {"act": self.step, "state": self.state, "by": self.by, "day": day, "note": self.note}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "StepTaken":
        return cls(data["act"], data["state"], data["by"], date.fromisoformat(data["day"]), data["note"])


@dataclass(frozen=True)
class Step:
    """A step that brings an approval into another state."""

    name: str
    after: tuple[str, ...]  # the states in which it is possible; empty for the first step
    state: str
    responsible: str
    does: str
    asks: str = ""  # what a note has to contain, if one is required

    def take(self, by: str, day: date, note: str) -> StepTaken:
        if not by.strip():
            raise Refused(f"{self.name!r} needs the name of the person who did it.")
        if self.asks and not note.strip():
            raise Refused(f"{self.name!r} needs a note with {self.asks}.")
        return StepTaken(self.name, self.state, by, day, note)


@dataclass(frozen=True)
class Regime:
    """The steps of a kind of venue, in order."""

    kind: str
    offers: str  # the only state in which a game may be offered
    steps: tuple[Step, ...]

    @property
    def path(self) -> tuple[Step, ...]:
        """The steps from the first one to the state in which a game may be offered."""
        return self.steps[: 1 + [step.state for step in self.steps].index(self.offers)]

    def possible(self, state: str) -> tuple[Step, ...]:
        """The steps that are possible in a state; none if it is final."""
        return tuple(step for step in self.steps if state in step.after)


@cache
def load_regimes() -> Mapping[str, Regime]:
    text = (resources.files("feltlab.pit") / "regimes.toml").read_text(encoding="utf-8")
    return {kind: _regime(kind, data) for kind, data in tomllib.loads(text).items()}


def regime_of(kind: str) -> Regime:
    """The regime of a kind of venue."""
    return load_regimes()[venue(kind).name]


def _regime(kind: str, data: dict[str, Any]) -> Regime:
    steps = (Step(**{**step, "after": tuple(step["after"])}) for step in data["steps"])
    return Regime(kind, data["offers"], tuple(steps))
