"""The plan of a simulation: the game, the strategy, the number of rounds and the seed."""

import hashlib
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from feltlab.core.game import Game
from feltlab.core.joint_numbers import JointCode, joint_code
from feltlab.core.solver import Player
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.kernel import INTERPRETED, is_kernel, source_digest
from feltlab.proving.proof import player_of
from feltlab.simulation.user_strategy import UserStrategy

ROUNDS_PER_BATCH = 1 << 20  # rounds that share a stream of random numbers
MAX_ROUNDS = 10**13
MAX_SEED = (1 << 64) - 1


@dataclass(frozen=True)
class SimulationPlan:
    """A simulation to run. Equal plans give equal tallies, bit for bit.

    The rounds are cut into batches, and each batch has its own stream of random numbers. So the tally does
    not depend on the machine that plays a batch, nor on the order of the batches.
    """

    game: Game
    stake: tuple[tuple[str, Fraction], ...]  # in the game's order; the optimal player plays for all of it
    strategy: str | UserStrategy
    rounds: int
    seed: int

    def __post_init__(self) -> None:
        if not 1 <= self.rounds <= MAX_ROUNDS:
            asked = self.rounds if abs(self.rounds) < 10**20 else f"{Decimal(self.rounds):.0e}"
            raise Refused(f"The number of rounds must be from 1 to {MAX_ROUNDS:.0e}, not {asked}.")
        if not 0 <= self.seed <= MAX_SEED:
            raise Refused(f"The seed must be from 0 to {MAX_SEED}, not {self.seed}.")

    @classmethod
    def of(
        cls, game: Game, stake: Stake, strategy: str | UserStrategy, rounds: int, seed: int
    ) -> "SimulationPlan":
        return cls(game, tuple(stake.items()), strategy, rounds, seed)

    @property
    def batches(self) -> range:
        return range(-(-self.rounds // ROUNDS_PER_BATCH))

    def rounds_in(self, batches: range) -> int:
        """The rounds of some batches in a row; the last batch of a plan may be shorter than the others."""
        return min(batches.stop * ROUNDS_PER_BATCH, self.rounds) - batches.start * ROUNDS_PER_BATCH

    @property
    def strategy_name(self) -> str:
        return self.strategy if isinstance(self.strategy, str) else self.strategy.name

    @cached_property
    def is_compiled(self) -> bool:
        """Does the strategy run as machine code? A user's function may not compile."""
        if isinstance(self.strategy, UserStrategy):
            return is_kernel(self.strategy.player(self.game).decide)
        return not INTERPRETED

    @cached_property
    def code(self) -> JointCode:
        return joint_code(self.game)

    def player(self) -> Player:
        """The strategy as a kernel; a named one is solved for, or read from the proof store."""
        if isinstance(self.strategy, UserStrategy):
            return self.strategy.player(self.game)
        return player_of(self.game, dict(self.stake), self.strategy)

    def identity(self) -> dict[str, Any]:
        """The words that tell this run from others in a checkpoint."""
        source = self.strategy.source if isinstance(self.strategy, UserStrategy) else ""
        return {
            "game": str(self.game),
            "seed": self.seed,
            "rounds": self.rounds,
            "strategy": self.strategy_name,
            "stake": " ".join(f"{bet}={units}" for bet, units in self.stake),
            "strategy file": hashlib.sha256(source.encode()).hexdigest(),
            "sources": source_digest(),
        }
