"""The lobby: every game with a picture of its felt and its house edges, and the open tables."""

import asyncio
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.pit.expectation import Expectation
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import REPROVE_SECONDS, Pit
from feltlab.pit.seats import Phase
from feltlab.pit.view import summary
from feltlab.report.felt_picture import draw_felt
from feltlab.text import listing
from feltlab.web.page import Data, add_page, per_app
from feltlab.workers.expectation import prove_expectation

router = APIRouter()


async def lobby(request: Request) -> Data:
    pit: Pit = request.app.state.pit
    edges = per_app(request.app, "edges", LobbyEdges)  # the first visit starts the proofs
    return {"title": "Tables", "games": [_describe_game(pit, game, edges) for game in GAMES.values()]}


def _describe_game(pit: Pit, game: Game, edges: "LobbyEdges") -> dict[str, Any]:
    lives = [live for live in pit.tables.values() if live.table.game.name == game.name]
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.rules.SUMMARY,
        "picture": draw_felt(game),
        **edges.describe(game),
        "tables": [_describe_table(live) for live in lives],
    }


def _describe_table(live: LiveTable) -> dict[str, Any]:
    line = summary(live.table)
    return {**line, "free": line["seats"] - line["taken"], "open": live.table.phase != Phase.CLOSED}


# -- House edges ------------------------------------------------------------------------------------


class LobbyEdges:
    """The house edge of each wager under the default stake, as far as it is proved by now.

    A page never waits for a proof. A table's own expectation is no substitute: it holds for the stakes that
    are usual at that table, and those change.
    """

    def __init__(self) -> None:
        self._known: dict[str, Expectation] = {}
        self._task = asyncio.create_task(self._prove())

    async def _prove(self) -> None:
        while missing := [game for game in GAMES.values() if game.name not in self._known]:
            for game in missing:
                known, _ = await prove_expectation(game)
                if known is not None:
                    self._known[game.name] = known
            await asyncio.sleep(REPROVE_SECONDS)

    def describe(self, game: Game) -> dict[str, Any]:
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
