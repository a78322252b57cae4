"""Progressives: what they show, bets on them, and the acts of staff."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial

from fastapi import Request, WebSocket
from starlette.responses import Response

from feltlab.errors import Refused
from feltlab.game_folders import is_path
from feltlab.pit.jackpots.desk import describe_link
from feltlab.pit.jackpots.link import Link
from feltlab.pit.pit import Pit
from feltlab.pit.players.solo import SOLO_NAME
from feltlab.pit.roles import Permission
from feltlab.progressives.catalogue import find_progressive
from feltlab.progressives.progressive import Level, Progressive
from feltlab.progressives.progressive_file import parse_progressive
from feltlab.progressives.rates import millicents, rate_text
from feltlab.server.actions import bet_on_progressive
from feltlab.server.api.approvals import Responses
from feltlab.server.api.jackpot_models import (
    ClaimNumber,
    DecreaseJackpot,
    DepositJackpot,
    FundJackpot,
    JackpotAnswer,
    JackpotBet,
    JackpotTable,
    OpenJackpot,
    RefuseClaim,
    StaffJackpotAnswer,
)
from feltlab.server.responses import json_response, refusal_response
from feltlab.server.routing import (
    Actor,
    Anyone,
    Finisher,
    IdempotencyKey,
    Name,
    Reader,
    TheAuth,
    ThePit,
    new_router,
    table_response,
)
from feltlab.server.sessions import Session
from feltlab.server.shuffler_models import StaffTableAnswer
from feltlab.server.table_access import find_table
from feltlab.text import dollars
from feltlab.workers.proposal import check_proposal

router = new_router()
STAFF: Responses = {200: {"model": StaffJackpotAnswer}}


@router.get("/jackpots", responses={200: {"model": list[JackpotAnswer]}})
async def list_jackpots(pit: ThePit, _: Anyone) -> Response:
    """All progressives that are open, with what their meters show now."""
    links = pit.jackpots.book.links.values()
    return json_response([show_link(link) for link in links if not link.closed])


@router.websocket("/jackpots/live")
async def live_jackpots(socket: WebSocket) -> None:
    """All meters, now and whenever they change, for everybody."""
    state = socket.app.state
    try:
        state.auth.charge_client(socket, None)
    except Refused as refused:
        await socket.send_denial_response(refusal_response(refused))
        return
    await state.meters.serve_wall(socket)


@router.get("/jackpots/{name}", responses=STAFF)
async def show_jackpot(pit: ThePit, session: Reader, name: Name) -> Response:
    """A progressive with its money and its claims."""
    if not session.role.may(Permission.SUPERVISE):
        session.role.check(Permission.AUDIT)
    return json_response(show_money(pit.jackpots.book.find(name)))


@router.post("/tables/{name}/jackpot", responses={200: {"model": StaffTableAnswer}})
async def bet_on_jackpot(
    request: Request,
    pit: ThePit,
    auth: TheAuth,
    session: Finisher,
    name: Name,
    asked: JackpotBet,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Put my seat's bet on the progressive of the table, or take it back."""
    live = find_table(pit, request, name, session)
    check_room = partial(auth.check_room, request, session)
    repeated = await bet_on_progressive(live, session, asked, idempotency_key, check_room)
    return table_response(request, live, session, **({"repeated": True} if repeated else {}))


# -- Staff ------------------------------------------------------------------------------------------


@router.post("/jackpots", responses=STAFF)
async def open_jackpot(pit: ThePit, auth: TheAuth, session: Actor, asked: OpenJackpot) -> Response:
    """Open a progressive that passes its checks; the house pays in seeds and the fixed prizes of a round."""
    session.role.check(Permission.SUPERVISE)
    auth.allowance.proposals.admit(session.account)
    rules = _read_rules(asked.rules)
    pit.jackpots.check_new(rules)
    await check_proposal(rules)
    return await _do(pit, session, rules.name, pit.jackpots.open, rules, session.account, asked.verifiers)


def _read_rules(text: str) -> Progressive:
    """Rules from TOML, or those of a name; a path on this machine is neither, nor does it name a game."""
    if "\n" in text or "=" in text:
        rules = parse_progressive(text)
        for attached in rules.attached:
            if is_path(attached.game):
                raise Refused(f"{attached.game!r} is a path; a progressive names games of this pit.")
        return rules
    return find_progressive(text.replace("/", " ").replace(".", " "))


@router.post("/jackpots/{name}/join", responses=STAFF)
async def join_jackpot(pit: ThePit, session: Actor, name: Name, asked: JackpotTable) -> Response:
    """Let a table feed a progressive."""
    return await _do(pit, session, name, pit.jackpots.join, name, asked.table, session.account)


@router.post("/jackpots/{name}/leave", responses=STAFF)
async def leave_jackpot(pit: ThePit, session: Actor, name: Name, asked: JackpotTable) -> Response:
    """End that a table feeds a progressive, between its rounds."""
    return await _do(pit, session, name, pit.jackpots.leave, name, asked.table, session.account)


@router.post("/jackpots/{name}/verify", responses=STAFF)
async def verify_claim(pit: ThePit, session: Actor, name: Name, asked: ClaimNumber) -> Response:
    """Verify a claim as one person; the last person who has to pays it."""
    return await _do(pit, session, name, pit.jackpots.verify, name, asked.claim, session.account)


@router.post("/jackpots/{name}/refuse", responses=STAFF)
async def refuse_claim(pit: ThePit, session: Actor, name: Name, asked: RefuseClaim) -> Response:
    """Refuse a claim as one person; the last person who has to sends its amount back to the meter."""
    return await _do(pit, session, name, pit.jackpots.refuse, name, asked.claim, session.account, asked.why)


@router.post("/jackpots/{name}/fund", responses=STAFF)
async def fund_jackpot(pit: ThePit, session: Actor, name: Name, asked: FundJackpot) -> Response:
    """Pay in for the house."""
    return await _do(pit, session, name, pit.jackpots.fund, name, asked.cents, session.account, asked.note)


@router.post("/jackpots/{name}/deposit", responses=STAFF)
async def deposit_jackpot(pit: ThePit, session: Actor, name: Name, asked: DepositJackpot) -> Response:
    """Record a deposit of accrued money, with its receipt."""
    words = (name, asked.cents, session.account, asked.reference)
    return await _do(pit, session, name, pit.jackpots.deposit, *words)


@router.post("/jackpots/{name}/decrease", responses=STAFF)
async def decrease_jackpot(pit: ThePit, session: Actor, name: Name, asked: DecreaseJackpot) -> Response:
    """Lower a meter for one of the reasons that the law lists."""
    given = (asked.meter, asked.cents, asked.reason, session.account, asked.note)
    return await _do(pit, session, name, pit.jackpots.decrease, name, *given)


@router.post("/jackpots/{name}/close", responses=STAFF)
async def close_jackpot(pit: ThePit, session: Actor, name: Name) -> Response:
    """Close a progressive without claims that wait."""
    return await _do(pit, session, name, pit.jackpots.close, name, session.account)


async def _do(
    pit: Pit, session: Session, name: str, act: Callable[..., Awaitable[object]], *words: object
) -> Response:
    """Do an act of staff, and show the progressive after it."""
    session.role.check(Permission.SUPERVISE)
    await act(*words)
    return json_response(show_money(pit.jackpots.book.find(name)))


# -- Answers ----------------------------------------------------------------------------------------


def show_link(link: Link) -> dict[str, object]:
    """A progressive as everybody may see it."""
    levels = [
        {"level": level.name, "pays": describe_prize(level), "envy": dollars(level.envy_cents)}
        for level in link.progressive.levels
    ]
    public = [table for table in link.tables if not SOLO_NAME.search(table)]
    return describe_link(link, datetime.now(UTC)) | {"tables": public, "levels": levels}


def describe_prize(level: Level) -> str:
    """'100 % of the meter', '$50'."""
    return f"{rate_text(level.share)} of the meter" if level.share else dollars(level.fixed_cents)


def show_money(link: Link) -> dict[str, object]:
    """A progressive with its money, in thousandths of a cent, and its claims."""
    parts = {"displayed": 0, "reserve": 0, "hidden": 0, "overflow": 0}
    for balance in link.balances.values():
        parts = {name: parts[name] + getattr(balance, name) for name in parts}
    money = parts | {"house": link.house, "pending": millicents(link.pending_cents), "paid": link.paid}
    came = {"received": link.received, "funded": link.funded}
    claims = [claim.to_json() | {"seat": claim.seat + 1} for claim in link.claims]
    due = {"undeposited_cents": link.undeposited_cents}
    return show_link(link) | {"money": money | came, "claims": claims} | due
