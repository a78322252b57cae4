"""An honest player's clicks while strangers and guests attack the server, and how fast the disk fills.

The attack runs in a process of its own, from three other addresses of this machine, for
FELTLAB_BENCH_MINUTES (1) minutes: connections without end, heads that trickle, giant bodies, wrong
passwords, floods of guests, and guests who change their wagers as fast as they may.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from _line import Line
from _tables import median_and_p99, play_everywhere, run_in_loop, run_server

TABLES = 10  # of honest players, each acting once a second
MINUTES = float(os.environ.get("FELTLAB_BENCH_MINUTES", "1"))
QUIET_SECONDS = 15.0
STRANGER, GUEST, PLAYER = "127.0.0.66", "127.0.0.67", "127.0.0.68"  # the attackers' addresses
MAX_IDLE = 5_000  # connections that the stranger tries to hold
SLOW_HEADS, WORKERS = 200, 4

Attack = Callable[["Attacker"], Awaitable[None]]


def measure() -> Iterator[Line]:
    quiet = subprocess.DEVNULL  # the server says of every broken request that it is one
    with TemporaryDirectory() as folder, run_server(Path(folder), TABLES, errors=quiet) as running:
        clicks = run_in_loop(play_everywhere(running, QUIET_SECONDS)).taken
        yield from _describe_clicks("quiet", clicks)
        before = count_bytes(Path(folder))
        command = [sys.executable, __file__, running.url.removeprefix("ws://"), str(60 * MINUTES)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as attack:
            clicks = run_in_loop(play_everywhere(running, 60 * MINUTES - 5)).taken
            found = json.loads(attack.communicate()[0])
        yield from _describe_clicks("under attack", clicks)
        grown = (count_bytes(Path(folder)) - before) / 1e6 / MINUTES
        yield Line("the ledger's growth", grown, "MB/minute", "honest players and attackers together")
        for name, answers in found.items():
            said = ", ".join(f"{answer}: {count:,}" for answer, count in answers.items())
            yield Line(f"answers to {name}", sum(answers.values()), "", said)


def _describe_clicks(when: str, taken: list[tuple[float, float]]) -> Iterator[Line]:
    late = [seconds for _, seconds in taken]
    middle, tail = median_and_p99(late)
    yield Line(f"a click, {when}, median", middle, "ms", f"{len(late):,} clicks at {TABLES} tables")
    yield Line(f"a click, {when}, p99", tail, "ms", f"longest {1000 * max(late):.0f} ms; target below 200 ms")


def count_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


# -- The attack -------------------------------------------------------------------------------------


class Attacker:
    """Connections from one address, and a count of the answers."""

    def __init__(self, host: str, port: int, source: str) -> None:
        self.host, self.port, self.source = host, port, source
        self.answers: Counter[str] = Counter()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.host, self.port, local_addr=(self.source, 0))

    async def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[str, bytes]:
        """The status of a request, or the kind of failure, and the body of its answer."""
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{lines}"
        head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        status, content = "cut off", b""
        with suppress(OSError, TimeoutError, IndexError):
            reader, writer = await self.connect()
            try:
                writer.write(head.encode() + body)
                answer = await asyncio.wait_for(reader.read(), 15)
                status, content = answer.split()[1].decode(), answer.partition(b"\r\n\r\n")[2]
            finally:
                writer.transport.abort()
        self.answers[status] += 1
        return status, content


async def hold_connections(attacker: Attacker) -> None:
    """Open connections that say nothing, again and again."""
    held = []
    while True:
        with suppress(OSError):
            held.append((await attacker.connect())[1])
            attacker.answers["opened"] += 1
        if len(held) > MAX_IDLE:
            held.pop(0).transport.abort()
        await asyncio.sleep(0.001)


async def trickle_heads(attacker: Attacker) -> None:
    async def trickle() -> None:
        while True:
            with suppress(OSError):
                _, writer = await attacker.connect()
                while not writer.transport.is_closing():
                    writer.write(b"G")
                    await asyncio.sleep(1)
                attacker.answers["closed"] += 1
            await asyncio.sleep(1)

    await asyncio.gather(*(trickle() for _ in range(SLOW_HEADS)))


async def send_giants(attacker: Attacker) -> None:
    """Bodies, heads and nests that are too large."""
    deep = b"[" * 30_000 + b"]" * 30_000
    while True:
        await attacker.ask("POST", "/api/session", b"x" * 5_000_000)
        await attacker.ask("POST", "/api/session", deep)
        await attacker.ask("GET", "/" + "a" * 60_000)
        await attacker.ask("GET", "/", b"", **{f"x{n}": "y" for n in range(500)})


async def guess_passwords(attacker: Attacker) -> None:
    while True:
        body = json.dumps({"name": "admin", "password": os.urandom(8).hex()}).encode()
        await attacker.ask("POST", "/api/session", body)


async def make_guests(attacker: Attacker) -> None:
    while True:
        await attacker.ask("POST", "/api/session/guest")


async def change_wagers(attacker: Attacker) -> None:
    """As a guest, change the wagers at a table of one's own as fast as it goes."""
    session = {"authorization": "Bearer none"}
    table, seat, round = "", 0, 0
    while not table:
        await asyncio.sleep(1)
        status, content = await attacker.ask("POST", "/api/session/guest")
        if status == "201":
            session = {"authorization": f"Bearer {json.loads(content)['session']}"}
            status, content = await attacker.ask("POST", "/api/solo", b'{"game": "casino-war"}', **session)
            if status == "201":
                shown = json.loads(content)
                table, round = shown["table"], shown["round"]
                seat = next(one["seat"] for one in shown["seats"] if one.get("yours"))
    while True:
        for cents in (500, 1000):
            body = json.dumps({"seat": seat, "round": round, "wagers": {"primary": cents}}).encode()
            await attacker.ask("POST", f"/api/tables/{table}/wager", body, **session)


ATTACKS: dict[str, tuple[str, int, Attack]] = {
    "idle connections": (STRANGER, 1, hold_connections),
    "heads that trickle": (STRANGER, 1, trickle_heads),
    "giants": (GUEST, WORKERS, send_giants),
    "wrong passwords": (GUEST, WORKERS, guess_passwords),
    "new guests": (GUEST, WORKERS, make_guests),
    "wagers of guests": (PLAYER, WORKERS, change_wagers),
}


async def attack(address: str, seconds: float) -> dict[str, dict[str, int]]:
    """Attack in all ways at once; the answers by attack."""
    host, _, port = address.rpartition(":")
    attackers = {name: Attacker(host, int(port), source) for name, (source, _, _) in ATTACKS.items()}
    works = [work(attackers[name]) for name, (_, count, work) in ATTACKS.items() for _ in range(count)]
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*works)
    return {name: dict(attacker.answers.most_common()) for name, attacker in attackers.items()}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(attack(sys.argv[1], float(sys.argv[2])))))
