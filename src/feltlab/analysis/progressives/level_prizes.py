"""The prizes of all levels as lines in one meter, with whole cents on the other meters."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from feltlab.errors import Refused
from feltlab.progressives.progressive import Level, Meter, Progressive
from feltlab.text import listing

NONE = Fraction(0)
Amounts = Mapping[str, int]  # by meter: cents on its display


class MeterPrize(NamedTuple):
    """A prize in cents, a returned bet included: at an empty meter, and its rise with each cent on it."""

    fixed: Fraction
    share: Fraction

    def at(self, cents: Fraction | int) -> Fraction:
        return self.fixed + cents * self.share


def prize_lines(progressive: Progressive, meter: Meter, others: Amounts) -> tuple[MeterPrize, ...]:
    """The prize of each level; `others` are the amounts on the meters that do not move."""
    return tuple(_line_of(progressive, level, meter, others) for level in progressive.levels)


def _line_of(progressive: Progressive, level: Level, meter: Meter, others: Amounts) -> MeterPrize:
    back, source = progressive.bet_cents * level.to_one, progressive.meter_of(level)
    if not level.share:
        return MeterPrize(Fraction(level.fixed_cents + back), NONE)
    if source == meter:
        return MeterPrize(Fraction(back), level.share)
    if source.name not in others:
        raise Refused(f"Joint play needs an amount on meter {source.name!r}, too.")
    return MeterPrize(back + level.share * others[source.name], NONE)


def shared_meters(progressive: Progressive) -> tuple[Meter, ...]:
    """The meters that hands win shares of: all but those that are won at a secret amount."""
    return tuple(
        meter
        for meter in progressive.meters
        if any(level.share and progressive.meter_of(level) == meter for level in progressive.levels)
    )


def meter_to_move(progressive: Progressive, name: str | None) -> Meter:
    """The meter of this name, or the first that hands win shares of."""
    known = shared_meters(progressive)
    found = [meter for meter in known if name in (None, meter.name)]
    if not found:
        possible = listing((meter.name for meter in known), "or")
        raise Refused(
            f"No hand wins a share of meter {name!r}; possible is {possible}."
            if known
            else "No hand wins a share of a meter, so the best play does not move with it."
        )
    return found[0]
