"""The session of a request, and the limits of its sender."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.requests import HTTPConnection
from starlette.responses import Response

from feltlab.errors import Refused, TooOften
from feltlab.pit.custody.second_factor import SecondFactors
from feltlab.pit.roles import Forbidden, Permission, Role
from feltlab.server.clients.allowance import Allowance
from feltlab.server.clients.budgets import Client, Disk
from feltlab.server.clients.pending_secrets import PendingSecrets
from feltlab.server.clients.sign_in_delays import SignInDelays
from feltlab.server.connection import MARK_KNOWN
from feltlab.server.rate_limits import client_key
from feltlab.server.sessions import Session, Sessions, SignedOut
from feltlab.text import listing

SESSION_COOKIE = "feltlab-session"
CSRF_HEADER = "x-csrf-token"
KNOWN_BROWSER_SECONDS = 365 * 24 * 3600
FACTOR_PATHS = ("/api/session", "/account")  # for staff that has to set up a second factor
MAX_HASHING = 2  # passwords that are hashed at the same time

Result = TypeVar("Result")


class FactorMissing(Forbidden):
    """Staff must set up a second factor before anything else."""


class Auth:
    """Finds the session of a request, and refuses requests without the right one."""

    def __init__(self, sessions: Sessions, allowance: Allowance, disk: Disk, factors: SecondFactors) -> None:
        self.sessions, self.allowance, self.disk, self.factors = sessions, allowance, disk, factors
        self.pending_secrets = PendingSecrets()
        self.delays = SignInDelays()
        self._hashing = asyncio.Semaphore(MAX_HASHING)
        self._sockets: Counter[str] = Counter()

    def find_reader(self, request: HTTPConnection) -> Session | None:
        """The reader's session, or None. An expired session counts as none."""
        try:
            session: Session | None = self.sessions.find_reader(*credentials(request))
            self.check_factor(request, session)
        except (SignedOut, FactorMissing):
            session = None
        self.allowance.requests.admit(session.id if session else address_of(request))
        self.charge_client(request, session)
        return session

    def require_reader(self, request: HTTPConnection) -> Session:
        """The session of a request that changes nothing."""
        return self._count(request, self.sessions.find_reader(*credentials(request)))

    def require_actor(self, request: HTTPConnection) -> Session:
        """The session of a request that begins something: sent by our page, or with a bearer token."""
        session = self.require_finisher(request)
        self.check_room(request, session)
        return session

    def require_finisher(self, request: HTTPConnection) -> Session:
        """The session of a request that finishes something, which needs no room on the ledger."""
        csrf = request.headers.get(CSRF_HEADER)
        return self._count(request, self.sessions.find_actor(*credentials(request), csrf))

    def check_factor(self, request: HTTPConnection, session: Session | None) -> None:
        """Refuse staff without a second factor where it is required, but for the pages that set it up."""
        is_missing = session and self.factors.lacks(session.account, session.role.is_staff)
        if is_missing and not request.url.path.startswith(FACTOR_PATHS):
            raise FactorMissing("Set up your second factor first, on the page of your account.")

    def _count(self, request: HTTPConnection, session: Session) -> Session:
        self.check_factor(request, session)
        self.allowance.requests.admit(session.id)
        self.charge_client(request, session)
        return session

    # -- Room on the ledger -------------------------------------------------------------------------

    def charge_client(self, request: HTTPConnection, session: Session | None) -> None:
        """Charge what this request writes to its sender, whose connection is no stranger's with a session."""
        self._client_of(request, session).pay()
        if session:
            getattr(request.state, MARK_KNOWN, lambda: None)()

    def check_room(self, request: HTTPConnection, session: Session | None) -> None:
        """Refuse to begin something where the sender or the disk has no room left; staff is not limited."""
        if session and session.role.is_staff:
            return
        self.disk.check()
        self._client_of(request, session).check()

    def _client_of(self, request: HTTPConnection, session: Session | None) -> Client:
        return Client(self.allowance, session.account if session else "", address_of(request))

    def admit_guest(self, request: HTTPConnection) -> None:
        """Admit a new guest or account of an address, or refuse."""
        self.check_room(request, None)
        wait = self.allowance.guests_a_day.seconds_until(address_of(request))
        if wait:
            raise TooOften(self.allowance.guests_a_day.what, wait)
        self.allowance.guests.admit(address_of(request))
        self.allowance.guests_a_day.charge(address_of(request), 1)

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

    # -- Passwords ----------------------------------------------------------------------------------

    def begin_sign_in(self, request: HTTPConnection, account: str) -> "SignInTry":
        """A try to sign in; refuses one that comes too early."""
        self.charge_client(request, None)
        self._client_of(request, None).check()
        browsers, address = self.sessions.browsers, address_of(request)
        browser = browsers.find_id(account, request.cookies.get(browsers.cookie_name(account), ""))
        self.allowance.sign_ins.admit(f"with {browser}" if browser else f"from {address}")
        self.delays.begin(address, account, browser)
        return SignInTry(self, request, account, browser)

    # -- Cookies ------------------------------------------------------------------------------------

    def set_session(self, response: Response, request: HTTPConnection, session: Session) -> None:
        set_cookie(response, request, SESSION_COOKIE, self.sessions.sign(session), session.lifetime)

    def clear_session(self, response: Response, request: HTTPConnection) -> None:
        set_cookie(response, request, SESSION_COOKIE, "", 0)


@dataclass(frozen=True)
class SignInTry:
    """A try to sign in that was admitted; it counts as a failure until it succeeds."""

    auth: Auth
    request: HTTPConnection
    account: str
    browser: str  # '' if it has not signed in to this account before

    def take_back(self) -> None:
        """The try was no failure, and is not over either: a code is still missing."""
        self.auth.delays.take_back(address_of(self.request), self.account, self.browser)

    def succeed(self, response: Response) -> None:
        """Forget the failures, and know the browser from now on."""
        self.auth.delays.note_success(address_of(self.request), self.account, self.browser)
        browsers = self.auth.sessions.browsers
        name, mark = browsers.cookie_name(self.account), browsers.mark(self.account, self.browser)
        set_cookie(response, self.request, name, mark, KNOWN_BROWSER_SECONDS)


def address_of(request: HTTPConnection) -> str:
    return client_key(request.client.host if request.client else "")


def credentials(request: HTTPConnection) -> tuple[str | None, str | None]:
    """The session's cookie and the Authorization header."""
    return request.cookies.get(SESSION_COOKIE), request.headers.get("authorization")


def set_cookie(response: Response, request: HTTPConnection, name: str, value: str, seconds: int) -> None:
    secure = request.url.scheme in ("https", "wss")
    response.set_cookie(name, value, seconds, path="/", secure=secure, httponly=True, samesite="strict")
