"""Three servers on one PostgreSQL, of which two stand by or all run tables, and an outside client plays on.

The client sends every act with a key until some server has acknowledged it. Whatever happens to servers and
database meanwhile, each acknowledged act is on record once, and the ledger verifies.
"""

import asyncio
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from feltlab.ledger.ledger import Ledger
from feltlab.pit.verify import verify
from tests.support.cluster import Member, Player, count_tables, wait_for, wait_for_acts
from tests.support.databases import as_user, private_server, program

PLAYERS = 3


@pytest.fixture
def database() -> Iterator[tuple[str, Path]]:
    """The URL and the folder of a server that may be restarted."""
    pytest.importorskip("psycopg")
    if not program("initdb"):
        pytest.skip("no PostgreSQL server is installed")
    folder = Path(tempfile.mkdtemp(prefix="felt"))
    with private_server(str(folder)) as url:
        yield url, folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.slow
async def test_nothing_is_lost_and_nothing_is_done_twice(database: tuple[str, Path], tmp_path: Path) -> None:
    url, folder = database
    servers = [await asyncio.to_thread(Member, tmp_path, url) for _ in range(3)]
    acknowledged: Counter[str] = Counter()
    stop = asyncio.Event()
    players = [Player(servers, acknowledged) for _ in range(PLAYERS)]
    playing = [asyncio.create_task(player.play(stop)) for player in players]
    try:
        for trouble in (kill, pause, cut, restart, kill):
            await wait_for_acts(acknowledged, playing)
            await asyncio.to_thread(trouble, servers, url, folder)
        await wait_for_acts(acknowledged, playing)
        stop.set()
        await asyncio.wait_for(asyncio.gather(*playing), 120)
    finally:
        for server in servers:
            await asyncio.to_thread(server.end)
    with Ledger.open(url, writer=False) as ledger:
        report = verify(ledger)
        assert [problem.sentence for problem in report.problems] == []
        written = Counter(event.kind for event in ledger.events())
    assert written["wagered"] == acknowledged["wager"]
    assert written["ready"] >= acknowledged["ready"]
    assert written["started"] >= 4  # somebody took over, and somebody came back


@pytest.mark.slow
async def test_servers_that_share_the_tables_lose_nothing(database: tuple[str, Path], tmp_path: Path) -> None:
    """Each client asks all servers in turn, so most requests are forwarded; each server is hurt once."""
    url, folder = database
    servers = [await asyncio.to_thread(Member, tmp_path, url, "shared") for _ in range(3)]
    acknowledged: Counter[str] = Counter()
    stop = asyncio.Event()
    players = [Player(servers[n:] + servers[:n], acknowledged) for n in range(PLAYERS)]
    playing = [asyncio.create_task(player.play(stop)) for player in players]
    try:
        await asyncio.to_thread(wait_for, lambda: min(count_tables(url, servers)) >= 5)
        for victim, trouble in zip((0, 1, 2, 0, 1), (kill, pause, cut, restart, kill), strict=True):
            await wait_for_acts(acknowledged, playing)
            await asyncio.to_thread(trouble, servers[victim:] + servers[:victim], url, folder)
        await wait_for_acts(acknowledged, playing)
        await asyncio.to_thread(wait_for, lambda: min(count_tables(url, servers)) >= 5)
        stop.set()
        await asyncio.wait_for(asyncio.gather(*playing), 120)
    finally:
        for server in servers:
            await asyncio.to_thread(server.end)
    with Ledger.open(url, writer=False) as ledger:
        assert [problem.sentence for problem in verify(ledger).problems] == []
        written = Counter(event.kind for event in ledger.events())
    assert written["wagered"] == acknowledged["wager"]
    assert written["ready"] >= acknowledged["ready"]


def find_active(servers: list[Member]) -> Member:
    wait_for(lambda: any(server.status == 200 for server in servers))
    return next(server for server in servers if server.status == 200)


def kill(servers: list[Member], url: str, folder: Path) -> None:
    active = find_active(servers)
    active.send(signal.SIGKILL)
    active.process.wait()
    active.start()
    assert active.status in (200, 503)


def pause(servers: list[Member], url: str, folder: Path) -> None:
    """Stop the server at work for longer than its lease, so that another takes over, and let it go on."""
    active = find_active(servers)
    active.send(signal.SIGSTOP)
    others = [server for server in servers if server is not active]
    wait_for(lambda: any(server.status == 200 for server in others))
    wait_for(lambda: count_tables(url, [active]) == [0])
    active.send(signal.SIGCONT)


def cut(servers: list[Member], url: str, folder: Path) -> None:
    """End all connections to the database."""
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        )
    engine.dispose()


def restart(servers: list[Member], url: str, folder: Path) -> None:
    """Restart the database as after a power cut."""
    control = (program("pg_ctl"), "-D", f"{folder}/data", "-w", "-s")
    as_user(*control, "-l", f"{folder}/log", "-m", "immediate", "restart")
