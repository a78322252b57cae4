"""Private tables: open one of my own, invite others, say something polite, and learn of seats given up."""

from urllib.parse import quote

from fastapi import Request
from starlette.responses import Response

from feltlab.errors import Refused
from feltlab.games.offers import game_from_words
from feltlab.pit.pit import PUBLIC_TIMERS, Pit
from feltlab.pit.players.invitations import new_salt
from feltlab.pit.players.solo import find_own_table
from feltlab.pit.roles import Forbidden, Permission
from feltlab.server.actions import say_phrase
from feltlab.server.auth import address_of
from feltlab.server.idempotency import bind_key, do_once, was_done
from feltlab.server.responses import json_response
from feltlab.server.routing import (
    Actor,
    Finisher,
    IdempotencyKey,
    Name,
    Reader,
    TheAuth,
    ThePit,
    new_router,
    table_response,
)
from feltlab.server.shuffler_models import StaffTableAnswer
from feltlab.server.solo_models import DepartureAnswer, InvitationAnswer, OpenSolo, Say
from feltlab.server.table_access import INVITE, find_table

router = new_router()


@router.post(
    "/solo", status_code=201, responses={status: {"model": StaffTableAnswer} for status in (200, 201)}
)
async def open_solo(
    request: Request,
    pit: ThePit,
    auth: TheAuth,
    session: Finisher,
    asked: OpenSolo,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Sit down at a private table of my own, which opens at once; I am led back to one that I have already.

    A game under options or pays that no approval covers is dealt at a practice table.
    """
    session.role.check(Permission.PLAY)
    game = game_from_words(asked.game, asked.options, asked.pays)
    before = find_own_table(pit.tables.values(), session.account, game)
    if before is None:
        auth.allowance.tables.admit(address_of(request))
    key = bind_key(session.account, idempotency_key, "solo", asked.model_dump())

    async def open_it() -> None:
        auth.check_room(request, session)
        await pit.jackpots.admit_private(await pit.open_solo(session.account, game, key))

    repeated = await was_done(pit.ledger, key) or await do_once(pit.ledger, key, open_it)
    live = find_own_table(pit.tables.values(), session.account, game)
    if live is None:
        raise Refused("Your table was closed meanwhile; ask for another one.")
    live.note_action(session.account)
    more = {"repeated": True} if repeated else {}
    return table_response(request, live, session, 200 if before or repeated else 201, **more)


@router.post("/tables/{name}/invite", responses={200: {"model": InvitationAnswer}})
async def invite(request: Request, pit: ThePit, session: Actor, name: Name) -> Response:
    """Share my private table: the link by which others see it and sit at it, the same until it closes."""
    live = find_table(pit, request, name, session)
    if live.table.owner != session.account:
        raise Forbidden("Only the owner of a private table invites others to it.")
    await live.act(lambda table: table.share(session.account, new_salt(), PUBLIC_TIMERS))
    return json_response({"table": name, "link": _link(pit, name)})


def _link(pit: Pit, name: str) -> str:
    return f"/tables/{quote(name)}?{INVITE}={pit.invitations.code(pit.table(name).table)}"


@router.post("/tables/{name}/say", responses={200: {"model": StaffTableAnswer}})
async def say(
    request: Request, pit: ThePit, auth: TheAuth, session: Actor, name: Name, asked: Say
) -> Response:
    """Say one of the polite phrases of this house; it is shown at my seat for some seconds."""
    live = find_table(pit, request, name, session)
    say_phrase(live, auth, session, asked)
    return table_response(request, live, session)


@router.get("/departures", responses={200: {"model": list[DepartureAnswer]}})
async def list_departures(pit: ThePit, session: Reader) -> Response:
    """My seats that were given up within a day, the newest first; none once I have taken a seat again."""
    return json_response(describe_departures(pit, session.account))


def describe_departures(pit: Pit, account: str) -> list[dict[str, object]]:
    """The seats of an account that were given up, as plain data with a sentence for each."""
    departures = pit.books.departures.of(account)
    found = [(one, pit.tables[one.table].table) for one in departures if one.table in pit.tables]
    return [
        {
            "id": one.id,
            "table": one.table,
            "game": table.game.name,
            "seat": one.seat,
            "cents": one.cents,
            "why": one.why,
            "said": one.describe(table.game.title),
        }
        for one, table in found
    ]
