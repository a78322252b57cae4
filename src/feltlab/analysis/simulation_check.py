"""The simulation in a PAR sheet: random rounds through the game's own rules, compared with the proof."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from feltlab.core.tally import Tally
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.proof import Proof
from feltlab.proving.store import cached_json
from feltlab.simulation.comparison import Comparison, compare

CHECK_ROUNDS = 4_000_000  # of the simulation in a packet: one to three seconds
CHECK_SEED = 1
GENERATOR = "SFC64"  # written out in `simulation.streams`; numpy's SeedSequence starts its streams


@dataclass(frozen=True)
class SimulationCheck:
    """The rounds, seed and generator of a simulation, and its agreement with the proof."""

    rounds: int
    seed: int
    generator: str
    comparison: Comparison

    def as_json(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "seed": self.seed,
            "generator": self.generator,
            **self.comparison.as_json(),
        }


def check_by_simulation(
    proof: Proof, rounds: int = CHECK_ROUNDS, seed: int = CHECK_SEED, progress: Progress = nobody_listens
) -> SimulationCheck:
    """Simulate the game, stake and strategy of a proof. The counts are stored, as laws are."""
    game, stake = proof.game, {bet: str(units) for bet, units in proof.stake.items()}

    def play() -> dict[str, Any]:
        from feltlab.simulation.run import simulate

        found = simulate(game, proof.stake, proof.strategy, rounds, seed, progress=progress)
        counts = [[list(outcomes), n] for outcomes, n in sorted(found.tally.counts.items())]
        generator = f"{GENERATOR}, seeded by SeedSequence of numpy {np.__version__}"
        return {"counts": counts, "choices": dict(found.first_choices), "generator": generator}

    key = [str(game.as_proved), "simulated counts", stake, proof.strategy, rounds, seed]
    data = cached_json(key, play)
    tally = Tally(game, {tuple(outcomes): n for outcomes, n in data["counts"]})
    return SimulationCheck(rounds, seed, data["generator"], compare(tally, data["choices"], proof))
