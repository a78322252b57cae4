"""The page of a table: the print on its felt, and the table as this visitor may see it."""

from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.game import Game
from feltlab.core.limits import CHIPS
from feltlab.core.position import game_query
from feltlab.games.card_groups import most_groups
from feltlab.games.felt_look import felt_look
from feltlab.pit.cage import REFILL_BELOW_CENTS
from feltlab.pit.pit import Pit
from feltlab.pit.players.presence import PHRASES
from feltlab.pit.view import layout, view
from feltlab.report.felt_layout import (
    arrange_spots,
    card_source,
    pay_notes,
    printed_pay_tables,
    table_notices,
)
from feltlab.server.auth import Auth
from feltlab.server.table_access import describe_viewer, find_table
from feltlab.web.page import Data, add_page
from feltlab.web.pages.games.evening import evening_address, game_address
from feltlab.web.pages.rules import rules_address

CHIP_KEYS = "zxcv"  # as at the terminal

router = APIRouter()


async def table(request: Request) -> Data:
    """The table and its felt; from there on the page follows the table over a WebSocket."""
    pit: Pit = request.app.state.pit
    auth: Auth = request.app.state.auth
    session = auth.find_reader(request)
    live = find_table(pit, request, request.path_params["name"], session)
    account = session.account if session else ""
    return {
        "title": live.table.game.title,
        "name": live.table.name,
        "signed_in": session is not None,
        "felt": _describe_felt(live.table.game),
        "jackpot": getattr(pit.jackpots.book.link_of(live.table.name), "name", ""),
        "evening": evening_address(live.table.game, live.table.limits.minimum),
        "table": view(live.table, account, live.company) | describe_viewer(live, account),
    }


def _describe_felt(game: Game) -> Data:
    """Everything that the browser needs to draw the felt of a game, and to offer chips for it."""
    return {
        **layout(game),
        "rows": arrange_spots(game),
        "most": game.own_places,
        "groups": most_groups(game),
        "look": vars(felt_look(game)),
        "source": card_source(game),
        "printed": printed_pay_tables(game),
        "notes": [*pay_notes(game), *table_notices(game)],
        "terms": urlencode(game_query(game), safe=":,/?"),
        "rules": rules_address(game),
        "page": game_address(game),
        "chips": [{"cents": cents, "key": key} for cents, key in zip(CHIPS, CHIP_KEYS, strict=True)],
        "refill_below": REFILL_BELOW_CENTS,
        "phrases": list(PHRASES),
    }


add_page(router, "/tables/{name}", "table.html", table)
