"""Insurance, counted over every order of four ranks: the player's two cards, the up-card, the hole card.

Suits decide nothing, and the player knows two cards and the up-card when insurance is offered.
"""

from collections import Counter, defaultdict
from itertools import product

import numpy as np

from feltlab.core.cards import RANKS, UNKNOWN
from feltlab.core.game import Game
from feltlab.core.hands import blackjack
from feltlab.core.solver import OfferCounts
from feltlab.games.triple_shot_bonus import rules
from feltlab.kernel import Array

SUITS = 4
PLACES = (0, 1, rules.UP, rules.HOLE)
HANDS = (
    "no ten or picture in the hand",
    "one ten or picture in the hand",
    "two tens or pictures in the hand",
)
TEN = 10  # the value of a ten and of a picture


def count_offers(game: Game) -> tuple[OfferCounts, ...]:
    """The ends of insurance, by the number of cards worth ten in the player's hand."""
    shoe, outcomes = np.full(game.places, UNKNOWN, np.int8), _no_outcomes(game)
    none, insured = np.array([], np.int8), np.array([rules.INSURE], np.int8)
    hands: defaultdict[str, Counter[int]] = defaultdict(Counter)
    deals = 0
    for ranks in product(range(len(RANKS)), repeat=len(PLACES)):
        ways = _count_orders(ranks)
        deals += ways
        shoe[list(PLACES)] = [SUITS * rank for rank in ranks]
        if ways and rules.insurance_is_open(shoe, none):
            rules.settle(game.kernel_data, shoe, insured, outcomes)
            hands[HANDS[_count_tens(shoe)]][int(outcomes[rules.AT_INSURANCE])] += ways
    return (OfferCounts(rules.CHOICES[rules.INSURE].name, deals, dict(hands)),)


def _no_outcomes(game: Game) -> Array:
    return np.zeros(len(game.spots), np.int8)


def _count_orders(ranks: tuple[int, ...]) -> int:
    """The number of ordered deals of these ranks from one deck."""
    ways = 1
    for place, rank in enumerate(ranks):
        ways *= SUITS - ranks[:place].count(rank)
    return ways


def _count_tens(shoe: Array) -> int:
    return sum(int(blackjack.value(int(card))) == TEN for card in shoe[:2])
