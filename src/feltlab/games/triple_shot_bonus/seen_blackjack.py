"""Blackjack of Triple Shot Bonus by values of cards, from a deck without some of them.

A hand is the set of its values: the suits and the four ranks of value ten do not matter to Blackjack. Its
value is a sum over all orders of the cards that complete six and of the dealer's next nine, so it is a whole
number, and that of a hit is the sum over the next card. Python's own ints hold these sums.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations_with_replacement
from math import perm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands import blackjack
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.dealer import (
    CARD_OF_VALUE,
    DEALER_NATURAL,
    DRAWS,
    IN_DECK,
    PLAYED_ENDS,
    TEN_VALUE,
    VALUES,
    count_ways,
    dealer_endings,
)
from feltlab.games.triple_shot_bonus.solver.labels import (
    BUSTED,
    DOUBLED,
    LEVELS,
    NATURAL,
    SIX_CARDS,
    SPLIT,
    STOOD,
    outcomes,
    total_level,
)
from feltlab.games.triple_shot_bonus.solver.states import SIX

Whole = NDArray[Any]  # Python's ints
Ints = NDArray[np.int64]
ACE_VALUE = 0
SIZES = range(2, SIX + 1)


class ValueHands(NamedTuple):
    """The hands of one size."""

    held: Ints  # by hand: how many cards of each value
    next_hand: Ints  # by hand and value of the next card; -1 where there is none
    label: Ints  # by hand: its label if it draws no more


@cache
def value_hands(six_card_rule: bool) -> dict[int, ValueHands]:
    """All hands of two to six cards, by size."""
    listed = {size: [held for held in _multisets(size) if _in_deck(held)] for size in SIZES}
    found = {}
    for size, hands in listed.items():
        number = {hand: n for n, hand in enumerate(listed.get(size + 1, []))}
        after = [[number.get(tuple(sorted((*hand, value))), -1) for value in range(VALUES)] for hand in hands]
        labels = [_label(hand, six_card_rule) for hand in hands]
        found[size] = ValueHands(np.array([_bincount(h) for h in hands]), np.array(after), np.array(labels))
    return found


def _multisets(size: int) -> Any:
    return combinations_with_replacement(range(VALUES), size)


def _bincount(hand: tuple[int, ...]) -> Ints:
    return np.bincount(np.array(hand, np.int64), minlength=VALUES)


def _in_deck(hand: tuple[int, ...]) -> bool:
    return bool((_bincount(hand) <= IN_DECK).all())


def _label(hand: tuple[int, ...], six_card_rule: bool) -> int:
    total = int(blackjack.total(CARD_OF_VALUE[list(hand)].astype(np.int8))[0])
    if total > 21:
        return BUSTED
    return SIX_CARDS if six_card_rule and len(hand) == SIX else STOOD + total_level(total)


class ValueChoices(NamedTuple):
    """The choice of each hand, by size; with two cards it may be a double or a split, too."""

    of_size: dict[int, Ints]
    insures: NDArray[np.bool_]  # by hand of two cards


@dataclass(frozen=True)
class SeenBlackjack:
    """Blackjack against one up-card; one more card may be known, as dead or under the up-card."""

    hits_soft_17: bool
    six_card_rule: bool
    nets: tuple[int, ...]  # by number of Blackjack's outcome with its units, in whole parts of a unit
    insured: tuple[int, int]  # the nets of insurance that wins and that is not needed, in the same parts
    up: int  # values
    dead: tuple[int, ...] = ()
    hole: tuple[int, ...] = ()

    @property
    def cards(self) -> int:
        """The cards from which the player's come."""
        return int(IN_DECK.sum()) - 1 - len(self.dead) - len(self.hole)

    @property
    def orders(self) -> int:
        """The orders of the player's six cards and the dealer's next nine."""
        return perm(self.cards, SIX + DRAWS)

    @cached_property
    def hands(self) -> dict[int, ValueHands]:
        return value_hands(self.six_card_rule)

    @cached_property
    def left(self) -> dict[int, Ints]:
        """By size and hand: the cards left of each value; some negative where the hand cannot be."""
        gone = _bincount((self.up, *self.dead, *self.hole))
        return {size: IN_DECK - gone - hands.held for size, hands in self.hands.items()}

    @cached_property
    def ways(self) -> dict[int, Whole]:
        """By size, hand and dealer's end: the orders of all cards to come; 0 where the hand cannot be."""
        endings = dealer_endings(self.hits_soft_17, self.up, self.hole)
        found = {}
        for size, left in self.left.items():
            can_be = (left >= 0).all(axis=1)
            ways = np.zeros((len(left), DEALER_NATURAL + 1), object)
            ways[can_be] = count_ways(endings, left[can_be]).astype(object)
            found[size] = ways * perm(self.cards - size - DRAWS, SIX - size)
        return found

    @cached_property
    def net_of(self) -> Whole:
        """By label and dealer's end, the net of Blackjack with its units."""
        return np.array(self.nets, object)[outcomes(self.six_card_rule)]

    def end_values(self, size: int, labels: Ints) -> Whole:
        """By hand: its net under a label, over all orders in which the dealer has no blackjack."""
        played: Whole = (self.ways[size] * self.net_of[labels])[:, :PLAYED_ENDS].sum(axis=1)
        return played

    def draw(self, size: int, values: Whole) -> Whole:
        """By hand: the sum of the values of the hands to which the next card leads."""
        hands, left = self.hands[size], np.maximum(self.left[size], 0).astype(object)
        drawn: Whole = (left * np.where(hands.next_hand < 0, 0, values[hands.next_hand])).sum(axis=1)
        return drawn

    def play(self, follow: ValueChoices | None = None) -> tuple[Whole, ValueChoices]:
        """By hand of two cards: its value at best play, or when choices are followed; and the choices."""
        values, chosen = self.end_values(SIX, self.hands[SIX].label), {}
        for size in reversed(SIZES[:-1]):
            hands = self.hands[size]
            options = np.stack((self.draw(size, values), self.end_values(size, hands.label)))
            options[rules.HIT, hands.label == BUSTED] = options[rules.STAND, hands.label == BUSTED]
            if size == SIZES[0]:
                options = np.concatenate((options, self.double()[np.newaxis], self.split(options)))
            made = follow.of_size[size] if follow else options.argmax(axis=0).astype(np.int64)
            values, chosen[size] = np.take_along_axis(options, made[np.newaxis], axis=0)[0], made
        insures = follow.insures if follow else self.insure() > 0
        return self.meet_naturals(values) + np.where(insures, self.insure(), 0), ValueChoices(chosen, insures)

    def double(self) -> Whole:
        return self.draw(2, self.end_values(3, self.hands[3].label + DOUBLED))

    def split(self, options: Whole) -> Whole:
        """The value of splitting aces; for other hands that of standing."""
        values: Whole = options[rules.STAND].copy()
        aces = int(np.flatnonzero(self.hands[2].held[:, ACE_VALUE] == 2)[0])
        values[aces] = sum(
            ways * int(self.end_values_of(four, SPLIT + LEVELS * _level(one) + _level(two)))
            for one, two, four, ways in self._split_hands(aces)
        )
        return np.array([values])

    def _split_hands(self, aces: int) -> Any:
        """The two cards on split aces, the hand of four, and the ways to be dealt them in this order."""
        for one in range(VALUES):
            three = int(self.hands[2].next_hand[aces, one])
            for two in range(VALUES):
                four = int(self.hands[3].next_hand[three, two]) if three >= 0 else -1
                if four >= 0:
                    ways = max(self.left[2][aces, one], 0) * max(self.left[3][three, two], 0)
                    yield one, two, four, int(ways)

    def end_values_of(self, four: int, label: int) -> int:
        """The net of one hand of four cards under a label."""
        return int((self.ways[4][four] * self.net_of[label])[:PLAYED_ENDS].sum())

    def meet_naturals(self, values: Whole) -> Whole:
        """The values of two cards with those of a blackjack, the player's or the dealer's."""
        held, ways = self.hands[2].held, self.ways[2]
        natural = (held[:, ACE_VALUE] == 1) & (held[:, TEN_VALUE] == 1)
        caught = ways[:, DEALER_NATURAL] * self.net_of[STOOD, DEALER_NATURAL]
        found: Whole = np.where(natural, (ways * self.net_of[NATURAL]).sum(axis=1), values + caught)
        return found

    def insure(self) -> Whole:
        """By hand of two cards: the net of insurance, which is open against an ace only."""
        ways, (won, lost) = self.ways[2], self.insured
        if self.up != ACE_VALUE:
            return np.zeros(len(ways), object)
        net: Whole = ways[:, DEALER_NATURAL] * won + ways[:, :PLAYED_ENDS].sum(axis=1) * lost
        return net

    def total(self, values: Whole) -> int:
        """The sum over all two cards of the player's, in both orders."""
        held = self.hands[2].held
        left = IN_DECK - _bincount((self.up, *self.dead, *self.hole))
        weights = [_count_orders(hand, left.tolist()) for hand in held.tolist()]
        return int((values * np.array(weights, object)).sum())


def _level(value: int) -> int:
    """The level of an ace, counted as eleven, and a card of this value."""
    return total_level(11 + value + 1)


def _count_orders(hand: list[int], left: list[int]) -> int:
    """The ways in which two cards of these values can be dealt, in order."""
    one, *others = [value for value, n in enumerate(hand) for _ in range(n)]
    two = others[0]
    return left[one] * (left[one] - 1) if one == two else 2 * left[one] * left[two]
