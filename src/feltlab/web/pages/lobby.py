"""The lobby: every game with a picture of its felt, and the tables that are open."""

import asyncio
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.pit.expectation import Expectation
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import ASK_AGAIN, Pit
from feltlab.pit.table import Phase
from feltlab.pit.view import summary
from feltlab.text import listing
from feltlab.web.felt_layout import picture
from feltlab.web.page import Data, add_page, per_app
from feltlab.workers.expectation import prove_expectation

router = APIRouter()


async def lobby(request: Request) -> Data:
    pit: Pit = request.app.state.pit
    edges = per_app(request.app, "edges", Edges)  # proved from the first look on
    return {"title": "Tables", "games": [_game(pit, game, edges) for game in GAMES.values()]}


def _game(pit: Pit, game: Game, edges: "Edges") -> dict[str, Any]:
    lives = [live for live in pit.tables.values() if live.table.game.name == game.name]
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.rules.SUMMARY,
        "picture": picture(game),
        **edges.of(game),
        "tables": [_table(live) for live in lives],
    }


def _table(live: LiveTable) -> dict[str, Any]:
    line = summary(live.table)
    return {**line, "free": line["seats"] - line["taken"], "open": live.table.phase != Phase.CLOSED}


# -- Edges ------------------------------------------------------------------------------------------


class Edges:
    """What the house keeps of each wager, as far as it is known by now: nobody waits for a proof.

    A table's own theory is of the stake that is usual there, which changes; these are of the default stake.
    """

    def __init__(self) -> None:
        self._known: dict[str, Expectation] = {}
        self._task = asyncio.create_task(self._prove())

    async def _prove(self) -> None:
        while left := [game for game in GAMES.values() if game.name not in self._known]:
            for game in left:
                known, _ = await prove_expectation(game)
                if known is not None:
                    self._known[game.name] = known
            await asyncio.sleep(ASK_AGAIN)

    def of(self, game: Game) -> dict[str, Any]:
        known = self._known.get(game.name)
        if known is None:
            return {"edges": [], "edges_for": ""}
        played = [spot.title for spot in game.wagers if known.stake.get(spot.name, "0") != "0"]
        edges = [
            {"title": spot.title, "edge": f"{100 * known.means[spot.name]:.2f} %"}
            for spot in game.wagers
            if spot.name in known.means
        ]
        return {"edges": edges, "edges_for": listing(played)}


add_page(router, "/", "lobby.html", lobby)
