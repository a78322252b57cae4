"""The weights of all dealer's hands that hold a card and avoid a hand of seven, for each card at once.

A dealer's hand has a weight by its strength. Inclusion and exclusion over the subsets of the player's hand
sums them: a table by class of set holds the weights of all hands that contain the set, for sets of up to
four cards of the player's and the dealer's card beside them. A dealer's hand that shares five cards with
the player's is added once by these terms and one that shares six five times, so both are taken out again.

What is taken out depends on the ranks of the player's hand alone, but for dealers who have a flush. So it is
computed once for all hands of the same ranks, as if there were no flushes, and then corrected for those.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import JOKER
from feltlab.core.hands.poker import LANES_EMPTY, Tables, look_up
from feltlab.counting.showdown import places
from feltlab.counting.subsets import HAND, PARTS, RANK_COUNT, Ints, Numbers, Parts, Subsets, place
from feltlab.counting.suits import Hands, sort
from feltlab.kernel import int64, kernel, lean

TABLED = 4  # cards of the player's hand in the largest sets of the tables
SUIT_BITS = 16  # the part of a card's key that counts suits


class CardSets(NamedTuple):
    """The classes of the sets of a deck with each card beside them."""

    ways: Parts
    tables: Tables  # these look up order indices
    deck: Hands
    beside: Numbers  # by place of up to four cards, and card: the class of both together
    rank_key: Ints  # by rank: the key of its cards without their suits


class DealerWeights(NamedTuple):
    """The weights of dealer's hands against players of one strength."""

    sets: NDArray[Any]  # by class: of all hands that contain the set; the last is 0, of no class
    hands: Ints  # by order index


def link_cards(subsets: Subsets, tables: Tables) -> CardSets:
    beside = np.full((PARTS.first[TABLED + 1], JOKER + 1), subsets.first[TABLED + 2], np.int32)
    for size in range(TABLED + 1):
        _link(PARTS, subsets.deck, subsets.number, size, beside)
    rank_key = tables.key[np.minimum(np.arange(RANK_COUNT) * 4, JOKER)] >> SUIT_BITS << SUIT_BITS
    return CardSets(PARTS, tables, subsets.deck, beside, rank_key)


@kernel
def _link(ways: Parts, deck: Hands, number: Numbers, size: int, beside: Numbers) -> None:
    """Write the class of every set of a size with each card outside of it."""
    at, cards, longer = np.arange(size), np.empty(size, np.uint8), np.empty(size + 1, np.uint8)
    while True:
        for i in range(size):
            cards[i] = deck[at[i]]
        row = place(ways, cards)
        for card in deck:
            if not (cards == card).any():
                longer[:size], longer[size] = cards, card
                sort(longer)
                beside[row, card] = number[place(ways, longer)]
        i = 0  # count up: the lowest card that can move moves, and those below it begin again
        while i < size and at[i] + 1 == (at[i + 1] if i + 1 < size else len(deck)):
            i += 1
        if i == size:
            return
        at[i] += 1
        for j in range(i):
            at[j] = j


# -- One hand -----------------------------------------------------------------------------------------


class SameRanks(NamedTuple):
    """The common facts of hands of the same ranks; the last axis is the rank of the dealer's card."""

    shared: Ints  # the weights of dealers who share five or six cards, as if there were no suits
    flushes: Ints  # by suit, cards of it in the hand, and whether the dealer's card is of it: the correction
    is_known: NDArray[np.bool_]  # by suit and cards of it in the hand: whether `flushes` is


@kernel
def sum_cards(known: CardSets, weights: DealerWeights, hands: Hands, out: Ints) -> None:
    """By sorted hand and card: the weights of all dealer's hands that hold the card and avoid the hand.

    Hands of the same ranks that follow one another are quickest.
    """
    same = SameRanks(
        np.empty(RANK_COUNT, np.int64),
        np.empty((4, 1 << HAND, 2, RANK_COUNT), np.int64),
        np.empty((4, 1 << HAND), np.bool_),
    )
    place_of, before = np.empty(1 << HAND, np.int64), int64(-1)
    for n in range(len(hands)):
        ranks = int64(0)
        for card in hands[n]:
            ranks += known.rank_key[card >> 2]
        if ranks != before:
            _sum_shared(known, weights.hands, hands[n], ranks, same.shared)
            same.is_known[:] = False
            before = ranks
        places(known.ways, hands[n], place_of)
        _sum_small_sets(known, weights.sets, place_of, out[n])
        for card in known.deck:
            out[n, card] -= same.shared[card >> 2]
        _correct_flushes(known, weights.hands, hands[n], ranks, same, out[n])
        for card in hands[n]:
            out[n, card] = 0


@lean
def _sum_small_sets(known: CardSets, sets: NDArray[Any], place_of: Ints, out: Ints) -> None:
    """Add the terms of up to four cards of the hand, each with one card more."""
    ways = known.ways
    out[:] = 0
    for size in range(TABLED + 1):
        for i in range(ways.start[size], ways.start[size + 1]):
            row = ways.first[size] + place_of[ways.mask[i]]
            if size & 1:
                for card in range(JOKER + 1):
                    out[card] -= sets[known.beside[row, card]]
            else:
                for card in range(JOKER + 1):
                    out[card] += sets[known.beside[row, card]]


@kernel
def _sum_shared(known: CardSets, weight: Ints, hand: NDArray[np.uint8], ranks: int, shared: Ints) -> None:
    """By rank of the dealer's card: the weights of hands that share five or six cards, as if without suits.

    Those that share five count once, those that share six five times.
    """
    key, left = known.rank_key, np.zeros(RANK_COUNT, np.int64)
    for card in known.deck:
        left[card >> 2] += 1
    for card in hand:
        left[card >> 2] -= 1
    shared[:] = 0
    for i in range(HAND):
        six = ranks - key[hand[i] >> 2]
        for a in range(RANK_COUNT):
            if left[a]:
                shared[a] += 5 * weight[look_up(known.tables, six + key[a], 0)]
        for j in range(i):
            _add_pairs(known, weight, six - key[hand[j] >> 2], left, shared)


@kernel
def _add_pairs(known: CardSets, weight: Ints, five: int, left: Ints, shared: Ints) -> None:
    """Add the weights of five shared cards with two others, by the ranks of the two."""
    key = known.rank_key
    for a in range(RANK_COUNT):
        for b in range(a if left[a] else 0):
            if left[b]:
                found = weight[look_up(known.tables, five + key[a] + key[b], 0)]
                shared[a] += left[b] * found
                shared[b] += left[a] * found
        if left[a] > 1:
            shared[a] += (left[a] - 1) * weight[look_up(known.tables, five + 2 * key[a], 0)]


# -- Flushes ------------------------------------------------------------------------------------------


@lean
def _is_suited(card: int, suit: int) -> bool:
    return card == JOKER or card & 3 == suit


@kernel
def _correct_flushes(
    known: CardSets, weight: Ints, hand: NDArray[np.uint8], ranks: int, same: SameRanks, out: Ints
) -> None:
    """Put back what was taken out for dealers who have a flush, and take out what they weigh."""
    for suit in range(4):
        suited, held = 0, 0
        for i in range(HAND):
            if _is_suited(hand[i], suit):
                suited |= 1 << i
                held += 1
        if held >= 3:
            flushes = same.flushes[suit, suited]
            if not same.is_known[suit, suited]:
                _sum_flushes(known, weight, hand, ranks, suit, held, flushes)
                same.is_known[suit, suited] = True
            for card in known.deck:
                out[card] += flushes[int64(_is_suited(card, suit)), card >> 2]


@kernel
def _sum_flushes(
    known: CardSets, weight: Ints, hand: NDArray[np.uint8], ranks: int, suit: int, held: int, flushes: Ints
) -> None:
    """Write the correction for flushes of a suit; cards of a rank are alike, but for the one of the suit."""
    outside, out = np.empty(len(known.deck) - HAND, np.int64), np.zeros(JOKER + 1, np.int64)
    suited = _list_suited_first(known.deck, hand, suit, outside)
    _correct_suit(known, weight, hand, ranks, suit, held, outside, suited, out)
    flushes[:] = 0
    for i in range(len(outside)):
        flushes[int64(i < suited), outside[i] >> 2] = out[outside[i]]


@kernel
def _list_suited_first(deck: Hands, hand: NDArray[np.uint8], suit: int, outside: Ints) -> int:
    """Write the cards outside of a hand, those of a suit and the joker first; return how many these are."""
    low, high = 0, len(outside)
    for card in deck:
        if (hand == card).any():
            continue
        if _is_suited(card, suit):
            outside[low] = card
            low += 1
        else:
            high -= 1
            outside[high] = card
    return low


@kernel
def _correct_suit(
    known: CardSets,
    weight: Ints,
    hand: NDArray[np.uint8],
    ranks: int,
    suit: int,
    held: int,
    outside: Ints,
    suited: int,
    out: Ints,
) -> None:
    """Correct the dealers who share five or six cards with the hand and have a flush of a suit."""
    tables = known.tables
    total, lanes = int64(LANES_EMPTY), int64(0)
    for card in hand:
        total += tables.key[card]
        lanes += tables.lane[card]
    for i in range(HAND):
        six = held - _is_suited(hand[i], suit)
        total_i, lanes_i = total - tables.key[hand[i]], lanes - tables.lane[hand[i]]
        ranks_i = ranks - known.rank_key[hand[i] >> 2]
        for x in range(0 if six < 4 else suited if six < 5 else len(outside)):
            _correct(known, weight, outside[x], -1, total_i, lanes_i, ranks_i, 5, out)
        for j in range(i):
            five = six - _is_suited(hand[j], suit)
            total_j, lanes_j = total_i - tables.key[hand[j]], lanes_i - tables.lane[hand[j]]
            ranks_j = ranks_i - known.rank_key[hand[j] >> 2]
            for x in range(0 if five < 3 else suited if five < 5 else len(outside)):
                for y in range(x + 1, suited if five < 4 else len(outside)):
                    _correct(known, weight, outside[x], outside[y], total_j, lanes_j, ranks_j, 1, out)


@lean
def _correct(
    known: CardSets, weight: Ints, x: int, y: int, total: int, lanes: int, ranks: int, times: int, out: Ints
) -> None:
    """Correct one dealer's hand: the cards of these sums, x, and y unless that is -1."""
    tables, key = known.tables, known.rank_key
    total, lanes, ranks = total + tables.key[x], lanes + tables.lane[x], ranks + key[x >> 2]
    if y >= 0:
        total, lanes, ranks = total + tables.key[y], lanes + tables.lane[y], ranks + key[y >> 2]
    wrong = times * (weight[look_up(tables, ranks, 0)] - weight[look_up(tables, total, lanes)])
    out[x] += wrong
    if y >= 0:
        out[y] += wrong
