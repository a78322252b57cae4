"""Approvals on the floor: the games that the house may offer, and the state of each approval."""

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.game import Game
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.games.offers import build_game
from feltlab.pit.approvals import Approval
from feltlab.pit.pit import Pit, today
from feltlab.pit.regimes import Step
from feltlab.pit.roles import Permission
from feltlab.pit.seats import Phase
from feltlab.submission.venues import venue
from feltlab.web.page import Data, add_page
from feltlab.web.pages.lab.setting import OPTION, with_prefix
from feltlab.web.pages.solo import PAY, read_offer
from feltlab.web.staff_request import pit_of, require_any

router = APIRouter()


async def approvals(request: Request) -> Data:
    session, pit = require_any(request, Permission.SUPERVISE, Permission.AUDIT), pit_of(request)
    game = request.query_params.get("game", "")
    given = dict(request.query_params)
    options, pays = with_prefix(given, OPTION), with_prefix(given, PAY)
    return {
        "title": "Approvals",
        "house": pit.house.name,
        "approvals": [describe_approval(pit, found) for found in reversed(pit.approvals.approvals)],
        "administers": session.role.may(Permission.ADMINISTER),
        "supervises": session.role.may(Permission.SUPERVISE),
        "today": today().isoformat(),
        "drafting": bool(game),
        **_draft_form(read_offer(find_game(game or next(iter(GAMES))), options, pays)),
    }


def find_game(name: str) -> Game:
    if name not in GAMES:
        raise Unknown(f"This house has no game {name[:40]!r}.")
    return GAMES[name]


def _draft_form(game: Game) -> Data:
    """The form for a new approval: the game, each of its options with the possible values, and its pays."""
    options = [
        {"name": o.name, "values": list(o.values), "help": o.help, "value": game.options[o.name]}
        for o in game.rules.OPTIONS
    ]
    games = [{"name": found.name, "title": found.title} for found in GAMES.values()]
    chosen = {"game": game.name, "game_title": game.title, "options": options, "example": _example_pay(game)}
    return {"games": games, **chosen, "pays": [f"{spot} {line} {pay}" for spot, line, pay in game.pays]}


def _example_pay(game: Game) -> str:
    """A pay as a draft writes it."""
    spot = game.wagers[-1]
    line = game.pay_table(spot).lines[0]
    return f"{spot.name} {line.outcome} {line.pays}"


# -- One approval -----------------------------------------------------------------------------------


def describe_approval(pit: Pit, found: Approval) -> Data:
    regime, why_not = found.regime, _why_not_in_force(pit, found)
    reached = {done.state for done in found.done}
    return {
        "number": found.number,
        "game": found.game,
        "title": GAMES[found.game].title if found.game in GAMES else found.game,
        "options": dict(found.options),
        "pays": _pays_by_spot(found),
        "digest": found.digest,
        "kind": found.kind,
        "venue": venue(found.kind).title,
        "state": found.state,
        "begins": found.begins.isoformat(),
        "ends": found.ends.isoformat() if found.ends else None,
        "in_force": not why_not,
        "why_not": why_not,
        "tables": _open_tables(pit, found),
        "path": [{"state": step.state, "reached": step.state in reached} for step in regime.path],
        "done": [done.as_json() for done in found.done],
        "possible": [_describe_step(step) for step in regime.possible_steps(found.state)],
    }


def approvals_in_force(pit: Pit) -> Iterator[Approval]:
    return (found for found in pit.approvals if not _why_not_in_force(pit, found))


def _why_not_in_force(pit: Pit, found: Approval) -> str:
    """The reason why no table may open under an approval today, or ''."""
    try:
        game = build_game(found.game, dict(found.options), found.pays)
    except Refused as refused:
        return str(refused)
    return found.why_not(pit.house, game, today())


def _pays_by_spot(approval: Approval) -> Mapping[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for spot, outcome, pay in approval.pays:
        found.setdefault(spot, {})[outcome] = str(pay)
    return found


def _open_tables(pit: Pit, found: Approval) -> list[str]:
    """The tables that are open under an approval."""
    tables = (live.table for live in pit.tables.values() if live.table.phase != Phase.CLOSED)
    return [table.name for table in tables if table.approval == found.number]


def _describe_step(step: Step) -> dict[str, Any]:
    return {"act": step.name, "responsible": step.responsible, "does": step.does, "asks": step.asks}


add_page(router, "/floor/approvals", "floor/approvals.html", approvals)
