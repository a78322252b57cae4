"""The choice of each class of five cards: the best for a stake, or that of a rule of thumb."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes, Tally
from feltlab.games.rabbit_hunter.counts import DealCounts
from feltlab.games.rabbit_hunter.rules import BUY, CHOICES, FOLD, PLAY
from feltlab.games.rabbit_hunter.thumb_rules import THUMB_RULES, Choices, kinds


def nets_of(game: Game, stake: Stake, outcomes: Iterable[Outcomes]) -> list[Fraction]:
    """The net of the whole stake in each joint outcome."""
    tally = Tally(game, {})
    bets = [(game.spot(name), units) for name, units in stake.items()]
    return [sum((units * tally.net(bet, joint) for bet, units in bets), Fraction(0)) for joint in outcomes]


def choice_values(counts: DealCounts, game: Game, stake: Stake) -> tuple[list[NDArray[Any]], int]:
    """By choice and class, the net of all deals in whole parts of a unit; and the parts of one unit.

    Where 64 bits could overflow, the parts are Python's own ints.
    """
    nets = [nets_of(game, stake, counts.outcomes(choice)) for choice in range(len(CHOICES))]
    unit = lcm(*(net.denominator for of_choice in nets for net in of_choice))
    whole = [[int(net * unit) for net in of_choice] for of_choice in nets]
    largest = max(abs(net) for of_choice in whole for net in of_choice)
    fits = largest * int(counts.weights.max()) * counts.deals < 1 << 63
    number: Any = np.int64 if fits else object
    return [_total_nets(counts.of(choice), of_choice, number) for choice, of_choice in enumerate(whole)], unit


def _total_nets(counted: NDArray[Any], nets: Sequence[int], number: Any) -> NDArray[Any]:
    total = np.zeros(len(counted), number)
    for outcome, net in enumerate(nets):
        total += counted[:, outcome].astype(number) * net
    return total


def best_choices(counts: DealCounts, game: Game, stake: Stake) -> Choices:
    """The best choice of each class; of equal ones, that which puts the least money down."""
    (fold, play, buy), _ = choice_values(counts, game, stake)
    choices = np.where(play > fold, PLAY, FOLD)
    return np.where(buy > np.maximum(fold, play), BUY, choices)


def choices_of(strategy: str, counts: DealCounts, game: Game, stake: Stake) -> Choices:
    """The choice of a strategy for each class of five cards."""
    if strategy == "optimal":
        return best_choices(counts, game, stake)
    return THUMB_RULES[strategy].choose(kinds(counts.hands))
