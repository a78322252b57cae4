"""Approvals: what waits for each side, what was decided, and the conditions that hold or fail."""

from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from feltlab.core.game import Game
from feltlab.errors import Unknown
from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_CHAIN
from feltlab.pit.approvals import Approval
from feltlab.pit.approvals.codes import CODE_KINDS, Code, fold_codes
from feltlab.pit.approvals.houses import DEMO_CAUTION
from feltlab.pit.approvals.licences import COVERS, LICENSING_SIDES
from feltlab.pit.approvals.submissions import Submission
from feltlab.pit.pit import Pit, today
from feltlab.pit.regimes import Regime, game_regime
from feltlab.pit.roles import OUTSIDE_ROLES, Permission, Role, Side
from feltlab.pit.seats import Phase
from feltlab.server.api.submission_access import find_submission, list_submissions
from feltlab.server.approval_view import (
    approval_to_data,
    change_to_data,
    licence_to_data,
    model_to_data,
    submission_to_data,
    why_not_in_force,
)
from feltlab.shuffling.models import load_models
from feltlab.submission.venues import venue, venues
from feltlab.web.page import Data, add_page
from feltlab.web.pages.lab.setting import OPTION, with_prefix
from feltlab.web.pages.solo import PAY, read_offer
from feltlab.web.staff_request import pit_of, require_any

router = APIRouter()
PARTIES = (Permission.SUPERVISE, Permission.AUDIT, Permission.SUBMIT)


async def approvals(request: Request) -> Data:
    """Everything about approvals that the visitor's side takes part in."""
    session, pit = require_any(request, *PARTIES), pit_of(request)
    role, register = session.role, pit.approvals
    operators = [] if role.side == Side.MAKER else list(reversed(register.approvals))
    return {
        "title": "Approvals",
        "house": pit.house.name,
        "kind": venue(pit.house.kind(today())).title,
        "is_demonstration": pit.house.is_demonstration,
        "demonstration": DEMO_CAUTION if pit.house.is_demonstration else "",
        "role": role.value,
        "side": role.side.value,
        "decides": role.may(role.side.decides_by),
        "supervises": role.may(Permission.SUPERVISE),
        "waiting": list(_list_waiting(pit, role)),
        "submissions": [
            describe_submission(pit, found, role) for found in reversed(list_submissions(pit, session))
        ],
        "approvals": [describe_approval(pit, found, role) for found in operators],
        "licences": list(map(licence_to_data, register.licences)),
        "models": list(map(model_to_data, register.licences.models)),
        "codes": _list_codes(pit) if role.may(Permission.AUDIT) else [],
        "today": today().isoformat(),
        **_form_data(request),
    }


def _form_data(request: Request) -> Data:
    """The forms: the game of the address under its options and pays, and the lists to choose from."""
    given, game = dict(request.query_params), request.query_params.get("game", "")
    options, pays = with_prefix(given, OPTION), with_prefix(given, PAY)
    lists = {"covers": list(COVERS), "known_models": list(load_models()), "licensing": list(LICENSING_SIDES)}
    kinds = [{"name": known.name, "title": known.title} for known in venues().values()]
    offer = read_offer(find_game(game or next(iter(GAMES))), options, pays)
    return {"drafting": bool(game), "kinds": kinds, **lists, **_draft_form(offer)}


def find_game(name: str) -> Game:
    if name not in GAMES:
        raise Unknown(f"This house has no game {name[:40]!r}.")
    return GAMES[name]


def _draft_form(game: Game) -> Data:
    """The game of a form, each of its options with the possible values, and its pays."""
    options = [
        {"name": o.name, "values": list(o.values), "help": o.help, "value": game.options[o.name]}
        for o in game.rules.OPTIONS
    ]
    games = [{"name": found.name, "title": found.title} for found in GAMES.values()]
    chosen = {"game": game.name, "game_title": game.title, "options": options, "example": _example_pay(game)}
    return {"games": games, **chosen, "pays": [f"{spot} {line} {pay}" for spot, line, pay in game.pays]}


def _example_pay(game: Game) -> str:
    """A pay as a form writes it."""
    spot = game.wagers[-1]
    line = game.pay_table(spot).lines[0]
    return f"{spot.name} {line.outcome} {line.pays}"


# -- What waits -------------------------------------------------------------------------------------


def _list_waiting(pit: Pit, role: Role) -> Iterator[Data]:
    """The next tasks of the visitor's side: steps on the way to an approval, and conditions that fail."""
    if not role.may(role.side.decides_by):
        return
    for found in pit.approvals.submissions:
        if step := _next_step(game_regime(), found.state, role):
            yield {
                "what": f"{_title(found.game)}: {step['does']}",
                "link": f"/approvals/games/{found.number}",
            }
    for approval in pit.approvals:
        if step := _next_step(approval.regime, approval.state, role):
            yield {"what": f"{approval}: {step['does']}", "link": f"#approval-{approval.number}"}
        if role.side == Side.HOUSE and approval.is_open:
            failing = [one.says for one in pit.approvals.conditions(approval, today()) if one.why_not]
            if failing:
                many = "a condition fails" if len(failing) == 1 else f"{len(failing)} conditions fail"
                yield {"what": f"{approval}: {many}.", "link": f"#approval-{approval.number}"}


def _next_step(regime: Regime, state: str, role: Role) -> dict[str, str] | None:
    """The step that leads on from a state, if the visitor's side takes it."""
    for step in regime.path[1:]:
        if state in step.after and role.side in step.sides:
            return {"act": step.name, "does": step.does}
    return None


def _title(game: str) -> str:
    return GAMES[game].title if game in GAMES else game


def _list_codes(pit: Pit) -> list[Data]:
    """Every one-time code that was ever made, the newest first."""
    codes = fold_codes(pit.ledger.events(HOUSE_CHAIN, kinds=CODE_KINDS)).by_digest.values()
    return [_describe_code(code) for code in reversed(list(codes))]


def _describe_code(code: Code) -> Data:
    side = OUTSIDE_ROLES[code.role].in_words
    days = {"made": code.made[:10], "expires": code.expires[:10], "spent": code.spent[:10]}
    return {"role": code.role.value, "side": side, "account": code.account, "lost": code.lost, **days}


# -- One approval -----------------------------------------------------------------------------------


def describe_approval(pit: Pit, found: Approval, role: Role = Role.AUDITOR) -> Data:
    """An operator's approval for a page, with the steps that the visitor may take."""
    data, reached = approval_to_data(pit, found), {done.state for done in found.done}
    last = {filing.condition: filing.as_json() for filing in found.filings}
    return data | {
        "title": _title(found.game),
        "venue": venue(found.kind).title,
        "begins": found.begins.isoformat(),
        "ends": found.ends.isoformat() if found.ends else None,
        "pays": _pays_by_spot(found),
        "tables": _open_tables(pit, found),
        "path": [{"state": step.state, "reached": step.state in reached} for step in found.regime.path],
        "conditions": [one | {"filing": last.get(one["name"])} for one in data["conditions"]],
        "mine": _steps_of(data["possible"], role),
        "files": role.side == Side.HOUSE and role.may(Permission.ADMINISTER) and found.is_open,
    }


def _steps_of(possible: list[dict[str, Any]], role: Role) -> list[dict[str, Any]]:
    """The possible steps that are those of the visitor's side."""
    if not role.may(role.side.decides_by):
        return []
    return [step for step in possible if role.side in step["sides"]]


def approvals_in_force(pit: Pit) -> Iterator[Approval]:
    return (found for found in pit.approvals if not why_not_in_force(pit, found))


def _pays_by_spot(approval: Approval | Submission) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for spot, outcome, pay in approval.pays:
        found.setdefault(spot, {})[outcome] = str(pay)
    return found


def _open_tables(pit: Pit, found: Approval) -> list[str]:
    """The tables that are open under an approval."""
    tables = (live.table for live in pit.tables.values() if live.table.phase != Phase.CLOSED)
    return [table.name for table in tables if table.approval == found.number]


# -- One game of a maker ----------------------------------------------------------------------------


def describe_submission(pit: Pit, found: Submission, role: Role) -> Data:
    """A maker's approval for a page, with the steps that the visitor may take."""
    data, reached = submission_to_data(found), {done.state for done in found.done}
    return data | {
        "title": _title(found.game),
        "pays": _pays_by_spot(found),
        "venues": [venue(kind).title for kind in found.kinds],
        "path": [{"state": step.state, "reached": step.state in reached} for step in game_regime().path],
        "mine": _steps_of(data["possible"], role),
    }


async def submission(request: Request) -> Data:
    """A maker's approval, with the changes of an amendment against the approved version."""
    session, pit = require_any(request, *PARTIES), pit_of(request)
    number = request.path_params["number"]
    found = find_submission(pit, session, int(number) if number.isdecimal() and len(number) < 10 else 0)
    before, changes = pit.approvals.submissions.list_changes(found.number)
    return {
        "title": f"{_title(found.game)}, submission {found.reference}",
        "found": describe_submission(pit, found, session.role),
        "before": describe_submission(pit, before, session.role) if before else None,
        "changes": list(map(change_to_data, changes)),
        "demonstration": DEMO_CAUTION if pit.house.is_demonstration else "",
        "today": today().isoformat(),
    }


async def redirect(request: Request) -> Response:
    """The address of earlier versions."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(request.url.path.removeprefix("/floor") + query, 308)


add_page(router, "/approvals/games/{number}", "approvals/submission.html", submission)
add_page(router, "/approvals", "approvals/overview.html", approvals)
for old in ("/floor/approvals", "/floor/approvals.json"):
    router.add_api_route(old, redirect, include_in_schema=False)
