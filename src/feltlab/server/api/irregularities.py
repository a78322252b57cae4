"""Irregularities: the kinds that can be recorded, corrections of payments, and incidents."""

import asyncio
from typing import Any

from fastapi import Request
from starlette.responses import Response

from feltlab.pit.custody.requests import CORRECT
from feltlab.pit.event_kinds import CARDS_OUT
from feltlab.pit.irregularities.actions import decisions_now
from feltlab.pit.irregularities.incident import load_incident
from feltlab.pit.irregularities.kinds import describe_decision, find_clause, irregularity_kinds
from feltlab.pit.roles import Permission
from feltlab.pit.table import Table
from feltlab.server.api.requests import ask_second_person, correct_as_recorded, find_correction, is_guarded
from feltlab.server.idempotency import bind_key, do_once
from feltlab.server.irregularity_models import CorrectPayment, IrregularityKindAnswer
from feltlab.server.models import TableAnswer
from feltlab.server.responses import json_response
from feltlab.server.routing import (
    Actor,
    IdempotencyKey,
    Name,
    Number,
    Reader,
    TheAuth,
    ThePit,
    new_router,
    table_response,
)

router = new_router()


@router.get("/tables/{name}/irregularities", responses={200: {"model": list[IrregularityKindAnswer]}})
async def list_irregularity_kinds(pit: ThePit, auth: TheAuth, session: Reader, name: Name) -> Response:
    """The kinds of irregularities, the decisions on each, and the clause of this table's game."""
    auth.require_any(session, Permission.AUDIT, Permission.SUPERVISE)
    return json_response(describe_kinds(pit.table(name).table))


def describe_kinds(table: Table) -> list[dict[str, Any]]:
    """The kinds of irregularities as plain data, with the game's clauses and the decisions possible now."""
    game = table.game
    return [
        {
            "kind": kind.name,
            "title": kind.title,
            "counts": kind.counts,
            "decisions": {name: describe_decision(name) for name in kind.decisions},
            "now": list(decisions_now(table, kind.name)) if table.phase in CARDS_OUT else [],
            "reading": kind.reading,
            "drill": kind.drill,
            "clause": find_clause(kind.name, game).number,
            "text": find_clause(kind.name, game).text,
        }
        for kind in irregularity_kinds()
    ]


@router.post("/tables/{name}/corrections", responses={200: {"model": TableAnswer}})
async def correct(
    request: Request,
    pit: ThePit,
    session: Actor,
    name: Name,
    asked: CorrectPayment,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Correct a payment of a finished round: the difference moves between the house and the player."""
    session.role.check(Permission.SUPERVISE)
    live, by = pit.table(name), session.account
    bound = bind_key(by, idempotency_key, name, "corrections", asked.model_dump())
    if not live.table.rehearsal and await is_guarded(pit):
        asks = await find_correction(pit, live, session, asked)
        return await ask_second_person(pit, session, CORRECT, asks, bound)
    repeated = await do_once(pit.ledger, bound, lambda: correct_as_recorded(pit, live, by, asked, bound))
    return table_response(request, live, session, **({"repeated": True} if repeated else {}))


@router.get("/tables/{name}/rounds/{number}/incident")
async def show_incident(pit: ThePit, auth: TheAuth, session: Reader, name: Name, number: Number) -> Response:
    """The irregularities of a finished round, the money that they moved, and the events that record them."""
    auth.require_any(session, Permission.AUDIT, Permission.SUPERVISE)
    table = pit.table(name).table.name
    incident = await asyncio.to_thread(load_incident, pit.ledger, table, number)
    return json_response(incident.as_json())
