"""Significant events on the floor, one sentence each, filtered by subject and by table."""

import asyncio
from typing import Any

import orjson
from fastapi import APIRouter
from starlette.requests import Request

from feltlab.ledger.event import HOUSE_CHAIN
from feltlab.pit import history
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Permission
from feltlab.server.models import MOST
from feltlab.web.page import Data, add_page
from feltlab.web.staff_request import pit_of, read_number, require_any

router = APIRouter()
EVENTS_LISTED = 40
BAD = ("fault", "void", "lost", "alarm", "sign-in-refused", "approval-lapsed", "account-disabled")
OF_A_ROUND = ("fault", "void", "lost")

SUBJECTS = {  # which kinds of events are about what
    "rounds": ("void", "fault", "drill", "shuffler", "lost", "alarm"),
    "tables": ("opened", "closing", "closed"),
    "accounts": (
        *("signed-in", "sign-in-refused", "account-created", "account-disabled", "account-enabled"),
        *("role-changed", "password-changed"),
    ),
    "approvals": ("approval-drafted", "approval-step", "approval-lapsed"),
    "server": ("started", "stopped"),
}

SAYS = {  # beside the name of the kind
    "fault": "The {shuffler} shuffler: {message}",
    "void": "By {by}: {reason}",
    "drill": "By {by}: {fault}",
    "shuffler": "By {by}: the {shuffler} one is in use",
    "lost": "The cards of {shuffle} cannot be read any more.",
    "alarm": "{alarm}",
    "opened": "By {by}, under approval {approval}",
    "closing": "By {by}, after the round: {why}",
    "closed": "By {by}: {why}",
    "sign-in-refused": "{account}: {why}",
    "signed-in": "{account}, {role}",
    "account-created": "{account}, {role}, by {by}",
    "account-disabled": "{account}, by {by}",
    "account-enabled": "{account}, by {by}",
    "role-changed": "{account}, {was} before, is {role} now; by {by}",
    "password-changed": "{account}, by {by}",
    "approval-drafted": "{approval}, of {game}, by {by}: {note}",
    "approval-step": "{approval} is {state}, by {by}: {note}",
    "approval-lapsed": "{approval} is {state}, by {by}: {note}",
    "started": "feltlab {version}",
    "stopped": "feltlab {version}",
}


def event_lines(
    pit: Pit, last: int, before: int = MOST, kinds: tuple[str, ...] = history.SIGNIFICANT, chain: str = ""
) -> list[Data]:
    return [_event_line(row) for row in history.significant(pit.ledger, last, before, kinds, chain)]


def _event_line(row: dict[str, Any]) -> Data:
    plain = {name: row[name] for name in ("sequence", "chain", "kind", "round", "at")}
    data = orjson.loads(orjson.dumps(row["data"]))
    return plain | {
        "table": "" if row["chain"] == HOUSE_CHAIN else row["chain"],
        "of_round": row["kind"] in OF_A_ROUND,
        "bad": row["kind"] in BAD,
        "says": _says(row["kind"], data),
    }


class _Told(dict[str, Any]):
    """What an event tells; what it does not is left out."""

    def __missing__(self, name: str) -> str:
        return ""


def _says(kind: str, data: dict[str, Any]) -> str:
    return SAYS.get(kind, "").format_map(_Told(data)).rstrip(" :")


async def events(request: Request) -> Data:
    require_any(request, Permission.AUDIT)
    pit, query = pit_of(request), request.query_params
    about, chain = query.get("about", ""), query.get("table", "")
    if chain and chain != HOUSE_CHAIN:
        pit.table(chain)  # refuses an unknown table
    before, kinds = read_number(request, "before"), SUBJECTS.get(about, history.SIGNIFICANT)
    found = await asyncio.to_thread(event_lines, pit, EVENTS_LISTED, before or MOST, kinds, chain)
    return {
        "title": "Events",
        "events": found,
        "older": found[-1]["sequence"] if len(found) == EVENTS_LISTED else None,
        "newest": not before,
        "about": about if about in SUBJECTS else "",
        "table": chain,
        "subjects": list(SUBJECTS),
        "tables": [HOUSE_CHAIN, *pit.tables],
    }


add_page(router, "/floor/events", "floor-events.html", events)
