"""Requests that wait for a second person, the answers to them, and keys that change."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from pydantic import BaseModel
from starlette.responses import Response

from feltlab.errors import Refused
from feltlab.ledger.event import Draft, Entry, Key, now
from feltlab.pit.custody.confirmed_acts import (
    hold_for_request,
    release_for_denial,
    stamp_request,
    voids_seen_cards,
)
from feltlab.pit.custody.keys import KeyRing, check_key_name
from feltlab.pit.custody.requests import (
    ACTS,
    CHANGE_ACCOUNT,
    CORRECT,
    CREATE_ACCOUNT,
    ROTATE,
    VOID,
    ActRequest,
    find_request,
    load_requests,
    needs_two_persons,
    plan_answer,
    plan_refusal,
    plan_request,
)
from feltlab.pit.irregularities.corrections import correct_payment, load_payment
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Permission, Role
from feltlab.pit.table import Table
from feltlab.server.actions import ACTIONS, build_change
from feltlab.server.api.account_changes import change_account, create_account, generate_password
from feltlab.server.auth import Auth
from feltlab.server.idempotency import bind_key, do_once
from feltlab.server.irregularity_models import CorrectPayment
from feltlab.server.models import RequestModel, Text
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, IdempotencyKey, Name, Number, Reader, TheAuth, ThePit, new_router
from feltlab.server.sessions import Session

router = new_router()
ANSWERING = tuple(dict.fromkeys(ACTS.values()))  # permissions of which an answer needs at least one


class DenyRequest(RequestModel):
    why: Text


class RequestAnswer(BaseModel):
    """An act that somebody asked for, and the answer to it."""

    number: int
    act: str
    by: str
    at: str
    until: str
    asks: dict[str, Any]
    state: str
    answered_by: str
    why: str
    password: str | None = None  # of a new account, shown once


class WaitingAnswer(BaseModel):
    request: RequestAnswer
    waits: str


class KeyAnswer(BaseModel):
    key: str
    by: str


Effect = Callable[[Pit, Auth, ActRequest, Draft], Awaitable[dict[str, str]]]  # what is shown once


async def is_guarded(pit: Pit) -> bool:
    """Whether the house has two persons for acts that can hurt."""
    return await asyncio.to_thread(needs_two_persons, pit.ledger)


# -- Ask --------------------------------------------------------------------------------------------


async def ask_second_person(
    pit: Pit,
    session: Session,
    act: str,
    asks: Mapping[str, Any],
    key: Key | None = None,
    hold: Callable[[Draft], Awaitable[object]] | None = None,
) -> Response:
    """Record a request instead of its act; the answer says that it waits.

    `hold` writes a request that holds a round.
    """

    async def ask() -> None:
        draft = await asyncio.to_thread(plan_request, pit.ledger, act, session.account, asks)
        await (hold(draft) if hold else pit.ledger.append(Entry((draft,), key=key)))
        pit.heads.wake()

    await do_once(pit.ledger, key, ask)
    made = await asyncio.to_thread(_find_newest, pit, act, session.account, asks)
    sentence = f"Request {made.number} waits for a second person until {made.until[11:16]} UTC."
    if act == CREATE_ACCOUNT:
        sentence += " Whoever confirms it is shown a new password; the one that you sent is not kept."
    return json_response({"request": made.as_json(now()), "waits": sentence}, 202)


def _find_newest(pit: Pit, act: str, by: str, asks: Mapping[str, Any]) -> ActRequest:
    same = (
        one for one in load_requests(pit.ledger).values() if (one.act, one.by, one.asks) == (act, by, asks)
    )
    return max(same, key=lambda one: one.number)


async def find_guarded_void(
    pit: Pit, live: LiveTable, session: Session, action: str, asked: RequestModel
) -> dict[str, Any] | None:
    """The request for an act at a table that needs two persons; None for any other act.

    An act that is not possible is refused here, before it is asked for.
    """
    if action not in ("void", "irregularity") or not await is_guarded(pit):
        return None
    session.role.check(Permission.SUPERVISE)
    after = build_change(action, session.account, asked)(live.table)
    if not voids_seen_cards(live.table, after):
        return None
    fields = asked.model_dump(exclude_none=True) | {"round": live.table.round}
    return {"table": live.table.name, "round": live.table.round, "action": action, "fields": fields}


async def ask_void(
    pit: Pit, live: LiveTable, session: Session, asks: dict[str, Any], key: Key | None
) -> Response:
    """Ask for a void of the round in play, and hold the round meanwhile, if it was not held before."""
    action = ACTIONS[asks["action"]]
    change = build_change(asks["action"], session.account, action.model(**asks["fields"]))

    def hold(table: Table, draft: Draft) -> Table:
        change(table)  # refuses what is not possible any more
        return hold_for_request(table, draft)

    def write(draft: Draft) -> Awaitable[Table]:
        return live.act(lambda table: hold(table, draft), key)

    return await ask_second_person(pit, session, VOID, asks, key, write)


async def find_correction(
    pit: Pit, live: LiveTable, session: Session, asked: CorrectPayment
) -> dict[str, Any]:
    """The request for a correction; one that is not possible is refused here, before it is asked for."""
    where = (live.table.name, asked.round, asked.seat - 1, asked.spot)
    wrong = await asyncio.to_thread(load_payment, pit.ledger, *where)
    correct_payment(live.table, session.account, wrong, asked.paid, asked.due, asked.reason)
    return {"table": live.table.name, "round": asked.round, "fields": asked.model_dump()}


# -- Answer -----------------------------------------------------------------------------------------


@router.get("/requests", responses={200: {"model": list[RequestAnswer]}})
async def list_requests(pit: ThePit, auth: TheAuth, session: Reader) -> Response:
    """All requests for acts that need two persons, the newest first."""
    auth.require_any(session, Permission.SUPERVISE, Permission.AUDIT, Permission.ADMINISTER)
    found, moment = await asyncio.to_thread(load_requests, pit.ledger), now()
    return json_response([one.as_json(moment) for one in reversed(found.values())])


@router.post("/requests/{number}/confirm", responses={200: {"model": RequestAnswer}})
async def confirm(pit: ThePit, auth: TheAuth, session: Actor, number: Number) -> Response:
    """Confirm a request of somebody else: it is done now, in the name of both."""
    auth.require_any(session, *ANSWERING)
    request = await asyncio.to_thread(find_request, pit.ledger, number)
    confirmed = plan_answer(request, session.account, session.role)
    await _check_first_person(pit, request)
    secrets = await EFFECTS[request.act](pit, auth, request, confirmed)
    return await _show(pit, number, **secrets)


@asynccontextmanager
async def confirm_first(pit: Pit, confirmed: Draft) -> AsyncIterator[None]:
    """Record a confirmation before an act that is an entry of its own, and the reason if that is refused."""
    await pit.note(confirmed)
    try:
        yield
    except Refused as refused:
        await pit.note(plan_refusal(confirmed, str(refused)))
        raise


@router.post("/requests/{number}/deny", responses={200: {"model": RequestAnswer}})
async def deny(pit: ThePit, auth: TheAuth, session: Actor, number: Number, asked: DenyRequest) -> Response:
    """Deny a request, or take one's own back, with a reason."""
    auth.require_any(session, *ANSWERING)
    request = await asyncio.to_thread(find_request, pit.ledger, number)
    denied = plan_answer(request, session.account, session.role, asked.why)
    if request.act == VOID:
        await pit.table(request.asks["table"]).act(lambda table: release_for_denial(table, denied))
    else:
        await pit.note(denied)
    return await _show(pit, number)


async def _show(pit: Pit, number: int, **secrets: str) -> Response:
    request = await asyncio.to_thread(find_request, pit.ledger, number)
    return json_response(request.as_json(now()) | secrets)


async def _check_first_person(pit: Pit, request: ActRequest) -> None:
    """Refuse to act for somebody who may not do it any more."""
    account = await asyncio.to_thread(pit.accounts.__getitem__, request.by)
    role = Role.GUEST if account.disabled else account.role
    role.check(ACTS[request.act])


# -- Effects ----------------------------------------------------------------------------------------


async def _void(pit: Pit, auth: Auth, request: ActRequest, confirmed: Draft) -> dict[str, str]:
    asks = request.asks
    asked = ACTIONS[asks["action"]].model(**asks["fields"])
    change = build_change(asks["action"], request.by, asked)
    await pit.table(asks["table"]).act(lambda table: stamp_request(change(table), request, confirmed))
    return {}


async def _correct(pit: Pit, auth: Auth, request: ActRequest, confirmed: Draft) -> dict[str, str]:
    asked = CorrectPayment(**request.asks["fields"])

    def stamp(table: Table) -> Table:
        return stamp_request(table, request, confirmed)

    await correct_as_recorded(pit, pit.table(request.asks["table"]), request.by, asked, None, stamp)
    return {}


async def correct_as_recorded(
    pit: Pit,
    live: LiveTable,
    by: str,
    asked: CorrectPayment,
    key: Key | None,
    stamp: Callable[[Table], Table] = lambda table: table,
) -> None:
    """Correct a payment as it is on record; nobody else corrects one between the reading and the writing."""
    async with pit.correcting:
        where = (live.table.name, asked.round, asked.seat - 1, asked.spot)
        wrong = await asyncio.to_thread(load_payment, pit.ledger, *where)
        amounts = (asked.paid, asked.due, asked.reason)
        await live.act(
            lambda table: stamp(correct_payment(table, by, wrong, *amounts)), key, is_repeatable=False
        )


async def _rotate(pit: Pit, auth: Auth, request: ActRequest, confirmed: Draft) -> dict[str, str]:
    ring = find_key_ring(pit, auth)
    async with confirm_first(pit, confirmed):
        await asyncio.to_thread(ring.rotate, request.asks["key"], request.by, request.number)
    return {}


async def _create_account(pit: Pit, auth: Auth, request: ActRequest, confirmed: Draft) -> dict[str, str]:
    """The account gets a new password, which the second person hands over; its holder changes it."""
    name, role, password = request.asks["account"], Role.parse(request.asks["role"]), generate_password()
    async with confirm_first(pit, confirmed):
        await create_account(pit, auth, name, password, role, request.by)
    return {"password": password}


async def _change_account(pit: Pit, auth: Auth, request: ActRequest, confirmed: Draft) -> dict[str, str]:
    asks = request.asks
    async with confirm_first(pit, confirmed):
        password = await change_account(pit, auth, asks["account"], asks["fields"], request.by)
    return {"password": password} if password else {}


EFFECTS: dict[str, Effect] = {
    VOID: _void,
    CORRECT: _correct,
    ROTATE: _rotate,
    CREATE_ACCOUNT: _create_account,
    CHANGE_ACCOUNT: _change_account,
}


# -- Keys -------------------------------------------------------------------------------------------


def find_key_ring(pit: Pit, auth: Auth) -> KeyRing:
    return KeyRing(pit.ledger, pit.books.vault, pit.heads, auth.sessions.rotate_key)


@router.post("/keys/{name}/rotate", responses={200: {"model": KeyAnswer}, 202: {"model": WaitingAnswer}})
async def rotate_key(
    pit: ThePit, auth: TheAuth, session: Actor, name: Name, idempotency_key: IdempotencyKey = None
) -> Response:
    """Change a key of the pit: of the vault, of the signed heads or of the sessions."""
    session.role.check(Permission.ADMINISTER)
    key = check_key_name(name)
    bound = bind_key(session.account, idempotency_key, "keys", key)
    if await is_guarded(pit):
        return await ask_second_person(pit, session, ROTATE, {"key": key}, bound)
    await asyncio.to_thread(find_key_ring(pit, auth).rotate, key, session.account)
    return json_response({"key": key, "by": session.account})
