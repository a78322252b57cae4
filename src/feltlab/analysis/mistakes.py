"""Common mistakes and their price: what a strategy, or one wrong choice made again and again, costs.

Every price is exact, in units a round beyond the loss of the best play.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from feltlab.analysis.first_choices import has_first_choices, list_first_choices
from feltlab.core.game import Game
from feltlab.core.stake import Stake, has_choices
from feltlab.core.strategy.table import StrategyRow
from feltlab.games import solver_of
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import Proof, prove
from feltlab.proving.store import cached_json

MAX_EXAMPLES = 10_000  # of a mistake that are remembered, to choose one of them


@dataclass(frozen=True)
class StrategyMistake:
    """A simpler strategy, and what it costs beyond the best play."""

    name: str
    words: str
    extra: Fraction  # units a round

    def as_json(self) -> dict[str, Any]:
        return {"strategy": self.name, "words": self.words, "extra": exact(self.extra)}


@dataclass(frozen=True)
class ChoiceMistake:
    """One choice made wherever another is the best one: the first of a round, and the best play after it."""

    best: str
    made: str
    share: Fraction  # of all rounds in which it can be made
    extra: Fraction  # units a round
    hand: str  # an example that costs about as much as the mean

    def as_json(self) -> dict[str, Any]:
        each = exact(self.extra / self.share)
        shares = {"share": exact(self.share), "extra": exact(self.extra), "each": each}
        return {"best": self.best, "made": self.made, **shares, "hand": self.hand}


def find_mistakes(game: Game, stake: Stake, progress: Progress = nobody_listens) -> dict[str, Any]:
    """The mistakes of a game as JSON, the dearest first; they are stored, as laws are."""
    staked = {bet: str(units) for bet, units in stake.items()}
    key = [str(game.as_proved), "mistakes", staked]
    found: dict[str, Any] = cached_json(key, lambda: _prove_mistakes(game, stake, progress))
    return found


def _prove_mistakes(game: Game, stake: Stake, progress: Progress) -> dict[str, Any]:
    if not has_choices(game, stake):
        return {"strategies": [], "choices": []}
    best = prove(game, stake, progress=progress)
    strategies, choices = strategy_mistakes(best, progress), choice_mistakes(best, progress)
    named = {mistake.extra for mistake in strategies}
    return {
        "strategies": [mistake.as_json() for mistake in strategies],
        "choices": [mistake.as_json() for mistake in choices if mistake.extra not in named],
    }


def strategy_mistakes(best: Proof, progress: Progress = nobody_listens) -> list[StrategyMistake]:
    """The game's simpler strategies that cost more than the best play, the dearest first.

    >>> from feltlab import prove
    >>> [(each.name, str(each.extra)) for each in strategy_mistakes(prove("casino-war"))]
    [('surrender', '18375/2236712')]
    """
    found: dict[Fraction, StrategyMistake] = {}  # by price: of two names for one mistake, the first
    for name, words in solver_of(best.game).strategies.items():
        extra = prove(best.game, best.stake, name, progress).loss - best.loss
        if extra > 0:
            found.setdefault(extra, StrategyMistake(name, words, extra))
    return sorted(found.values(), key=lambda mistake: -mistake.extra)


# -- One choice in place of another -----------------------------------------------------------------


@dataclass
class _Sum:
    """All classes of hands in which one choice is made where another is best."""

    hands: int = 0
    lost: dict[int, int] = field(default_factory=lambda: defaultdict(int))  # by parts of a unit
    each: list[tuple[float, str]] = field(default_factory=list)  # by class: the cost, and the hand

    def add(self, row: StrategyRow, lost: int) -> None:
        self.hands += row.hands
        self.lost[row.parts] += lost * row.hands
        self.each.append((lost / row.parts, f"{row.hand} {row.situation}".strip()))
        if len(self.each) > MAX_EXAMPLES:
            del self.each[::2]

    @property
    def total(self) -> Fraction:
        return sum((Fraction(lost, parts) for parts, lost in self.lost.items()), Fraction(0))

    def example(self, mean: float) -> str:
        return min(self.each, key=lambda each: abs(each[0] - mean))[1]


def choice_mistakes(best: Proof, progress: Progress = nobody_listens) -> list[ChoiceMistake]:
    """By pair of choices, what the second costs wherever the first is best; none if it is not countable."""
    game = best.game
    if not has_first_choices(game):
        return []
    sums, hands = _sum_rows(list_first_choices(game, best.stake, progress).rows)
    shares = {name: share for name, share in best.first_choices.items() if name != "none"}
    chosen, whole = sum(shares.values(), Fraction(0)), sum(hands.values())
    names = [choice.name for choice in game.choices]
    if {names[n]: Fraction(count, whole) * chosen for n, count in hands.items()} != shares:
        return []  # the rows are not the first choices of rounds, each as often as it occurs
    found = [
        ChoiceMistake(
            names[right],
            names[wrong],
            chosen * each.hands / whole,
            chosen * each.total / whole,
            each.example(float(each.total / each.hands)),
        )
        for (right, wrong), each in sums.items()
        if each.total
    ]
    return sorted(found, key=lambda mistake: -mistake.extra)


def _sum_rows(rows: Iterator[StrategyRow]) -> tuple[dict[tuple[int, int], _Sum], dict[int, int]]:
    """By pair of the best choice and another: what the other costs; and by best choice its hands."""
    sums: dict[tuple[int, int], _Sum] = defaultdict(_Sum)
    hands: dict[int, int] = defaultdict(int)
    for row in rows:
        hands[row.choice] += row.hands
        best = row.nets[row.choice]
        for wrong, net in enumerate(row.nets):
            if wrong != row.choice and net is not None and best is not None:
                sums[row.choice, wrong].add(row, best - net)
    return sums, hands
