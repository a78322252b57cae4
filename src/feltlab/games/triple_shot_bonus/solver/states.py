"""The states of the player's hand: hands that differ in nothing that matters are one state.

Suits matter only to Poker, and there only for a flush. A hand of k cards can still become one only if
k - 1 or more are of one suit, because five of six cards must be. So from three cards on a hand is either

- **plain**: no flush is in reach, so only its ranks matter; or
- **suited**: given by the ranks of its suit, the rank of the one card of another suit if there is one, and
  whether the dealer's up-card is of that suit.

A plain hand stays plain. That makes a hundred thousand states for each up-card instead of millions. They
are numbered so that a card leads from a state to a later one: suited hands by rising size, then plain
hands by rising size.

A strategy that looks at ranks only moves among plain hands; six cards then win Poker with a probability.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE
from feltlab.core.hands import blackjack, poker
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.dealer import TEN_VALUE, six_values
from feltlab.kernel import int64, kernel, lean

Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]
Hand = NDArray[np.integer[Any]]
Ranks = tuple[int, ...]
Suited = tuple[Ranks, int]  # the ranks of the suit and the odd rank

RANKS = 13
NONE = 13  # in place of the odd rank: all cards are of the suit
SIX = rules.PLAYER_CARDS

# A probability that Poker wins is a whole number of these parts: of hands of six different ranks 19/1024 are
# a flush, of five different ones 8/1024.
PARTS = 1024


class States(NamedTuple):
    """The tables of all states; they hold for every up-card."""

    first_plain: int
    pair: Ints  # by two ranks: the plain hand
    child: Ints  # by plain hand, counted from the first, and rank of the next card; -1 where there is none
    held: Bytes  # by plain hand, counted from the first, and rank: how many of it
    suited: Ints  # by set of ranks * 14 + odd rank: the suited hand whose suit is not the up-card's
    own: Ints  # by suited hand: the ranks of its suit as bits
    odd: Bytes  # by suited hand
    plain_of: Ints  # by state: the plain hand of the same ranks
    size: Bytes  # by state
    values: Ints  # by state of six cards: the number of its six values
    poker: Bytes  # by state of six cards: the outcome of Poker


@lean
def find_state(table: States, suits_seen: bool, hand: Hand) -> int:
    """The state of a hand of two cards or more, the up-card being of suit 0."""
    state = _find_suited(table.suited, hand) if suits_seen and len(hand) > 2 else -1
    return state if state >= 0 else _find_plain(table, hand)


@lean
def _find_suited(suited: Ints, hand: Hand) -> int:
    size = len(hand)
    for suit in range(4):
        own = 0
        held = 0
        odd = NONE
        for i in range(size):
            if hand[i] & 3 == suit:
                own |= 1 << (hand[i] >> 2)
                held += 1
            else:
                odd = hand[i] >> 2
        if held >= size - 1:
            return int64(suited[own * 14 + odd]) + (suit == 0)
    return -1


@lean
def _find_plain(table: States, hand: Hand) -> int:
    child, first = table.child, table.first_plain
    plain = table.pair[hand[0] >> 2, hand[1] >> 2]
    for i in range(2, len(hand)):
        plain = child[plain - first, hand[i] >> 2]
    return int64(plain)


@kernel
def unseen_cards(first: int, second: int, up: int) -> NDArray[np.int64]:
    """The cards that are left after two of the player's and an up-card of suit 0."""
    rest = np.empty(49, np.int64)
    found = 0
    for card in range(52):
        if card not in (first, second, 4 * up):
            rest[found] = card
            found += 1
    return rest


# -- The next card ----------------------------------------------------------------------------------


class Links(NamedTuple):
    """The states to which the next card can lead, and in how many ways; those of a state follow its start."""

    start: Ints
    to: Ints
    ways: Bytes


@kernel
def _link(table: States, up: int, start: Ints, to: Ints, ways: Bytes) -> int:
    found = 0
    for state in range(len(table.plain_of)):
        start[state] = found
        if table.size[state] == SIX:
            continue
        for rank in range(RANKS):
            if state < table.first_plain:
                found = _link_suited(table, up, state, rank, to, ways, found)
            else:
                plain = state - table.first_plain
                left = 4 - int(table.held[plain, rank]) - (rank == up)
                found = _write(to, ways, found, table.child[plain, rank], left)
    start[len(table.plain_of)] = found
    return found


@kernel
def _link_suited(table: States, up: int, state: int, rank: int, to: Ints, ways: Bytes, found: int) -> int:
    same = state & 1  # is the up-card of its suit?
    own, odd = table.own[state >> 1], table.odd[state >> 1]
    if not (own >> rank & 1 or (same and rank == up)):
        found = _write(to, ways, found, table.suited[(own | 1 << rank) * 14 + odd] + same, 1)
    left = 3 - (odd == rank) - (not same and rank == up)
    if odd == NONE:
        return _write(to, ways, found, table.suited[own * 14 + rank] + same, left)
    return _write(to, ways, found, table.child[table.plain_of[state] - table.first_plain, rank], left)


@kernel
def _write(to: Ints, ways: Bytes, found: int, state: int, left: int) -> int:
    if left <= 0:
        return found
    to[found] = state
    ways[found] = left
    return found + 1


def links(up: int) -> Links:
    """The links when the up-card is of this rank."""
    table = states()
    start = np.zeros(len(table.plain_of) + 1, np.int32)
    room = 2 * RANKS * len(table.plain_of)
    to, ways = np.empty(room, np.int32), np.empty(room, np.uint8)
    found = _link(table, up, start, to, ways)
    return Links(start, to[:found], ways[:found])


# -- Tables -----------------------------------------------------------------------------------------


@cache
def states() -> States:
    plain, suited = _plain_hands(), _suited_hands()
    twice = [hand for hand in suited for _ in range(2)]
    first = len(twice)
    number = {hand: first + i for i, hand in enumerate(plain)}
    plain_of = [number[_ranks(hand)] for hand in twice] + [*number.values()]
    size = [len(_ranks(hand)) for hand in twice] + [len(hand) for hand in plain]
    return States(
        first_plain=first,
        pair=np.array([[number[min(a, b), max(a, b)] for b in range(RANKS)] for a in range(RANKS)], np.int32),
        child=_children(plain, number),
        held=np.array([np.bincount(hand, minlength=RANKS) for hand in plain], np.uint8),
        suited=_suited_numbers(suited),
        own=np.array([_mask(own) for own, _ in suited], np.int32),
        odd=np.array([odd for _, odd in suited], np.uint8),
        plain_of=np.array(plain_of, np.int32),
        size=np.array(size, np.uint8),
        values=np.array([_six_values(hand) for hand in plain], np.int32)[np.array(plain_of) - first],
        poker=_poker([_gathered(hand) for hand in twice] + [_spread(hand) for hand in plain]),
    )


def _plain_hands() -> list[Ranks]:
    by_size = (combinations_with_replacement(range(RANKS), size) for size in range(2, SIX + 1))
    return [hand for hands in by_size for hand in hands if max(map(hand.count, hand)) <= 4]


def _suited_hands() -> list[Suited]:
    return [
        (own, odd)
        for size in range(3, SIX + 1)
        for held, odds in ((size - 1, range(RANKS)), (size, (NONE,)))
        for own in combinations(range(RANKS), held)
        for odd in odds
    ]


def _children(plain: list[Ranks], number: dict[Ranks, int]) -> Ints:
    fewer = (hand for hand in plain if len(hand) < SIX)
    return np.array(
        [[number.get(tuple(sorted((*hand, rank))), -1) for rank in range(RANKS)] for hand in fewer], np.int32
    )


def _suited_numbers(suited: list[Suited]) -> Ints:
    numbers = np.full((1 << RANKS) * 14, -1, np.int32)
    for i, (own, odd) in enumerate(suited):
        numbers[_mask(own) * 14 + odd] = 2 * i
    return numbers


def _mask(ranks: Ranks) -> int:
    return sum(1 << rank for rank in ranks)


def _ranks(suited: Suited) -> Ranks:
    own, odd = suited
    return own if odd == NONE else tuple(sorted((*own, odd)))


def _six_values(ranks: Ranks) -> int:
    if len(ranks) < SIX:
        return 0
    values = sorted(0 if rank == ACE else min(rank + 1, TEN_VALUE) for rank in ranks)
    return six_values()[tuple(values)]


def _spread(ranks: Ranks) -> list[int]:
    """Cards of these ranks in rising order, no more than two of a suit."""
    return [4 * rank + i % 4 for i, rank in enumerate(ranks)]


def _gathered(suited: Suited) -> list[int]:
    own, odd = suited
    return [4 * rank for rank in own] + ([] if odd == NONE else [4 * odd + 1])


def _poker(hands: list[list[int]]) -> Bytes:
    """The outcome of Poker for each hand of six, 0 for the others."""
    six = [i for i, hand in enumerate(hands) if len(hand) == SIX]
    found = np.empty(len(six), np.uint16)
    poker.strengths(poker.tables(), np.array([hands[i] for i in six], np.uint8), found)
    outcomes = np.zeros(len(hands), np.uint8)
    outcomes[six] = [rules.judge_poker(int(strength)) for strength in found]
    return outcomes


@cache
def totals() -> tuple[Ints, NDArray[np.bool_]]:
    """The Blackjack total of every state, and whether it is soft."""
    found = [blackjack.total(np.array(_spread(hand), np.uint8)) for hand in _plain_hands()]
    plain = states().plain_of - states().first_plain
    return np.array([n for n, _ in found], np.int32)[plain], np.array([soft for _, soft in found])[plain]


@cache
def poker_parts(suits_seen: bool) -> NDArray[np.int64]:
    """By state of six cards: the probability that Poker wins, in parts; 0 or 1 where suits are seen."""
    table = states()
    parts = np.where((table.poker == rules.NO_JACKS) | (table.size < SIX), 0, PARTS).astype(np.int64)
    if not suits_seen:
        flushes = _flushes()
        for state in np.flatnonzero((parts == 0) & (table.size == SIX)):
            suits = prod(comb(4, n) for n in table.held[state - table.first_plain].tolist())
            parts[state] = PARTS * flushes[state] // suits
    return parts


def _flushes() -> NDArray[np.int64]:
    """By plain hand: the number of ways to give suits to its ranks that make a flush."""
    table = states()
    suited = np.arange(0, table.first_plain, 2)
    ways = np.where(table.odd == NONE, 4, 12)  # four suits, and three others for the odd card
    return np.bincount(table.plain_of[suited], ways, len(table.plain_of)).astype(np.int64)
