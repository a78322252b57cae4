"""The page on which players set limits for themselves."""

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.pit.pit import Pit
from feltlab.pit.players.limits import MINUTES, describe_moment
from feltlab.pit.roles import Permission
from feltlab.server.api.limits import describe_limits
from feltlab.server.auth import Auth
from feltlab.web.page import Data, add_page

router = APIRouter()


async def limits(request: Request) -> Data:
    """The visitor's limits and day of play; the form makes a guest of a visitor without a session."""
    auth: Auth = request.app.state.auth
    pit: Pit = request.app.state.pit
    session = auth.find_reader(request)
    found = describe_limits(pit, session.account if session else "")
    day = found["day"]
    return {
        "title": "Your limits",
        "plays": session is None or session.role.may(Permission.PLAY),
        "is_new": session is None,
        "minutes": MINUTES,
        "limits": found,
        "loosens": describe_moment(found["loosens"]) if found["loosens"] else "",
        "day_ends": describe_moment(day["ends"]) if day else "",
    }


add_page(router, "/limits", "limits.html", limits)
