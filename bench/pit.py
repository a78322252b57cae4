"""What a pit does on this machine with every act durable before it is answered, beside its own fsync.

- Rounds a second: tables and ledger in one process, without a network; every seat plays as fast as it is
  answered, over a mix of all games.
- Latency: `feltlab serve` in a process of its own, and WebSocket clients in this one, each at a table and
  acting once a second; from the message to the answer that comes when the act is on the disk.
- Memory: the same with fewer clients for FELTLAB_BENCH_MINUTES (1) minutes.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from _line import Line
from _tables import WARM_UP, Open, everyone, in_loop, middle_and_tail, opened, server, wagers

from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit, tune_garbage_collection
from feltlab.pit.seats import Phase
from feltlab.pit.table import Table

TABLES = 200  # in one process, one seat each
SECONDS = 10.0
CLIENTS, CLIENT_SECONDS = 500, 20.0
MEMORY_CLIENTS, MINUTES = 200, float(os.environ.get("FELTLAB_BENCH_MINUTES", "1"))
SYNCS = 300


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


# -- In one process --------------------------------------------------------------------------------


async def rounds_a_second(folder: Path) -> tuple[float, float]:
    """Rounds and events a second, after a second to warm up."""
    pit, players = await opened(folder, TABLES)
    tune_garbage_collection()
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


# -- With a network ---------------------------------------------------------------------------------


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
