"""Advice: the exact value of each open choice of a round."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.games import solver_of
from feltlab.proving.store import cached_json

FirstValues = dict[str, dict[str, Fraction]]  # by key of the strategy card and by choice


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
    values = _values_of(round, stake)
    best = max(values.values())
    listed = [Advice(choice, value, best - value) for choice, value in values.items()]
    return sorted(listed, key=lambda advice: advice.cost)


def _values_of(round: Round, stake: Stake) -> dict[str, Fraction]:
    """The value of each open choice: of a first choice from a stored table, where the solver makes one."""
    solver = solver_of(round.game)
    if solver.tabulate is None or solver.read_hand is None or round.chosen:
        return solver.values(round, stake)
    unit, values = _first_values(round.game, stake)
    listed = values[solver.read_hand(round).key]
    return {choice: listed[choice] * unit for choice in round.choices}


def tabulate_first_values(game: Game, stake: Stake) -> FirstValues:
    """The value of each first choice by the key of the strategy card, where the solver tabulates them."""
    unit, values = _first_values(game, stake)
    return {key: {choice: unit * value for choice, value in row.items()} for key, row in values.items()}


def _first_values(game: Game, stake: Stake) -> tuple[Fraction, FirstValues]:
    """The unit of a stake, and the values of first choices for one such unit."""
    unit = max(stake.values())
    return unit, _read_first_values(game.as_proved, tuple((bet, n / unit) for bet, n in stake.items()))


@lru_cache(maxsize=8)
def _read_first_values(game: Game, shares: tuple[tuple[str, Fraction], ...]) -> FirstValues:
    """The values of all first hands, from the store or computed once for it."""
    key = [str(game), "first values", {bet: str(share) for bet, share in shares}]
    table = cached_json(key, lambda: _tabulate(game, dict(shares)))
    return {hand: {name: Fraction(text) for name, text in row.items()} for hand, row in table.items()}


def _tabulate(game: Game, stake: Stake) -> dict[str, dict[str, str]]:
    tabulate = solver_of(game).tabulate
    assert tabulate
    return {hand: {name: str(v) for name, v in row.items()} for hand, row in tabulate(game, stake).items()}
