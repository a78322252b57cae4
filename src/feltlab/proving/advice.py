"""Advice: the exact value of each open choice of a round."""

from dataclasses import dataclass
from fractions import Fraction

from feltlab.core.round import Round
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.games import solver_of


@dataclass(frozen=True)
class Advice:
    """A choice, its expected net for the whole stake, and its cost against the best choice."""

    choice: str
    expected: Fraction
    cost: Fraction


def advise(round: Round, stake: Stake | None = None) -> list[Advice]:
    """The exact value of each open choice, best first.

    Values are in units of the stake; without a stake they are for the round's own wagers, in cents.

    >>> from feltlab import GAMES, Round, advise
    >>> tied = Round.of(GAMES["casino-war"], "9s", "9d", primary=500)
    >>> for advice in advise(tied):
    ...     print(f"{advice.choice} {float(advice.expected):.2f} {float(advice.cost):.2f}")
    war -157.53 0.00
    surrender -250.00 92.47
    """
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
