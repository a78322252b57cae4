"""Five-card poker hands in which the four deuces and the joker are fully wild.

A hand's **strength** is a number that orders all hands: `strength >> 12` is its category, and the lower bits
number the hands of one category from the lowest. A hand is read in the best way:

- in fives, fours, threes and pairs the wild cards join the natural rank that occurs most often, or the
  highest of several; kickers are natural cards;
- in a flush they stand for the highest ranks that are missing, none twice;
- in a straight they fill the gaps, and then the ranks above.

**How it is found.** Every card carries a number, and the sum of five numbers is a place in one of two tables:
one for hands whose natural cards share a suit, one for all others.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE, JOKER, RANK_NAMES, Cards, plural, rank_of, suit_of
from feltlab.errors import Refused
from feltlab.kernel import int64, kernel, lean

(
    HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, FIVE, ROYAL,
    FIVE_WILDS,
) = range(12)  # fmt: skip
CATEGORIES = (
    "High Card", "Pair", "Two Pair", "Three of a Kind", "Straight", "Flush", "Full House", "Four of a Kind",
    "Straight Flush", "Five of a Kind", "Royal Flush", "Five Wilds",
)  # fmt: skip
SHAPES = {
    (1, 1, 1, 1, 1): HIGH_CARD,
    (2, 1, 1, 1): PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): THREE,
    (3, 2): FULL_HOUSE,
    (4, 1): FOUR,
    (5,): FIVE,
}
NAMED_RANKS = (1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 0, 0)  # by category: the ranks that its name gives

HAND = 5
DEUCE = 0  # the wild rank
NATURAL_RANKS = range(1, ACE + 1)
# The smallest numbers, found one by one from the three up, such that sets of up to five natural cards (a rank
# up to four times) have different sums. A wild card has the number 0.
RANK_NUMBERS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
PLACES = 4 * RANK_NUMBERS[-1] + RANK_NUMBERS[-2] + 1  # four aces and a king have the largest sum
ANY_SUIT = 0b1111

Value = tuple[int, ...]  # a category, then ranks in the order in which they count


class WildTables(NamedTuple):
    """The tables that value a hand, about 1.4 MB."""

    number: NDArray[np.int64]  # by card
    suit: NDArray[np.int64]  # by card: a bit for its suit; every bit for a wild card
    strength: NDArray[np.uint16]  # by sum of numbers, from `PLACES` on for hands of one suit


# -- Kernels ----------------------------------------------------------------------------------------


@lean
def strength(tables: WildTables, hand: NDArray[Any]) -> int:
    """The strength of five cards."""
    number, suit = tables.number, tables.suit  # taken out of the loop, or numba counts references in it
    place = 0
    shared = ANY_SUIT
    for i in range(HAND):
        place += number[hand[i]]
        shared &= suit[hand[i]]
    return int64(tables.strength[place + PLACES if shared else place])


@kernel
def strengths(tables: WildTables, hands: NDArray[np.uint8], out: NDArray[np.uint16]) -> None:
    """The strengths of many hands, a row each."""
    for i in range(len(hands)):
        out[i] = strength(tables, hands[i])


# -- Tables -----------------------------------------------------------------------------------------


@cache
def tables() -> WildTables:
    """The tables, built once in a process from the readings of all sets of ranks."""
    values = {(ranks, suited): value_of(ranks, suited) for ranks, suited in _rank_sets()}
    strength_of = _number_values(values.values())
    strength = np.zeros(2 * PLACES, np.uint16)
    for (ranks, suited), value in values.items():
        strength[PLACES * suited + sum(RANK_NUMBERS[rank] for rank in ranks)] = strength_of[value]
    number = np.array([RANK_NUMBERS[rank_of(card)] for card in range(JOKER)] + [0])
    suit = np.array([ANY_SUIT if is_wild(card) else 1 << suit_of(card) for card in range(JOKER + 1)])
    made = WildTables(number, suit, strength)
    for table in made:  # everyone shares them
        table.setflags(write=False)
    return made


def is_wild(card: int) -> bool:
    return card == JOKER or rank_of(card) == DEUCE


def _rank_sets() -> Iterator[tuple[Sequence[int], bool]]:
    """The ranks of up to five natural cards, from the highest, in different suits and in one."""
    for size in range(HAND + 1):
        for ranks in combinations_with_replacement(reversed(NATURAL_RANKS), size):
            if max(Counter(ranks).values(), default=0) <= 4:
                yield ranks, False
                if len(set(ranks)) == size:
                    yield ranks, True


def _number_values(values: Iterable[Value]) -> dict[Value, int]:
    """The strength of each value: its category, and its number among the values of that category."""
    numbered: Counter[int] = Counter()
    strength_of = {}
    for value in sorted(set(values)):
        strength_of[value] = value[0] << 12 | numbered[value[0]]
        numbered[value[0]] += 1
    return strength_of


# -- The best reading -------------------------------------------------------------------------------


def value_of(ranks: Sequence[int], suited: bool) -> Value:
    """The best reading of natural cards of these ranks, from the highest, with wild cards up to five."""
    if not ranks:
        return (FIVE_WILDS,)
    readings = [_read_kinds(ranks)]
    if len(set(ranks)) == len(ranks):
        high = _highest_run(ranks)
        if high:
            readings.append((STRAIGHT, high))
        if suited:
            readings.append((FLUSH, *_fill_flush(ranks)))
        if suited and high:
            readings.append((ROYAL,) if high == ACE else (STRAIGHT_FLUSH, high))
    return max(readings)


def _read_kinds(ranks: Sequence[int]) -> Value:
    """The reading by cards of one rank: wild cards join the rank that occurs most often."""
    times = Counter(ranks)
    order = sorted(times, key=lambda rank: (times[rank], rank), reverse=True)
    times[order[0]] += HAND - len(ranks)
    return SHAPES[tuple(times[rank] for rank in order)], *order


def _highest_run(ranks: Sequence[int]) -> int:
    """The highest rank of the best straight that contains these ranks; 0 if there is none."""
    for high in range(ACE, HAND - 3, -1):
        run = {rank % (ACE + 1) for rank in range(high, high - HAND, -1)}  # below the deuce comes the ace
        if run.issuperset(ranks):
            return high
    return 0


def _fill_flush(ranks: Sequence[int]) -> list[int]:
    missing = [rank for rank in reversed(NATURAL_RANKS) if rank not in ranks]
    return sorted([*ranks, *missing[: HAND - len(ranks)]], reverse=True)


# -- A person's hand --------------------------------------------------------------------------------


@dataclass(frozen=True)
class WildHand:
    """A hand in its best reading."""

    value: Value

    @property
    def category(self) -> str:
        return CATEGORIES[self.value[0]]

    @property
    def name(self) -> str:
        category, *ranks = self.value
        if category == HIGH_CARD:
            return f"{RANK_NAMES[ranks[0]]} high"
        if category == PAIR:
            return f"Pair of {plural(ranks[0])}"
        if category == TWO_PAIR:
            return f"Two Pair, {plural(ranks[0])} and {plural(ranks[1])}"
        if category == FULL_HOUSE:
            return f"Full House, {plural(ranks[0])} over {plural(ranks[1])}"
        if category in (THREE, FOUR, FIVE):
            return f"{self.category}, {plural(ranks[0])}"
        return f"{self.category}, {RANK_NAMES[ranks[0]]} high" if ranks else self.category

    @property
    def tie_breakers(self) -> tuple[int, ...]:
        """The ranks that order hands of one name, highest first."""
        return self.value[1 + NAMED_RANKS[self.value[0]] :]

    def name_with(self, count: int) -> str:
        """The name with some tie-breakers: 'Pair of Kings, ace-nine kickers'."""
        ranks = "-".join(RANK_NAMES[rank].lower() for rank in self.tie_breakers[:count])
        if self.value[0] == FLUSH:
            return f"{self.name}, then {ranks}"
        return f"{self.name}, {ranks} kicker{'s' * (count > 1)}"


def read(hand: Iterable[int]) -> WildHand:
    """Name five cards in their best reading.

    >>> from feltlab import cards
    >>> read(cards("Ks 2d 9h Jk 4c")).name, read(cards("2s 2d Jk 2c Th")).name
    ('Three of a Kind, Kings', 'Royal Flush')
    """
    held = Cards(hand)
    if len(held) != HAND:
        raise Refused(f"A hand with wild cards has five cards, not {len(held)}.")
    natural = [card for card in held if not is_wild(card)]
    suited = len({suit_of(card) for card in natural}) <= 1
    return WildHand(value_of(sorted(map(rank_of, natural), reverse=True), suited))


def describe_showdown(player: WildHand, dealer: WildHand) -> str:
    """Two hands in words, with the kickers up to the one that decides if the hands have one name.

    >>> from feltlab import cards
    >>> describe_showdown(read(cards("Ks 2d As 5c 4d")), read(cards("Ah Ac Ks 5d 3d")))
    'Pair of Aces, king-five-four kickers, against Pair of Aces, king-five-three kickers'
    """
    if player.name != dealer.name or player.value == dealer.value:
        return f"{player.name} against {dealer.name}"
    pairs = zip(player.tie_breakers, dealer.tie_breakers, strict=True)
    count = next(n for n, (mine, other) in enumerate(pairs, 1) if mine != other)
    return f"{player.name_with(count)}, against {dealer.name_with(count)}"
