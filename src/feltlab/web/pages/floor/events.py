"""Significant events on the floor, one sentence each, filtered by subject and by table."""

import asyncio
from typing import Any

import orjson
from fastapi import APIRouter
from starlette.requests import Request

from feltlab.ledger.event import HOUSE_CHAIN
from feltlab.pit import history
from feltlab.pit.event_kinds import SIGNIFICANT_KINDS, SUBJECTS, kinds_about
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Permission
from feltlab.server.models import MAX_JSON_INT
from feltlab.web.page import Data, add_page
from feltlab.web.staff_request import pit_of, read_number, require_any

router = APIRouter()
EVENTS_LISTED = 40


def event_lines(
    pit: Pit, last: int, before: int = MAX_JSON_INT, kinds: tuple[str, ...] = kinds_about(""), chain: str = ""
) -> list[Data]:
    return [
        _event_line(row) for row in history.list_significant_events(pit.ledger, last, before, kinds, chain)
    ]


def _event_line(row: dict[str, Any]) -> Data:
    plain = {name: row[name] for name in ("sequence", "chain", "kind", "round", "at")}
    kind, data = SIGNIFICANT_KINDS[row["kind"]], orjson.loads(orjson.dumps(row["data"]))
    return plain | {
        "table": "" if row["chain"] == HOUSE_CHAIN else row["chain"],
        "of_round": kind.is_of_round,
        "bad": kind.is_trouble,
        "says": kind.describe(data),
    }


async def events(request: Request) -> Data:
    require_any(request, Permission.AUDIT)
    pit, query = pit_of(request), request.query_params
    about, chain = query.get("about", ""), query.get("table", "")
    if chain and chain != HOUSE_CHAIN:
        pit.table(chain)  # refuses an unknown table
    before, kinds = read_number(request, "before"), kinds_about(about)
    found = await asyncio.to_thread(event_lines, pit, EVENTS_LISTED, before or MAX_JSON_INT, kinds, chain)
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


add_page(router, "/floor/events", "floor/events.html", events)
