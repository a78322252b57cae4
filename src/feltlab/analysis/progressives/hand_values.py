"""The value of every choice of some hands for the main game and its side bets, exactly."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.analysis.progressives.alike_hands import code_alike
from feltlab.analysis.progressives.decision_scan import DecisionShape
from feltlab.core.cards import UNKNOWN, Cards
from feltlab.core.game import Game
from feltlab.core.layout import ALIKE
from feltlab.core.round import Round
from feltlab.core.solver import ClassTables
from feltlab.core.stake import Stake
from feltlab.core.tally import Tally
from feltlab.errors import Refused
from feltlab.games import solver_of
from feltlab.parallel.progress import nobody_listens

MAX_VALUED = 3_000  # hands whose choices are valued one by one
Values = tuple[Fraction | None, ...]  # by choice; None where it is not open


def value_hands(game: Game, stake: Stake, shape: DecisionShape, cards: NDArray[np.int8]) -> Iterator[Values]:
    """The expected net of each choice in units, for hands at a game's one choice.

    They come from the counts of all classes where the solver has them, or else one by one.
    """
    solver = solver_of(game)
    tables = solver.classes(game, stake, nobody_listens) if solver.classes and len(cards) else None
    if tables and game.suits == ALIKE and not shape.beside and _has_all_choices(game, tables):
        return iter(_values_of_classes(game, stake, tables, cards))
    if len(cards) > MAX_VALUED:
        raise Refused(
            f"{len(cards):,} classes of hands of {game.title} might be played differently for the jackpot; at"
            f" most {MAX_VALUED:,} are valued one by one."
        )
    return (_value_one(game, stake, shape, row) for row in cards.tolist())


def _value_one(game: Game, stake: Stake, shape: DecisionShape, held: Sequence[int]) -> Values:
    shoe = [UNKNOWN] * game.places
    for place, card in zip((*shape.own, *shape.beside), held, strict=True):
        shoe[place] = card
    whole = lcm(*(units.denominator for units in stake.values()))
    wagers = {bet: int(units * whole) * 60_000 for bet, units in stake.items() if units}
    found = solver_of(game).values(Round(game, Cards(shoe), wagers), stake)
    return tuple(found.get(choice.name) for choice in game.choices)


def _has_all_choices(game: Game, tables: ClassTables) -> bool:
    return all(f"counts.{choice.name}" in tables.arrays for choice in game.choices)


def _values_of_classes(
    game: Game, stake: Stake, tables: ClassTables, cards: NDArray[np.int8]
) -> list[Values]:
    """The values of hands from the counts of their classes."""
    size = cards.shape[1]
    rows = {
        code: row
        for row, code in enumerate(code_alike(tables.arrays["cards"].astype(np.int8), size).tolist())
    }
    at = [rows[code] for code in code_alike(cards, size).tolist()]
    by_choice = [_mean_nets(game, stake, tables, choice.name, at) for choice in game.choices]
    return [*zip(*by_choice, strict=True)]


def _mean_nets(game: Game, stake: Stake, tables: ClassTables, choice: str, at: list[int]) -> list[Fraction]:
    name, tally = f"counts.{choice}", Tally(game, {})
    bets = [(game.spot(bet), units) for bet, units in stake.items() if units]
    nets = [
        sum((u * tally.net(bet, joint) for bet, u in bets), Fraction(0)) for joint in tables.columns[name]
    ]
    parts = lcm(*(net.denominator for net in nets))
    whole = np.array([int(net * parts) for net in nets], object)
    counts: Any = tables.arrays[name][at].astype(object)
    return [Fraction(int(row @ whole), int(row.sum()) * parts) for row in counts]
