"""The speed of a pit that makes every action durable before it answers, beside the disk's own fsync.

- Rounds a second: tables and ledger in one process, without a network; every seat acts as soon as it is
  answered, over a mix of all games.
- Latency: `feltlab serve` in its own process, WebSocket clients in this one, each at a table, acting once a
  second; from the message to the answer, which comes when the action is on the disk.
- Memory: the same with fewer clients for FELTLAB_BENCH_MINUTES (1) minutes.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from _line import Line
from _tables import (
    WARM_UP_SECONDS,
    RunningServer,
    median_and_p99,
    minimum_wagers,
    open_room,
    play_everywhere,
    run_in_loop,
    run_server,
)

from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit
from feltlab.pit.seats import Phase
from feltlab.pit.table import Table
from feltlab.web.serve import tune_garbage_collection

TABLES = 200  # in one process, one seat each
SECONDS = 10.0
CLIENTS, CLIENT_SECONDS = 500, 20.0
MEMORY_CLIENTS, MINUTES = 200, float(os.environ.get("FELTLAB_BENCH_MINUTES", "1"))
FSYNCS = 300


def measure() -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        synced = measure_fsyncs(Path(folder))
        disk = f"fsync of the same folder: median {synced[0]:.2f} ms, p99 {synced[1]:.2f} ms"
        yield Line("fsync, median", synced[0], "ms", f"p99 {synced[1]:.2f} ms")
        rounds, events = run_in_loop(rounds_a_second(Path(folder, "rounds")))
        beside = f"{events:,.0f} events/s; target 1,000 rounds; {disk}"
        yield Line(f"rounds, {TABLES} tables in process", rounds, "rounds/s", beside)
        yield from latency(Path(folder, "latency"), disk)
        yield from memory(Path(folder, "memory"))


def measure_fsyncs(folder: Path) -> tuple[float, float]:
    """The milliseconds of one page's fsync: the median and the 99th percentile."""
    taken = []
    with open(folder / "synced", "wb") as file:
        for _ in range(FSYNCS):
            start = time.perf_counter()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - start)
    return median_and_p99(taken)


# -- In one process --------------------------------------------------------------------------------


async def rounds_a_second(folder: Path) -> tuple[float, float]:
    """Rounds and events a second, after a second to warm up."""
    pit, players = await open_room(folder, TABLES)
    tune_garbage_collection()
    seats = [(pit.table(name), player.name) for name, player in players.items()]
    await asyncio.gather(*(play_seat(*seat, time.perf_counter() + 1) for seat in seats))
    before, start = count_events(pit), time.perf_counter()
    rounds = await asyncio.gather(*(play_seat(*seat, start + SECONDS) for seat in seats))
    taken = time.perf_counter() - start
    events = count_events(pit) - before
    await pit.stop()
    return sum(rounds) / taken, events / taken


def count_events(pit: Pit) -> int:
    return sum(number for number, _ in pit.ledger.heads().values())


async def play_seat(live: LiveTable, player: str, until: float) -> int:
    """Play one seat until a moment, always by the first choice; the number of rounds."""
    put, rounds = minimum_wagers(live.table.game), 0
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
    with run_server(folder, CLIENTS) as running:
        taken = run_in_loop(play_everywhere(running, WARM_UP_SECONDS + CLIENT_SECONDS))
    late = [seconds for at, seconds in taken if at > WARM_UP_SECONDS]
    middle, tail = median_and_p99(late)
    acts = f"{len(late) / CLIENT_SECONDS:,.0f} actions/s at {CLIENTS} tables"
    yield Line("action to durable answer, median", middle, "ms", f"{acts}; target below 10 ms; {disk}")
    longest = f"longest {1000 * max(late):.0f} ms"
    yield Line("action to durable answer, p99", tail, "ms", f"target below 150 ms; {longest}")


def memory(folder: Path) -> Iterator[Line]:
    with run_server(folder, MEMORY_CLIENTS) as running:
        start, middle, end = run_in_loop(watch_memory(running))
    growth = (end - middle) / (MINUTES / 2)
    sizes = f"{start:.0f} MB at the start, {middle:.0f} in the middle, {end:.0f} at the end"
    yield Line(f"memory, {MEMORY_CLIENTS} clients, {MINUTES:g} minutes", growth, "MB/minute", sizes)


async def watch_memory(running: RunningServer) -> list[float]:
    """The server's memory at the start, in the middle and at the end of play."""
    play = asyncio.create_task(play_everywhere(running, WARM_UP_SECONDS + 60 * MINUTES))
    await asyncio.sleep(WARM_UP_SECONDS)
    megabytes = [resident_megabytes(running.process)]
    for _ in range(2):
        await asyncio.sleep(30 * MINUTES - 0.5)
        megabytes.append(resident_megabytes(running.process))
    await play
    return megabytes


def resident_megabytes(process: int) -> float:
    """The memory of a process."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
