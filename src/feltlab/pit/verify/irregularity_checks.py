"""Checks of irregularities and corrections: known kinds, decisions carried out, both sides of the money."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from feltlab.errors import Refused
from feltlab.ledger.event import Event
from feltlab.ledger.ledger import Ledger
from feltlab.pit.custody.archived_rounds import describe_archived
from feltlab.pit.irregularities.corrections import describe_bound, find_payment, largest_net
from feltlab.pit.irregularities.hands import seat_hand, seat_of_hand
from feltlab.pit.irregularities.kinds import VOID, WRONG_PAYMENT, irregularity_kind
from feltlab.pit.irregularities.recorded import CORRECTED, IRREGULARITY, RecordedCorrection
from feltlab.pit.recorded_round import RecordedPayment, load_round
from feltlab.pit.table import Table
from feltlab.text import dollars, signed_dollars

Data = Mapping[str, Any]
Sentences = Iterator[str]

# -- One event --------------------------------------------------------------------------------------


def check_irregularity(table: Table, data: Data) -> Sentences:
    """May this kind be decided so, for a hand of the round that has a wrong number of cards?"""
    kind = irregularity_kind(data["kind"])
    if data["decision"] not in kind.decisions or not kind.is_of_round_in_play:
        yield f"{data['decision']!r} cannot be decided on {kind.name}."
    if data["hand"] not in (*table.game.shared_areas, *map(seat_hand, table.playing)):
        yield f"{data['hand']!r} is not a hand of the round."
    if kind.counts and data["found"] == data["due"]:
        yield f"{data['found']} cards were found and due, which is no irregularity."
    if (data["kind"], data["hand"]) in table.irregular:
        yield f"{kind.name} of {data['hand']} was recorded twice."
    if data["drill"] != (table.rehearsal == data["kind"]):
        yield "it is marked as a drill without one." if data["drill"] else "it hides that it was a drill."


def check_corrected(table: Table, data: Data) -> Sentences:
    """Both sides balance, and the money was moved where the player has it."""
    if data["cents"] != data["due"] - data["paid"] or data["cents"] + data["house"]:
        sides = f"{signed_dollars(data['cents'])} and the house {signed_dollars(data['house'])}"
        paid = f"{signed_dollars(data['paid'])} into {signed_dollars(data['due'])}"
        yield f"the player received {sides} to correct {paid}."
    held = [seat for seat, place in enumerate(table.places) if place and place.player == data["player"]]
    seat = seat_of_hand(data["at"])
    if (seat is None and held) or (seat is not None and seat not in held):
        yield f"{data['player']} was corrected at {data['at']} but holds {_seats_held(held)}."
    elif seat is not None and table.place(seat).bankroll + data["cents"] < 0:
        yield f"{dollars(-data['cents'])} was taken from {dollars(table.place(seat).bankroll)}."


def _seats_held(seats: Iterable[int]) -> str:
    """'seat 1, seat 2', or 'no seat'."""
    return ", ".join(map(seat_hand, seats)) or "no seat"


# -- What follows an event --------------------------------------------------------------------------


class IrregularityFollower:
    """Checks that a decision is carried out at once, and that a drill moves no money in the end."""

    def __init__(self) -> None:
        self._void_due = False  # the last event decided that the round is void
        self._in_drill = 0  # cents that a drill has moved and must move back

    def follow(self, event: Event, table: Table) -> Iterable[str]:
        """Objections to an event; there can be none while nothing is due and the event is no such thing."""
        is_quiet = not self._void_due and not self._in_drill and event.kind not in (IRREGULARITY, CORRECTED)
        return () if is_quiet else self._follow(event, table)

    def _follow(self, event: Event, table: Table) -> Sentences:
        yield from self.end(event.kind)
        self._void_due = event.kind == IRREGULARITY and event.data["decision"] == VOID
        if event.kind == CORRECTED and event.data["drill"]:
            if table.rehearsal != WRONG_PAYMENT and not self._in_drill:
                yield "it is marked as a drill without one."
            self._in_drill += event.data["cents"]
        elif event.kind == CORRECTED and (table.rehearsal == WRONG_PAYMENT or self._in_drill):
            yield "it hides that it was a drill."

    def end(self, kind: str = "") -> Sentences:
        """Check what the next event has to be; there is none at the end of the ledger."""
        if self._void_due and kind != "void":
            yield "the irregularity before it was decided as void, but the round went on."
        if self._in_drill and kind != CORRECTED:
            yield f"a drill before it moved {dollars(self._in_drill)} and did not move it back."
            self._in_drill = 0
        self._void_due = False


# -- Corrections beside the payments on record ------------------------------------------------------


def check_corrections(ledger: Ledger, corrections: Iterable[Event]) -> Iterator[tuple[Event, str]]:
    """Each correction names the payment as it was paid, with the corrections before it."""
    nets: dict[tuple[str, int, int, str], int] = {}
    for event in corrections:
        try:
            correction = RecordedCorrection.from_event(event)
            payment, most = _load_payment(ledger, event.chain, correction)
        except (Refused, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            if is_in_archive(ledger, event):
                continue  # a verification with the archive compares them
            yield event, f"it corrects a payment that is not on record ({str(error).rstrip('.')})."
            continue
        place = (event.chain, correction.corrects, correction.seat, correction.spot)
        net = nets.get(place, payment.net)
        if correction.paid != net:
            paid = f"{signed_dollars(correction.paid)}; on record it is {signed_dollars(net)}"
            yield event, f"it corrects a payment of {paid}."
        if bound := describe_bound(payment, most, correction.due):
            yield event, f"it corrects a payment to what no rule pays: {bound}"
        nets[place] = net + correction.cents


def is_in_archive(ledger: Ledger, correction: Event) -> bool:
    """Whether the round that a correction is about has left the ledger."""
    corrected = correction.data.get("corrects")
    return isinstance(corrected, int) and bool(describe_archived(ledger, correction.chain, corrected))


def _load_payment(ledger: Ledger, table: str, correction: RecordedCorrection) -> tuple[RecordedPayment, int]:
    """The payment that a correction is about, and the most that its wager could have won."""
    round = load_round(ledger, table, correction.corrects)
    payment = find_payment(round.payments, correction.seat, correction.spot)
    players = [seat.player for seat in round.seats if seat.position == correction.seat + 1]
    if payment is None or players != [correction.player]:
        raise Refused(f"round {correction.corrects} has none on {correction.spot} for {correction.player}.")
    return payment, largest_net(round.game, payment)
