"""The lab's first page: every game with the house edge of each wager."""

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
    edges = await asyncio.gather(*(_edges(work, game) for game in GAMES.values()))
    listed = [
        describe_game(game) | {"options": len(game.rules.OPTIONS), "edges": found}
        for game, found in zip(GAMES.values(), edges, strict=True)
    ]
    return {"title": "Lab", "games": listed}


async def _edges(work: Pool, game: Game) -> Data:
    """The house edge of each wager under the default stake, or the progress of the proof."""
    setting = Setting(game, {})
    proved = await answer_part(work, "proof", **setting.question, strategy=setting.strategy)
    return proved if "working" in proved else {n: bet["house_edge"] for n, bet in proved["bets"].items()}


add_lab_page(router, "/lab", "lab/overview.html", overview)
