"""Forwards requests to the server that runs their table, where several servers share a ledger.

A client may ask any server: a browser behind a proxy cannot reach a member directly. A request that names a
table in its address goes to the server that holds the table's lease. Any other request is tried here; if it
turns out to need another server's table it goes there as a whole, because nothing was written until then.
"""

import asyncio
import re
import time
from contextlib import suppress
from functools import partial
from http import HTTPStatus

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from feltlab.errors import Refused
from feltlab.ledger.ledger import LedgerDown
from feltlab.ledger.sharing.leases import Elsewhere
from feltlab.pit.sharing.membership import Membership
from feltlab.server.auth import Auth, credentials
from feltlab.server.connection import MARK_KNOWN
from feltlab.server.forwarding.peers import Headers, PeerAnswer, PeerLost, Peers
from feltlab.server.forwarding.sockets import forward_socket
from feltlab.server.responses import json_response, refusal_response

HOP = b"x-feltlab-hop"  # a request that another server has forwarded is not forwarded again
MOVED = b"x-feltlab-moved"  # the answer if the table is not here
ELSEWHERE = "elsewhere"  # in the state of a scope: the table that a handler needs and another server runs
TABLE_PATH = re.compile(r"/(?:api/|floor/)?tables/([a-z0-9-]+)(?:/|\Z)")
PATIENCE_SECONDS = 8.0  # until a table whose server was killed is taken over
RETRY_SECONDS = 0.2
LOOK_SECONDS = 0.5  # between two looks whether the server that is asked still runs the table
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# Headers that belong to one connection, or that this server sets itself.
OWN_REQUEST_HEADERS = frozenset(
    (
        *(b"connection", b"keep-alive", b"upgrade", b"te", b"transfer-encoding", b"content-length"),
        *(b"x-forwarded-for", b"x-forwarded-proto", HOP),
    )
)
UNKNOWN_OUTCOME = "The server that runs the table was lost; it is not known whether the request was accepted."


class Forwarder:
    """The middleware within the guard, which adds its headers to forwarded answers too."""

    def __init__(self, app: ASGIApp, membership: Membership, auth: Auth) -> None:
        self._app, self._membership, self._auth = app, membership, auth
        self._peers = Peers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._serve_socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    # -- Requests -------------------------------------------------------------------------------------

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        table, is_forwarded = find_table(scope), _is_forwarded(scope)
        body = b"" if scope["method"] in SAFE_METHODS else await Request(scope, receive).body()
        ends = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < ends:
            address = self._membership.find_address(table) if table else ""
            if address and is_forwarded:
                break
            if address:
                answer = await self._ask(address, table, scope, body)
                if answer is not None:
                    await answer(scope, receive, send)
                    return
            else:
                needed = await self._try_here(scope, body, receive, send)
                if not needed:
                    return
                table = needed
                if is_forwarded:
                    break
            await self._look_again()
        await _refuse(is_forwarded)(scope, receive, send)

    async def _ask(self, address: str, table: str, scope: Scope, body: bytes) -> Response | None:
        """The answer of the server that runs a table; None if it may be asked for again."""
        self._mark_known(scope)
        target = scope.get("raw_path", scope["path"].encode())
        target += b"?" + scope["query_string"] if scope["query_string"] else b""
        asking = self._peers.ask(address, scope["method"], target, forwarded_headers(scope), body)
        try:
            answer = await self._wait_for(asyncio.create_task(asking), address, table)
        except PeerLost as lost:
            if lost.was_sent and not _may_repeat(scope):
                return json_response({"error": UNKNOWN_OUTCOME}, 503, {"Retry-After": "1"})
            return None
        return None if any(name == MOVED for name, _ in answer.headers) else _response_of(answer, scope)

    async def _wait_for(self, asking: asyncio.Task[PeerAnswer], address: str, table: str) -> PeerAnswer:
        """The answer, unless the server loses the table while it does not answer, as a paused one does."""
        try:
            while not asking.done():
                await asyncio.wait((asking,), timeout=LOOK_SECONDS)
                if not asking.done() and self._membership.find_address(table) != address:
                    raise PeerLost(was_sent=True)
        finally:
            asking.cancel()
        return asking.result()

    def _mark_known(self, scope: Scope) -> None:
        """The connection is no stranger's if the request shows a session, which every server can check."""
        with suppress(Refused, LedgerDown):
            self._auth.sessions.find_reader(*credentials(HTTPConnection(scope)))
            scope.get("state", {}).get(MARK_KNOWN, lambda: None)()

    async def _try_here(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> str:
        """Answer the request here; the name of a table that it needs and that another server runs, or ''."""
        state = scope.setdefault("state", {})
        state.pop(ELSEWHERE, None)
        if not scope["path"].startswith("/static/"):
            await self._membership.catch_up()
        is_replayed = scope["method"] in SAFE_METHODS

        async def receive_again() -> Message:
            nonlocal is_replayed
            if is_replayed:
                return await receive()
            is_replayed = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send_unless_elsewhere(message: Message) -> None:
            if ELSEWHERE not in state:
                await send(message)

        await self._app(scope, receive_again, send_unless_elsewhere)
        return str(state.get(ELSEWHERE, ""))

    async def _look_again(self) -> None:
        await asyncio.sleep(RETRY_SECONDS)
        with suppress(LedgerDown):
            await self._membership.look_soon()

    # -- WebSockets -----------------------------------------------------------------------------------

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        table, ends = find_table(scope), time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < ends:
            if self._membership.is_changing_hands(table):
                await self._look_again()
                continue
            address = self._membership.find_address(table)
            if not address:
                await self._app(scope, receive, send)
                return
            if _is_forwarded(scope):
                break
            self._mark_known(scope)
            is_there = partial(self._is_at, address, table)
            if await forward_socket(address, scope, forwarded_headers(scope), receive, send, is_there):
                return
            await self._look_again()
        await _refuse(_is_forwarded(scope))(scope, receive, send)

    def _is_at(self, address: str, table: str) -> bool:
        return self._membership.find_address(table) == address


def find_table(scope: Scope) -> str:
    """The table that the address of a request names, or ''."""
    found = TABLE_PATH.match(scope["path"])
    return str(found[1]) if found else ""


def forwarded_headers(scope: Scope) -> Headers:
    """The headers of a request as another server gets them, with the client's address."""
    client = str(scope["client"][0]) if scope.get("client") else ""
    scheme = "https" if scope["scheme"] in ("https", "wss") else "http"
    added = [(b"x-forwarded-for", client.encode()), (b"x-forwarded-proto", scheme.encode()), (HOP, b"1")]
    return [pair for pair in scope["headers"] if pair[0] not in OWN_REQUEST_HEADERS] + added


async def note_elsewhere(request: Request, error: Exception) -> Response:
    """Have a request forwarded that needs another server's table."""
    assert isinstance(error, Elsewhere)
    setattr(request.state, ELSEWHERE, error.table)
    return refusal_response(error)


def _is_forwarded(scope: Scope) -> bool:
    return any(name == HOP for name, _ in scope["headers"])


def _may_repeat(scope: Scope) -> bool:
    """Whether a request may be sent twice: it changes nothing, or has a key."""
    return scope["method"] in SAFE_METHODS or any(name == b"idempotency-key" for name, _ in scope["headers"])


def _response_of(answer: PeerAnswer, scope: Scope) -> Response:
    """An answer without the headers that belong to its connection, or that the guard adds to it."""
    from feltlab.server.guard import HEADERS  # which imports much

    own = {b"connection", b"keep-alive", b"transfer-encoding", b"content-length", b"date"}
    own |= {name.encode() for name in HEADERS}
    own |= {b"cache-control"} if scope["path"].startswith("/api") else set()
    response = Response(answer.body, answer.status)
    length = [pair for pair in response.raw_headers if pair[0] == b"content-length"]
    response.raw_headers = length + [pair for pair in answer.headers if pair[0] not in own]
    return response


def _refuse(is_forwarded: bool) -> Response:
    if is_forwarded:
        sentence, headers = "This server does not run that table.", {MOVED.decode(): "1"}
        return json_response({"error": sentence}, HTTPStatus.MISDIRECTED_REQUEST, headers)
    sentence = "No server runs this table at present; one takes it over within seconds."
    return json_response({"error": sentence}, 503, {"Retry-After": "1"})
