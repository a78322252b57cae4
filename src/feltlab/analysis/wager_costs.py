"""The cost of a wager, which depends on the stake around it and on the play.

A choice affects several wagers at once, so the edge of one wager is a matter of whom the play serves. Four
figures do not deceive, each beside its stake and its play:

- the *joint edge*: the expected loss of the whole stake at best play, for each unit of its first wagers;
- the *added cost*: the expected loss with the wager less that without it, each at its own best play, for each
  unit of the wager;
- the *least* and the *most* that the wager costs alone: under the play that is best for this wager and
  nothing else, and under the play that is best for the other wagers of the stake and nothing else.

The added cost is never below the least and never above the most.

Wagers that must be equal are made together or not at all, so they count as one: their least and their most
are those of all of them together, for each unit. Each has its own edge beside that.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.stake import Stake, check_stake
from feltlab.errors import Refused
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import Proof, prove, prove_play
from feltlab.proving.store import cached_json


@dataclass(frozen=True)
class WagerCost:
    """The cost of one wager of a stake, in units; costs of the wager itself are for each unit of it."""

    bet: Spot
    stake: Stake  # with the wager
    loss: Fraction  # of a round with this stake, at best play
    loss_without: Fraction | None  # without the wager, at best play; None if there is no such round
    own_edge: Fraction  # of the wager, under the play that is best for this stake
    equal_edge: Fraction  # the same, of all wagers that must be equal to it; its own edge if there are none
    hit_frequency: Fraction  # of the wager, under the same play
    least: Fraction
    most: Fraction | None  # None if the stake has no other wager

    @property
    def units(self) -> Fraction:
        return self.stake[self.bet.name]

    @property
    def joint_edge(self) -> Fraction:
        return self.loss / sum(self.stake.values(), Fraction(0))

    @property
    def added(self) -> Fraction | None:
        """The added cost of each unit; None where the wager cannot be left out."""
        return None if self.loss_without is None else (self.loss - self.loss_without) / self.units

    @property
    def main(self) -> Fraction:
        """The added cost; of a wager that cannot be left out, the edge under the best play for the stake."""
        return self.equal_edge if self.added is None else self.added

    @property
    def ends(self) -> tuple[Fraction, Fraction | None]:
        return self.least, self.most

    @property
    def depends_on_play(self) -> bool:
        return self.most is not None and self.least != self.most

    def as_json(self) -> dict[str, Any]:
        return {
            "bet": self.bet.name,
            "stake": {bet: str(units) for bet, units in self.stake.items()},
            "joint_loss": exact(self.loss),
            "joint_edge": exact(self.joint_edge),
            "joint_loss_without": _optional(self.loss_without),
            "added_cost": _optional(self.added),
            "own_edge": exact(self.own_edge),
            "edge_with_equal_wagers": exact(self.equal_edge),
            "hit_frequency": exact(self.hit_frequency),
            "least_alone": exact(self.least),
            "most_alone": _optional(self.most),
        }

    @classmethod
    def of_json(cls, game: Game, data: Mapping[str, Any]) -> "WagerCost":
        names = "joint_loss", "joint_loss_without", "own_edge", "edge_with_equal_wagers"
        more = "hit_frequency", "least_alone", "most_alone"
        shares: list[Any] = [data[name] and Fraction(data[name]["exact"]) for name in names + more]
        stake = {bet: Fraction(units) for bet, units in data["stake"].items()}
        return cls(game.spot(data["bet"]), stake, *shares)


def _optional(value: Fraction | None) -> dict[str, Any] | None:
    return None if value is None else exact(value)


def wager_costs(game: Game, stake: Stake, progress: Progress = nobody_listens) -> tuple[WagerCost, ...]:
    """The cost of each wager of a game. A wager without a stake is added to it with one unit."""
    return tuple(cost for bet in game.wagers if (cost := wager_cost(game, stake, bet, progress)))


def wager_cost(game: Game, stake: Stake, bet: Spot, progress: Progress = nobody_listens) -> WagerCost | None:
    """The cost of one wager; None if the stake does not allow it. It is stored, as laws are.

    >>> from feltlab import GAMES
    >>> war = GAMES["casino-war"]
    >>> wager_cost(war, {"primary": Fraction(1), "tie": Fraction(0)}, war.spot("tie")).added
    Fraction(58, 311)
    """
    whole = _with_wager(game, stake, bet)
    if whole is None:
        return None
    staked = {name: str(units) for name, units in whole.items()}
    data = cached_json(
        [str(game.as_proved), "wager cost", bet.name, staked],
        lambda: _prove_cost(game, whole, bet, progress).as_json(),
    )
    return WagerCost.of_json(game, data)


def _with_wager(game: Game, stake: Stake, bet: Spot) -> Stake | None:
    """The stake with the wager: as it is, or with one unit more, or with as much as the rules allow."""
    if stake[bet.name]:
        return stake
    units = min(Fraction(1), stake[bet.at_most]) if bet.at_most else Fraction(1)
    return {**stake, **dict.fromkeys(game.equal_wagers(bet.name), units)} if units else None


def _prove_cost(game: Game, stake: Stake, bet: Spot, progress: Progress) -> WagerCost:
    whole, equal = prove(game, stake, progress=progress), game.equal_wagers(bet.name)
    others = {name: Fraction(0) if name in equal else units for name, units in stake.items()}
    alone = {name: Fraction(name in equal) for name in stake}
    return WagerCost(
        bet,
        stake,
        whole.loss,
        _loss_of(game, others, progress),
        whole.house_edge(bet.name),
        equal_edge(whole, bet),
        whole.tally.hit_frequency(bet),
        equal_edge(prove_play(game, alone, progress), bet),
        equal_edge(prove_play(game, others, progress), bet) if any(others.values()) else None,
    )


def equal_edge(proof: Proof, bet: Spot) -> Fraction:
    """The edge of a wager with those that must be equal to it, for each unit of them."""
    edges = [proof.house_edge(name) for name in proof.game.equal_wagers(bet.name)]
    return sum(edges, Fraction(0)) / len(edges)


def _loss_of(game: Game, stake: Stake, progress: Progress) -> Fraction | None:
    """The loss of a round at best play; None if the game does not allow this stake."""
    try:
        return prove(game, check_stake(game, stake), progress=progress).loss
    except Refused:
        return None
