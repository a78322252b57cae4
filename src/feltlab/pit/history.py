"""Finished rounds, significant events and slips, read from the ledger.

Events hold no secret: they contain an order only when no more cards are dealt from it. The present round is
not read here; views show it.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from orjson import Fragment

from feltlab.core.limits import Limits
from feltlab.errors import Refused, Unknown
from feltlab.games.offers import game_from_data
from feltlab.ledger.event import Event, StoredEvent
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.witnesses import HeadSigner
from feltlab.pit.custody.archived_rounds import describe_archived
from feltlab.pit.event_kinds import ROUND_ENDS, SHUFFLE_NAMES, SIGNIFICANT_KINDS
from feltlab.pit.expectation import Expectation
from feltlab.pit.irregularities.recorded import IRREGULARITY, RecordedCorrection, list_marks, load_corrections
from feltlab.pit.live_table import LiveTable
from feltlab.pit.meters import Meters
from feltlab.pit.recorded_round import cents_returned, find_order
from feltlab.pit.seats import Phase
from feltlab.pit.slips import Slip, open_slip
from feltlab.pit.table import Table

# -- Rounds -----------------------------------------------------------------------------------------


def write_receipt(heads: HeadSigner, table: str, round: int) -> dict[str, Any]:
    """A finished round with the path to a signed head of the whole ledger."""
    if where := describe_archived(heads.ledger, table, round):
        raise Unknown(where)
    return heads.write_receipt(table, round, ROUND_ENDS)


def list_rounds(ledger: Ledger, table: str, last: int) -> list[dict[str, Any]]:
    """The last rounds of a table, the newest first."""
    return _list_ends(ledger, table, ledger.last_events(table, ROUND_ENDS, last)[::-1])


def list_rounds_between(ledger: Ledger, table: str, first: int, last: int) -> list[dict[str, Any]]:
    """The rounds of a table from one number to another, the newest first."""
    return _list_ends(ledger, table, list(ledger.events_in_rounds(table, ROUND_ENDS, first, last)))


def _list_ends(ledger: Ledger, table: str, ends: Sequence[Event]) -> list[dict[str, Any]]:
    """The ends of rounds as plain data, with the corrections since and the marks of each round."""
    if not ends:
        return []
    made, noted = load_corrections(ledger, table), list(ledger.events(table, kinds=(IRREGULARITY,)))
    return [_round_end(end) | _describe_since(end.round, noted, made) for end in ends]


def _describe_since(round: int, noted: Sequence[Event], made: Sequence[RecordedCorrection]) -> dict[str, Any]:
    """The cents that corrections gave to the players of a round, and the marks of the round."""
    corrections = [one for one in made if one.corrects == round]
    drills = (event.data["drill"] for event in noted if event.round == round)
    marks = list_marks(drills, (one.drill for one in corrections))
    return {"corrected": sum(one.cents for one in corrections), "marks": marks}


def _round_end(event: Event) -> dict[str, Any]:
    data = {"round": event.round, "at": event.at, "void": event.data.get("reason", "")}
    back = {str(seat): cents for seat, cents in cents_returned(event.data).items()}
    return data | {"payments": _payments(event), "returned": back}


def _payments(event: Event) -> list[dict[str, Any]]:
    names = ("seat", "spot", "outcome", "staked", "net")
    return [dict(zip(names, payment, strict=True)) for payment in event.data.get("payments", ())]


def describe_round(ledger: Ledger, table: Table, number: int) -> dict[str, Any]:
    """Everything on record about a finished round."""
    if number >= table.round and table.phase != Phase.CLOSED:
        raise Refused(f"Round {number} is not over; the present round is {table.round}.")
    events = list(ledger.events(table.name, round=number))
    ends = [event for event in events if event.kind in ROUND_ENDS]
    if not ends:
        raise Unknown(f"{table.name} has no round {number} on record.")
    dealt = [event.data["dealt"] for event in _of_kind(events, "revealed")]
    return {
        "table": table.name,
        **_list_ends(ledger, table.name, ends[-1:])[0],
        "calls": [call for event in _of_kind(events, "no-more-bets") for call in event.data["calls"]],
        "dealt": dealt[-1] if dealt else "",
        "wagers": {str(event.data["seat"]): event.data["wagers"] for event in _of_kind(events, "wagered")},
        "choices": [_choice(event) for event in _of_kind(events, "chose")],
        "irregularities": [event.data for event in _of_kind(events, IRREGULARITY)],
        "corrections": _corrections(ledger, table.name, number),
        **_cards(ledger, table.name, events),
    }


def _corrections(ledger: Ledger, table: str, number: int) -> list[dict[str, Any]]:
    return [made.as_json() for made in load_corrections(ledger, table) if made.corrects == number]


def _of_kind(events: Sequence[Event], kind: str) -> Iterator[Event]:
    return (event for event in events if event.kind == kind)


def _choice(event: Event) -> dict[str, Any]:
    data = event.data
    choice = {"seat": data["seat"], "by": data["player"], "choice": data["choice"], "cents": data["cents"]}
    return choice | {"why": data.get("why", "")}


def _cards(ledger: Ledger, table: str, events: Sequence[Event]) -> dict[str, Any]:
    """The shuffle of a round, with its order and salt once they are revealed."""
    end = next(n for n, event in enumerate(events) if event.kind in ROUND_ENDS)
    begins = [event for event in events[:end] if event.kind in SHUFFLE_NAMES]
    if not begins:
        return {}
    name, commitment = begins[-1].data["shuffle"], begins[-1].data["commitment"]
    order = find_order(ledger, table, name, begins[-1].number)
    revealed = {part: order.data[part] if order else None for part in ("order", "salt")}
    return {"shuffle": name, "commitment": commitment, **revealed}


# -- For auditors -----------------------------------------------------------------------------------


def list_significant_events(
    ledger: Ledger, last: int, before: int, kinds: Collection[str] = tuple(SIGNIFICANT_KINDS), chain: str = ""
) -> list[dict[str, Any]]:
    """The events that matter to an auditor, the newest first.

    `before` is a sequence: the events of one page come before those of the page above it.
    """
    return [_event_data(event) for event in ledger.newest_events(kinds, last, before, chain or None)]


def _event_data(event: StoredEvent) -> dict[str, Any]:
    return event._asdict() | {"data": Fragment(event.data)}


def list_slips(ledger: Ledger, live: LiveTable, last: int) -> list[dict[str, Any]]:
    """The last open and close slips of a table, in order."""
    slips: list[Slip] = []
    openings = ledger.last_events(live.table.name, ("opened",), last)
    first = openings[0].number if openings else 1
    for event in ledger.events(live.table.name, after=first - 1, kinds=("opened", "carried-over", "closed")):
        if event.kind == "opened":
            slips.append(_open_slip(event))
            digest = slips[-1].digest
        elif event.kind == "carried-over":
            digest = event.data["to"]
        elif slips:
            slips.append(_close_slip(event, replace(slips[-1], digest=digest), live.expectation))
    return [slip.to_json() for slip in slips[-last:]]


def _close_slip(event: Event, opened: Slip, expected: Expectation | None) -> Slip:
    """The close slip of an event; it has no chips, as all players are paid out by then."""
    meters, fits = Meters.from_json(event.data["meters"]), expected and expected.digest == opened.digest
    return opened.close(event.at, event.data["by"], 0, meters, expected if fits else None)


def _open_slip(event: Event) -> Slip:
    data = event.data
    meters, limits = Meters.from_json(data["meters"]), Limits(**data["limits"])
    slip = open_slip(event.chain, game_from_data(data), limits, event.at, data["by"], meters=meters)
    return replace(slip, digest=data["digest"])
