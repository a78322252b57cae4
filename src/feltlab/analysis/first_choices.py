"""Every first choice of a game: the classes of hands with the value of each choice.

They are the complete strategy where it can be listed. Where it cannot, since later choices have too many
classes, they follow from the values that the solver tabulates before the first choice.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm

from feltlab.analysis.strategy_annex import NOTE, has_strategy_table, strategy_table
from feltlab.core.game import Game
from feltlab.core.solver import FirstHand
from feltlab.core.stake import Stake
from feltlab.core.strategy.table import StrategyRow, StrategyTable
from feltlab.games import solver_of
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.advice import tabulate_first_values


def has_first_choices(game: Game) -> bool:
    """Can the first choices of a game be listed?"""
    solver = solver_of(game)
    return has_strategy_table(game) or bool(solver.tabulate and solver.first_hands)


def list_first_choices(game: Game, stake: Stake, progress: Progress = nobody_listens) -> StrategyTable:
    """The classes of hands before the first choice; refused where they cannot be listed."""
    hands = solver_of(game).first_hands
    if has_strategy_table(game) or hands is None:
        return strategy_table(game, stake, progress)
    listed = hands(game)
    return StrategyTable(len(listed), _rows(game, stake, listed), NOTE)


def _rows(game: Game, stake: Stake, hands: Mapping[str, FirstHand]) -> Iterator[StrategyRow]:
    values = tabulate_first_values(game, stake)
    return (_row(game, hand, values[key]) for key, hand in hands.items())


def _row(game: Game, hand: FirstHand, values: Mapping[str, Fraction]) -> StrategyRow:
    parts = lcm(*(value.denominator for value in values.values()))
    nets = [int(values[choice.name] * parts) if choice.name in values else None for choice in game.choices]
    best = max(values, key=lambda name: values[name])
    return StrategyRow(str(hand.cards), "", hand.hands, game.choice_numbers[best], tuple(nets), parts)
