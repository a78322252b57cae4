"""The training manual of a game, as a page and as a file."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from feltlab.errors import Unknown
from feltlab.text import listing
from feltlab.web.page import Data
from feltlab.web.pages.lab.downloads import read_paper, send_file
from feltlab.web.pages.lab.setting import OPTION, describe_game, game_of, read_parameters, with_prefix
from feltlab.web.pages.lab.waiting import add_lab_page, work_of

router = APIRouter()
MAKING = "Making the manual"
MANUAL_SUFFIXES = ("pdf", "html", "md", "txt")


async def manual(request: Request) -> Data:
    """The manual under the options of the address."""
    chosen = with_prefix(read_parameters(request, prefixes=(OPTION,)), OPTION)
    game = game_of(request).with_options(chosen)
    found = await work_of(request.app).answer(
        "manual", game=game.name, options=dict(game.chosen), suffix="", paper=""
    )
    return {"title": f"{game.title}: training manual", "game": describe_game(game), "manual": found}


async def manual_file(request: Request) -> Response:
    """The manual as a file."""
    suffix = request.path_params["suffix"]
    if suffix not in MANUAL_SUFFIXES:
        raise Unknown(f"A training manual can be downloaded as {listing(MANUAL_SUFFIXES, 'or')}.")
    found = read_parameters(request, "paper", prefixes=(OPTION,))
    game = game_of(request).with_options(with_prefix(found, OPTION))
    question = {"game": game.name, "options": dict(game.chosen), "suffix": suffix, "paper": read_paper(found)}
    return await send_file(request, "manual", question, f"{game.name}-manual.{suffix}", MAKING)


add_lab_page(router, "/school/{game}/manual", "school/manual.html", manual, MAKING)
router.add_api_route("/school/{game}/manual.{suffix}", manual_file, include_in_schema=False)
