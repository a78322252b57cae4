"""Regimes: for each kind of venue, the steps that lead to the approval of a game, and those that end it.

They are data, `regimes.toml`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from feltlab.errors import Refused
from feltlab.games.data_files import FilePlace, build, read_data
from feltlab.submission.venues import venue, venues
from feltlab.text import listing

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

    def possible_steps(self, state: str) -> tuple[Step, ...]:
        """The steps that are possible in a state; none if it is final."""
        return tuple(step for step in self.steps if state in step.after)


@cache
def load_regimes() -> Mapping[str, Regime]:
    """The regimes of all kinds of venue."""
    data, place = read_data("pit", "regimes.toml")
    found = {kind: build(Regime, {"kind": kind, **data[kind]}, place.child(kind)) for kind in data}
    for kind, regime in found.items():
        _check_regime(regime, place.child(kind))
    return found


def regime_of(kind: str) -> Regime:
    """The regime of a kind of venue."""
    return load_regimes()[venue(kind).name]


def _check_regime(regime: Regime, place: FilePlace) -> None:
    """Refuse a kind that is no venue, and a state that no step leads to."""
    if regime.kind not in venues():
        raise place.refusal(f"{regime.kind!r} is not a venue; the venues are {listing(venues())}")
    states = [step.state for step in regime.steps]
    if regime.offers not in states:
        raise place.refusal(f"no step leads to the state {regime.offers!r}", "offers")
    for n, step in enumerate(regime.steps):
        for state in step.after:
            if state not in states:
                raise place.child("steps", n).refusal(f"no step leads to the state {state!r}", "after")
