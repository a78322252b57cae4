"""Showdowns of six cards against a dealer who shows three of six: whom a player's hand can meet.

The *up cards* are three of the dealer's six, seen before the choice; the *last three* are the others. For
given up cards, the number of dealers below some strength whom a player's hand P can meet is the sum over the
sets S of at most three cards of P of (-1)^|S| n(S), where n(S) is the number of last threes that contain S
and make such a dealer.

Few hands differ in that sum. Ranks alone decide a dealer's strength, but for flushes, and a flush needs two
or three up cards of one suit, the *shared suit*. So n(S) has two parts:

- **by ranks**: every last three, valued as if there were no flushes;
- **by kinds of cards**: the last threes that make a flush, taken out at the strength of their ranks and put
  back at their own. The kind of a card is its rank, and whether it is of the shared suit.

Hands of the same kinds meet the same dealers: they are one class. `sweep` takes all classes in the
order of their strength and keeps n(S) for that strength.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands import poker
from feltlab.core.hands.poker import Tables, look_up
from feltlab.kernel import int64, kernel, lean

Ints = NDArray[np.int64]

HAND, UP, LAST = 6, 3, 3  # cards of the player, and of the dealer
FLUSH_CARDS = 5
RANKS = 13
KINDS = 2 * RANKS  # the rank, and RANKS more for a card of the shared suit
SUIT_BITS = 16  # the part of a card's key that counts suits
SUBSETS = 1 << LAST


# -- HandShapes of a player's hand ------------------------------------------------------------------------


class HandShapes(NamedTuple):
    """The parts of hands in rising order of strength: six ranks, or the five or six ranks of a flush."""

    rank: Ints  # [shape, n]: its different ranks, rising
    copies: Ints  # [shape, n]: how often it has each
    ranks: Ints  # how many different ranks
    is_flush: NDArray[np.bool_]
    strength: Ints
    order: Ints  # the order index: how many weaker strengths there are


@cache
def all_shapes() -> HandShapes:
    tables = poker.tables()
    sixes = np.array([*combinations_with_replacement(range(RANKS), HAND)])
    copies = (sixes[:, :, None] == np.arange(RANKS)).sum(axis=1)
    copies = copies[copies.max(axis=1) <= 4]
    suited = [
        np.isin(np.arange(RANKS), held).astype(np.int64)
        for size in (FLUSH_CARDS, HAND)
        for held in combinations(range(RANKS), size)
    ]
    flushes = tables.flushes[np.array(suited) @ (1 << np.arange(RANKS))]
    by_ranks = strengths_of_ranks(tables, copies @ rank_keys(tables))
    strength = np.concatenate((by_ranks, flushes.astype(np.int64)))
    by_strength = np.argsort(strength, kind="stable")
    held = np.concatenate((copies, suited))[by_strength]
    _, order = np.unique(strength[by_strength], return_inverse=True)
    rank, times = np.zeros((2, len(held), HAND), np.int64)
    for n, row in enumerate(held):
        found = np.flatnonzero(row)
        rank[n, : len(found)], times[n, : len(found)] = found, row[found]
    is_flush = by_strength >= len(copies)
    return HandShapes(rank, times, (held > 0).sum(axis=1), is_flush, strength[by_strength], order)


def rank_keys(tables: Tables) -> Ints:
    """By rank: the key of its cards without their suits."""
    keys: Ints = tables.key[np.arange(RANKS) * 4] >> SUIT_BITS << SUIT_BITS
    return keys


@kernel
def strengths_of_ranks(tables: Tables, keys: Ints) -> Ints:
    """The strengths of hands of ranks without suits, from the sums of their keys."""
    out = np.empty(len(keys), np.int64)
    for n in range(len(keys)):
        out[n] = look_up(tables, keys[n], 0)
    return out


# -- KindPlaces of sets of cards --------------------------------------------------------------------------


class KindPlaces(NamedTuple):
    """The place of up to three ranks or kinds, with repetition: a sum of one number for each, rising."""

    second: Ints  # by kind: the twos that end below it
    third: Ints  # the threes that end below it
    choose: Ints  # [n, k]


PLACES = KindPlaces(
    np.array([comb(kind + 1, 2) for kind in range(KINDS)]),
    np.array([comb(kind + 2, 3) for kind in range(KINDS)]),
    np.array([[comb(n, k) for k in range(HAND + 1)] for n in range(HAND + 1)]),
)
# In a table, sets of ranks come first, then sets of kinds: nothing, single ones, twos, threes.
NO_RANK, ONE_RANK = 0, 1
TWO_RANKS = ONE_RANK + RANKS
THREE_RANKS = TWO_RANKS + comb(RANKS + 1, 2)
NO_KIND = THREE_RANKS + comb(RANKS + 2, 3)
ONE_KIND = NO_KIND + 1
TWO_KINDS = ONE_KIND + KINDS
THREE_KINDS = TWO_KINDS + comb(KINDS + 1, 2)
TABLE_SIZE = THREE_KINDS + comb(KINDS + 2, 3)
RANK_STARTS = (NO_RANK, ONE_RANK, TWO_RANKS, THREE_RANKS)
KIND_STARTS = (NO_KIND, ONE_KIND, TWO_KINDS, THREE_KINDS)


# -- The cards beside the up cards --------------------------------------------------------------------


class CardsBeside(NamedTuple):
    """The cards that are left beside some up cards."""

    suit: int  # the shared suit; -1 if there is none
    loose: int  # how many of the last three may be of other suits in a flush
    kinds: Ints  # by kind: how many cards are left
    ranks: Ints  # by rank, likewise
    free: Ints  # by suit: the ranks that are left, a bit each


@kernel
def find_beside(deck: Ints, up: Ints) -> CardsBeside:
    suit, shared = -1, 1
    for a in up:
        same = 0
        for b in up:
            same += a & 3 == b & 3
        if same > shared:
            suit, shared = a & 3, same
    kinds, ranks, free = np.zeros(KINDS, np.int64), np.zeros(RANKS, np.int64), np.zeros(4, np.int64)
    for card in deck:
        if not (up == card).any():
            ranks[card >> 2] += 1
            kinds[(card >> 2) + RANKS * (card & 3 == suit)] += 1
            free[card & 3] |= 1 << (card >> 2)
    return CardsBeside(suit, LAST - (FLUSH_CARDS - shared), kinds, ranks, free)


class LastThrees(NamedTuple):
    """Sets of last threes that count alike."""

    strength: Ints
    place: Ints  # [set, subset of a three]
    ways: Ints  # likewise: how many of the threes contain it; negative where they are taken out


@kernel
def list_last_threes(
    tables: Tables, rank_key: Ints, places: KindPlaces, up: Ints, beside: CardsBeside
) -> LastThrees:
    """All threes by ranks, and the corrections for flushes, in no order."""
    most = 2 * (TABLE_SIZE - THREE_KINDS)
    out = LastThrees(
        np.empty(most, np.int64), np.empty((most, SUBSETS), np.int64), np.empty((most, SUBSETS), np.int64)
    )
    key = int64(0)
    for card in up:
        key += rank_key[card >> 2]
    found, three = 0, np.empty(LAST, np.int64)
    for c in range(RANKS):
        for b in range(c + 1):
            for a in range(b + 1):
                three[0], three[1], three[2] = a, b, c
                strength = look_up(tables, key + rank_key[a] + rank_key[b] + rank_key[c], 0)
                found = _add_threes(places, three, beside.ranks, RANK_STARTS, strength, 1, out, found)
    if beside.suit >= 0:
        found = _add_flushes(tables, rank_key, places, up, beside, out, found)
    return LastThrees(out.strength[:found], out.place[:found], out.ways[:found])


def sort_last_threes(threes: LastThrees) -> LastThrees:
    """The same sets in rising order of strength."""
    order = np.argsort(threes.strength, kind="stable")
    return LastThrees(threes.strength[order], threes.place[order], threes.ways[order])


@kernel
def _add_flushes(
    tables: Tables,
    rank_key: Ints,
    places: KindPlaces,
    up: Ints,
    beside: CardsBeside,
    out: LastThrees,
    found: int,
) -> int:
    """Take out each three that makes a flush at the strength of its ranks, and put it back at its own."""
    key, suited = int64(0), int64(0)
    for card in up:
        key += rank_key[card >> 2]
        if card & 3 == beside.suit:
            suited |= int64(1) << (card >> 2)
    three = np.empty(LAST, np.int64)
    for c in range(RANKS, KINDS):
        for b in range(RANKS, c):
            for a in range(0 if beside.loose else RANKS, b):
                three[0], three[1], three[2] = a, b, c
                held = suited | int64(1) << (b - RANKS) | int64(1) << (c - RANKS)
                if a >= RANKS:
                    held |= int64(1) << (a - RANKS)
                by_ranks = key + rank_key[a % RANKS] + rank_key[b - RANKS] + rank_key[c - RANKS]
                plain = look_up(tables, by_ranks, 0)
                best = max(plain, int64(tables.flushes[held]))
                found = _add_threes(places, three, beside.kinds, KIND_STARTS, plain, -1, out, found)
                found = _add_threes(places, three, beside.kinds, KIND_STARTS, best, 1, out, found)
    return found


@kernel
def _add_threes(
    places: KindPlaces,
    three: Ints,
    left: Ints,
    starts: tuple[int, int, int, int],
    strength: int,
    sign: int,
    out: LastThrees,
    found: int,
) -> int:
    """Write the threes of these ranks or kinds, rising, if there are any; return the sets so far."""
    for subset in range(SUBSETS):
        place, size, ways = int64(0), 0, sign
        i = 0
        while i < LAST:
            kind, copies, inside = three[i], 0, 0
            while i + copies < LAST and three[i + copies] == kind:
                if subset >> (i + copies) & 1:
                    ways *= inside == copies  # of cards of one kind, a subset holds the first ones
                    place += kind if size == 0 else places.second[kind] if size == 1 else places.third[kind]
                    inside += 1
                    size += 1
                copies += 1
            if left[kind] < copies:
                return found
            ways *= places.choose[left[kind] - inside, copies - inside]
            i += copies
        out.place[found, subset] = starts[size] + place
        out.ways[found, subset] = ways
    out.strength[found] = strength
    return found + 1


# -- The dealers whom a class meets ---------------------------------------------------------------------


@lean
def count_by_ranks(places: KindPlaces, table: Ints, hand: Ints) -> int:
    """Sum a table over the subsets of a hand of these ranks, rising, as if there were no flushes."""
    second, third = places.second, places.third
    found = int64(table[NO_RANK])
    for i in range(HAND):
        found -= table[ONE_RANK + hand[i]]
        for j in range(i):
            found += table[TWO_RANKS + second[hand[i]] + hand[j]]
            at = THREE_RANKS + third[hand[i]] + second[hand[j]]
            for k in range(j):
                found -= table[at + hand[k]]
    return found


@lean
def correct_flushes(places: KindPlaces, table: Ints, loose: int, hand: Ints, plain: int) -> int:
    """Sum the corrections for flushes for a hand of these kinds; the first `plain` are of other suits."""
    second, third = places.second, places.third
    found = int64(table[NO_KIND])
    for i in range(plain, HAND):
        found -= table[ONE_KIND + hand[i]]
        for j in range(plain, i):
            found += table[TWO_KINDS + second[hand[i]] + hand[j]]
            at = THREE_KINDS + third[hand[i]] + second[hand[j]]
            for k in range(plain, j):
                found -= table[at + hand[k]]
    for n in range(plain if loose else 0):
        found -= table[ONE_KIND + hand[n]]
        for i in range(plain, HAND):
            found += table[TWO_KINDS + second[hand[i]] + hand[n]]
            at = THREE_KINDS + third[hand[i]] + hand[n]
            for j in range(plain, i):
                found -= table[at + second[hand[j]]]
    return found


@lean
def correct_shape(
    places: KindPlaces, table: Ints, loose: int, rank: Ints, copies: Ints, ranks: int, out: Ints
) -> None:
    """Write the corrections for flushes for all classes of one shape: by set of its ranks in the shared suit.

    For each set of suited cards, and at most one card beside them, its term is written at the ranks that a
    class must have suited to contain it. A card of another suit that is counted for every copy of its rank
    is counted once too often where that rank is suited.
    """
    second, third = places.second, places.third
    for n in range(1 << ranks):
        out[n] = 0
    out[0] = table[NO_KIND]
    for i in range(ranks):
        a, at_a = rank[i] + RANKS, 1 << i
        out[at_a] -= table[ONE_KIND + a]
        for j in range(i):
            b, at_b = rank[j] + RANKS, at_a | 1 << j
            out[at_b] += table[TWO_KINDS + second[a] + b]
            for k in range(j):
                out[at_b | 1 << k] -= table[THREE_KINDS + third[a] + second[b] + rank[k] + RANKS]
    for n in range(ranks if loose else 0):
        beside, times, at_n = rank[n], copies[n], 1 << n
        term = table[ONE_KIND + beside]
        out[0] -= times * term
        out[at_n] += term
        for i in range(ranks):
            a, at_a = rank[i] + RANKS, 1 << i
            term = table[TWO_KINDS + second[a] + beside]
            out[at_a] += times * term
            out[at_a | at_n] -= term
            for j in range(i):
                term = table[THREE_KINDS + third[a] + second[rank[j] + RANKS] + beside]
                out[at_a | 1 << j] -= times * term
                out[at_a | 1 << j | at_n] += term
    for i in range(ranks):  # from terms of single sets to sums over all sets that a class contains
        for n in range(1 << ranks):
            if n >> i & 1:
                out[n] += out[n ^ 1 << i]


# -- One hand -------------------------------------------------------------------------------------------


@kernel
def count_dealers(tables: Tables, deck: Ints, hand: Ints, up: Ints, qualified: int) -> Ints:
    """Count the dealers whom one hand meets: unqualified and weaker, equal, stronger; then the qualified."""
    mine, key, lanes = poker.strength(tables, hand), int64(poker.LANES_EMPTY), int64(0)
    for card in up:
        key += tables.key[card]
        lanes += tables.lane[card]
    rest = np.array([card for card in deck if not ((hand == card).any() or (up == card).any())])
    count = np.zeros(6, np.int64)
    for i in range(len(rest)):
        for j in range(i):
            for k in range(j):
                a, b, c = rest[i], rest[j], rest[k]
                keys = key + tables.key[a] + tables.key[b] + tables.key[c]
                dealer = look_up(tables, keys, lanes + tables.lane[a] + tables.lane[b] + tables.lane[c])
                count[3 * (dealer >= qualified) + (dealer >= mine) + (dealer > mine)] += 1
    return count
