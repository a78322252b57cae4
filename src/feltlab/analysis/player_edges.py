"""Wagers that favour the player: where a figure of a PAR sheet is negative."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from feltlab.analysis.wager_costs import WagerCost, equal_edge
from feltlab.core.layout import Spot
from feltlab.core.stake import Stake
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import Proof

BEST_PLAY = "optimal"


@dataclass(frozen=True)
class PlayerEdge:
    """A wager, or a whole stake, that favours the player: at this stake, under this strategy."""

    bet: Spot | None  # with the wagers that must be equal to it; None for the whole stake
    stake: Stake
    strategy: str
    edge: Fraction  # of the wager, or of the stake for each unit of its first wagers
    added: Fraction | None  # the added cost of the wager; None where it is not known or does not exist
    loss: Fraction  # of a round with the stake, in units

    def as_json(self) -> dict[str, Any]:
        return {
            "bet": self.bet and self.bet.name,
            "stake": {bet: str(units) for bet, units in self.stake.items()},
            "strategy": self.strategy,
            "house_edge": exact(self.edge),
            "added_cost": None if self.added is None else exact(self.added),
            "loss": exact(self.loss),
        }


def player_edges(proof: Proof, costs: Sequence[WagerCost]) -> tuple[PlayerEdge, ...]:
    """Every negative edge and added cost, at the stake of a proof or with one more wager on it."""
    return (*_best_play(costs), *_other_play(proof), *_whole_stake(proof))


def _best_play(costs: Sequence[WagerCost]) -> Iterator[PlayerEdge]:
    for cost in costs:
        favours = cost.equal_edge < 0 or (cost.added is not None and cost.added < 0)
        if favours and not cost.bet.equals:
            yield PlayerEdge(cost.bet, cost.stake, BEST_PLAY, cost.equal_edge, cost.added, cost.loss)


def _other_play(proof: Proof) -> Iterator[PlayerEdge]:
    if proof.strategy == BEST_PLAY:
        return
    for bet in proof.game.wagers:
        edge = equal_edge(proof, bet)
        if proof.stake[bet.name] and edge < 0 and not bet.equals:
            yield PlayerEdge(bet, proof.stake, proof.strategy, edge, None, proof.loss)


def _whole_stake(proof: Proof) -> Iterator[PlayerEdge]:
    if proof.loss < 0:
        yield PlayerEdge(None, proof.stake, proof.strategy, proof.joint_edge, None, proof.loss)
