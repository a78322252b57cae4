"""A pit that runs in a test, and clients that speak to it."""

import asyncio
import contextlib
import json
import socket
from contextlib import asynccontextmanager
from typing import Any

import httpx
import orjson
from argon2 import PasswordHasher
from websockets.asyncio.client import connect

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.games import GAMES
from feltlab.pit.accounts import ADMIN, Accounts
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Role
from feltlab.pit.seats import Timers
from feltlab.server.app import app
from feltlab.server.clients.allowance import Allowance
from feltlab.server.rate_limits import RateLimit
from feltlab.web.serve import Server, uvicorn_config

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
SECRET = "correct horse battery"
HERE = "http://127.0.0.1"
WAR = "casino-war"
SLOW = Timers(no_more_bets=None, dealing=None, reveal=None, settling=None)  # each phase waits for the dealer


def generous(**changed: Any) -> Allowance:
    limited = (
        "sign_ins",
        "guests",
        "guests_a_day",
        "tables",
        "phrases",
        "positions",
        "proposals",
        "rounds",
        "requests",
    )
    plenty = {name: RateLimit(1e6, 1e6) for name in limited}
    return Allowance(**plenty | changed)


class House:
    """A pit with a table for each game, and its app."""

    def __init__(self, pit: Pit, **options: Any) -> None:
        self.pit = pit
        self.app = app(pit, **{"allowance": generous()} | options)

    def state(self) -> Any:
        """All that an act could change at tables and at the cage."""
        tables = {name: (live.table, live.version) for name, live in self.pit.tables.items()}
        heads = {chain: head for chain, head in self.pit.ledger.heads().items() if chain not in OTHERS}
        return tables, dict(self.pit.cage.balances), self.pit.cage.issued, heads

    async def guest(self) -> "Client":
        client = Client(self)
        found = await client.post("session/guest")
        return client.known(found.json()["session"], found.json()["account"])

    async def as_(self, role: Role) -> "Client":
        name = f"the-{role}"
        with contextlib.suppress(ValueError):
            made = self.pit.accounts.create(name, SECRET, role, by=ADMIN)
            await self.pit.note(*made.drafts)
        account = self.pit.accounts[name]
        sessions = self.app.state.auth.sessions
        return Client(self).known(sessions.sign(sessions.issue(account)), name)


OTHERS = ("house", "anchors")


class Client:
    """Somebody who speaks to the pit by HTTP."""

    def __init__(self, house: House, **headers: str) -> None:
        transport = httpx.ASGITransport(house.app)
        self.http = httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers)
        self.name = self.session = ""

    def known(self, session: str, name: str) -> "Client":
        """With the session in a header, and no cookie."""
        self.session, self.name = session, name
        self.http.cookies.clear()
        self.http.headers["Authorization"] = f"Bearer {session}"
        return self

    async def get(self, path: str, **query: Any) -> httpx.Response:
        return await self.http.get(f"/api/{path}", params=query)

    async def post(self, path: str, key: str | None = None, **body: Any) -> httpx.Response:
        headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {})
        return await self.http.post(f"/api/{path}", content=json.dumps(body), headers=headers)

    async def at(self, table: str, act: str, key: str | None = None, **body: Any) -> httpx.Response:
        return await self.post(f"tables/{table}/{act}", key, **body)


@asynccontextmanager
async def running(folder, **options):
    pit = Pit(folder)
    pit.accounts = Accounts(pit.ledger, QUICK)
    await pit.start()
    try:
        await pit.demo()
        yield House(pit, **options)
    finally:
        await pit.stop()


def refused(response: httpx.Response, status: int, words: str = "") -> None:
    """Check that a request was refused with one sentence that holds these words."""
    assert response.status_code == status, response.text
    assert list(response.json()) == ["error"]
    said = response.json()["error"]
    assert words in said
    assert said.endswith(".")
    assert "\n" not in said


async def open_waiting_table(house, game=WAR, name="waiting", timers=SLOW):
    """A table that waits for its dealer in every phase."""
    return await house.pit.open_table(name, GAMES[game], "house", STANDARD_LIMITS, timers)


class QuietServer(Server):
    def capture_signals(self):
        return contextlib.nullcontext()


@asynccontextmanager
async def listening(house):
    """The house on a real port: the port."""
    with socket.socket(proto=socket.IPPROTO_TCP) as opened:
        opened.bind(("127.0.0.1", 0))
        port = opened.getsockname()[1]
        server = QuietServer(uvicorn_config(house.app))
        task = asyncio.create_task(server.serve(sockets=[opened]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield port
        finally:
            server.should_exit = True
            await task


async def wait_until(condition):
    """Wait until something is so, however slow the machine is."""
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


def watching(port, table, session=None, **headers):
    if session:
        headers["Authorization"] = f"Bearer {session}"
    uri = f"ws://127.0.0.1:{port}/api/tables/{table}/live"
    return connect(uri, additional_headers=headers, proxy=None, compression=None, close_timeout=1)


async def ask_socket(web, **message):
    """The answer to a message; views that come before it are passed over."""
    await web.send(orjson.dumps({"id": 1, **message}).decode())
    while True:
        found = orjson.loads(await asyncio.wait_for(web.recv(), 60))
        if "ok" in found:
            return found


async def wait_for_view(web, wanted):
    """The first view that is as wanted."""
    while True:
        found = orjson.loads(await asyncio.wait_for(web.recv(), 60))
        if "table" in found and wanted(found):
            return found
