"""Who may see a table: everybody a public one; a private one its players, its guests and the floor."""

import asyncio
from typing import Any

from starlette.requests import HTTPConnection

from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit
from feltlab.pit.players.solo import first_round, has_played, may_see
from feltlab.pit.roles import Forbidden
from feltlab.pit.seats import Phase
from feltlab.server.sessions import Session

INVITE = "invite"  # the parameter of an address that carries the code of an invitation
PRIVATE = "This table is private; its owner can invite you with a link."


def find_table(pit: Pit, request: HTTPConnection, name: str, session: Session | None) -> LiveTable:
    """The table of a request, if its sender may see it; a player who asks for it is present."""
    live = pit.table(name)
    check_access(pit, live, session, request.query_params.get(INVITE, ""))
    if session and any(place and place.player == session.account for place in live.table.places):
        live.note_request(session.account)
    return live


def check_access(pit: Pit, live: LiveTable, session: Session | None, code: str = "") -> None:
    """Refuse whoever may not see a table; an account that shows the right code is a guest from then on."""
    account, role = (session.account, session.role) if session else ("", None)
    if may_see(live, account, role):
        return
    if not (code and pit.invitations.admits(live.table, code)):
        raise Forbidden(PRIVATE)
    if account:
        live.invited.add(account)


async def check_round_access(
    pit: Pit, request: HTTPConnection, live: LiveTable, round: int, session: Session | None
) -> None:
    """Refuse whoever may not see a round of a private table: its players may at any time, the table's
    present players and guests from the round on with which it was opened."""
    if not live.table.is_private or (session and session.role.is_staff):
        return
    name = live.table.name
    if session is not None:
        accounts = (session.account, *pit.books.former_names.list_former(session.account))
        played = await asyncio.to_thread(has_played, pit.ledger, name, round, accounts)
        if played:
            return
    check_access(pit, live, session, request.query_params.get(INVITE, ""))
    if round < await asyncio.to_thread(first_round, pit.ledger, name):
        raise Forbidden(PRIVATE)


def list_tables(pit: Pit, session: Session | None) -> list[LiveTable]:
    """The tables that a visitor is shown: public ones, and private ones that are open and may be seen."""
    account, role = (session.account, session.role) if session else ("", None)
    return [
        live
        for live in pit.tables.values()
        if not live.table.is_private or (live.table.phase != Phase.CLOSED and may_see(live, account, role))
    ]


def describe_departure(live: LiveTable, account: str) -> dict[str, Any]:
    """The field of a view that says why the viewer's seat was given up; '' while there is no such seat."""
    if any(place and place.player == account for place in live.table.places):
        return {"departed": ""}
    gone = (one for one in live.books.departures.of(account) if one.table == live.table.name)
    return {"departed": next((one.describe(live.table.game.title) for one in gone), "")}
