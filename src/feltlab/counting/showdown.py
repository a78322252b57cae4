"""Showdowns of two hands of seven from one deck: how often each strength meets a weaker or equal one.

The number of ordered pairs of disjoint hands with strengths v and w is the sum over sets S of cards of
(-1)^|S| n(S, v) n(S, w), where n(S, v) is the number of hands that contain S and have strength v. So one
histogram for each class of S is enough, and no pair of hands is ever dealt.

The same counts hold for a single hand P: the number of hands that avoid P and are weaker than some strength
is the sum over subsets S of P of (-1)^|S| times the number of those that contain S. These counts are stored
for the strengths of a *zone*, which begins with the weakest hand that qualifies.

The *order index* of a strength is the number of weaker strengths, so order indices have no gaps. The tables
of a `StrengthOrder` look up order indices instead of strengths.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands import poker
from feltlab.core.hands.poker import LANES_EMPTY, Tables, look_up
from feltlab.counting.subsets import HAND, PARTS, Counts, Ints, Numbers, Parts, Subsets, count_smaller
from feltlab.counting.suits import Hands
from feltlab.kernel import int64, kernel
from feltlab.parallel.progress import Progress, part_of
from feltlab.parallel.threads import map_in_threads, slices

UNQUALIFIED, LESS, EQUAL = range(3)
SLICES = 96  # of the work: enough for the cores to finish together and for progress to show


@dataclass(frozen=True)
class StrengthOrder:
    """The strengths that hands can have, numbered from the weakest."""

    strengths: NDArray[np.uint16]  # by order index
    index_of: NDArray[np.uint16]  # by strength: how many weaker strengths there are
    tables: Tables  # these look up order indices

    def at_least(self, strength: int) -> int:
        """The lowest order index of a hand that is at least this strong."""
        return int(self.index_of[strength])


def order_strengths(strengths: NDArray[np.uint16]) -> StrengthOrder:
    """Number the strengths that occur among these."""
    present = np.zeros(1 << 16, np.bool_)
    present[strengths] = True
    number: NDArray[np.uint16] = (np.cumsum(present) - present).astype(np.uint16)
    tables = poker.tables()  # the order is kept, so the better of ranks and flush stays the better
    numbered = tables._replace(ranks=number[tables.ranks], flushes=number[tables.flushes])
    return StrengthOrder(np.flatnonzero(present).astype(np.uint16), number, numbered)


class Zone(NamedTuple):
    """By class of subsets, how many hands that contain it are weaker than each order index of the zone.

    Column 0 counts the hands below the zone's lowest order index, the last column those below its end.
    """

    ways: Parts
    tables: Tables
    deck: Hands
    number: Numbers
    lowest: int
    few: NDArray[np.int32]  # by class of up to four cards
    five: NDArray[np.uint16]  # by class of five cards
    fives: int  # the number of the first class of five


@dataclass(frozen=True)
class Meetings:
    """By order index of the player's hand, the deals in which the dealer's hand is of each kind."""

    players: Ints  # hands, not deals
    unqualified: Ints
    less: Ints  # qualified and weaker
    equal: Ints


def meet(
    subsets: Subsets, order: StrengthOrder, qualified: int, end: int, progress: Progress
) -> tuple[Meetings, Zone]:
    """Count the dealer's hands that each order index meets, and build the zone.

    The zone is the order indices from `qualified` to before `end`.
    """
    law = np.zeros((3, len(order.strengths)), np.int64)
    law += _meet_six(subsets, order, qualified, part_of(progress, 0.0, 0.3))
    five, met = _meet_five(subsets, order, qualified, end, part_of(progress, 0.3, 0.6))
    law += met
    counts: list[Counts] = [count_four(subsets, order, part_of(progress, 0.6, 1.0))]
    for size in (3, 2, 1, 0):
        counts.insert(0, count_smaller(subsets, size, counts[0]))
    for size, count in enumerate(counts):
        _meet_all(count, subsets.weights[size], (-1) ** size, qualified, law)
    few = np.concatenate([count_below(count, qualified, end) for count in counts])
    zone = Zone(PARTS, order.tables, subsets.deck, subsets.number, qualified, few, five, subsets.first[5])
    return _meetings(counts[0][0].astype(np.int64), law, qualified), zone


def _meetings(players: Ints, law: Ints, qualified: int) -> Meetings:
    """Subtract the terms of seven cards from those of up to six: the player's hand as its own opponent."""
    law[EQUAL] -= players
    law[UNQUALIFIED, :qualified] -= players[:qualified]
    law[LESS] -= law[UNQUALIFIED]
    law[LESS:, :qualified] = 0
    return Meetings(players, law[UNQUALIFIED], law[LESS], law[EQUAL])


def _meet_six(subsets: Subsets, order: StrengthOrder, qualified: int, progress: Progress) -> Ints:
    hands, weights = subsets.hands[6], subsets.weights[6]

    def work(part: slice) -> Ints:
        law = np.zeros((3, len(order.strengths)), np.int64)
        _sixes(order.tables, subsets.deck, hands[part], weights[part], qualified, law)
        return law

    met: Ints = np.array(map_in_threads(work, slices(len(hands), SLICES), progress)).sum(axis=0)
    return met


def _meet_five(
    subsets: Subsets, order: StrengthOrder, qualified: int, end: int, progress: Progress
) -> tuple[NDArray[np.uint16], Ints]:
    hands, weights = subsets.hands[5], subsets.weights[5]
    below = np.empty((len(hands), end - qualified + 1), np.uint16)

    def work(part: slice) -> Ints:
        law = np.zeros((3, len(order.strengths)), np.int64)
        _fives(order.tables, subsets.deck, hands[part], weights[part], qualified, law, below[part])
        return law

    met = map_in_threads(work, slices(len(hands), SLICES), progress)
    return below, np.array(met).sum(axis=0)


def count_four(subsets: Subsets, order: StrengthOrder, progress: Progress) -> NDArray[np.uint16]:
    hands = subsets.hands[4]
    count = np.empty((len(hands), len(order.strengths)), np.uint16)

    def work(part: slice) -> None:
        _fours(order.tables, subsets.deck, hands[part], count[part])

    map_in_threads(work, slices(len(hands), SLICES), progress)
    return count


def count_below(count: Counts, qualified: int, end: int) -> NDArray[np.int32]:
    """Count the hands of each histogram below the order indices from `qualified` to `end`."""
    out = np.empty((len(count), end - qualified + 1), np.int32)
    for i in range(len(count)):
        write_below(count[i], qualified, out[i])
    return out


# -- Kernels: histograms ----------------------------------------------------------------------------


@kernel
def begin(tables: Tables, deck: Hands, held: NDArray[np.uint8], key: Ints, lane: Ints) -> tuple[int, int]:
    """Sum the keys and lanes of the cards held, and write those of the rest of the deck."""
    total, lanes = LANES_EMPTY, 0
    taken = 0
    for i in range(len(held)):
        total += tables.key[held[i]]
        lanes += tables.lane[held[i]]
        taken |= int64(1) << held[i]
    found = 0
    for i in range(len(deck)):
        if not taken >> deck[i] & 1:
            key[found] = tables.key[deck[i]]
            lane[found] = tables.lane[deck[i]]
            found += 1
    return total, lanes


@kernel
def _add_pairs(
    tables: Tables, key: Ints, lane: Ints, first: int, total: int, lanes: int, count: Counts
) -> None:
    """Count the order indices of the held cards with any two more, from the `first` on."""
    for i in range(first, len(key) - 1):
        total_i = total + key[i]
        lanes_i = lanes + lane[i]
        for j in range(i + 1, len(key)):
            count[look_up(tables, total_i + key[j], lanes_i + lane[j])] += 1


@kernel
def histogram(tables: Tables, deck: Hands, held: NDArray[np.uint8], count: Counts) -> None:
    """Count the order indices of all hands that contain the four or five cards held."""
    key = np.empty(len(deck) - len(held), np.int64)
    lane = np.empty(len(deck) - len(held), np.int64)
    total, lanes = begin(tables, deck, held, key, lane)
    count[:] = 0
    if len(held) == HAND - 2:
        _add_pairs(tables, key, lane, 0, total, lanes, count)
    else:
        for i in range(len(key)):
            _add_pairs(tables, key, lane, i + 1, total + key[i], lanes + lane[i], count)


@kernel
def write_below(count: Counts, lowest: int, below: Counts) -> None:
    """Write how many hands of a histogram are weaker than each order index, from the lowest on."""
    hands = int64(0)
    for order_index in range(lowest):
        hands += count[order_index]
    below[0] = hands
    for i in range(1, len(below)):
        hands += count[lowest + i - 1]
        below[i] = hands


# -- Kernels: showdowns -----------------------------------------------------------------------------
# Sums run modulo 2**64. They may overflow on the way; the results are far below it, so they are exact.


@kernel
def _meet(count: Counts, qualified: int, times: int, law: Ints) -> None:
    """Add the showdowns of each order index in which both hands come from this histogram."""
    unqualified = int64(0)
    for order_index in range(qualified):
        unqualified += count[order_index]
    below = int64(0)
    for order_index in range(len(count)):
        hands = count[order_index]
        if hands:
            law[UNQUALIFIED, order_index] += times * hands * unqualified
            law[LESS, order_index] += times * hands * below
            law[EQUAL, order_index] += times * hands * hands
            below += hands


@kernel
def _meet_all(count: Counts, weights: Ints, sign: int, qualified: int, law: Ints) -> None:
    for i in range(len(count)):
        _meet(count[i], qualified, sign * weights[i], law)


@kernel
def _fours(tables: Tables, deck: Hands, hands: Hands, out: NDArray[np.uint16]) -> None:
    for i in range(len(hands)):
        histogram(tables, deck, hands[i], out[i])


@kernel
def _fives(
    tables: Tables, deck: Hands, hands: Hands, weights: Ints, qualified: int, law: Ints, below: Counts
) -> None:
    count = np.empty(law.shape[1], np.int32)
    for i in range(len(hands)):
        histogram(tables, deck, hands[i], count)
        _meet(count, qualified, -weights[i], law)
        write_below(count, qualified, below[i])


@kernel
def _sixes(tables: Tables, deck: Hands, hands: Hands, weights: Ints, qualified: int, law: Ints) -> None:
    """The same for hands that contain six given cards: so few that their order indices are sorted."""
    rest = len(deck) - HAND + 1
    key, lane = np.empty(rest, np.int64), np.empty(rest, np.int64)
    found = np.empty(rest, np.int64)
    for i in range(len(hands)):
        total, lanes = begin(tables, deck, hands[i], key, lane)
        unqualified = 0
        for j in range(rest):
            order_index = look_up(tables, total + key[j], lanes + lane[j])
            unqualified += order_index < qualified
            at = j
            while at > 0 and found[at - 1] > order_index:
                found[at] = found[at - 1]
                at -= 1
            found[at] = order_index
        _meet_sorted(found, unqualified, weights[i], law)


@kernel
def _meet_sorted(found: Ints, unqualified: int, times: int, law: Ints) -> None:
    start = 0
    while start < len(found):
        end = start + 1
        while end < len(found) and found[end] == found[start]:
            end += 1
        hands = times * (end - start)
        law[UNQUALIFIED, found[start]] += hands * unqualified
        law[LESS, found[start]] += hands * start
        law[EQUAL, found[start]] += hands * (end - start)
        start = end


# -- Kernels: one hand ------------------------------------------------------------------------------


@kernel
def places(ways: Parts, hand: NDArray[np.uint8], out: Ints) -> None:
    """Write the place of each subset of a sorted hand, counted from the first place of its size."""
    mask, rest, top, start, choose = ways.mask, ways.rest, ways.top, ways.start, ways.choose
    out[0] = 0
    for size in range(1, HAND):
        for i in range(start[size], start[size + 1]):
            out[mask[i]] = out[rest[mask[i]]] + choose[hand[top[mask[i]]], size]


@kernel
def count_avoiding(zone: Zone, hand: NDArray[np.uint8], low: int, high: int, place: Ints, out: Ints) -> None:
    """Count the hands that avoid this one and are weaker than the zone's columns 0, `low` and `high`."""
    few, five, number, mask = zone.few, zone.five, zone.number, zone.ways.mask
    start, first = zone.ways.start, zone.ways.first
    places(zone.ways, hand, place)
    out[:] = 0
    for size in range(5):
        sign = -1 if size & 1 else 1
        for i in range(start[size], start[size + 1]):
            row = number[first[size] + place[mask[i]]]
            out[0] += sign * few[row, 0]
            out[1] += sign * few[row, low]
            out[2] += sign * few[row, high]
    for i in range(start[5], start[6]):
        row = number[first[5] + place[mask[i]]] - zone.fives
        out[0] -= five[row, 0]
        out[1] -= five[row, low]
        out[2] -= five[row, high]
    _count_avoiding_six(zone, hand, low, high, out)


@kernel
def _count_avoiding_six(zone: Zone, hand: NDArray[np.uint8], low: int, high: int, out: Ints) -> None:
    """Add the terms of six and seven cards: hands that differ from this one in a card, and this one."""
    tables, deck, lowest = zone.tables, zone.deck, zone.lowest
    rest = len(deck) - HAND
    key, lane = np.empty(rest, np.int64), np.empty(rest, np.int64)
    total, lanes = begin(tables, deck, hand, key, lane)
    # This hand contains seven subsets of six cards and one of seven: 7 - 1 = 6.
    _add_weaker(look_up(tables, total, lanes) - lowest, HAND - 1, low, high, out)
    for i in range(HAND):
        total_i = total - tables.key[hand[i]]
        lanes_i = lanes - tables.lane[hand[i]]
        for j in range(rest):
            _add_weaker(look_up(tables, total_i + key[j], lanes_i + lane[j]) - lowest, 1, low, high, out)


@kernel
def _add_weaker(column: int, times: int, low: int, high: int, out: Ints) -> None:
    out[0] += times * (column < 0)
    out[1] += times * (column < low)
    out[2] += times * (column < high)


# -- One hand against every other -------------------------------------------------------------------


def count_against(deck: Hands, hand: Hands, qualified: int) -> tuple[int, int, int, int]:
    """Count the hands that avoid one: not qualified, qualified and weaker, equal, stronger."""
    strength = poker.strength(poker.tables(), hand)
    rest = np.setdiff1d(deck, hand)
    kinds = _tables_of_kinds(strength, qualified)
    found = map_in_threads(lambda first: _count_against(kinds, rest, first), range(len(rest) - HAND + 1))
    unqualified, less, equal, stronger = np.array(found).sum(axis=0).tolist()
    return unqualified, less, equal, stronger


def _tables_of_kinds(strength: int, qualified: int) -> Tables:
    """Tables that look up the first bit of the counter for the kind of a hand: 0, 16, 32 or 48."""
    every = np.arange(1 << 16)
    kind = 16 * (every >= qualified) * (1 + (every >= strength).astype(int) + (every > strength))
    tables, code = poker.tables(), kind.astype(np.uint16)
    return tables._replace(ranks=code[tables.ranks], flushes=code[tables.flushes])


@kernel
def _count_against(tables: Tables, rest: Hands, first: int) -> Ints:
    """Count the four kinds among all hands of these cards whose lowest is the `first`.

    The last two cards come from a list of pairs in falling order of their lower card, so that the pairs
    above any card are at the beginning of the list.
    """
    key, lane = tables.key[rest], tables.lane[rest]
    pair_key, pair_lane = _pairs(key), _pairs(lane)
    count = np.zeros(4, np.int64)
    for second in range(first + 1, len(rest)):
        for third in range(second + 1, len(rest)):
            total = LANES_EMPTY + key[first] + key[second] + key[third]
            lanes = lane[first] + lane[second] + lane[third]
            for fourth in range(third + 1, len(rest)):
                total_4, lanes_4 = total + key[fourth], lanes + lane[fourth]
                for fifth in range(fourth + 1, len(rest) - 2):
                    total_5, lanes_5 = total_4 + key[fifth], lanes_4 + lane[fifth]
                    above = len(rest) - 1 - fifth
                    pairs = above * (above - 1) // 2
                    _add_kinds(tables, pair_key, pair_lane, pairs, total_5, lanes_5, count)
    return count


@kernel
def _add_kinds(
    tables: Tables, pair_key: Ints, pair_lane: Ints, pairs: int, total: int, lanes: int, count: Ints
) -> None:
    counters = int64(0)  # four counters of sixteen bits in one number: there are under a thousand pairs
    for i in range(pairs):
        counters += int64(1) << look_up(tables, total + pair_key[i], lanes + pair_lane[i])
    for kind in range(4):
        count[kind] += counters >> 16 * kind & 0xFFFF


@kernel
def _pairs(value: Ints) -> Ints:
    out = np.empty(len(value) * (len(value) - 1) // 2, np.int64)
    found = 0
    for low in range(len(value) - 2, -1, -1):
        for high in range(low + 1, len(value)):
            out[found] = value[low] + value[high]
            found += 1
    return out
