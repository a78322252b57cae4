"""The dealer's law: the ways to each end of the dealer's hand, given the player's cards.

Undealt cards are exchangeable, so the player's six cards may be dealt first and the dealer's hole card and
draws from the rest. The dealer's law then depends only on the values that are gone. The hands with which a
dealer can end are listed once for each up-card, with the number of orders in which their cards can come; the
number of ways to be dealt one of them is a product of falling factorials. Every hand is filled up to the
longest, so that all ways have one denominator: 45 * 44 * ... * 37 after the player's six cards and the
up-card.
"""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE
from feltlab.core.hands import blackjack, poker
from feltlab.games.triple_shot_bonus import rules
from feltlab.kernel import kernel

Counts = NDArray[np.int64]

VALUES = 10  # ace, two to nine, ten
TEN_VALUE = 9
IN_DECK = np.array([4] * 9 + [16])
CARD_OF_VALUE = np.array([ACE, *range(9)]) * 4  # a card for each value

# The dealer's ends: a total from 17 to 21, bust, blackjack.
DEALER_ENDS = 7
DEALER_BUST, DEALER_NATURAL = 5, 6
PLAYED_ENDS = 6  # the ends without a blackjack, after which the player chooses

DRAWS = rules.DEALER_CARDS - 1  # the hole card and all that can follow
FALLING = np.array([[perm(n, k) for k in range(DRAWS + 1)] for n in range(17)])


class Endings(NamedTuple):
    """The hands with which a dealer can end from one up-card, a row each."""

    drawn: Counts  # how many of each value came after the up-card
    orders: Counts  # in how many orders
    end: Counts


def value_number(card: int) -> int:
    """The number of a card's value: 0 for an ace, 9 for a ten."""
    return blackjack.value(card) - 1


@cache
def dealer_endings(hits_soft_17: bool, up: int, hole: tuple[int, ...] = ()) -> Endings:
    """Every hand with which the dealer can end on an up-card of this value; the hole card may be known."""
    kernel_data = rules.BonusHouse(hits_soft_17, True, poker.tables())
    drawing: Counter[tuple[int, ...]] = Counter({hole: 1})
    ended: Counter[tuple[int, ...]] = Counter()
    if hole and _stands(kernel_data, up, hole):
        drawing, ended = ended, drawing
    while drawing:
        longer: Counter[tuple[int, ...]] = Counter()
        for held, orders in drawing.items():
            for value in range(VALUES):
                longer[tuple(sorted((*held, value)))] += orders
        ended += Counter({h: n for h, n in longer.items() if _in_deck(h, up) and _stands(kernel_data, up, h)})
        drawing = Counter({h: n for h, n in longer.items() if _in_deck(h, up) and h not in ended})
    drawn = np.array([np.bincount(held, minlength=VALUES) for held in ended])
    drawn -= np.bincount(np.array(hole, np.int64), minlength=VALUES)
    return Endings(drawn, np.array(list(ended.values())), np.array([_end(up, held) for held in ended]))


def _in_deck(held: tuple[int, ...], up: int) -> bool:
    return bool((np.bincount((*held, up), minlength=VALUES) <= IN_DECK).all())


def _hand(up: int, held: tuple[int, ...]) -> NDArray[np.int8]:
    return CARD_OF_VALUE[[up, *held]].astype(np.int8)


def _stands(kernel_data: rules.BonusHouse, up: int, held: tuple[int, ...]) -> bool:
    return bool(rules.dealer_stands(kernel_data, _hand(up, held)))


def _end(up: int, held: tuple[int, ...]) -> int:
    hand = _hand(up, held)
    if len(hand) == 2 and blackjack.is_blackjack(hand[0], hand[1]):
        return DEALER_NATURAL
    return min(int(blackjack.total(hand)[0]) - 17, DEALER_BUST)


@kernel
def _add_ways(ending: Endings, falling: Counts, left: Counts, rest: Counts, out: Counts) -> None:
    """Add the ways to every end, given how many cards of each value are left."""
    drawn, orders, end = ending.drawn, ending.orders, ending.end
    for row in range(len(left)):
        for i in range(len(orders)):
            ways = orders[i]
            size = 0
            for value in range(VALUES):
                n = drawn[i, value]
                if n:
                    ways *= falling[left[row, value], n]
                    size += n
            out[row, end[i]] += ways * rest[size]


def count_ways(ending: Endings, left: Counts) -> Counts:
    """Count the orders of the next nine cards that lead to each of the dealer's ends.

    A row of `left` is the number of cards left of each value; all rows have the same sum.
    """
    cards = int(left[0].sum())
    # Orders of the cards that fill up a hand.
    rest = [perm(cards - size, DRAWS - size) for size in range(DRAWS + 1)]
    out = np.zeros((len(left), DEALER_ENDS), np.int64)
    _add_ways(ending, FALLING, left, np.array(rest), out)
    return out


@cache
def six_values() -> dict[tuple[int, ...], int]:
    """Every set of the values of six cards, numbered."""
    sets = combinations_with_replacement(range(VALUES), rules.PLAYER_CARDS)
    return {held: i for i, held in enumerate(held for held in sets if _in_deck(held[1:], held[0]))}


@cache
def dealer_law(hits_soft_17: bool, up: int) -> Counts:
    """The ways to every end, by the player's six values; 0 where those cannot occur with the up-card."""
    gone = np.array([np.bincount((*held, up), minlength=VALUES) for held in six_values()])
    left = IN_DECK - gone
    can_be = (left >= 0).all(axis=1)
    table = np.zeros((len(left), DEALER_ENDS), np.int64)
    table[can_be] = count_ways(dealer_endings(hits_soft_17, up), left[can_be])
    return table
