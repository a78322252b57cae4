"""Finished rounds, meters, slips, significant events and the heads of the ledger's chains."""

import asyncio
from typing import Annotated, Any

from fastapi import Query, Request
from starlette.responses import Response

from feltlab.pit import history
from feltlab.pit.expectation import ALARM_BAND_PERCENT
from feltlab.pit.live_table import LiveTable
from feltlab.pit.players.solo import first_round
from feltlab.pit.roles import Permission
from feltlab.server.models import MAX_JSON_INT
from feltlab.server.responses import json_response
from feltlab.server.routing import Anyone, Last, Name, Number, Reader, TheAuth, ThePit, new_router
from feltlab.server.table_access import check_round_access, find_table

router = new_router()


@router.get("/tables/{name}/meters")
async def show_meters(pit: ThePit, auth: TheAuth, session: Reader, name: Name) -> Response:
    """The drop, handle and win of a table, and the win that the proofs expect."""
    auth.require_any(session, Permission.AUDIT, Permission.SUPERVISE)
    return json_response(_meters_json(pit.table(name)))


def _meters_json(live: LiveTable) -> dict[str, Any]:
    table, read = live.table, live.table.meters
    data: dict[str, Any] = {"table": table.name, "meters": read.to_json(), "opening": table.opening.to_json()}
    data |= {"hold": read.hold, "alarm": table.alarm, "chips": table.chips, "expected": None, "band": None}
    data["why"] = live.why_unexpected
    if live.expectation and live.expectation.digest == table.game.digest:
        expected = live.expectation
        band = expected.band(read, ALARM_BAND_PERCENT)
        data |= {"expected": expected.expected_win(read), "band": band, "why": ""}
    return data


@router.get("/tables/{name}/rounds")
async def list_rounds(
    request: Request, pit: ThePit, session: Reader, name: Name, last: Last = 10
) -> Response:
    """The last finished rounds, the newest first; of a private table those since it was opened."""
    table = find_table(pit, request, name, session).table
    rounds = await asyncio.to_thread(history.list_rounds, pit.ledger, table.name, last)
    first = await asyncio.to_thread(first_round, pit.ledger, table.name) if table.is_private else 0
    return json_response([one for one in rounds if one["round"] >= first])


@router.get("/tables/{name}/rounds/{number}")
async def show_round(request: Request, pit: ThePit, session: Reader, name: Name, number: Number) -> Response:
    """A finished round: wagers, cards, choices, payments, and the whole order once it is revealed."""
    live = pit.table(name)
    await check_round_access(pit, request, live, number, session)
    return json_response(await asyncio.to_thread(history.describe_round, pit.ledger, live.table, number))


@router.get("/tables/{name}/rounds/{number}/receipt")
async def show_receipt(
    request: Request, pit: ThePit, session: Anyone, name: Name, number: Number
) -> Response:
    """A receipt for a finished round: its events, and their path to a signed head of the whole ledger."""
    live = pit.table(name)
    await check_round_access(pit, request, live, number, session)
    return json_response(await asyncio.to_thread(history.write_receipt, pit.heads, name, number))


@router.get("/events")
async def list_events(
    pit: ThePit,
    session: Reader,
    last: Last = 100,
    before: Annotated[int, Query(ge=1, le=MAX_JSON_INT)] = MAX_JSON_INT,
) -> Response:
    """Significant events, the newest first: faults, voids, alarms, openings, refused sign-ins."""
    session.role.check(Permission.AUDIT)
    return json_response(await asyncio.to_thread(history.list_significant_events, pit.ledger, last, before))


@router.get("/ledger/heads")
async def show_heads(pit: ThePit, session: Reader) -> Response:
    """The number and digest of the last event of each chain."""
    session.role.check(Permission.AUDIT)
    heads = (await asyncio.to_thread(pit.ledger.heads)).items()
    return json_response({chain: {"number": number, "digest": digest} for chain, (number, digest) in heads})


@router.get("/slips")
async def list_slips(
    pit: ThePit,
    auth: TheAuth,
    session: Reader,
    table: Annotated[str, Query(max_length=100)] = "",
    last: Last = 100,
) -> Response:
    """The slips of openings and closings, of one table or of all public ones; the last ones of each."""
    auth.require_any(session, Permission.AUDIT, Permission.SUPERVISE)
    tables = [pit.table(table)] if table else pit.public_tables
    slips = [await asyncio.to_thread(history.list_slips, pit.ledger, live, last) for live in tables]
    return json_response([slip for of_table in slips for slip in of_table])
