"""Checks that every request passes before anything of it is read, and headers that every answer gets.

A request must name this server, come from a page of it or from no page, carry the access token if there is
one, and not be too large.
"""

import hashlib
import hmac
import logging
import socket
from collections.abc import MutableMapping
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from feltlab.ledger.plain_text import show_controls
from feltlab.server.auth import address_of, set_cookie
from feltlab.server.clients.allowance import Allowance, count_connections
from feltlab.server.clients.connection_counts import ConnectionPlace
from feltlab.server.connection import MARK_KNOWN, MAX_HEAD_BYTES, TOO_MANY_SENTENCE
from feltlab.server.models import MAX_REQUEST_BYTES
from feltlab.server.network import Network
from feltlab.server.responses import UNEXPECTED, json_response
from feltlab.server.sessions import is_access_token

LOG = logging.getLogger(__name__)
ACCESS_COOKIE = "feltlab-access"
ACCESS_COOKIE_SECONDS = 30 * 24 * 3600
ACCESS_HEADER = "x-access-token"
MAX_ADDRESS_BYTES = 8 * 1024  # of path and query
MAX_HEADERS = 100
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ALL_ADDRESSES = ("0.0.0.0", "::")
TOO_LARGE = f"A request has at most {MAX_REQUEST_BYTES // 1024} KB."

HEADERS = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_NO_STORE = (b"cache-control", b"no-store")


class Rejected(Exception):
    """A request that is answered with an error before anything of it is read."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Guard:
    """The middleware around the whole app."""

    def __init__(
        self, app: ASGIApp, token: str, network: Network, allowance: Allowance | None = None
    ) -> None:
        self._app, self._token, self._host = app, token, network.host
        self._counts = count_connections(allowance or Allowance())
        own_name = {socket.gethostname().lower()} if network.host in ALL_ADDRESSES else set()
        self._names = LOOPBACK | {network.host.lower(), *map(str.lower, network.names)} | own_name
        self._access_hash = hmac.new(token.encode(), b"feltlab access", hashlib.sha256).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        send_with_headers = _add_headers(scope, send)
        try:
            self._check(scope)
        except Rejected as rejected:
            await json_response({"error": str(rejected)}, rejected.status)(scope, receive, send_with_headers)
            return
        place = self._counts.take(address_of(HTTPConnection(scope)))
        if place is None:
            refusal = json_response({"error": TOO_MANY_SENTENCE}, 429, {"Retry-After": "5"})
            await refusal(scope, receive, send_with_headers)
            return
        try:
            await self._answer(self._note_place(scope, place), receive, send_with_headers)
        finally:
            self._counts.leave(place)

    def _note_place(self, scope: Scope, place: ConnectionPlace) -> Scope:
        """A scope whose request leaves the strangers when it shows a session.

        Requests are counted besides connections: those of a proxy are of many addresses.
        """
        mark_connection = scope.get("state", {}).get(MARK_KNOWN, lambda: None)

        def mark_known() -> None:
            mark_connection()
            self._counts.mark_known(place)

        return {**scope, "state": {**scope.get("state", {}), MARK_KNOWN: mark_known}}

    async def _answer(self, scope: Scope, receive: Receive, send_with_headers: Send) -> None:
        if self._token and scope["type"] == "http" and b"token=" in scope["query_string"]:
            await self._redirect_without_token(scope)(scope, receive, send_with_headers)
        elif scope["type"] == "http" and scope["method"] == "HEAD":
            await self._serve({**scope, "method": "GET"}, _limit_body(receive), _drop_body(send_with_headers))
        else:
            await self._serve(scope, _limit_body(receive), send_with_headers)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an unexpected error without its reason, which only the server's log gets."""
        has_answered = False

        async def note_answer(message: Message) -> None:
            nonlocal has_answered
            has_answered = True
            await send(message)

        try:
            await self._app(scope, receive, note_answer)
        except Exception:
            if scope["type"] == "websocket" or has_answered:
                raise
            LOG.exception("%s %s failed", scope["method"], show_controls(scope["path"]))
            await json_response({"error": UNEXPECTED}, 500)(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        self._check_head(scope)
        if len(headers.getlist("host")) > 1:
            raise Rejected(400, "A request has one Host header.")
        self._check_host(headers.get("host", ""))
        if scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS:
            self._check_origin(headers)
        if self._token and not self._has_access(headers, scope):
            raise Rejected(401, "This server requires its access token: X-Access-Token, or ?token= once.")
        self._check_size(headers.get("content-length", "0"))

    @staticmethod
    def _check_head(scope: Scope) -> None:
        """Refuse a long address, and headers that are many or large; `connection` refuses endless ones."""
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > MAX_ADDRESS_BYTES:
            raise Rejected(414, f"An address has at most {MAX_ADDRESS_BYTES // 1024} KB.")
        if len(scope["headers"]) > MAX_HEADERS:
            raise Rejected(431, f"A request has at most {MAX_HEADERS} headers.")
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEAD_BYTES:
            raise Rejected(431, f"The headers of a request have at most {MAX_HEAD_BYTES // 1024} KB.")

    def _check_host(self, header: str) -> None:
        """Refuse other names: a page of another site whose name leads here could otherwise act as ours."""
        name = _host_of(f"//{header}")
        if name not in self._names and not (self._host in ALL_ADDRESSES and _is_address(name)):
            raise Rejected(421, "This server does not have that name.")

    @staticmethod
    def _check_origin(headers: Headers) -> None:
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != headers.get("host", "").lower():
            raise Rejected(403, "The request comes from a page of another site.")

    def _has_access(self, headers: Headers, scope: Scope) -> bool:
        token = headers.get(ACCESS_HEADER)
        if token is not None:
            return is_access_token(self._token, token)
        if scope["type"] == "http" and scope["method"] in SAFE_METHODS and self._has_token_in_query(scope):
            return True
        return is_access_token(self._access_hash, _cookie(headers, ACCESS_COOKIE))

    def _has_token_in_query(self, scope: Scope) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])
        return is_access_token(self._token, given[-1])

    def _redirect_without_token(self, scope: Scope) -> Response:
        """Redirect to the address without the token, which stays out of histories; a cookie replaces it."""
        kept = [part for part in scope["query_string"].decode("latin-1").split("&") if part[:6] != "token="]
        path = "/" + scope["path"].lstrip("/")
        response = RedirectResponse(path + ("?" + "&".join(kept) if kept else ""), 303)
        if self._has_token_in_query(scope):
            request = HTTPConnection(scope)
            set_cookie(response, request, ACCESS_COOKIE, self._access_hash, ACCESS_COOKIE_SECONDS)
        return response

    @staticmethod
    def _check_size(length: str) -> None:
        if not (length.isascii() and length.isdigit() and int(length[:12]) <= MAX_REQUEST_BYTES):
            raise Rejected(413, TOO_LARGE)


def _host_of(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def _limit_body(receive: Receive) -> Receive:
    """Count a body that is sent in pieces as it comes."""
    seen = 0

    async def receive_counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b"")) if message["type"] == "http.request" else 0
        if seen > MAX_REQUEST_BYTES:
            raise HTTPException(413, TOO_LARGE)
        return message

    return receive_counted


def _drop_body(send: Send) -> Send:
    """Answer HEAD with the headers of GET."""

    async def send_headers(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return send_headers


def _add_headers(scope: Scope, send: Send) -> Send:
    is_api = scope["path"].startswith("/api")

    async def send_with_headers(message: MutableMapping[str, Any]) -> None:
        if message["type"].endswith("http.response.start"):
            message["headers"] = [
                *message.get("headers", ()),
                *_RAW_HEADERS,
                *([_NO_STORE] if is_api else ()),
            ]
        await send(message)

    return send_with_headers
