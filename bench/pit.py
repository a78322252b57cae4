"""The speed of a pit that makes every action durable before it answers, beside the disk's own fsync.

Each part can be run alone (`feltlab bench pit --part rounds --part pages`):

- rounds: tables and ledger in one process, without a network; every seat acts as soon as it is answered, over
  a mix of all games.
- tables-500, tables-1000: `feltlab serve` in its own process, WebSocket clients in this one, each at a table,
  acting once a second; from the message to the answer, which comes when the action is on the disk.
- workers-500, workers-1000: the same with two server processes (`serve --workers 2`).
- postgres-500, postgres-1000, postgres-workers-500, postgres-workers-1000: both on PostgreSQL, where its
  programs are installed.
- memory: the same with fewer clients for FELTLAB_BENCH_MINUTES (1) minutes.
- pages: the start and the pages of a pit with an old ledger of 100,000 rounds; on PostgreSQL too.
- old-pages: the same with a million rounds, which take 5 GB and some minutes to make.
- verify: rounds verified a second, on one core and on all, of a short ledger and of one of 100,000 rounds.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from _line import Line
from _pages import serve_old, time_pages
from _processes import wait_until_shared
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
from tests.support.aged_ledger import make_aged_ledger
from tests.support.databases import private_server, program

from feltlab.ledger.ledger import Ledger
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import LEDGER_FILE, Pit
from feltlab.pit.recorded_round import load_last_rounds
from feltlab.pit.seats import Phase
from feltlab.pit.table import Table
from feltlab.pit.verify import verify
from feltlab.pit.verify.processes import count_cores
from feltlab.web.serve import tune_garbage_collection

TABLES = 200  # in one process, one seat each
SECONDS = 10.0
CLIENT_SECONDS = 15.0
MEMORY_CLIENTS, MINUTES = 200, float(os.environ.get("FELTLAB_BENCH_MINUTES", "1"))
FSYNCS = 300
SHORT_ROUNDS, OLD_ROUNDS, VERY_OLD_ROUNDS, DAYS = 20_000, 100_000, 1_000_000, 400


def measure(parts: tuple[str, ...] = ()) -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        synced = measure_fsyncs(Path(folder))
        yield Line("fsync, median", synced[0], "ms", f"p99 {synced[1]:.2f} ms")
        for part in parts or PARTS:
            yield from PARTS[part](Path(folder, part))


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


def has_postgres() -> bool:
    programs = [program(name) for name in ("initdb", "pg_ctl")]  # type: ignore[no-untyped-call]
    return all(programs)


@contextmanager
def open_postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server that runs for one measurement, and syncs every commit to the disk."""
    short = tempfile.TemporaryDirectory(prefix="felt", ignore_cleanup_errors=True)  # the path of a socket
    with short as folder, private_server(folder) as url:
        yield url.replace("+psycopg", "")


# -- In one process --------------------------------------------------------------------------------


def rounds(folder: Path) -> Iterator[Line]:
    played, events, cpu = run_in_loop(rounds_a_second(folder))
    beside = f"{events:,.0f} events/s; {cpu:.2f} ms of processor time a round; target 2,000 rounds"
    yield Line(f"rounds, {TABLES} tables in process", played, "rounds/s", beside)


async def rounds_a_second(folder: Path) -> tuple[float, float, float]:
    """Rounds and events a second, and milliseconds of processor time a round, after a second to warm up."""
    pit, players = await open_room(folder, TABLES)
    tune_garbage_collection()
    seats = [(pit.table(name), player.name) for name, player in players.items()]
    await asyncio.gather(*(play_seat(*seat, time.perf_counter() + 1) for seat in seats))
    before, start, cpu = count_events(pit), time.perf_counter(), time.process_time()
    played = sum(await asyncio.gather(*(play_seat(*seat, start + SECONDS) for seat in seats)))
    taken, cpu = time.perf_counter() - start, time.process_time() - cpu
    events = count_events(pit) - before
    await pit.stop()
    return played / taken, events / taken, 1000 * cpu / played


def count_events(pit: Pit) -> int:
    return sum(number for number, _ in pit.ledger.heads().values())


async def play_seat(live: LiveTable, player: str, until: float) -> int:
    """Play one seat until a moment, always by the first choice; the number of rounds."""
    put, played = minimum_wagers(live.table.game), 0
    while time.perf_counter() < until:
        await live.act(lambda table: table.wager(player, 0, put))
        await live.act(lambda table: table.ready(player, 0))
        while live.table.phase == Phase.CHOOSING:
            await live.act(lambda table: table.choose(player, 0, first_choice(table)))
        played += 1
    return played


def first_choice(table: Table) -> str:
    return table.rounds[0].choices[0]


# -- With a network ---------------------------------------------------------------------------------


def latency_on_postgres(folder: Path, clients: int, processes: int) -> Iterator[Line]:
    if has_postgres():
        with open_postgres() as url:
            yield from latency(folder, clients, processes, url)


def latency(folder: Path, clients: int, processes: int, database: str = "") -> Iterator[Line]:
    with run_server(folder, clients, database, processes) as running:
        wait_until_shared(database or str(folder / LEDGER_FILE), clients, processes)
        generator = time.process_time()
        played = run_in_loop(play_everywhere(running, CLIENT_SECONDS))
        generator = time.process_time() - generator
    late, where = [seconds for _, seconds in played.taken], "PostgreSQL" if database else "SQLite"
    where += f", {processes} processes" if processes > 1 else ""
    middle, tail = median_and_p99(late)
    acts = f"{len(late) / CLIENT_SECONDS:,.0f} actions/s; target below 20 ms"
    yield Line(f"answer at {clients:,} tables, {where}, median", middle, "ms", acts)
    longest = f"target below 150 ms; longest {1000 * max(late):.0f} ms"
    yield Line(f"answer at {clients:,} tables, {where}, p99", tail, "ms", longest)
    cpu = 1000 * played.processor_seconds / len(late)
    beside = f"of the server; {1000 * generator / len(late):.2f} ms of the clients"
    yield Line(f"processor time an action, {where}", cpu, "ms", beside)


def memory(folder: Path) -> Iterator[Line]:
    with run_server(folder, MEMORY_CLIENTS) as running:
        start, middle, end = run_in_loop(watch_memory(running))
    growth = (end - middle) / (MINUTES / 2)
    sizes = f"{start:.0f} MB at the start, {middle:.0f} in the middle, {end:.0f} at the end"
    yield Line(f"memory, {MEMORY_CLIENTS} clients, {MINUTES:g} minutes", growth, "MB/minute", sizes)


async def watch_memory(running: RunningServer) -> list[float]:
    """The server's memory at the start, in the middle and at the end of play."""
    play = asyncio.create_task(play_everywhere(running, 60 * MINUTES))
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


# -- Old ledgers ------------------------------------------------------------------------------------


def pages(folder: Path) -> Iterator[Line]:
    yield from old_pages(folder / "sqlite", OLD_ROUNDS, "")
    if has_postgres():
        with open_postgres() as url:
            yield from old_pages(folder / "postgres", OLD_ROUNDS, url)


def old_pages(folder: Path, rounds: int, database: str) -> Iterator[Line]:
    """The start of a server with an old ledger, and its pages."""
    start = time.perf_counter()
    aged = make_aged_ledger(folder, rounds, database=database, days=DAYS)
    made = f"{aged.rounds:,} rounds, {'PostgreSQL' if database else 'SQLite'}"
    yield Line(f"an old ledger is made, {made}", time.perf_counter() - start, "s", "")
    with serve_old(aged) as server:
        beside = f"target below 5 s; {server.cpu:.1f} s of CPU"
        yield Line(f"start, {made}", server.seconds, "s", beside)
        for page in time_pages(server, aged):
            beside = f"target below 100 ms; longest {page.longest:.0f} ms, {page.cpu:.0f} ms of CPU"
            yield Line(f"{page.name}, {made}", page.milliseconds, "ms", beside)
    with Ledger.open(database or folder / "ledger.sqlite", writer=False) as ledger:
        start, cpu = time.perf_counter(), time.process_time()
        load_last_rounds(ledger)
        taken, cpu = time.perf_counter() - start, time.process_time() - cpu
        beside = f"target below 1,000 ms; {1000 * cpu:.0f} ms of CPU"
        yield Line(f"recall, {made}", 1000 * taken, "ms", beside)


def verified(folder: Path) -> Iterator[Line]:
    for rounds in (SHORT_ROUNDS, OLD_ROUNDS):
        yield from verified_rounds(folder / str(rounds), rounds)


def verified_rounds(folder: Path, rounds: int) -> Iterator[Line]:
    aged = make_aged_ledger(folder, rounds, days=DAYS)
    with Ledger.open(aged.folder / "ledger.sqlite", writer=False) as ledger:
        verify(ledger, fast=True)  # loads the rules
        for cores in dict.fromkeys((1, count_cores())):
            start = time.perf_counter()
            report = verify(ledger, cores=cores)
            assert report.sound
            rate = report.settled / (time.perf_counter() - start)
            beside = "target 5,000, with the start of the processes" if cores > 1 else ""
            name = f"verified, {report.settled:,} rounds, {cores} core{'s' * (cores > 1)}"
            yield Line(name, rate, "rounds/s", beside)


PARTS: dict[str, Callable[[Path], Iterator[Line]]] = {
    "rounds": rounds,
    "tables-500": partial(latency, clients=500, processes=1),
    "tables-1000": partial(latency, clients=1_000, processes=1),
    "workers-500": partial(latency, clients=500, processes=2),
    "workers-1000": partial(latency, clients=1_000, processes=2),
    "postgres-500": partial(latency_on_postgres, clients=500, processes=1),
    "postgres-1000": partial(latency_on_postgres, clients=1_000, processes=1),
    "postgres-workers-500": partial(latency_on_postgres, clients=500, processes=2),
    "postgres-workers-1000": partial(latency_on_postgres, clients=1_000, processes=2),
    "memory": memory,
    "pages": pages,
    "old-pages": lambda folder: old_pages(folder, VERY_OLD_ROUNDS, ""),
    "verify": verified,
}
