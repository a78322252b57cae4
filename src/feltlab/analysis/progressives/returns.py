"""What a progressive returns: a line in each meter, its break-even, and the law of what is won.

A bet `b` feeds a meter with the rate `c`; a level is hit with chance `p` in each bet. Between two wins of the
whole meter it is `S + c b N` with `N` geometric, so means and percentiles are closed forms. Shares make the
meter an autoregression: its mean is exact, its percentiles are simulated (`meter_simulation`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, exp, floor, log1p

from feltlab.errors import Refused
from feltlab.progressives.progressive import Level, Meter, MustHit, Progressive

NONE = Fraction(0)
PERCENTILES = (5, 25, 50, 75, 95, 99)


@dataclass(frozen=True)
class LevelReturn:
    """A line of the pay table with its chance and what it returns of each bet in the long run."""

    level: Level
    chance: Fraction
    mean_cents: Fraction  # of the prize, without a returned bet
    returned: Fraction  # of the bet


@dataclass(frozen=True)
class ProgressiveReturns:
    """A progressive with the exact chance of each level in one bet."""

    progressive: Progressive
    chances: tuple[Fraction, ...]
    # By meter with a cap: the share of contributions that come above it, where it is simulated.
    simulated_overflow: Mapping[str, float] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if len(self.chances) != len(self.progressive.levels):
            raise Refused("Each level of a progressive needs its chance.")

    @property
    def bet(self) -> Fraction:
        return Fraction(self.progressive.bet_cents)

    @property
    def pairs(self) -> Sequence[tuple[Level, Fraction]]:
        return [*zip(self.progressive.levels, self.chances, strict=True)]

    # -- The line ------------------------------------------------------------------------------------

    @cached_property
    def fixed(self) -> Fraction:
        """The return of all fixed prizes, and of bets that are given back, as a share of the bet."""
        paid = (
            p * (level.fixed_cents + self.progressive.bet_cents * level.to_one) for level, p in self.pairs
        )
        return sum(paid, NONE) / self.bet

    def slope(self, meter: Meter) -> Fraction:
        """The rise of the return with each cent on a meter, as a share of the bet."""
        on = (
            level.share * p
            for level, p in self.pairs
            if level.share and self.progressive.meter_of(level) == meter
        )
        return sum(on, NONE) / self.bet

    def return_at(self, cents: Mapping[str, int | Fraction]) -> Fraction:
        """The return of one bet with these amounts on the meters, as a share of the bet."""
        lines = (cents[meter.name] * self.slope(meter) for meter in self.progressive.meters)
        return self.fixed + sum(lines, NONE)

    def break_even(self, meter: Meter) -> Fraction | None:
        """The amount in cents at which a bet returns itself, the other meters at their means.

        None if the meter changes nothing.
        """
        slope = self.slope(meter)
        others = {m.name: self.mean_seen(m) if m != meter else 0 for m in self.progressive.meters}
        secret = sum(map(self.must_hit_return, self.progressive.meters), NONE)
        return (1 - secret - self.return_at(others)) / slope if slope else None

    # -- The long run --------------------------------------------------------------------------------

    def top_chance(self, meter: Meter) -> Fraction:
        """The chance that one bet wins the whole meter."""
        return sum((p for level, p in self._on(meter) if level.is_top), NONE)

    def _on(self, meter: Meter) -> list[tuple[Level, Fraction]]:
        levels = [*self.progressive.levels_on(meter)]
        return [(level, p) for level, p in self.pairs if level in levels]

    def has_shares(self, meter: Meter) -> bool:
        """Do some levels take a part of the meter?"""
        return any(not level.is_top for level, p in self._on(meter) if p)

    def mean_seen(self, meter: Meter) -> Fraction:
        """The mean of the meter as a bet sees it, its own contribution included; the mean of what is won."""
        if meter.must_hit:
            return meter.must_hit.mean_cents
        p = self.top_chance(meter)
        taken = p + sum((level.share * q for level, q in self._on(meter) if not level.is_top), NONE)
        drained = sum((level.fixed_cents * q for level, q in self._on(meter) if level.from_meter), NONE)
        if not taken:
            raise Refused(f"Nobody can win meter {meter.name!r}: its hands are never dealt.")
        fed = (meter.rate + meter.hidden_rate + self._overflow_back(meter)) * self.bet
        mean = (fed + p * meter.seed_cents - drained) / taken
        return mean if meter.cap_cents is None else min(mean, Fraction(meter.cap_cents))

    def _overflow_back(self, meter: Meter) -> Fraction:
        """A correction of the contribution rate: what a cap keeps from the meter for good."""
        if meter.cap_cents is None or meter.overflow == "next":
            return NONE
        return -meter.rate * Fraction(self.overflow_share(meter))

    def level_returns(self) -> list[LevelReturn]:
        """Each level with its mean prize and its return in the long run."""
        found = []
        for level, p in self.pairs:
            whole = level.share * self.mean_seen(self.progressive.meter_of(level)) if level.share else NONE
            mean = whole + level.fixed_cents
            back = self.progressive.bet_cents * level.to_one
            found.append(LevelReturn(level, p, mean, p * (mean + back) / self.bet))
        return found

    def must_hit_return(self, meter: Meter) -> Fraction:
        """The return of a must-hit-by meter in the long run: its contribution and the seed, per bet."""
        if not meter.must_hit:
            return NONE
        return self.win_rate(meter) * meter.must_hit.mean_cents / self.bet

    @cached_property
    def long_run(self) -> Fraction:
        """The return of a bet in the long run, as a share of it, without envy."""
        levels = sum((line.returned for line in self.level_returns()), NONE)
        return levels + sum(map(self.must_hit_return, self.progressive.meters), NONE)

    @cached_property
    def conserved(self) -> Fraction:
        """The same by conservation: what the tray pays, what bets put in, and seeds, never taken back."""
        tray = sum(
            (
                p * (level.fixed_cents * (not level.from_meter) + self.progressive.bet_cents * level.to_one)
                for level, p in self.pairs
            ),
            NONE,
        )
        put_in = sum((m.rate + m.hidden_rate + self._overflow_back(m) for m in self.progressive.meters), NONE)
        seeds = sum((self.seed_cost(meter) for meter in self.progressive.meters), NONE)
        return tray / self.bet + put_in + seeds

    def seed_cost(self, meter: Meter) -> Fraction:
        """The seeds of a meter per bet, as a share of the bet."""
        return self.win_rate(meter) * meter.seed_cents / self.bet

    def win_rate(self, meter: Meter) -> Fraction:
        """The wins of the whole meter per bet."""
        if not meter.must_hit:
            return self.top_chance(meter)
        return (meter.rate + meter.hidden_rate) * self.bet / (meter.must_hit.mean_cents - meter.seed_cents)

    def envy(self, others: int = 1) -> Fraction:
        """The return of envy with this many other bettors, as a share of the bet."""
        return others * sum((p * level.envy_cents for level, p in self.pairs), NONE) / self.bet

    # -- The law of the winning amount ---------------------------------------------------------------

    def bets_to(self, meter: Meter, cents: int | Fraction) -> int:
        """The bets that carry a meter from its seed to an amount at least."""
        step = meter.rate * self.bet
        if not step:
            raise Refused(f"Meter {meter.name!r} does not rise: its contribution is 0 %.")
        return max(ceil((cents - meter.seed_cents) / step), 0)

    def chance_above(self, meter: Meter, cents: int | Fraction) -> float:
        """The chance that the meter passes an amount before it is won; without share levels."""
        self._check_closed(meter)
        step, above = meter.rate * self.bet, cents - meter.seed_cents
        if not step:
            return float(above < 0)
        before = max(floor(above / step), 0)
        return exp(before * log1p(-float(self.top_chance(meter))))

    def percentile(self, meter: Meter, percent: float) -> Fraction:
        """The amount in cents that a win does not exceed in this percentage of wins; without share levels."""
        self._check_closed(meter)
        bets = self.clock_percentile(meter, percent)
        won = meter.seed_cents + meter.rate * self.bet * bets
        return min(won, Fraction(meter.cap_cents)) if meter.cap_cents is not None else won

    def clock_percentile(self, meter: Meter, percent: float | Fraction) -> int:
        """The number of bets within which the meter is won with this chance."""
        if meter.must_hit:
            won = meter.must_hit.amount_at(Fraction(percent) / 100)
            return max(ceil((won - meter.seed_cents) / (meter.rate * self.bet)), 1)
        return geometric_percentile(self.top_chance(meter), Fraction(percent) / 100)

    def is_closed(self, meter: Meter) -> bool:
        """Does a meter that hands win always begin at its seed and only rise until it is won?"""
        carries = bool(meter.hidden_rate) or (meter.cap_cents is not None and meter.overflow == "next")
        return not self.has_shares(meter) and not carries

    def _check_closed(self, meter: Meter) -> None:
        if meter.must_hit or not self.is_closed(meter):
            raise Refused(f"The law of meter {meter.name!r} has no closed form; simulate it.")

    # -- Caps ----------------------------------------------------------------------------------------

    def overflow_share(self, meter: Meter) -> float:
        """The share of contributions that come while the meter is at its cap: closed form, or simulated."""
        if meter.cap_cents is None or meter.must_hit:
            return 0.0
        if meter.name in self.simulated_overflow:
            return self.simulated_overflow[meter.name]
        self._check_closed(meter)
        return self.chance_above(meter, meter.cap_cents)


def geometric_percentile(chance: Fraction, share: Fraction) -> int:
    """The least number of trials of which one succeeds with at least this probability."""
    if not 0 <= share < 1:
        raise Refused("A percentile is from 0 to less than 100 percent.")
    if chance >= 1:
        return 1
    with localcontext() as context:
        context.prec = 60  # so that no rounding moves the result over a whole number
        lost = Decimal((1 - chance).numerator) / (1 - chance).denominator
        left = Decimal((1 - share).numerator) / (1 - share).denominator
        return max(ceil(round(left.ln() / lost.ln(), 40)), 1)


# -- Must-hit-by ------------------------------------------------------------------------------------


def _must_hit_of(meter: Meter) -> MustHit:
    if not meter.must_hit:
        raise Refused(f"Meter {meter.name!r} is not a must-hit-by jackpot.")
    return meter.must_hit


def must_hit_return_at(meter: Meter, cents: Fraction) -> Fraction:
    """The return of the jackpot part of a must-hit-by meter at an amount, as a share of the bet.

    It is that of a small part of a bet: the rate times the amount times the chance of a hit for each cent.
    """
    law = _must_hit_of(meter)
    for (low, before), (high, after) in pairwise(law.points):
        if low <= cents < high:
            density = (after - before) / (high - low)
            return meter.rate * cents * density / (1 - law.chance_by(cents))
    raise Refused(f"Meter {meter.name!r} cannot be hit at this amount.")


def must_hit_break_even(meter: Meter, edge: Fraction) -> Fraction | None:
    """The least amount in cents from which a must-hit-by jackpot makes up for an edge of the bet without it.

    None where no amount does.
    """
    for (low, before), (high, after) in pairwise(_must_hit_of(meter).points):
        density = (after - before) / (high - low)
        if not density:
            continue
        # rate * x * density = edge * (1 - before - density * (x - low))
        even = edge * (1 - before + density * low) / (density * (meter.rate + edge))
        if even < high:
            return max(even, Fraction(low))
    return None


def must_hit_bet(meter: Meter, bet_cents: int, cents: Fraction | int) -> tuple[Fraction, Fraction]:
    """The chance that one whole bet at this amount wins a must-hit-by meter, and its prize in cents.

    The winner takes what the meter shows after the bet, at most the upper amount.
    """
    law, now = _must_hit_of(meter), Fraction(cents)
    if not meter.seed_cents <= now < law.high_cents:
        raise Refused(f"Meter {meter.name!r} cannot be hit at this amount.")
    then = min(now + meter.rate * bet_cents, Fraction(law.high_cents))
    passed = law.chance_by(now)
    return (law.chance_by(then) - passed) / (1 - passed), then
