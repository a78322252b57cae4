"""Shufflers on the floor: the log of a table's machines, the fault guide, and the models."""

import asyncio

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.games import GAMES
from feltlab.pit.roles import Permission
from feltlab.pit.seats import Phase
from feltlab.pit.shufflers.log import check_machine_name, read_log
from feltlab.pit.table import Table
from feltlab.server.sessions import Session
from feltlab.server.shuffler_view import STAFF, view_shufflers
from feltlab.shuffling.guide import CONTINUAL, LOCAL_PROCEDURE, fault_guides, replacement_steps
from feltlab.shuffling.machine import BACKUP, HAND, MAIN
from feltlab.shuffling.models import find_model, fitting_modes, load_models, may_deal_by_hand
from feltlab.web.page import Data, add_page
from feltlab.web.staff_request import pit_of, require_any

router = APIRouter()
CYCLES_SHOWN = 40


def describe_machine(table: Table) -> Data:
    """The shufflers of a table, with what the dealer has to do about them."""
    now = view_shufflers(table)
    guide = fault_guides().get(now["guide"]) if now["guide"] else None
    steps = [step for step in now["steps"] if not step["done"]]
    return now | {
        "by_hand": table.machines.in_use == HAND,
        "next": steps[0] if steps and now["waits"] else None,
        "advice": guide,
        "may_go_by_hand": table.machines.is_stuck and may_deal_by_hand(table.game),
    }


def supervise_machines(table: Table) -> Data:
    """The supervisor's actions at the machines: the modes to select and the machines to test."""
    machines, names = table.machines, (MAIN, BACKUP)
    between = "" if table.phase == Phase.BETTING else "Possible only while bets are open."
    return {
        "modes": [{"shuffler": name, "modes": _modes(table, name)} for name in names],
        "to_test": [name for name in names if machines[name].out and not machines.step],
        "barred_mode": between or machines.why_waiting,
    }


def _modes(table: Table, name: str) -> list[Data]:
    machine = table.machines[name]
    fitting = fitting_modes(find_model(machine.model), table.game)
    return [
        {"mode": mode.name, "set": mode.name == machine.mode, "fits": mode.name in fitting}
        for mode in find_model(machine.model).mode
    ]


async def log(request: Request) -> Data:
    """The log of a table's machines: cycles, hands delivered, faults and what was done."""
    session, pit = require_any(request, *STAFF), pit_of(request)
    table = pit.table(request.path_params["name"]).table
    chosen = check_machine_name(request.query_params.get("shuffler", ""))
    found = await asyncio.to_thread(read_log, pit.ledger, table.name, table.machines, CYCLES_SHOWN, chosen)
    return {
        "title": f"Shufflers of {table.name}",
        "log": found,
        "chosen": chosen,
        "names": [machine["shuffler"] for machine in view_shufflers(table)["machines"]],
        "now": describe_machine(table),
        "floor": _may_see_table(session),
    }


def _may_see_table(session: Session) -> bool:
    return session.role.may(Permission.SUPERVISE) or session.role.may(Permission.AUDIT)


async def guide(request: Request) -> Data:
    """The fault guide, the seven steps of a replacement, and the models with their modes."""
    require_any(request, *STAFF)
    return {
        "title": "Shuffler guide",
        "guides": list(fault_guides().values()),
        "steps": [step.does for step in replacement_steps()],
        "continual": CONTINUAL,
        "local": LOCAL_PROCEDURE,
        "models": list(load_models().values()),
        "fits": [
            {"game": game.title, "models": _fitting(game.name), "by_hand": may_deal_by_hand(game)}
            for game in GAMES.values()
        ],
    }


def _fitting(name: str) -> list[Data]:
    found = [(model.name, fitting_modes(model, GAMES[name])) for model in load_models().values()]
    return [{"model": model, "modes": list(modes)} for model, modes in found if modes]


add_page(router, "/floor/tables/{name}/shufflers", "floor/shuffler_log.html", log)
add_page(router, "/floor/guide", "floor/shuffler_guide.html", guide)
