"""The readings of a game's rules that could be otherwise, and what each would do to the edges."""

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.web.page import Data
from feltlab.web.pages.lab.setting import describe_game, game_of, read_parameters
from feltlab.web.pages.lab.waiting import add_lab_page, work_of

router = APIRouter()


async def readings(request: Request) -> Data:
    game = game_of(request)
    read_parameters(request)
    report = await work_of(request.app).answer("readings", game=game.name, options={})
    return {"title": game.title, "game": describe_game(game), "report": report}


add_lab_page(router, "/lab/{game}/readings", "lab/readings.html", readings)
