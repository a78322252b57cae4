"""A player of High Card Flush for simulations: by strength, and by counting dealers where others matter."""

from typing import NamedTuple

import numpy as np

from feltlab.core.game import Game
from feltlab.core.hands import longest_suit
from feltlab.core.hands.longest_suit import RANK_BITS
from feltlab.core.solver import Decisions, Player
from feltlab.core.stake import Stake
from feltlab.counting.suit_polynomials import binomials, count_dealers
from feltlab.counting.tree.solver import CAUTIOUS
from feltlab.games.high_card_flush import rules
from feltlab.games.high_card_flush.choices import (
    NEVER,
    Ints,
    choice_nets,
    choose,
    count_all,
    prove_deck,
    ranks_of,
)
from feltlab.kernel import Array, int64, lean

DEPENDS = 255  # in place of a choice: other suits decide it


def decisions(game: Game, stake: Stake, strategy: str) -> Decisions:
    """The choices of a strategy by strength, and `DEPENDS` where hands of one strength differ."""
    tops, made = prove_deck(game).classes.tops, choose(game, strategy)
    least, most = np.full((2, 1 << RANK_BITS + 3), rules.FOLD, np.uint8)
    least[tops] = most[tops] = made
    np.minimum.at(least, tops, made)
    np.maximum.at(most, tops, made)
    return np.where(least == most, most, DEPENDS).astype(np.uint8)


class FlushChoices(NamedTuple):
    """The choice of every hand: by its strength, or by counting its dealers."""

    by_strength: Decisions
    nets: Ints  # nets[choice, result]
    order: Ints  # of the choices, the one that equal values go to first
    choose: Ints
    ranks: int
    qualifies: int
    dealers: int


@lean
def decide(data: FlushChoices, seen: Array, legal: int, choices: Array) -> int:
    word = longest_suit.gather(seen[: rules.HAND])
    choice = int64(data.by_strength[longest_suit.strength_of_word(word)])
    return choice if choice != DEPENDS else find_best(data, word, legal)


@lean
def find_best(data: FlushChoices, word: int, legal: int) -> int:
    """The best open choice of a gathered hand."""
    none, lower, higher, equal = count_dealers(data.choose, data.ranks, data.qualifies, word, data.dealers)
    best, most = rules.FOLD, NEVER
    for choice in data.order:
        nets = data.nets[choice]
        value = none * nets[0] + lower * nets[1] + higher * nets[2] + equal * nets[3]
        if legal >> choice & 1 and value > most:
            best, most = choice, value
    return int64(best)


def player(game: Game, strategy: str, made: Decisions) -> Player:
    """The player who makes these choices."""
    order = np.arange(len(rules.CHOICES))[:: -1 if strategy == CAUTIOUS else 1].copy()
    ranks, qualifies = ranks_of(game), game.kernel_data.qualifies
    nets, _ = choice_nets(game)
    return Player(decide, FlushChoices(made, nets, order, binomials(), ranks, qualifies, count_all(ranks)))
