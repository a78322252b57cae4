"""What a pit does on this machine with every act durable before it is answered, beside its own fsync.

- Rounds a second: tables and ledger in one process, without a network; every seat plays as fast as it is
  answered, over a mix of all games.
- Latency: `feltlab serve` in a process of its own, and WebSocket clients in this one, each at a table and
  acting once a second; from the message to the answer that comes when the act is on the disk.
- Memory: the same with fewer clients for FELTLAB_BENCH_MINUTES (1) minutes.
"""

import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

import orjson
import uvloop

from feltlab.errors import Refused
from feltlab.game import Game
from feltlab.games import GAMES
from feltlab.limits import STANDARD
from feltlab.pit.accounts import Account, guest
from feltlab.pit.approvals import approve_all
from feltlab.pit.event import HOUSE
from feltlab.pit.live import LiveTable
from feltlab.pit.pit import Pit, collect_seldom, today
from feltlab.pit.table import Phase, Table, Timers

TABLES = 200  # in one process, one seat each
SECONDS = 10.0
CLIENTS, CLIENT_SECONDS, WARM_UP = 500, 20.0, 5.0
MEMORY_CLIENTS, MINUTES = 200, float(os.environ.get("FELTLAB_BENCH_MINUTES", "1"))
MONEY = 10**9  # cents, so that nobody is broken
SYNCS = 300


class Line(NamedTuple):
    what: str
    figure: float
    unit: str
    beside: str


def measure() -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        synced = syncs(Path(folder))
        disk = f"fsync of the same folder: median {synced[0]:.2f} ms, p99 {synced[1]:.2f} ms"
        yield Line("fsync, median", synced[0], "ms", f"p99 {synced[1]:.2f} ms")
        rounds, events = in_loop(rounds_a_second(Path(folder, "rounds")))
        beside = f"{events:,.0f} events/s; target 1,000 rounds; {disk}"
        yield Line(f"rounds, {TABLES} tables in process", rounds, "rounds/s", beside)
        yield from latency(Path(folder, "latency"), disk)
        yield from memory(Path(folder, "memory"))


def syncs(folder: Path) -> tuple[float, float]:
    """Milliseconds that a page takes to the disk: the median and the 99th percentile."""
    taken = []
    with open(folder / "synced", "wb") as file:
        for _ in range(SYNCS):
            start = time.perf_counter()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - start)
    return middle_and_tail(taken)


def middle_and_tail(seconds: list[float]) -> tuple[float, float]:
    return 1000 * median(seconds), 1000 * quantiles(seconds, n=100)[98]


def in_loop(work: Any) -> Any:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


# -- Tables with a player each ----------------------------------------------------------------------


class Room(NamedTuple):
    pit: Pit
    players: dict[str, Account]  # by table


async def opened(folder: Path, tables: int) -> Room:
    """A pit with so many tables, and at each a player with more money than it can lose."""
    room = Room(Pit(folder), {})
    pit = room.pit
    await pit.start(expect=False)
    await pit.decide(lambda register: approve_all(register, pit.house, GAMES.values(), HOUSE, today()))
    games = list(GAMES.values())
    for n in range(tables):
        live = await pit.open_table(f"table-{n}", games[n % len(games)], HOUSE, STANDARD, Timers())
        room.players[live.table.name] = await seated(pit, live)
    return room


async def seated(pit: Pit, live: LiveTable) -> Account:
    player = guest()
    await pit.give(lambda cage: cage.plan_issue(player.name, MONEY, "benchmark"))
    await live.act(lambda table: table.sit(player.name, 0, MONEY))
    return player


def wagers(game: Game) -> dict[str, int]:
    return {spot.name: STANDARD.minimum for spot in game.wagers}


async def rounds_a_second(folder: Path) -> tuple[float, float]:
    """Rounds and events a second, after a second to warm up."""
    pit, players = await opened(folder, TABLES)
    collect_seldom()
    seats = [(pit.table(name), player.name) for name, player in players.items()]
    await asyncio.gather(*(played(*seat, time.perf_counter() + 1) for seat in seats))
    before, start = written(pit), time.perf_counter()
    rounds = await asyncio.gather(*(played(*seat, start + SECONDS) for seat in seats))
    taken = time.perf_counter() - start
    events = written(pit) - before
    await pit.stop()
    return sum(rounds) / taken, events / taken


def written(pit: Pit) -> int:
    return sum(number for number, _ in pit.ledger.heads().values())


async def played(live: LiveTable, player: str, until: float) -> int:
    """How many rounds one seat has played by then, always by the first choice."""
    put, rounds = wagers(live.table.game), 0
    while time.perf_counter() < until:
        await live.act(lambda table: table.wager(player, 0, put))
        await live.act(lambda table: table.ready(player, 0))
        while live.table.phase == Phase.CHOOSING:
            await live.act(lambda table: table.choose(player, 0, first_choice(table)))
        rounds += 1
    return rounds


def first_choice(table: Table) -> str:
    return table.rounds[0].choices[0]


# -- A server, and clients in this process ----------------------------------------------------------


class Open(NamedTuple):
    """A server that runs."""

    process: int
    url: str
    sessions: dict[str, str]  # by table


@contextmanager
def server(folder: Path, tables: int) -> Iterator[Open]:
    sessions = in_loop(prepared(folder, tables))
    words = ("serve", "--data", str(folder), "--port", "0", "--no-demo")
    command = [sys.executable, "-m", "feltlab.cli", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            found = (re.search(r"http(://\S+?)/", line) for line in process.stdout)
            yield Open(process.pid, f"ws{next(filter(None, found))[1]}", sessions)
        finally:
            process.terminate()


async def prepared(folder: Path, tables: int) -> dict[str, str]:
    """Tables with players, left for a server to take up; the players' sessions."""
    pit, players = await opened(folder, tables)
    await pit.stop()
    return {name: pit.sessions.sign(pit.sessions.issue(player)) for name, player in players.items()}


def latency(folder: Path, disk: str) -> Iterator[Line]:
    with server(folder, CLIENTS) as running:
        taken = in_loop(everyone(running, WARM_UP + CLIENT_SECONDS))
    late = [seconds for at, seconds in taken if at > WARM_UP]
    middle, tail = middle_and_tail(late)
    acts = f"{len(late) / CLIENT_SECONDS:,.0f} acts/s of {CLIENTS} tables"
    yield Line("act to durable answer, median", middle, "ms", f"{acts}; target below 10 ms; {disk}")
    longest = f"longest {1000 * max(late):.0f} ms"
    yield Line("act to durable answer, p99", tail, "ms", f"target below 150 ms; {longest}")


def memory(folder: Path) -> Iterator[Line]:
    with server(folder, MEMORY_CLIENTS) as running:
        start, middle, end = in_loop(watched(running))
    growth = (end - middle) / (MINUTES / 2)
    sizes = f"{start:.0f} MB at the start, {middle:.0f} in the middle, {end:.0f} at the end"
    yield Line(f"memory, {MEMORY_CLIENTS} clients, {MINUTES:g} minutes", growth, "MB/minute", sizes)


async def watched(running: Open) -> list[float]:
    """The server's memory at the start, in the middle and at the end of play."""
    play = asyncio.create_task(everyone(running, WARM_UP + 60 * MINUTES))
    await asyncio.sleep(WARM_UP)
    found = [resident(running.process)]
    for _ in range(2):
        await asyncio.sleep(30 * MINUTES - 0.5)
        found.append(resident(running.process))
    await play
    return found


def resident(process: int) -> float:
    """Megabytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def everyone(running: Open, seconds: float) -> list[tuple[float, float]]:
    """When each act was sent and how long its answer took, over all clients."""
    start = time.perf_counter()
    clients = (client(running.url, *each, start, seconds) for each in running.sessions.items())
    return [one for taken in await asyncio.gather(*clients) for one in taken]


async def client(
    url: str, table: str, session: str, start: float, seconds: float
) -> list[tuple[float, float]]:
    """A player that acts once a second, at moments of its own."""
    from websockets.asyncio.client import connect

    place, headers = f"{url}/api/tables/{table}/live", {"Authorization": f"Bearer {session}"}
    async with connect(place, additional_headers=headers, compression=None, max_queue=None) as socket:
        player = Client(socket)
        reading = asyncio.create_task(player.read())
        await asyncio.sleep(WARM_UP * random.random())
        taken = []
        while (at := time.perf_counter() - start) < seconds:
            taken.append((at, await player.act()))
            await asyncio.sleep(max(0.0, at + 1 - (time.perf_counter() - start)))
        reading.cancel()
    return taken


class Client:
    """Sees a table, and does what it may do next."""

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
        """The seconds from a message to its answer."""
        await self.first_view.wait()
        self.sent += 1
        answer = self.answers[self.sent] = asyncio.get_running_loop().create_future()
        named = {"id": self.sent, "key": f"act {self.sent}"}
        message = named | {"round": self.seen["round"], "seat": 1} | self.next()
        start = time.perf_counter()
        await self.socket.send(orjson.dumps(message).decode())
        said = await answer
        taken = time.perf_counter() - start
        if not said["ok"]:
            raise Refused(f"{message} was answered by {said}.")
        return taken

    def next(self) -> dict[str, Any]:
        seat = self.seen["seats"][0]
        if seat.get("choices"):
            return {"act": "choose", "choice": seat["choices"][0]["choice"]}
        if seat["wagers"]:
            return {"act": "ready"}
        return {"act": "wager", "wagers": wagers(GAMES[self.seen["game"]])}
