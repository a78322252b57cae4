"""The coach at a table: the value of each open choice, for the player whose turn it is.

The solver runs in a worker process, which receives only the cards that the player sees.
"""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from feltlab.core.round import Round
from feltlab.errors import Refused
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Forbidden
from feltlab.pit.seats import Phase
from feltlab.pit.table import Table
from feltlab.server.auth import Auth
from feltlab.server.responses import json_response
from feltlab.web.page import per_app
from feltlab.workers.coach import Coach

router = APIRouter()


@router.get("/api/tables/{name}/advice")
async def advice(request: Request, name: str, seat: Annotated[int, Query(ge=1, le=99)]) -> Response:
    """The value in cents of each choice that is open to my seat, best first; only while it is my turn."""
    pit: Pit = request.app.state.pit
    auth: Auth = request.app.state.auth
    session = auth.require_reader(request)
    table = pit.table(name).table
    round = round_of(table, session.account, seat - 1)
    coach = per_app(request.app, "coach", Coach)
    return json_response({"round": table.round, **await coach.ask(round)})


def round_of(table: Table, account: str, seat: int) -> Round:
    """The round of the seat whose turn it is; refuses everybody but its player."""
    place = table.places[seat] if seat < len(table.places) else None
    if place is None or place.player != account:
        raise Forbidden(f"Seat {seat + 1} is not yours.")
    if table.phase != Phase.CHOOSING or table.turn != seat:
        raise Refused("You have no choice to make now.")
    return table.rounds[seat]
