"""The counts of all deals: for each class of five cards, the deals that lead to each joint outcome.

A deal is the player's five cards, the sixth, and the dealer's five of the other 46. Playing and buying are
counted once for each class of five cards; the counts hold for every stake.

- The player's strength and the judge's thresholds cut the dealer's strengths into intervals, and the judge's
  verdict is the same on all of an interval. `counting.removal` counts the dealers in each.
- Buying depends on the six cards only, so classes of six are counted, each for the fives within it.
"""

import os
from dataclasses import dataclass, replace
from functools import cache
from math import comb
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.hands import poker
from feltlab.core.layout import NOT_PLACED
from feltlab.core.tally import Outcomes
from feltlab.counting.removal import (
    Ints,
    Removal,
    classes_of,
    count_avoiding,
    find_subsets,
    order_strengths,
    removal,
)
from feltlab.counting.suits import Hands, sort, strengths_of
from feltlab.games.rabbit_hunter import rules
from feltlab.games.rabbit_hunter.rules import BUY, FOLD, PLAY, SIXTH, judge, judge_tens_up
from feltlab.kernel import kernel, lean
from feltlab.parallel.progress import Progress, nobody_listens, part_of
from feltlab.parallel.threads import map_in_threads

FULL_DECK = tuple(range(52))
# The dealer's strengths at which the judge's verdict changes, besides the player's own strength.
THRESHOLDS = (rules.QUALIFIES, rules.PAIR_OF_TENS)
INTERVALS = len(THRESHOLDS) + 3  # below, equal to and above the player, cut again by the thresholds
MAX_TABLES = 8  # of counts, for threads that count at the same time
CHUNK_HANDS = 1 << 14

Counted = NDArray[np.int32]  # [class of five, joint outcome]: up to 24 hands with 47 * C(46, 5) deals each
Numbers = NDArray[np.int16]  # [ante, play, tens-up, bad-beat]: of a joint outcome; -1 where it cannot occur


class StudReading(NamedTuple):
    """A way of reading hands. The defaults are the rules; other values serve to prove other readings."""

    qualifies: int = rules.QUALIFIES  # the dealer's least strength, at least that of the rules
    tens_up_two_pair: int = 0  # the least strength of two pair that wins Tens Up
    sixth_plays: bool = False  # must a sixth card that was bought be one of the five that play?
    tens_up_on_five: bool = False  # is Tens Up judged on the first five cards even if a sixth is bought?

    @property
    def thresholds(self) -> tuple[int, int]:
        return self.qualifies, rules.PAIR_OF_TENS


AS_RULED = StudReading()


@lean
def judge_by(qualifies: int, player: int, dealer: int) -> tuple[int, int, int]:
    """The judge's verdict, with an Ante refunded below the strength that qualifies."""
    ante, play, beat = judge(player, dealer)
    return rules.UNOPPOSED if dealer < qualifies else ante, play, beat


@lean
def judge_tens_up_by(two_pair: int, player: int) -> int:
    """The outcome of Tens Up, with a two pair below this strength losing."""
    if player >> 12 == poker.TWO_PAIR and player < two_pair:
        return rules.NO_TENS
    return judge_tens_up(player)


# -- Joint outcomes of a player who plays -----------------------------------------------------------


@kernel
def _cut(thresholds: Ints, order_index: int, end: int, cuts: Ints) -> None:
    """Write where the verdict may change: from 0, at the player, above the player, at each threshold."""
    cuts[0], cuts[1], cuts[2], cuts[3] = 0, order_index, order_index + 1, end
    for i in range(len(thresholds)):
        cuts[4 + i] = thresholds[i]
    sort(cuts)


@kernel
def _mark(read: StudReading, thresholds: Ints, strength_at: Ints, occurs: NDArray[np.bool_]) -> None:
    """Mark every joint outcome that can occur."""
    end = len(strength_at)
    cuts = np.empty(INTERVALS + 1, np.int64)
    for order_index in range(end):
        player = strength_at[order_index]
        _cut(thresholds, order_index, end, cuts)
        for i in range(INTERVALS):
            if cuts[i] < cuts[i + 1]:
                ante, play, beat = judge_by(read.qualifies, player, strength_at[cuts[i]])
                occurs[ante, play, judge_tens_up_by(read.tens_up_two_pair, player), beat] = True


@cache
def outcome_numbers(read: StudReading = AS_RULED) -> Numbers:
    """The number of each joint outcome of Ante, Play, Tens Up and Bad Beat."""
    strength_at, _ = order_strengths()
    tables = (rules.ANTE, rules.PLAYED, rules.TENS_UP, rules.BAD_BEAT)
    occurs = np.zeros([len(table.lines) for table in tables], np.bool_)
    _mark(read, np.searchsorted(strength_at, read.thresholds), strength_at, occurs)
    if read.tens_up_on_five:  # any outcome of five cards may come with any result of six
        occurs |= occurs.any(axis=2, keepdims=True)
    number = np.full(occurs.shape, -1, np.int16)
    number[occurs] = np.arange(occurs.sum())
    return number


@cache
def joint_outcomes(choice: int, read: StudReading = AS_RULED) -> tuple[Outcomes, ...]:
    """The outcomes of all spots under a choice, by the number of the joint outcome."""
    if choice == FOLD:
        return ((NOT_PLACED, rules.FOLDED, NOT_PLACED, rules.TENS_FOLDED, rules.BEAT_FOLDED),)
    sixth = 0 if choice == BUY else NOT_PLACED
    return tuple((sixth, *outcomes) for outcomes in np.argwhere(outcome_numbers(read) >= 0).tolist())


class CountingTables(NamedTuple):
    """The tables of the counting kernels."""

    poker: poker.Tables
    removal: Removal
    read: StudReading
    thresholds: Ints  # as order indices
    number: Numbers


def counting_tables(deck: tuple[int, ...], read: StudReading = AS_RULED) -> CountingTables:
    tables = removal(deck)
    thresholds = np.searchsorted(tables.strength_at, read.thresholds)
    return CountingTables(poker.tables(), tables, read, thresholds, outcome_numbers(read))


@kernel
def _meet(tools: CountingTables, player: int, cuts: Ints, dealers: Ints, met: Ints) -> None:
    """Turn dealers below each cut into dealers in each interval, and write the joint outcome met there."""
    strength_at, number = tools.removal.strength_at, tools.number
    tens_up = judge_tens_up_by(tools.read.tens_up_two_pair, player)
    for i in range(INTERVALS):
        dealers[i] = dealers[i + 1] - dealers[i]
        met[i] = 0
        if dealers[i]:
            ante, play, beat = judge_by(tools.read.qualifies, player, strength_at[cuts[i]])
            met[i] = number[ante, play, tens_up, beat]


@kernel
def _count(
    tools: CountingTables, hands: Hands, weights: Ints, fives: Ints, all_dealers: int, out: Counted
) -> None:
    """Count the dealers that meet each hand, for the class of each five cards within it.

    `fives` holds the places of those five cards as bits; `all_dealers` is the number of hands in the rest of
    the deck.
    """
    tables, end = tools.removal, len(tools.removal.strength_at)
    subsets = 1 << hands.shape[1]
    found, place = np.empty(subsets, np.int64), np.empty(subsets, np.int64)
    cuts, dealers = np.empty(INTERVALS + 1, np.int64), np.empty(INTERVALS + 1, np.int64)
    inner_cuts, inner_dealers = cuts[1:-1], dealers[1:-1]
    met = np.empty(INTERVALS, np.int64)
    dealers[-1] = all_dealers
    for n in range(len(hands)):
        player = poker.strength(tools.poker, hands[n])
        find_subsets(tables, hands[n], place, found)
        _cut(tools.thresholds, tables.index_of[player], end, cuts)
        dealers[0] = 0
        count_avoiding(tables, found, inner_cuts, inner_dealers)
        _meet(tools, player, cuts, dealers, met)
        for five in fives:
            for i in range(INTERVALS):
                out[found[five], met[i]] += dealers[i] * weights[n]


@kernel
def _best_with(tables: poker.Tables, hand: Hands, sixth: int, five: Hands) -> int:
    """The strength of the best five of six cards that include the one at this place."""
    best = 0
    for dropped in range(len(hand)):
        if dropped != sixth:
            held = 0
            for i in range(len(hand)):
                if i != dropped:
                    five[held] = hand[i]
                    held += 1
            best = max(best, poker.strength(tables, five))
    return best


@kernel
def _count_with_sixth(
    tools: CountingTables, hands: Hands, weights: Ints, fives: Ints, all_dealers: int, out: Counted
) -> None:
    """Count as `_count` does, with the card beside each five cards as one of those that play."""
    tables, end, size = tools.removal, len(tools.removal.strength_at), hands.shape[1]
    found, place = np.empty(1 << size, np.int64), np.empty(1 << size, np.int64)
    cuts, dealers = np.empty(INTERVALS + 1, np.int64), np.empty(INTERVALS + 1, np.int64)
    met, held = np.empty(INTERVALS, np.int64), np.empty(size - 1, np.uint8)
    for n in range(len(hands)):
        find_subsets(tables, hands[n], place, found)
        for sixth in range(size):
            player = _best_with(tools.poker, hands[n], sixth, held)
            _cut(tools.thresholds, tables.index_of[player], end, cuts)
            dealers[0], dealers[-1] = 0, all_dealers
            count_avoiding(tables, found, cuts[1:-1], dealers[1:-1])
            _meet(tools, player, cuts, dealers, met)
            for i in range(INTERVALS):
                out[found[(1 << size) - 1 - (1 << sixth)], met[i]] += dealers[i] * weights[n]


@dataclass(frozen=True)
class DealCounts:
    """Each class of five cards, and the number of its deals that lead to each joint outcome of a choice."""

    hands: Hands
    weights: Ints  # the hands in each class
    deals: int  # of each hand: the sixth card and the dealer's five
    played: Counted
    bought: Counted
    read: StudReading = AS_RULED

    def outcomes(self, choice: int) -> tuple[Outcomes, ...]:
        """The outcomes of all spots under a choice, by the number of the joint outcome."""
        return joint_outcomes(choice, self.read)

    def of(self, choice: int) -> NDArray[Any]:
        """By class and joint outcome, the deals under a choice."""
        folded = (self.weights * self.deals)[:, np.newaxis]
        return (folded, self.played, self.bought)[choice]


_counted: dict[tuple[int, ...], DealCounts] = {}  # by deck; counts hold for every stake


def count_deals(deck: tuple[int, ...] = FULL_DECK, progress: Progress = nobody_listens) -> DealCounts:
    """Count every deal of a deck, which holds some ranks in each of the first few suits."""
    if deck not in _counted:
        _counted[deck] = count_deals_by(AS_RULED, deck, progress)
    progress(1.0)
    return _counted[deck]


def count_deals_by(
    read: StudReading, deck: tuple[int, ...] = FULL_DECK, progress: Progress = nobody_listens
) -> DealCounts:
    """Count every deal of a deck under a reading of the rules."""
    counts = _count_all(deck, progress, read)
    return replace(counts, bought=_judge_fives(counts)) if read.tens_up_on_five else counts


def _judge_fives(counts: DealCounts) -> Counted:
    """The counts of buying, with Tens Up judged on the five cards of each class."""
    number = outcome_numbers(counts.read)
    bought = np.zeros_like(counts.bought)
    tens_up = [int(judge_tens_up(int(strength))) for strength in strengths_of(counts.hands)]
    for outcome in set(tens_up):
        rows = np.flatnonzero(np.array(tens_up) == outcome)
        for ante, play, six, beat in np.argwhere(number >= 0).tolist():
            found = counts.bought[rows, number[ante, play, six, beat]]
            bought[rows, number[ante, play, outcome, beat]] += found
    return bought


def _count_all(deck: tuple[int, ...], progress: Progress, read: StudReading = AS_RULED) -> DealCounts:
    tools = counting_tables(deck, read)
    hands, weights = classes_of(SIXTH, deck)
    sixes, six_weights = _sort_by_strength(*classes_of(rules.PLAYER_CARDS, deck))
    progress(0.2)
    left = len(deck) - SIXTH
    played = _count_in_threads(
        tools, hands, weights, comb(left, rules.DEALER_CARDS), len(hands), nobody_listens
    )
    played *= left - rules.DEALER_CARDS  # the sixth card is any of the others
    dealers = comb(left - 1, rules.DEALER_CARDS)
    bought = _count_in_threads(tools, sixes, six_weights, dealers, len(hands), part_of(progress, 0.3, 1.0))
    return DealCounts(hands, weights, left * dealers, played, bought, read)


def _sort_by_strength(hands: Hands, weights: Ints) -> tuple[Hands, Ints]:
    """Sort hands by strength, so that the next hand reads counts near those of the last."""
    order = np.argsort(strengths_of(hands), kind="stable")
    return hands[order], weights[order]


def _count_in_threads(
    tools: CountingTables, hands: Hands, weights: Ints, dealers: int, classes: int, progress: Progress
) -> Counted:
    """Count chunks of hands in threads, each into a table that is free, and sum the tables."""
    fives = np.array([five for five in range(1 << hands.shape[1]) if five.bit_count() == SIXTH])
    tables = [
        np.zeros((classes, len(joint_outcomes(PLAY, tools.read))), np.int32)
        for _ in range(min(os.cpu_count() or 1, MAX_TABLES))
    ]
    free: SimpleQueue[Counted] = SimpleQueue()
    for table in tables:
        free.put(table)

    count = _count_with_sixth if tools.read.sixth_plays and hands.shape[1] > SIXTH else _count

    def work(first: int) -> None:
        chunk, table = slice(first, first + CHUNK_HANDS), free.get()
        try:
            count(tools, hands[chunk], weights[chunk], fives, dealers, table)
        finally:
            free.put(table)

    map_in_threads(work, range(0, len(hands), CHUNK_HANDS), progress)
    for table in tables[1:]:
        tables[0] += table
    return tables[0]
