"""A progressive: meters that bets feed, and levels of hands that win shares of them or fixed prizes.

Everything is exact: rates and shares are Fractions, amounts of a player's money are whole cents.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Literal

from feltlab.errors import Refused, Unknown
from feltlab.progressives.rates import rate_text
from feltlab.text import dollars, listing

SeedPayer = Literal["reserve", "house"]
Overflow = Literal["next", "reserve", "house"]
FoldRule = Literal["stays", "forfeits"]
TopTie = Literal["split", "first"]
ShareTie = Literal["simultaneous", "sequential"]
MAX_LEVELS, MAX_METERS = 100, 20
MAX_NAME_CHARS = 100  # of a title, a status, a meter or a level


@dataclass(frozen=True)
class MustHit:
    """A jackpot that the bet wins which carries the meter to a secret amount between two amounts.

    The secret amount is uniform, or uniform between the knots of a declared law: each knot is an amount and
    the chance that the secret one is not above it.
    """

    low_cents: int
    high_cents: int
    knots: tuple[tuple[int, Fraction], ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.low_cents < self.high_cents:
            bounds = f"{dollars(self.low_cents)} and {dollars(self.high_cents)}"
            raise Refused(f"A must-hit-by jackpot needs two rising amounts, not {bounds}.")
        for (cents, chance), (later, more) in pairwise(self.points):
            if cents >= later or chance > more:
                raise Refused("The law of a must-hit-by jackpot needs rising amounts and rising chances.")

    @property
    def points(self) -> tuple[tuple[int, Fraction], ...]:
        """The law as a polygon: amounts in cents, each with the chance that the secret one is not above."""
        return (self.low_cents, Fraction(0)), *self.knots, (self.high_cents, Fraction(1))

    def chance_by(self, cents: Fraction | int) -> Fraction:
        """The chance that the secret amount is not above this one."""
        for (low, before), (high, after) in pairwise(self.points):
            if cents < high:
                return before + (after - before) * max(Fraction(cents) - low, Fraction(0)) / (high - low)
        return Fraction(1)

    def amount_at(self, share: Fraction | float) -> Fraction:
        """The amount in cents that the secret one does not exceed with this chance."""
        wanted = Fraction(share)
        for (low, before), (high, after) in pairwise(self.points):
            if before < after and wanted <= after:
                return low + (high - low) * (wanted - before) / (after - before)
        return Fraction(self.high_cents)

    @property
    def mean_cents(self) -> Fraction:
        """The mean of the secret amount."""
        pieces = pairwise(self.points)
        return sum(((after - before) * Fraction(low + high, 2) for (low, before), (high, after) in pieces),
                   Fraction(0))  # fmt: skip


@dataclass(frozen=True)
class Meter:
    """One displayed amount: where it begins, what feeds it, where it ends."""

    name: str
    seed_cents: int
    rate: Fraction  # of the bet, to the display
    reserve_rate: Fraction = Fraction(0)  # of the bet, kept for later seeds
    hidden_rate: Fraction = Fraction(0)  # of the bet, not displayed, added to the next jackpot's beginning
    seeded_by: SeedPayer = "reserve"  # the reserve first, then the house; or the house alone
    cap_cents: int | None = None
    overflow: Overflow = "next"  # where contributions above the cap go
    must_hit: MustHit | None = None

    def __post_init__(self) -> None:
        for title, rate in self.rates:
            if rate < 0:
                raise Refused(f"The {title} rate of meter {self.name!r} is negative: {rate_text(rate)}.")
        if self.seed_cents < 0:
            raise Refused(f"The seed of meter {self.name!r} is negative: {dollars(self.seed_cents)}.")
        if self.cap_cents is not None and self.cap_cents < self.seed_cents:
            raise Refused(
                f"The cap of meter {self.name!r}, {dollars(self.cap_cents)}, is below its seed,"
                f" {dollars(self.seed_cents)}."
            )
        if self.must_hit:
            self._check_must_hit(self.must_hit)

    def _check_must_hit(self, must_hit: MustHit) -> None:
        if must_hit.low_cents < self.seed_cents:
            raise Refused(f"The must-hit-by jackpot of meter {self.name!r} could be won below its seed.")
        if not self.rate:
            raise Refused(f"Meter {self.name!r} must be hit but does not rise: its contribution is 0 %.")
        if self.cap_cents is not None and self.cap_cents < must_hit.high_cents:
            raise Refused(
                f"The cap of meter {self.name!r}, {dollars(self.cap_cents)}, is below"
                f" {dollars(must_hit.high_cents)}, by which it must be hit."
            )

    @property
    def rates(self) -> tuple[tuple[str, Fraction], ...]:
        """The parts of the bet that the meter takes, by title."""
        return ("contribution", self.rate), ("reserve", self.reserve_rate), ("hidden", self.hidden_rate)

    @property
    def taken(self) -> Fraction:
        """The part of each bet that belongs to this meter, displayed or not."""
        return self.rate + self.reserve_rate + self.hidden_rate


@dataclass(frozen=True)
class Level:
    """A line of the pay table: the hands that claim it, and a share of a meter or a fixed prize."""

    name: str
    hands: tuple[str, ...]  # categories of the reading, or the very cards that the hand holds
    share: Fraction = Fraction(0)  # of the meter
    fixed_cents: int = 0
    meter: str = ""  # of the share, or of a fixed prize that the meter pays; the first meter if not named
    from_meter: bool = False  # the meter pays the fixed prize, not the tray
    to_one: bool = False  # the bet is returned beside the prize
    envy_cents: int = 0  # to every other bettor of the round

    def __post_init__(self) -> None:
        if not self.hands:
            raise Refused(f"Level {self.name!r} names no hand.")
        if not 0 <= self.share <= 1:
            raise Refused(
                f"Level {self.name!r} takes {rate_text(self.share)} of the meter; at most is 100 %."
            )
        if self.fixed_cents < 0 or self.envy_cents < 0:
            raise Refused(f"Level {self.name!r} has a negative prize.")
        if bool(self.share) == bool(self.fixed_cents):
            raise Refused(f"Level {self.name!r} pays either a share of a meter or a fixed amount.")
        if self.from_meter and not self.fixed_cents:
            raise Refused(f"Level {self.name!r} has no fixed amount that the meter could pay.")

    @property
    def is_top(self) -> bool:
        """Does the level take the whole meter?"""
        return self.share == 1


@dataclass(frozen=True)
class Attachment:
    """A game that carries the progressive, and the cards of it that make the hand."""

    game: str  # its name, or the path of its folder
    cards: tuple[str, ...]  # areas in order: "player", "board:3" (its first three), "player:shown"


@dataclass(frozen=True)
class Progressive:
    """A progressive as rule data; `digest` (of `progressive_file`) names it."""

    name: str
    title: str
    date: str  # of these rules, as year-month-day
    status: str  # "proposal of a demonstration house", "published pay table"
    bet_cents: int  # one bet of this amount for each seat
    reading: str
    attached: tuple[Attachment, ...]
    meters: tuple[Meter, ...]
    levels: tuple[Level, ...]  # the highest first: a hand claims the first that fits, and no other
    house_rate: Fraction  # of the bet, from which the tray pays fixed prizes
    fold: FoldRule = "stays"
    top_tie: TopTie = "split"
    share_tie: ShareTie = "simultaneous"
    source: str = ""  # an address, for a published pay table

    def __post_init__(self) -> None:
        if self.bet_cents <= 0:
            raise Refused(f"The bet of a progressive is a fixed amount, not {dollars(self.bet_cents)}.")
        if self.house_rate < 0:
            raise Refused(f"The house's share is negative: {rate_text(self.house_rate)}.")
        for what in ("meters", "levels", "attached"):
            if not getattr(self, what):
                raise Refused(f"A progressive needs {'a game' if what == 'attached' else what}.")
        for what, most in (("levels", MAX_LEVELS), ("meters", MAX_METERS)):
            if len(getattr(self, what)) > most:
                raise Refused(f"A progressive has at most {most} {what}, not {len(getattr(self, what)):,}.")
        self._check_names()
        self._check_levels()
        self._check_parts()

    def _check_names(self) -> None:
        """Refuse names that stand twice, and texts that a page or a terminal could not show."""
        named = [("meter", meter.name) for meter in self.meters]
        named += [("level", level.name) for level in self.levels]
        for kind, text in (("title", self.title), ("status", self.status), *named):
            if not (text.isprintable() and text.strip() and len(text) <= MAX_NAME_CHARS):
                raise Refused(f"Its {kind} must be 1 to {MAX_NAME_CHARS} printable characters.")
        named += [("game", attachment.game) for attachment in self.attached]
        twice = [f"{kind} {name!r}" for (kind, name), times in Counter(named).items() if times > 1]
        if twice:
            raise Refused(f"The progressive names {listing(twice)} twice.")

    def _check_levels(self) -> None:
        for level in self.levels:
            meter = self.meter_of(level)
            if meter.must_hit and (level.share or level.from_meter):
                raise Refused(f"Meter {meter.name!r} is won at its secret amount, not by {level.name!r}.")
        for meter in self.meters:
            if not meter.must_hit and not any(level.is_top for level in self.levels_on(meter)):
                raise Refused(
                    f"No level takes 100 % of meter {meter.name!r}, so nobody could ever win it all."
                )

    def _check_parts(self) -> None:
        parts = self.house_rate + sum((meter.taken for meter in self.meters), Fraction(0))
        if parts != 1:
            raise Refused(
                f"Meters, reserves and the house take {rate_text(parts)} of each bet; the parts must make"
                " exactly 100 %."
            )

    def meter_of(self, level: Level) -> Meter:
        """The meter that a level is paid from, or would be."""
        return self.meter_named(level.meter) if level.meter else self.meters[0]

    def meter_named(self, name: str) -> Meter:
        for meter in self.meters:
            if meter.name == name:
                return meter
        known = listing(meter.name for meter in self.meters)
        raise Unknown(f"{name!r} is not a meter of this progressive; its meters are {known}.")

    def levels_on(self, meter: Meter) -> Iterator[Level]:
        """The levels that take from a meter."""
        return (
            level
            for level in self.levels
            if (level.share or level.from_meter) and self.meter_of(level) == meter
        )

    @cached_property
    def level_names(self) -> tuple[str, ...]:
        return tuple(level.name for level in self.levels)

    @property
    def is_linked(self) -> bool:
        """Do several games feed it?"""
        return len(self.attached) > 1

    def attachment_of(self, game: str) -> Attachment:
        """The attachment to a game, by the game's name."""
        for attached in self.attached:
            if attached.game == game:
                return attached
        known = listing((attached.game for attached in self.attached), "or")
        raise Refused(f"{self.title} is attached to {known}, not to {game}.")
