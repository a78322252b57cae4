"""Poker hands of five, six and seven cards, from 52 cards or 53 with the semi-wild joker.

A hand's **strength** is a number that orders all hands, 16 bits that can be read:

    category (4 bits) | leading rank (4) | second rank (4) | last rank (4)

The last eight bits of a pair or three of a kind number its kickers; the last twelve of a high card or a
flush number its five ranks. So `strength >> 12` is the category, and "a pair of sixes or better" is a
comparison with `pair_of(SIX)`.

The joker is an ace, or completes a straight, a flush, a straight flush or a royal flush.

**How it is found.** Every card carries a number, its *key*, and a hand is the sum of its keys:

- The upper bits hold a number per rank, chosen so that no two sets of ranks have the same sum. The
  sum's top bits pick a row; the row's offset and the other bits pick a place in a table of
  strengths, laid out so that no two sets of ranks share a place.
- The lower sixteen bits count suits in four-bit lanes that start at three, so that a fifth card of
  one suit sets the lane's top bit. The joker counts in every lane.

A second number per card, its *lane*, holds a bit for its rank in sixteen bits for its suit. It is
looked at only when a flush is there.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE, JOKER, RANK_NAMES, Cards, plural, rank_of
from feltlab.errors import Refused
from feltlab.kernel import int64, kernel, lean

(
    HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL, FIVE_ACES,
) = range(11)  # fmt: skip
CATEGORIES = (
    "High Card", "Pair", "Two Pair", "Three of a Kind", "Straight", "Flush", "Full House",
    "Four of a Kind", "Straight Flush", "Royal Flush", "Five Aces",
)  # fmt: skip

# The smallest numbers, found one by one from the deuce up and last for the joker, such that sets of
# five to seven cards (the joker once, a rank up to four times) have different sums, all below 2**25.
RANK_NUMBERS = (
    1, 4, 16, 67, 295, 1334, 5734, 23800, 60883, 208450, 509982, 1304151, 2967844, 6923573,
)  # fmt: skip
SUM_BITS = 25
SCATTER = 0x9E3779B1  # odd: multiplying modulo 2**25 keeps sums different and spreads them over the rows
PLACE_BITS = 11
PLACES = 1 << 17

SUM_MASK = (1 << SUM_BITS) - 1
PLACE_MASK = (1 << PLACE_BITS) - 1
LANES_EMPTY = 0x3333
LANES_FULL = 0x8888
LANE_MASK = (1 << 14) - 1
JOKER_BIT = 1 << 13
WHEEL = 0b1_0000_0000_1111  # A-2-3-4-5


Hand = NDArray[np.integer[Any]]


class Tables(NamedTuple):
    """The tables that value a poker hand, about 360 KB."""

    key: NDArray[np.int64]  # by card
    lane: NDArray[np.int64]  # by card
    offset: NDArray[np.uint32]  # by row: where the row's places begin
    ranks: NDArray[np.uint16]  # by place: the strength of the ranks alone
    flushes: NDArray[np.uint16]  # by the ranks of one suit and the joker's bit: the flush's strength


# -- Kernels ----------------------------------------------------------------------------------------


@lean
def _of_ranks(tables: Tables, total: int) -> int:
    ranks = (total >> 16) & SUM_MASK
    return int64(tables.ranks[tables.offset[ranks >> PLACE_BITS] + (ranks & PLACE_MASK)])


@lean
def _of_flush(tables: Tables, full: int, lanes: int) -> int:
    while not full & 8:
        full >>= 4
        lanes >>= 16
    return int64(tables.flushes[lanes & LANE_MASK])


@lean
def look_up(tables: Tables, total: int, lanes: int) -> int:
    """The strength of the hand whose keys sum to `total`, from `LANES_EMPTY` up, and lanes to `lanes`."""
    ranks = _of_ranks(tables, total)
    if total & LANES_FULL:
        return max(ranks, _of_flush(tables, total & LANES_FULL, lanes))
    return ranks


@lean
def strength(tables: Tables, hand: Hand) -> int:
    """The strength of five to seven cards."""
    key, lane = tables.key, tables.lane  # taken out of the loop, or numba counts references in it
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


# -- Tables -----------------------------------------------------------------------------------------


@kernel
def _straight(mask: int) -> int:
    """The highest rank of a straight within a set of ranks, or -1."""
    for high in range(12, 3, -1):
        if (mask >> (high - 4)) & 31 == 31:
            return high
    return 3 if mask & WHEEL == WHEEL else -1


@kernel
def _below(mask: int, size: int) -> int:
    """The number of `size`-sets of ranks that come before the highest `size` ranks of `mask`."""
    number = 0
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
    rank = 12
    while not mask >> rank & 1:
        rank -= 1
    return rank


@kernel
def _of_counts(count: NDArray[np.int64]) -> int:
    """The strength of ranks, given how often each occurs, suits aside."""
    held = np.zeros(6, np.int64)  # held[n]: the ranks that occur n times or more
    for rank in range(13):
        for n in range(1, count[rank] + 1):
            held[n] |= 1 << rank
    ranks, pairs, threes, fours = held[1], held[2], held[3], held[4]
    if held[5]:
        return FIVE_ACES << 12
    if fours:
        four = _top(fours)
        return FOUR << 12 | four << 8 | _top(ranks & ~(1 << four)) << 4
    three = _top(threes) if threes else 0
    if threes and pairs & ~(1 << three):
        return FULL_HOUSE << 12 | three << 8 | _top(pairs & ~(1 << three)) << 4
    if _straight(ranks) >= 0:
        return STRAIGHT << 12 | _straight(ranks) << 8
    if threes:
        return THREE << 12 | three << 8 | _below(ranks & ~(1 << three), 2)
    if not pairs:
        return HIGH_CARD << 12 | _below(ranks, 5)
    high = _top(pairs)
    pairs &= ~(1 << high)
    if not pairs:
        kickers = ranks & ((1 << high) - 1) | ranks >> 1 & -(1 << high)  # of twelve ranks, so 220 ways
        return PAIR << 12 | high << 8 | _below(kickers, 3)
    low = _top(pairs)
    return TWO_PAIR << 12 | high << 8 | low << 4 | _top(ranks & ~(1 << high) & ~(1 << low))


@kernel
def _with_joker(count: NDArray[np.int64]) -> int:
    """The same with the joker: an ace, or the rank that completes the best straight."""
    count[ACE] += 1
    best = _of_counts(count)
    count[ACE] -= 1
    ranks = 0
    for rank in range(13):
        ranks |= (count[rank] > 0) << rank
    for rank in range(13):
        if _straight(ranks | 1 << rank) >= 0:
            best = max(best, STRAIGHT << 12 | _straight(ranks | 1 << rank) << 8)
    return best


@kernel
def _of_suit(mask: int) -> int:
    """The strength of five or more cards of one suit."""
    high = _straight(mask)
    if high == ACE:
        return ROYAL << 12
    return STRAIGHT_FLUSH << 12 | high << 8 if high >= 0 else FLUSH << 12 | _below(mask, 5)


@kernel
def _flush_table() -> NDArray[np.uint16]:
    table = np.zeros(2 * JOKER_BIT, np.uint16)
    for mask in range(JOKER_BIT):
        size = 0
        for rank in range(13):
            size += mask >> rank & 1
        if 5 <= size <= 7:
            table[mask] = _of_suit(mask)
        if 4 <= size <= 6:
            for rank in range(13):
                if not mask >> rank & 1:
                    table[mask | JOKER_BIT] = max(table[mask | JOKER_BIT], _of_suit(mask | 1 << rank))
    return table


@kernel
def _rank_sets(number: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """The scattered sum and the strength of every set of ranks of five to seven cards."""
    sums = np.empty(1 << 17, np.int64)
    values = np.empty(1 << 17, np.uint16)
    count = np.zeros(13, np.int64)
    found = 0
    size = 0
    while True:
        total = 0
        for rank in range(13):
            total += count[rank] * number[rank]
        if size >= 5:
            sums[found] = total & SUM_MASK
            values[found] = _of_counts(count)
            found += 1
        if 4 <= size <= 6:
            sums[found] = (total + number[13]) & SUM_MASK
            values[found] = _with_joker(count)
            found += 1
        rank = 0  # count up: digits 0 to 4, at most seven cards
        while rank < 13 and (count[rank] == 4 or size == 7):
            size -= count[rank]
            count[rank] = 0
            rank += 1
        if rank == 13:
            return sums[:found], values[:found]
        count[rank] += 1
        size += 1


@kernel
def _lay_out(
    sums: NDArray[np.int64], values: NDArray[np.uint16], rows: NDArray[np.int64], start: NDArray[np.int64]
) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Give every row, in the order of `rows`, the next offset at which all of its places are free."""
    table = np.zeros(PLACES, np.uint16)
    taken = np.zeros(PLACES, np.bool_)
    offset = np.zeros(len(rows), np.uint32)
    at = 0
    for row in rows:
        members = sums[start[row] : start[row + 1]] & PLACE_MASK
        free = False
        while not free:
            at = (at + 1) % (PLACES - PLACE_MASK)
            free = True
            for place in members:
                if taken[at + place]:
                    free = False
                    break
        offset[row] = at
        for i in range(len(members)):
            taken[at + members[i]] = True
            table[at + members[i]] = values[start[row] + i]
    return offset, table


@cache
def tables() -> Tables:
    """The tables, built once in a process in a few hundredths of a second."""
    number = np.array(RANK_NUMBERS, np.int64) * SCATTER & SUM_MASK
    sums, values = _rank_sets(number)
    order = np.argsort(sums)
    sums, values = sums[order], values[order]
    start = np.searchsorted(sums >> PLACE_BITS, np.arange((SUM_MASK >> PLACE_BITS) + 2))
    offset, ranks = _lay_out(sums, values, np.argsort(start[:-1] - start[1:], kind="stable"), start)
    cards = np.arange(52)
    key = np.append(number[cards >> 2] << 16 | 1 << 4 * (cards & 3), number[13] << 16 | 0x1111)
    lane = np.append(1 << 16 * (cards & 3) + (cards >> 2), JOKER_BIT * 0x0001_0001_0001_0001)
    made = Tables(key, lane, offset, ranks, _flush_table())
    for table in made:  # everyone shares them
        table.setflags(write=False)
    return made


# -- A person's hand --------------------------------------------------------------------------------

ACE_HIGH = comb(12, 5)  # above every high card without an ace


def pair_of(rank: int) -> int:
    """A lower bound for the strength of a hand with a pair of this rank; lower pairs are below it."""
    return PAIR << 12 | rank << 8


@dataclass(frozen=True)
class PokerHand:
    """The best five cards of a hand: those that make it, and the kickers."""

    strength: int
    made: Cards
    kickers: Cards
    joker_rank: int | None  # the rank of the joker, if it is among the five

    @property
    def category(self) -> str:
        return CATEGORIES[self.strength >> 12]

    @property
    def name(self) -> str:
        lead, second = self.strength >> 8 & 15, self.strength >> 4 & 15
        match self.strength >> 12:
            case 0:
                return f"{RANK_NAMES[self._top]} high"
            case 1:
                return f"Pair of {plural(lead)}"
            case 2:
                return f"Two Pair, {plural(lead)} and {plural(second)}"
            case 3 | 7:
                return f"{self.category}, {plural(lead)}"
            case 4 | 8:
                return f"{self.category}, {RANK_NAMES[lead]} high"
            case 5:
                return f"Flush, {RANK_NAMES[self._top]} high"
            case 6:
                return f"Full House, {plural(lead)} over {plural(second)}"
        return self.category

    @property
    def tie_breakers(self) -> list[int]:
        """The ranks that order hands of one name, highest first: kickers, or the other cards of a flush."""
        cards = self.made[1:] if self.strength >> 12 == FLUSH else self.kickers
        return [_rank(card, self.joker_rank) for card in cards]

    def name_with(self, count: int) -> str:
        """The name with some tie-breakers: 'Pair of Kings, ace-nine kickers'."""
        ranks = "-".join(RANK_NAMES[rank].lower() for rank in self.tie_breakers[:count])
        if self.strength >> 12 == FLUSH:
            return f"{self.name}, then {ranks}"
        return f"{self.name}, {ranks} kicker{'s' * (count > 1)}"

    @property
    def _top(self) -> int:
        return _rank(self.made[0], self.joker_rank)


def describe_showdown(player: PokerHand, dealer: PokerHand) -> str:
    """Two hands in words, with the kickers up to the one that decides if the hands have one name.

    >>> from feltlab import cards
    >>> describe_showdown(read(cards("Ks Kd As 5c 4d")), read(cards("Kh Kc Qs 9c 8d")))
    'Pair of Kings, ace kicker, against Pair of Kings, queen kicker'
    """
    if player.name != dealer.name or player.strength == dealer.strength:
        return f"{player.name} against {dealer.name}"
    pairs = zip(player.tie_breakers, dealer.tie_breakers, strict=True)
    count = next(n for n, (mine, other) in enumerate(pairs, 1) if mine != other)
    return f"{player.name_with(count)}, against {dealer.name_with(count)}"


def read(hand: Iterable[int]) -> PokerHand:
    """Name the best five of five to seven cards.

    >>> from feltlab import cards
    >>> hand = read(cards("Ks Kd 9h 9c As 2d 3d"))
    >>> hand.name, hand.made, hand.kickers
    ('Two Pair, Kings and Nines', cards('Ks Kd 9h 9c'), cards('As'))
    """
    held = Cards(hand)
    if not 5 <= len(held) <= 7:
        raise Refused(f"A poker hand has five, six or seven cards, not {len(held)}.")
    best = _strength_of(held)
    five = next(five for five in combinations(held, 5) if _strength_of(five) == best)
    joker_rank = _joker_rank(five, best) if JOKER in five else None
    ranks = {card: _rank(card, joker_rank) for card in five}
    making = _making_ranks(best, ranks)
    made = [card for rank in making for card in five if ranks[card] == rank]
    kickers = sorted(set(five) - set(made), key=lambda card: -ranks[card])
    return PokerHand(best, Cards(made), Cards(kickers), joker_rank)


def _strength_of(hand: Iterable[int]) -> int:
    return int(strength(tables(), np.array(tuple(hand), np.uint8)))


def _rank(card: int, joker_rank: int | None) -> int:
    return joker_rank if card == JOKER and joker_rank is not None else rank_of(card)


def _joker_rank(five: tuple[int, ...], best: int) -> int:
    """The rank that the joker takes: an ace, unless a straight or a flush wants another."""
    category, naturals = best >> 12, [card for card in five if card != JOKER]
    ranks = {rank_of(card) for card in naturals}
    if category in (STRAIGHT, STRAIGHT_FLUSH, ROYAL):
        return next(rank for rank in _straight_ranks(best) if rank not in ranks)
    if category == FLUSH:
        return max(rank for rank in range(13) if rank not in ranks)
    return ACE


def _straight_ranks(best: int) -> list[int]:
    high = ACE if best >> 12 == ROYAL else best >> 8 & 15
    return [rank % 13 for rank in range(high, high - 5, -1)]


def _making_ranks(best: int, ranks: dict[int, int]) -> list[int]:
    """The ranks whose cards make the hand, in the order in which they are shown."""
    category, lead, second = best >> 12, best >> 8 & 15, best >> 4 & 15
    if category in (STRAIGHT, STRAIGHT_FLUSH, ROYAL):
        return _straight_ranks(best)
    if category == FLUSH:
        return sorted(ranks.values(), reverse=True)
    if category == HIGH_CARD:
        return [max(ranks.values())]
    if category == FIVE_ACES:
        return [ACE]
    return [lead, second] if category in (TWO_PAIR, FULL_HOUSE) else [lead]
