"""Payments of a round: which claim is paid what, from the meter or the tray, and what the meters show next.

Shares are of the meter as it was displayed when the bets were locked. A level that takes the whole meter
takes what other claims of the round leave. Prizes are whole cents, rounded down; the rest stays on the meter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from feltlab.errors import Refused
from feltlab.progressives.balances import Balance, Balances, Reset, reset_meter, take_from, whole_cents
from feltlab.progressives.progressive import Level, Meter, Progressive
from feltlab.text import dollars


@dataclass(frozen=True)
class Claim:
    """A seat that claims a level in a round."""

    seat: int
    level: str


@dataclass(frozen=True)
class Payment:
    """A prize to one seat."""

    seat: int
    level: str
    meter_cents: int = 0
    tray_cents: int = 0
    stake_cents: int = 0  # the bet, returned beside the prize
    is_envy: bool = False

    @property
    def cents(self) -> int:
        return self.meter_cents + self.tray_cents + self.stake_cents


@dataclass(frozen=True)
class RoundPayments:
    """The payments of a round, in order, the meters after it, and the resets by meter."""

    payments: tuple[Payment, ...]
    balances: Mapping[str, Balance]
    resets: Mapping[str, tuple[Reset, ...]]


def pay_claims(
    progressive: Progressive, locked: Balances, claims: Sequence[Claim], bettors: Sequence[int]
) -> RoundPayments:
    """Pay the claims of a round, in dealing order, from the meters as they were locked.

    `bettors` are the seats with a bet; each claims at most once, and the others receive envy.
    """
    _check_claims(claims, bettors)
    balances = dict(locked)
    paid: list[Payment] = []
    resets: dict[str, tuple[Reset, ...]] = {}
    levels = {level.name: level for level in progressive.levels}
    for meter in progressive.meters:
        mine = [(claim, levels[claim.level]) for claim in claims if _is_on(progressive, levels, claim, meter)]
        paid += _pay_parts(progressive, meter, balances, [each for each in mine if not each[1].is_top])
        tops = [each for each in mine if each[1].is_top]
        if tops:
            made, resets[meter.name] = _pay_tops(progressive, meter, balances, tops)
            paid += made
    paid += [_pay_envy(claim, levels[claim.level], seat) for claim in claims for seat in bettors
             if seat != claim.seat and levels[claim.level].envy_cents]  # fmt: skip
    return RoundPayments(tuple(paid), balances, resets)


def _check_claims(claims: Sequence[Claim], bettors: Sequence[int]) -> None:
    seats = [claim.seat for claim in claims]
    for seat in seats:
        if seat not in bettors:
            raise Refused(f"Seat {seat + 1} made no bet on the progressive in this round.")
        if seats.count(seat) > 1:
            raise Refused(f"Seat {seat + 1} claims twice; one hand claims its highest level only.")


def _is_on(progressive: Progressive, levels: Mapping[str, Level], claim: Claim, meter: Meter) -> bool:
    if claim.level not in levels:
        raise Refused(f"{progressive.title} has no level {claim.level!r}.")
    return progressive.meter_of(levels[claim.level]) == meter


Claimed = tuple[Claim, Level]


def _pay_parts(
    progressive: Progressive, meter: Meter, balances: dict[str, Balance], claimed: Sequence[Claimed]
) -> list[Payment]:
    """Pay fixed prizes and shares of less than the whole."""
    locked = balances[meter.name].displayed
    together = max(sum((level.share for _, level in claimed), Fraction(0)), Fraction(1))
    paid = []
    for claim, level in claimed:
        now = balances[meter.name].displayed
        whole = locked / together if progressive.share_tie == "simultaneous" else Fraction(now)
        wanted = whole_cents(level.share * whole) if level.share else level.fixed_cents * level.from_meter
        taken = min(wanted, whole_cents(now))
        balances[meter.name] = take_from(balances[meter.name], taken)
        paid.append(_payment(progressive, claim, level, taken, level.fixed_cents - taken * level.from_meter))
    return paid


def _pay_tops(
    progressive: Progressive, meter: Meter, balances: dict[str, Balance], claimed: Sequence[Claimed]
) -> tuple[list[Payment], tuple[Reset, ...]]:
    """Pay those who take the whole meter: one after the other with a reset between, or all at once."""
    paid, resets = [], []
    groups = [[each] for each in claimed] if progressive.top_tie == "first" else [claimed]
    for group in groups:
        each_cents = whole_cents(Fraction(balances[meter.name].displayed, len(group)))
        for claim, level in group:
            balances[meter.name] = take_from(balances[meter.name], each_cents)
            paid.append(_payment(progressive, claim, level, each_cents, 0))
        balances[meter.name], begun = reset_meter(meter, balances[meter.name])
        resets.append(begun)
    return paid, tuple(resets)


def _payment(progressive: Progressive, claim: Claim, level: Level, meter: int, tray: int) -> Payment:
    stake = progressive.bet_cents if level.to_one else 0
    return Payment(claim.seat, level.name, meter, tray, stake)


def _pay_envy(claim: Claim, level: Level, seat: int) -> Payment:
    return Payment(
        seat, f"envy of seat {claim.seat + 1}: {level.name}", tray_cents=level.envy_cents, is_envy=True
    )


def describe_payment(payment: Payment) -> str:
    """'seat 3, Royal Flush: $10,000'."""
    return f"seat {payment.seat + 1}, {payment.level}: {dollars(payment.cents)}"
