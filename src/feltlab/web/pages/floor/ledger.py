"""The ledger on the floor: where each chain ends, and a verification that is run when asked for.

A worker process verifies. One runs at a time; whoever asks meanwhile waits for the same report.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from feltlab.ledger.event import ANCHOR_CHAIN, OTHER_CHAINS
from feltlab.pit.roles import Permission
from feltlab.pit.verify import COUNT_TITLES
from feltlab.server.auth import Auth
from feltlab.server.responses import json_response
from feltlab.text import dollars
from feltlab.web.page import Data, add_page, per_app
from feltlab.web.staff_request import pit_of, require_any
from feltlab.workers.verify import Verification

router = APIRouter()
SHOWN = 50  # problems


@router.post("/floor/ledger/verify", include_in_schema=False)
async def verify(request: Request) -> Response:
    """Begin a verification, unless one runs."""
    auth: Auth = request.app.state.auth
    session = auth.require_actor(request)
    auth.require_any(session, Permission.AUDIT)
    found = per_app(request.app, "verification", Verification)
    found.begin(pit_of(request), session.account)
    return json_response({"working": found.seconds}, 202)


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
        "chains": sorted(chains, key=lambda chain: (chain["chain"] != ANCHOR_CHAIN, chain["chain"])),
        "anchor": heads[ANCHOR_CHAIN][1] if ANCHOR_CHAIN in heads else "",
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
        (MONEY[name], dollars(report[name])) if name in MONEY else (COUNT_TITLES[name], f"{report[name]:,}")
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
    if not chain or chain in OTHER_CHAINS:
        return {"place": f"The {chain or 'ledger'}", "link": ""}
    if not round:
        return {"place": chain, "link": f"/floor/tables/{chain}"}
    return {"place": f"{chain}, round {round}", "link": f"/tables/{chain}/rounds/{round}"}


add_page(router, "/floor/ledger", "floor/ledger.html", ledger)
