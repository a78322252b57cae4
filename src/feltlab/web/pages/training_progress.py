"""The progress of a visitor in the trainer, kept for the account: read and saved by the trainer's scripts."""

from typing import Annotated, Any

from fastapi import FastAPI
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from feltlab.games import game_named
from feltlab.ledger.backup import TRAINING_FOLDER
from feltlab.pit.pit import Pit
from feltlab.pit.players.training_records import TrainingRecords
from feltlab.server.models import MAX_JSON_INT, RequestModel
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, Name, Reader, new_router
from feltlab.web.page import per_app

router = new_router()


class TrainingProgress(RequestModel):
    """A browser's record of a game, and when it was last changed."""

    at: Annotated[int, Field(ge=0, le=MAX_JSON_INT)]
    stored: dict[str, Any]


def records_of(app: FastAPI) -> TrainingRecords:
    pit: Pit = app.state.pit
    return per_app(app, "training_records", lambda: TrainingRecords(pit.folder / TRAINING_FOLDER))


@router.get("/train/progress", include_in_schema=False)
async def show_progress(request: Request, session: Reader) -> Response:
    """My progress in every game."""
    return json_response(records_of(request.app).load(session.account))


@router.post("/train/{game}/progress", include_in_schema=False)
async def save_progress(request: Request, session: Actor, game: Name, progress: TrainingProgress) -> Response:
    """Keep my progress in a game; the answer is the later of this record and the one that was there."""
    name = game_named(game).name
    return json_response(records_of(request.app).save(session.account, name, progress.at, progress.stored))
