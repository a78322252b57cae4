"""A supervisor's actions on an irregularity of the round in play: to record it and decide.

The record and its consequence are drafts of one action, so they are written together or not at all.
"""

from typing import Any

from feltlab.core.deal import Deal
from feltlab.errors import Refused
from feltlab.pit.irregularities.drills import check_drill, continue_round
from feltlab.pit.irregularities.hands import (
    cards_due,
    check_hand,
    count_hand,
    describe_count,
    describe_hand,
    seat_of_hand,
)
from feltlab.pit.irregularities.kinds import (
    VOID,
    IrregularityKind,
    find_clause,
    irregularity_kind,
)
from feltlab.pit.irregularities.recorded import IRREGULARITY, describe_irregularity
from feltlab.pit.seats import Phase
from feltlab.pit.table import Table
from feltlab.text import listing

MAX_CARDS_FOUND = 100  # in one hand; anything above is a typing error
_WHY_NOT_NOW = {
    Phase.CLOSED: "The table is closed.",
    Phase.BETTING: "No card has been dealt in this round: bets are still taken.",
    Phase.NO_MORE_BETS: "No card has been dealt in this round yet.",
    Phase.SETTLING: "The round is over; only a wrong payment can still be corrected.",
}


def record_irregularity(
    table: Table, by: str, kind: str, hand: str, decision: str, found: int | None = None, note: str = ""
) -> Table:
    """Record an irregularity of the round in play, and do what was decided."""
    known, deal = irregularity_kind(kind), _deal_in_play(table, kind)
    check_drill(table, kind)
    known.check_decision(decision)
    _check_moment(table, known, decision)
    check_hand(deal, hand)
    if (kind, hand) in table.irregular:
        raise Refused(f"{known.title}, {hand}: this is on record for the round already.")
    data = {
        "by": by,
        "kind": kind,
        "hand": hand,
        "player": _holder(table, hand),
        "decision": decision,
        "note": note.strip(),
        "clause": find_clause(kind, table.game).number,
        "drill": table.rehearsal == kind,
        **_counts(deal, known, hand, found),
    }
    recorded = table._record(IRREGULARITY, data)
    if decision == VOID:
        return recorded._refund(by, describe_irregularity(data))._next_round()
    return continue_round(recorded, table.is_held)


def _deal_in_play(table: Table, kind: str) -> Deal:
    if not irregularity_kind(kind).is_of_round_in_play:
        raise Refused("A wrong payment is not recorded in its round; it is corrected once the round is over.")
    if table.phase in _WHY_NOT_NOW or table.deal is None:
        raise Refused(_WHY_NOT_NOW.get(table.phase, "No card has been dealt."))
    return table.deal


# -- Decisions --------------------------------------------------------------------------------------


def decisions_now(table: Table, kind: str) -> tuple[str, ...]:
    """The decisions on a kind that the rules provide for at this moment of the round."""
    return irregularity_kind(kind).decisions_at(awaits_choice(table))


def awaits_choice(table: Table) -> bool:
    """Whether a seat has yet to choose: now, or because a wager with choices is still open."""
    deal = table.deal
    if deal is None or deal.turn is not None:
        return deal is not None
    paid = {(deal.positions[seat] - 1, settled.spot.name) for seat, settled in (*deal.payments, *deal.due)}
    return any(
        spot in table.game.chosen_for and (seat, spot) not in paid
        for seat in table.playing
        for spot in table.place(seat).wagers
    )


def _check_moment(table: Table, kind: IrregularityKind, decision: str) -> None:
    """Refuse a decision that the clause provides for at another moment."""
    possible = decisions_now(table, kind.name)
    if decision not in possible:
        who = "a seat has" if awaits_choice(table) else "no seat has"
        clause = find_clause(kind.name, table.game).number
        raise Refused(
            f"Clause {clause}: {who} yet to choose, so the decision on {kind.title.lower()} is "
            f"{listing(possible)}, not {decision}."
        )


# -- What is recorded -------------------------------------------------------------------------------


def _holder(table: Table, hand: str) -> str:
    """The player of a hand; '' for the board and the dealer's."""
    seat = seat_of_hand(hand)
    return "" if seat is None else table.place(seat).player


def _counts(deal: Deal, kind: IrregularityKind, hand: str, found: int | None) -> dict[str, Any]:
    """The number of cards found and due, for a kind that counts cards."""
    if not kind.counts:
        if found is not None:
            raise Refused(f"No number of cards belongs to this: {kind.title.lower()}.")
        return {}
    if found is None or not 0 <= found <= MAX_CARDS_FOUND:
        raise Refused(f"Say how many cards were found: a number from 0 to {MAX_CARDS_FOUND}.")
    if not count_hand(deal, hand, found).void:
        raise Refused(f"{describe_hand(hand)} has {describe_count(found)}, as the rules give it.")
    return {"found": found, "due": cards_due(deal)[hand]}
