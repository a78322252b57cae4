"""Requests on the floor: acts that wait for a second person, and the last ones that were answered."""

import asyncio

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.ledger.event import now
from feltlab.pit.custody.keys import ROTATED_KEYS
from feltlab.pit.custody.requests import (
    ACTS,
    CREATE_ACCOUNT,
    WAITS,
    ActRequest,
    describe_request,
    load_requests,
    needs_two_persons,
)
from feltlab.pit.roles import Permission
from feltlab.server.sessions import Session
from feltlab.web.page import Data, add_page
from feltlab.web.staff_request import pit_of, require_any

router = APIRouter()
ANSWERED_LISTED = 20


async def requests(request: Request) -> Data:
    session = require_any(request, Permission.SUPERVISE, Permission.AUDIT, Permission.ADMINISTER)
    ledger, moment = pit_of(request).ledger, now()
    found = [*reversed((await asyncio.to_thread(load_requests, ledger)).values())]
    waiting = [one for one in found if one.state_at(moment) == WAITS]
    over = [one for one in found if one.state_at(moment) != WAITS]
    return {
        "title": "Requests",
        "two_persons": await asyncio.to_thread(needs_two_persons, ledger),
        "waiting": [_describe(one, session, moment) for one in waiting],
        "answered": [_describe(one, session, moment) for one in over[:ANSWERED_LISTED]],
        "keys": list(ROTATED_KEYS) if session.role.may(Permission.ADMINISTER) else [],
    }


def _describe(one: ActRequest, session: Session, moment: str) -> Data:
    may = session.role.may(ACTS[one.act])
    return {
        **one.as_json(moment),
        "says": describe_request(one),
        "may_confirm": may and session.account != one.by,
        "may_deny": may,
        "own": session.account == one.by,
        "gives_password": one.act == CREATE_ACCOUNT or "reset_password" in one.asks.get("fields", {}),
    }


add_page(router, "/floor/requests", "floor/requests.html", requests)
