"""The pit's interface for programs: HTTP and WebSocket under /api.

What a client is told of a table comes from `view`, and of rounds that are over from the ledger. Nothing
else here looks at cards.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Header, Path, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from feltlab import __version__
from feltlab.core.game import Game
from feltlab.core.limits import Limits
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.offers import game_from_words
from feltlab.ledger.ledger import LedgerDown
from feltlab.pit import history
from feltlab.pit.accounts import Account, AccountChange, SignInRefused, guest
from feltlab.pit.approvals import Approval
from feltlab.pit.expectation import ALARM_BAND_PERCENT
from feltlab.pit.live_table import LiveTable, TableChange
from feltlab.pit.pit import Pit, today
from feltlab.pit.roles import Forbidden, Permission, Role
from feltlab.pit.seats import Timers
from feltlab.pit.table import Table
from feltlab.pit.view import layout, summary
from feltlab.server import api_docs as reference
from feltlab.server import models as ask
from feltlab.server.actions import Views, act, check_round, key_of, once
from feltlab.server.auth import Allowance, Door, Guard, address_of
from feltlab.server.responses import PROBLEMS, SessionAnswer, TableAnswer, answer, of_http, refusal
from feltlab.server.sessions import Session, Sessions
from feltlab.server.websocket import attend

DESCRIPTION = (
    "Every answer is JSON; what was not done is answered by one sentence under 'error'. A session comes"
    " with a cookie, and then acts need the header X-CSRF-Token; or in the header Authorization: Bearer."
    " Amounts are cents, seats are numbered from 1. A WebSocket at /api/tables/{name}/live sends the table"
    " whenever it changes and takes the acts of a player as messages."
)

# -- Requests ---------------------------------------------------------------------------------------


class StrictRequest(Request):
    """Reads JSON as the WebSocket does."""

    async def json(self) -> Any:
        try:
            return ask.parsed(await self.body())
        except ask.Malformed as malformed:
            raise HTTPException(422, str(malformed)) from None


class StrictRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            if self.body_field is not None:
                _check_json(request.headers.get("content-type", ""))
            return await handle(StrictRequest(request.scope, request.receive))

        return strictly


def _check_json(given: str) -> None:
    if given.partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "A request's body must be JSON, with Content-Type: application/json.")


router = APIRouter(prefix="/api", route_class=StrictRoute)


async def _pit(request: Request) -> Pit:
    pit: Pit = request.app.state.pit
    return pit


async def _door(request: Request) -> Door:
    door: Door = request.app.state.door
    return door


async def _anyone(request: Request) -> Session | None:
    return (await _door(request)).anyone(request)


async def _reader(request: Request) -> Session:
    return (await _door(request)).reader(request)


async def _actor(request: Request) -> Session:
    return (await _door(request)).actor(request)


ThePit = Annotated[Pit, Depends(_pit)]
TheDoor = Annotated[Door, Depends(_door)]
Anyone = Annotated[Session | None, Depends(_anyone)]
Reader = Annotated[Session, Depends(_reader)]
Actor = Annotated[Session, Depends(_actor)]
Name = Annotated[str, Path(max_length=100)]
Number = Annotated[int, Path(ge=1, le=ask.MOST)]
Last = Annotated[int, Query(ge=1, le=1000)]
IdempotencyKey = Annotated[str | None, Header(min_length=1, max_length=200, pattern=r"^[!-~]+$")]

SEEN: dict[int | str, dict[str, Any]] = {200: {"model": TableAnswer}}

# -- Sessions ---------------------------------------------------------------------------------------


def _told(pit: Pit, door: Door, session: Session) -> dict[str, Any]:
    return {
        "account": session.account,
        "role": session.role,
        "acts": sorted(session.role.permissions),
        "balance": pit.cage.balances.get(session.account, 0),
        "csrf": door.sessions.csrf(session),
        "ends": session.ends // 1_000_000,
    }


async def _let_in(request: Request, account: Account, at: int | None = None, status: int = 200) -> Response:
    """A new session, in a cookie and in the answer; with play money at the first visit."""
    pit, door = await _pit(request), await _door(request)
    session = door.sessions.issue(account, at)
    if account.role.may(Permission.PLAY):
        await pit.give(lambda cage: cage.plan_welcome(account.name))
    response = answer(_told(pit, door, session) | {"session": door.sessions.sign(session)}, status)
    door.let_in(response, request, session)
    return response


@router.post(
    "/session/guest", status_code=201, responses={status: {"model": SessionAnswer} for status in (200, 201)}
)
async def new_guest(request: Request, pit: ThePit, door: TheDoor) -> Response:
    """Play as a guest, with $1,000 of play money; who has a session already keeps it."""
    known = door.anyone(request)
    if known is not None:
        return answer(_told(pit, door, known))
    door.allowance.guests.admit(address_of(request))
    return await _let_in(request, guest(), status=201)


@router.post("/session", responses={200: {"model": SessionAnswer}})
async def sign_in(request: Request, pit: ThePit, door: TheDoor, asked: ask.SignIn) -> Response:
    """Sign in with a name and a password."""
    door.allowance.sign_ins.admit(f"from {address_of(request)}")
    door.allowance.sign_ins.admit(f"as {asked.name.lower()}")
    try:
        change = await door.slowly(pit.accounts.sign_in, asked.name, asked.password)
    except SignInRefused as refused:
        await pit.note(*refused.drafts)
        raise
    await _note(pit, change)
    return await _let_in(request, change.account, change.at)


@router.get("/session", responses={200: {"model": SessionAnswer}})
async def who_am_i(pit: ThePit, door: TheDoor, session: Reader) -> Response:
    """Who I am, what I may do, my balance, and the token for acts of a page."""
    return answer(_told(pit, door, session))


@router.delete("/session")
async def sign_out(request: Request, door: TheDoor, session: Actor) -> Response:
    """Sign out: the browser forgets the session."""
    response = answer({"account": session.account})
    door.let_out(response, request)
    return response


@router.post("/session/password", responses={200: {"model": SessionAnswer}})
async def change_password(
    request: Request, pit: ThePit, door: TheDoor, session: Actor, asked: ask.ChangePassword
) -> Response:
    """Another password for my account; its other sessions end."""
    if session.role is Role.GUEST:
        raise Forbidden("A guest has no password.")
    door.allowance.sign_ins.admit(f"as {session.account}")
    try:
        change = await door.slowly(pit.accounts.change_password, session.account, asked.old, asked.new)
    except SignInRefused as refused:
        await pit.note(*refused.drafts)
        raise Forbidden(str(refused)) from None
    await _note(pit, change)
    return await _let_in(request, change.account, change.at)


@router.post("/refill", responses={200: {"model": SessionAnswer}})
async def refill(
    pit: ThePit, door: TheDoor, session: Actor, idempotency_key: IdempotencyKey = None
) -> Response:
    """Play money again, for who has little left."""
    session.role.check(Permission.PLAY)
    key = key_of(session.account, idempotency_key, "refill")

    async def refilled() -> None:
        await pit.give(lambda cage: cage.plan_refill(session.account), key)

    repeated = await once(pit.ledger, key, refilled)
    return answer(_told(pit, door, session) | ({"repeated": True} if repeated else {}))


# -- Accounts ---------------------------------------------------------------------------------------


def _account(account: Account) -> dict[str, Any]:
    return asdict(account)


async def _note(pit: Pit, change: AccountChange) -> None:
    if change.drafts:
        await pit.note(*change.drafts)


@router.post("/accounts", status_code=201)
async def register(request: Request, pit: ThePit, door: TheDoor, asked: ask.Register) -> Response:
    """Players make their own account and are signed in; administrators make any."""
    visitor = door.anyone(request)
    role = Role.parse(asked.role)
    if visitor and visitor.role.may(Permission.ADMINISTER):
        door.actor(request)
        change = await _created(pit, door, asked, role, visitor.account)
        return answer(_account(change.account), 201)
    if role is not Role.PLAYER:
        raise Forbidden("Only an administrator makes accounts of staff.")
    door.allowance.guests.admit(address_of(request))
    change = await _created(pit, door, asked, role, "")
    return await _let_in(request, change.account, change.at, 201)


async def _created(pit: Pit, door: Door, asked: ask.Register, role: Role, by: str) -> AccountChange:
    change = await door.slowly(pit.accounts.create, asked.name, asked.password, role, by)
    await _note(pit, change)
    return change


@router.get("/accounts")
async def accounts(pit: ThePit, session: Reader) -> Response:
    """All accounts, for administrators."""
    session.role.check(Permission.ADMINISTER)
    return answer([_account(account) for account in await asyncio.to_thread(pit.accounts.all)])


@router.patch("/accounts/{name}")
async def change_account(
    pit: ThePit, door: TheDoor, session: Actor, name: Name, asked: ask.ChangeAccount
) -> Response:
    """Another role, disabled or enabled, or a new password; the sessions of the account end."""
    session.role.check(Permission.ADMINISTER)
    by, accounts, password = session.account, pit.accounts, ""
    if asked.role is not None:
        await _note(pit, await asyncio.to_thread(accounts.set_role, name, Role.parse(asked.role), by))
    if asked.disabled is not None:
        does = accounts.disable if asked.disabled else accounts.enable
        await _note(pit, await asyncio.to_thread(does, name, by))
    if asked.reset_password:
        change = await door.slowly(accounts.reset_password, name, by)
        await _note(pit, change)
        password = change.password
    found = await asyncio.to_thread(accounts.__getitem__, name.lower())
    return answer(_account(found) | ({"password": password} if password else {}))


# -- Games and tables -------------------------------------------------------------------------------


@router.get("/games")
async def games(_: Anyone) -> Response:
    """The games that are dealt here."""
    return answer(
        [{"game": g.name, "title": g.title, "summary": g.rules.SUMMARY} for g in GAMES.values()],
    )


@router.get("/games/{game}")
async def game(_: Anyone, game: Name) -> Response:
    """What stands on the felt of a game: wagers with their pays, choices, options."""
    return answer(layout(GAMES[game]))


@router.get("/tables")
async def tables(pit: ThePit, _: Anyone) -> Response:
    """All tables."""
    return answer([summary(live.table) for live in pit.tables.values()])


@router.get("/tables/{name}", responses=SEEN)
async def table(request: Request, pit: ThePit, session: Anyone, name: Name) -> Response:
    """A table as I may see it; cards of others are backs until all are laid open."""
    return _seen(request, pit.table(name), session)


def _seen(
    request: Request, live: LiveTable, session: Session | None, status: int = 200, **more: Any
) -> Response:
    views: Views = request.app.state.views
    return answer(views.of(live, session.account if session else "", **more), status)


def _game(asked: ask.Terms) -> Game:
    return game_from_words(asked.game, asked.options, asked.pays)


@router.post("/tables", status_code=201, responses={201: {"model": TableAnswer}})
async def open_table(request: Request, pit: ThePit, session: Actor, asked: ask.Open) -> Response:
    """Open a table under an approval that is in force for exactly these rules, options and pays."""
    session.role.check(Permission.SUPERVISE)
    limits, timers = Limits(**asked.limits.model_dump()), Timers(**asked.timers.model_dump())
    live = await pit.open_table(asked.name, _game(asked), session.account, limits, timers)
    return _seen(request, live, session, 201)


async def _supervised(
    request: Request, session: Session, name: str, asked: ask.Asked, key: str | None, change: TableChange
) -> Response:
    session.role.check(Permission.SUPERVISE)
    live = (await _pit(request)).table(name)
    bound = key_of(session.account, key, name, type(asked).__name__, asked.model_dump())
    repeated = await once(live.books.ledger, bound, lambda: live.act(change, bound))
    return _seen(request, live, session, **({"repeated": True} if repeated else {}))


@router.post("/tables/{name}/close", responses=SEEN)
async def close(
    request: Request, session: Actor, name: Name, asked: ask.Close, idempotency_key: IdempotencyKey = None
) -> Response:
    """Close now, or after the round that is on."""

    def closed(table: Table) -> Table:
        return table.close(session.account, asked.why)

    return await _supervised(request, session, name, asked, idempotency_key, closed)


@router.post("/tables/{name}/void", responses=SEEN)
async def void(
    request: Request, session: Actor, name: Name, asked: ask.Void, idempotency_key: IdempotencyKey = None
) -> Response:
    """Take the round out of play: every wager goes back."""

    def voided(table: Table) -> Table:
        check_round(table, asked.round)
        return table.void(session.account, asked.reason)

    return await _supervised(request, session, name, asked, idempotency_key, voided)


@router.post("/tables/{name}/drill", responses=SEEN)
async def drill(
    request: Request, session: Actor, name: Name, asked: ask.Drill, idempotency_key: IdempotencyKey = None
) -> Response:
    """Make the shuffler fail in this round, to see that nothing is lost."""

    def drilled(table: Table) -> Table:
        return table.drill(session.account, asked.fault)

    return await _supervised(request, session, name, asked, idempotency_key, drilled)


@router.post("/tables/{name}/shuffler", responses=SEEN)
async def change_shuffler(
    request: Request, session: Actor, name: Name, idempotency_key: IdempotencyKey = None
) -> Response:
    """Put the other shuffler into use, between rounds: the backup, or the main one when it is mended."""

    def changed(table: Table) -> Table:
        return table.change_shuffler(session.account)

    return await _supervised(request, session, name, ask.ChangeShuffler(), idempotency_key, changed)


# -- Acts at a table --------------------------------------------------------------------------------


async def _acted(
    request: Request, session: Session, name: str, does: str, asked: ask.Asked, key: str | None
) -> Response:
    live = (await _pit(request)).table(name)
    repeated = await act(live, session, does, asked, key)
    return _seen(request, live, session, **({"repeated": True} if repeated else {}))


@router.post("/tables/{name}/no-more-bets", responses=SEEN)
async def no_more_bets(
    request: Request, session: Actor, name: Name, idempotency_key: IdempotencyKey = None
) -> Response:
    """The dealer closes the betting."""
    return await _acted(request, session, name, "no-more-bets", ask.NoMoreBets(), idempotency_key)


@router.post("/tables/{name}/advance", responses=SEEN)
async def advance(
    request: Request, session: Actor, name: Name, idempotency_key: IdempotencyKey = None
) -> Response:
    """The dealer passes a phase that waits for the dealer."""
    return await _acted(request, session, name, "advance", ask.Advance(), idempotency_key)


@router.post("/tables/{name}/sit", responses=SEEN)
async def sit(
    request: Request, session: Actor, name: Name, asked: ask.Sit, idempotency_key: IdempotencyKey = None
) -> Response:
    """Take a seat with so many cents from my balance."""
    return await _acted(request, session, name, "sit", asked, idempotency_key)


@router.post("/tables/{name}/buy", responses=SEEN)
async def buy(
    request: Request, session: Actor, name: Name, asked: ask.Buy, idempotency_key: IdempotencyKey = None
) -> Response:
    """More chips, between rounds."""
    return await _acted(request, session, name, "buy", asked, idempotency_key)


@router.post("/tables/{name}/leave", responses=SEEN)
async def leave(
    request: Request, session: Actor, name: Name, asked: ask.Leave, idempotency_key: IdempotencyKey = None
) -> Response:
    """Leave with all chips; after the round, if wagers stand."""
    return await _acted(request, session, name, "leave", asked, idempotency_key)


@router.post("/tables/{name}/wager", responses=SEEN)
async def wager(
    request: Request, session: Actor, name: Name, asked: ask.Wager, idempotency_key: IdempotencyKey = None
) -> Response:
    """These wagers instead of what lies on the felt of my seat."""
    return await _acted(request, session, name, "wager", asked, idempotency_key)


@router.post("/tables/{name}/ready", responses=SEEN)
async def ready(
    request: Request, session: Actor, name: Name, asked: ask.Ready, idempotency_key: IdempotencyKey = None
) -> Response:
    """I have nothing more to bet."""
    return await _acted(request, session, name, "ready", asked, idempotency_key)


@router.post("/tables/{name}/choose", responses=SEEN)
async def choose(
    request: Request, session: Actor, name: Name, asked: ask.Choose, idempotency_key: IdempotencyKey = None
) -> Response:
    """My choice, when my seat is in turn."""
    return await _acted(request, session, name, "choose", asked, idempotency_key)


@router.websocket("/tables/{name}/live")
async def live(socket: WebSocket, name: str) -> None:
    state = socket.app.state
    await attend(socket, state.pit, state.door, state.views, name)


# -- What is over -----------------------------------------------------------------------------------


@router.get("/tables/{name}/meters")
async def meters(pit: ThePit, door: TheDoor, session: Reader, name: Name) -> Response:
    """What the table has taken in and won, and what the proofs expect of it."""
    door.check(session, Permission.AUDIT, Permission.SUPERVISE)
    return answer(_meters(pit.table(name)))


def _meters(live: LiveTable) -> dict[str, Any]:
    table, read = live.table, live.table.meters
    told: dict[str, Any] = {"table": table.name, "meters": read.to_json(), "opening": table.opening.to_json()}
    told |= {"hold": read.hold, "alarm": table.alarm, "chips": table.chips, "expected": None, "band": None}
    told["why"] = live.why_unexpected
    if live.expectation and live.expectation.digest == table.game.digest:
        expected = live.expectation
        told |= {
            "expected": expected.expected_win(read),
            "band": expected.band(read, ALARM_BAND_PERCENT),
            "why": "",
        }
    return told


@router.get("/tables/{name}/rounds")
async def rounds(pit: ThePit, _: Reader, name: Name, last: Last = 10) -> Response:
    """The last rounds that are over, the newest first."""
    table = pit.table(name).table
    return answer(await asyncio.to_thread(history.rounds, pit.ledger, table.name, last))


@router.get("/tables/{name}/rounds/{number}")
async def round(pit: ThePit, _: Reader, name: Name, number: Number) -> Response:
    """A round that is over: wagers, cards, choices, payments; the whole order once it is revealed."""
    table = pit.table(name).table
    return answer(await asyncio.to_thread(history.round_of, pit.ledger, table, number))


@router.get("/events")
async def events(
    pit: ThePit,
    session: Reader,
    last: Last = 100,
    before: Annotated[int, Query(ge=1, le=ask.MOST)] = ask.MOST,
) -> Response:
    """Significant events, the newest first: faults, voids, alarms, openings, refused sign-ins."""
    session.role.check(Permission.AUDIT)
    return answer(await asyncio.to_thread(history.significant, pit.ledger, last, before))


@router.get("/ledger/heads")
async def heads(pit: ThePit, session: Reader) -> Response:
    """The number and digest of the last event of each chain."""
    session.role.check(Permission.AUDIT)
    found = await asyncio.to_thread(pit.ledger.heads)
    return answer({chain: {"number": number, "digest": digest} for chain, (number, digest) in found.items()})


@router.get("/slips")
async def slips(
    pit: ThePit, door: TheDoor, session: Reader, table: Annotated[str, Query(max_length=100)] = ""
) -> Response:
    """The slips of openings and closings, of one table or of all."""
    door.check(session, Permission.AUDIT, Permission.SUPERVISE)
    tables = [pit.table(table)] if table else list(pit.tables.values())
    found = [await asyncio.to_thread(history.slips, pit.ledger, live) for live in tables]
    return answer([slip for slips in found for slip in slips])


# -- Approvals --------------------------------------------------------------------------------------


@router.get("/approvals")
async def approvals(pit: ThePit, door: TheDoor, session: Reader) -> Response:
    """Every approval with what was done and what can be done next."""
    door.check(session, Permission.AUDIT, Permission.SUPERVISE)
    return answer(list(map(_approval, pit.approvals)))


@router.post("/approvals", status_code=201)
async def draft_approval(pit: ThePit, session: Actor, asked: ask.DraftApproval) -> Response:
    """Begin the approval of a game under options and pays."""
    session.role.check(Permission.ADMINISTER)
    days = (asked.day or today(), asked.begins, asked.ends, asked.note)
    game, by = _game(asked), session.account
    register = await pit.decide(lambda register: register.draft(pit.house, game, by, *days))
    return answer(_approval(register.approvals[-1]), 201)


@router.post("/approvals/{number}/steps")
async def step_approval(pit: ThePit, session: Actor, number: Number, asked: ask.ApprovalStep) -> Response:
    """The next act of an approval, or one that ends it."""
    session.role.check(Permission.ADMINISTER)
    by, day = session.account, asked.day or today()
    register = await pit.decide(lambda register: register.step(number, asked.act, by, day, asked.note))
    return answer(_approval(register[number]))


def _approval(approval: Approval) -> dict[str, Any]:
    told = {name: getattr(approval, name) for name in ("number", "house", "kind", "game", "digest", "state")}
    possible = [
        {"act": act.name, "responsible": act.responsible, "does": act.does, "asks": act.asks}
        for act in approval.regime.possible(approval.state)
    ]
    return {
        **told,
        "options": dict(approval.options),
        "pays": [[spot, outcome, str(pay)] for spot, outcome, pay in approval.pays],
        "begins": approval.begins,
        "ends": approval.ends,
        "in_force": approval.in_force(today(), approval.digest),
        "done": [done.as_json() for done in approval.done],
        "possible": possible,
    }


@router.get("/health")
async def health(pit: ThePit, _: Anyone) -> Response:
    """Is the ledger written?"""
    if pit.ledger.down:
        raise LedgerDown(pit.ledger.down)
    return answer({"ok": True, "version": __version__, "tables": len(pit.tables)})


# -- The app ----------------------------------------------------------------------------------------


def app(pit: Pit, *, token: str = "", host: str = "127.0.0.1", allowance: Allowance | None = None) -> FastAPI:
    """The interface to a pit that runs; with a token, for those alone who show it."""
    made = FastAPI(
        title="feltlab pit",
        description=DESCRIPTION,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    sessions = Sessions.kept(pit.folder / "sessions.key", pit.accounts.sessions_from)
    made.state.pit, made.state.door = pit, Door(sessions, allowance or Allowance())
    made.state.views = Views()
    made.include_router(router, responses=PROBLEMS)
    made.add_middleware(Guard, token=token, host=host)
    for kind in (Refused, LedgerDown, SQLAlchemyError):
        made.add_exception_handler(kind, _refused)
    made.add_exception_handler(HTTPException, _http)
    made.add_exception_handler(RequestValidationError, _unreadable)
    _add_reference(made)
    return made


def _add_reference(made: FastAPI) -> None:
    @made.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(reference.page(made.openapi()))

    @made.get("/docs/style.css", include_in_schema=False)
    async def style() -> Response:
        return Response(reference.STYLE, media_type="text/css")


async def _refused(request: Request, error: Exception) -> Response:
    return refusal(error)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return of_http(error)


async def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return answer({"error": ask.sentence(error.errors())}, 422)
