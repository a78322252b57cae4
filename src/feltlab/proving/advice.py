"""Advice: what each open choice of a round is worth, exactly, to the one whose choice it is."""

from dataclasses import dataclass
from fractions import Fraction

from feltlab.core.round import Round
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.games import solver_of


@dataclass(frozen=True)
class Advice:
    """A choice, its expected net for the whole stake, and how much less that is than the best."""

    choice: str
    expected: Fraction
    cost: Fraction


def advise(round: Round, stake: Stake | None = None) -> list[Advice]:
    """The open choices, best first. Without a stake the round's own wagers count, in cents."""
    if not round.choices:
        raise Refused("No choice is open.")
    if round.missing:
        raise Refused(f"{round.missing.capitalize()} is missing.")
    if stake is None:
        stake = {spot.name: Fraction(round.wagers.get(spot.name, 0)) for spot in round.game.wagers}
    values = solver_of(round.game).values(round, stake)
    best = max(values.values())
    listed = [Advice(choice, value, best - value) for choice, value in values.items()]
    return sorted(listed, key=lambda advice: advice.cost)
