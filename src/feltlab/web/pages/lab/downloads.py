"""Downloads of the lab: PAR sheets and submission packets."""

from base64 import b64decode
from collections.abc import Mapping

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from feltlab.errors import Unknown
from feltlab.server.responses import json_response
from feltlab.submission.venues import venue
from feltlab.text import listing
from feltlab.web.page import Data
from feltlab.web.pages.lab.setting import OPTION, STAKE, Setting, game_of, read_parameters
from feltlab.web.pages.lab.waiting import progress_page, work_of
from feltlab.web.staff_request import pit_of
from feltlab.workers.pool import ANSWER_SECONDS, Working

router = APIRouter()
MEDIA_TYPES = {
    "pdf": "application/pdf",
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "json": "application/json",
    "zip": "application/zip",
}
SHEET_SUFFIXES = ("pdf", "html", "md", "json")
PAPERS = ("letter", "a4")


def read_paper(found: Mapping[str, str]) -> str:
    """The paper that a visitor asks for; US Letter if none is named."""
    paper = found.get("paper", PAPERS[0])
    if paper not in PAPERS:
        raise Unknown(f"{paper!r} is not a paper; the papers are {listing(PAPERS)}.")
    return paper


async def par_sheet(request: Request) -> Response:
    """A PAR sheet as a file."""
    game, suffix = game_of(request), request.path_params["suffix"]
    if suffix not in SHEET_SUFFIXES:
        raise Unknown(f"A PAR sheet can be downloaded as {listing(SHEET_SUFFIXES, 'or')}.")
    found = read_parameters(request, "strategy", "paper", prefixes=(OPTION, STAKE))
    setting = Setting(game, found)
    question = setting.question | {"strategy": setting.strategy, "suffix": suffix, "paper": read_paper(found)}
    return await send_file(request, "par", question, f"{game.name}-par.{suffix}", "Making the PAR sheet")


async def packet(request: Request) -> Response:
    """A submission packet as an archive."""
    found = read_parameters(request, "venue", "paper", prefixes=(OPTION,))
    setting = Setting(game_of(request), found)
    where = venue(found.get("venue", "commercial")).name
    question: Data = {"game": setting.game.name, "options": dict(setting.game.chosen), "venue": where}
    question["paper"] = read_paper(found)
    question["demonstration"] = pit_of(request).house.is_demonstration
    name = f"{setting.game.name}-{where}-packet.zip"
    return await send_file(request, "packet", question, name, "Making the packet")


async def send_file(
    request: Request, kind: str, question: Data, name: str, what: str, seconds: float = ANSWER_SECONDS
) -> Response:
    """Answer with a file that the lab's worker makes, or with its progress."""
    wants_page = "text/html" in request.headers.get("accept", "")
    try:
        made = await work_of(request.app).answer(kind, seconds, **question)
    except Working as working:
        if wants_page:
            return progress_page(request, working, what, download=True)
        return json_response({"working": working.as_json()}, 202)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(b64decode(made["file"]), 200, headers, MEDIA_TYPES[name.rpartition(".")[2]])


router.add_api_route("/lab/{game}/par.{suffix}", par_sheet, include_in_schema=False)
router.add_api_route("/lab/{game}/packet.zip", packet, include_in_schema=False)
