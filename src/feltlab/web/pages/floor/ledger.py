"""The ledger on the floor: the head of each chain, and a verification on demand.

A worker process verifies. One verification runs at a time; its report is for everyone who asked for it.
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
PROBLEMS_SHOWN = 50


@router.post("/floor/ledger/verify", include_in_schema=False)
async def start_verification(request: Request) -> Response:
    """Start a verification, unless one is running."""
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
        "head": pit.heads.last and vars(pit.heads.last),
        "key_trouble": pit.keys.trouble,
        "witnesses": [{"file": path.name, "trouble": why} for path, why in pit.heads.troubles.items()],
        "events": sum(number for number, _ in heads.values()),
        "tables": list(pit.tables),
        "working": found.seconds,
        "percent": int(100 * found.progress),
        "by": found.by,
        "ended": found.ended,
        "took": found.took,
        "failed": found.failed,
        "report": found.report and _describe_report(found.report),
    }


def _describe_report(report: Mapping[str, Any]) -> Data:
    """The report by check, and its problems by place."""
    problems = report["problems"]
    return {
        "sound": report["sound"],
        "checked": [_describe_check(report, *check) for check in CHECKS],
        "found": len(problems) + report["more"],
        "places": _group_problems(problems[:PROBLEMS_SHOWN]),
        "more": len(problems[PROBLEMS_SHOWN:]) + report["more"],
    }


MONEY = {
    "issued": "issued by the cage",
    "balances": "in balances",
    "at_tables": "at the tables",
    "won": "won by the house",
}
CHECKS = (  # a title, a sentence, and the counts of the report that belong to it
    ("Digests", "Each event contains the digest of the event before it.", ("events", "chains")),
    (
        "Rounds",
        "Each round was replayed by the rules, and every payment compared.",
        ("settled", "voids", "replayed", "under_other_rules", "irregularities", "corrections"),
    ),
    ("Shuffles", "Each published order matches its commitment.", ("commitments", "secret")),
    ("Money", "All money issued is in balances, at tables or won by the house.", tuple(MONEY)),
)


def _describe_check(report: Mapping[str, Any], title: str, says: str, names: tuple[str, ...]) -> Data:
    rows = [
        (MONEY[name], dollars(report[name])) if name in MONEY else (COUNT_TITLES[name], f"{report[name]:,}")
        for name in names
    ]
    return {"title": title, "says": says, "rows": rows}


def _group_problems(problems: Iterable[Mapping[str, Any]]) -> list[Data]:
    """The problems by round or chain, in the order in which they were found."""
    found: dict[tuple[str, int], list[str]] = {}
    for problem in problems:
        found.setdefault((problem["chain"], problem["round"]), []).append(problem["problem"])
    return [_describe_place(*place) | {"says": says} for place, says in found.items()]


def _describe_place(chain: str, round: int) -> Data:
    """A round or a table with a link to its page; other chains have no page."""
    if not chain or chain in OTHER_CHAINS:
        return {"place": f"The {chain or 'ledger'}", "link": ""}
    if not round:
        return {"place": chain, "link": f"/floor/tables/{chain}"}
    return {"place": f"{chain}, round {round}", "link": f"/tables/{chain}/rounds/{round}"}


add_page(router, "/floor/ledger", "floor/ledger.html", ledger)
