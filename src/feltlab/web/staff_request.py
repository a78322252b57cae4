"""What every page for staff asks first: who looks, and what the address says."""

from starlette.requests import Request

from feltlab.pit.pit import Pit
from feltlab.pit.roles import Permission
from feltlab.server.auth import Door
from feltlab.server.sessions import Session

MOST_DIGITS = 15  # of a number in an address: all below 2^53


def admitted(request: Request, *acts: Permission) -> Session:
    """Who looks, if one of these acts is allowed to them."""
    door: Door = request.app.state.door
    session = door.reader(request)
    door.check(session, *acts)
    return session


def pit_of(request: Request) -> Pit:
    pit: Pit = request.app.state.pit
    return pit


def asked_number(request: Request, name: str) -> int | None:
    """A number in the address; what is none counts as not given."""
    given = request.query_params.get(name, "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) <= MOST_DIGITS else None
