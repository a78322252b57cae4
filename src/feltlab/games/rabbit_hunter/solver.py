"""Rabbit Hunter Stud Poker, proved: every deal counted, every five-card hand played for the whole stake.

A deal is the player's five cards, the sixth, and the dealer's five of the other 46. What playing and
buying lead to is counted once for each class of five cards, whatever the stake:

- The player's strength and the judge's thresholds cut the dealer's strengths into intervals, on each of
  which the judge says the same. `exact.removal` counts the dealers in them.
- Buying depends on the six cards only, so classes of six are counted, each for the fives within it.

A strategy then gives each class of five one choice, and the law is a sum.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, lcm
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.layout import NOT_PLACED
from feltlab.core.round import Round
from feltlab.core.solver import Decisions, Law, Player, Solver, StrategyCard, nets_on
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes, Tally
from feltlab.counting.removal import Ints, Removal, avoiding, classes_of, find_subsets, removal, standings
from feltlab.counting.suits import Hands, sort, strengths_of
from feltlab.games.rabbit_hunter import rules
from feltlab.games.rabbit_hunter.rules import BUY, CHOICES, FOLD, PLAY, SIXTH, judge, judge_tens_up
from feltlab.games.rabbit_hunter.thumb_rules import (
    COLUMNS,
    NO_HAND,
    ROWS,
    STRATEGIES,
    THUMBS,
    Choices,
    grid,
    grid_places,
    kinds,
)
from feltlab.kernel import Array, int64, kernel, lean
from feltlab.parallel.progress import Progress, nobody_listens

METHOD = (
    "Every class of five and of six player's cards meets all dealer's hands by inclusion-exclusion over the "
    "cards removed, and the choice is made for each class of five in whole numbers."
)

FULL_DECK = tuple(range(52))
# The dealer's strengths at which the judge's word changes, besides the player's own.
THRESHOLDS = (rules.QUALIFIES, rules.PAIR_OF_TENS)
INTERVALS = len(THRESHOLDS) + 3  # below, level with and above the player, cut again by the thresholds
MOST_WORKERS = 8
CHUNK = 1 << 14

Counted = NDArray[np.int32]  # [class of five, joint outcome]: up to 24 hands with 47 * C(46, 5) deals each
Numbers = NDArray[np.int16]  # [ante, play, tens-up, bad-beat]: of a joint outcome; -1 where it cannot occur


# -- Joint outcomes of a player who plays -----------------------------------------------------------


@kernel
def _cut(thresholds: Ints, standing: int, end: int, cuts: Ints) -> None:
    """Where the judge's word may change: from 0, at the player's standing, above it, at each threshold."""
    cuts[0], cuts[1], cuts[2], cuts[3] = 0, standing, standing + 1, end
    for i in range(len(thresholds)):
        cuts[4 + i] = thresholds[i]
    sort(cuts)


@kernel
def _mark(thresholds: Ints, strength_at: Ints, occurs: NDArray[np.bool_]) -> None:
    """Mark every joint outcome that some player can meet."""
    end = len(strength_at)
    cuts = np.empty(INTERVALS + 1, np.int64)
    for standing in range(end):
        player = strength_at[standing]
        _cut(thresholds, standing, end, cuts)
        for i in range(INTERVALS):
            if cuts[i] < cuts[i + 1]:
                ante, play, beat = judge(player, strength_at[cuts[i]])
                occurs[ante, play, judge_tens_up(player), beat] = True


@cache
def numbers() -> Numbers:
    strength_at, _ = standings()
    tables = (rules.ANTE, rules.PLAYED, rules.TENS_UP, rules.BAD_BEAT)
    occurs = np.zeros([len(table.lines) for table in tables], np.bool_)
    _mark(np.searchsorted(strength_at, THRESHOLDS), strength_at, occurs)
    number = np.full(occurs.shape, -1, np.int16)
    number[occurs] = np.arange(occurs.sum())
    return number


@cache
def joint_outcomes(choice: int) -> tuple[Outcomes, ...]:
    """The outcomes of all spots under a choice, by the number of the joint outcome."""
    if choice == FOLD:
        return ((NOT_PLACED, rules.FOLDED, NOT_PLACED, rules.TENS_FOLDED, rules.BEAT_FOLDED),)
    sixth = 0 if choice == BUY else NOT_PLACED
    return tuple((sixth, *outcomes) for outcomes in np.argwhere(numbers() >= 0).tolist())


# -- Counting ---------------------------------------------------------------------------------------


class Reader(NamedTuple):
    """What counting needs besides the cards."""

    poker: poker.Tables
    removal: Removal
    thresholds: Ints  # as standings
    number: Numbers


def reader(deck: tuple[int, ...]) -> Reader:
    tables = removal(deck)
    return Reader(poker.tables(), tables, np.searchsorted(tables.strength_at, THRESHOLDS), numbers())


@kernel
def _meet(reader: Reader, player: int, cuts: Ints, dealers: Ints, met: Ints) -> None:
    """From the dealers below each cut to the dealers in each interval, and the joint outcome met there."""
    strength_at, number = reader.removal.strength_at, reader.number
    tens_up = judge_tens_up(player)
    for i in range(INTERVALS):
        dealers[i] = dealers[i + 1] - dealers[i]
        met[i] = 0
        if dealers[i]:
            ante, play, beat = judge(player, strength_at[cuts[i]])
            met[i] = number[ante, play, tens_up, beat]


@kernel
def _count(reader: Reader, hands: Hands, weights: Ints, fives: Ints, all_dealers: int, out: Counted) -> None:
    """Count the dealers that meet each hand, for the class of each five cards within it.

    `fives` are those five cards as bits, `all_dealers` how many hands the rest of the deck holds.
    """
    tables, end = reader.removal, len(reader.removal.strength_at)
    subsets = 1 << hands.shape[1]
    found, place = np.empty(subsets, np.int64), np.empty(subsets, np.int64)
    cuts, dealers = np.empty(INTERVALS + 1, np.int64), np.empty(INTERVALS + 1, np.int64)
    inner_cuts, inner_dealers = cuts[1:-1], dealers[1:-1]
    met = np.empty(INTERVALS, np.int64)
    dealers[-1] = all_dealers
    for n in range(len(hands)):
        player = poker.strength(reader.poker, hands[n])
        find_subsets(tables, hands[n], place, found)
        _cut(reader.thresholds, tables.standing_of[player], end, cuts)
        dealers[0] = 0
        avoiding(tables, found, inner_cuts, inner_dealers)
        _meet(reader, player, cuts, dealers, met)
        for five in fives:
            for i in range(INTERVALS):
                out[found[five], met[i]] += dealers[i] * weights[n]


@dataclass(frozen=True)
class Counts:
    """Each class of five cards, and how many of its deals lead to each joint outcome of a choice."""

    hands: Hands
    weights: Ints  # the hands in each class
    deals: int  # of each hand: the sixth card and the dealer's five
    played: Counted
    bought: Counted

    def of(self, choice: int) -> NDArray[Any]:
        folded = (self.weights * self.deals)[:, np.newaxis]
        return (folded, self.played, self.bought)[choice]


_counted: dict[tuple[int, ...], Counts] = {}  # counts hold for every stake, so a deck is counted once


def count(deck: tuple[int, ...] = FULL_DECK, progress: Progress = nobody_listens) -> Counts:
    """Count every deal of a deck that has some ranks in each of the first few suits."""
    if deck not in _counted:
        _counted[deck] = _count_all(deck, progress)
    progress(1.0)
    return _counted[deck]


def _count_all(deck: tuple[int, ...], progress: Progress) -> Counts:
    tools = reader(deck)
    hands, weights = classes_of(SIXTH, deck)
    sixes, six_weights = _by_strength(*classes_of(rules.PLAYER_CARDS, deck))
    progress(0.2)
    left = len(deck) - SIXTH
    played = _count_in_threads(
        tools, hands, weights, comb(left, rules.DEALER_CARDS), len(hands), nobody_listens
    )
    played *= left - rules.DEALER_CARDS  # whatever the dealer has, the sixth card is one of the others
    dealers = comb(left - 1, rules.DEALER_CARDS)
    bought = _count_in_threads(
        tools, sixes, six_weights, dealers, len(hands), lambda done: progress(0.3 + 0.7 * done)
    )
    return Counts(hands, weights, left * dealers, played, bought)


def _by_strength(hands: Hands, weights: Ints) -> tuple[Hands, Ints]:
    """In order of strength, so that one hand reads counts next to those that the last one read."""
    order = np.argsort(strengths_of(hands), kind="stable")
    return hands[order], weights[order]


def _count_in_threads(
    tools: Reader, hands: Hands, weights: Ints, dealers: int, classes: int, progress: Progress
) -> Counted:
    """Count chunks of hands, each into the table of a worker that is free; the sum of the tables."""
    fives = np.array([five for five in range(1 << hands.shape[1]) if five.bit_count() == SIXTH])
    tables = [np.zeros((classes, len(joint_outcomes(PLAY))), np.int32) for _ in range(_workers())]
    free: SimpleQueue[Counted] = SimpleQueue()
    for table in tables:
        free.put(table)

    def work(first: int) -> None:
        chunk, table = slice(first, first + CHUNK), free.get()
        try:
            _count(tools, hands[chunk], weights[chunk], fives, dealers, table)
        finally:
            free.put(table)

    with ThreadPoolExecutor(len(tables)) as pool:
        for done, _ in enumerate(pool.map(work, range(0, len(hands), CHUNK)), 1):
            progress(min(1.0, done * CHUNK / len(hands)))
    for table in tables[1:]:
        tables[0] += table
    return tables[0]


def _workers() -> int:
    return min(os.cpu_count() or 1, MOST_WORKERS)


# -- What a choice is worth -------------------------------------------------------------------------


def _nets(game: Game, stake: Stake, choice: int) -> list[Fraction]:
    """What the whole stake nets, by the number of the joint outcome."""
    tally = Tally(game, {})
    bets = [(game.spot(name), units) for name, units in stake.items()]
    return [
        sum((units * tally.net(bet, outcomes) for bet, units in bets), Fraction(0))
        for outcomes in joint_outcomes(choice)
    ]


def _worth(counts: Counts, game: Game, stake: Stake) -> tuple[list[NDArray[Any]], int]:
    """For each choice and class the net of all its deals, in whole parts of a unit, and how many make a unit.

    Where 64 bits could overflow, Python's own ints take over.
    """
    nets = [_nets(game, stake, choice) for choice in range(len(CHOICES))]
    unit = lcm(*(net.denominator for of_choice in nets for net in of_choice))
    whole = [[int(net * unit) for net in of_choice] for of_choice in nets]
    largest = max(abs(net) for of_choice in whole for net in of_choice)
    fits = largest * int(counts.weights.max()) * counts.deals < 1 << 63
    number: Any = np.int64 if fits else object
    return [_total(counts.of(choice), of_choice, number) for choice, of_choice in enumerate(whole)], unit


def _total(counted: NDArray[Any], nets: Sequence[int], number: Any) -> NDArray[Any]:
    total = np.zeros(len(counted), number)
    for outcome, net in enumerate(nets):
        total += counted[:, outcome].astype(number) * net
    return total


def best_choices(counts: Counts, game: Game, stake: Stake) -> Choices:
    """The best choice of each class; of equals the one that puts the least money down."""
    (fold, play, buy), _ = _worth(counts, game, stake)
    choices = np.where(play > fold, PLAY, FOLD)
    return np.where(buy > np.maximum(fold, play), BUY, choices)


# -- The law ----------------------------------------------------------------------------------------


def choices_of(strategy: str, counts: Counts, game: Game, stake: Stake) -> Choices:
    """What a strategy chooses for each class of five cards."""
    if strategy == "optimal":
        return best_choices(counts, game, stake)
    return THUMBS[strategy].choose(kinds(counts.hands))


def law(counts: Counts, choices: Choices) -> Law:
    """The law when each class of five cards makes its choice."""
    joint: Counter[Outcomes] = Counter()
    first: dict[str, int] = {}
    for number, choice in enumerate(CHOICES):
        chosen = counts.of(number)[choices == number].sum(axis=0, dtype=np.int64).tolist()
        first[choice.name] = sum(chosen)
        joint.update({outcomes: n for outcomes, n in zip(joint_outcomes(number), chosen, strict=True) if n})
    return Law(joint, first, METHOD)


def solve(game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
    counts = count(progress=progress)
    return law(counts, choices_of(strategy, counts, game, stake))


# -- One hand ---------------------------------------------------------------------------------------


@kernel
def _deal_dealers(
    tables: poker.Tables, standing_of: NDArray[np.uint16], rest: Hands, dealers: NDArray[np.int32]
) -> None:
    """Count every hand of five of the rest at its standing: each in the last row and in its cards' rows."""
    key, lane, end = tables.key, tables.lane, len(rest)
    for a in range(end):
        for b in range(a + 1, end):
            for c in range(b + 1, end):
                total_c = poker.LANES_EMPTY + key[rest[a]] + key[rest[b]] + key[rest[c]]
                lanes_c = lane[rest[a]] + lane[rest[b]] + lane[rest[c]]
                for d in range(c + 1, end):
                    total_d, lanes_d = total_c + key[rest[d]], lanes_c + lane[rest[d]]
                    for e in range(d + 1, end):
                        found = poker.look_up(tables, total_d + key[rest[e]], lanes_d + lane[rest[e]])
                        at = standing_of[found]
                        for card in (a, b, c, d, e, end):
                            dealers[card, at] += 1


@kernel
def _judge_dealers(player: int, dealers: Ints, strength_at: Ints, number: Numbers, out: Ints) -> None:
    tens_up = judge_tens_up(player)
    for standing in range(len(strength_at)):
        if dealers[standing]:
            ante, play, beat = judge(player, strength_at[standing])
            out[number[ante, play, tens_up, beat]] += dealers[standing]


def deals_of(five: Sequence[int]) -> list[Ints]:
    """How many deals of one hand lead to each joint outcome of folding, playing and buying.

    Every dealer is dealt once. With the sixth card known, the dealers that hold it fall away.
    """
    strength_at, standing_of = standings()
    rest = np.setdiff1d(np.arange(52), five).astype(np.uint8)
    dealers = np.zeros((len(rest) + 1, len(strength_at)), np.int32)
    _deal_dealers(poker.tables(), standing_of, rest, dealers)
    dealt = dealers.astype(np.int64)
    everyone, others = dealt[-1], len(rest) - rules.DEALER_CARDS
    played, bought = np.zeros((2, len(joint_outcomes(PLAY))), np.int64)
    _judge_dealers(_strength(five), everyone * others, strength_at, numbers(), played)
    for n, sixth in enumerate(rest.tolist()):
        _judge_dealers(_strength([*five, sixth]), everyone - dealt[n], strength_at, numbers(), bought)
    return [np.array([played.sum()]), played, bought]


def _strength(hand: Sequence[int]) -> int:
    return poker.strength(poker.tables(), np.array(hand, np.uint8))


def values(round: Round, stake: Stake) -> dict[str, Fraction]:
    """What each open choice is worth with these five cards, the sixth and the dealer's unknown."""
    five = round.view.player[:SIXTH]
    names = [choice.name for choice in CHOICES]
    return {names[n]: _mean(deals, _nets(round.game, stake, n)) for n, deals in enumerate(deals_of(five))}


def _mean(deals: Ints, nets: Sequence[Fraction]) -> Fraction:
    counted: list[int] = deals.tolist()
    return sum((n * net for n, net in zip(counted, nets, strict=True)), Fraction(0)) / sum(counted)


# -- The card ---------------------------------------------------------------------------------------


def card(game: Game, stake: Stake) -> StrategyCard:
    """A chart of the best choice for each kind of hand, and what single hands would do better."""
    counts = count()
    listed, unit = _worth(counts, game, stake)
    worth = np.stack(listed).astype(object)  # sums over many classes may need more than 64 bits
    place = grid_places(counts.hands)
    cells = np.full(len(ROWS) * len(COLUMNS), NO_HAND)
    for n in np.unique(place):
        cells[n] = worth[:, place == n].sum(axis=1).argmax()
    lost = worth.max(axis=0) - worth[cells[place], np.arange(len(place))]
    deals = int(counts.weights.sum()) * counts.deals
    cost = Fraction(int(lost.sum()), unit * deals)
    return StrategyCard((), tuple(_exceptions(counts, worth, lost)), cost, (grid(cells),))


def _exceptions(counts: Counts, worth: NDArray[Any], lost: NDArray[Any]) -> Iterator[str]:
    """How many hands have a better choice than their kind, and the one that gains most by it."""
    better = lost > 0
    if better.any():
        hand = int((lost * (24 // counts.weights)).argmax())  # of one hand; a class has a divisor of 24
        choice = CHOICES[int(worth[:, hand].argmax())].name
        hands = f"{int(counts.weights[better].sum()):,} of {int(counts.weights.sum()):,} hands"
        yield f"{hands}, most of all {Cards(counts.hands[hand].tolist())}: {choice}"


# -- To be simulated ----------------------------------------------------------------------------------


def decisions(game: Game, stake: Stake, strategy: str) -> Decisions:
    """By class of five."""
    return choices_of(strategy, count(), game, stake).astype(np.uint8)


# Pairs of places to put in order, one after another, until five cards are: no branch to be guessed wrongly.
SORTING = ((0, 3), (1, 4), (0, 2), (1, 3), (0, 1), (2, 4), (1, 2), (3, 4), (2, 3))


class FiveCards(NamedTuple):
    choose: Ints
    choice: Decisions  # by place among the hands of five


@lean
def decide(data: FiveCards, seen: Array, legal: int) -> int:
    for i, j in SORTING:
        low, high = min(seen[i], seen[j]), max(seen[i], seen[j])
        seen[i], seen[j] = low, high
    place = 0
    for i in range(SIXTH):
        place += data.choose[i + 1, seen[i]]
    return int64(data.choice[place])


def player(game: Game, strategy: str, made: Decisions) -> Player:
    tables = removal(FULL_DECK)
    class_of = tables.class_of[tables.start[SIXTH] :]
    return Player(decide, FiveCards(tables.choose, made[class_of]))


def law_key(game: Game, stake: Stake, strategy: str) -> object:
    """Only the optimal choice looks at the stake, at its proportions, and at what can be won with it."""
    if strategy != "optimal":
        return strategy
    standing = [spot.name for spot in game.spots if stake.get(spot.raises or spot.name)]
    shares = {name: str(units / stake["ante"]) for name, units in sorted(stake.items())}
    return [strategy, shares, nets_on(game, *standing)]


SOLVER = Solver(STRATEGIES, solve, values, card, decisions, player, law_key)
