"""`serve --workers`: processes of one server share its tables, on SQLite, and a killed one is replaced."""

import asyncio
import os
import signal
from collections import Counter
from contextlib import suppress
from pathlib import Path

import httpx
import orjson
import pytest
from websockets.asyncio.client import connect

from feltlab.errors import Refused
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.sharing.members import Members
from feltlab.pit.pit import LEDGER_FILE
from feltlab.pit.verify import verify
from feltlab.server.network import Network
from feltlab.web.serve import serve
from feltlab.web.server_options import ServerOptions
from tests.support.cluster import Member, Player, wait_for, wait_for_acts

WORKERS = 2
TABLES = 17  # of the demonstration


def find_workers(parent: int) -> list[int]:
    """The processes that serve, without the one that frees shared resources at the end."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    found = []
    for pid in map(int, children):
        with suppress(OSError):  # it has just ended
            found += [pid] if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes() else []
    return found


def count_shares(ledger: str) -> list[int]:
    with Ledger.open(ledger, writer=False) as opened:
        owners = Members.load(opened).owners
    return sorted(Counter(owners.values()).values())


async def watch_table(address: str, session: str, table: str) -> str:
    """The table that a socket shows first, through whichever process accepts it."""
    url = address.replace("http", "ws") + f"/api/tables/{table}/live"
    async with connect(url, additional_headers={"Authorization": f"Bearer {session}"}) as socket:
        return str(orjson.loads(await socket.recv())["table"])


@pytest.mark.slow
async def test_processes_share_the_tables_and_replace_a_killed_one(tmp_path: Path) -> None:
    server = await asyncio.to_thread(Member, tmp_path, "", f"workers={WORKERS}")
    ledger = str(tmp_path / LEDGER_FILE)
    acknowledged: Counter[str] = Counter()
    stop = asyncio.Event()
    try:
        await asyncio.to_thread(wait_for, lambda: count_shares(ledger) == [TABLES // 2, TABLES - TABLES // 2])
        playing = [asyncio.create_task(Player([server], acknowledged).play(stop)) for _ in range(3)]
        await wait_for_acts(acknowledged, playing)
        guest = httpx.post(f"{server.address}/api/session/guest").json()["session"]
        names = [one["table"] for one in httpx.get(f"{server.address}/api/tables").json()]
        for name in names:
            assert await watch_table(server.address, guest, name) == name
            page = httpx.get(f"{server.address}/tables/{name}")
            assert (page.status_code, page.headers.get_list("x-frame-options")) == (200, ["DENY"])
        before = find_workers(server.process.pid)
        os.kill(before[-1], signal.SIGKILL)
        await asyncio.to_thread(
            wait_for, lambda: len(set(find_workers(server.process.pid)) - set(before)) == 1
        )
        await wait_for_acts(acknowledged, playing)
        await asyncio.to_thread(wait_for, lambda: min(count_shares(ledger)) > TABLES // 2 - 1)
        stop.set()
        await asyncio.wait_for(asyncio.gather(*playing), 120)
    finally:
        await asyncio.to_thread(server.end)
    assert not [pid for pid in before if Path(f"/proc/{pid}").exists()]
    with Ledger.open(ledger, writer=False) as opened:
        assert [problem.sentence for problem in verify(opened).problems] == []
        written = Counter(event.kind for event in opened.events())
    assert written["wagered"] == acknowledged["wager"]


def test_ways_to_share_exclude_each_other(tmp_path: Path) -> None:
    for terms in ({"workers": 2, "shared": True}, {"workers": 2, "standby": True}, {"shared": True}):
        with pytest.raises(Refused, match=r"--workers|--shared"):
            serve(ServerOptions(Network(port=0), tmp_path, **terms), print, print)  # type: ignore[arg-type]
