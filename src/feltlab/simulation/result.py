"""The result of a simulation, alone or beside a proof, as a value and as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from feltlab.core.tally import Outcomes, Tally
from feltlab.proving.exact_numbers import root
from feltlab.proving.proof import Proof
from feltlab.simulation.comparison import Comparison, compare, measure_tally
from feltlab.simulation.plan import SimulationPlan
from feltlab.simulation.user_strategy import UserStrategy


@dataclass(frozen=True)
class SimulationResult:
    """The counts of a simulation.

    >>> from feltlab import simulate
    >>> result = simulate("casino-war", rounds=10_000, seed=1)
    >>> result.tally.deals
    10000
    """

    plan: SimulationPlan
    tally: Tally
    first_choices: Mapping[str, int]  # by name; rounds in which no choice opened are under ""
    streets: Mapping[str, Mapping[str, int]]  # by street: rounds by the name of the choice made there
    played: int  # rounds of this run, which may have gone on from a checkpoint
    seconds: float  # that they took

    def __repr__(self) -> str:
        plan = self.plan
        rounds = f"{plan.rounds:,} rounds, seed {plan.seed}"
        return f"<SimulationResult of {plan.game}, {plan.strategy_name} strategy: {rounds}>"

    def compare(self, proof: Proof) -> Comparison:
        """Compare the counts with a proof of the same strategy."""
        return compare(self.tally, self.first_choices, proof)

    def cost_against(self, proof: Proof) -> tuple[float, float]:
        """The loss against a proved strategy, in units a round, and its standard error."""
        stake = dict(self.plan.stake)
        lost = proof.tally.total_expected(stake) - self.tally.total_expected(stake)
        return float(lost), root(self.tally.total_variance(stake)) / self.plan.rounds**0.5

    def as_json(self, proof: Proof) -> dict[str, Any]:
        """The result beside a proof: of its own strategy, or for a user's strategy of the optimal one."""
        if not isinstance(self.plan.strategy, UserStrategy):
            return self._counts_json() | {"comparison": self.compare(proof).as_json()}
        cost, error = self.cost_against(proof)
        return self._counts_json() | {
            "measures": [measure.as_json() for measure in measure_tally(self.tally)],
            "cost_against_best": {"units": cost, "standard_error": error},
        }

    def _counts_json(self) -> dict[str, Any]:
        plan, game = self.plan, self.plan.game
        return {
            "game": game.name,
            "options": dict(game.options),
            "stake": {bet: str(units) for bet, units in plan.stake},
            "strategy": plan.strategy_name,
            "compiled": plan.is_compiled,
            "rules_digest": game.digest,
            "seed": plan.seed,
            "rounds": plan.rounds,
            "seconds": round(self.seconds, 3),
            "first_choices": {name or "none": n for name, n in self.first_choices.items()},
            "streets": {street: dict(made) for street, made in self.streets.items()},
            "tally": [
                {"outcomes": self._name_outcomes(outcomes), "rounds": n}
                for outcomes, n in self.tally.counts.items()
            ],
        }

    def _name_outcomes(self, outcomes: Outcomes) -> dict[str, str | None]:
        spots = zip(self.plan.game.spots, outcomes, strict=True)
        return {spot.name: spot.name_number(n) if n >= 0 else None for spot, n in spots}
