"""Corrections of wrong payments that are found after their round.

The round on record stays as it was. A correction names the payment as it was made and as it should have been,
and moves the difference between the house and the player: at the player's seat if the player has one at the
table, otherwise at the cage. Both sides are on record in one entry.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.ledger.ledger import Ledger
from feltlab.pit.event_kinds import ACCOUNT
from feltlab.pit.irregularities.drills import check_drilled_round, continue_round
from feltlab.pit.irregularities.hands import seat_hand
from feltlab.pit.irregularities.kinds import WRONG_PAYMENT, find_clause
from feltlab.pit.irregularities.recorded import CORRECTED
from feltlab.pit.recorded_round import RecordedPayment, RecordedRound, load_round
from feltlab.pit.replay import replay_round
from feltlab.pit.table import Table
from feltlab.text import dollars, listing, signed_dollars

DRILL_OVER = "The drill is over: the money goes back."

# -- The payment in question ------------------------------------------------------------------------


@dataclass(frozen=True)
class PaymentInQuestion:
    """A payment on record: as it was made and corrected so far, and as the rules give it."""

    round: int
    player: str
    payment: RecordedPayment
    net: int  # with the corrections so far
    rules: int | None
    most: int  # that the wager could have won
    corrected_by: str = ""  # the account that corrected it last

    def __str__(self) -> str:
        return f"{self.payment.spot} of seat {self.payment.seat + 1} in round {self.round}"


def load_payment(ledger: Ledger, table: str, round: int, seat: int, spot: str) -> PaymentInQuestion:
    """Load a payment of a finished round; refuses one that was not made."""
    found = load_payments(ledger, table, round)
    for one in found:
        if (one.payment.seat, one.payment.spot) == (seat, spot):
            return one
    payments = listing(f"{one.payment.spot} of seat {one.payment.seat + 1}" for one in found)
    raise Refused(f"Round {round} paid nothing on {spot!r} at seat {seat + 1}; its payments are {payments}.")


def load_payments(ledger: Ledger, table: str, round: int) -> list[PaymentInQuestion]:
    """Load all payments of a finished round, each beside the rules and with its corrections so far."""
    recorded = load_round(ledger, table, round)
    rules = _nets_by_rules(recorded)
    return [_build_payment(recorded, payment, rules) for payment in recorded.payments]


def _build_payment(
    recorded: RecordedRound, payment: RecordedPayment, rules: Mapping[tuple[int, str], int]
) -> PaymentInQuestion:
    place = (payment.seat, payment.spot)
    before = [one for one in recorded.corrections if (one.seat, one.spot) == place]
    player = next(held.player for held in recorded.seats if held.position == payment.seat + 1)
    net = payment.net + sum(one.cents for one in before)
    by = next((one.by for one in reversed(before) if not one.drill), "")
    most = largest_net(recorded.game, payment)
    return PaymentInQuestion(recorded.round, player, payment, net, rules.get(place), most, by)


def _nets_by_rules(recorded: RecordedRound) -> dict[tuple[int, str], int]:
    """The net of each seat and spot when the round is dealt again; empty if it cannot be."""
    deals = replay_round(recorded).deals
    if not deals or not deals[-1].over:
        return {}
    last = deals[-1]
    return {(last.positions[n] - 1, paid.spot.name): paid.net for n, paid in last.payments}


def largest_net(game: Game, payment: RecordedPayment) -> int:
    """The most cents that a wager could have won on its stake: by the best line of its pay table."""
    best = max(line.pays for line in game.pay_table(game.spot(payment.spot)).lines)
    return int(max(best, Fraction(0)) * payment.staked)


def describe_bound(payment: RecordedPayment, most: int, due: int) -> str:
    """Why a wager cannot come to a net, or ''."""
    if -payment.staked <= due <= most:
        return ""
    least, staked = signed_dollars(-payment.staked), dollars(payment.staked)
    possible = f"between {least} and {signed_dollars(most)}"
    return f"{staked} on {payment.spot} comes to a net {possible}, not to {signed_dollars(due)}."


def find_payment(payments: Iterable[RecordedPayment], seat: int, spot: str) -> RecordedPayment | None:
    return next((paid for paid in payments if (paid.seat, paid.spot) == (seat, spot)), None)


# -- The correction ---------------------------------------------------------------------------------


def correct_payment(
    table: Table, by: str, wrong: PaymentInQuestion, paid: int, due: int, reason: str
) -> Table:
    """Move the difference between a payment as it was made and as it should have been.

    `paid` is the net that the supervisor saw: a correction that was sent twice, or made meanwhile by
    somebody else, does not fit and is refused.
    """
    check_drilled_round(table, wrong.round)
    _check_amounts(wrong, paid, due)
    if not reason.strip():
        raise Refused("A correction needs a reason.")
    data = {"by": by, **_correction_data(table, wrong, paid, due), "reason": reason.strip()}
    after = table._record(CORRECTED, data)
    return continue_round(_take_back(after, data), table.is_held) if data["drill"] else after


def _correction_data(table: Table, wrong: PaymentInQuestion, paid: int, due: int) -> dict[str, Any]:
    return {
        "corrects": wrong.round,
        "seat": wrong.payment.seat,
        "player": wrong.player,
        "spot": wrong.payment.spot,
        "paid": paid,
        "due": due,
        "cents": due - paid,
        "house": paid - due,
        "at": _find_place(table, wrong, due - paid),
        "rules": wrong.rules,
        "clause": find_clause(WRONG_PAYMENT, table.game).number,
        "drill": bool(table.rehearsal),
    }


def _take_back(table: Table, data: dict[str, Any]) -> Table:
    """A drill moves the money and moves it back in the same entry."""
    swapped = {"paid": data["due"], "due": data["paid"], "cents": data["house"], "house": data["cents"]}
    return table._record(CORRECTED, {**data, **swapped, "reason": DRILL_OVER})


def _check_amounts(wrong: PaymentInQuestion, paid: int, due: int) -> None:
    if paid != wrong.net:
        now = f"{signed_dollars(wrong.net)} is on record"
        who = f", as {wrong.corrected_by} corrected it" if wrong.corrected_by else ""
        raise Refused(f"The payment on {wrong} was not {signed_dollars(paid)}: {now}{who}.")
    if due == paid:
        raise Refused(f"The payment on {wrong} is {signed_dollars(due)} already; nothing is wrong.")
    if bound := describe_bound(wrong.payment, wrong.most, due):
        raise Refused(bound)


def _find_place(table: Table, wrong: PaymentInQuestion, cents: int) -> str:
    """The place of the money that is moved: a seat of the player's, or the player's account."""
    held = [seat for seat, place in enumerate(table.places) if place and place.player == wrong.player]
    if not held:
        return ACCOUNT
    seat = wrong.payment.seat if wrong.payment.seat in held else held[0]
    if table.place(seat).bankroll + cents < 0:
        has = dollars(table.place(seat).bankroll)
        raise Refused(f"{wrong.player} has {has} at seat {seat + 1}, less than {dollars(-cents)} to take.")
    return seat_hand(seat)
