"""The limits that players set for themselves."""

from typing import Any

from starlette.responses import Response

from feltlab.pit.pit import Pit
from feltlab.pit.players.limits import DAY_SECONDS, PlayerLimits
from feltlab.pit.roles import Permission
from feltlab.server.limit_models import LimitsAnswer, SetLimits
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, Reader, ThePit, new_router
from feltlab.server.table_access import has_seat

router = new_router()


@router.get("/limits", responses={200: {"model": LimitsAnswer}})
async def show_limits(pit: ThePit, session: Reader) -> Response:
    """My limits, and the time and money of my day of play."""
    return json_response(describe_limits(pit, session.account))


@router.post("/limits", responses={200: {"model": LimitsAnswer}})
async def set_limits(pit: ThePit, session: Actor, asked: SetLimits) -> Response:
    """Set my limits. A stricter one holds at once; a looser one replaces a stricter one after 24 hours."""
    session.role.check(Permission.PLAY)
    limits = PlayerLimits(asked.loss, asked.minutes, asked.reminder)
    async with pit.books.player_lock(session.account):
        purse = pit.books.find_purse(session.account, "", 0)
        await pit.books.note_limits(pit.books.limits.plan_limits(session.account, limits, purse))
    for live in pit.tables.values():
        if has_seat(live, session.account):
            live.notify_watchers()
    return json_response(describe_limits(pit, session.account))


def describe_limits(pit: Pit, account: str) -> dict[str, Any]:
    book = pit.books.limits
    loosens, day = book.loosens_at(account), book.day_of(account)
    return {
        "in_force": book.in_force(account).as_json(),
        "wanted": book.wanted(account).as_json(),
        "loosens": None if loosens is None else int(loosens),
        "day": day
        and {
            "lost": day.cents - pit.books.find_purse(account, "", 0).cents,
            "minutes": int(day.seconds // 60),
            "ends": int(day.began + DAY_SECONDS),
        },
        "reached": pit.books.describe_limit(account),
    }
