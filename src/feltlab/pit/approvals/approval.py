"""An operator's approval: a game under options and pays at a house, which refers to a maker's approval."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from feltlab.core.game import Game
from feltlab.digests import digest_json
from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_ACTOR
from feltlab.pit.approvals.houses import DEMO_CAUTION, House
from feltlab.pit.approvals.terms import (
    Options,
    Pays,
    describe_option_difference,
    list_spots,
    options_of,
    read_pays,
    sort_options,
)
from feltlab.pit.regimes import ATTACH, Regime, StepTaken, Taker, regime_of
from feltlab.submission.venues import venue

GRANDFATHERED = "Given by the house itself under an earlier version of feltlab; no regulator gave it."


@dataclass(frozen=True)
class Filing:
    """The house's filing for a condition: a text for each of its items."""

    condition: str
    version: int  # of the filings for this condition, from 1
    items: tuple[tuple[str, str], ...]
    digest: str
    by: str
    day: date
    withdrawn: str = ""  # the reason, if it was taken back

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Filing":
        day, items = date.fromisoformat(data["day"]), tuple(sorted(data["items"].items()))
        return cls(data["condition"], data["version"], items, data["hash"], data["by"], day)

    def as_json(self) -> dict[str, Any]:
        return {
            "condition": self.condition,
            "version": self.version,
            "items": dict(self.items),
            "hash": self.digest,
            "by": self.by,
            "day": self.day.isoformat(),
            "withdrawn": self.withdrawn,
        }


def digest_items(items: Mapping[str, str]) -> str:
    return digest_json(dict(items))


@dataclass(frozen=True)
class Approval:
    """A game under its options and pays at a house, and how far its approval has come."""

    number: int  # in the register, from 1
    house: str
    kind: str  # of venue, whose regime it follows
    game: str
    options: Options  # all of them, by name
    pays: Pays
    digest: str  # of the rules, options and pays
    begins: date
    ends: date | None  # the last day; none if it is open
    done: tuple[StepTaken, ...]
    under: int = 0  # the number of the maker's approval
    is_demonstration: bool = False  # of the demonstration house, which takes every step itself
    filings: tuple[Filing, ...] = ()

    def __str__(self) -> str:
        return f"Approval {self.number} of {self.game}"

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Approval":
        """The approval that an event drafted; the first versions marked no demonstration."""
        return cls(
            number=data["approval"],
            house=data["house"],
            kind=data["kind"],
            game=data["game"],
            options=sort_options(data["options"]),
            pays=read_pays(data["pays"]),
            digest=data["digest"],
            begins=date.fromisoformat(data["begins"]),
            ends=date.fromisoformat(data["ends"]) if data["ends"] else None,
            done=(StepTaken.from_json(data),),
            under=data.get("under", 0),
            is_demonstration=data.get("demonstration", "side" not in data and data["by"] == HOUSE_ACTOR),
        )

    @property
    def regime(self) -> Regime:
        return regime_of(self.kind)

    @property
    def state(self) -> str:
        return self.done[-1].state

    @property
    def is_open(self) -> bool:
        """Whether a step is possible still."""
        return bool(self.regime.possible_steps(self.state))

    @property
    def is_grandfathered(self) -> bool:
        """Whether it was drafted before approvals had two layers and steps had sides."""
        return not self.done[0].side and not self.is_demonstration

    @property
    def caution(self) -> str:
        """A sentence about an approval that no regulator gave, or ''."""
        if self.is_demonstration:
            return DEMO_CAUTION
        return GRANDFATHERED if self.is_grandfathered else ""

    @property
    def attached(self) -> tuple[StepTaken, ...]:
        """The steps by which conditions were attached to it; their notes are the conditions."""
        return tuple(done for done in self.done if done.step == ATTACH)

    def filing(self, condition: str) -> Filing | None:
        """The last filing for a condition, unless it was withdrawn."""
        found = next((one for one in reversed(self.filings) if one.condition == condition), None)
        return found if found and not found.withdrawn else None

    def last_on(self, day: date) -> StepTaken | None:
        """The last step taken by the end of a day."""
        return next((done for done in reversed(self.done) if done.day <= day), None)

    def take_step(self, name: str, taker: Taker, day: date, note: str = "") -> StepTaken:
        """Take a step, or refuse one that is not possible in this state or is another side's."""
        taken = self.regime.take_step(name, str(self), self.done[-1], taker, day, note)
        if self.is_grandfathered and name in {step.name for step in self.regime.path}:
            raise Refused(
                f"{self} refers to no maker's approval, as earlier versions allowed; draft another."
            )
        return taken

    def after_step(self, data: Mapping[str, Any]) -> "Approval":
        return replace(self, done=(*self.done, StepTaken.from_json(data)))

    def after_filing(self, data: Mapping[str, Any]) -> "Approval":
        return replace(self, filings=(*self.filings, Filing.from_json(data)))

    def after_withdrawal(self, data: Mapping[str, Any]) -> "Approval":
        """The approval without the filings for a condition."""
        filings = tuple(
            replace(one, withdrawn=data["note"]) if one.condition == data["condition"] else one
            for one in self.filings
        )
        return replace(self, filings=filings)

    def after_carrying(self, data: Mapping[str, Any]) -> "Approval":
        """The approval under another wording of the same rules."""
        return replace(self, digest=data["to"], options=sort_options(data["options"]))

    # -- Whether it is in force ----------------------------------------------------------------------

    def is_in_force(self, day: date, digest: str) -> bool:
        """Whether a game with this digest may be offered under it on a day, if its conditions hold."""
        return self.digest == digest and not self._why_not_on(day)

    def why_not(self, house: House, game: Game, day: date) -> str:
        """Why no table of this game may open under it at a house on a day; '' if one may.

        The conditions and the maker's approval are a question for the register.
        """
        return self._why_not_at(house, day) or self._why_not_on(day) or self._why_not_for(game)

    def is_for(self, game: Game) -> bool:
        """Whether it is for this game under these options and pays, whatever the rules were then."""
        return (self.game, self.options, self.pays) == (game.name, options_of(game), game.pays)

    def _why_not_at(self, house: House, day: date) -> str:
        if self.house != house.name:
            return f"{self} was given to {self.house}, not to {house.name}."
        if self.kind != house.kind(day):
            was, now = (venue(kind).title.lower() for kind in (self.kind, house.kind(day)))
            return f"{self} was given to a {was}, and {house.name} is a {now} on {day}."
        return ""

    def _why_not_on(self, day: date) -> str:
        last = self.last_on(day)
        if last is None:
            return f"{self} was {self.done[0].state} on {self.done[0].day}, after {day}."
        if last.state != self.regime.offers:
            return self._why_not_after(last)
        if day < self.begins:
            return f"{self} begins on {self.begins}, after {day}."
        if self.has_ended(day):
            return f"{self} ended on {self.ends}, before {day}."
        return ""

    def has_ended(self, day: date) -> bool:
        return self.ends is not None and self.ends < day

    def _why_not_after(self, last: StepTaken) -> str:
        if self.regime.possible_steps(last.state):
            return f"{self} is {last.state} and not yet {self.regime.offers}."
        return f"{self} is {last.state} since {last.day}: {last.note.strip().rstrip('.')}."

    def _why_not_for(self, game: Game) -> str:
        if self.digest == game.digest:
            return ""
        if self.game != game.name:
            return f"{self} is not for {game.name}."
        if self.options != options_of(game):
            return f"{self} is for {describe_option_difference(self.options, options_of(game))}."
        if self.pays != game.pays:
            return f"{self} is for other pays on {list_spots({*self.pays} ^ {*game.pays})}."
        return f"{self} is for rules that have changed since."
