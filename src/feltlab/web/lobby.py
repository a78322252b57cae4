"""The lobby: every game, and the tables that are open."""

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.games import GAMES
from feltlab.pit.pit import Pit
from feltlab.pit.view import summary
from feltlab.web.page import Data, add_page

router = APIRouter()


async def lobby(request: Request) -> Data:
    pit: Pit = request.app.state.pit
    tables = [summary(live.table) for live in pit.tables.values()]
    games = [
        {
            "name": game.name,
            "title": game.title,
            "summary": game.rules.SUMMARY,
            "tables": [table for table in tables if table["game"] == game.name],
        }
        for game in GAMES.values()
    ]
    return {"title": "Tables", "games": games}


add_page(router, "/", "lobby.html", lobby)
