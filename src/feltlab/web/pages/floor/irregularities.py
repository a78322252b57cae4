"""The irregularities of a table: recording one, correcting a payment, drills, and incident reports."""

import asyncio

import orjson
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import StoredEvent
from feltlab.ledger.ledger import Ledger
from feltlab.pit.event_kinds import CARDS_OUT, SIGNIFICANT_KINDS
from feltlab.pit.irregularities.corrections import DRILL_OVER, PaymentInQuestion, load_payments
from feltlab.pit.irregularities.drills import describe_drill
from feltlab.pit.irregularities.hands import cards_due, seat_of_hand
from feltlab.pit.irregularities.kinds import VOID, describe_decision, irregularity_kind
from feltlab.pit.irregularities.recorded import CORRECTED, IRREGULARITY, describe_irregularity
from feltlab.pit.roles import Permission
from feltlab.pit.seats import Phase
from feltlab.pit.table import Table
from feltlab.server.api.irregularities import describe_kinds
from feltlab.server.models import MAX_JSON_INT
from feltlab.text import listing
from feltlab.web.page import Data, add_page
from feltlab.web.pages.lab.downloads import read_paper, send_file
from feltlab.web.pages.lab.setting import read_parameters
from feltlab.web.staff_request import pit_of, read_number, require_any

router = APIRouter()
INCIDENT_KINDS = (IRREGULARITY, CORRECTED, "fault", "void")
INCIDENTS_LISTED = 20
REPORT_SECONDS = 30.0  # that a download waits for its report
REPORT_SUFFIXES = ("pdf", "html", "md", "txt", "json")


async def irregularities(request: Request) -> Data:
    session, pit = require_any(request, Permission.SUPERVISE, Permission.AUDIT), pit_of(request)
    live, number = pit.table(request.path_params["name"]), read_number(request, "round")
    table = live.table
    return {
        "title": f"Irregularities at {table.name}",
        "table": table.name,
        "round": table.round,
        "supervises": session.role.may(Permission.SUPERVISE),
        "kinds": describe_kinds(table),
        **_round_in_play(table),
        "drill": describe_drill(table),
        "may_drill": table.phase == Phase.BETTING and not table.rehearsal,
        "corrected": await asyncio.to_thread(_payments, pit.ledger, table, number) if number else None,
        "incidents": await asyncio.to_thread(_incidents, pit.ledger, table.name),
    }


def _round_in_play(table: Table) -> Data:
    """The hands of the round in play with the cards due to each; without hands, why none can be named."""
    deal = table.deal if table.phase in CARDS_OUT else None
    hands = [_hand(table, hand, due) for hand, due in cards_due(deal).items()] if deal else []
    return {"hands": hands, "barred": "" if hands else "No cards are on the table."}


def _hand(table: Table, hand: str, due: int) -> Data:
    seat = seat_of_hand(hand)
    place = table.places[seat] if seat is not None else None
    return {"hand": hand, "player": place.player if place else "", "due": due}


# -- Payments of a finished round -------------------------------------------------------------------


def _payments(ledger: Ledger, table: Table, number: int) -> Data:
    """The payments of a round with their corrections so far, or why there are none to show."""
    try:
        found = load_payments(ledger, table.name, number)
    except Refused as refused:
        return {"round": number, "refused": str(refused), "payments": []}
    why = "" if found else f"Round {number} paid nothing."
    return {"round": number, "refused": why, "payments": [_payment(table, one) for one in found]}


def _payment(table: Table, wrong: PaymentInQuestion) -> Data:
    paid = wrong.payment
    titles = {spot.name: spot.title for spot in table.game.spots}
    return {
        "seat": paid.seat + 1,
        "player": wrong.player,
        "spot": paid.spot,
        "title": titles.get(paid.spot, paid.spot),
        "outcome": paid.outcome,
        "staked": paid.staked,
        "net": wrong.net,
        "rules": wrong.rules,
        "corrected_by": wrong.corrected_by,
    }


# -- Incidents --------------------------------------------------------------------------------------


def _incidents(ledger: Ledger, table: str) -> list[Data]:
    """The last irregularities, corrections, faults and voids, each with the round of its report."""
    found = ledger.newest_events(INCIDENT_KINDS, INCIDENTS_LISTED, MAX_JSON_INT, table)
    events = [(event, orjson.loads(event.data)) for event in found]
    caused = {event.round for event, data in events if event.kind == "fault" or data.get("decision") == VOID}
    return [
        _incident(event, data)
        for event, data in events
        if not (event.kind == "void" and event.round in caused) and data.get("reason") != DRILL_OVER
    ]


def _incident(event: StoredEvent, data: Data) -> Data:
    """One row of the list: what it is in plain words, and whether it was a drill."""
    return {
        "title": _title_incident(event.kind, data),
        "drill": data.get("drill", False) or data.get("reason", "").startswith("Drill: "),
        "round": data.get("corrects", event.round),
        "at": event.at,
        "says": _say_incident(event.kind, data),
    }


def _title_incident(kind: str, data: Data) -> str:
    if kind == IRREGULARITY:
        return irregularity_kind(data["kind"]).title
    return {CORRECTED: "Payment corrected", "fault": "Shuffler fault", "void": "Round voided"}[kind]


def _say_incident(kind: str, data: Data) -> str:
    if kind == IRREGULARITY:
        decided = describe_decision(data["decision"])
        return f"{describe_irregularity(data)} {decided} Recorded by {data['by']}."
    return SIGNIFICANT_KINDS[kind].describe(data)


async def incident_report(request: Request) -> Response:
    """The report of an incident as a file."""
    require_any(request, Permission.SUPERVISE, Permission.AUDIT)
    pit, suffix = pit_of(request), request.path_params["suffix"]
    table, round = pit.table(request.path_params["name"]).table.name, request.path_params["number"]
    if suffix not in REPORT_SUFFIXES:
        raise Unknown(f"An incident report can be downloaded as {listing(REPORT_SUFFIXES, 'or')}.")
    heads = await asyncio.to_thread(pit.ledger.heads)
    question = {"database": pit.ledger.database.address, "table": table, "round": round}
    question["paper"] = read_paper(read_parameters(request, "paper"))
    question |= {"suffix": suffix, "events": heads[table][0]}  # a later correction makes another report
    name = f"incident-{table}-{round}.{suffix}"
    return await send_file(request, "incident", question, name, "Making the incident report", REPORT_SECONDS)


add_page(router, "/floor/tables/{name}/irregularities", "floor/irregularities.html", irregularities)
router.add_api_route(
    "/floor/tables/{name}/rounds/{number:int}/incident.{suffix}", incident_report, include_in_schema=False
)
