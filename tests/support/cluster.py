"""Servers in processes of their own that share a ledger, and players who ask one after the other."""

import asyncio
import itertools
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import httpx

from feltlab.ledger.ledger import Ledger
from feltlab.ledger.sharing.members import Members
from tests.support.killable import START_SECONDS

SERVE = """
import sys
from pathlib import Path
from feltlab.server.auth import Allowance
from feltlab.server.rate_limits import RateLimit
from feltlab.server.network import Network
from feltlab.web.serve import serve
from feltlab.web.server_options import ServerOptions
plenty = Allowance(guests=RateLimit(1e6, 1e6), requests=RateLimit(1e6, 1e6))
port, folder, database = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
network = Network(port=port, proxies=("127.0.0.1",))
mode, _, value = sys.argv[4].partition("=")
options = ServerOptions(network, folder, database, demo=True, allowance=plenty, **{mode: int(value or 1)})
serve(options, print, print)
"""
ACTS_BETWEEN = 25  # acknowledged acts before the next trouble
ANSWER_SECONDS = 3.0  # until the client asks another server


class Member:
    """One of the servers, in a process of its own."""

    def __init__(self, folder: Path, database: str, mode: str = "standby") -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.command = [sys.executable, "-c", SERVE, str(self.port), str(folder), database, mode]
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, start_new_session=True)
        wait_for(lambda: self.status is not None)

    @property
    def status(self) -> int | None:
        """The status of its health: 200 while it runs the pit, 503 while it stands by."""
        try:
            return httpx.get(f"{self.address}/api/health", timeout=5).status_code
        except httpx.HTTPError:
            return None

    def send(self, sign: signal.Signals) -> None:
        os.killpg(self.process.pid, sign)

    def end(self) -> None:
        self.send(signal.SIGCONT)
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(60) == 0


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + START_SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


class Player:
    """A guest who plays at a table of their own, through whichever server answers."""

    def __init__(self, servers: list[Member], acknowledged: Counter[str]) -> None:
        self.servers, self.acknowledged = servers, acknowledged
        self.http = httpx.AsyncClient(timeout=ANSWER_SECONDS)
        self.keys = (f"act-{id(self)}-{n}" for n in itertools.count())
        self.refused = 0

    async def ask(self, method: str, path: str, **body: object) -> httpx.Response:
        """Ask one server after the other until one of them does it, or refuses it for good."""
        headers = {"Idempotency-Key": next(self.keys)}
        for server in itertools.cycle(self.servers):
            try:
                url = f"{server.address}/api/{path}"
                found = await self.http.request(method, url, headers=headers, json=body or None)
                if found.status_code < 500:
                    return found
            except httpx.HTTPError:
                pass
            await asyncio.sleep(0.1)
        raise AssertionError

    async def act(self, table: str, name: str, **body: object) -> None:
        found = await self.ask("POST", f"tables/{table}/{name}", **body)
        assert found.status_code in (200, 409), found.text
        self.acknowledged[name] += found.status_code == 200
        self.refused += found.status_code == 409

    async def play(self, stop: asyncio.Event) -> None:
        guest = (await self.ask("POST", "session/guest")).json()
        self.http.cookies.clear()
        self.http.headers["Authorization"] = f"Bearer {guest['session']}"
        await self.ask("POST", "refill")  # refused, and harmless
        table = (await self.ask("POST", "solo", game="casino-war")).json()["table"]
        while not stop.is_set():
            found = (await self.ask("GET", f"tables/{table}")).json()
            mine = next(seat["seat"] for seat in found["seats"] if seat.get("yours"))
            at = {"seat": mine, "round": found["round"]}
            if found["phase"] == "betting":
                for cents in (500, 600, 700):
                    await self.act(table, "wager", **at, wagers={"primary": cents})
                await self.act(table, "ready", **at)
            elif found["phase"] == "choosing":
                await self.act(table, "choose", **at, choice="surrender")
            await asyncio.sleep(0.05)


async def wait_for_acts(acknowledged: Counter[str], playing: list[asyncio.Task[None]]) -> None:
    """Wait until some more acts are acknowledged, by whichever server has taken over."""
    enough = acknowledged.total() + ACTS_BETWEEN
    async with asyncio.timeout(240):
        while acknowledged.total() < enough:
            assert not any(task.done() for task in playing), [t.exception() for t in playing if t.done()]
            await asyncio.sleep(0.1)


def count_tables(url: str, servers: list[Member]) -> list[int]:
    """The number of tables that each server runs, by the leases on record."""
    with Ledger.open(url, writer=False) as ledger:
        members = Members.load(ledger)
    counts = Counter(members.addresses.get(term) for term in members.owners.values())
    return [counts[server.address] for server in servers]
