"""The bound that shows that a strong hand is played whatever card is seen.

Weights are not negative, so the terms of up to three cards of the hand are a lower bound (Bonferroni). They
are shared out to the triples of the hand, with the card that is worst for each triple. So 35 numbers bound
the sums beside all cards at once.
"""

from itertools import pairwise
from math import comb
from typing import NamedTuple

import numpy as np

from feltlab.core.hands import poker
from feltlab.counting import showdown
from feltlab.counting.showdown import StrengthOrder
from feltlab.counting.showdown_ranks import SetCounts
from feltlab.counting.subsets import HAND, PARTS, Ints, Numbers, Parts, Subsets, place
from feltlab.counting.suits import Hands, sort
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.solver.choices import (
    Nets,
    Undecided,
    needed_weight,
    weigh_kinds,
)
from feltlab.kernel import int64, kernel
from feltlab.parallel.threads import map_in_threads, slices

# A hand has 35 triples; a card of it is in 15 of them, a pair of its cards in 5. So 105 times the terms of a
# hand are a sum over its triples: 3 times that of no card, -7 times those of cards, 21 times those of pairs.
STEPS = (poker.TWO_PAIR << 12, poker.THREE << 12)
HIGH_STRENGTH = poker.STRAIGHT << 12  # from here on Play wins against a dealer who does not qualify
SHARES = 105
TERM_SHARES = (3, -7, 21, -105)


class Shares(NamedTuple):
    """By place of a triple: its share of the lower bound of a hand, 105 times."""

    unseen: Ints  # for all dealers
    dealers: Ints  # for the dealers with a card, the worst for the triple


def prove_all_play(
    found: Subsets, order: StrengthOrder, counts: SetCounts, hands: Hands, indices: Ints, nets: Nets
) -> None:
    """Raise `Undecided` unless all these hands, each with its order index, play beside every card.

    Their strengths are cut into steps. Dealers from the beginning of a hand's step on count as stronger.
    """
    steps = [order.at_least(strength) for strength in STEPS]
    for low, high in pairwise([*steps, len(order.strengths)]):
        shares = _share(found, _weigh_sets(counts, order.at_least(rules.QUALIFIES), low, nets))
        _prove_step(shares, hands[(low <= indices) & (indices < high)], _needed_shares(found, nets))


def _weigh_sets(counts: SetCounts, qualified: int, low: int, nets: Nets) -> Ints:
    """By class of up to four cards: the least weights of all dealers that contain the set."""
    unqualified, less, _ = np.minimum(weigh_kinds(STEPS[0], nets), weigh_kinds(HIGH_STRENGTH, nets)).tolist()
    below = counts.below[:, [qualified, low]].astype(np.int64)
    out: Ints = (unqualified - less) * below[:, 0] + less * below[:, 1]
    return out


def _needed_shares(found: Subsets, nets: Nets) -> tuple[int, int]:
    """The sums of shares from which on a hand plays: beside any dead card, and beside one of the dealer's.

    A dead card takes away no more than all dealers who hold it, each with the largest weight.
    """
    left = len(found.deck) - HAND - 1
    held, avoiding = comb(left, HAND - 1), comb(left, HAND)
    largest = max(*weigh_kinds(STEPS[0], nets), *weigh_kinds(HIGH_STRENGTH, nets))
    dead = max(needed_weight(avoiding, nets) + largest * held, needed_weight(held + avoiding, nets))
    return SHARES * dead, SHARES * needed_weight(held, nets)


def _prove_step(shares: Shares, hands: Hands, needed: tuple[int, int]) -> None:
    parts = slices(len(hands), showdown.SLICES)
    if not all(map_in_threads(lambda part: _all_play(PARTS, shares, hands[part], *needed), parts)):
        raise Undecided("the bound leaves a hand undecided that may fold when a card is seen")


def _share(found: Subsets, weights: Ints) -> Shares:
    start, end = PARTS.first[3:5]
    shares = Shares(np.zeros(end - start, np.int64), np.zeros(end - start, np.int64))
    _write_shares(PARTS, found.deck, found.number, weights, shares)
    return shares


@kernel
def _write_shares(ways: Parts, deck: Hands, number: Numbers, weights: Ints, shares: Shares) -> None:
    triple = np.empty(3, np.uint8)
    for i in range(2, len(deck)):
        for j in range(1, i):
            for k in range(j):
                triple[0], triple[1], triple[2] = deck[k], deck[j], deck[i]
                at = place(ways, triple) - ways.first[3]
                shares.unseen[at] = _share_of(ways, number, weights, triple, deck[:0])
                least = int64(1) << 62
                for n in range(len(deck)):
                    if n != i and n != j and n != k:
                        least = min(least, _share_of(ways, number, weights, triple, deck[n : n + 1]))
                shares.dealers[at] = least


@kernel
def _share_of(ways: Parts, number: Numbers, weights: Ints, triple: Hands, seen: Hands) -> int:
    """The share of a triple for the dealers who hold the card seen, or for all where none is."""
    cards, total = np.empty(4, np.uint8), int64(0)
    for mask in range(8):
        size = 0
        for bit in range(3):
            if mask >> bit & 1:
                cards[size] = triple[bit]
                size += 1
        factor = TERM_SHARES[size]
        for card in seen:
            cards[size] = card
            size += 1
        sort(cards[:size])
        total += factor * weights[number[place(ways, cards[:size])]]
    return total


@kernel
def _all_play(ways: Parts, shares: Shares, hands: Hands, unseen: int, dealers: int) -> bool:
    """Do the shares of every hand reach these sums?"""
    hand, choose = np.empty(HAND, np.uint8), ways.choose
    for n in range(len(hands)):
        hand[:] = hands[n]
        sort(hand)
        for_all, for_card = int64(0), int64(0)
        for i in range(2, HAND):
            for j in range(1, i):
                at = choose[hand[i], 3] + choose[hand[j], 2]
                for k in range(j):
                    for_all += shares.unseen[at + hand[k]]
                    for_card += shares.dealers[at + hand[k]]
        if for_all < unseen or for_card < dealers:
            return False
    return True
