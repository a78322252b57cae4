"""The money of a meter, in whole thousandths of a cent: bets that feed it, and resets after it is won.

Every bet is split into whole thousandths; parts below that are carried to the next bet, so nothing is lost.
At any moment all that came in is displayed, in the reserve, hidden, in the overflow, the house's, or paid.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor

from feltlab.errors import Refused
from feltlab.progressives.progressive import Meter, Progressive
from feltlab.progressives.rates import MILLICENTS_PER_CENT, meter_dollars, millicents
from feltlab.text import dollars

NOTHING = Fraction(0)


@dataclass(frozen=True)
class Balance:
    """The money of one meter; all amounts in thousandths of a cent."""

    displayed: int
    reserve: int = 0
    hidden: int = 0
    overflow: int = 0  # above the cap, kept for the next jackpot
    carried: tuple[Fraction, Fraction, Fraction] = (NOTHING, NOTHING, NOTHING)  # below a thousandth

    @property
    def held(self) -> int:
        """All money that belongs to the players."""
        return self.displayed + self.reserve + self.hidden + self.overflow


@dataclass(frozen=True)
class Increment:
    """The parts of some bets that went to one meter, in thousandths of a cent."""

    displayed: int
    reserve: int
    hidden: int
    overflow: int
    house: int  # of the contribution above a cap, where the house keeps it

    @property
    def total(self) -> int:
        return self.displayed + self.reserve + self.hidden + self.overflow + self.house


@dataclass(frozen=True)
class Reset:
    """The beginning of the next jackpot: what each source put up, in thousandths of a cent."""

    from_reserve: int
    from_house: int
    from_hidden: int
    from_overflow: int


def open_balance(meter: Meter) -> Balance:
    """A meter at its seed, which the house has put up."""
    return Balance(millicents(meter.seed_cents))


def check_cap(meter: Meter, balance: Balance) -> None:
    """Refuse a cap below the amount that is displayed when it is imposed."""
    if meter.cap_cents is not None and millicents(meter.cap_cents) < balance.displayed:
        raise Refused(
            f"The cap of meter {meter.name!r}, {dollars(meter.cap_cents)}, is below the meter, which shows"
            f" {meter_dollars(balance.displayed)}."
        )


def add_bets(meter: Meter, balance: Balance, bet_cents: int, bets: int = 1) -> tuple[Balance, Increment]:
    """The balance after some bets, and where their parts went."""
    bet = millicents(bet_cents) * bets
    first, second, third = balance.carried
    display, first = _split(meter.rate, bet, first)
    reserve, second = _split(meter.reserve_rate, bet, second)
    hidden, third = _split(meter.hidden_rate, bet, third)
    room = display if meter.cap_cents is None else millicents(meter.cap_cents) - balance.displayed
    shown = min(display, max(room, 0))
    above = display - shown
    kept = {where: above if meter.overflow == where else 0 for where in ("next", "reserve", "house")}
    fed = Increment(shown, reserve + kept["reserve"], hidden, kept["next"], kept["house"])
    return (
        Balance(
            balance.displayed + fed.displayed,
            balance.reserve + fed.reserve,
            balance.hidden + fed.hidden,
            balance.overflow + fed.overflow,
            (first, second, third),
        ),
        fed,
    )


def _split(rate: Fraction, bet: int, below: Fraction) -> tuple[int, Fraction]:
    """The whole thousandths of a part of a bet with what was carried, and what is carried next.

    With whole numbers, because every bet at every table comes here.
    """
    if not rate:
        return 0, below
    all_parts = rate.numerator * bet * below.denominator + below.numerator * rate.denominator
    parts = rate.denominator * below.denominator  # in a thousandth of a cent
    whole, rest = divmod(all_parts, parts)
    return whole, Fraction(rest, parts) if rest else NOTHING


def reset_meter(meter: Meter, balance: Balance) -> tuple[Balance, Reset]:
    """Begin the next jackpot: the seed from the reserve, then from the house; hidden money joins it.

    What is left of the jackpot that was paid, less than a cent, stays on the display. What does not fit
    below a cap stays in the overflow.
    """
    seed = millicents(meter.seed_cents)
    used = min(seed, balance.reserve) if meter.seeded_by == "reserve" else 0
    begun = balance.displayed + seed
    room = _room_above(meter, begun)
    hidden = min(balance.hidden, room)
    overflow = min(balance.overflow, room - hidden)
    source = Reset(used, seed - used, hidden, overflow)
    after = replace(
        balance,
        displayed=begun + hidden + overflow,
        reserve=balance.reserve - used,
        hidden=balance.hidden - hidden,
        overflow=balance.overflow - overflow,
    )
    return after, source


def _room_above(meter: Meter, displayed: int) -> int:
    """The money that fits on the display below the cap."""
    if meter.cap_cents is None:
        return 1 << 62
    return max(millicents(meter.cap_cents) - displayed, 0)


def take_from(balance: Balance, cents: int) -> Balance:
    """The balance after a payment in whole cents."""
    if millicents(cents) > balance.displayed:
        raise Refused(f"The meter shows {meter_dollars(balance.displayed)}, less than {dollars(cents)}.")
    return replace(balance, displayed=balance.displayed - millicents(cents))


def whole_cents(amount: int | Fraction) -> int:
    """Thousandths of a cent in whole cents, rounded down; the rest stays in the meter."""
    return floor(amount / Fraction(MILLICENTS_PER_CENT))


Balances = Mapping[str, Balance]  # by meter


def open_balances(progressive: Progressive) -> dict[str, Balance]:
    """All meters of a progressive at their seeds."""
    return {meter.name: open_balance(meter) for meter in progressive.meters}


def add_round_bets(
    progressive: Progressive, balances: Balances, bets: int
) -> tuple[dict[str, Balance], dict[str, Increment], int]:
    """All meters after the bets of a round, their increments, and the house's part in millicents."""
    added = {
        meter.name: add_bets(meter, balances[meter.name], progressive.bet_cents, bets)
        for meter in progressive.meters
    }
    fed = {name: increment for name, (_, increment) in added.items()}
    outside = sum(increment.total - increment.house for increment in fed.values())
    house = millicents(progressive.bet_cents) * bets - outside
    return {name: balance for name, (balance, _) in added.items()}, fed, house
