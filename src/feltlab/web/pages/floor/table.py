"""One table on the floor: its state, its meters, the supervisor's actions, its rounds, slips and events."""

import asyncio
from dataclasses import asdict

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.pit import history
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit, today
from feltlab.pit.roles import Permission
from feltlab.pit.seats import ROUND_PHASES, Phase
from feltlab.pit.table import Table
from feltlab.server.sessions import Session
from feltlab.web.page import Data, add_page
from feltlab.web.pages.floor.events import event_lines
from feltlab.web.pages.floor.overview import (
    EVENTS_SHOWN,
    SLIPS_SHOWN,
    describe_slips,
    meter_reading,
    table_line,
)
from feltlab.web.pages.floor.procedure import describe_procedure
from feltlab.web.pages.floor.shufflers import describe_machine, supervise_machines
from feltlab.web.pages.rounds import ROUNDS_LISTED, round_lines
from feltlab.web.pages.rules import rules_address
from feltlab.web.staff_request import pit_of, read_number, require_any
from feltlab.web.win_band import describe_win

router = APIRouter()


async def table(request: Request) -> Data:
    session, pit = require_any(request, Permission.SUPERVISE, Permission.AUDIT), pit_of(request)
    live = pit.table(request.path_params["name"])
    name, may_audit = live.table.name, session.role.may(Permission.AUDIT)
    return {
        "title": name,
        "line": table_line(live),
        **_terms(live.table),
        "machine": describe_machine(live.table),
        "procedure": describe_procedure(live.table.game, pit.house.venue(today())),
        "rules": rules_address(live.table.game),
        "first": _first_wagers(live.table),
        "since": _since_opening(live),
        **_supervisor_actions(session, live.table),
        **await asyncio.to_thread(_rounds, pit, live, read_number(request, "before")),
        "slips": (await asyncio.to_thread(describe_slips, pit, live))[::-1][:SLIPS_SHOWN],
        "events": await asyncio.to_thread(event_lines, pit, EVENTS_SHOWN, chain=name) if may_audit else None,
    }


def _terms(table: Table) -> Data:
    return {
        "game": str(table.game),
        "approval": table.approval,
        "owner": table.owner,
        "practice": table.practice,
        "timers": asdict(table.timers),
    }


def _first_wagers(table: Table) -> Data:
    """The sum of first wagers on each spot, by the spot's title."""
    titles = {spot.name: spot.title for spot in table.game.spots}
    return {titles.get(spot, spot): cents for spot, cents in table.meters.first.items()}


def _since_opening(live: LiveTable) -> Data:
    """The meters since the table was last opened."""
    since = live.table.meters - live.table.opening
    return meter_reading(since) | {"bar": describe_win(live, since)}


def _supervisor_actions(session: Session, table: Table) -> Data:
    """The actions of a supervisor, each with the reason why it is not possible now."""
    between = "" if table.phase == Phase.BETTING else "Possible only while bets are open."
    return {
        "supervises": session.role.may(Permission.SUPERVISE),
        "barred": {
            "void": "" if table.bettors else "There are no wagers to return.",
            "close": "The table closes after this round." if table.closes else "",
            "drill": between or table.machines.why_waiting,
        },
        "closes_when": "after the current round" if table.phase in ROUND_PHASES else "at once",
        "faults": list(table.shuffler.possible_faults),
        "armed": table.shuffler.fault,
        **supervise_machines(table),
    }


def _rounds(pit: Pit, live: LiveTable, before: int | None) -> Data:
    """One page of finished rounds, with the numbers at which older and newer pages begin."""
    name, last = live.table.name, live.table.round
    end = min(before or last + 1, last + 1)
    found = history.list_rounds_between(pit.ledger, name, end - ROUNDS_LISTED, end - 1)
    older, newer = end - ROUNDS_LISTED, end + ROUNDS_LISTED
    return {
        "rounds": round_lines(found),
        "older": older if older > 1 else None,
        "newer": newer if before and end <= last else None,
    }


add_page(router, "/floor/tables/{name}", "floor/table.html", table)
