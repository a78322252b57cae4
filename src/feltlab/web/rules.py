"""The rules of a game as a page: the same sheet that `feltlab rules` prints."""

from functools import cache

from fastapi import APIRouter
from markdown_it import MarkdownIt
from starlette.requests import Request

from feltlab.games import GAMES
from feltlab.sheets import rule_sheet
from feltlab.web.page import Data, add_page

router = APIRouter()


async def rules(request: Request) -> Data:
    game = GAMES[request.path_params["game"]]
    return {"title": f"{game.title}: rules", "game": game.name, "sheet": sheet(game.name)}


@cache
def sheet(name: str) -> str:
    """The rules as HTML; what is HTML in their text stays text."""
    made: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(rule_sheet(name))
    return made


add_page(router, "/rules/{game}", "rules.html", rules)
