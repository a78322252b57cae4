"""A pit with a player at every table, in this process or in a server that is played over WebSockets."""

import asyncio
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

import orjson
import uvloop

from feltlab.core.game import Game
from feltlab.core.limits import STANDARD_LIMITS
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_ACTOR
from feltlab.pit.accounts import Account, create_guest
from feltlab.pit.approvals import approve_all
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit, today
from feltlab.pit.seats import Timers
from feltlab.server.sessions import Sessions

WARM_UP_SECONDS = 5.0  # in which the clients connect one after the other
BANKROLL_CENTS = 10**9  # more than a player can lose


def median_and_p99(seconds: list[float]) -> tuple[float, float]:
    """The median and the 99th percentile in milliseconds."""
    return 1000 * median(seconds), 1000 * quantiles(seconds, n=100)[98]


def run_in_loop(work: Any) -> Any:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


# -- Tables with a player each ----------------------------------------------------------------------


class Room(NamedTuple):
    pit: Pit
    players: dict[str, Account]  # by table


async def open_room(folder: Path, tables: int) -> Room:
    """A pit with this many tables and a player at each."""
    room = Room(Pit(folder), {})
    pit = room.pit
    await pit.start()
    await pit.decide(lambda register: approve_all(register, pit.house, GAMES.values(), HOUSE_ACTOR, today()))
    games = list(GAMES.values())
    for n in range(tables):
        live = await pit.open_table(
            f"table-{n}", games[n % len(games)], HOUSE_ACTOR, STANDARD_LIMITS, Timers()
        )
        room.players[live.table.name] = await seat_player(pit, live)
    return room


async def seat_player(pit: Pit, live: LiveTable) -> Account:
    player = create_guest()
    await pit.give(lambda cage: cage.plan_issue(player.name, BANKROLL_CENTS, "benchmark"))
    await live.act(lambda table: table.sit(player.name, 0, BANKROLL_CENTS))
    return player


def minimum_wagers(game: Game) -> dict[str, int]:
    return {spot.name: STANDARD_LIMITS.minimum for spot in game.wagers}


# -- A server, and clients in this process ----------------------------------------------------------


class RunningServer(NamedTuple):
    """A server in a process of its own."""

    process: int
    url: str
    sessions: dict[str, str]  # by table


@contextmanager
def run_server(folder: Path, tables: int) -> Iterator[RunningServer]:
    sessions = run_in_loop(prepare_tables(folder, tables))
    words = ("serve", "--data", str(folder), "--port", "0", "--no-demo")
    command = [sys.executable, "-m", "feltlab", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            matches = (re.search(r"http(://\S+?)/", line) for line in process.stdout)
            yield RunningServer(process.pid, f"ws{next(filter(None, matches))[1]}", sessions)
        finally:
            process.terminate()


async def prepare_tables(folder: Path, tables: int) -> dict[str, str]:
    """Tables with players for a server to open, and the players' sessions by table."""
    pit, players = await open_room(folder, tables)
    await pit.stop()
    sessions = Sessions.load(folder / "sessions.key", pit.accounts.sessions_from)
    return {name: sessions.sign(sessions.issue(player)) for name, player in players.items()}


async def play_everywhere(running: RunningServer, seconds: float) -> list[tuple[float, float]]:
    """For each action of all clients: when it was sent, and how long its answer took."""
    start = time.perf_counter()
    clients = (play_table(running.url, *each, start, seconds) for each in running.sessions.items())
    return [one for taken in await asyncio.gather(*clients) for one in taken]


async def play_table(
    url: str, table: str, session: str, start: float, seconds: float
) -> list[tuple[float, float]]:
    """Play at one table, one action a second, from a random moment on."""
    from websockets.asyncio.client import connect

    place, headers = f"{url}/api/tables/{table}/live", {"Authorization": f"Bearer {session}"}
    async with connect(place, additional_headers=headers, compression=None, max_queue=None) as socket:
        player = Client(socket)
        reading = asyncio.create_task(player.read())
        await asyncio.sleep(WARM_UP_SECONDS * random.random())
        taken = []
        try:
            while (at := time.perf_counter() - start) < seconds:
                taken.append((at, await player.act()))
                await asyncio.sleep(max(0.0, at + 1 - (time.perf_counter() - start)))
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
    return taken


class Client:
    """A player: reads the table's views and sends the next possible action."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.sent = socket, 0
        self.seen: dict[str, Any] = {}
        self.answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.first_view = asyncio.Event()

    async def read(self) -> None:
        async for text in self.socket:
            message = orjson.loads(text)
            if "ok" in message:
                self.answers.pop(message["id"]).set_result(message)
            else:
                self.seen = message
                self.first_view.set()

    async def act(self) -> float:
        """Send the next action; the seconds until its answer."""
        await self.first_view.wait()
        self.sent += 1
        answer = self.answers[self.sent] = asyncio.get_running_loop().create_future()
        named = {"id": self.sent, "key": f"act {self.sent}"}
        message = named | {"round": self.seen["round"], "seat": 1} | self.next_action()
        start = time.perf_counter()
        await self.socket.send(orjson.dumps(message).decode())
        reply = await answer
        taken = time.perf_counter() - start
        if not reply["ok"]:
            raise Refused(f"{message} was answered by {reply}.")
        return taken

    def next_action(self) -> dict[str, Any]:
        seat = self.seen["seats"][0]
        if seat.get("choices"):
            return {"act": "choose", "choice": seat["choices"][0]["choice"]}
        if seat["wagers"]:
            return {"act": "ready"}
        return {"act": "wager", "wagers": minimum_wagers(GAMES[self.seen["game"]])}
