"""Lab pages whose answers a worker process computes.

A page asks the worker and is either the answer or a page that shows the progress and asks again. Nothing
is proved in the server. All settings of a visitor are parameters of the address, so every answer has one.
"""

from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import Response

from feltlab.errors import Refused, TooOften
from feltlab.games import GAMES, game_named
from feltlab.server.responses import json_response
from feltlab.web.page import Data, PageFunction, describe_visitor, per_app, plain_json, render_page
from feltlab.workers.lab import open_lab
from feltlab.workers.pool import Pool, Working

PART_SECONDS = 0.3  # after which a page is shown without a part that is not ready
MAX_PARTS_WAITING = 4  # so that a page with many parts, such as the list of all games, leaves room for others


def work_of(app: FastAPI) -> Pool:
    """The worker processes of an app; the first question starts one."""
    return per_app(app, "work", open_lab)


def add_lab_page(router: APIRouter, path: str, template: str, ask: PageFunction, what: str = "") -> None:
    """Serve a page whose answer may take time, as HTML and as JSON; `what` says what the worker does."""

    async def show(request: Request) -> Data:
        request.app.state.auth.find_reader(request)  # limits the rate of requests
        return await ask(request)

    async def as_json(request: Request) -> Response:
        try:
            data, status = await show(request), 200
        except Working as working:
            data, status = {"working": working.as_json()}, 202
        return json_response(plain_json(data), status)

    async def as_html(request: Request) -> Response:
        try:
            data = await show(request)
        except Working as working:
            return progress_page(request, working, what)
        return render_page(template, {"visitor": describe_visitor(request)} | data)

    router.add_api_route(f"{path}.json", as_json, include_in_schema=False)  # first: a name may contain dots
    router.add_api_route(path, as_html, include_in_schema=False)


async def answer_part(work: Pool, kind: str, **question: Any) -> Data:
    """The answer to a part of a page, or its progress; a page is shown while a part is still computed."""
    try:
        found: Data = await work.answer(kind, PART_SECONDS, MAX_PARTS_WAITING, **question)
    except Working as working:
        return {"working": working.as_json()}
    except TooOften:
        return {"working": {"progress": 0, "seconds": 0, "ahead": max(1, MAX_PARTS_WAITING)}}
    return found


async def show_part(work: Pool, kind: str, **question: Any) -> Data:
    """The same, for a page that is shown without the part if it cannot be had: with the reason instead."""
    try:
        return await answer_part(work, kind, **question)
    except Refused as refused:
        return {"refused": str(refused)}


def progress_page(request: Request, working: Working, what: str = "", download: bool = False) -> Response:
    """A page that shows how far an answer is, and asks for it again."""
    path = request.url.path
    name = path.split("/")[2] if path.count("/") > 1 else ""
    game = game_named(name) if name in GAMES else None
    data = {
        "visitor": describe_visitor(request),
        "title": game.title if game else "Findings",
        "what": what or ("Proving" if game else "Auditing"),
        "back": f"/lab/{name}" if game else "/lab",
        "download": download,
        "working": working.as_json(),
    }
    return render_page("lab/progress.html", data, 202)
