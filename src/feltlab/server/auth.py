"""The door: who comes in, and how often.

Before anything else is looked at, a request must name this server, come from a page of it or from no
page, show the access token where there is one, and not be too large.
"""

import asyncio
import hashlib
import hmac
import logging
import socket
from collections import Counter
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from feltlab.errors import Refused
from feltlab.pit.roles import Permission
from feltlab.server.models import MOST_BYTES
from feltlab.server.rate_limits import Rates, client_of, sign_ins
from feltlab.server.responses import FAILED, answer
from feltlab.server.sessions import Session, Sessions, SignedOut, opens

LOG = logging.getLogger(__name__)
COOKIE = "feltlab-session"
ACCESS_COOKIE = "feltlab-access"
ACCESS_HEADER = "x-access-token"
CSRF_HEADER = "x-csrf-token"
SAFE = ("GET", "HEAD", "OPTIONS")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ANY = ("0.0.0.0", "::")  # addresses that stand for all of a machine's
AT_ONCE = 2  # passwords that are hashed at the same time

HEADERS = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_RAW = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_NO_STORE = (b"cache-control", b"no-store")

Found = TypeVar("Found")


def _guests() -> Rates:
    return Rates(10 / 60, 20, what="new players")


def _acts() -> Rates:
    return Rates(50, 200)


@dataclass(frozen=True)
class Allowance:
    """How often a client may do what."""

    sign_ins: Rates = field(default_factory=sign_ins)  # by address and by name
    guests: Rates = field(default_factory=_guests)  # and new accounts, by address
    acts: Rates = field(default_factory=_acts)  # by session; who has none, by address
    sockets: int = 20  # of an account at a time


# -- Sessions ---------------------------------------------------------------------------------------


class Door:
    """Says who sends a request, and refuses those who may not."""

    def __init__(self, sessions: Sessions, allowance: Allowance) -> None:
        self.sessions, self.allowance = sessions, allowance
        self._hashing = asyncio.Semaphore(AT_ONCE)
        self._sockets: Counter[str] = Counter()

    def anyone(self, request: HTTPConnection) -> Session | None:
        """Who reads what is there for everyone; an ended session is none."""
        try:
            session: Session | None = self.sessions.reader(*credentials(request))
        except SignedOut:
            session = None
        self.allowance.acts.admit(session.id if session else address_of(request))
        return session

    def reader(self, request: HTTPConnection) -> Session:
        return self._admitted(self.sessions.reader(*credentials(request)))

    def actor(self, request: HTTPConnection) -> Session:
        """Who changes something: from a page of ours, or with the session in a header."""
        return self._admitted(self.sessions.actor(*credentials(request), request.headers.get(CSRF_HEADER)))

    def _admitted(self, session: Session) -> Session:
        self.allowance.acts.admit(session.id)
        return session

    def check(self, session: Session, *acts: Permission) -> None:
        """One of these acts must be allowed to the role."""
        if not any(map(session.role.may, acts)):
            session.role.check(acts[0])

    async def slowly(self, work: Callable[..., Found], *arguments: Any) -> Found:
        """Work on a password, in a thread and not too much of it at once."""
        async with self._hashing:
            return await asyncio.to_thread(work, *arguments)

    @contextmanager
    def socket(self, account: str) -> Iterator[None]:
        """One more socket of an account."""
        if self._sockets[account] >= self.allowance.sockets:
            raise Refused(f"You watch {self.allowance.sockets} tables already; close one first.")
        self._sockets[account] += 1
        try:
            yield
        finally:
            self._sockets[account] -= 1
            self._sockets += Counter()  # forgets those at nothing

    # -- Cookies ------------------------------------------------------------------------------------

    def let_in(self, response: Response, request: HTTPConnection, session: Session) -> None:
        signed = self.sessions.sign(session)
        _set(response, request, COOKIE, signed, session.lifetime)

    def let_out(self, response: Response, request: HTTPConnection) -> None:
        _set(response, request, COOKIE, "", 0)


def address_of(request: HTTPConnection) -> str:
    return client_of(request.client.host if request.client else "")


def credentials(request: HTTPConnection) -> tuple[str | None, str | None]:
    return request.cookies.get(COOKIE), request.headers.get("authorization")


def _set(response: Response, request: HTTPConnection, name: str, value: str, seconds: int) -> None:
    secure = request.url.scheme in ("https", "wss")
    response.set_cookie(name, value, seconds, path="/", secure=secure, httponly=True, samesite="strict")


# -- Before anything else ---------------------------------------------------------------------------


class Turned(Exception):
    """A request that is sent away before anything is read of it."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Guard:
    """What every request and every answer passes."""

    def __init__(self, app: ASGIApp, token: str, host: str) -> None:
        self._app, self._token, self._host = app, token, host
        self._names = LOOPBACK | {host.lower()} | ({socket.gethostname().lower()} if host in ANY else set())
        self._pass = hmac.new(token.encode(), b"feltlab access", hashlib.sha256).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        sending = _headed(scope, send)
        try:
            self._check(scope)
        except Turned as turned:
            await answer({"error": str(turned)}, turned.status)(scope, receive, sending)
            return
        if self._token and scope["type"] == "http" and b"token=" in scope["query_string"]:
            await self._passed(scope)(scope, receive, sending)
        elif scope["type"] == "http" and scope["method"] == "HEAD":
            await self._served({**scope, "method": "GET"}, _limited(receive), _bodiless(sending))
        else:
            await self._served(scope, _limited(receive), sending)

    async def _served(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What nobody foresaw is answered without its reasons, which are for the house alone."""
        answered = False

        async def noted(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception:
            if scope["type"] == "websocket" or answered:
                raise
            LOG.exception("%s %s failed", scope["method"], scope["path"])
            await answer({"error": FAILED}, 500)(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        self._check_host(headers.get("host", ""))
        if scope["type"] == "websocket" or scope["method"] not in SAFE:
            self._check_origin(headers)
        if self._token and not self._may_enter(headers, scope):
            raise Turned(401, "This server asks for its access token: X-Access-Token, or ?token= once.")
        self._check_size(headers.get("content-length", "0"))

    def _check_host(self, given: str) -> None:
        """A page of elsewhere whose name leads here would otherwise act as ours."""
        name = _host_of(f"//{given}")
        if name not in self._names and not (self._host in ANY and _is_address(name)):
            raise Turned(421, "This server does not go by that name.")

    @staticmethod
    def _check_origin(headers: Headers) -> None:
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != headers.get("host", "").lower():
            raise Turned(403, "The request comes from a page of another server.")

    def _may_enter(self, headers: Headers, scope: Scope) -> bool:
        shown = headers.get(ACCESS_HEADER)
        if shown is not None:
            return opens(self._token, shown)
        if scope["type"] == "http" and scope["method"] in SAFE and self._in_query(scope):
            return True
        return opens(self._pass, _cookie(headers, ACCESS_COOKIE))

    def _in_query(self, scope: Scope) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])
        return opens(self._token, given[-1])

    def _passed(self, scope: Scope) -> Response:
        """The same address without the token, which must stay out of histories; a cookie has it from here."""
        kept = [part for part in scope["query_string"].decode("latin-1").split("&") if part[:6] != "token="]
        path = "/" + scope["path"].lstrip("/")
        response = RedirectResponse(path + ("?" + "&".join(kept) if kept else ""), 303)
        if self._in_query(scope):
            _set(response, HTTPConnection(scope), ACCESS_COOKIE, self._pass, 30 * 24 * 3600)
        return response

    @staticmethod
    def _check_size(length: str) -> None:
        if not (length.isascii() and length.isdigit() and int(length[:12]) <= MOST_BYTES):
            raise Turned(413, TOO_LARGE)


TOO_LARGE = f"A request has at most {MOST_BYTES // 1024} KB."


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


def _limited(receive: Receive) -> Receive:
    """A body that is sent in pieces is counted as it comes."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b"")) if message["type"] == "http.request" else 0
        if seen > MOST_BYTES:
            raise HTTPException(413, TOO_LARGE)
        return message

    return counted


def _bodiless(send: Send) -> Send:
    """What answers GET answers HEAD, by its headers alone."""

    async def headers_alone(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return headers_alone


def _headed(scope: Scope, send: Send) -> Send:
    kept_out = scope["path"].startswith("/api")

    async def headed(message: MutableMapping[str, Any]) -> None:
        if message["type"].endswith("http.response.start"):
            message["headers"] = [*message.get("headers", ()), *_RAW, *([_NO_STORE] if kept_out else ())]
        await send(message)

    return headed
