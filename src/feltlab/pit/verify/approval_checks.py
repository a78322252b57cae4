"""Checks of decisions about approvals: the register takes each one again, and refuses what it must."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any

from feltlab.core.game import Game
from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.games.offers import build_game
from feltlab.games.rules_history import are_same_rules
from feltlab.ledger.event import HOUSE_ACTOR, Draft, Event
from feltlab.pit.approvals import submissions
from feltlab.pit.approvals.conditions import SECTION_18
from feltlab.pit.approvals.documents import EnclosedDocument
from feltlab.pit.approvals.houses import House
from feltlab.pit.approvals.licences import ENDED, MODEL_APPROVED, MODEL_ENDED, RECORDED
from feltlab.pit.approvals.register import (
    DRAFTED,
    FILED,
    FILING_WITHDRAWN,
    KINDS,
    LAPSED,
    SIDES_ADOPTED,
    STEP,
    Approvals,
)
from feltlab.pit.approvals.submissions import SubmissionTerms
from feltlab.pit.regimes import DEMONSTRATION, SERVER, Taker

Data = Mapping[str, Any]
Again = Callable[[Approvals, Data, Taker, date], Draft | None]


def check_decision(event: Event, register: Approvals) -> Iterator[str]:
    """Could this decision be taken, by this side, and does its event say what the register would have said?

    Events from before steps had sides are left as they are.
    """
    if event.kind not in KINDS or not register.has_sides:
        return
    if event.kind == SIDES_ADOPTED:
        yield "sides were adopted before."
        return
    if (event.data["by"] == HOUSE_ACTOR) != (event.data.get("side") in (SERVER, DEMONSTRATION)):
        yield f"{event.kind!r} by {event.data['by']} cannot be of the side {event.data.get('side', '')!r}."
    yield from _check_carried_over(event, register)
    try:
        again = _take_again(event, register)
    except Refused as refused:
        yield f"{event.kind!r} was not possible: {refused}"
        return
    if again and (again.kind, canonical_json(again.data)) != (event.kind, canonical_json(event.data)):
        yield f"{event.kind!r} differs from what the register would have recorded."


def _take_again(event: Event, register: Approvals) -> Draft | None:
    """The event as the register records the same decision; None if it cannot be taken under today's rules."""
    take, data = DECISIONS.get(event.kind), event.data
    if take is None:
        return None
    return take(register, data, Taker(data["by"], data.get("side", "")), date.fromisoformat(data["day"]))


def _check_carried_over(event: Event, register: Approvals) -> Iterator[str]:
    if event.kind != submissions.CARRIED_OVER:
        return
    found, data = register.submissions[event.data["submission"]], event.data
    game = _build(found.game, {}, found.pays)
    if data["from"] != found.digest or not (game and are_same_rules(game, data["from"], data["to"])):
        yield f"{found} was carried over to rules that are not the same."


def _build(name: str, options: Data, pays: Any) -> Game | None:
    """A game by the rules of today; None if they no longer have it."""
    try:
        return build_game(name, dict(options), pays)
    except Refused:
        return None


def _draft(register: Approvals, data: Data, taker: Taker, day: date) -> Draft | None:
    game = _build(data["game"], data["options"], data["pays"])
    if game is None or game.digest != data["digest"]:
        return None
    begins, ends = date.fromisoformat(data["begins"]), data["ends"] and date.fromisoformat(data["ends"])
    house = House.of(data["house"], data["kind"])
    return register.draft(house, game, taker, day, begins, ends, data["note"]).unwritten[-1]


def _step(register: Approvals, data: Data, taker: Taker, day: date) -> Draft:
    return register.step(data["approval"], data["act"], taker, day, data["note"]).unwritten[-1]


def _file(register: Approvals, data: Data, taker: Taker, day: date) -> Draft:
    is_old = data["condition"] == SECTION_18  # the whole dossier, before each subject was filed by itself
    after = register.file(data["approval"], data["condition"], data["items"], taker, day, is_old)
    return after.unwritten[-1]


def _withdraw_filing(register: Approvals, data: Data, taker: Taker, day: date) -> Draft:
    after = register.withdraw_filing(data["approval"], data["condition"], taker, day, data["note"])
    return after.unwritten[-1]


def _submit(register: Approvals, data: Data, taker: Taker, day: date) -> Draft | None:
    game = _build(data["game"], {}, data["pays"])
    if game is None or game.digest != data["digest"]:
        return None
    terms = SubmissionTerms(
        game,
        data["maker"],
        data["reference"],
        date.fromisoformat(data["rules_date"]),
        data["record"],
        {name: tuple(values) for name, values in data["options"].items()},
        tuple(data["kinds"]),
        tuple(map(EnclosedDocument.from_json, data["documents"])),
    )
    return register.submissions.plan_submission(terms, taker, day, data["note"])


def _step_game(register: Approvals, data: Data, taker: Taker, day: date) -> Draft:
    return register.submissions.plan_step(data["submission"], data["act"], taker, day, data["note"])


def _record_licence(register: Approvals, data: Data, taker: Taker, day: date) -> Draft:
    begins, ends = date.fromisoformat(data["begins"]), data["ends"] and date.fromisoformat(data["ends"])
    terms = (data["licence"], data["maker"], tuple(data["covers"]))
    return register.licences.plan_licence(*terms, taker, day, begins, ends)


DECISIONS: Mapping[str, Again] = {
    DRAFTED: _draft,
    STEP: _step,
    LAPSED: _step,
    FILED: _file,
    FILING_WITHDRAWN: _withdraw_filing,
    submissions.SUBMITTED: _submit,
    submissions.STEP: _step_game,
    submissions.LAPSED: _step_game,
    RECORDED: _record_licence,
    ENDED: lambda book, data, by, day: book.licences.plan_licence_end(data["licence"], by, day, data["note"]),
    MODEL_APPROVED: lambda book, data, by, day: book.licences.plan_model(
        data["model"], data["maker"], by, day
    ),
    MODEL_ENDED: lambda book, data, by, day: book.licences.plan_model_end(
        data["model"], by, day, data["note"]
    ),
}
