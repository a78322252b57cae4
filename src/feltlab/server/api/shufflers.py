"""Shufflers: the models by name, the fault guide, and the log of a table's machines."""

import asyncio
from typing import Annotated, Any

from fastapi import Query
from starlette.responses import Response

from feltlab.games import GAMES
from feltlab.pit.shufflers.log import check_machine_name, read_log
from feltlab.server.responses import json_response
from feltlab.server.routing import Anyone, Last, Name, Reader, TheAuth, ThePit, new_router
from feltlab.server.shuffler_models import GuideAnswer, LogAnswer, ModelAnswer
from feltlab.server.shuffler_view import STAFF, view_shufflers
from feltlab.shuffling.guide import FaultGuide, fault_guides, find_guide
from feltlab.shuffling.models import Model, fitting_modes, load_models

router = new_router()


@router.get("/shufflers", responses={200: {"model": list[ModelAnswer]}})
async def list_models(_: Anyone) -> Response:
    """The models of shufflers by name: their modes, and which modes fit each game."""
    return json_response([model_json(model) for model in load_models().values()])


def model_json(model: Model) -> dict[str, Any]:
    """A model, and by game the modes that fit."""
    fits = {game.name: list(fitting_modes(model, game)) for game in GAMES.values()}
    return {
        "model": model.name,
        "decks": model.decks,
        "source": model.source,
        "applications": list(model.applications),
        "modes": [{"mode": m.name, "packet": m.packet or None, "source": m.source} for m in model.mode],
        "fits": {game: modes for game, modes in fits.items() if modes},
    }


@router.get("/shufflers/guide", responses={200: {"model": list[GuideAnswer]}})
async def list_guides(_: Anyone) -> Response:
    """The guide of every fault."""
    return json_response([guide_json(guide) for guide in fault_guides().values()])


@router.get("/shufflers/guide/{fault}", responses={200: {"model": GuideAnswer}})
async def show_guide(_: Anyone, fault: Name) -> Response:
    """What a dealer does about a fault: what to check first, the steps, and when to call service."""
    return json_response(guide_json(find_guide(fault)))


def guide_json(guide: FaultGuide) -> dict[str, Any]:
    said = {"shows": guide.shows, "means": guide.means, "first": guide.first}
    return {"fault": guide.kind, **said, "steps": list(guide.steps), "service": guide.service}


@router.get("/tables/{name}/shufflers", responses={200: {"model": LogAnswer}})
async def show_log(
    pit: ThePit,
    auth: TheAuth,
    session: Reader,
    name: Name,
    last: Last = 20,
    shuffler: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """The log of a table's shufflers: cycles, hands delivered, faults and what was done, the newest first."""
    auth.require_any(session, *STAFF)
    table = pit.table(name).table
    chosen = check_machine_name(shuffler)
    log = await asyncio.to_thread(read_log, pit.ledger, table.name, table.machines, last, chosen)
    return json_response({**log, "now": view_shufflers(table)})
