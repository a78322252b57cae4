"""A house with its pages for tests, over ASGI or on a port with a real browser."""

import asyncio
import re
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx
from fastapi import FastAPI

from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.pit.accounts import Accounts
from feltlab.pit.approvals import DEMO
from feltlab.pit.approvals import House as PitHouse
from feltlab.pit.expectation import Expectation
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Role
from feltlab.web.app import app
from feltlab.web.pages.lab.waiting import work_of
from feltlab.web.pages.lobby import LobbyCosts
from feltlab.web.pages.school.office import close_school
from feltlab.web.serve import uvicorn_config
from tests.support.running import HERE, QUICK, SECRET, House, QuietServer, generous

START_SECONDS = 600  # at most: a house that opens first compiles the kernels of all games
ROUNDS_PER_GUEST = 20  # a guest can afford to lose them all
CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk)\b")


class StandInCosts(LobbyCosts):
    """Costs of 5 % for tests that look at the lobby but not at its figures: no process has to prove them."""

    def __init__(self) -> None:
        five = {"main": {"exact": "1/20"}, "added_cost": None}
        self._known = {game.name: {spot.name: five for spot in game.wagers} for game in GAMES.values()}


class Pages(House):
    """A pit with its pages, and visitors with a session cookie."""

    def __init__(self, pit: Pit, proved: bool = False) -> None:
        super().__init__(pit)
        self.app = app(pit, allowance=generous())
        if not proved:
            self.app.state.costs = StandInCosts()

    async def visitor(self, role: Role | None = None) -> httpx.AsyncClient:
        """A visitor with this role, or without a session."""
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(self.app), base_url=HERE, headers={"Accept": "text/html"}
        )
        if role:
            client.cookies.set("feltlab-session", (await self.as_(role)).session)
        return client


@asynccontextmanager
async def open_house(folder: Any, proved: bool = False, named: PitHouse = DEMO) -> AsyncIterator[Pages]:
    """The demonstration house with a table for each game, or another house without one.

    `proved` shows the real house edges in the lobby.
    """
    pit = Pit(folder, house=named)
    pit.accounts = Accounts(pit.ledger, QUICK)
    await pit.start()
    try:
        if named.is_demonstration:
            await pit.demo()
        made = pit.accounts.ensure_administrator()
        await pit.note(*(made.drafts if made else ()))
        house = Pages(pit, proved)
        yield house
        await _close_workers(house.app)
        await close_school(house.app)
    finally:
        await pit.stop()


async def _close_workers(app: FastAPI) -> None:
    """Stop the worker processes of an app."""
    await work_of(app).close()
    for name in ("coach", "judge"):
        if asked := getattr(app.state, name, None):
            await asked.close()


async def play(house: House, game: str, rounds: int = 1, table: str = "", likes: tuple[str, ...] = ()) -> str:
    """Play rounds of a game with guests who make a choice they like, or the first; returns the table."""
    table = table or f"{game}-1"
    for begun in range(0, rounds, ROUNDS_PER_GUEST):
        guest = await house.guest()
        assert (await guest.at(table, "sit", seat=1, cents=90_000)).status_code == 200
        for _ in range(min(ROUNDS_PER_GUEST, rounds - begun)):
            await play_round(guest, table, 1, likes)
        await guest.at(table, "leave", seat=1)
    return table


async def play_round(guest: Any, table: str, seat: int, likes: tuple[str, ...] = ()) -> None:
    view = (await guest.get(f"tables/{table}")).json()
    game, round = GAMES[view["game"]], view["round"]
    wagers = {spot.name: 1000 for spot in game.wagers[: game.rules.GAMES_PER_HAND]}
    assert (await guest.at(table, "wager", seat=seat, round=round, wagers=wagers)).status_code == 200
    found = (await guest.at(table, "ready", seat=seat, round=round)).json()
    while found["round"] == round:
        (choices,) = [place["choices"] for place in found["seats"] if "choices" in place]
        offered = [one["choice"] for one in choices if not one["barred"]]
        choice = next((one for one in offered if one in likes), offered[0])
        found = (await guest.at(table, "choose", seat=seat, round=round, choice=choice)).json()


def set_expectation(house: House, table: str, mean: float) -> Expectation:
    """Give a table a made-up expectation: each first wager brings `mean`, with a small variance."""
    live = house.pit.table(table)
    spots = [spot.name for spot in live.table.game.wagers]
    live.expectation = _constant_expectation(live.table.game, dict.fromkeys(spots, mean))
    return live.expectation


def _constant_expectation(game: Game, means: dict[str, float]) -> Expectation:
    law = dict.fromkeys((f"{a} {b}" for a in means for b in means if a <= b), 0.01)
    return Expectation("made up", game.digest, dict.fromkeys(means, "1"), means, law, law, law)


# -- In a real browser ------------------------------------------------------------------------------


class Served:
    """A house in its own thread, so that the test can drive a browser."""

    def __init__(self, house: Pages, loop: asyncio.AbstractEventLoop, port: int) -> None:
        self.house, self.loop, self.address = house, loop, f"http://127.0.0.1:{port}"

    def do(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(START_SECONDS)


@contextmanager
def serve_house(folder: Any, proved: bool = False, named: PitHouse = DEMO) -> Iterator[Served]:
    """Serve a house on a free port."""
    ready, ended, found = threading.Event(), threading.Event(), []

    async def serve() -> None:
        async with open_house(folder, proved, named) as house:
            with socket.socket(proto=socket.IPPROTO_TCP) as place:
                place.bind(("127.0.0.1", 0))
                server = QuietServer(uvicorn_config(house.app))
                task = asyncio.create_task(server.serve(sockets=[place]))
                while not server.started:
                    await asyncio.sleep(0.01)
                found.append(Served(house, asyncio.get_running_loop(), place.getsockname()[1]))
                ready.set()
                await asyncio.to_thread(ended.wait)
                server.should_exit = True
                await task

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(START_SECONDS), "the house did not open"
        yield found[0]
    finally:
        ended.set()
        thread.join(START_SECONDS)


def sign_in(page: Any, serve_house: Served, role: Role, then: str = "/floor") -> None:
    """Sign in through the page."""
    serve_house.do(serve_house.house.as_(role))  # creates the account
    page.goto(f"{serve_house.address}/sign-in?next={then}")
    page.fill("[name=name]", f"the-{role}")
    page.fill("[name=password]", SECRET)
    page.click("#sign-in button")
    page.wait_for_url(f"{serve_house.address}{then}")
