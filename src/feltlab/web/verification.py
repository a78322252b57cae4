"""The ledger on the floor: where each chain ends, and a verification that is run when asked for.

It is the command that anyone can run, `feltlab ledger verify --json`, in a process of its own that gives
way to the tables. One runs at a time; who asks meanwhile waits for the same report.
"""

import asyncio
import os
import shutil
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from dataclasses import dataclass
from typing import Any

import orjson
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from feltlab.game import dollars
from feltlab.pit.accounts import Act
from feltlab.pit.answers import answer
from feltlab.pit.door import Door
from feltlab.pit.event import ANCHORS, now
from feltlab.pit.pit import Pit
from feltlab.pit.verify import COUNTS
from feltlab.web.floor import admitted
from feltlab.web.page import Data, add_page

router = APIRouter()
MEEK = ("nice", "-n", "10")
MONEY = {
    "issued": "issued by the cage",
    "balances": "in balances",
    "at_tables": "at the tables",
    "won": "won by the house",
}
SHOWN = 50  # problems


@dataclass
class Verification:
    """The verification that runs, and the last that ended."""

    began: float | None = None  # by the monotonic clock, while it runs
    by: str = ""
    ended: str = ""
    report: dict[str, Any] | None = None
    failed: str = ""

    async def run(self, command: tuple[str, ...], password: str) -> None:
        try:
            self.report, self.failed = await _reported(command, password), ""
        except (OSError, ValueError) as error:
            self.report, self.failed = None, f"The verification could not be run: {error}"
        finally:
            self.began, self.ended = None, now()

    @property
    def seconds(self) -> int | None:
        return None if self.began is None else int(time.monotonic() - self.began)


async def _reported(command: tuple[str, ...], password: str) -> dict[str, Any]:
    """What the command says at its end; who stops waiting for it stops it."""
    known = os.environ | ({"PGPASSWORD": password} if password else {})  # a command line is seen by all
    process = await asyncio.create_subprocess_exec(
        *command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, env=known
    )
    try:
        said, complaint = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if not said:
        raise ValueError(complaint.decode(errors="replace").strip()[-300:] or "it said nothing.")
    found: dict[str, Any] = orjson.loads(said)
    return found


def command_for(pit: Pit) -> tuple[str, ...]:
    database = pit.ledger.database
    url = database.url.set(drivername="sqlite" if database.is_file else "postgresql", password=None)
    meek = MEEK if shutil.which(MEEK[0]) else ()
    verify = (sys.executable, "-P", "-m", "feltlab.cli", "ledger", "verify", "--json")
    return (*meek, *verify, "--database", str(url))


def _verification(request: Request) -> Verification:
    state = request.app.state
    if not hasattr(state, "verification"):
        state.verification = Verification()
    found: Verification = state.verification
    return found


async def ledger(request: Request) -> Data:
    admitted(request, Act.AUDIT)
    pit: Pit = request.app.state.pit
    found = _verification(request)
    heads = await asyncio.to_thread(pit.ledger.heads)
    chains = [
        {"chain": chain, "number": number, "digest": digest} for chain, (number, digest) in heads.items()
    ]
    return {
        "title": "Ledger",
        "chains": sorted(chains, key=lambda chain: (chain["chain"] != ANCHORS, chain["chain"])),
        "anchor": heads[ANCHORS][1] if ANCHORS in heads else "",
        "events": sum(number for number, _ in heads.values()),
        "working": found.seconds,
        "by": found.by,
        "ended": found.ended,
        "failed": found.failed,
        "report": found.report and _shown(found.report),
    }


def _shown(report: dict[str, Any]) -> Data:
    """The report as the page sets it."""
    counts = [(title, f"{report[name]:,}") for name, title in COUNTS.items()]
    money = [(title, dollars(report[name])) for name, title in MONEY.items()]
    problems = report["problems"]
    more = len(problems[SHOWN:]) + report["more"]
    return {
        "sound": report["sound"],
        "rows": counts + money,
        "anchor": report["anchor"],
        "problems": problems[:SHOWN],
        "more": more,
    }


@router.post("/floor/ledger/verify", include_in_schema=False)
async def verify(request: Request) -> Response:
    """Begin a verification, unless one runs."""
    door: Door = request.app.state.door
    session = door.actor(request)
    door.check(session, Act.AUDIT)
    pit: Pit = request.app.state.pit
    found = _verification(request)
    if found.began is None:
        found.began, found.by = time.monotonic(), session.account
        pit.run(found.run(command_for(pit), str(pit.ledger.database.url.password or "")))
    return answer({"working": found.seconds}, 202)


add_page(router, "/floor/ledger", "floor-ledger.html", ledger)
