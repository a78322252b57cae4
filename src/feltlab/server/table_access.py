"""Access to tables: everybody sees a public one; its players, its guests and the floor see a private one."""

import asyncio
from typing import Any

from starlette.requests import HTTPConnection

from feltlab.ledger.sharing.leases import Elsewhere
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit
from feltlab.pit.players.solo import first_round, has_played, may_see
from feltlab.pit.roles import Forbidden
from feltlab.pit.seats import Phase
from feltlab.server.auth import address_of
from feltlab.server.sessions import Session

INVITE = "invite"  # the parameter of an address that carries the code of an invitation
PRIVATE = "This table is private; its owner can invite you with a link."
PRIVATE_ROUND = (
    "It was played at a private table: only its players, guests of that table and the floor see it."
)


class Private(Forbidden):
    """A refusal of something that belongs to other players; the title says what."""

    title = "This table is private"


class PrivateRound(Private):
    title = "This is another player's private round"


def find_table(pit: Pit, request: HTTPConnection, name: str, session: Session | None) -> LiveTable:
    """The table of a request, if its sender may see it; a player who asks for it is present."""
    live = pit.table(name)
    if not live.is_ours:
        raise Elsewhere(name)
    check_access(pit, live, session, request.query_params.get(INVITE, ""))
    if session and has_seat(live, session.account):
        live.note_request(session.account)
    return live


def check_access(pit: Pit, live: LiveTable, session: Session | None, code: str = "") -> None:
    """Refuse whoever may not see a table; an account that shows the right code is a guest from then on."""
    account, role = (session.account, session.role) if session else ("", None)
    if may_see(live, account, role):
        return
    if not (code and pit.invitations.admits(live.table, code)):
        raise Private(PRIVATE)
    if account:
        live.invited.add(account)


async def check_round_access(
    pit: Pit, request: HTTPConnection, live: LiveTable, round: int, session: Session | None
) -> None:
    """Refuse whoever may not see a round of a private table: its players may at any time, the table's
    present players and guests from the round on with which it was opened.

    Visitors without a session read few rounds, by their address."""
    if session is None:
        request.app.state.auth.allowance.rounds.admit(address_of(request))
    if not live.table.is_private or (session and session.role.sees_floor):
        return
    name = live.table.name
    if session is not None:
        accounts = (session.account, *pit.books.former_names.list_former(session.account))
        played = await asyncio.to_thread(has_played, pit.ledger, name, round, accounts)
        if played:
            return
    try:
        check_access(pit, live, session, request.query_params.get(INVITE, ""))
    except Private:
        raise PrivateRound(PRIVATE_ROUND) from None
    if round < await asyncio.to_thread(first_round, pit.ledger, name):
        raise PrivateRound(PRIVATE_ROUND)


def list_tables(pit: Pit, session: Session | None) -> list[LiveTable]:
    """The tables that a visitor is shown: public ones, and private ones that are open and may be seen."""
    account, role = (session.account, session.role) if session else ("", None)
    return [
        live
        for live in pit.tables.values()
        if not live.table.is_private or (live.table.phase != Phase.CLOSED and may_see(live, account, role))
    ]


def has_seat(live: LiveTable, account: str) -> bool:
    return any(place and place.player == account for place in live.table.places)


def describe_viewer(live: LiveTable, account: str) -> dict[str, Any]:
    """The fields of a view about its viewer alone: why a seat was given up, and a limit that stops the play.

    Each is '' where there is nothing to say.
    """
    if not has_seat(live, account):
        gone = (one for one in live.books.departures.of(account) if one.table == live.table.name)
        return {"departed": next((one.describe(live.table.game.title) for one in gone), ""), "limit": ""}
    limit = live.taken_back.get(account) or live.books.describe_limit(account)
    return {"departed": "", "limit": limit}
