"""The value of every hand against one up-card, and the best choices, by backward induction.

The up-card is of suit 0; the other suits follow by symmetry. Hands are the states of `states`. The value of a
hand is a sum over all orders of the cards to come, so it needs no division: the value of a hit is the sum of
the values of the hands to which it can lead. The same holds for the odds of a hand that stands.

Such sums are larger than 64 bits. They are stored in two parts, `high * 2**52 + low`, and choices are
compared exactly. Two cards can be completed in fewer than 2**71 ways, in parts of 1/1024, and the pay of one
way is limited to 2**36. So a high part stays below 2**57, and a low part has room for fifty numbers before
it must carry.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE
from feltlab.core.hands import blackjack
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.dealer import PLAYED_ENDS
from feltlab.games.triple_shot_bonus.solver.labels import BUSTED, DOUBLED, LEVEL_WITH_ACE, LEVELS, SPLIT
from feltlab.games.triple_shot_bonus.solver.states import (
    SIX,
    Links,
    States,
    find_state,
    links,
    poker_parts,
    states,
    totals,
    unseen_cards,
)
from feltlab.kernel import kernel

Long = NDArray[np.int64]
Bytes = NDArray[np.uint8]

# -- Two-part numbers -------------------------------------------------------------------------------

BITS = 52
LOW = (1 << BITS) - 1
HALF = BITS // 2
HALF_LOW = (1 << HALF) - 1
MAX_PAY = 1 << 36  # for one way; times half of a low part it fits 64 bits


@kernel
def _add_product(number: Long, high: int, low: int, pay: int) -> None:
    upper = (low >> HALF) * pay
    lower = (low & HALF_LOW) * pay + ((upper & HALF_LOW) << HALF)
    number[0] += high * pay + (upper >> HALF) + (lower >> BITS)
    number[1] += lower & LOW


@kernel
def _carry(numbers: Long) -> None:
    """Carry the overflow of the low parts."""
    for i in range(len(numbers)):
        numbers[i, 0] += numbers[i, 1] >> BITS
        numbers[i, 1] &= LOW


@kernel
def _add(into: Long, ways: int, numbers: Long) -> None:
    for i in range(len(into)):
        into[i, 0] += ways * numbers[i, 0]
        into[i, 1] += ways * numbers[i, 1]


@kernel
def _is_better(first: Long, second: Long) -> bool:
    """Is the first better, by the first purpose or, if that is equal, by the second?"""
    for purpose in range(2):
        for part in range(2):
            if first[purpose, part] != second[purpose, part]:
                return bool(first[purpose, part] > second[purpose, part])
    return False


def join_parts(number: Long) -> int:
    """A two-part number as an int."""
    return (int(number[0]) << BITS) + int(number[1])


# -- Odds -------------------------------------------------------------------------------------------


@kernel
def _draw(links: Links, state: int, numbers: Long, out: Long) -> None:
    """Add up the numbers of all states to which the next card can lead."""
    start, to, ways = links.start, links.to, links.ways
    for i in range(start[state], start[state + 1]):
        _add(out, int(ways[i]), numbers[to[i]])
    _carry(out)


@kernel
def _draw_back(links: Links, size: Bytes, first: int, odds: Long) -> None:
    """From the odds of six cards those of fewer, back to the first state."""
    for state in range(len(size) - 1, first - 1, -1):
        if size[state] < SIX:
            _draw(links, state, odds, odds[state])


def count_odds(law: Long, next_card: Links, suits_seen: bool, ends: int = PLAYED_ENDS) -> Long:
    """By state, the ways to complete the player's and the dealer's hand.

    There is a column for each of the dealer's first ends, those without a blackjack, and as many again that
    count, in parts of a way, those in which Poker wins.
    """
    table = states()
    odds = np.zeros((len(table.size), 2 * ends, 2), np.int64)
    six = table.size == SIX
    ways = law[table.values[six], :ends]
    odds[six, :ends, 1] = ways
    wins = ways * poker_parts(suits_seen)[six, None]
    odds[six, ends:, 0], odds[six, ends:, 1] = wins >> BITS, wins & LOW
    _draw_back(next_card, table.size, 0 if suits_seen else table.first_plain, odds)
    return odds


# -- Values -----------------------------------------------------------------------------------------


class SolvedUpCard(NamedTuple):
    """One up-card, solved for one objective."""

    up: int
    suits_seen: bool
    label: Bytes  # by state
    may_hit: NDArray[np.bool_]  # by state of three cards or more
    pay: Long  # by purpose (the second decides where the first is indifferent), label and column of the odds
    links: Links
    odds: Long
    value: Long  # by state and purpose, under the best play
    choice: Bytes  # by state


@kernel
def _add_ended_value(pay: Long, label: int, odds: Long, out: Long) -> None:
    """Add the value of a hand under a label, by purpose."""
    for purpose in range(2):
        for column in range(pay.shape[2]):
            if pay[purpose, label, column]:
                _add_product(out[purpose], odds[column, 0], odds[column, 1], pay[purpose, label, column])
    _carry(out)


@kernel
def _weigh(table: States, one: SolvedUpCard) -> None:
    """Write the value of every hand of three cards or more, and its best choice."""
    label, pay, odds, value, next_card = one.label, one.pay, one.odds, one.value, one.links
    hit = np.zeros((2, 2), np.int64)
    for state in range(len(label) - 1, -1 if one.suits_seen else table.first_plain - 1, -1):
        _add_ended_value(pay, label[state], odds[state], value[state])
        if one.may_hit[state]:
            hit[:] = 0
            _draw(next_card, state, value, hit)
            if _is_better(hit, value[state]):
                value[state] = hit
                one.choice[state] = rules.HIT


def solve_hands(
    law: Long, label: Bytes, pay: Long, up: int, suits_seen: bool, hits_21: bool = True
) -> SolvedUpCard:
    """Solve an up-card: the value of every hand against it, and its best choice."""
    table, next_card = states(), links(up)
    odds = count_odds(law, next_card, suits_seen, ends=pay.shape[2] // 2)
    may_hit = (table.size < SIX) & (label != BUSTED) & (hits_21 | (totals()[0] != 21))
    value = np.zeros((len(table.size), 2, 2), np.int64)
    choice = np.full(len(table.size), rules.STAND, np.uint8)
    one = SolvedUpCard(up, suits_seen, label, may_hit, pay, next_card, odds, value, choice)
    _weigh(table, one)
    if not suits_seen:
        choice[:] = choice[table.plain_of]
    return one


@kernel
def weigh_later(one: SolvedUpCard, state: int, out: Long) -> None:
    """Write the values of hitting and standing with three cards or more, numbered as in the rules."""
    _draw(one.links, state, one.value, out[rules.HIT])
    _add_ended_value(one.pay, one.label[state], one.odds[state], out[rules.STAND])


# -- The first choice -------------------------------------------------------------------------------

FIRST_CHOICES = 4  # hit, stand, double, split, as the rules number them
NO_CHOICE = 255


@kernel
def weigh_first(table: States, one: SolvedUpCard, first: int, second: int, out: Long) -> None:
    """Write the values of hitting, standing and doubling with two cards."""
    label, pay, odds, value = one.label, one.pay, one.odds, one.value
    standing = np.zeros((pay.shape[2], 2), np.int64)
    hand = np.array([first, second, 0])
    for third in unseen_cards(first, second, one.up):
        hand[2] = third
        state = find_state(table, one.suits_seen, hand)
        _add(standing, 1, odds[state])
        _add(out[rules.HIT], 1, value[state])
        _add_ended_value(pay, label[state] + DOUBLED, odds[state], out[rules.DOUBLE])
    _carry(standing)
    _carry(out[rules.HIT])
    _add_ended_value(pay, label[find_state(table, False, hand[:2])], standing, out[rules.STAND])


@kernel
def weigh_split(table: States, levels: Long, one: SolvedUpCard, first: int, second: int, out: Long) -> None:
    """Write the value of splitting these two aces."""
    pay, odds = one.pay, one.odds
    hand = np.array([first, second, 0, 0])
    rest = unseen_cards(first, second, one.up)
    for third in rest:
        for fourth in rest:
            if third == fourth:
                continue
            hand[2], hand[3] = third, fourth
            label = SPLIT + LEVELS * levels[third >> 2] + levels[fourth >> 2]
            _add_ended_value(pay, label, odds[find_state(table, one.suits_seen, hand)], out)


@kernel
def _choose_first(table: States, levels: Long, one: SolvedUpCard, choice: Bytes) -> None:
    out = np.zeros((FIRST_CHOICES, 2, 2), np.int64)
    for first in range(52):
        for second in range(first):
            if 4 * one.up in (first, second) or blackjack.is_blackjack(first, second):
                continue
            out[:] = 0
            weigh_first(table, one, first, second, out)
            best = rules.STAND
            if _is_better(out[rules.HIT], out[best]):
                best = rules.HIT
            if _is_better(out[rules.DOUBLE], out[best]):
                best = rules.DOUBLE
            if first >> 2 == ACE and second >> 2 == ACE:
                weigh_split(table, levels, one, first, second, out[rules.SPLIT_ACES])
                if _is_better(out[rules.SPLIT_ACES], out[best]):
                    best = rules.SPLIT_ACES
            choice[first, second] = choice[second, first] = best


class Choices(NamedTuple):
    """The choices of a strategy against one up-card, numbered as in the rules."""

    first: Bytes  # by two cards
    later: Bytes  # by state


def best_choices(one: SolvedUpCard) -> Choices:
    """The choices that have the highest value."""
    first = np.full((52, 52), NO_CHOICE, np.uint8)
    _choose_first(states(), LEVEL_WITH_ACE, one, first)
    return Choices(first, one.choice)
