"""Values before the flop by class of hole cards: of one hand, or of all by the key of the strategy card."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.solver import FirstHand
from feltlab.core.stake import Stake
from feltlab.counting.boards.card_sets import card_sets, number_pair, pair_tables, pocket_classes
from feltlab.counting.boards.chart import read_pocket

POCKET = 2  # cards
Values = dict[str, Fraction]  # by choice
ValuePockets = Callable[[Game, Stake, Sequence[int]], dict[int, Values]]  # by class of hole cards


def members_of(pockets: Iterable[int]) -> dict[int, list[int]]:
    """By class of hole cards, its pairs."""
    return {pocket: np.flatnonzero(pocket_classes()[0] == pocket).tolist() for pocket in pockets}


def value_hole(value: ValuePockets, game: Game, stake: Stake, hole: Sequence[int]) -> Values:
    """The values of one hand: every board, for the class of these hole cards alone."""
    pocket = int(pocket_classes()[0][number_pair(*hole)])
    return value(game, stake, [pocket])[pocket]


def tabulate_pockets(value: ValuePockets, game: Game, stake: Stake) -> dict[str, Values]:
    """The values of all hole cards, by the key of the strategy card, from one pass."""
    found = value(game, stake, range(len(card_sets(POCKET).cards)))
    pairs = pair_tables()
    return {
        read_pocket((int(pairs.low[pair]), int(pairs.high[pair]))): found[pocket]
        for pair, pocket in enumerate(pocket_classes()[0].tolist())
    }


def list_pockets(game: Game) -> dict[str, FirstHand]:
    """All hole cards of the deck, by the key of the strategy card."""
    holes = {read_pocket(hole): hole for hole in combinations(game.deck.cards, POCKET)}
    counts = Counter(read_pocket(hole) for hole in combinations(game.deck.cards, POCKET))
    return {key: FirstHand(Cards(sorted(hole, reverse=True)), counts[key]) for key, hole in holes.items()}
