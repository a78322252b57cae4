"""Requests for pages that only staff may see: the permission check and the numbers in the address."""

from starlette.requests import Request

from feltlab.pit.pit import Pit
from feltlab.pit.roles import Permission
from feltlab.server.auth import Auth
from feltlab.server.sessions import Session

MAX_DIGITS = 15  # of a number in an address; all of them are below 2^53


def require_any(request: Request, *permissions: Permission) -> Session:
    """The visitor's session, if its role has one of these permissions; refuses otherwise."""
    auth: Auth = request.app.state.auth
    session = auth.require_reader(request)
    auth.require_any(session, *permissions)
    return session


def pit_of(request: Request) -> Pit:
    pit: Pit = request.app.state.pit
    return pit


def read_number(request: Request, name: str) -> int | None:
    """A whole number from the address; None if it is missing or not a number."""
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS else None
