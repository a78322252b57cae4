"""The web application: the API of a pit with its pages, as `feltlab serve` serves it."""

from pathlib import PurePath
from typing import Any

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from feltlab.errors import Refused
from feltlab.ledger.ledger import LedgerDown
from feltlab.pit.pit import Pit
from feltlab.server import app as api
from feltlab.server.auth import FactorMissing
from feltlab.server.responses import http_error_response, refusal_response, sentence_of, status_of
from feltlab.server.table_access import Private
from feltlab.web.compression import compress_file
from feltlab.web.page import (
    STATIC,
    compile_templates,
    describe_visitor,
    render_page,
    static_version,
    wants_page,
)
from feltlab.web.pages import (
    account,
    approvals,
    coach,
    floor,
    games,
    hands,
    lab,
    limits,
    lobby,
    progressives,
    rounds,
    rules,
    school,
    solo,
    table,
    train,
    training_progress,
)

PARTS = (
    *(lobby, solo, table, rules, coach, train, training_progress),
    *(rounds, hands, account, approvals, limits, progressives),
    *(*games.PARTS, *floor.PARTS, *lab.PARTS, *school.PARTS),
)
ONE_YEAR = "public, max-age=31536000, immutable"  # the version in an address changes with the content
TITLES = {
    401: "Please sign in",
    403: "Not available for your role",
    404: "Not found",
    429: "Too many requests",
    503: "The ledger cannot be reached",
}


class VersionedStaticFiles(StaticFiles):
    """Static files behind the version in their addresses; those of the current version never change.

    A page of an earlier version, loaded while the server was upgraded, gets the current files uncached.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        version, *parts = PurePath(path).parts
        response = await super().get_response(str(PurePath(*parts)), scope)
        response = compress_file(STATIC.joinpath(*parts), response, Headers(scope=scope))
        if version == static_version():
            response.headers["cache-control"] = ONE_YEAR
        return response


def app(pit: Pit, **options: Any) -> FastAPI:
    """The API of a pit and its pages."""
    made = api.app(pit, **options)
    made.mount("/static", VersionedStaticFiles(directory=STATIC), "static")
    for part in PARTS:
        made.include_router(part.router)
    for kind in (Refused, LedgerDown):
        made.add_exception_handler(kind, _answer_refusal)
    made.add_exception_handler(HTTPException, _answer_http_error)
    compile_templates()
    return made


async def _answer_refusal(request: Request, error: Exception) -> Response:
    if not wants_page(request):
        return refusal_response(error)
    if isinstance(error, FactorMissing):
        return RedirectResponse("/account/second-factor", 303)
    status = status_of(error)
    title = error.title if isinstance(error, Private) else TITLES.get(status, "Not possible")
    notice = {"title": title, "sentence": sentence_of(error)}
    back = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    sign_in = {"sign_in": back} if status in (401, 403) else {}
    return render_page("notice.html", {"visitor": describe_visitor(request)} | notice | sign_in, status)


async def _answer_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if not wants_page(request):
        return http_error_response(error)
    sentence = "There is no such page." if error.status_code == 404 else str(error.detail)
    notice = {"title": TITLES[404], "sentence": sentence, "visitor": describe_visitor(request)}
    return render_page("notice.html", notice, error.status_code)
