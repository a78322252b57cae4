"""The pit with its pages: what `feltlab serve` serves."""

from importlib import resources
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from feltlab.errors import Refused
from feltlab.ledger.ledger import LedgerDown
from feltlab.pit.pit import Pit
from feltlab.server import app as api
from feltlab.server.responses import of_http, refusal, said_of, status_of
from feltlab.web.page import html, visitor
from feltlab.web.pages import account, coach, lobby, rounds, rules, table
from feltlab.web.pages.floor import events
from feltlab.web.pages.floor import ledger as verification
from feltlab.web.pages.floor import open_table as house
from feltlab.web.pages.floor import overview as floor
from feltlab.web.pages.lab import proof as lab

PARTS = (lobby, table, rules, coach, rounds, account, floor, house, events, verification, lab)
A_YEAR = "public, max-age=31536000, immutable"  # their addresses change with their content
TITLES = {
    401: "Please sign in",
    403: "This page is for others",
    404: "Not here",
    429: "Too often",
    503: "The ledger cannot be reached",
}


class Static(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if scope["query_string"]:
            response.headers["cache-control"] = A_YEAR
        return response


def app(pit: Pit, **door: Any) -> FastAPI:
    """The interface of a pit and its pages."""
    made = api.app(pit, **door)
    made.mount("/static", Static(directory=str(resources.files("feltlab.web") / "static")), "static")
    for part in PARTS:
        made.include_router(part.router)
    for kind in (Refused, LedgerDown):
        made.add_exception_handler(kind, _refused)
    made.add_exception_handler(HTTPException, _http)
    return made


async def _refused(request: Request, error: Exception) -> Response:
    if not _wants_page(request):
        return refusal(error)
    status = status_of(error)
    told = {"title": TITLES.get(status, "Not so"), "sentence": said_of(error)}
    back = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    signs = {"sign_in": back} if status in (401, 403) else {}
    return html("notice.html", {"visitor": visitor(request)} | told | signs, status)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if not _wants_page(request):
        return of_http(error)
    sentence = "There is no such page." if error.status_code == 404 else str(error.detail)
    told = {"title": "Not here", "sentence": sentence, "visitor": visitor(request)}
    return html("notice.html", told, error.status_code)


def _wants_page(request: Request) -> bool:
    path = request.url.path
    machine = path.startswith(("/api", "/static", "/openapi")) or path.endswith(".json")
    return not machine and "text/html" in request.headers.get("accept", "")
