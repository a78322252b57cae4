"""What the house decides: approvals, the tables that open under them, and who has an account."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.game import Game
from feltlab.core.limits import STANDARD
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.games.offers import build_game
from feltlab.pit.accounts import PASSWORD
from feltlab.pit.approvals import Act as Step
from feltlab.pit.approvals import Approval
from feltlab.pit.pit import LIVELY, Pit, today
from feltlab.pit.roles import Permission, Role
from feltlab.pit.table import Phase
from feltlab.submission.venues import venue
from feltlab.web.page import Data, add_page
from feltlab.web.staff_request import admitted, asked_number, pit_of

router = APIRouter()


# -- Opening a table --------------------------------------------------------------------------------


async def opening(request: Request) -> Data:
    """A form for a table under one of the approvals; without any, nothing can be opened."""
    admitted(request, Permission.SUPERVISE)
    pit, name = pit_of(request), request.query_params.get("name", "")[:40]
    under = _asked_approval(request, pit)
    return {
        "title": "Open a table",
        "name": name or (under and _free_name(pit, under.game)),
        "under": under and _told(pit, under),
        **_usual(pit, name),
        "in_force": [_told(pit, found) for found in _in_force(pit)],
    }


def _asked_approval(request: Request, pit: Pit) -> Approval | None:
    """The approval that is asked for by its number or its game; the first in force, if none is."""
    number, game = asked_number(request, "approval"), request.query_params.get("game", "")
    if number is not None:
        return pit.approvals[number]
    of_game = (found for found in _in_force(pit) if not game or found.game == _asked_game(game).name)
    return next(of_game, None)


def _asked_game(name: str) -> Game:
    if name not in GAMES:
        raise Unknown(f"{name[:40]!r} is not a game of this house.")
    return GAMES[name]


def _usual(pit: Pit, name: str) -> Data:
    """Limits and timers as they were, for a table that is opened again."""
    live = pit.tables.get(name)
    before = live.table if live and live.table.phase == Phase.CLOSED else None
    timers = asdict(before.timers if before else LIVELY)
    return {
        "again": before is not None,
        "limits": asdict(before.limits if before else STANDARD),
        "timers": [(timer, _plainly(seconds)) for timer, seconds in timers.items()],
    }


def _plainly(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:g}"


def _free_name(pit: Pit, game: str) -> str:
    return next(name for n in range(1, len(pit.tables) + 2) if (name := f"{game}-{n}") not in pit.tables)


def _pays(approval: Approval) -> Mapping[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for spot, outcome, pay in approval.pays:
        found.setdefault(spot, {})[outcome] = str(pay)
    return found


# -- Approvals --------------------------------------------------------------------------------------


async def approvals(request: Request) -> Data:
    session, pit = admitted(request, Permission.SUPERVISE, Permission.AUDIT), pit_of(request)
    game = request.query_params.get("game", "")
    return {
        "title": "Approvals",
        "house": pit.house.name,
        "approvals": [_told(pit, found) for found in reversed(pit.approvals.approvals)],
        "administers": session.role.may(Permission.ADMINISTER),
        "supervises": session.role.may(Permission.SUPERVISE),
        "today": today().isoformat(),
        "drafting": bool(game),
        **_game_form(_asked_game(game or next(iter(GAMES)))),
    }


def _game_form(game: Game) -> Data:
    """What the draft of an approval asks: which game, and each option with its values."""
    options = [
        {"name": o.name, "values": list(o.values), "help": o.help, "value": game.options[o.name]}
        for o in game.rules.OPTIONS
    ]
    games = [{"name": found.name, "title": found.title} for found in GAMES.values()]
    told = {"game": game.name, "game_title": game.title, "options": options, "example": _example(game)}
    return {"games": games, **told}


def _example(game: Game) -> str:
    """A pay as a draft names it."""
    spot = game.wagers[-1]
    line = game.pay_table(spot).lines[0]
    return f"{spot.name} {line.outcome} {line.pays}"


def _told(pit: Pit, found: Approval) -> Data:
    regime, why_not = found.regime, _why_not(pit, found)
    return {
        "number": found.number,
        "game": found.game,
        "title": GAMES[found.game].title if found.game in GAMES else found.game,
        "options": dict(found.options),
        "pays": _pays(found),
        "digest": found.digest,
        "kind": found.kind,
        "venue": venue(found.kind).title,
        "state": found.state,
        "begins": found.begins.isoformat(),
        "ends": found.ends.isoformat() if found.ends else None,
        "in_force": not why_not,
        "why_not": why_not,
        "tables": _tables_under(pit, found),
        "path": [{"state": act.state, "reached": act.state in _states(found)} for act in regime.path],
        "done": [done.as_json() for done in found.done],
        "possible": [_possible(act) for act in regime.possible(found.state)],
    }


def _tables_under(pit: Pit, found: Approval) -> list[str]:
    """The tables that are open under an approval."""
    open_ = (live.table for live in pit.tables.values() if live.table.phase != Phase.CLOSED)
    return [table.name for table in open_ if table.approval == found.number]


def _in_force(pit: Pit) -> Iterator[Approval]:
    return (found for found in pit.approvals if not _why_not(pit, found))


def _why_not(pit: Pit, found: Approval) -> str:
    """Why no table may open under an approval today, or ''."""
    try:
        game = build_game(found.game, dict(found.options), found.pays)
    except Refused as gone:
        return str(gone)
    return found.why_not(pit.house, game, today())


def _states(found: Approval) -> set[str]:
    return {done.state for done in found.done}


def _possible(act: Step) -> dict[str, Any]:
    return {"act": act.name, "responsible": act.responsible, "does": act.does, "asks": act.asks}


# -- Accounts ---------------------------------------------------------------------------------------


async def accounts(request: Request) -> Data:
    session, pit = admitted(request, Permission.ADMINISTER), pit_of(request)
    found = await asyncio.to_thread(pit.accounts.all)
    return {
        "title": "Accounts",
        "accounts": [asdict(account) | {"role": account.role.value} for account in found],
        "roles": [role.value for role in Role if role is not Role.GUEST],
        "me": session.account,
        "shortest": PASSWORD[0],
    }


add_page(router, "/floor/open", "floor-open.html", opening)
add_page(router, "/floor/approvals", "floor-approvals.html", approvals)
add_page(router, "/floor/accounts", "floor-accounts.html", accounts)
