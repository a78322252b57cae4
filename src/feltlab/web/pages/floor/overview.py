"""The floor's first page: every table with its players, its meters and its alarm.

The pages of the floor only show. Actions are sent to the API, which checks the role again.
"""

import asyncio
from collections.abc import Iterable
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
from feltlab.pit.seats import Phase
from feltlab.pit.slips import Slip
from feltlab.pit.view import summary
from feltlab.web.page import Data, add_page
from feltlab.web.pages.floor.dealing import describe_now, describe_players
from feltlab.web.pages.floor.events import event_lines
from feltlab.web.pages.school.office import list_certified
from feltlab.web.staff_request import pit_of, read_number, require_any
from feltlab.web.win_band import describe_total_win, describe_win

router = APIRouter()
EVENTS_SHOWN, EVENTS_READ = 10, 100
SLIPS_SHOWN = 10
MAX_SLIP_TABLES = 100  # tables whose slips the page reads
METERS_SHOWN = ("rounds", "hands", "voids", "drop", "handle", "win", "hold")


async def overview(request: Request) -> Data:
    session, pit = require_any(request, Permission.SUPERVISE, Permission.AUDIT), pit_of(request)
    lives = sorted(pit.public_tables, key=_urgency)
    may_audit = session.role.may(Permission.AUDIT)
    certified = await asyncio.to_thread(list_certified, request.app)
    return {
        "title": "Floor",
        "disk": request.app.state.auth.disk.warning,
        **_totals(lives),
        "tables": [table_line(live) | _certified(pit, live.table.game.name, certified) for live in lives],
        "private": _private_tables(pit),
        "events": await asyncio.to_thread(_last_events, pit) if may_audit else None,
        "slips": await asyncio.to_thread(_last_slips, pit, lives[:MAX_SLIP_TABLES]),
    }


def _certified(pit: Pit, game: str, certified: dict[str, list[str]]) -> Data:
    """The dealers with a certificate for a game, and whether the house requires one."""
    return {"certified": certified.get(game, []), "needs_certificate": not pit.books.may_deal("", game)}


def _last_events(pit: Pit) -> list[Data]:
    """The last significant events, without openings and closings of private tables."""
    private = {live.table.name for live in pit.tables.values() if live.table.is_private}
    visits = ("opened", "closed")
    found = event_lines(pit, EVENTS_READ)
    shown = [line for line in found if line["table"] not in private or line["kind"] not in visits]
    return shown[:EVENTS_SHOWN]


def _private_tables(pit: Pit) -> Data:
    """The private tables: how many there are, and a line for each that is open."""
    tables = [live.table for live in pit.tables.values() if live.table.is_private]
    opened = [table for table in tables if table.phase != Phase.CLOSED]
    lines = [
        {
            "table": table.name,
            "title": table.game.title,
            "round": table.round,
            "owner": table.owner,
            "practice": table.practice,
            "shared": table.is_shared,
            "seated": sum(place is not None for place in table.places),
            "chips": table.chips,
        }
        for table in opened
    ]
    return {
        "open": lines,
        "closed": len(tables) - len(opened),
        "win": sum(table.meters.win for table in tables),
    }


def _urgency(live: LiveTable) -> tuple[bool, bool]:
    """Sorts tables with an alarm first, then open ones; otherwise they keep their order."""
    return not live.table.alarm, live.table.phase == Phase.CLOSED


def _totals(lives: list[LiveTable]) -> Data:
    """All tables together, to be read at a glance."""
    tables = [live.table for live in lives]
    seated = [place for table in tables for place in table.places if place]
    return {
        "alarms": [{"table": table.name, "alarm": table.alarm} for table in tables if table.alarm],
        "open": sum(table.phase != Phase.CLOSED for table in tables),
        "seated": len(seated),
        "free": sum(len(table.places) for table in tables if table.phase != Phase.CLOSED) - len(seated),
        "chips": sum(table.chips for table in tables),
        "waiting": [table.name for table in tables if table.waits_for_dealer or table.machines.why_waiting],
        "meters": meter_reading(sum((table.meters for table in tables), NO_METERS)),
        "bar": describe_total_win(lives),
    }


def meter_reading(read: Meters) -> Data:
    return {name: getattr(read, name) for name in METERS_SHOWN}


def table_line(live: LiveTable) -> Data:
    """A table with its meters since it first opened under these rules."""
    table = live.table
    return {
        **summary(table),
        "phase": table.phase.value,
        "closed": table.phase == Phase.CLOSED,
        **describe_now(live),
        "players": describe_players(table),
        "meters": meter_reading(table.meters),
        "alarm": table.alarm,
        "chips": table.chips,
        "bar": describe_win(live, table.meters),
    }


def _last_slips(pit: Pit, lives: Iterable[LiveTable]) -> list[Data]:
    found = [slip for live in lives for slip in describe_slips(pit, live)]
    return sorted(found, key=lambda slip: str(slip["at"]), reverse=True)[:SLIPS_SHOWN]


def describe_slips(pit: Pit, live: LiveTable) -> list[Data]:
    """The last slips of a table, each with its rows as text."""
    found = history.list_slips(pit.ledger, live, SLIPS_SHOWN)
    return [slip | {"rows": Slip.from_json(slip).rows} for slip in found]


@router.get("/floor/recall", include_in_schema=False)
async def recall(request: Request) -> Response:
    """Redirect to the page of a round, from a form with the table's name and the round's number."""
    require_any(request, Permission.SUPERVISE, Permission.AUDIT)
    name = pit_of(request).table(request.query_params.get("table", "")).table.name
    number = read_number(request, "round")
    if not number:
        raise Refused("A round's number is 1 or more.")
    return RedirectResponse(f"/tables/{quote(name)}/rounds/{number}", 303)


add_page(router, "/floor", "floor/overview.html", overview)
