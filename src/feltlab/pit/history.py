"""What is over, read from the ledger for those who may know it.

Events hold no secret: an order is in them once nothing more is dealt from it. Of a round that is on,
nothing is told here; that is what views are for.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from orjson import Fragment
from sqlalchemy import select

from feltlab.core.limits import Limits
from feltlab.errors import Refused, Unknown
from feltlab.games.offers import game_from_data
from feltlab.ledger.database import EVENTS
from feltlab.ledger.event import Event
from feltlab.ledger.ledger import Ledger
from feltlab.pit.event_kinds import ROUND_ENDS, SHUFFLE_NAMES, SIGNIFICANT_KINDS
from feltlab.pit.expectation import Expectation
from feltlab.pit.live_table import LiveTable
from feltlab.pit.meters import Meters
from feltlab.pit.seats import Phase
from feltlab.pit.slips import Slip, open_slip
from feltlab.pit.table import Table

# -- Rounds -----------------------------------------------------------------------------------------


def rounds(ledger: Ledger, table: str, last: int) -> list[dict[str, Any]]:
    """The last rounds of a table, the newest first."""
    return [_ended(event) for event in reversed(ledger.last(table, ROUND_ENDS, last))]


def rounds_between(ledger: Ledger, table: str, first: int, last: int) -> list[dict[str, Any]]:
    """The rounds of a table from one number to another, the newest first."""
    asked = select(EVENTS).where(EVENTS.c.chain == table, EVENTS.c.round.between(first, last))
    asked = asked.where(EVENTS.c.kind.in_(ROUND_ENDS)).order_by(EVENTS.c.number.desc())
    return [_ended(event) for event in ledger.select(asked)]


def _ended(event: Event) -> dict[str, Any]:
    told = {"round": event.round, "at": event.at, "void": event.data.get("reason", "")}
    return told | {"payments": _payments(event), "returned": event.data["returned"]}


def _payments(event: Event) -> list[dict[str, Any]]:
    names = ("seat", "spot", "outcome", "staked", "net")
    return [dict(zip(names, paid, strict=True)) for paid in event.data.get("payments", ())]


def round_of(ledger: Ledger, table: Table, number: int) -> dict[str, Any]:
    """What happened in a round that is over."""
    if number >= table.round and table.phase != Phase.CLOSED:
        raise Refused(f"Round {number} is not over; round {table.round} is on.")
    events = list(ledger.events(table.name, round=number))
    ends = [event for event in events if event.kind in ROUND_ENDS]
    if not ends:
        raise Unknown(f"{table.name} has no round {number} on record.")
    wagers = {event.data["seat"]: event.data["wagers"] for event in _of(events, "wagered")}
    dealt = [event.data["dealt"] for event in _of(events, "revealed")]
    calls = [call for event in _of(events, "no-more-bets") for call in event.data["calls"]]
    told = {"table": table.name, **_ended(ends[-1]), "calls": calls, "dealt": dealt[-1] if dealt else ""}
    told["wagers"] = {str(seat): placed for seat, placed in wagers.items()}
    return told | {"choices": list(map(_choice, _of(events, "chose")))} | _cards(ledger, table.name, events)


def _of(events: Sequence[Event], kind: str) -> Iterator[Event]:
    return (event for event in events if event.kind == kind)


def _choice(event: Event) -> dict[str, Any]:
    data = event.data
    told = {"seat": data["seat"], "by": data["player"], "choice": data["choice"], "cents": data["cents"]}
    return told | {"why": data.get("why", "")}


def _cards(ledger: Ledger, table: str, events: Sequence[Event]) -> dict[str, Any]:
    """The shuffle from which a round was dealt, whole once it is revealed."""
    end = next(n for n, event in enumerate(events) if event.kind in ROUND_ENDS)
    begins = [event for event in events[:end] if event.kind in SHUFFLE_NAMES]
    if not begins:
        return {}
    name, commitment = begins[-1].data["shuffle"], begins[-1].data["commitment"]
    orders = ledger.events(table, after=begins[-1].number, kinds=("order",))
    found = next((event.data for event in orders if event.data["shuffle"] == name), None)
    shown = {"order": found["order"], "salt": found["salt"]} if found else {"order": None, "salt": None}
    return {"shuffle": name, "commitment": commitment, **shown}


# -- For auditors -----------------------------------------------------------------------------------


def significant(
    ledger: Ledger, last: int, before: int, kinds: Collection[str] = tuple(SIGNIFICANT_KINDS), chain: str = ""
) -> list[dict[str, Any]]:
    """What an auditor looks at first, the newest first; `before` is a sequence and turns pages."""
    asked = select(EVENTS).where(EVENTS.c.kind.in_(kinds), EVENTS.c.sequence < before)
    asked = asked.where(EVENTS.c.chain == chain) if chain else asked
    rows = ledger.rows(asked.order_by(EVENTS.c.sequence.desc()).limit(last))
    return [_row(row) for row in rows]


def _row(row: Any) -> dict[str, Any]:
    fields = {str(name): value for name, value in row._mapping.items()}
    return fields | {"data": Fragment(row.data)}


def slips(ledger: Ledger, live: LiveTable) -> list[dict[str, Any]]:
    """The open and close slips of a table, in order."""
    found: list[Slip] = []
    for event in ledger.events(live.table.name, kinds=("opened", "closed")):
        if event.kind == "opened":
            found.append(_open_slip(event))
        elif found:
            found.append(_close_slip(event, found[-1], live.expectation))
    return [slip.to_json() for slip in found]


def _close_slip(event: Event, opened: Slip, expected: Expectation | None) -> Slip:
    """What players had is paid out by then."""
    meters, fits = Meters.from_json(event.data["meters"]), expected and expected.digest == opened.digest
    return opened.close(event.at, event.data["by"], 0, meters, expected if fits else None)


def _open_slip(event: Event) -> Slip:
    data = event.data
    meters, limits = Meters.from_json(data["meters"]), Limits(**data["limits"])
    slip = open_slip(event.chain, game_from_data(data), limits, event.at, data["by"], meters=meters)
    return replace(slip, digest=data["digest"])
