"""Acts at a table that need two persons: which they are, and how they name their request."""

from dataclasses import replace

from feltlab.ledger.event import HOUSE_ACTOR, Draft
from feltlab.pit.custody.requests import ActRequest
from feltlab.pit.event_kinds import CARDS_OUT
from feltlab.pit.irregularities.recorded import CORRECTED, IRREGULARITY
from feltlab.pit.table import Table
from feltlab.values import replace_unchecked

VOID_KIND = "void"  # of an event
STAMPED_KINDS = (VOID_KIND, CORRECTED, IRREGULARITY)  # which name the request of their act


def voids_seen_cards(before: Table, after: Table) -> bool:
    """Whether an act of staff makes a round void whose cards have been seen."""
    voids = (draft for draft in after.unwritten if draft.kind == VOID_KIND)
    return is_guarded_void(before) and any(draft.data["by"] != HOUSE_ACTOR for draft in voids)


def is_guarded_void(table: Table) -> bool:
    """Whether a void of the round in play needs two persons; one that a drill asks for is as real as any."""
    return table.phase in CARDS_OUT


def hold_for_request(table: Table, requested: Draft) -> Table:
    """The table that a request to void its round holds, with the request itself."""
    held = table.hold_round(requested.data["by"], requested.data["request"])
    return replace_unchecked(held, unwritten=(requested, *held.unwritten))


def release_for_denial(table: Table, denied: Draft) -> Table:
    """The table that goes on, because the request that held it was denied."""
    if table.hold != denied.data["request"]:
        return replace_unchecked(table, unwritten=(denied,))
    after = table._end_hold("The request was denied.")._advance()
    return replace_unchecked(after, unwritten=(denied, *after.unwritten))


def stamp_request(table: Table, request: ActRequest, confirmed: Draft) -> Table:
    """The table after an act, whose events name their request, together with its confirmation."""
    stamped = (
        replace(draft, data={**draft.data, "request": request.number})
        if draft.kind in STAMPED_KINDS and draft.data.get("by") == request.by
        else draft
        for draft in table.unwritten
    )
    return replace_unchecked(table, unwritten=(confirmed, *stamped))
