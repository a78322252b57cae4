"""Shufflers: the models by name, the fault guide, and the log of a table's machines."""

import asyncio
from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from feltlab.pit.shufflers.log import check_machine_name, read_log
from feltlab.server.responses import json_response
from feltlab.server.routing import Anyone, Last, Name, Reader, TheAuth, ThePit, new_router
from feltlab.server.shuffler_models import GuideAnswer, LogAnswer, ModelAnswer
from feltlab.server.shuffler_view import STAFF, view_shufflers
from feltlab.shuffling.guide import fault_guides, find_guide
from feltlab.shuffling.models import load_models, model_to_json

router = new_router()


@router.get("/shufflers", responses={200: {"model": list[ModelAnswer]}})
async def list_models(_: Anyone) -> Response:
    """The models of shufflers by name: their modes, and which modes fit each game."""
    return json_response([model_to_json(model) for model in load_models().values()])


@router.get("/shufflers/guide", responses={200: {"model": list[GuideAnswer]}})
async def list_guides(_: Anyone) -> Response:
    """The guide of every fault."""
    return json_response([guide.to_json() for guide in fault_guides().values()])


@router.get("/shufflers/guide/{fault}", responses={200: {"model": GuideAnswer}})
async def show_guide(_: Anyone, fault: Name) -> Response:
    """The guide for a fault: what to check first, the steps, and when to call service."""
    return json_response(find_guide(fault).to_json())


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
