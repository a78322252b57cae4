"""Sessions: sign in, play as a guest, sign out; and play money."""

from typing import Any

from fastapi import Request
from starlette.responses import Response

from feltlab.errors import Refused
from feltlab.ledger.event import Draft
from feltlab.pit.accounts import Account, AccountChange, SignInRefused, create_guest
from feltlab.pit.cage import Cage
from feltlab.pit.pit import Pit
from feltlab.pit.players.names import call_player, suggest_names
from feltlab.pit.players.purse import money_at_tables
from feltlab.pit.roles import Forbidden, Permission, Role
from feltlab.server.auth import Auth
from feltlab.server.idempotency import bind_key, do_once
from feltlab.server.models import ChangePassword, SessionAnswer
from feltlab.server.responses import json_response
from feltlab.server.routing import (
    Actor,
    Anyone,
    Finisher,
    IdempotencyKey,
    Reader,
    TheAuth,
    ThePit,
    auth_of,
    new_router,
    pit_of,
)
from feltlab.server.sessions import Session
from feltlab.server.sign_in.factor_proofs import (
    ATTEMPT_COOKIE,
    SIGN_IN,
    ask_factor,
    attempt_subject,
    spend_code,
    spend_passkey,
)
from feltlab.server.sign_in.models import FactorNeeded, SignIn
from feltlab.server.solo_models import ChooseName, NamesAnswer

router = new_router()
NAMES_SUGGESTED = 6


def _session_json(pit: Pit, auth: Auth, session: Session) -> dict[str, Any]:
    return {
        "account": session.account,
        "name": call_player(session.account),
        "role": session.role,
        "acts": sorted(session.role.permissions),
        "balance": pit.cage.balances.get(session.account, 0),
        "at_tables": money_at_tables(pit.tables, session.account),
        "csrf": auth.sessions.csrf(session),
        "ends": session.ends // 1_000_000,
    }


async def start_session(
    request: Request, account: Account, at: int | None = None, status: int = 200
) -> Response:
    """Answer with a new session, in a cookie and in the body; the first visit brings play money."""
    pit, auth = await pit_of(request), await auth_of(request)
    session = auth.sessions.issue(account, at)
    if account.role.may(Permission.PLAY):
        await pit.give(lambda cage: cage.plan_welcome(account.name))
    data = _session_json(pit, auth, session) | {"session": auth.sessions.sign(session)}
    response = json_response(data, status)
    auth.set_session(response, request, session)
    return response


async def record_change(pit: Pit, change: AccountChange) -> None:
    """Write what is left of a change of an account to the ledger, and have its head signed."""
    if change.drafts:
        await pit.note(*change.drafts)
    pit.heads.wake()


@router.post(
    "/session/guest", status_code=201, responses={status: {"model": SessionAnswer} for status in (200, 201)}
)
async def new_guest(request: Request, pit: ThePit, auth: TheAuth) -> Response:
    """Play as a guest with $1,000 of play money; a client that has a session keeps it."""
    session = auth.find_reader(request)
    if session is not None:
        return json_response(_session_json(pit, auth, session))
    auth.admit_guest(request)
    return await start_session(request, create_guest(), status=201)


@router.get("/names", responses={200: {"model": NamesAnswer}})
async def list_names(_: Anyone) -> Response:
    """Some names that a guest can choose from."""
    return json_response({"names": suggest_names(NAMES_SUGGESTED)})


@router.post("/session/name", responses={200: {"model": SessionAnswer}})
async def choose_name(
    request: Request, pit: ThePit, auth: TheAuth, session: Actor, asked: ChooseName
) -> Response:
    """Be called otherwise, as a guest without a seat: a new session whose account takes the balance over.

    The session of the former name ends.
    """
    if session.role is not Role.GUEST:
        raise Forbidden("Only a guest chooses another name; an account keeps its name.")
    auth.admit_guest(request)
    guest, ended = create_guest(asked.name), auth.sessions.draft_end(session)

    def rename(cage: Cage) -> tuple[Draft, ...]:
        if _has_seat(pit, session.account):
            raise Refused("Leave your seats first; they are held under your present name.")
        return (*cage.plan_rename(session.account, guest.name), ended)

    await pit.give(rename)
    auth.sessions.follow([ended])
    return await start_session(request, guest)


def _has_seat(pit: Pit, account: str) -> bool:
    places = (place for live in pit.tables.values() for place in live.table.places)
    return any(place and place.player == account for place in places)


@router.post("/session", responses={200: {"model": SessionAnswer}, 428: {"model": FactorNeeded}})
async def sign_in(request: Request, pit: ThePit, auth: TheAuth, asked: SignIn) -> Response:
    """Sign in with a name and a password, and with a code or a passkey if the account has a second factor."""
    begun = auth.begin_sign_in(request, asked.name.lower())
    try:
        change = await auth.hash_in_thread(pit.accounts.sign_in, asked.name, asked.password)
    except SignInRefused as refused:
        await pit.note(*refused.drafts)
        raise
    name = change.account.name
    if auth.factors.has(name):
        if not (asked.code or asked.passkey):
            begun.take_back()
            return ask_factor(request, auth, name)
        await _spend_factor(request, pit, auth, name, asked)
    await record_change(pit, change)
    response = await start_session(request, change.account, change.at)
    begun.succeed(response)
    return response


async def _spend_factor(request: Request, pit: Pit, auth: Auth, name: str, asked: SignIn) -> None:
    if asked.passkey:
        subject = attempt_subject(name, request.cookies.get(ATTEMPT_COOKIE, ""))
        await spend_passkey(request, pit, auth, name, asked.passkey, SIGN_IN, subject)
    else:
        await spend_code(pit, auth, name, asked.code or "")


@router.get("/session", responses={200: {"model": SessionAnswer}})
async def show_session(pit: ThePit, auth: TheAuth, session: Reader) -> Response:
    """My account, role, permissions and balance, and the token that a page sends with changes."""
    return json_response(_session_json(pit, auth, session))


@router.delete("/session")
async def sign_out(request: Request, pit: ThePit, auth: TheAuth, session: Finisher) -> Response:
    """Sign out: the session ends here, also for whoever has a copy of it."""
    ended = auth.sessions.draft_end(session)
    await pit.note(ended)
    auth.sessions.follow([ended])
    response = json_response({"account": session.account})
    auth.clear_session(response, request)
    return response


@router.post("/session/password", responses={200: {"model": SessionAnswer}})
async def change_password(
    request: Request, pit: ThePit, auth: TheAuth, session: Actor, asked: ChangePassword
) -> Response:
    """Change the password of my account; its other sessions end."""
    if session.role is Role.GUEST:
        raise Forbidden("A guest has no password.")
    begun = auth.begin_sign_in(request, session.account)
    change_it = pit.accounts.change_password
    try:
        change = await auth.hash_in_thread(change_it, session.account, asked.old, asked.new)
    except SignInRefused as refused:
        await pit.note(*refused.drafts)
        raise Forbidden(str(refused)) from None
    await record_change(pit, change)
    response = await start_session(request, change.account, change.at)
    begun.succeed(response)
    return response


@router.post("/refill", responses={200: {"model": SessionAnswer}})
async def refill(
    request: Request,
    pit: ThePit,
    auth: TheAuth,
    session: Finisher,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Get new play money, if I have little left."""
    session.role.check(Permission.PLAY)
    key = bind_key(session.account, idempotency_key, "refill")

    async def give() -> None:
        auth.check_room(request, session)
        async with pit.books.player_lock(session.account):
            await pit.give(lambda cage: cage.plan_refill(session.account), key)

    repeated = await do_once(pit.ledger, key, give)
    return json_response(_session_json(pit, auth, session) | ({"repeated": True} if repeated else {}))
