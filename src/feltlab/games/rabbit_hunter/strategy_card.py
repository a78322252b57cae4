"""Optimal play on a card: a grid of kinds of hands, and the exceptions."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.solver import StrategyCard
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardRow, HandKey
from feltlab.games.rabbit_hunter.choices import choice_values
from feltlab.games.rabbit_hunter.counts import DealCounts, count_deals
from feltlab.games.rabbit_hunter.rules import CHOICES, SIXTH
from feltlab.games.rabbit_hunter.thumb_rules import COLUMNS, NO_HAND, ROWS, grid, grid_places


def card(game: Game, stake: Stake) -> StrategyCard:
    """A chart of the best choice for each kind of hand, and the hands with a better choice."""
    counts = count_deals()
    listed, unit = choice_values(counts, game, stake)
    worth = np.stack(listed).astype(object)  # sums over many classes may need more than 64 bits
    place = grid_places(counts.hands)
    cells = np.full(len(ROWS) * len(COLUMNS), NO_HAND)
    for n in np.unique(place):
        cells[n] = worth[:, place == n].sum(axis=1).argmax()
    lost = worth.max(axis=0) - worth[cells[place], np.arange(len(place))]
    deals = int(counts.weights.sum()) * counts.deals
    cost = Fraction(int(lost.sum()), unit * deals)
    exceptions, missed = tuple(_exceptions(counts, worth, lost)), int((lost > 0).sum())
    chart, row_of = grid(cells)
    index = {}
    for n in np.flatnonzero(cells != NO_HAND).tolist():
        row, column = divmod(n, len(COLUMNS))
        index[str(n)] = (CardRow(CHOICES[cells[n]].name, chart=0, row=row_of[row], column=column),)
    return StrategyCard((), exceptions, cost, (chart,), len(place), missed, index)


def read_hand(round: Round) -> HandKey:
    """The place of five cards in the grid of kinds."""
    hand = np.array([round.seen[:SIXTH]], np.uint8)
    return HandKey(str(int(grid_places(hand)[0])))


def _exceptions(counts: DealCounts, worth: NDArray[Any], lost: NDArray[Any]) -> Iterator[str]:
    """The number of hands with a better choice than their kind, and the hand that gains most by it."""
    better = lost > 0
    if better.any():
        hand = int(
            (lost * (24 // counts.weights)).argmax()
        )  # the gain of one hand: classes have a divisor of 24 hands
        choice = CHOICES[int(worth[:, hand].argmax())].name
        hands = f"{int(counts.weights[better].sum()):,} of {int(counts.weights.sum()):,} hands"
        yield f"{hands}, most of all {Cards(counts.hands[hand].tolist())}: {choice}"
