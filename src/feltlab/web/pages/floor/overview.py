"""The floor: what supervisors, auditors and dealers see of the tables, and act from.

The pages show; acts go to the API, which asks for the role again.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import asdict
from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from feltlab.errors import Refused
from feltlab.pit import history
from feltlab.pit.live_table import LiveTable
from feltlab.pit.meters import NO_METERS, Meters
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Permission
from feltlab.pit.slips import Slip
from feltlab.pit.table import RUNNING, Phase, Place, Table
from feltlab.pit.view import summary
from feltlab.server.actions import waits_for_dealer
from feltlab.server.sessions import Session
from feltlab.shuffling.machine import BACKUP, FAULTS, MAIN
from feltlab.text import dollars
from feltlab.web.page import Data, add_page
from feltlab.web.pages.floor.events import events
from feltlab.web.pages.rounds import LISTED, listed
from feltlab.web.staff_request import admitted, asked_number, pit_of
from feltlab.web.win_band import bar, total

router = APIRouter()
EVENTS = 10  # on a page that is about more
SLIPS = 10
MOST_ASKED = 100  # tables whose slips the first page reads
PLAIN = ("rounds", "hands", "voids", "drop", "handle", "win", "hold")


# -- All tables -------------------------------------------------------------------------------------


async def floor(request: Request) -> Data:
    session, pit = admitted(request, Permission.SUPERVISE, Permission.AUDIT), pit_of(request)
    lives = sorted(pit.tables.values(), key=_urgency)
    return {
        "title": "Floor",
        **_together(lives),
        "tables": [_line(live) for live in lives],
        "events": await asyncio.to_thread(events, pit, EVENTS)
        if session.role.may(Permission.AUDIT)
        else None,
        "slips": await asyncio.to_thread(_last_slips, pit, lives[:MOST_ASKED]),
    }


def _urgency(live: LiveTable) -> tuple[bool, bool]:
    """Alarms come first, then what is open; otherwise tables stay in their order."""
    return not live.table.alarm, live.table.phase == Phase.CLOSED


def _together(lives: list[LiveTable]) -> Data:
    """What one glance should tell."""
    tables = [live.table for live in lives]
    seated = [place for table in tables for place in table.places if place]
    return {
        "alarms": [{"table": table.name, "alarm": table.alarm} for table in tables if table.alarm],
        "open": sum(table.phase != Phase.CLOSED for table in tables),
        "seated": len(seated),
        "free": sum(len(table.places) for table in tables if table.phase != Phase.CLOSED) - len(seated),
        "chips": sum(table.chips for table in tables),
        "waiting": [table.name for table in tables if waits_for_dealer(table)],
        "meters": _reading(sum((table.meters for table in tables), NO_METERS)),
        "bar": total(lives),
    }


def _reading(read: Meters) -> Data:
    return {name: getattr(read, name) for name in PLAIN}


def _line(live: LiveTable) -> Data:
    """A table with its meters, since it first opened under these rules."""
    table = live.table
    return {
        **summary(table),
        "phase": table.phase.value,
        "closed": table.phase == Phase.CLOSED,
        **_now(live),
        "players": _players(table),
        "meters": _reading(table.meters),
        "alarm": table.alarm,
        "chips": table.chips,
        "bar": bar(live, table.meters),
    }


def _last_slips(pit: Pit, lives: Iterable[LiveTable]) -> list[Data]:
    found = [slip for live in lives for slip in _slips(pit, live)]
    return sorted(found, key=lambda slip: str(slip["at"]), reverse=True)[:SLIPS]


def _slips(pit: Pit, live: LiveTable) -> list[Data]:
    told = history.slips(pit.ledger, live)
    return [slip | {"rows": Slip.from_json(slip).rows} for slip in told]


# -- What happens at a table now --------------------------------------------------------------------

PASSES = {  # what the dealer does by passing a phase
    Phase.NO_MORE_BETS: "Deal the cards",
    Phase.DEALING: "Go on to the choices",
    Phase.REVEAL: "Take and pay",
    Phase.SETTLING: "Begin the next round",
}


def _now(live: LiveTable) -> Data:
    table = live.table
    return {
        "doing": _doing(table),
        "seconds": None if live.seconds is None else int(live.seconds),
        "dealer": _dealers_act(table),
        "closes": bool(table.closes) and table.phase != Phase.CLOSED,
    }


def _doing(table: Table) -> str:
    """What the table is at, and for whom it waits."""
    turn = table.turn if table.phase == Phase.CHOOSING else None
    place = table.places[turn] if turn is not None else None
    if place:
        return f"Seat {(turn or 0) + 1}, {place.player}, chooses."
    if table.phase == Phase.BETTING:
        return _bets(table)
    if waits_for_dealer(table):
        return f"At {table.phase.value}, the table waits for its dealer."
    return "The table is closed." if table.phase == Phase.CLOSED else f"The table is at {table.phase.value}."


def _bets(table: Table) -> str:
    many = len(table.bettors)
    if not many:
        return "Bets are open, and no wager lies on the felt."
    staked = dollars(sum(place.on_felt for place in table.places if place))
    return f"Bets are open; {many} {'seats have' if many > 1 else 'seat has'} {staked} on the felt."


def _dealers_act(table: Table) -> Data | None:
    """What the dealer can do now: the act, and what its button says."""
    if table.phase == Phase.BETTING and table.bettors:
        return {"act": "no-more-bets", "says": "No more bets"}
    if not waits_for_dealer(table):
        return None
    open_hands = table.phase == Phase.DEALING and table.turn is None
    return {"act": "advance", "says": "Lay the hands open" if open_hands else PASSES[table.phase]}


def _players(table: Table) -> list[Data]:
    return [_seat(n, place) for n, place in enumerate(table.places, 1) if place]


def _seat(number: int, place: Place) -> Data:
    return {
        "seat": number,
        "player": place.player,
        "bankroll": place.bankroll,
        "staked": place.on_felt,
        "wagers": dict(place.wagers),
        "leaves": place.leaves,
    }


async def dealing(request: Request) -> Data:
    """For dealers: every open table with what it waits for."""
    admitted(request, Permission.DEAL)
    lives = [live for live in pit_of(request).tables.values() if live.table.phase != Phase.CLOSED]
    return {"title": "Deal", "tables": [_work(live) for live in lives]}


def _work(live: LiveTable) -> Data:
    """A table as its dealer sees it: no meters, which are not the dealer's."""
    table = live.table
    told = {"phase": table.phase.value, "waits": waits_for_dealer(table), "players": _players(table)}
    return {**summary(table), **told, **_now(live)}


# -- One table --------------------------------------------------------------------------------------


async def table(request: Request) -> Data:
    session, pit = admitted(request, Permission.SUPERVISE, Permission.AUDIT), pit_of(request)
    live = pit.table(request.path_params["name"])
    return {
        "title": live.table.name,
        "line": _line(live),
        **_terms(live.table),
        "first": _first(live.table),
        "since": _since(live),
        **_acts(session, live.table),
        **await asyncio.to_thread(_rounds, pit, live, asked_number(request, "before")),
        "slips": (await asyncio.to_thread(_slips, pit, live))[::-1][:SLIPS],
        "events": await asyncio.to_thread(events, pit, EVENTS, chain=live.table.name)
        if session.role.may(Permission.AUDIT)
        else None,
    }


def _terms(table: Table) -> Data:
    return {
        "game": str(table.game),
        "approval": table.approval,
        "shuffler": table.shuffler.name,
        "timers": asdict(table.timers),
    }


def _first(table: Table) -> Data:
    """First wagers by spot, as the felt names them."""
    titles = {spot.name: spot.title for spot in table.game.spots}
    return {titles.get(spot, spot): cents for spot, cents in table.meters.first.items()}


def _since(live: LiveTable) -> Data:
    """What was added since the table was last opened."""
    since = live.table.meters - live.table.opening
    return _reading(since) | {"bar": bar(live, since)}


def _acts(session: Session, table: Table) -> Data:
    """What a supervisor can do, and why something cannot be done now."""
    between = "" if table.phase == Phase.BETTING else "Only while bets are open."
    return {
        "supervises": session.role.may(Permission.SUPERVISE),
        "barred": {
            "void": "" if table.bettors else "There is no wager to give back now.",
            "close": "It closes after this round already." if table.closes else "",
            "drill": between,
            "shuffler": between,
        },
        "closes_when": "after the round that is on" if table.phase in RUNNING else "at once",
        "faults": list(FAULTS),
        "armed": table.shuffler.fault,
        "other_shuffler": BACKUP if table.shuffler.name == MAIN else MAIN,
    }


def _rounds(pit: Pit, live: LiveTable, before: int | None) -> Data:
    """Some rounds that are over, and where the list goes on."""
    name, last = live.table.name, live.table.round
    end = min(before or last + 1, last + 1)
    found = history.rounds_between(pit.ledger, name, end - LISTED, end - 1)
    older, newer = end - LISTED, end + LISTED
    return {
        "rounds": listed(found),
        "older": older if older > 1 else None,
        "newer": newer if before and end <= last else None,
    }


@router.get("/floor/recall", include_in_schema=False)
async def recall(request: Request) -> Response:
    """To the page of a round, from a form that knows the table and the number."""
    admitted(request, Permission.SUPERVISE, Permission.AUDIT)
    name = pit_of(request).table(request.query_params.get("table", "")).table.name
    number = asked_number(request, "round")
    if not number:
        raise Refused("A round has a number, from 1 on.")
    return RedirectResponse(f"/tables/{quote(name)}/rounds/{number}", 303)


add_page(router, "/floor", "floor.html", floor)
add_page(router, "/floor/deal", "floor-deal.html", dealing)
add_page(router, "/floor/tables/{name}", "floor-table.html", table)
