"""A pit with a player at every table, in this process or in a server that is played over WebSockets."""

import asyncio
import os
import random
import re
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

import orjson
import uvloop
from _light_socket import LightSocket

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
from feltlab.progressives.progressive import Progressive
from feltlab.server.sessions import Sessions
from feltlab.workers.rehearsal import rehearse_deferred, rehearse_or_defer

WARM_UP_SECONDS = 5.0  # in which the clients begin one after the other
START_SECONDS = 120.0  # after which a server that is not open is killed
END_SECONDS = 20.0  # after which a server that was told to end is killed
LATE_SECONDS = 60.0  # after which answers that are still missing count as never
MAX_CONNECTING = 100  # at a time; a server has room for 256 connections of an address without a session
TOO_LATE = 409  # the status of an action after the table's clock, where a server does not keep up
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


async def open_room(
    folder: Path, tables: int, database: str = "", games: Sequence[Game] = (), link: Progressive | None = None
) -> Room:
    """A pit with this many tables and a player at each; all of them feed the link, if there is one."""
    if rehearse_or_defer():  # or the rules are compiled while they are measured
        await rehearse_deferred()
    room = Room(Pit(folder, database or None, own_writer=True), {})
    pit = room.pit
    await pit.start()
    await pit.decide(lambda register: approve_all(register, pit.house, GAMES.values(), today()))
    games = list(games or GAMES.values())
    if link:
        await pit.jackpots.open(link, HOUSE_ACTOR, verifiers=0)
    for n in range(tables):
        name = f"table-{n}"
        await pit.open_table(name, games[n % len(games)], HOUSE_ACTOR, STANDARD_LIMITS, Timers())
        if link:
            await pit.jackpots.join(link.name, name, HOUSE_ACTOR)
    seated = await asyncio.gather(*(seat_player(pit, live) for live in pit.tables.values()))
    room.players.update(zip(pit.tables, seated, strict=True))
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
def run_server(
    folder: Path,
    tables: int,
    database: str = "",
    processes: int = 1,
    errors: int | None = None,
    games: Sequence[Game] = (),
    link: Progressive | None = None,
) -> Iterator[RunningServer]:
    """A server in a process of its own; `errors` is where it writes them, as `subprocess` names it."""
    sessions = run_in_loop(prepare_tables(folder, tables, database, games, link))
    words = ["serve", "--data", str(folder), "--port", "0", "--no-demo", "--no-prepare"]
    words += ["--database", database] if database else []
    words += ["--workers", str(processes)] if processes > 1 else []
    command = [sys.executable, "-m", "feltlab", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
        too_long = threading.Timer(START_SECONDS, process.kill)
        try:
            assert process.stdout
            too_long.start()
            matches = (re.search(r"http(://\S+?)/", line) for line in process.stdout)
            url = next(filter(None, matches))[1]
            too_long.cancel()
            yield RunningServer(process.pid, f"ws{url}", sessions)
        finally:
            too_long.cancel()
            end_process(process)


def end_process(process: subprocess.Popen[str]) -> None:
    """Have a server end; one that does not is killed."""
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def processor_seconds(process: int) -> float:
    """The processor time of a process and of its children so far."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except FileNotFoundError:  # it has ended, or the system does not tell
        return 0.0
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_seconds(int(child)) for child in children)


async def prepare_tables(
    folder: Path, tables: int, database: str, games: Sequence[Game] = (), link: Progressive | None = None
) -> dict[str, str]:
    """Tables with players for a server to open, and the players' sessions by table."""
    pit, players = await open_room(folder, tables, database, games, link)
    await pit.stop()
    sessions = Sessions.load(folder / "sessions.key", pit.accounts.sessions_from)
    return {name: sessions.sign(sessions.issue(player)) for name, player in players.items()}


class Played(NamedTuple):
    """What the clients of a server met."""

    taken: list[tuple[float, float]]  # of each action after the warm-up: when, and seconds to its answer
    processor_seconds: float  # of the server meanwhile


async def play_everywhere(running: RunningServer, seconds: float, linked: bool = False) -> Played:
    """Have all clients play for some seconds after a warm-up, once they are connected.

    At linked tables the clients bet on the progressive in every round, and are told what its meter shows.
    """
    gate = asyncio.Semaphore(MAX_CONNECTING)

    async def connect(table: str, session: str) -> Any:
        async with gate:
            return await connect_to_table(running.url, table, session, "?meters" if linked else "")

    sockets = await asyncio.gather(*(connect(*each) for each in running.sessions.items()))
    start, whole = time.perf_counter(), WARM_UP_SECONDS + seconds
    async with asyncio.timeout(whole + LATE_SECONDS if isfinite(whole) else None):
        clients = asyncio.gather(*(play_table(socket, start, whole, linked) for socket in sockets))
        await asyncio.sleep(WARM_UP_SECONDS)
        before = processor_seconds(running.process)
        played = await clients
    used = processor_seconds(running.process) - before
    return Played([one for taken in played for one in taken if one[0] > WARM_UP_SECONDS], used)


def connect_to_table(url: str, table: str, session: str, query: str = "") -> Coroutine[Any, Any, LightSocket]:
    """A WebSocket to a table, to be awaited."""
    return LightSocket.open(f"{url}/api/tables/{table}/live{query}", session)


async def play_table(
    socket: LightSocket, start: float, seconds: float, linked: bool = False
) -> list[tuple[float, float]]:
    """Play at one table, one action a second, from a random moment on."""
    player = Client(socket, linked)
    try:
        await asyncio.sleep(WARM_UP_SECONDS * random.random())
        taken = []
        while (at := time.perf_counter() - start) < seconds:
            taken.append((at, await player.act()))
            await asyncio.sleep(max(0.0, at + 1 - (time.perf_counter() - start)))
    finally:
        socket.close()
    return taken


class Client:
    """A player: hears the table's views and sends the next possible action."""

    def __init__(self, socket: LightSocket, linked: bool = False) -> None:
        self.linked = linked  # bets on the progressive of the table
        self.socket, self.sent, self.run = socket, 0, secrets.token_hex(4)
        self.seen: dict[str, Any] = {}
        self.answer: asyncio.Future[dict[str, Any]] | None = None
        self.first_view = asyncio.Event()
        socket.listen(self.hear, self.end)

    def hear(self, text: bytes) -> None:
        message = orjson.loads(text)
        if "ok" in message:
            assert self.answer
            self.answer.set_result(message)
        elif "jackpot" not in message:
            self.seen = message
            self.first_view.set()

    def end(self, why: Exception) -> None:
        if self.answer and not self.answer.done():
            self.answer.set_exception(why)

    async def act(self) -> float:
        """Send the next action; the seconds until its answer."""
        await self.first_view.wait()
        self.sent += 1
        self.answer = asyncio.get_running_loop().create_future()
        named = {"id": self.sent, "key": f"run {self.run}, act {self.sent}"}
        message = named | {"round": self.seen["round"], "seat": 1} | self.next_action()
        start = time.perf_counter()
        self.socket.send(orjson.dumps(message))
        reply = await self.answer
        taken = time.perf_counter() - start
        if not reply["ok"] and reply["status"] != TOO_LATE:
            raise Refused(f"{message} was answered by {reply}.")
        return taken

    def next_action(self) -> dict[str, Any]:
        seat = self.seen["seats"][0]
        if seat.get("choices"):
            return {"act": "choose", "choice": seat["choices"][0]["choice"]}
        if seat["wagers"] and self.linked and not seat.get("jackpot"):
            return {"act": "jackpot", "on": True}
        if seat["wagers"]:
            return {"act": "ready"}
        return {"act": "wager", "wagers": minimum_wagers(GAMES[self.seen["game"]])}
