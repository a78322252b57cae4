"""The contract of a solver, which proves the joint law of all wagers under one strategy."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardIndex, HandKey, index_from_json
from feltlab.core.strategy.table import StrategyTable
from feltlab.core.tally import Outcomes
from feltlab.parallel.progress import Progress


@dataclass(frozen=True)
class Law:
    """The number of equally likely deals that lead to each joint outcome, and to each first choice.

    Outcomes are numbered as in the rules, together with the units on the spot (`Spot.number`), for every spot
    in the game's order, whether or not the stake has a wager there; `NOT_PLACED` where a raise was not made.
    """

    counts: Mapping[Outcomes, int]
    first_choices: Mapping[str, int]  # by name; deals in which no choice opens are under ""
    method: str  # one sentence
    seconds: float = 0  # that its proof took
    streets: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # by street: choices, likewise
    equal_positions: int | None = None  # classes with two best choices of equal value; None if not counted


@dataclass(frozen=True)
class Chart:
    """A strategy as a grid: a choice for each row and column."""

    title: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]
    names: tuple[tuple[str, ...], ...] = ()  # of the hands of each cell, where row and column do not say it

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> "Chart":
        rows = {row: tuple(cells) for row, cells in data["rows"].items()}
        return cls(data["title"], tuple(data["columns"]), rows, tuple(map(tuple, data["names"])))


@dataclass(frozen=True)
class StrategyCard:
    """A strategy that fits on a card: a choice for each situation, and the exceptions."""

    lines: tuple[tuple[str, str], ...]  # situation and choice
    exceptions: tuple[str, ...]  # in words; with them the card is complete, or nearly
    cost: Fraction  # of following lines and charts alone, against the best play, in units a round
    charts: tuple[Chart, ...] = ()
    classes: int = 0  # of hands in which a choice opens; 0 if they are not counted
    missed: int = 0  # classes in which lines and charts alone do not make the best choice, likewise
    index: CardIndex = field(default_factory=dict, repr=False)  # finds the row of a hand

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"cost": str(self.cost)}

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> "StrategyCard":
        charts = tuple(Chart.of_json(chart) for chart in data["charts"])
        lines = tuple((when, choice) for when, choice in data["lines"])
        cost, counts = Fraction(data["cost"]), (data["classes"], data["missed"])
        index = index_from_json(data["index"])
        return cls(lines, tuple(data["exceptions"]), cost, charts, *counts, index)


@dataclass(frozen=True)
class ClassTables:
    """The classes of the player's cards under the best play, as arrays that a certificate stores."""

    arrays: Mapping[str, NDArray[Any]]
    columns: Mapping[str, tuple[Outcomes, ...]]  # by array of counts: the joint outcome of each column


SolveLaw = Callable[[Game, Stake, str, Progress], Law]  # the law of a stake under a strategy
Decisions = NDArray[np.uint8]  # the choices of a strategy, in a form of the game's own that can be stored


@dataclass(frozen=True)
class TableHand:
    """A hand that a published strategy table covers: the table's choice, the best one, weight and cost."""

    said: str  # the choice of the table, with its footnotes
    best: str
    met: Fraction  # the probability that a player who follows the table has this choice to make
    lost: Fraction  # by the table's choice, in units a round, if the play is best afterwards

    @property
    def is_best(self) -> bool:
        return self.said == self.best

    def __add__(self, other: "TableHand") -> "TableHand":
        """The same hand with other cards of equal value."""
        best = self.best if other.best == other.said else other.best
        return TableHand(self.said, best, self.met + other.met, self.lost + other.lost)


class Player(NamedTuple):
    """A strategy that kernels can follow.

    `decide(data, seen, legal, choices)` is a kernel: from the cards that `visible` wrote, the open choices, a
    bit each, and the choices made before, it returns the number of a choice.
    """

    decide: Callable[..., int]
    data: Any  # a number, or a tuple of arrays


def strategy_key(game: Game, stake: Stake, strategy: str) -> object:
    """The key of a law that depends on the strategy alone."""
    return strategy


def nets_on(game: Game, *spots: str) -> list[str]:
    """The pays of all lines of some spots, for a law that depends on them."""
    tables = (game.pay_table(game.spot(spot)) for spot in spots)
    return [str(line.pays) for table in tables for line in table.lines]


class FirstHand(NamedTuple):
    """Hands before a first choice that are alike: one of them, and how many they are."""

    cards: Cards
    hands: int


@dataclass(frozen=True)
class Solver:
    """The `SOLVER` that a game's `solver.py` exports."""

    strategies: Mapping[str, str]  # by name, a description; "optimal" comes first
    solve: SolveLaw
    values: Callable[[Round, Stake], dict[str, Fraction]]  # expected net of the stake, by open choice
    card: Callable[[Game, Stake], StrategyCard]
    decisions: Callable[[Game, Stake, str], Decisions]  # of a strategy
    player: Callable[[Game, str, Decisions], Player]  # follows these decisions
    # The part of game, stake and strategy that a law depends on: laws with equal keys are equal.
    law_key: Callable[[Game, Stake, str], Any] = strategy_key
    # For a published strategy table: against an up-card, by row, every hand that the row covers.
    audit_table: Callable[[Game, str], Mapping[str, Mapping[str, TableHand]]] | None = None
    # The classes that a certificate of the best play consists of; None where there is no certificate yet.
    classes: Callable[[Game, Stake, Progress], ClassTables] | None = None
    # The complete strategy, where it does not follow from the counts of `classes`.
    strategy_table: Callable[[Game, Stake, Progress], StrategyTable] | None = None
    # What the strategy card looks at in a round with an open choice.
    read_hand: Callable[[Round], HandKey] | None = None
    # Where the values of a first choice take long one by one: those of all hands, by the key of the card.
    tabulate: Callable[[Game, Stake], Mapping[str, Mapping[str, Fraction]]] | None = None
    first_hands: Callable[[Game], Mapping[str, FirstHand]] | None = None  # by the same keys


@dataclass(frozen=True)
class TwoSeats:
    """The `TWO_SEATS` that a game's `two_seats.py` exports: counts of two seats at one table."""

    # The law of one seat of a player who holds two and knows both hands before choosing; at best play.
    solve: Callable[[Game, Stake, Progress], Law] | None = None
    # By pair of joint outcomes of two players' seats, the number of equally likely deals, under a strategy.
    count_pairs: Callable[[Game, Stake, str], Mapping[tuple[Outcomes, Outcomes], int]] | None = None


@dataclass(frozen=True)
class OfferCounts:
    """A wager of any amount that a choice offers beside a bet, counted over all deals, whatever the play."""

    choice: str  # that takes it
    deals: int  # equally likely, with and without the offer
    # By what the player knows when it is offered, in words: the number of deals that lead to each outcome.
    hands: Mapping[str, Mapping[int, int]]


OutcomeShares = Mapping[Outcomes, float]


@dataclass(frozen=True)
class CutCard:
    """The `CUT_CARD` that a game's `cut_card.py` exports: rounds from one shoe until its cut card is out."""

    # With one seat: the expected number of rounds of a shoe that end in each joint outcome, under a strategy.
    count_rounds: Callable[[Game, Stake, str], Mapping[Outcomes, Fraction]]
    # With this many seats: batches of random shoes, each with the change of the share of each joint outcome
    # of one seat against a round from a full shoe.
    sample_changes: Callable[[Game, Stake, str, int, np.random.Generator], Sequence[OutcomeShares]]


@dataclass(frozen=True)
class SeenRank:
    """The cards of one rank, one of which a player has seen; the nets are of the stake, in units."""

    rank: str
    chance: Fraction  # that the card is of this rank
    unused: Fraction  # the expected net if the player chooses as if it had not been seen
    used: Fraction  # the expected net at best play with the knowledge of the card
    error: float = 0  # the standard error of both where they are sampled; 0 where they are counted


@dataclass(frozen=True)
class SeenCard:
    """The worth of knowing one card before choosing that the rules keep hidden or do not count."""

    key: str  # "dead", "dealer"
    card: str  # "a dead card: one of another seat, or a burned one"
    method: str  # one sentence; where there are no ranks, the reason
    ranks: tuple[SeenRank, ...] = ()
    gain_error: float = 0  # the standard error of the mean gain where it is sampled

    @property
    def unused(self) -> Fraction:
        return sum((each.chance * each.unused for each in self.ranks), Fraction(0))

    @property
    def used(self) -> Fraction:
        return sum((each.chance * each.used for each in self.ranks), Fraction(0))

    @property
    def gain(self) -> Fraction:
        """The mean gain by the knowledge in a round, in units."""
        return self.used - self.unused


# The `see_cards` that a game's `seen_cards.py` exports: each kind of card that a player might see.
SeeCards = Callable[[Game, Stake, Progress], tuple[SeenCard, ...]]

DEAD_CARD = "a dead card: one of another seat, or a burned one"
