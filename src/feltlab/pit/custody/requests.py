"""Two persons for what can hurt: one asks, another confirms, and only then it is done.

A request is an event of the house, and so is the answer to it. The act itself names its request, so that
whoever reads the ledger can check that two accounts were needed and two there were. Requests are read from
the ledger whenever they are needed; nothing about them is kept in memory.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import HOUSE_CHAIN, Draft, Event, now
from feltlab.ledger.ledger import Ledger
from feltlab.pit.roles import Forbidden, Permission, Role
from feltlab.text import signed_dollars

REQUEST_LIFETIME = timedelta(minutes=15)
MAX_WHY_CHARS = 500

# Kinds of events.
TWO_PERSONS, REQUESTED, CONFIRMED, DENIED = "two-persons", "requested", "request-confirmed", "request-denied"
REFUSED = "request-refused"  # what was confirmed was not possible any more
REQUEST_KINDS = (REQUESTED, CONFIRMED, DENIED, REFUSED)

# Acts, and the permission that both persons need.
VOID, CORRECT, ROTATE = "void", "correct", "rotate-key"
CREATE_ACCOUNT, CHANGE_ACCOUNT = "create-account", "change-account"
ACTS: Mapping[str, Permission] = {
    VOID: Permission.SUPERVISE,
    CORRECT: Permission.SUPERVISE,
    ROTATE: Permission.ADMINISTER,
    CREATE_ACCOUNT: Permission.ADMINISTER,
    CHANGE_ACCOUNT: Permission.ADMINISTER,
}
WAITS, IS_CONFIRMED, IS_DENIED, IS_EXPIRED = "waits", "confirmed", "denied", "expired"
IS_REFUSED = "refused"
ANSWERS = {CONFIRMED: IS_CONFIRMED, DENIED: IS_DENIED, REFUSED: IS_REFUSED}


@dataclass(frozen=True)
class ActRequest:
    """An act that somebody asked for."""

    number: int
    act: str
    by: str
    at: str
    until: str
    asks: Mapping[str, Any] = field(hash=False)  # what is to be done
    answer: str = ""  # how it was answered, if it was
    answered_by: str = ""
    why: str = ""  # it was denied or refused

    def state_at(self, moment: str) -> str:
        return self.answer or (IS_EXPIRED if moment > self.until else WAITS)

    def as_json(self, moment: str) -> dict[str, Any]:
        plain = {name: getattr(self, name) for name in ("number", "act", "by", "at", "until", "why")}
        answer = {"state": self.state_at(moment), "answered_by": self.answered_by}
        return {**plain, "asks": dict(self.asks), **answer}


def needs_two_persons(ledger: Ledger) -> bool:
    """Whether the house has two persons for what can hurt; the last start decides."""
    return any(event.data["on"] for event in ledger.last_events(HOUSE_CHAIN, (TWO_PERSONS,)))


def plan_two_persons(ledger: Ledger, wanted: bool) -> tuple[Draft, ...]:
    """The event of a start that has another setting than the ledger says."""
    return () if needs_two_persons(ledger) == wanted else (Draft(HOUSE_CHAIN, TWO_PERSONS, {"on": wanted}),)


def fold_requests(
    events: Iterable[Event], before: Mapping[int, ActRequest] | None = None
) -> dict[int, ActRequest]:
    """All requests by number, as events of the house leave them, after those before."""
    found = dict(before or {})
    for event in events:
        data, number = event.data, event.data["request"]
        if event.kind == REQUESTED:
            found[number] = ActRequest(number, data["act"], data["by"], event.at, data["until"], data["asks"])
        elif number in found:
            answer = {"answer": ANSWERS[event.kind], "answered_by": data["by"]}
            found[number] = replace(found[number], **answer, why=data.get("why", ""))
    return found


def load_requests(ledger: Ledger) -> dict[int, ActRequest]:
    return fold_requests(ledger.events(HOUSE_CHAIN, kinds=REQUEST_KINDS))


def find_request(ledger: Ledger, number: int) -> ActRequest:
    try:
        return load_requests(ledger)[number]
    except KeyError:
        raise Unknown(f"There is no request {number}.") from None


# -- Drafts -----------------------------------------------------------------------------------------


def plan_request(ledger: Ledger, act: str, by: str, asks: Mapping[str, Any]) -> Draft:
    """The event that asks for an act; refuses one that waits already."""
    known, moment = load_requests(ledger), now()
    for one in known.values():
        if one.act == act and dict(one.asks) == dict(asks) and one.state_at(moment) == WAITS:
            raise Refused(f"Request {one.number} by {one.by} asks for this already, and waits.")
    until = (datetime.fromisoformat(moment) + REQUEST_LIFETIME).isoformat(timespec="microseconds")
    data = {"request": max(known, default=0) + 1, "act": act, "by": by, "until": until, "asks": dict(asks)}
    return Draft(HOUSE_CHAIN, REQUESTED, data)


def plan_answer(request: ActRequest, by: str, role: Role, why: str | None = None) -> Draft:
    """The event that confirms a request, or denies it with a reason; refuses who may not answer it."""
    check_answer(request, by, role, is_denial=why is not None)
    if why is None:
        return Draft(HOUSE_CHAIN, CONFIRMED, {"request": request.number, "by": by})
    if not why.strip():
        raise Refused("A denial needs a reason.")
    return Draft(HOUSE_CHAIN, DENIED, {"request": request.number, "by": by, "why": why.strip()})


def plan_refusal(confirmed: Draft, why: str) -> Draft:
    """The event that says why a confirmed request was not done, so that it does not look as if it was."""
    return Draft(HOUSE_CHAIN, REFUSED, {**confirmed.data, "why": why})


def check_answer(request: ActRequest, by: str, role: Role, is_denial: bool = False) -> None:
    role.check(ACTS[request.act])
    state = request.state_at(now())
    if state == IS_EXPIRED:
        raise Refused(f"Request {request.number} expired at {request.until[:19].replace('T', ' ')} UTC.")
    if state != WAITS:
        raise Refused(f"Request {request.number} was {state} by {request.answered_by} already.")
    if by == request.by and not is_denial:
        raise Forbidden("A second person confirms a request, not the one who made it.")


# -- In words ---------------------------------------------------------------------------------------


def describe_request(one: ActRequest) -> str:
    """A request in one sentence."""
    return SENTENCES[one.act](one.asks)


def _describe_correction(asks: Mapping[str, Any]) -> str:
    asked = asks["fields"]
    change = f"from {signed_dollars(asked['paid'])} to {signed_dollars(asked['due'])}"
    place = f"{asked['spot']} of seat {asked['seat']} in round {asks['round']} at {asks['table']}"
    return f"Correct {place}, {change}: {asked['reason']}"


def _describe_void(asks: Mapping[str, Any]) -> str:
    asked = asks["fields"]
    why = asked.get("reason") or f"{asked['kind']}, {asked['hand']}. {asked.get('note', '')}".strip()
    return f"Void round {asks['round']} at {asks['table']}: {why}"


SENTENCES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    VOID: _describe_void,
    CORRECT: _describe_correction,
    ROTATE: lambda asks: f"Change the key of the {asks['key']}",
    CREATE_ACCOUNT: lambda asks: f"Create the account {asks['account']} as {asks['role']}",
    CHANGE_ACCOUNT: lambda asks: f"Change the account {asks['account']}: {asks['change']}",
}
