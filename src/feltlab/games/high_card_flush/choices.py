"""The classes of High Card Flush with the value of each choice, and the choices of each strategy.

Both bonuses depend on the player's own cards alone, so the best choice is the Ante's.
"""

from functools import cache
from math import comb, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.hands import longest_suit
from feltlab.core.hands.longest_suit import ALL_RANKS, EACH_LANE, RANK_BITS
from feltlab.counting.suit_polynomials import SuitClasses, group_hands
from feltlab.counting.tree.solver import CAUTIOUS
from feltlab.errors import Refused
from feltlab.games.high_card_flush import rules
from feltlab.games.high_card_flush.strategies import STRATEGIES as NAMED

Ints = NDArray[np.int64]
JUDGED = (
    (rules.ANTE_UNOPPOSED, rules.RAISE_UNOPPOSED),
    (rules.ANTE_WON, rules.RAISE_WON),
    (rules.ANTE_LOST, rules.RAISE_LOST),
    (rules.ANTE_TIED, rules.RAISE_TIED),
)  # the outcomes of Ante and Raise, by result of `suit_polynomials`
UNITS = {rules.RAISE_3X: 3, rules.RAISE_2X: 2, rules.RAISE_1X: 1, rules.FOLD: 0}
NEVER = -(1 << 62)  # in place of the value of a choice that is not open


class FlushDeck(NamedTuple):
    """The deck, and everything that is counted of it."""

    dealers: int  # against each hand
    classes: SuitClasses
    legal: NDArray[np.bool_]  # legal[class, choice]


def prove_deck(game: Game) -> FlushDeck:
    """The classes of a game's deck."""
    return _prove(ranks_of(game), game.kernel_data)


def ranks_of(game: Game) -> int:
    """The ranks of each suit of the deck."""
    word = int(longest_suit.gather(np.array(game.deck.cards, np.int8)))
    ranks = word & ALL_RANKS
    if word != EACH_LANE * ranks:
        raise Refused(f"{game.title} is proved only for decks in which all suits have the same ranks.")
    return ranks


def count_all(ranks: int) -> int:
    """The number of dealers against each hand."""
    return comb(4 * ranks.bit_count() - rules.HAND, rules.HAND)


@cache
def _prove(ranks: int, house: rules.FlushHouse) -> FlushDeck:
    classes = group_hands(ranks, house.qualifies)
    opened = np.array([rules.open_to(house, size) for size in range(rules.HAND + 1)])
    legal = opened[classes.tops >> RANK_BITS, None] >> np.arange(len(rules.CHOICES)) & 1
    return FlushDeck(count_all(ranks), classes, legal.astype(np.bool_))


# -- Choices ------------------------------------------------------------------------------------------


def choice_nets(game: Game) -> tuple[Ints, int]:
    """nets[choice, result] of Ante and Raise for an Ante of one unit, in whole parts of a unit; the parts."""
    ante, raised = (game.pay_table(game.spot(spot)).lines for spot in ("ante", "raise"))
    nets = [
        [ante[a].pays + units * raised[r].pays if units else ante[rules.ANTE_FOLDED].pays for a, r in JUDGED]
        for units in UNITS.values()
    ]
    parts = lcm(*(net.denominator for row in nets for net in row))
    if max(abs(net) for row in nets for net in row) * parts * comb(45, 7) >= -NEVER:
        raise Refused(f"{game.title} is not proved for such fine or large pays.")
    return np.array([[int(net * parts) for net in row] for row in nets]), parts


def choice_values(game: Game) -> tuple[Ints, int]:
    """values[class, choice] over all dealers in parts of a unit, `NEVER` where it is not open; the parts."""
    proof = prove_deck(game)
    nets, parts = choice_nets(game)
    return np.where(proof.legal, proof.classes.counts @ nets.T, NEVER), parts


def choose(game: Game, strategy: str) -> NDArray[np.uint8]:
    """The choice of a strategy by class."""
    if strategy in NAMED:
        return _follow(game, strategy)
    values, _ = choice_values(game)
    last = len(rules.CHOICES) - 1  # choices are in falling order of their wagers
    best = last - values[:, ::-1].argmax(axis=1) if strategy == CAUTIOUS else values.argmax(axis=1)
    return np.asarray(best, np.uint8)


def _follow(game: Game, strategy: str) -> NDArray[np.uint8]:
    """The choices of a named strategy, all of which read nothing but the longest suit."""
    classes, house, none = prove_deck(game).classes, game.kernel_data, np.empty(0, np.int8)
    tops, first, places = np.unique(classes.tops, return_index=True, return_inverse=True)
    seen = [np.array(longest_suit.cards_in(word), np.int8) for word in classes.words[first].tolist()]
    made = [
        NAMED[strategy].decide(house, hand, rules.open_to(house, top >> RANK_BITS), none)
        for hand, top in zip(seen, tops.tolist(), strict=True)
    ]
    return np.array(made, np.uint8)[places]


def count_equal(values: Ints) -> int:
    """The number of classes with two best choices of equal value."""
    return int(((values == values.max(axis=1, keepdims=True)).sum(axis=1) > 1).sum())
