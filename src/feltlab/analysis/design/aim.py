"""The figure that a design aims at: the added cost of a wager, or the joint edge of the stake.

Both are linear in the pays of the wager while the play stays the same, so one search serves both.
"""

from dataclasses import dataclass
from fractions import Fraction

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.proof import prove_play
from feltlab.text import listing

AIMS = {
    "added": "what the wager adds to the loss: loss with it less loss without it, for each unit of it",
    "joint": "the edge of the whole stake: its loss for each unit of all first wagers",
}

AIM_TITLES = {"added": "added cost", "joint": "joint edge"}


@dataclass(frozen=True)
class Aim:
    """A figure of a stake: its loss above a base, for each of some units."""

    name: str
    base: Fraction  # the loss without the wager, at best play; 0 for the joint edge
    units: Fraction  # over which the loss is spread
    wager: Fraction  # the units on the wager

    def cost(self, loss: Fraction) -> Fraction:
        """The figure of a stake with this loss in a round."""
        return (loss - self.base) / self.units

    def missing_net(self, loss: Fraction, target: Fraction) -> Fraction:
        """The change of the expected net of the wager, for each unit of it, that leads to a target."""
        return (self.cost(loss) - target) * self.scale

    @property
    def scale(self) -> Fraction:
        """The change of the wager's expected net that moves the figure by one."""
        return self.units / self.wager


def aim_at(name: str, game: Game, stake: Stake, bet: Spot, progress: Progress = nobody_listens) -> Aim:
    """The aim of this name. What is lost without a wager does not depend on the pays of the wager.

    Where the rules require the wager, the round without it is one in which only the other wagers count.
    """
    if name not in AIMS:
        raise Refused(f"{name!r} is not something to aim at; possible are {listing(AIMS)}.")
    if not stake[bet.name]:
        raise Refused(f"The design of a wager needs a stake on it; {bet.title} has none.")
    if name == "joint":
        return Aim(name, Fraction(0), sum(stake.values(), Fraction(0)), stake[bet.name])
    others = {**stake, bet.name: Fraction(0)}
    base = prove_play(game, others, progress).loss if any(others.values()) else Fraction(0)
    return Aim(name, base, stake[bet.name], stake[bet.name])
