"""The findings: the audit's report on published figures, for all games or one."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from feltlab.games import GAMES, game_named
from feltlab.web.page import Data
from feltlab.web.pages.lab.setting import game_of, read_parameters
from feltlab.web.pages.lab.waiting import add_lab_page, work_of

router = APIRouter()


async def findings(request: Request) -> Data:
    chosen = read_parameters(request, "game").get("game", "")
    names = [game_named(chosen).name] if chosen else list(GAMES)
    report = await work_of(request.app).answer("findings", games=names)
    listed = [{"name": game.name, "title": game.title} for game in GAMES.values()]
    return {"title": "Findings", "chosen": chosen, "games": listed, "report": report}


async def redirect_to_findings(request: Request) -> Response:
    """The findings of a game are a filter of the findings page."""
    suffix = ".json" if request.url.path.endswith(".json") else ""
    return RedirectResponse(f"/findings{suffix}?game={game_of(request).name}")


for suffix in ("", ".json"):
    router.add_api_route("/lab/{game}/findings" + suffix, redirect_to_findings, include_in_schema=False)
add_lab_page(router, "/findings", "lab/findings.html", findings)
