"""The complete strategy of a game: every class of hands, its best choice and the value of each choice."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import RANKS, Cards
from feltlab.core.game import Game
from feltlab.core.solver import ClassTables
from feltlab.core.stake import Stake, has_choices
from feltlab.core.strategy.table import StrategyRow, StrategyTable
from feltlab.core.tally import Outcomes, Tally
from feltlab.errors import Refused
from feltlab.games import solver_of
from feltlab.parallel.progress import Progress, nobody_listens

NO_CHOICE = 255  # in `choices` of class tables
NOTE = (
    "A value is the expected net of the whole stake in units. A row is a class of hands that are alike up to "
    "the names of suits; hands: how many of them there are."
)


def strategy_table(game: Game, stake: Stake, progress: Progress = nobody_listens) -> StrategyTable:
    """The complete strategy for a stake; refused if there is nothing to choose."""
    if not has_choices(game, stake):
        raise Refused("With this stake there is nothing to choose, so there is no strategy to list.")
    solver = solver_of(game)
    if solver.strategy_table:
        return solver.strategy_table(game, stake, progress)
    if solver.classes is None:
        raise Refused(f"{game.title} has too many classes of hands for a complete strategy table.")
    return _table_of_counts(game, stake, solver.classes(game, stake, progress))


def has_strategy_table(game: Game) -> bool:
    """Can the solver of the game list its complete strategy?"""
    solver = solver_of(game)
    return bool(solver.strategy_table or solver.classes)


def csv_columns(game: Game) -> list[str]:
    """The columns of the table as CSV; values are fractions in lowest terms."""
    values = [f"value of {choice.name}" for choice in game.choices]
    return ["hand", "situation", "hands", "best choice", *values, "cost of the second best"]


def csv_row(game: Game, row: StrategyRow) -> list[str]:
    values = ["" if net is None else fraction_text(net, row.parts) for net in row.nets]
    cost = row.second_cost
    best = game.choices[row.choice].name
    return [row.hand, row.situation, str(row.hands), best, *values, "" if cost is None else str(cost)]


def fraction_text(part: int, whole: int) -> str:
    """'-7/15', '2'."""
    common = gcd(part, whole)
    part, whole = part // common, whole // common
    return str(part) if whole == 1 else f"{part}/{whole}"


# -- From the counts of classes ---------------------------------------------------------------------


def _table_of_counts(game: Game, stake: Stake, tables: ClassTables) -> StrategyTable:
    choices = tables.arrays["choices"]
    at = np.flatnonzero(choices != NO_CHOICE)
    return StrategyTable(len(at), _rows(game, stake, tables, at), NOTE)


def _rows(game: Game, stake: Stake, tables: ClassTables, at: NDArray[Any]) -> Iterator[StrategyRow]:
    names = [f"counts.{choice.name}" for choice in game.choices]
    nets = [[_net(game, stake, outcomes) for outcomes in tables.columns[name]] for name in names]
    unit = lcm(*(net.denominator for of_choice in nets for net in of_choice))
    totals = [
        _sum_nets(tables.arrays[name][at], [int(net * unit) for net in of_choice])
        for name, of_choice in zip(names, nets, strict=True)
    ]
    deals = tables.arrays[names[0]][at].sum(axis=1, dtype=np.int64).tolist()
    weights, choices = tables.arrays["weights"][at].tolist(), tables.arrays["choices"][at].tolist()
    hands = _describe_hands(tables, at)
    for n, values in enumerate(zip(*totals, strict=True)):
        yield StrategyRow(next(hands), "", weights[n], choices[n], values, unit * deals[n])


def _net(game: Game, stake: Stake, outcomes: Outcomes) -> Fraction:
    tally = Tally(game, {})
    return sum((n * tally.net(game.spot(bet), outcomes) for bet, n in stake.items()), Fraction(0))


def _sum_nets(counts: NDArray[Any], nets: Sequence[int]) -> list[int]:
    """By class, the net of all its deals; in Python's own ints where 64 bits might not be enough."""
    largest = max(map(abs, nets), default=0) * int(counts.sum(axis=1, dtype=np.int64).max(initial=0))
    number: Any = np.int64 if largest < 1 << 63 else object
    total = np.zeros(len(counts), number)
    for outcome, net in enumerate(nets):
        total += counts[:, outcome].astype(number) * net
    found: list[int] = total.tolist()
    return found


def _describe_hands(tables: ClassTables, at: NDArray[Any]) -> Iterator[str]:
    """'5h 5d 6c', or the ranks '8-8' where only ranks matter."""
    if "cards" in tables.arrays:
        return (str(Cards(hand)) for hand in tables.arrays["cards"][at].tolist())
    return ("-".join(RANKS[rank] for rank in hand) for hand in tables.arrays["ranks"][at].tolist())
