"""The best play of a game and fixed amounts on the meters, through the tree of the game with its jackpot.

One walk gives the value of the main game and the chance of each level under the play that is best for these
amounts. Both are exact, so the same play has an exact value for every other amount.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, perm
from typing import Any

import numpy as np

from feltlab.analysis.progressives.jackpot_rules import SPOT, game_with_jackpot
from feltlab.analysis.progressives.level_prizes import MeterPrize
from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.core.tally import Tally
from feltlab.counting.tree.deals import faces_of, first_places, root_classes
from feltlab.counting.tree.estimate import estimate_ends
from feltlab.counting.tree.positions import log_nothing, log_position
from feltlab.counting.tree.solve import LARGEST, Plan, TreeResult, plan_walk, walk_all
from feltlab.errors import Refused
from feltlab.progressives.claims import JackpotHand
from feltlab.proving.store import cached_json

MOST_ENDS = 5e8  # of one walk; a joint play takes about a dozen walks
NONE = Fraction(0)


@dataclass(frozen=True)
class StreetPlan:
    """A way to play: its value for the main game, the chances of the levels, and its choices."""

    main: Fraction  # the value of the stake in cents, without the jackpot
    chances: tuple[Fraction, ...]  # by level
    streets: tuple[tuple[Fraction, ...], ...]  # [street][choice]: the share of rounds in which it is made
    first: tuple[int, ...]  # by class of first cards: the first choice, -1 where none is open

    def line(self, prizes: Sequence[MeterPrize]) -> MeterPrize:
        """The value of a round in cents as a line in the meter, before the bet on the jackpot is paid."""
        fixed = sum((p * prize.fixed for p, prize in zip(self.chances, prizes, strict=True)), self.main)
        return MeterPrize(
            fixed, sum((p * prize.share for p, prize in zip(self.chances, prizes, strict=True)), NONE)
        )


@dataclass(frozen=True)
class StreetWalk:
    """The walks of a game with its jackpot, for a stake; one unit of it costs `unit_cents`."""

    hand: JackpotHand
    stake: Stake
    unit_cents: int

    @cached_property
    def game(self) -> Game:
        """The game with the jackpot as its last spot; refused where its tree is too large."""
        game = game_with_jackpot(self.hand)
        ends = estimate_ends(game)
        if ends > MOST_ENDS:
            raise Refused(
                f"The joint play of {game.title} and {self.hand.progressive.title} has about {ends:.0e} deals"
                f" to visit for each amount on the meter; at most {MOST_ENDS:.0e} are visited."
            )
        return game

    def best_for(self, prizes: Sequence[Fraction]) -> StreetPlan:
        """The best play if each level pays so many cents: from the store, or walked."""
        progressive = self.hand.progressive
        rules = [self.hand.reading.name, [[*level.hands] for level in progressive.levels]]
        key = [
            str(self.hand.game.as_proved), "jackpot walk", *rules, [*self.hand.game.deck.cards],
            [*self.hand.places],
            [*self.hand.shown_only], progressive.fold, {bet: str(n) for bet, n in self.stake.items()},
            [str(Fraction(prize) / self.unit_cents) for prize in prizes],
        ]  # fmt: skip
        return self._plan_from(cached_json(key, lambda: self._walk(prizes)))

    def fits(self, prizes: Sequence[Fraction]) -> bool:
        """Can a walk add these prizes up in whole numbers of 64 bits?"""
        game = self.game
        nets, _ = self._nets(self._base_plan, prizes)
        first = len(first_places(game))
        most = perm(len(game.deck) - first, game.places - first)
        return most * sum(max(map(abs, row)) for row in nets) <= LARGEST

    @cached_property
    def _base_plan(self) -> Plan:
        return plan_walk(self.game, {**self.stake, SPOT: NONE})

    def _nets(self, plan: Plan, prizes: Sequence[Fraction]) -> tuple[list[list[int]], int]:
        """The nets of all spots in whole parts of a unit, the prizes among them; and the parts."""
        units = [Fraction(prize) / self.unit_cents for prize in prizes]
        parts = lcm(plan.parts, *(each.denominator for each in units))
        rows = [[net * (parts // plan.parts) for net in row] for row in plan.spot_nets.tolist()]
        width = max(len(rows[0]), len(units) + 2)
        rows = [[*row, *[0] * (width - len(row))] for row in rows]
        rows[-1][1 : len(units) + 1] = [int(each * parts) for each in units]
        return rows, parts

    def _walk(self, prizes: Sequence[Fraction]) -> dict[str, Any]:
        game = self.game
        if not self.fits(prizes):
            raise Refused(f"The prizes of {self.hand.progressive.title} are too large to be counted exactly.")
        nets, parts = self._nets(self._base_plan, prizes)
        plan = self._base_plan._replace(spot_nets=np.array(nets, np.int64), parts=parts)
        found = walk_all(plan, None, game.kernel_data, log_position, log_nothing(game))
        return self._plan_json(found)

    def _plan_json(self, found: TreeResult) -> dict[str, Any]:
        own, deals = Tally(self.hand.game, {}), sum(found.counts.values())
        bets = [(self.hand.game.spot(bet), units) for bet, units in self.stake.items() if units]
        main, levels = NONE, [0] * (len(self.hand.progressive.levels) + 1)
        for joint, count in found.counts.items():
            main += count * sum((units * own.net(bet, joint[:-1]) for bet, units in bets), NONE)
            levels[joint[-1]] += count
        return {
            "main": str(main / deals),
            "levels": [str(Fraction(count, deals)) for count in levels[:-1]],
            "streets": [[str(Fraction(made, deals)) for made in street] for street in found.made],
            "first": found.choices.tolist(),
        }

    def _plan_from(self, data: Any) -> StreetPlan:
        return StreetPlan(
            Fraction(data["main"]) * self.unit_cents,
            tuple(map(Fraction, data["levels"])),
            tuple(tuple(map(Fraction, street)) for street in data["streets"]),
            tuple(data["first"]),
        )

    @cached_property
    def first_hands(self) -> tuple[tuple[Cards, Fraction], ...]:
        """The classes of first cards, each with its chance."""
        roots = root_classes(self.game, faces_of(self.game))
        whole = int(roots.weights.sum())
        shoes = (Cards(card for card in shoe if card >= 0) for shoe in roots.shoes.tolist())
        return tuple(
            (cards, Fraction(weight, whole))
            for cards, weight in zip(shoes, roots.weights.tolist(), strict=True)
        )
