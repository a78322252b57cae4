"""Suit polynomials: counts of hands by their longest suit.

A hand is four sets of ranks, one for each suit. No suit of a hand is above a *top* (a size, then a set of
ranks of that size) if each of its sets is smaller, or of that size and not higher. The ways in which one suit
can do so are a polynomial in the number of cards held: below the size of the top the coefficient counts all
sets of the ranks that are left, at that size those that are not higher. The product of the four
polynomials counts hands, by their number of cards. `core/hands/longest_suit.py` has the strengths of tops.

Player's hands with one top are grouped by what matters of their other suits. A *kind* is all sets of ranks
with the same polynomials, run and number of ranks above the top's; a class is a top and three kinds.
"""

from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands import longest_suit
from feltlab.core.hands.longest_suit import ALL_RANKS, EACH_LANE, LANE_BITS, RANK_BITS
from feltlab.kernel import int64, kernel, lean
from feltlab.parallel.threads import map_in_threads, slices

Ints = NDArray[np.int64]
Polynomial = tuple[int, int, int, int, int, int, int, int]  # the coefficients for no card to seven cards
CARDS = 7  # of a hand
TERMS = CARDS + 1  # of a polynomial
MOST_BESIDE = 3  # cards of a suit beside the longest one
BELOW_BAR, BELOW, UP_TO = range(3)  # the three polynomials of a suit: below the bar, below the top, up to it
BOUNDS = 3
RESULTS = UNDER_BAR, LOWER, HIGHER, EQUAL = range(4)  # of a dealer; the last three qualify
SLICES = 64


@cache
def binomials() -> Ints:
    """By n up to 13 and k below `TERMS`: the number of sets of k out of n ranks."""
    return np.array([[comb(n, k) for k in range(TERMS)] for n in range(RANK_BITS + 1)])


@lean
def count_bits(ranks: int) -> int:
    """The number of ranks in a set."""
    return longest_suit.count_ranks(ranks) & 15


@lean
def highest_rank(ranks: int) -> int:
    """The highest rank of a set, -1 of the empty one."""
    rank = -1
    while ranks:
        ranks >>= 1
        rank += 1
    return rank


@lean
def count_lower(choose: Ints, left: int, top: int) -> int:
    """The number of sets of the ranks that are left, of the size of a top, that are lower than it."""
    size, rank, found = top >> RANK_BITS, RANK_BITS - 1, 0
    while size > 0:
        while not top >> rank & 1:
            rank -= 1
        found += int64(choose[count_bits(left & ((1 << rank) - 1)), size])
        if not left >> rank & 1:
            return found
        rank, size = rank - 1, size - 1
    return found


@lean
def holds_top(left: int, top: int) -> bool:
    """Are all ranks of a top left?"""
    return top & ALL_RANKS & ~left == 0


# -- Polynomials --------------------------------------------------------------------------------------


@lean
def factor(choose: Ints, left: int, top: int, or_equal: bool) -> Polynomial:
    """The polynomial of a suit of which these ranks are left: sets below a top, or also equal to it."""
    many, size = count_bits(left), top >> RANK_BITS
    at_size = count_lower(choose, left, top) + int64(or_equal and holds_top(left, top))
    return (
        _term(choose, many, size, at_size, 0),
        _term(choose, many, size, at_size, 1),
        _term(choose, many, size, at_size, 2),
        _term(choose, many, size, at_size, 3),
        _term(choose, many, size, at_size, 4),
        _term(choose, many, size, at_size, 5),
        _term(choose, many, size, at_size, 6),
        _term(choose, many, size, at_size, 7),
    )


@lean
def _term(choose: Ints, many: int, size: int, at_size: int, term: int) -> int:
    if term < size:
        return int64(choose[many, term])
    return int64(at_size) if term == size else int64(0)


@lean
def multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    """The product of two polynomials, up to hands of seven cards."""
    return (
        p[0] * q[0],
        p[0] * q[1] + p[1] * q[0],
        p[0] * q[2] + p[1] * q[1] + p[2] * q[0],
        p[0] * q[3] + p[1] * q[2] + p[2] * q[1] + p[3] * q[0],
        p[0] * q[4] + p[1] * q[3] + p[2] * q[2] + p[3] * q[1] + p[4] * q[0],
        p[0] * q[5] + p[1] * q[4] + p[2] * q[3] + p[3] * q[2] + p[4] * q[1] + p[5] * q[0],
        p[0] * q[6] + p[1] * q[5] + p[2] * q[4] + p[3] * q[3] + p[4] * q[2] + p[5] * q[1] + p[6] * q[0],
        last_term(p, q),
    )


@lean
def last_term(p: Polynomial, q: Polynomial) -> int:
    """The number of hands of seven cards that a product counts."""
    low = p[0] * q[7] + p[1] * q[6] + p[2] * q[5] + p[3] * q[4]
    return low + p[4] * q[3] + p[5] * q[2] + p[6] * q[1] + p[7] * q[0]


@lean
def count_hands(choose: Ints, ranks: int, word: int, top: int, or_equal: bool) -> int:
    """The hands of seven cards below a top, or also equal to it, without the cards of a gathered hand.

    Each suit of the deck has these ranks.
    """
    left = EACH_LANE * ranks & ~word
    one = factor(choose, left & ALL_RANKS, top, or_equal)
    two = factor(choose, left >> LANE_BITS & ALL_RANKS, top, or_equal)
    three = factor(choose, left >> 2 * LANE_BITS & ALL_RANKS, top, or_equal)
    four = factor(choose, left >> 3 * LANE_BITS & ALL_RANKS, top, or_equal)
    return last_term(multiply(one, two), multiply(three, four))


@lean
def split_dealers(below_bar: int, below: int, up_to: int, dealers: int) -> tuple[int, int, int, int]:
    """The dealers with each result, from those below the bar, below the player, and not above the player."""
    lower, equal = max(below - below_bar, 0), max(up_to - max(below, below_bar), 0)
    return below_bar, lower, dealers - max(up_to, below_bar), equal


@lean
def count_dealers(choose: Ints, ranks: int, bar: int, word: int, dealers: int) -> tuple[int, int, int, int]:
    """The dealers with each result against a gathered hand; `bar` is the lowest strength that qualifies."""
    top = longest_suit.strength_of_word(word)
    below_bar = count_hands(choose, ranks, word, bar, False)
    below, up_to = (
        count_hands(choose, ranks, word, top, False),
        count_hands(choose, ranks, word, top, True),
    )
    return split_dealers(below_bar, below, up_to, dealers)


# -- Classes of seven cards ---------------------------------------------------------------------------


class SuitClasses(NamedTuple):
    """Player's hands of seven cards, grouped by what matters; rows of arrays."""

    tops: Ints  # the strength of the hands
    runs: NDArray[np.uint8]  # the longest run in one suit
    above: NDArray[np.uint8]  # cards of other suits that are above the highest of the longest
    words: Ints  # a gathered hand of the class
    weights: Ints  # hands in the class
    counts: Ints  # counts[class, result]: dealers


class _Kinds(NamedTuple):
    """The kinds of other suits beside each top, those of one top together, in rising order of size."""

    start: Ints  # start[top, size]: the first kind beside a top with sets of this size, or of a larger one
    size: Ints  # by kind: the number of ranks in each of its sets
    run: Ints
    above: Ints
    is_top: Ints  # 1 for the top's own set, in another suit
    ranks: Ints  # one of its sets
    many: Ints  # how many sets it has
    factors: Ints  # its three polynomials


class _Deck(NamedTuple):
    """The parts from which the classes of a deck are made."""

    choose: Ints
    ranks: int  # in each suit
    bar: int
    tops: Ints  # every strength, in rising order
    own: Ints  # own[top]: the three polynomials of the longest suit
    dealers: int  # for each hand


def group_hands(ranks: int = ALL_RANKS, bar: int = 0) -> SuitClasses:
    """The classes of seven cards from a deck with these ranks in each of four suits.

    `bar` is the strength from which a dealer qualifies.
    """
    deck = _read_deck(ranks, bar)
    kinds = _find_kinds(deck)
    sizes = np.zeros(len(deck.tops) + 1, np.int64)
    _count_classes(kinds, deck.tops, sizes[1:])
    start = np.cumsum(sizes)
    found = _new_classes(int(start[-1]))
    map_in_threads(
        lambda part: _write_classes(kinds, deck, part.start, part.stop, int(start[part.start]), found),
        slices(len(deck.tops), SLICES),
    )
    return found


def _read_deck(ranks: int, bar: int) -> _Deck:
    tops = [size << RANK_BITS | bits for size in range(2, TERMS) for bits in sorted(_sets(ranks, size))]
    own = np.zeros((len(tops), BOUNDS, TERMS), np.int64)
    dealers = comb(4 * ranks.bit_count() - CARDS, CARDS)
    deck = _Deck(binomials(), ranks, bar, np.array(tops, np.int64), own, dealers)
    _write_factors(deck, np.arange(len(tops)), deck.tops & ALL_RANKS, own)
    return deck


def _sets(ranks: int, size: int) -> list[int]:
    """The sets of this many of the ranks."""
    return list(map(sum, combinations([1 << rank for rank in range(RANK_BITS) if ranks >> rank & 1], size)))


def _new_classes(many: int) -> SuitClasses:
    return SuitClasses(
        np.empty(many, np.int64),
        np.empty(many, np.uint8),
        np.empty(many, np.uint8),
        np.empty(many, np.int64),
        np.empty(many, np.int64),
        np.empty((many, len(RESULTS)), np.int64),
    )


def _find_kinds(deck: _Deck) -> _Kinds:
    sets = np.array([some for size in range(MOST_BESIDE + 1) for some in _sets(deck.ranks, size)], np.int64)
    none = np.empty(0, np.int64)
    keys, beside = np.empty((2, _write_keys(deck, sets, none, none)), np.int64)
    _write_keys(deck, sets, keys, beside)
    key, first, many = np.unique(keys, return_index=True, return_counts=True)
    factors = np.zeros((len(key), BOUNDS, TERMS), np.int64)
    _write_factors(deck, key >> _TOP, beside[first], factors)
    places = np.arange(len(deck.tops))[:, None] << _TOP | np.arange(MOST_BESIDE + 2) << _SIZE
    size, run, above = (key >> shift & 7 for shift in (_SIZE, _RUN, _ABOVE))
    is_top, start = key >> _IS_TOP & 1, np.searchsorted(key, places)
    return _Kinds(start, size, run, above, is_top, beside[first], many, factors)


# A top and a set beside it as one number, in which equal kinds are equal; the shift of each part of it.
_TOP, _SIZE, _RUN, _ABOVE, _IS_TOP, _UNDER_BAR, _LOWER = 36, 33, 30, 27, 26, 13, 1


@kernel
def _write_keys(deck: _Deck, sets: Ints, keys: Ints, beside: Ints) -> int:
    """Write the key of every set beside every top for which there is room; return their number."""
    found = 0
    for n in range(len(deck.tops)):
        top = deck.tops[n]
        for some in sets:
            size = count_bits(some)
            if size + (top >> RANK_BITS) > CARDS or size << RANK_BITS | some > top:
                continue
            if found < len(keys):
                keys[found], beside[found] = int64(n) << _TOP | _write_key(deck, top, some), some
            found += 1
    return found


@kernel
def _write_key(deck: _Deck, top: int, some: int) -> int:
    left, is_top = deck.ranks & ~some, int64(some == top & ALL_RANKS)
    key = count_bits(some) << _SIZE | longest_suit.run_of_word(some) << _RUN | is_top << _IS_TOP
    key |= count_bits(some >> highest_rank(top & ALL_RANKS) + 1) << _ABOVE
    key |= count_lower(deck.choose, left, deck.bar) << _UNDER_BAR
    if top < deck.bar:  # only the bar matters
        return key
    return key | count_lower(deck.choose, left, top) << _LOWER | int64(holds_top(left, top))


@kernel
def _write_factors(deck: _Deck, at: Ints, taken: Ints, factors: Ints) -> None:
    """Write the three polynomials of each suit without the ranks taken, beside the top at its place."""
    for n in range(len(at)):
        left, top = deck.ranks & ~taken[n], deck.tops[at[n]]
        _write_polynomial(factors[n, BELOW_BAR], factor(deck.choose, left, deck.bar, False))
        _write_polynomial(factors[n, BELOW], factor(deck.choose, left, top, False))
        _write_polynomial(factors[n, UP_TO], factor(deck.choose, left, top, True))


@lean
def _write_polynomial(row: Ints, polynomial: Polynomial) -> None:
    for term in range(TERMS):
        row[term] = polynomial[term]


@lean
def _read_polynomial(row: Ints) -> Polynomial:
    return row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]


@lean
def _read_factors(rows: Ints) -> tuple[Polynomial, Polynomial, Polynomial]:
    return _read_polynomial(rows[0]), _read_polynomial(rows[1]), _read_polynomial(rows[2])


@lean
def _multiply_factors(
    some: tuple[Polynomial, Polynomial, Polynomial], others: tuple[Polynomial, Polynomial, Polynomial]
) -> tuple[Polynomial, Polynomial, Polynomial]:
    return multiply(some[0], others[0]), multiply(some[1], others[1]), multiply(some[2], others[2])


@kernel
def _count_classes(kinds: _Kinds, tops: Ints, sizes: Ints) -> None:
    """Write the number of classes of each top."""
    for n in range(len(tops)):
        start, left = kinds.start[n], CARDS - (tops[n] >> RANK_BITS)
        for a in range(start[0], start[-1]):
            for b in range(a, start[-1]):
                rest = left - kinds.size[a] - kinds.size[b]
                if rest < kinds.size[b]:
                    break  # kinds are in rising order of size
                if rest <= MOST_BESIDE:
                    sizes[n] += max(start[rest + 1] - max(b, start[rest]), 0)


@lean
def _count_hands(kinds: _Kinds, a: int, b: int, c: int) -> int:
    """The hands of a top and three kinds: the orders of the four suits, times the sets of each kind."""
    orders, same = 24, 1
    for equal in (a == b, b == c):
        same = same + 1 if equal else 1
        orders //= same
    orders //= int64(1 + kinds.is_top[a] + kinds.is_top[b] + kinds.is_top[c])
    return orders * int64(kinds.many[a]) * int64(kinds.many[b]) * int64(kinds.many[c])


@kernel
def _write_classes(kinds: _Kinds, deck: _Deck, first: int, stop: int, at: int, found: SuitClasses) -> None:
    """Write the classes of some tops from a place on: each top with three kinds, in rising order."""
    for n in range(first, stop):
        start, left = kinds.start[n], CARDS - (deck.tops[n] >> RANK_BITS)
        own = _read_factors(deck.own[n])
        for a in range(start[0], start[-1]):
            two = _multiply_factors(own, _read_factors(kinds.factors[a]))
            for b in range(a, start[-1]):
                rest = left - kinds.size[a] - kinds.size[b]
                if rest < kinds.size[b]:
                    break  # kinds are in rising order of size
                if rest > MOST_BESIDE:
                    continue
                three = _multiply_factors(two, _read_factors(kinds.factors[b]))
                for c in range(max(b, start[rest]), start[rest + 1]):
                    _write_class(kinds, deck.tops[n], a, b, c, found, at)
                    last = _read_factors(kinds.factors[c])
                    below_bar, below = last_term(three[0], last[0]), last_term(three[1], last[1])
                    up_to = last_term(three[2], last[2])
                    split = split_dealers(below_bar, below, up_to, deck.dealers)
                    for result in range(len(split)):
                        found.counts[at, result] = split[result]
                    at += 1


@lean
def _write_class(kinds: _Kinds, top: int, a: int, b: int, c: int, found: SuitClasses, at: int) -> None:
    """Write a class, all but its counts."""
    ranks, own = kinds.ranks, top & ALL_RANKS
    word = own | ranks[a] << LANE_BITS | ranks[b] << 2 * LANE_BITS | ranks[c] << 3 * LANE_BITS
    found.tops[at], found.words[at] = top, word
    found.runs[at] = longest_suit.run_of_word(word)
    found.above[at] = kinds.above[a] + kinds.above[b] + kinds.above[c]
    found.weights[at] = _count_hands(kinds, a, b, c)
