"""The form with which a supervisor opens a table under an approval."""

from collections.abc import Iterator
from dataclasses import asdict

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.game import Game
from feltlab.core.limits import STANDARD_LIMITS
from feltlab.pit.approvals import Approval
from feltlab.pit.pit import PUBLIC_TIMERS, Pit
from feltlab.pit.roles import Permission
from feltlab.pit.seats import Phase
from feltlab.pit.shufflers.machines import MACHINE_NAMES, NO_MACHINE
from feltlab.shuffling.models import fitting_models
from feltlab.web.page import Data, add_page
from feltlab.web.pages.approvals import approvals_in_force, describe_approval, find_game
from feltlab.web.staff_request import pit_of, read_number, require_any

router = APIRouter()
MAX_NAME_CHARS = 40


async def open_table(request: Request) -> Data:
    """The form for a table under one approval; without an approval in force no table can be opened."""
    require_any(request, Permission.SUPERVISE)
    pit, name = pit_of(request), request.query_params.get("name", "")[:MAX_NAME_CHARS]
    under = _chosen_approval(request, pit)
    return {
        "title": "Open a table",
        "name": name or (under and _unused_name(pit, under.game)),
        "under": under and describe_approval(pit, under),
        **_previous_terms(pit, name),
        "shufflers": under and _describe_shufflers(pit, name, find_game(under.game)),
        "in_force": [describe_approval(pit, found) for found in approvals_in_force(pit)],
        "not_in_force": list(_describe_waiting(pit)),
    }


def _chosen_approval(request: Request, pit: Pit) -> Approval | None:
    """The approval that the address names by number or by game; otherwise the first in force."""
    number, game = read_number(request, "approval"), request.query_params.get("game", "")
    if number is not None:
        return pit.approvals[number]
    suitable = (found for found in approvals_in_force(pit) if not game or found.game == find_game(game).name)
    return next(suitable, None)


def _describe_waiting(pit: Pit) -> Iterator[Data]:
    """The approvals under which no table may open today but may later; each has the reason."""
    described = (describe_approval(pit, found) for found in pit.approvals if found.is_open)
    return (found for found in described if not found["in_force"])


def _previous_terms(pit: Pit, name: str) -> Data:
    """Limits and timers: the previous ones of a table that is opened again, the usual ones otherwise."""
    live = pit.tables.get(name)
    before = live.table if live and live.table.phase == Phase.CLOSED else None
    timers = asdict(before.timers if before else PUBLIC_TIMERS)
    return {
        "again": before is not None,
        "limits": asdict(before.limits if before else STANDARD_LIMITS),
        "timers": [(timer, _format_seconds(seconds)) for timer, seconds in timers.items()],
    }


def _describe_shufflers(pit: Pit, name: str, game: Game) -> list[Data]:
    """The models that fit, and what the machines of a table that is opened again were."""
    live, models = pit.tables.get(name), list(fitting_models(game))
    before = {name: live.table.machines[name] if live else NO_MACHINE for name in MACHINE_NAMES}
    return [
        {"shuffler": name, "models": models, "model": machine.model, "serial": machine.serial}
        for name, machine in before.items()
    ]


def _format_seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:g}"


def _unused_name(pit: Pit, game: str) -> str:
    return next(name for n in range(1, len(pit.tables) + 2) if (name := f"{game}-{n}") not in pit.tables)


add_page(router, "/floor/open", "floor/open_table.html", open_table)
