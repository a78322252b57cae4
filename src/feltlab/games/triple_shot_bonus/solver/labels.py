"""Labels of a finished Blackjack hand.

A hand stood on a total, was doubled to it, was split into two, busted, has six cards or is a blackjack. The
cards that complete six do not change that. A label and the dealer's end give the outcome with its units, as
the number that laws count (`Spot.number`).
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE
from feltlab.core.hands import blackjack, poker
from feltlab.core.paytable import Line
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.dealer import DEALER_BUST, DEALER_ENDS, DEALER_NATURAL
from feltlab.games.triple_shot_bonus.solver.states import RANKS, SIX, states, totals
from feltlab.kernel import plain_python

Bytes = NDArray[np.uint8]

BLACKJACK = rules.SPOTS[rules.AT_BLACKJACK]
LEVELS = 6  # totals up to 16 beat only a bust: they are one level; then 17 to 21
STOOD, BUSTED, DOUBLED, DOUBLE_BUSTED, SIX_CARDS, NATURAL, SPLIT = 0, 6, 7, 13, 14, 15, 16
LABELS = SPLIT  # without those of split aces, which are SPLIT + 6 * level + level
SPLIT_LABELS = LEVELS * LEVELS

_TEN, _ACE = 4 * 8, 4 * ACE
_SMALL = ((0, 2), (1, 2), (1, 3), (2, 3), (3, 3), (3, 4))  # two cards that a ten makes 16 to 21, as ranks


def total_level(total: int) -> int:
    """0 for totals up to 16, which beat only a bust; then 1 for 17 to 5 for 21."""
    return max(total - 16, 0)


def _example(label: int) -> tuple[list[int], list[int]]:
    """A player's cards and choices that end under this label."""
    hit, stand = rules.HIT, rules.STAND
    if label >= SPLIT:
        first, second = divmod(label - SPLIT, LEVELS)
        return [_ACE, _ACE + 1, 4 * (first + 3), 4 * (second + 3)], [rules.SPLIT_ACES]
    if label == NATURAL:
        return [_ACE, _TEN], []
    if label == SIX_CARDS:
        return [0, 1, 2, 3, 4, 5], [hit] * 4
    if label in (BUSTED, DOUBLE_BUSTED):
        return [_TEN, 4 * 4, _TEN + 1], [hit if label == BUSTED else rules.DOUBLE]
    if label >= DOUBLED:
        low, high = _SMALL[label - DOUBLED]
        return [4 * low, 4 * high + 1, _TEN], [rules.DOUBLE]
    low, high = _SMALL[label]
    return [4 * low, 4 * high + 1, _TEN], [hit, stand]


def _dealer_example(end: int) -> list[int]:
    if end == DEALER_NATURAL:
        return [_TEN + 2, _ACE + 2]
    low, high = _SMALL[end + 1] if end < DEALER_BUST else (4, 4)
    return [4 * low + 2, 4 * high + 3, _TEN + 2]


@cache
def outcomes(six_card_rule: bool, peeks: bool = True) -> Bytes:
    """The number of Blackjack's outcome by label and dealer's end, as the rules judge an example of each.

    Where the dealer does not look for a blackjack first, it takes both units of a double or a split.
    """
    kernel_data = rules.BonusHouse(True, six_card_rule, poker.tables())
    table = np.zeros((SPLIT + SPLIT_LABELS, DEALER_ENDS), np.uint8)
    for label, end in np.ndindex(table.shape):
        held, made = _example(label)
        shoe = np.full(SIX + rules.DEALER_CARDS, 2, np.int8)
        shoe[: len(held)] = held
        cards = _dealer_example(end)
        shoe[rules.UP : rules.UP + len(cards)] = cards
        outcome = rules.judge_blackjack(kernel_data, shoe, np.array(made, np.int8))
        caught = outcome == rules.DEALER_NATURAL  # before a choice
        table[label, end] = BLACKJACK.number(outcome, 1 if caught else units_of(label))
    if not peeks:
        table[BUSTED, DEALER_NATURAL] = rules.BUSTED
        table[DOUBLED:DOUBLE_BUSTED, DEALER_NATURAL] = BLACKJACK.number(rules.LOST, 2)
        table[DOUBLE_BUSTED, DEALER_NATURAL] = BLACKJACK.number(rules.BUSTED, 2)
        table[SPLIT:, DEALER_NATURAL] = BLACKJACK.number(rules.SPLIT, 2)
    return table


def units_of(label: int) -> int:
    """The units on Blackjack under a label, if the player has had a choice."""
    return 2 if DOUBLED <= label <= DOUBLE_BUSTED or label >= SPLIT else 1


def net_of(lines: Sequence[Line], number: int) -> Fraction:
    """The net of Blackjack's outcome with its units, for each unit of the first wager."""
    outcome, units = BLACKJACK.split_number(number)
    return units * lines[outcome].pays


@cache
def labels(six_card_rule: bool) -> Bytes:
    """By state: its label if Blackjack draws no more cards."""
    total, _ = totals()
    found = np.where(total > 21, BUSTED, STOOD + np.maximum(total - 16, 0)).astype(np.uint8)
    if six_card_rule:
        found[(states().size == SIX) & (total <= 21)] = SIX_CARDS
    return found


_value = plain_python(blackjack.value)  # importing this loads no compiled code
# By rank, the level of an ace, counted as eleven, and a card of that rank; a second ace counts one.
LEVEL_WITH_ACE = np.array([total_level(11 + _value(4 * rank)) for rank in range(RANKS)], np.int64)
