"""Progressives as pages: the wall with all meters, and the desk of the staff."""

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.pit.jackpots.decreases import BY_STAFF
from feltlab.pit.jackpots.link import Link
from feltlab.pit.roles import Permission
from feltlab.progressives.catalogue import all_progressives
from feltlab.server.api.jackpots import show_link, show_money
from feltlab.web.page import Data, add_page
from feltlab.web.staff_request import pit_of, require_any

router = APIRouter()


async def wall(request: Request) -> Data:
    links = pit_of(request).jackpots.book.links.values()
    shown = [{**show_link(link), "has_envy": _has_envy(link)} for link in links if not link.closed]
    return {"title": "Progressives", "jackpots": shown}


def _has_envy(link: Link) -> bool:
    return any(level.envy_cents for level in link.progressive.levels)


async def desk(request: Request) -> Data:
    session = require_any(request, Permission.SUPERVISE, Permission.AUDIT)
    pit = pit_of(request)
    links = pit.jackpots.book.links
    free = [live.table for live in pit.public_tables if pit.jackpots.book.link_of(live.table.name) is None]
    return {
        "title": "Progressives of the house",
        "jackpots": [
            {
                **show_money(link),
                "closed": link.closed,
                "verifiers": link.verifiers,
                "others": [table.name for table in free if table.game.name in link.games],
            }
            for link in links.values()
        ],
        "known": [name for name in all_progressives() if name not in links],
        "reasons": list(BY_STAFF),
        "may_act": session.role.may(Permission.SUPERVISE),
        "account": session.account,
    }


add_page(router, "/progressives", "progressives.html", wall)
add_page(router, "/floor/progressives", "floor/progressives.html", desk)
