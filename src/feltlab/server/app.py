"""The pit's interface for programs: HTTP and WebSocket under /api.

The view of a table comes from `pit.view`, and finished rounds come from the ledger. Nothing else here
looks at cards.
"""

import asyncio
from functools import partial

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from feltlab import __version__
from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_CHAIN, Event
from feltlab.ledger.ledger import LedgerDown
from feltlab.ledger.sharing.leases import Elsewhere
from feltlab.pit.custody.second_factor import FACTOR_KINDS, SecondFactors
from feltlab.pit.pit import Pit
from feltlab.server import api_docs
from feltlab.server.api import (
    accounts,
    approvals,
    history,
    irregularities,
    jackpots,
    licences,
    limits,
    passkeys,
    requests,
    second_factor,
    sessions,
    shufflers,
    solo,
    submissions,
    tables,
)
from feltlab.server.api.meter_board import MeterBoard
from feltlab.server.auth import Auth
from feltlab.server.clients.allowance import Allowance
from feltlab.server.clients.budgets import Disk
from feltlab.server.forwarding.forwarder import Forwarder, note_elsewhere
from feltlab.server.guard import Guard
from feltlab.server.models import HealthAnswer
from feltlab.server.network import Network
from feltlab.server.request_json import describe_errors
from feltlab.server.responses import ERROR_RESPONSES, http_error_response, json_response, refusal_response
from feltlab.server.routing import Anyone, ThePit, new_router
from feltlab.server.sessions import SIGNED_OUT, Sessions
from feltlab.server.view_cache import ViewCache

DESCRIPTION = (
    "Every answer is JSON; a request that was not done is answered with one sentence under 'error'. A session"
    " comes in a cookie, and then changes need the header X-CSRF-Token; or it comes in the header"
    " Authorization: Bearer. Amounts are cents, seats are numbered from 1. A WebSocket at"
    " /api/tables/{name}/live sends the table whenever it changes and takes a player's actions as messages."
)
router = new_router()
PARTS = (
    *(sessions, second_factor, passkeys, accounts, limits, tables, solo, shufflers, irregularities, history),
    *(approvals, submissions, licences, requests, jackpots),
)


@router.get("/health", responses={200: {"model": HealthAnswer}})
async def check_health(pit: ThePit, _: Anyone) -> Response:
    """Can the ledger be written?"""
    if pit.ledger.down:
        raise LedgerDown(pit.ledger.down)
    return json_response({"ok": True, "version": __version__, "tables": len(pit.tables)})


def app(
    pit: Pit,
    *,
    token: str = "",
    network: Network | None = None,
    allowance: Allowance | None = None,
    require_second_factor: bool = False,
) -> FastAPI:
    """The API of a running pit; with a token, only for clients that send it."""
    api = FastAPI(
        title="feltlab pit",
        description=DESCRIPTION,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    factors = SecondFactors(pit.ledger, pit.books.vault, require_second_factor)
    allowance = allowance or Allowance()
    auth = Auth(_open_sessions(pit, factors), allowance, Disk(pit.folder, allowance.free_bytes), factors)
    api.state.pit, api.state.auth, api.state.views = pit, auth, ViewCache()
    api.state.meters = MeterBoard(pit)
    for part in PARTS:
        api.include_router(part.router, responses=ERROR_RESPONSES)
    api.include_router(router, responses=ERROR_RESPONSES)
    if pit.membership:
        api.add_middleware(Forwarder, membership=pit.membership, auth=auth)
        api.add_exception_handler(Elsewhere, note_elsewhere)
    api.add_middleware(Guard, token=token, network=network or Network(), allowance=allowance)
    for kind in (Refused, LedgerDown):
        api.add_exception_handler(kind, _answer_refusal)
    api.add_exception_handler(HTTPException, _answer_http_error)
    api.add_exception_handler(RequestValidationError, _answer_invalid)
    _add_docs(api)
    return api


def _open_sessions(pit: Pit, factors: SecondFactors) -> Sessions:
    """The sessions of a pit; they follow the ledger, as its second factors do."""

    def sessions_from(account: str) -> int | None:
        begins = pit.accounts.sessions_from(account)
        return None if begins is None else max(begins, factors.sessions_from(account))

    opened = Sessions.load(pit.folder / "sessions.key", sessions_from)
    pit.reloads.append(lambda: opened.follow(pit.ledger.events(HOUSE_CHAIN, kinds=(SIGNED_OUT,))))
    pit.reloads[-1]()
    pit.reloads.append(factors.sync)
    pit.keys.followers.append(opened.reload_keys)
    if pit.membership:
        pit.membership.listeners.append(partial(_follow_house, pit, opened, factors))
    return opened


def _follow_house(pit: Pit, opened: Sessions, factors: SecondFactors, events: list[Event]) -> None:
    """Follow what other servers have written about sessions and second factors."""
    opened.follow(event for event in events if event.kind == SIGNED_OUT)
    if any(event.kind in FACTOR_KINDS for event in events):
        pit.run(asyncio.to_thread(factors.sync))


def _add_docs(api: FastAPI) -> None:
    @api.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(api_docs.render_page(api.openapi()))

    @api.get("/docs/style.css", include_in_schema=False)
    async def style() -> Response:
        return Response(api_docs.STYLE, media_type="text/css")


async def _answer_refusal(request: Request, error: Exception) -> Response:
    return refusal_response(error)


async def _answer_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return http_error_response(error)


async def _answer_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return json_response({"error": describe_errors(error.errors())}, 422)
