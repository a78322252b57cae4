"""The session of a request, and the limits of its sender."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.requests import HTTPConnection
from starlette.responses import Response

from feltlab.errors import Refused
from feltlab.pit.roles import Forbidden, Permission, Role
from feltlab.server.rate_limits import (
    RateLimit,
    client_key,
    guest_limit,
    phrase_limit,
    request_limit,
    sign_in_limit,
    table_limit,
)
from feltlab.server.sessions import Session, Sessions, SignedOut
from feltlab.text import listing

SESSION_COOKIE = "feltlab-session"
CSRF_HEADER = "x-csrf-token"
MAX_HASHING = 2  # passwords that are hashed at the same time

Result = TypeVar("Result")


@dataclass(frozen=True)
class Allowance:
    """The limits of a client's requests."""

    sign_ins: RateLimit = field(default_factory=sign_in_limit)  # by address and by name
    guests: RateLimit = field(default_factory=guest_limit)  # and new accounts, by address
    tables: RateLimit = field(default_factory=table_limit)  # that are opened for visitors, by address
    phrases: RateLimit = field(default_factory=phrase_limit)  # said, by account
    requests: RateLimit = field(default_factory=request_limit)  # by session, or by address without one
    sockets: int = 20  # of an account at a time


class Auth:
    """Finds the session of a request, and refuses requests without the right one."""

    def __init__(self, sessions: Sessions, allowance: Allowance) -> None:
        self.sessions, self.allowance = sessions, allowance
        self._hashing = asyncio.Semaphore(MAX_HASHING)
        self._sockets: Counter[str] = Counter()

    def find_reader(self, request: HTTPConnection) -> Session | None:
        """The reader's session, or None. An expired session counts as none."""
        try:
            session: Session | None = self.sessions.find_reader(*credentials(request))
        except SignedOut:
            session = None
        self.allowance.requests.admit(session.id if session else address_of(request))
        return session

    def require_reader(self, request: HTTPConnection) -> Session:
        """The session of a request that changes nothing."""
        return self._count(self.sessions.find_reader(*credentials(request)))

    def require_actor(self, request: HTTPConnection) -> Session:
        """The session of a request that changes something: sent by our page, or with a bearer token."""
        csrf = request.headers.get(CSRF_HEADER)
        return self._count(self.sessions.find_actor(*credentials(request), csrf))

    def _count(self, session: Session) -> Session:
        self.allowance.requests.admit(session.id)
        return session

    def require_any(self, session: Session, *permissions: Permission) -> None:
        """Refuse a session whose role has none of these permissions, with the roles that have one."""
        if not any(map(session.role.may, permissions)):
            roles = [role for role in Role if any(map(role.may, permissions))]
            raise Forbidden(f"{session.role.with_article} may not see this; possible are {listing(roles)}.")

    async def hash_in_thread(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Run work on a password in a thread, and not much of it at the same time."""
        async with self._hashing:
            return await asyncio.to_thread(work, *arguments)

    @contextmanager
    def count_socket(self, account: str) -> Iterator[None]:
        """Count an open socket of an account; refuses one too many."""
        if self._sockets[account] >= self.allowance.sockets:
            raise Refused(f"You watch {self.allowance.sockets} tables already; close one first.")
        self._sockets[account] += 1
        try:
            yield
        finally:
            self._sockets[account] -= 1
            self._sockets += Counter()  # forgets accounts without a socket

    # -- Cookies ------------------------------------------------------------------------------------

    def set_session(self, response: Response, request: HTTPConnection, session: Session) -> None:
        set_cookie(response, request, SESSION_COOKIE, self.sessions.sign(session), session.lifetime)

    def clear_session(self, response: Response, request: HTTPConnection) -> None:
        set_cookie(response, request, SESSION_COOKIE, "", 0)


def address_of(request: HTTPConnection) -> str:
    return client_key(request.client.host if request.client else "")


def credentials(request: HTTPConnection) -> tuple[str | None, str | None]:
    """The session's cookie and the Authorization header."""
    return request.cookies.get(SESSION_COOKIE), request.headers.get("authorization")


def set_cookie(response: Response, request: HTTPConnection, name: str, value: str, seconds: int) -> None:
    secure = request.url.scheme in ("https", "wss")
    response.set_cookie(name, value, seconds, path="/", secure=secure, httponly=True, samesite="strict")
