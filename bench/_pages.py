"""Pages of a pit with an old ledger: how long its start takes, and each page that reads the ledger."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.support.aged_ledger import Aged

from feltlab.pit.accounts import ADMIN, create_guest
from feltlab.pit.roles import Role
from feltlab.server.sessions import Sessions

TIMES = 7  # that each page is asked for


class PageTime(NamedTuple):
    name: str
    milliseconds: float
    longest: float
    cpu: float  # milliseconds of the server's cores, which other work beside it changes little


class OldServer(NamedTuple):
    """A server with an old ledger, in a process of its own."""

    port: int
    process: int  # its number
    seconds: float  # of its start
    cpu: float  # seconds of the cores that the start took
    staff: str  # a session
    player: str


@contextmanager
def serve_old(aged: Aged) -> Iterator[OldServer]:
    words = ["serve", "--data", str(aged.folder), "--port", "0", "--no-demo", "--no-prepare"]
    words += ["--database", aged.database] if aged.database else []
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "feltlab", *words], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            matches = (re.search(r"http://\S+?:(\d+)/", line) for line in process.stdout)
            port = int(next(filter(None, matches))[1])
            taken = time.perf_counter() - start
            cpu = read_cpu_seconds(process.pid)
            yield OldServer(port, process.pid, taken, cpu, *_sign_sessions(aged))
        finally:
            process.terminate()


def _sign_sessions(aged: Aged) -> tuple[str, str]:
    sessions = Sessions.load(aged.folder / "sessions.key", lambda _: 0)
    administrator = replace(create_guest(), name=ADMIN, role=Role.ADMINISTRATOR)
    visitors = (administrator, replace(create_guest(), name=aged.guest))
    staff, player = (sessions.sign(sessions.issue(visitor)) for visitor in visitors)
    return staff, player


def time_pages(server: OldServer, aged: Aged) -> Iterator[PageTime]:
    """The time of each page: the median of some requests, and the longest."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=120)
    for name, address, is_staff in list_pages(aged):
        used = read_cpu_seconds(server.process)
        taken = [_ask(connection, address, server.staff if is_staff else server.player) for _ in range(TIMES)]
        cpu = (read_cpu_seconds(server.process) - used) / TIMES
        yield PageTime(name, 1000 * median(taken), 1000 * max(taken), 1000 * cpu)


def read_cpu_seconds(process: int) -> float:
    """The seconds that a process has used of all cores so far, as Linux counts them."""
    counts = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(counts[11]) + int(counts[12])) / os.sysconf("SC_CLK_TCK")


def list_pages(aged: Aged) -> Iterator[tuple[str, str, bool]]:
    """The title and address of each page, and whether it is for the staff."""
    table = aged.tables[0]
    middle = max(1, aged.rounds // len(aged.tables) // 2)
    yield "lobby", "/", False
    yield "table", f"/tables/{table}", False
    yield "permalink of a round", f"/tables/{table}/rounds/{middle}", False
    yield "round by the API", f"/api/tables/{table}/rounds/{middle}", False
    yield "receipt of a round", f"/api/tables/{table}/rounds/{middle}/receipt", False
    yield "last rounds by the API", f"/api/tables/{table}/rounds?last=100", False
    yield "hands", "/hands", False
    yield "floor", "/floor", True
    yield "floor of a table", f"/floor/tables/{table}", True
    yield "floor of a table, old rounds", f"/floor/tables/{table}?before={middle}", True
    yield "events", "/floor/events", True
    yield "events by the API", "/api/events?last=1000", True
    yield "old events of a table", f"/floor/events?table={table}", True
    yield "slips by the API", "/api/slips", True
    yield "shuffler log", f"/floor/tables/{table}/shufflers", True
    yield "auditor's ledger", "/floor/ledger", True
    yield "approvals", "/approvals", True
    yield "accounts", "/floor/accounts", True


def _ask(connection: HTTPConnection, address: str, session: str) -> float:
    start = time.perf_counter()
    connection.request("GET", address, headers={"Authorization": f"Bearer {session}"})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, f"{address} answers {answer.status}."
    return time.perf_counter() - start
