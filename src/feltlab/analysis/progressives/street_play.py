"""The joint best play of a jackpot and a game with several choices or streets, for every amount on a meter.

The value of a round is a convex polygon in the meter: each way to play is a line, and the best play is the
highest. A walk through the tree gives the line that is highest at one amount, so the break-even and the first
bend are found in a few walks. If one line is the highest at two amounts, it is between them, too.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any

from feltlab.analysis.progressives.level_prizes import MeterPrize
from feltlab.analysis.progressives.street_walk import StreetPlan, StreetWalk
from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.progressives.progressive import Meter, Progressive
from feltlab.proving.exact_numbers import exact

NONE = Fraction(0)
FAR_CENTS = 100_000_000_00  # beyond which no bend is looked for
MAX_STEPS = 60
Move = tuple[str, str, str]  # cards, the choice without the jackpot, the choice with it


@dataclass(frozen=True)
class StreetPlay:
    """A game of several choices with a jackpot: values in cents a round, the bet on the jackpot included."""

    walk: StreetWalk
    meter: Meter
    prizes: tuple[MeterPrize, ...]

    @property
    def progressive(self) -> Progressive:
        return self.walk.hand.progressive

    @property
    def game(self) -> Game:
        return self.walk.hand.game

    @property
    def stake(self) -> Stake:
        return self.walk.stake

    @property
    def unit_cents(self) -> int:
        return self.walk.unit_cents

    @cached_property
    def base(self) -> StreetPlan:
        """The best play of the stake without the jackpot."""
        return self.walk.best_for([NONE] * len(self.prizes))

    @property
    def main(self) -> Fraction:
        return self.base.main

    def best_at(self, cents: Fraction | int) -> StreetPlan:
        """The joint best play at an amount on the meter."""
        return self.walk.best_for([prize.at(cents) for prize in self.prizes])

    def value_at(self, cents: Fraction | int) -> Fraction:
        """The value of a round at the joint best play."""
        return self._line_at(cents).at(cents) - self.progressive.bet_cents

    def gain_at(self, cents: Fraction | int) -> Fraction:
        """The gain by playing for the jackpot too, instead of for the stake alone."""
        alone = self._base_line.at(cents) - self.progressive.bet_cents
        return self.value_at(cents) - alone

    def _line_at(self, cents: Fraction | int) -> MeterPrize:
        return self.best_at(cents).line(self.prizes)

    @cached_property
    def _base_line(self) -> MeterPrize:
        return self.base.line(self.prizes)

    @property
    def has_moves(self) -> bool:
        return self.first_move is not None

    def moved_share(self, cents: Fraction | int) -> Fraction:
        """The share of rounds whose first choice is another one than without the jackpot."""
        return sum((chance for _, chance, _, _ in self._moved_first(cents)), NONE)

    def examples(self, cents: Fraction | int, most: int) -> list[Move]:
        """First cards whose choice moves at an amount, the most frequent first."""
        moved = sorted(self._moved_first(cents), key=lambda each: -each[1])
        names = [choice.name for choice in self.game.choices]
        return [(cards, names[old], names[new]) for cards, _, old, new in moved[:most]]

    def _moved_first(self, cents: Fraction | int) -> list[tuple[str, Fraction, int, int]]:
        rows = zip(self.walk.first_hands, self.base.first, self.best_at(cents).first, strict=True)
        return [(str(cards), chance, old, new) for (cards, chance), old, new in rows if old != new]

    def street_shares(self, cents: Fraction | int) -> list[tuple[str, str, Fraction, Fraction]]:
        """Street, choice, and the share of rounds in which it is made: without the jackpot, and with it."""
        names = self.game.streets or ("first choice",)
        best = self.best_at(cents)
        return [
            (street, choice.name, old, new)
            for street, olds, news in zip(names, self.base.streets, best.streets, strict=True)
            for choice, old, new in zip(self.game.choices, olds, news, strict=True)
            if old or new
        ]

    @cached_property
    def first_move(self) -> Fraction | None:
        """The least amount on the meter from which another play is as good; None if there is none.

        It is exact where no two bends lie within one cent of it.
        """
        base, far = self._base_line, self._farthest()
        if self._line_at(0).fixed > base.fixed:
            return NONE
        other = self._line_at(far)
        if other.at(far) == base.at(far):
            return None
        for _ in range(MAX_STEPS):
            if other.fixed >= base.fixed:
                return NONE
            meets = (base.fixed - other.fixed) / (other.share - base.share)
            below = floor(meets)
            found = self._line_at(below)
            if found.at(below) == base.at(below):
                return meets
            other = found
        raise Refused("The first bend of the joint play was not found.")

    def _farthest(self) -> int:
        """The largest amount, up to a hundred million dollars, that a walk can add up."""
        far = FAR_CENTS
        while far > 1 and not self.walk.fits([prize.at(far) for prize in self.prizes]):
            far //= 10
        return far

    @cached_property
    def break_even(self) -> Fraction | None:
        """The amount at which the bet on the jackpot costs nothing, at the joint best play.

        Each step follows the side of the polygon from the right to where it meets the main game's value. The
        amount is exact where no bend lies within one cent of it.
        """
        base, wanted = self._base_line, self.main + self.progressive.bet_cents
        root = (wanted - base.fixed) / base.share if base.share else Fraction(self._farthest())
        if not base.share and self._line_at(root).at(root) <= wanted:
            return None
        for _ in range(MAX_STEPS):
            at = ceil(root)
            if at <= 0:
                return NONE
            line = self._line_at(at)
            if line.at(at) <= wanted:
                return root
            root = (wanted - line.fixed) / line.share
            below = max(floor(root), 0)
            other = self._line_at(below)
            if other.at(below) == line.at(below):
                return max(root, NONE)
            if ceil(root) == at:  # a bend lies within this cent
                return min(root, (wanted - other.fixed) / other.share)
        raise Refused("The break-even meter was not found.")

    def as_json(self, cents: Fraction | int) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "meter": self.meter.name,
            "unit_cents": self.unit_cents,
            "meter_cents": exact(Fraction(cents)),
            "main_value_cents": exact(self.main),
            "value_cents": exact(self.value_at(cents)),
            "gain_cents": exact(self.gain_at(cents)),
            "moved_share": exact(self.moved_share(cents)),
            "moved_classes": len(self._moved_first(cents)),
            "first_move_cents": None if self.first_move is None else exact(self.first_move),
            "break_even_cents": None if self.break_even is None else exact(self.break_even),
            "streets": [
                {"street": street, "choice": choice, "without": exact(old), "with": exact(new)}
                for street, choice, old, new in self.street_shares(cents)
            ],
            "examples": [
                {"cards": cards, "from": old, "to": new} for cards, old, new in self.examples(cents, 10)
            ],
        }
