"""Checks of acts that need two persons: each names a request that another account has confirmed."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from feltlab.ledger.event import HOUSE_ACTOR, Event
from feltlab.ledger.head_keys import KEY_ROTATED
from feltlab.pit.custody.confirmed_acts import VOID_KIND, is_guarded_void
from feltlab.pit.custody.requests import (
    ACTS,
    CONFIRMED,
    CORRECT,
    IS_CONFIRMED,
    REFUSED,
    REQUEST_KINDS,
    REQUESTED,
    ROTATE,
    TWO_PERSONS,
    VOID,
    WAITS,
    ActRequest,
    fold_requests,
)
from feltlab.pit.irregularities.recorded import CORRECTED
from feltlab.pit.role_history import RoleHistory
from feltlab.pit.roles import Role, Side
from feltlab.pit.table import Table

Sentences = Iterator[str]
MIN_ADMINISTRATORS = 2  # until there are so many, one person creates them
CREATED, HELD = "account-created", "held"
TWO_PERSON_KINDS = (HELD, VOID_KIND, CORRECTED)  # of events at a table
# The request that must precede a change, by the kind of the event that changes an account.
ACCOUNT_FIELDS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    CREATED: lambda data: {"role": data["role"]},
    "role-changed": lambda data: {"role": data["role"]},
    "account-disabled": lambda _: {"disabled": True},
    "account-enabled": lambda _: {"disabled": False},
    "password-changed": lambda _: {"reset_password": True},
}


class SecondPersonFollower:
    """Follows the requests of a house, and holds its acts to them."""

    def __init__(self, roles: RoleHistory) -> None:
        self.roles, self.is_on = roles, False
        self.requests: dict[int, ActRequest] = {}
        self._used: set[int] = set()
        self._used_changes: set[tuple[int, str]] = set()  # of accounts: a request and a kind of event
        self._roles: dict[str, Role] = {}  # of disabled accounts too

    def follow_house(self, event: Event) -> Sentences:
        """Follow an event of the house, before the roles do."""
        if event.kind == TWO_PERSONS:
            self.is_on = bool(event.data["on"])
        elif event.kind in REQUEST_KINDS:
            yield from self._check_request(event)
            self.requests = fold_requests([event], self.requests)
        elif event.kind == KEY_ROTATED:
            yield from self._check_act(event, ROTATE, {"key": event.data["key"]})
        elif event.kind in ACCOUNT_FIELDS:
            if self.is_on and self._is_guarded(event):
                yield from self._check_account(event)
            if "role" in event.data:
                self._roles[event.data["account"]] = Role.parse(event.data["role"])

    def _check_request(self, event: Event) -> Sentences:
        number, by, known = event.data["request"], event.data["by"], self.requests.get(event.data["request"])
        if event.kind == REQUESTED:
            if number != len(self.requests) + 1:
                yield f"request {number} is in the place of {len(self.requests) + 1}."
            if event.data["act"] not in ACTS:
                yield f"{event.data['act']!r} is not an act that two persons do."
                return
        elif event.kind == REFUSED:
            was = known and (known.answer, known.answered_by)
            if was != (IS_CONFIRMED, by) or number in self._used:
                yield f"request {number} is said to be refused, but {by} did not confirm it, or it was done."
            return
        elif known is None or known.state_at(event.at) != WAITS:
            yield f"request {number} was answered, but none waits under that number."
            return
        act = event.data["act"] if known is None else known.act
        if not self.roles.may(by, ACTS[act], event.at):
            yield f"{by} may not ask for or answer request {number}."
        if event.kind == CONFIRMED and known and by == known.by:
            yield f"request {number} was confirmed by {by}, who had made it."

    def _is_guarded(self, event: Event) -> bool:
        """Whether a change of an account needs two persons: it is staff's, and not the holder's own."""
        data, before = event.data, self._roles.get(event.data["account"])
        after = Role.parse(data["role"]) if "role" in data else None
        if data.get("by") in (None, HOUSE_ACTOR, data["account"]) or data.get("code"):
            return False
        administrators = sum(role is Role.ADMINISTRATOR for role in self._roles.values())
        if event.kind == CREATED and after is Role.ADMINISTRATOR and administrators < MIN_ADMINISTRATORS:
            return False
        return any(role and role.side is Side.HOUSE for role in (before, after))

    def _check_account(self, event: Event) -> Sentences:
        """Did a second person confirm exactly this change, just for this time?"""
        data, asked = event.data, ACCOUNT_FIELDS[event.kind](event.data)
        for number, one in self.requests.items():
            same = (one.by, one.asks.get("account")) == (data["by"], data["account"])
            fits = same and asked.items() <= one.asks.get("fields", one.asks).items()
            if fits and one.answer == IS_CONFIRMED and (number, event.kind) not in self._used_changes:
                self._used_changes.add((number, event.kind))
                return
        yield f"{event.kind!r} of {data['account']} by {data['by']} alone; it needs two persons."

    def follow_table(self, event: Event, table: Table | None) -> Sentences:
        """Check an event of a table; `table` is the table before it."""
        if event.kind == HELD and table:
            yield from self._check_hold(event, table)
        if event.kind == VOID_KIND and table and is_guarded_void(table):
            yield from self._check_act(event, VOID, {"table": event.chain, "round": event.round})
        elif event.kind == CORRECTED and not event.data["drill"]:
            asks = {"table": event.chain, "round": event.data["corrects"]}
            yield from self._check_act(event, CORRECT, asks)

    def _check_hold(self, event: Event, table: Table) -> Sentences:
        """Does a request that waits hold its own round, for the first time?"""
        number = event.data["request"]
        known = self.requests.get(number)
        asks = {"table": event.chain, "round": event.round}
        if known is None or known.act != VOID or not asks.items() <= known.asks.items():
            yield f"the round is held for request {number}, which does not ask to void it."
        elif known.state_at(event.at) != WAITS or known.by != event.data["by"] or table.was_held:
            yield f"the round is held for request {number}, which may not hold it."

    def _check_act(self, event: Event, act: str, asks: Mapping[str, Any]) -> Sentences:
        """Does an act name a confirmed request of its own for exactly this?"""
        number = event.data.get("request", 0)
        if not number:
            if self.is_on and not (act == VOID and event.data["by"] == HOUSE_ACTOR):
                yield f"{event.kind!r} by {event.data['by']} alone; it needs two persons."
            return
        request = self.requests.get(number)
        if request is None or request.answer != IS_CONFIRMED or number in self._used:
            yield f"it names request {number}, which was not confirmed, or for another act."
        elif (request.act, request.by) != (act, event.data["by"]) or not asks.items() <= request.asks.items():
            yield f"it names request {number}, which asked for something else."
        self._used.add(number)
