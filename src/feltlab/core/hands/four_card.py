"""Four-card poker hands: the best four of four to seven cards.

Four cards make a straight or a flush. With so few cards three of a kind is rarer than both, and four of a
kind than a straight flush. An ace is high, or low in A-2-3-4. Strengths order all hands:

    category (4 bits) | leading rank (4) | second rank (4) | last rank (4)

The last twelve bits of a high card or a flush number its four ranks.

A hand is found as in `poker`, through the same sums: only the tables hold other strengths, and lanes start
at four, so that a fourth card of one suit sets the lane's top bit.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import RANK_NAMES, RANKS, Cards, plural, rank_of
from feltlab.core.hands import poker
from feltlab.core.hands.poker import PLACE_BITS, PLACE_MASK, SUM_MASK, Hand, Tables, look_up
from feltlab.errors import Refused
from feltlab.kernel import kernel, lean

HIGH_CARD, PAIR, TWO_PAIR, STRAIGHT, FLUSH, THREE, STRAIGHT_FLUSH, FOUR = range(8)
CATEGORIES = (
    "High Card", "Pair", "Two Pair", "Straight", "Flush", "Three of a Kind", "Straight Flush",
    "Four of a Kind",
)  # fmt: skip
SIZE = 4
LANES_EMPTY = 0x4444
LOWEST_STRAIGHT = 0b1_0000_0000_0111  # A-2-3-4


# -- Kernels ----------------------------------------------------------------------------------------


@lean
def strength(tables: Tables, hand: Hand) -> int:
    """The strength of the best four of five to seven cards."""
    key, lane = tables.key, tables.lane
    total = LANES_EMPTY
    lanes = 0
    for i in range(len(hand)):
        total += key[hand[i]]
        lanes += lane[hand[i]]
    return look_up(tables, total, lanes)


@kernel
def strengths(tables: Tables, hands: Hand, out: NDArray[np.uint16]) -> None:
    """The strengths of many hands, a row each; fastest from unsigned bytes."""
    for i in range(len(hands)):
        out[i] = strength(tables, hands[i])


@lean
def pair_of(rank: int) -> int:
    """A lower bound for the strength of a hand with a pair of this rank; lower pairs are below it."""
    return PAIR << 12 | rank << 8


# -- Tables -----------------------------------------------------------------------------------------


@kernel
def _straight(mask: int) -> int:
    """The highest rank of a straight within a set of ranks, or -1."""
    for high in range(12, 2, -1):
        if (mask >> (high - 3)) & 15 == 15:
            return high
    return 2 if mask & LOWEST_STRAIGHT == LOWEST_STRAIGHT else -1


@kernel
def _below(mask: int) -> int:
    """The number of sets of four ranks that come before the highest four of `mask`."""
    number, size = 0, SIZE
    for rank in range(12, -1, -1):
        if size and mask >> rank & 1:
            ways = 1
            for i in range(size):  # rank choose size
                ways = ways * (rank - i) // (i + 1)
            number += ways
            size -= 1
    return number


@kernel
def _top(mask: int) -> int:
    """The highest rank of a set; -1 if it is empty."""
    rank = 12
    while rank >= 0 and not mask >> rank & 1:
        rank -= 1
    return rank


@kernel
def _of_counts(count: NDArray[np.int64]) -> int:
    """The strength of four or more ranks, given how often each occurs, suits aside."""
    held = np.zeros(5, np.int64)  # held[n]: the ranks that occur n times or more
    for rank in range(13):
        for n in range(1, count[rank] + 1):
            held[n] |= 1 << rank
    ranks, pairs = held[1], held[2]
    if held[4]:
        return FOUR << 12 | _top(held[4]) << 8
    if held[3]:
        three = _top(held[3])
        return THREE << 12 | three << 8 | _top(ranks & ~(1 << three)) << 4
    if _straight(ranks) >= 0:
        return STRAIGHT << 12 | _straight(ranks) << 8
    if not pairs:
        return HIGH_CARD << 12 | _below(ranks)
    high = _top(pairs)
    low = _top(pairs & ~(1 << high))
    if low >= 0:
        return TWO_PAIR << 12 | high << 8 | low << 4
    kicker = _top(ranks & ~(1 << high))
    return PAIR << 12 | high << 8 | kicker << 4 | _top(ranks & ~(1 << high) & ~(1 << kicker))


@kernel
def _flush_table(ranks: int) -> NDArray[np.uint16]:
    """By set of ranks of one suit: the strength of its best four."""
    table = np.zeros(ranks, np.uint16)
    for mask in range(1 << 13):
        size = 0
        for rank in range(13):
            size += mask >> rank & 1
        if SIZE <= size <= 7:
            high = _straight(mask)
            table[mask] = STRAIGHT_FLUSH << 12 | high << 8 if high >= 0 else FLUSH << 12 | _below(mask)
    return table


@kernel
def _rank_table(key: NDArray[np.int64], offset: NDArray[np.uint32], places: int) -> NDArray[np.uint16]:
    """By place of a sum in the tables of `poker`: the strength of its five to seven ranks."""
    table = np.zeros(places, np.uint16)
    count = np.zeros(13, np.int64)
    size = 0
    while True:
        if size >= 5:
            total = 0
            for rank in range(13):
                total += count[rank] * (key[4 * rank] >> 16)
            total &= SUM_MASK
            table[offset[total >> PLACE_BITS] + (total & PLACE_MASK)] = _of_counts(count)
        rank = 0  # count up: digits 0 to 4, at most seven cards
        while rank < 13 and (count[rank] == 4 or size == 7):
            size -= count[rank]
            count[rank] = 0
            rank += 1
        if rank == 13:
            return table
        count[rank] += 1
        size += 1


@cache
def tables() -> Tables:
    """The tables, built once in a process in a few hundredths of a second."""
    known = poker.tables()
    ranks = _rank_table(known.key, known.offset, len(known.ranks))
    made = known._replace(ranks=ranks, flushes=_flush_table(len(known.flushes)))
    for table in made:  # everyone shares them
        table.setflags(write=False)
    return made


def high_card(ranks: Sequence[int]) -> int:
    """The strength of four different ranks that make no straight, in any order."""
    return HIGH_CARD << 12 | sum(comb(rank, n) for n, rank in enumerate(sorted(ranks), 1))


# -- A person's hand --------------------------------------------------------------------------------


@dataclass(frozen=True)
class FourCardHand:
    """The best four cards of a hand, those that count most first."""

    strength: int
    cards: Cards

    @property
    def name(self) -> str:
        category, lead, second = self.strength >> 12, self.strength >> 8 & 15, self.strength >> 4 & 15
        if category == PAIR:
            return f"Pair of {plural(lead)}"
        if category == TWO_PAIR:
            return f"Two Pair, {plural(lead)} and {plural(second)}"
        if category in (THREE, FOUR):
            return f"{CATEGORIES[category]}, {plural(lead)}"
        if category in (STRAIGHT, STRAIGHT_FLUSH):
            return f"{CATEGORIES[category]}, {RANK_NAMES[lead]} high"
        high = f"{RANK_NAMES[rank_of(self.cards[0])]} high"
        return f"Flush, {high}" if category == FLUSH else high

    @property
    def ranks(self) -> str:
        """'K-K-A-9'."""
        return "-".join(RANKS[rank_of(card)] for card in self.cards)


def read(hand: Iterable[int]) -> FourCardHand:
    """Name the best four of four to seven cards.

    >>> from feltlab import cards
    >>> hand = read(cards("Ks 9h Kd 2c As"))
    >>> hand.name, hand.ranks
    ('Pair of Kings', 'K-K-A-9')
    """
    held = Cards(hand)
    if not SIZE <= len(held) <= 7:
        raise Refused(f"A four-card hand is made of four to seven cards, not {len(held)}.")
    fours = [Cards(four) for four in combinations(held, SIZE)]
    best = max(fours, key=_strength_of_four)
    ranks = [rank_of(card) for card in best]
    ordered = sorted(best, key=lambda card: (-ranks.count(rank_of(card)), -rank_of(card)))
    return FourCardHand(_strength_of_four(best), Cards(ordered))


def _strength_of_four(four: Sequence[int]) -> int:
    count = np.zeros(13, np.int64)
    for card in four:
        count[rank_of(card)] += 1
    suited = len({card & 3 for card in four}) == 1
    mask = sum(1 << rank for rank in range(13) if count[rank])
    return int(tables().flushes[mask]) if suited else int(_of_counts(count))


def describe_showdown(player: FourCardHand, dealer: FourCardHand) -> str:
    """Two hands in words, with their ranks if the names are the same and the hands are not.

    >>> from feltlab import cards
    >>> describe_showdown(read(cards("Ks Kd As 5c")), read(cards("Kh Kc Qs 9c")))
    'Pair of Kings (K-K-A-5) against Pair of Kings (K-K-Q-9)'
    """
    if player.name != dealer.name or player.strength == dealer.strength:
        return f"{player.name} against {dealer.name}"
    return f"{player.name} ({player.ranks}) against {dealer.name} ({dealer.ranks})"
