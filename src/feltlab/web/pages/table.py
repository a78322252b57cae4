"""The page of a table: what stands on its felt, and the table as its viewer may see it."""

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.limits import CHIPS
from feltlab.pit.pit import Pit
from feltlab.pit.view import layout, view
from feltlab.server.auth import Door
from feltlab.web.felt_layout import arrangement, notes, printed
from feltlab.web.page import Data, add_page

CHIP_KEYS = "zxcv"  # as at the terminal

router = APIRouter()


async def table(request: Request) -> Data:
    """The table and its felt; the page goes on from there by itself."""
    pit: Pit = request.app.state.pit
    door: Door = request.app.state.door
    live = pit.table(request.path_params["name"])
    session = door.anyone(request)
    game = live.table.game
    felt = {
        **layout(game),
        "rows": arrangement(game),
        "most": game.rules.PLAYER_CARDS,
        "printed": printed(game),
        "notes": notes(game),
        "chips": [{"cents": cents, "key": key} for cents, key in zip(CHIPS, CHIP_KEYS, strict=True)],
    }
    return {
        "title": game.title,
        "name": live.table.name,
        "signed_in": session is not None,
        "felt": felt,
        "table": view(live.table, session.account if session else ""),
    }


add_page(router, "/tables/{name}", "table.html", table)
