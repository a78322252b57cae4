"""The page on which players set limits for themselves."""

from datetime import UTC, datetime

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.pit.pit import Pit
from feltlab.pit.players.limits import MINUTES
from feltlab.pit.roles import Permission
from feltlab.server.api.limits import describe_limits
from feltlab.server.auth import Auth
from feltlab.web.page import Data, add_page

router = APIRouter()


async def limits(request: Request) -> Data:
    """The visitor's limits and day of play; a visitor without a session has none to set."""
    auth: Auth = request.app.state.auth
    pit: Pit = request.app.state.pit
    session = auth.find_reader(request)
    plays = session is not None and session.role.may(Permission.PLAY)
    found = describe_limits(pit, session.account) if session and plays else None
    return {
        "title": "Your limits",
        "plays": plays,
        "minutes": MINUTES,
        "limits": found,
        "loosens": _describe_moment(found["loosens"]) if found else "",
        "day_ends": _describe_moment(found["day"]["ends"]) if found and found["day"] else "",
    }


def _describe_moment(seconds: int | None) -> str:
    """'17 November, 16:20 UTC'"""
    if seconds is None:
        return ""
    at = datetime.fromtimestamp(seconds, UTC)
    return f"{at.day} {at:%B, %H:%M} UTC"


add_page(router, "/limits", "limits.html", limits)
