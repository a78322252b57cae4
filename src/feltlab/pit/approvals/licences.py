"""The register of equipment: licences of makers, and models of shuffler that the state has approved."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import HOUSE_CHAIN, Draft, Event
from feltlab.pit.regimes import Taker
from feltlab.pit.roles import Forbidden, Side
from feltlab.shuffling.models import find_model
from feltlab.text import listing

RECORDED, ENDED = "licence-recorded", "licence-ended"
MODEL_APPROVED, MODEL_ENDED = "model-approved", "model-ended"
LAYOUTS, CARDS, SHUFFLERS = COVERS = ("layouts", "cards", "shufflers")
LICENSING_SIDES = (Side.STATE, Side.TRIBE)


@dataclass(frozen=True)
class Licence:
    """A licence or certificate that the state or a tribe has given to a maker of equipment."""

    side: str
    number: str
    maker: str
    covers: tuple[str, ...]
    begins: date
    ends: date | None
    ended: date | None = None  # early
    why: str = ""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Licence":
        return cls(
            data["side"],
            data["licence"],
            data["maker"],
            tuple(data["covers"]),
            date.fromisoformat(data["begins"]),
            date.fromisoformat(data["ends"]) if data["ends"] else None,
        )

    def as_json(self) -> dict[str, Any]:
        days = {name: str(day) if day else None for name, day in _days_of(self).items()}
        plain = {"side": self.side, "number": self.number, "maker": self.maker, "covers": list(self.covers)}
        return plain | days | {"why": self.why}

    def is_valid(self, day: date) -> bool:
        ended = self.ended is not None and self.ended <= day
        return self.begins <= day and (self.ends is None or day <= self.ends) and not ended

    def is_for(self, side: str, maker: str, what: str) -> bool:
        return self.side == side and self.maker.casefold() == maker.casefold() and what in self.covers


def _days_of(licence: Licence) -> dict[str, date | None]:
    return {"begins": licence.begins, "ends": licence.ends, "ended": licence.ended}


@dataclass(frozen=True)
class ApprovedModel:
    """A model of shuffler that the state has approved."""

    model: str
    maker: str
    day: date
    ended: date | None = None
    why: str = ""

    def is_valid(self, day: date) -> bool:
        return self.day <= day and (self.ended is None or day < self.ended)

    def as_json(self) -> dict[str, Any]:
        ended = str(self.ended) if self.ended else None
        return {
            "model": self.model,
            "maker": self.maker,
            "day": str(self.day),
            "ended": ended,
            "why": self.why,
        }


@dataclass(frozen=True)
class Licences:
    """The register, folded from its events."""

    licences: tuple[Licence, ...] = ()
    models: tuple[ApprovedModel, ...] = ()

    def __iter__(self) -> Iterator[Licence]:
        return iter(self.licences)

    def after(self, event: Event | Draft) -> "Licences":
        data = event.data
        if event.kind == RECORDED:
            new = Licence.from_json(data)
            others = (one for one in self.licences if (one.side, one.number) != (new.side, new.number))
            return replace(self, licences=(*others, new))
        if event.kind == ENDED:
            old = self.find(data["side"], data["licence"])
            new = replace(old, ended=date.fromisoformat(data["day"]), why=data["note"])
            return replace(self, licences=tuple(new if one is old else one for one in self.licences))
        if event.kind == MODEL_APPROVED:
            model = ApprovedModel(data["model"], data["maker"], date.fromisoformat(data["day"]))
            kept = (one for one in self.models if one.model != model.model)
            return replace(self, models=(*kept, model))
        if event.kind == MODEL_ENDED:
            before = self.find_model(data["model"])
            after = replace(before, ended=date.fromisoformat(data["day"]), why=data["note"])
            return replace(self, models=tuple(after if one is before else one for one in self.models))
        return self

    def find(self, side: str, number: str) -> Licence:
        found = next((one for one in self.licences if (one.side, one.number) == (side, number)), None)
        if found is None:
            raise Unknown(f"{Side(side).in_words.capitalize()} has no licence {number!r} on record.")
        return found

    def find_model(self, name: str) -> ApprovedModel:
        found = next((one for one in self.models if one.model == name), None)
        if found is None:
            raise Unknown(f"The state has not approved the shuffler {name!r}.")
        return found

    # -- Steps ---------------------------------------------------------------------------------------

    def plan_licence(
        self,
        number: str,
        maker: str,
        covers: tuple[str, ...],
        taker: Taker,
        day: date,
        begins: date,
        ends: date | None,
    ) -> Draft:
        """The event of a licence; the same number of the same side is a renewal."""
        _check_licensing(taker)
        if not number.strip() or not maker.strip():
            raise Refused("A licence has a number and a maker.")
        if not covers or not {*covers} <= {*COVERS}:
            raise Refused(f"A licence covers {listing(COVERS, 'or')}.")
        if ends is not None and ends < begins:
            raise Refused(f"A licence that begins on {begins} cannot end on {ends}.")
        data = {
            "licence": number.strip(),
            "maker": maker.strip(),
            "covers": sorted({*covers}, key=COVERS.index),
        }
        days = {"begins": begins.isoformat(), "ends": ends and ends.isoformat()}
        return Draft(HOUSE_CHAIN, RECORDED, {**data, **days, **_sign(taker, day)})

    def plan_licence_end(self, number: str, taker: Taker, day: date, note: str) -> Draft:
        _check_licensing(taker)
        _check_reason(note)
        found = self.find(taker.side, number)
        if found.ended:
            raise Refused(f"Licence {number} ended on {found.ended} already.")
        return Draft(HOUSE_CHAIN, ENDED, {"licence": number, **_sign(taker, day, note)})

    def plan_model(self, model: str, maker: str, taker: Taker, day: date) -> Draft:
        """The event by which the state approves a model of shuffler."""
        _check_state(taker)
        if not maker.strip():
            raise Refused("A model of shuffler has a maker.")
        data = {"model": find_model(model).name, "maker": maker.strip()}
        return Draft(HOUSE_CHAIN, MODEL_APPROVED, {**data, **_sign(taker, day)})

    def plan_model_end(self, model: str, taker: Taker, day: date, note: str) -> Draft:
        _check_state(taker)
        _check_reason(note)
        found = self.find_model(find_model(model).name)
        if found.ended:
            raise Refused(f"The approval of the {found.model} ended on {found.ended} already.")
        return Draft(HOUSE_CHAIN, MODEL_ENDED, {"model": found.model, **_sign(taker, day, note)})

    # -- Conditions ----------------------------------------------------------------------------------

    def why_unlicensed(self, maker: str, what: str, sides: tuple[str, ...], day: date) -> str:
        """Why a maker may not deliver something on a day: the side whose licence is missing, or ''."""
        for side in sides:
            found = [one for one in self.licences if one.is_for(side, maker, what)]
            if not any(one.is_valid(day) for one in found):
                whose = Side(side).in_words
                gone = f"; licence {found[-1].number} is not valid on {day}" if found else ""
                return f"{maker} has no licence of {whose} for {what}{gone}"
        return ""

    def why_not_model(self, model: str, sides: tuple[str, ...], day: date) -> str:
        """Why a model of shuffler may not be used on a day, or ''."""
        found = next((one for one in self.models if one.model == model), None)
        if found is None or not found.is_valid(day):
            return f"the state has not approved the shuffler {model} for {day}"
        return self.why_unlicensed(found.maker, SHUFFLERS, sides, day)


def _sign(taker: Taker, day: date, note: str = "") -> dict[str, str]:
    return {"by": taker.name, "side": taker.side, "day": day.isoformat(), "note": note}


def _check_reason(note: str) -> None:
    if not note.strip():
        raise Refused("What ends needs a note with the reason.")


def _check_licensing(taker: Taker) -> None:
    if taker.side not in LICENSING_SIDES:
        raise Forbidden(
            f"Licences are given by the state or by the tribe, and {taker.name} belongs to {taker.in_words}."
        )


def _check_state(taker: Taker) -> None:
    if taker.side != Side.STATE:
        raise Forbidden(
            f"Models of shuffler are approved by the state, and {taker.name} belongs to {taker.in_words}."
        )
