"""The best play of a main game, its side bets and a jackpot together, for every amount on the meter.

Each hand has a line in the meter for each choice: its value for the main game, plus the fixed prizes and the
share of the meter that the choice leaves it. The best play is the highest line, so the value of a round is a
rising polygon in the meter, bent where hands change their choice. Everything is exact.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from feltlab.analysis.progressives.decision_scan import DecisionScan, OtherShape
from feltlab.analysis.progressives.hand_values import value_hands
from feltlab.analysis.progressives.level_prizes import Amounts, MeterPrize, meter_to_move, prize_lines
from feltlab.analysis.progressives.play_chances import depends_on_play, scan_play
from feltlab.analysis.progressives.street_play import FAR_CENTS, Move, StreetPlay
from feltlab.analysis.progressives.street_walk import StreetWalk
from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.progressives.claims import JackpotHand, attach
from feltlab.progressives.progressive import Meter, Progressive
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import prove

NONE = Fraction(0)
Line = tuple[Fraction, Fraction]  # in cents: the value at an empty meter, and the rise with each cent on it


@dataclass(frozen=True)
class MovedHand:
    """Hands that are alike, whose best choice the meter may change."""

    cards: Cards
    chance: Fraction  # of such a hand
    base: int  # the best choice without the jackpot
    lines: tuple[Line | None, ...]  # by choice, of the whole stake and the prize; None where it is not open

    def best(self, cents: Fraction) -> int:
        """The best choice at an amount on the meter; of equal ones, that without the jackpot."""
        worth = {n: line[0] + cents * line[1] for n, line in enumerate(self.lines) if line}
        top = max(worth.values())
        return self.base if worth[self.base] == top else max(worth, key=lambda n: worth[n])

    def moves_at(self) -> Fraction | None:
        """The least amount on the meter at which another choice is as good; None if there is none."""
        mine = self.lines[self.base]
        assert mine
        found = [_meet(mine, line) for line in self.lines if line and line != mine]
        return min((at for at in found if at is not None), default=None)


def _meet(mine: Line, other: Line) -> Fraction | None:
    """The least meter from 0 up at which another line is as high as mine."""
    if other[0] >= mine[0]:
        return NONE
    return (mine[0] - other[0]) / (other[1] - mine[1]) if other[1] > mine[1] else None


@dataclass(frozen=True)
class OneChoicePlay:
    """A main game of one choice with a jackpot: values in cents a round, the bet on the jackpot included."""

    progressive: Progressive
    meter: Meter
    game: Game
    stake: Stake
    unit_cents: int
    main: Fraction  # the value of the stake without the jackpot, at its best play
    fixed: Fraction  # the mean fixed prize under that play
    share: Fraction  # the mean share of the meter under that play
    hands: tuple[MovedHand, ...]

    def value_at(self, cents: Fraction | int) -> Fraction:
        """The value of a round at the joint best play."""
        meter = Fraction(cents)
        alone = self.main + self.fixed + meter * self.share - self.progressive.bet_cents
        return alone + self.gain_at(meter)

    def gain_at(self, cents: Fraction | int) -> Fraction:
        """What is gained by playing for the jackpot too, instead of for the stake alone."""
        return sum((hand.chance * _rise(hand, Fraction(cents)) for hand in self.hands), NONE)

    def moved_at(self, cents: Fraction | int) -> tuple[MovedHand, ...]:
        """The hands that are played differently at an amount on the meter."""
        return tuple(hand for hand in self.hands if hand.best(Fraction(cents)) != hand.base)

    def moved_share(self, cents: Fraction | int) -> Fraction:
        """The share of rounds that are played differently at an amount on the meter."""
        return sum((hand.chance for hand in self.moved_at(cents)), NONE)

    def examples(self, cents: Fraction | int, most: int) -> list[Move]:
        """Hands that are played differently: cards, the choice without the jackpot, and that with it."""
        return [(str(hand.cards), *self.describe_move(hand, cents)) for hand in self.moved_at(cents)[:most]]

    @property
    def has_moves(self) -> bool:
        return bool(self.hands)

    @cached_property
    def first_move(self) -> Fraction | None:
        """The least amount on the meter at which the best play changes; None if it never does."""
        return min((at for hand in self.hands if (at := hand.moves_at()) is not None), default=None)

    @cached_property
    def break_even(self) -> Fraction | None:
        """The amount at which the bet on the jackpot costs nothing, at the joint best play.

        The value is a convex polygon, so the steps from the right that follow its sides end on it exactly.
        """
        at = (self.progressive.bet_cents - self.fixed) / self.share if self.share else Fraction(FAR_CENTS)
        if not self.share and self.value_at(at) <= self.main:
            return None
        for _ in range(200):
            worth = self.value_at(at) - self.main
            if worth <= 0 or at <= 0:
                return max(at, NONE)
            at -= worth / self._slope_at(at)
        raise Refused("The break-even meter was not found.")

    def _slope_at(self, cents: Fraction) -> Fraction:
        slopes = (
            hand.chance * (_side(hand, hand.best(cents)) - _side(hand, hand.base)) for hand in self.hands
        )
        return self.share + sum(slopes, NONE)

    def as_json(self, cents: Fraction | int) -> dict[str, Any]:
        moved = self.moved_at(cents)
        return {
            "game": self.game.name,
            "meter": self.meter.name,
            "unit_cents": self.unit_cents,
            "meter_cents": exact(Fraction(cents)),
            "main_value_cents": exact(self.main),
            "value_cents": exact(self.value_at(cents)),
            "gain_cents": exact(self.gain_at(cents)),
            "moved_share": exact(self.moved_share(cents)),
            "moved_classes": len(moved),
            "first_move_cents": None if self.first_move is None else exact(self.first_move),
            "break_even_cents": None if self.break_even is None else exact(self.break_even),
            "examples": [
                {"cards": cards, "from": old, "to": new} for cards, old, new in self.examples(cents, 10)
            ],
        }

    def describe_move(self, hand: MovedHand, cents: Fraction | int) -> tuple[str, str]:
        """The choice without the jackpot, and the choice with it."""
        choices = self.game.choices
        return choices[hand.base].name, choices[hand.best(Fraction(cents))].name


def _side(hand: MovedHand, choice: int) -> Fraction:
    line = hand.lines[choice]
    return line[1] if line else NONE


def _rise(hand: MovedHand, cents: Fraction) -> Fraction:
    best, mine = hand.lines[hand.best(cents)], hand.lines[hand.base]
    assert best
    assert mine
    return best[0] - mine[0] + cents * (best[1] - mine[1])


JointPlay = OneChoicePlay | StreetPlay


def solve_joint_play(
    progressive: Progressive,
    game: Game,
    stake: Stake,
    unit_cents: int,
    meter: str | None = None,
    others: Amounts | None = None,
) -> JointPlay:
    """The best play of a game and its jackpot together, for every amount on a meter.

    `unit_cents` is what one unit of the stake costs: the jackpot's bet is a fixed amount, so it matters.
    `others` are the cents on the other meters. A game of one choice is scanned hand by hand, any other is
    walked through its tree.
    """
    hand = attach(progressive, game)
    if not depends_on_play(hand):
        raise Refused(f"No choice of {game.title} changes {progressive.title}, so they are played apart.")
    moved = meter_to_move(progressive, meter)
    prizes = prize_lines(progressive, moved, others or {})
    try:
        return _solve_one_choice(hand, stake, unit_cents, moved, prizes)
    except OtherShape:
        return StreetPlay(StreetWalk(hand, stake, unit_cents), moved, prizes)


def _solve_one_choice(
    hand: JackpotHand, stake: Stake, unit_cents: int, meter: Meter, prizes: tuple[MeterPrize, ...]
) -> OneChoicePlay:
    game, scan = hand.game, scan_play(hand, stake, prizes)
    deals = scan.whole * scan.hands
    chances = [Fraction(count, deals) for count in scan.level_counts]
    fixed = sum((p * prize.fixed for p, prize in zip(chances, prizes, strict=True)), NONE)
    share = sum((p * prize.share for p, prize in zip(chances, prizes, strict=True)), NONE)
    main = -prove(game, stake).loss * unit_cents
    moved = tuple(_moved_hands(scan, game, stake, unit_cents))
    return OneChoicePlay(hand.progressive, meter, game, stake, unit_cents, main, fixed, share, moved)


def _moved_hands(scan: DecisionScan, game: Game, stake: Stake, unit_cents: int) -> Iterator[MovedHand]:
    """The listed hands that some amount on the meter moves."""
    values = value_hands(game, stake, scan.shape, scan.cards)
    rows = zip(
        scan.cards.tolist(), scan.weights.tolist(), scan.base.tolist(), scan.fixed.tolist(),
        scan.shares.tolist(), values, strict=True,
    )  # fmt: skip
    parts = scan.whole * scan.parts
    for cards, weight, base, fixed, shares, worth in rows:
        lines = tuple(
            None if value is None else (value * unit_cents + Fraction(f, parts), Fraction(s, parts))
            for value, f, s in zip(worth, fixed, shares, strict=True)
        )
        hand = MovedHand(Cards(cards), Fraction(weight, scan.hands), base, lines)
        if hand.moves_at() is not None:
            yield hand
