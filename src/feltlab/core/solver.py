"""The contract of a solver, which proves the joint law of all wagers under one strategy."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes
from feltlab.parallel.progress import Progress


@dataclass(frozen=True)
class Law:
    """How many equally likely deals lead to each joint outcome, and to each first choice.

    Outcomes are numbered as the rules number them, for every spot in the game's order, whether or not
    the stake puts a wager there; `NOT_PLACED` where a raise was not made.
    """

    counts: Mapping[Outcomes, int]
    first_choices: Mapping[str, int]  # by name; deals in which no choice opens are under ""
    method: str  # one sentence
    seconds: float = 0  # that its proof took


@dataclass(frozen=True)
class Chart:
    """A strategy as a grid: for each row and column the choice."""

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> "Chart":
        rows = {row: tuple(cells) for row, cells in data["rows"].items()}
        return cls(data["title"], tuple(data["columns"]), rows)


@dataclass(frozen=True)
class StrategyCard:
    """A strategy that fits a card: what to do when, and where the best choice is another one."""

    lines: tuple[tuple[str, str], ...]  # when, and what to choose then
    exceptions: tuple[str, ...]  # in words; with them the card is complete or nearly so
    cost: Fraction  # what following lines and charts alone loses against the best play, in units a round
    charts: tuple[Chart, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"cost": str(self.cost)}

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> "StrategyCard":
        charts = tuple(Chart.of_json(chart) for chart in data["charts"])
        lines = tuple((when, choice) for when, choice in data["lines"])
        return cls(lines, tuple(data["exceptions"]), Fraction(data["cost"]), charts)


Decisions = NDArray[np.uint8]  # what a strategy chooses, in a form of the game's own that can be stored


class Player(NamedTuple):
    """A strategy that kernels can follow.

    `decide(knows, seen, legal)` is a kernel: from what `visible` wrote and the choices that are open, a
    bit each, it answers the number of a choice.
    """

    decide: Callable[..., int]
    data: Any  # a number, or a tuple of arrays


def strategy_key(game: Game, stake: Stake, strategy: str) -> object:
    return strategy


def nets_on(game: Game, *spots: str) -> list[str]:
    """What the lines of some spots net, as a part of what a law depends on."""
    tables = (game.pay_table(game.spot(spot)) for spot in spots)
    return [str(line.net) for table in tables for line in table.lines]


@dataclass(frozen=True)
class Solver:
    """The `SOLVER` that a game's `solver.py` exports."""

    strategies: Mapping[str, str]  # name -> what it does, "optimal" first
    solve: Callable[[Game, Stake, str, Progress], Law]
    values: Callable[
        [Round, Stake], dict[str, Fraction]
    ]  # of each open choice: expected net of the whole stake
    card: Callable[[Game, Stake], StrategyCard]
    decisions: Callable[[Game, Stake, str], Decisions]  # of a strategy
    player: Callable[[Game, str, Decisions], Player]  # who follows them
    # What a law depends on, as far as the rules leave something open: laws that agree in it are one.
    law_key: Callable[[Game, Stake, str], Any] = strategy_key
    # For a published strategy table: against an up-card, by row, what a strategy does with each hand.
    row_choices: Callable[[Game, Stake, str, str], Mapping[str, Mapping[str, str]]] | None = None
