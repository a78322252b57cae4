"""The ledger on the floor: where each chain ends, and a verification that is run when asked for.

A process of its own verifies (`verifier.py`). One runs at a time; who asks meanwhile waits for the same
report.
"""

import asyncio
import os
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from feltlab.errors import Refused
from feltlab.ledger.event import ANCHORS, NOT_TABLES, now
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Permission
from feltlab.pit.verify import COUNTS
from feltlab.server.auth import Door
from feltlab.server.responses import answer
from feltlab.text import dollars
from feltlab.web.page import Data, add_page, per_app
from feltlab.web.staff_request import pit_of, require_any
from feltlab.workers.process import Child, started

router = APIRouter()
SHOWN = 50  # problems
LONGEST = 16 << 20  # bytes of a report

# -- The process ------------------------------------------------------------------------------------


@dataclass
class Verification:
    """The verification that runs, and the last that ended."""

    began: float | None = None  # by the monotonic clock, while it runs
    progress: float = 0.0
    by: str = ""
    ended: str = ""
    took: int = 0  # seconds
    report: dict[str, Any] | None = None
    failed: str = ""

    @property
    def seconds(self) -> int | None:
        return None if self.began is None else int(time.monotonic() - self.began)

    def begin(self, pit: Pit, by: str) -> None:
        """Run, unless one runs already."""
        if self.began is None:
            self.began, self.by, self.progress = time.monotonic(), by, 0.0
            pit.run(self._run(pit))

    async def _run(self, pit: Pit) -> None:
        try:
            self.report, self.failed = await self._reported(pit), ""
        except (OSError, ValueError, Refused) as error:
            self.report, self.failed = None, f"The verification could not be run. {error}"
        finally:
            self.took, self.ended, self.began = self.seconds or 0, now(), None

    async def _reported(self, pit: Pit) -> dict[str, Any]:
        """What the process says at its end; who stops waiting for it stops it."""
        process = await _begun(pit)
        try:
            return await self._heard(process)
        finally:
            await process.stop()

    async def _heard(self, process: Child) -> dict[str, Any]:
        while line := await process.readline():
            told: dict[str, Any] = orjson.loads(line)
            if "refused" in told:
                raise Refused(told["refused"])
            if "report" in told:
                found: dict[str, Any] = told["report"]
                return found
            self.progress = told["progress"]
        raise Refused("Its process ended without a report; ask again.")


async def _begun(pit: Pit) -> Child:
    database = pit.ledger.database
    url = database.url.set(drivername="sqlite" if database.is_file else "postgresql", password=None)
    password = str(database.url.password or "")
    known = os.environ | ({"PGPASSWORD": password} if password else {})  # a command line is seen by all
    words = (sys.executable, "-P", "-m", "feltlab.workers.verify", str(url))
    return await started(*words, longest=LONGEST, env=known)


@router.post("/floor/ledger/verify", include_in_schema=False)
async def verify(request: Request) -> Response:
    """Begin a verification, unless one runs."""
    door: Door = request.app.state.door
    session = door.actor(request)
    door.check(session, Permission.AUDIT)
    found = per_app(request.app, "verification", Verification)
    found.begin(pit_of(request), session.account)
    return answer({"working": found.seconds}, 202)


# -- The page ---------------------------------------------------------------------------------------


async def ledger(request: Request) -> Data:
    require_any(request, Permission.AUDIT)
    pit, found = pit_of(request), per_app(request.app, "verification", Verification)
    heads = await asyncio.to_thread(pit.ledger.heads)
    chains = [
        {"chain": chain, "number": number, "digest": digest} for chain, (number, digest) in heads.items()
    ]
    return {
        "title": "Ledger",
        "chains": sorted(chains, key=lambda chain: (chain["chain"] != ANCHORS, chain["chain"])),
        "anchor": heads[ANCHORS][1] if ANCHORS in heads else "",
        "events": sum(number for number, _ in heads.values()),
        "tables": list(pit.tables),
        "working": found.seconds,
        "percent": int(100 * found.progress),
        "by": found.by,
        "ended": found.ended,
        "took": found.took,
        "failed": found.failed,
        "report": found.report and _shown(found.report),
    }


def _shown(report: Mapping[str, Any]) -> Data:
    """The report as the page sets it."""
    problems = report["problems"]
    return {
        "sound": report["sound"],
        "checked": [_part(report, *part) for part in CHECKED],
        "found": len(problems) + report["more"],
        "places": _places(problems[:SHOWN]),
        "more": len(problems[SHOWN:]) + report["more"],
    }


MONEY = {
    "issued": "issued by the cage",
    "balances": "in balances",
    "at_tables": "at the tables",
    "won": "won by the house",
}
CHECKED = (  # a title, what was checked, and what the report counts of it
    ("Digests", "Each event holds the digest of the one before it.", ("events", "chains")),
    (
        "Rounds",
        "Each was played again by the rules, and every payment compared.",
        ("settled", "voids", "replayed", "under_other_rules"),
    ),
    ("Shuffles", "Each order shown is the one committed to before.", ("commitments", "secret")),
    ("Money", "What was issued is in balances, at tables or won.", tuple(MONEY)),
)


def _part(report: Mapping[str, Any], title: str, says: str, names: tuple[str, ...]) -> Data:
    rows = [
        (MONEY[name], dollars(report[name])) if name in MONEY else (COUNTS[name], f"{report[name]:,}")
        for name in names
    ]
    return {"title": title, "says": says, "rows": rows}


def _places(problems: Iterable[Mapping[str, Any]]) -> list[Data]:
    """The problems by the place in which they lie, as they were found."""
    found: dict[tuple[str, int], list[str]] = {}
    for problem in problems:
        found.setdefault((problem["chain"], problem["round"]), []).append(problem["problem"])
    return [_place(*place) | {"says": says} for place, says in found.items()]


def _place(chain: str, round: int) -> Data:
    """Where to look: a round or a table; what else there is has no page."""
    if not chain or chain in NOT_TABLES:
        return {"place": f"The {chain or 'ledger'}", "link": ""}
    if not round:
        return {"place": chain, "link": f"/floor/tables/{chain}"}
    return {"place": f"{chain}, round {round}", "link": f"/tables/{chain}/rounds/{round}"}


add_page(router, "/floor/ledger", "floor-ledger.html", ledger)
