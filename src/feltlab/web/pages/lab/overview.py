"""The lab's first page: every game with what each wager costs."""

import asyncio

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.web.page import Data
from feltlab.web.pages.lab.setting import Setting, describe_game, read_parameters
from feltlab.web.pages.lab.waiting import add_lab_page, answer_part, work_of
from feltlab.workers.pool import Pool

router = APIRouter()


async def overview(request: Request) -> Data:
    read_parameters(request)
    work = work_of(request.app)
    costs = await asyncio.gather(*(_costs(work, game) for game in GAMES.values()))
    listed = [
        describe_game(game) | {"options": len(game.rules.OPTIONS), "costs": found}
        for game, found in zip(GAMES.values(), costs, strict=True)
    ]
    return {"title": "Lab", "games": listed}


async def _costs(work: Pool, game: Game) -> Data:
    """The cost of each wager beside the default stake, or the progress of the proofs."""
    return await answer_part(work, "costs", **Setting(game, {}).question)


add_lab_page(router, "/lab", "lab/overview.html", overview)
