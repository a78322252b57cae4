"""The nets against all dealer's hands that hold a card, for every card outside of the player's.

For one strength of the player's hand, each dealer's hand has a net, and each set of cards a *weight*: the sum
of the nets of the dealer's hands that contain it. The weights of all sets of up to five cards fit a core's
cache, so hands are taken in the order of their strength. Inclusion-exclusion over the player's cards then
gives the nets of the dealer's hands that hold a card and avoid the player's.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands import poker
from feltlab.counting.removal import DEALER_CARDS, MAX_COUNTED_CARDS, Removal, find_subsets
from feltlab.counting.suits import Hands
from feltlab.games.rabbit_hunter.counts import CountingTables, judge_by, judge_tens_up_by
from feltlab.games.rabbit_hunter.rules import PLAYER_CARDS
from feltlab.kernel import int64, kernel

Ints = NDArray[np.int64]
CUTS = 4  # dealers at the player's strength, above it, and at the two thresholds have other nets


class Weights(NamedTuple):
    """The weights of sets of cards against one strength of the player."""

    few: Ints  # by row of `Removal.below`: sets of up to three cards
    four: Ints  # by class of four
    hand: Ints  # by order index of a dealer's hand
    below: Ints  # by cut and class of four: the hands below the cut
    fifths: int  # the cards beside a set of four
    order_of: NDArray[np.uint16]  # by place among sets of five: the order index
    place: Ints  # by subset of the player's cards: its place
    found: Ints  # the same: its class
    with_card: Ints  # the same: its place together with the card seen


def build_weights(tools: CountingTables, cards: int) -> Weights:
    tables = tools.removal
    below = np.zeros((CUTS, len(tables.fifths)), np.int64)
    for i, threshold in enumerate(tools.thresholds.tolist()):
        below[2 + i] = (tables.fifths < threshold).sum(axis=1)
    return Weights(
        np.zeros(tables.below.shape[1], np.int64),
        np.zeros(len(tables.fifths), np.int64),
        np.zeros(len(tables.strength_at), np.int64),
        below,
        cards - (DEALER_CARDS - 1),
        tables.order_index[tables.class_of[tables.start[DEALER_CARDS] :]],
        *np.zeros((3, 1 << PLAYER_CARDS), np.int64),
    )


@kernel
def _weigh(tools: CountingTables, nets: Ints, player: int, weights: Weights) -> None:
    """Write the weights of all sets; the player's strength may not be below that of the last call."""
    tables, hand = tools.removal, weights.hand
    tens_up = judge_tens_up_by(tools.read.tens_up_two_pair, player)
    for at in range(len(hand)):
        ante, play, beat = judge_by(tools.read.qualifies, player, tables.strength_at[at])
        hand[at] = nets[tools.number[ante, play, tens_up, beat]]
    end, index = len(hand), int64(tables.index_of[player])
    cuts = np.array([index, index + 1, tools.thresholds[0], tools.thresholds[1]])
    step = np.zeros(CUTS, np.int64)
    weights.few[:] = hand[end - 1] * tables.below[end].astype(np.int64)
    for i in range(CUTS):
        if 0 < cuts[i] < end and not (cuts[:i] == cuts[i]).any():
            step[i] = hand[cuts[i] - 1] - hand[cuts[i]]
            weights.few[:] += step[i] * tables.below[cuts[i]].astype(np.int64)
    _weigh_fours(tables, index, hand[end - 1] * weights.fifths, step, weights)


@kernel
def _weigh_fours(tables: Removal, index: int, whole: int, step: Ints, weights: Weights) -> None:
    """The same for sets of four, whose hands are listed in rising order; no count falls from call to call."""
    fifths, below = tables.fifths, weights.below
    for n in range(len(fifths)):
        at = below[0, n]
        while fifths[n, at] < index:
            at += 1
        below[0, n] = at
        while fifths[n, at] == index:
            at += 1
        below[1, n] = at
        total = whole
        for i in range(CUTS):
            total += step[i] * below[i, n]
        weights.four[n] = total


@kernel
def _sum_holding(tables: Removal, weights: Weights, hand: Hands, card: int) -> int:
    """The nets of all dealer's hands that hold the card and avoid the hand, whose subsets were found."""
    choose, start, class_of, row = tables.choose, tables.start, tables.class_of, tables.row
    sizes, place, with_card = tables.size, weights.place, weights.with_card
    with_card[0] = choose[1, card]
    total = weights.few[row[1] + class_of[start[1] + with_card[0]]]
    for i in range(len(hand)):
        for rest in range(1 << i):
            subset = rest | 1 << i
            size = sizes[subset] + 1
            if size > DEALER_CARDS:
                continue
            if hand[i] < card:
                at = place[subset] + choose[size, card]
            else:
                at = with_card[rest] + choose[size, hand[i]]
            with_card[subset] = at
            if size <= MAX_COUNTED_CARDS:
                weight = weights.few[row[size] + class_of[start[size] + at]]
            elif size < DEALER_CARDS:
                weight = weights.four[class_of[start[size] + at]]
            else:
                weight = weights.hand[weights.order_of[at]]
            total += weight if size & 1 else -weight
    return int64(total)


@kernel
def _sum_cards(tools: CountingTables, weights: Weights, deck: Hands, hand: Hands, out: Ints) -> None:
    """By card outside of a hand, the nets of all dealer's hands that hold it."""
    find_subsets(tools.removal, hand, weights.place, weights.found)
    for card in deck:
        out[card] = 0 if (hand == card).any() else _sum_holding(tools.removal, weights, hand, card)


@kernel
def sum_fives(
    tools: CountingTables, weights: Weights, deck: Hands, hands: Hands, order: Ints, nets: Ints, out: Ints
) -> None:
    """By hand of five cards and card: the nets of playing against all dealer's hands that hold the card.

    `order` sorts the hands by strength.
    """
    last = -1
    for n in order:
        player = poker.strength(tools.poker, hands[n])
        if player != last:
            _weigh(tools, nets, player, weights)
            last = player
        _sum_cards(tools, weights, deck, hands[n], out[n])


@kernel
def sum_sixes(
    tools: CountingTables,
    weights: Weights,
    deck: Hands,
    hands: Hands,
    times: Ints,
    nets: Ints,
    buy: Ints,
    bought: Ints,
) -> None:
    """Add the nets of six cards, which are sorted by strength, to each five of them and the sixth card.

    `buy` is by class of five and card that the dealer holds, `bought` by class of five and sixth card.
    """
    held, suits = np.zeros(52, np.int64), np.zeros(4, np.int64)
    last = -1
    for n in range(len(hands)):
        player = poker.strength(tools.poker, hands[n])
        if player != last:
            _weigh(tools, nets, player, weights)
            last = player
        _sum_cards(tools, weights, deck, hands[n], held)
        everyone = times[n] * held.sum() // DEALER_CARDS
        for i in range(PLAYER_CARDS):
            five = weights.found[(1 << PLAYER_CARDS) - 1 - (1 << i)]
            _rename_suits(hands[n], i, suits)
            for card in deck:
                buy[five, card & 0xFC | suits[card & 3]] += times[n] * held[card]
            sixth = hands[n, i]
            bought[five, sixth & 0xFC | suits[sixth & 3]] += everyone


@kernel
def _rename_suits(hand: Hands, without: int, suits: Ints) -> None:
    """Write the new suit of each suit that makes a hand, without one of its cards, that of its class."""
    ranks = np.zeros(4, np.int64)
    for i in range(len(hand)):
        if i != without:
            ranks[hand[i] & 3] |= 1 << (hand[i] >> 2)
    for suit in range(4):
        suits[suit] = 0
        for other in range(4):
            if ranks[other] > ranks[suit] or (ranks[other] == ranks[suit] and other < suit):
                suits[suit] += 1


@kernel
def level_suits(hands: Hands, suits: int, sums: Ints) -> None:
    """Give cards that an exchange of equally held suits turns into each other the mean of their sums."""
    ranks = np.zeros(4, np.int64)
    for n in range(len(hands)):
        ranks[:] = 0
        for card in hands[n]:
            ranks[card & 3] |= 1 << (card >> 2)
        first = 0
        while first < suits:
            end = first + 1
            while end < suits and ranks[end] == ranks[first]:
                end += 1
            for rank in range(13):
                at = slice(4 * rank + first, 4 * rank + end)
                sums[n, at] = sums[n, at].sum() // (end - first)
            first = end
