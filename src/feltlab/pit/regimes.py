"""Regimes: the steps that lead to an approval and those that end it, and the side that takes each.

`regimes.toml` has the steps of an operator's approval for each kind of venue and the conditions that hold
there; `game_regime.toml` has the steps of a maker's approval.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from feltlab.errors import Refused
from feltlab.games.data_files import FilePlace, build, read_data
from feltlab.ledger.event import HOUSE_ACTOR
from feltlab.pit.roles import Forbidden, Side
from feltlab.submission.venues import venue, venues
from feltlab.text import listing

LAPSE = "lapse"  # the step by which every regime ends an approval that no longer fits
ATTACH = "attach"  # the step by which a regulator attaches a condition; the approval stays in force
DEMONSTRATION = "demonstration"  # in place of a side: the demonstration house takes every step itself
SERVER = "server"  # in place of a side: rules have changed, and nobody decides


@dataclass(frozen=True)
class Taker:
    """A person who takes a step, and the person's side."""

    name: str
    side: str  # a `Side`, `DEMONSTRATION` or `SERVER`

    @property
    def in_words(self) -> str:
        if self.side in list(Side):
            return Side(self.side).in_words
        return f"the {self.side}" if self.side else "no side"


DEMONSTRATOR = Taker(HOUSE_ACTOR, DEMONSTRATION)
AUTOMATIC = Taker(HOUSE_ACTOR, SERVER)


@dataclass(frozen=True)
class StepTaken:
    """A step of an approval, as it was taken."""

    step: str
    state: str  # after it
    by: str
    day: date
    note: str = ""
    side: str = ""  # '' in ledgers from before approvals had sides

    def as_json(self) -> dict[str, str]:
        day = self.day.isoformat()
        plain = {"act": self.step, "state": self.state, "by": self.by, "day": day, "note": self.note}
        return plain | ({"side": self.side} if self.side else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "StepTaken":
        day = date.fromisoformat(data["day"])
        return cls(data["act"], data["state"], data["by"], day, data["note"], data.get("side", ""))


@dataclass(frozen=True)
class Step:
    """A step that brings an approval into another state."""

    name: str
    after: tuple[str, ...]  # the states in which it is possible; empty for the first step
    state: str
    responsible: str
    does: str
    asks: str = ""  # what a note has to contain, if one is required
    sides: tuple[str, ...] = ()  # that take it; without one, the server alone does

    def may_take(self, side: str) -> bool:
        return side in (self.sides or (SERVER,)) or side == DEMONSTRATION

    def check_side(self, taker: Taker) -> None:
        """Refuse a step of another side, with the side whose step it is."""
        if self.may_take(taker.side):
            return
        if not self.sides:
            raise Forbidden(f"{self.name!r} is taken by the server alone, when rules have changed.")
        owners = listing((Side(side).in_words for side in self.sides), "or")
        raise Forbidden(
            f"{self.name!r} is a step of {owners} ({self.responsible}), and {taker.name or 'nobody'} belongs"
            f" to {taker.in_words}."
        )

    def take(self, taker: Taker, day: date, note: str) -> StepTaken:
        self.check_side(taker)
        if not taker.name.strip():
            raise Refused(f"{self.name!r} needs the name of the person who did it.")
        if self.asks and not note.strip():
            raise Refused(f"{self.name!r} needs a note with {self.asks}.")
        return StepTaken(self.name, self.state, taker.name, day, note, taker.side)


@dataclass(frozen=True)
class ConditionTerms:
    """A condition that a regime sets for every operator's approval."""

    name: str
    says: str
    reference: str
    items: tuple[str, ...] = ()  # that the house files; empty where it files nothing
    confirmed: bool = True  # was the text of the rule or letter read?


@dataclass(frozen=True)
class Regime:
    """The steps of a kind of approval, in order."""

    kind: str
    offers: str  # the only state in which a game may be offered
    steps: tuple[Step, ...]
    licences: tuple[str, ...] = ()  # the sides that license makers of equipment
    conditions: tuple[ConditionTerms, ...] = ()

    @property
    def path(self) -> tuple[Step, ...]:
        """The steps from the first one to the state in which a game may be offered."""
        return self.steps[: 1 + [step.state for step in self.steps].index(self.offers)]

    def possible_steps(self, state: str) -> tuple[Step, ...]:
        """The steps that are possible in a state; none if it is final."""
        return tuple(step for step in self.steps if state in step.after)

    def take_step(
        self, name: str, about: str, done: StepTaken, taker: Taker, day: date, note: str
    ) -> StepTaken:
        """Take the step of a name after the last one; `about` names the approval in refusals."""
        if known := next((step for step in self.steps if step.name == name), None):
            known.check_side(taker)
        possible = {step.name: step for step in self.possible_steps(done.state)}
        if not possible:
            raise Refused(f"{about} is {done.state}, and nothing more can be done with it.")
        if name not in possible:
            raise Refused(
                f"{about} is {done.state}: {name!r} is not possible, only {listing(possible, 'or')}."
            )
        if day < done.day:
            raise Refused(f"{about} is {done.state} since {done.day}; nothing can be done on {day}.")
        return possible[name].take(taker, day, note)


@cache
def load_regimes() -> Mapping[str, Regime]:
    """The regimes of all kinds of venue."""
    data, place = read_data("pit", "regimes.toml")
    found = {kind: build(Regime, {"kind": kind, **data[kind]}, place.child(kind)) for kind in data}
    for kind, regime in found.items():
        if kind not in venues():
            raise place.child(kind).refusal(f"{kind!r} is not a venue; the venues are {listing(venues())}")
        _check_regime(regime, place.child(kind))
    return found


@cache
def game_regime() -> Regime:
    """The steps of a maker's approval."""
    data, place = read_data("pit", "game_regime.toml")
    regime = build(Regime, {"kind": "game", **data}, place)
    _check_regime(regime, place)
    return regime


def regime_of(kind: str) -> Regime:
    """The regime of a kind of venue."""
    return load_regimes()[venue(kind).name]


def _check_regime(regime: Regime, place: FilePlace) -> None:
    """Refuse a state that no step leads to, and a side that does not exist."""
    states = [step.state for step in regime.steps]
    if regime.offers not in states:
        raise place.refusal(f"no step leads to the state {regime.offers!r}", "offers")
    for n, step in enumerate(regime.steps):
        for state in step.after:
            if state not in states:
                raise place.child("steps", n).refusal(f"no step leads to the state {state!r}", "after")
        for side in step.sides:
            if side not in list(Side):
                refusal = f"{side!r} is not a side; the sides are {listing(Side)}"
                raise place.child("steps", n).refusal(refusal, "sides")
