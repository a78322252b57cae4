"""What a seen card is worth in High Five Poker: a sample of hands, with its standard error.

Below a pair of tens the gain of playing is exact for a hand and every card outside of it: the tables of the
proof hold the dealer's hands that contain up to five cards, and the few that share more with the hand are
looked up one by one. From a pair of tens on, dealer's hands with the card are drawn at random: one half of
them chooses, the other half values the choice, so nothing is gained by chance, and the figure is no more
than that of best play. Such a hand is played whatever dead card is seen.
"""

from fractions import Fraction
from math import comb, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import JOKER
from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.solver import DEAD_CARD, SeenCard, SeenRank
from feltlab.core.stake import Stake
from feltlab.core.tally import Tally
from feltlab.counting.showdown import Zone, begin
from feltlab.counting.subsets import HAND, Ints, place
from feltlab.counting.suits import Hands, sort, strengths_of
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.solver import solve
from feltlab.games.high_five_poker.solver.choices import Nets, needed_weight, weigh_kinds
from feltlab.games.high_five_poker.solver.deck_proof import CountedDeck, counted_deck
from feltlab.kernel import int64, kernel
from feltlab.parallel.progress import Progress

SAMPLED_HANDS = 10_000
SAMPLED_DEALERS = 1_000  # in each half
SEED = 53
TABLED = 5  # cards of the largest sets in the tables
DEALER_CARD = "one of the dealer's seven cards"
METHOD = (
    f"sampled: {SAMPLED_HANDS:,} hands of the player at random, seed {SEED}; below a pair of tens the value "
    f"of a hand beside each card is exact, from there on {SAMPLED_DEALERS:,} dealer's hands at random choose "
    "and as many others value the choice; ± is one standard error"
)


class CardWeights(NamedTuple):
    """The weights of three kinds of dealer, as factors of the hands below three columns of the zone."""

    factors: Ints
    columns: Ints
    hand: Ints  # by order index of a dealer's hand: its weight


def card_weights(zone: Zone, order_index: int, strengths: int, kinds: list[int]) -> CardWeights:
    """For a player's hand of the zone or below it; `strengths` is the number of all order indices."""
    unqualified, less, equal = kinds
    column = max(order_index - zone.lowest + 1, 0)
    factors = np.array([unqualified - less, less - equal, equal])
    columns = np.array([0, max(column - 1, 0), column])
    hand = (np.arange(strengths)[:, np.newaxis] - zone.lowest < columns) @ factors
    return CardWeights(factors, columns, hand)


@kernel
def _weigh_set(zone: Zone, weights: CardWeights, cards: NDArray[np.uint8]) -> int:
    """The weights of all dealer's hands that contain up to five cards."""
    number = zone.number[place(zone.ways, cards)]
    total = int64(0)
    for i in range(3):
        column = weights.columns[i]
        if len(cards) < TABLED:
            total += weights.factors[i] * int64(zone.few[number, column])
        else:
            total += weights.factors[i] * int64(zone.five[number - zone.fives, column])
    return total


@kernel
def _sum_small_sets(zone: Zone, weights: CardWeights, hand: NDArray[np.uint8], out: Ints) -> None:
    """By card outside of a hand: the terms of up to four cards of the hand, each with the card."""
    cards, sizes = np.empty(TABLED, np.uint8), zone.ways
    for i in range(sizes.start[TABLED]):
        size = 0
        for j in range(HAND):
            if sizes.mask[i] >> j & 1:
                size += 1
        for card in zone.deck:
            if (hand == card).any():
                continue
            at = 0
            for j in range(HAND):
                if sizes.mask[i] >> j & 1:
                    cards[at] = hand[j]
                    at += 1
            cards[at] = card
            sort(cards[: size + 1])
            weight = _weigh_set(zone, weights, cards[: size + 1])
            out[card] += -weight if size & 1 else weight


@kernel
def _take_out_large_sets(zone: Zone, weights: CardWeights, hand: NDArray[np.uint8], out: Ints) -> None:
    """Take out the dealer's hands that share five or six cards with the hand, as often as they were added.

    The terms of up to four cards add a hand that shares five once, and one that shares six five times.
    """
    tables, rest = zone.tables, len(zone.deck) - HAND
    key, lane, outside = np.empty(rest, np.int64), np.empty(rest, np.int64), np.empty(rest, np.int64)
    total, lanes = begin(tables, zone.deck, hand, key, lane)
    found = 0
    for card in zone.deck:
        if not (hand == card).any():
            outside[found] = card
            found += 1
    for i in range(HAND):
        total_i, lanes_i = total - tables.key[hand[i]], lanes - tables.lane[hand[i]]
        for x in range(rest):
            six = poker.look_up(tables, total_i + key[x], lanes_i + lane[x])
            out[outside[x]] -= 5 * weights.hand[six]
        for j in range(i):
            total_j, lanes_j = total_i - tables.key[hand[j]], lanes_i - tables.lane[hand[j]]
            for x in range(rest):
                total_x, lanes_x = total_j + key[x], lanes_j + lane[x]
                for y in range(x):
                    weight = weights.hand[poker.look_up(tables, total_x + key[y], lanes_x + lane[y])]
                    out[outside[x]] -= weight
                    out[outside[y]] -= weight


@kernel
def sum_cards(zone: Zone, weights: CardWeights, hand: NDArray[np.uint8], out: Ints) -> None:
    """By card: the weights of all dealer's hands that hold it and avoid a hand of the zone or below."""
    out[:] = 0
    _sum_small_sets(zone, weights, hand, out)
    _take_out_large_sets(zone, weights, hand, out)


@kernel
def _draw_dealers(
    rng: np.random.Generator, tables: poker.Tables, rest: Hands, player: int, kinds: Ints, out: Ints
) -> None:
    """In each half: the weights of random dealer's hands that hold the first of the rest."""
    hand = np.empty(HAND, np.uint8)
    for half in range(len(out)):
        out[half] = 0
        for _ in range(SAMPLED_DEALERS):
            for i in range(1, HAND):
                j = i + int64(rng.random() * (len(rest) - i))
                rest[i], rest[j] = rest[j], rest[i]
            hand[:] = rest[:HAND]
            dealer = poker.strength(tables, hand)
            kind = 0 if dealer < rules.QUALIFIES else 1 if dealer < player else 2 if dealer == player else 3
            out[half] += kinds[kind]


class Sample(NamedTuple):
    """By sampled hand: the gain by a dead card, and by a card of the dealer's, in parts of an Ante."""

    dead: NDArray[np.float64]
    dealer: NDArray[np.float64]


def sample_gains(deck: CountedDeck, nets: Nets, hands: int = SAMPLED_HANDS, seed: int = SEED) -> Sample:
    rng, cards = np.random.default_rng(seed), deck.found.deck
    drawn = np.sort(cards[rng.random((hands, len(cards))).argsort(axis=1)[:, :HAND]], axis=1)
    gains = np.zeros((2, hands))
    for n, (hand, strength) in enumerate(zip(drawn, strengths_of(drawn).tolist(), strict=True)):
        if strength < deck.zone_end:
            gains[:, n] = gain_exactly(deck, nets, hand, strength)
        else:
            gains[1, n] = gain_at_random(rng, deck, nets, hand, strength)
    return Sample(*gains)


def gain_at_random(
    rng: np.random.Generator, deck: CountedDeck, nets: Nets, hand: Hands, strength: int
) -> float:
    """The gain by one of the dealer's cards at random, with a hand that is played if none is seen."""
    rest = rng.permutation(np.setdiff1d(deck.found.deck, hand))
    halves = draw_dealers(rng, rest, strength, nets) - needed_weight(1, nets)
    first, second = map(float, halves)
    return -((first < 0) * second + (second < 0) * first) / 2


def draw_dealers(rng: np.random.Generator, rest: Hands, strength: int, nets: Nets) -> NDArray[np.float64]:
    """The mean weight of random dealer's hands that hold the first of the rest, in each half."""
    halves = np.zeros(2, np.int64)
    kinds = np.array([*weigh_kinds(strength, nets), 0])
    _draw_dealers(rng, poker.tables(), rest, strength, kinds, halves)
    return halves / SAMPLED_DEALERS


def gain_exactly(deck: CountedDeck, nets: Nets, hand: Hands, strength: int) -> tuple[float, float]:
    """The mean gain over the cards outside of a hand, by a dead card and by one of the dealer's."""
    zone, need, held = deck.zone, needed_weight(1, nets), np.zeros(JOKER + 1, np.int64)
    kinds, order_index = weigh_kinds(strength, nets), int(deck.order.index_of[strength])
    sum_cards(zone, card_weights(zone, order_index, len(deck.order.strengths), kinds), hand, held)
    outside = np.setdiff1d(zone.deck, hand)
    everyone, held = int(held.sum()) // HAND, held[outside]
    left = len(outside) - 1
    dealers, with_card = comb(left + 1, HAND), comb(left, HAND - 1)
    plays = everyone >= need * dealers
    dead = (everyone - held) - need * comb(left, HAND)
    dealer = held - need * with_card
    mean = [(np.maximum(gain, 0) - plays * gain).mean() for gain in (dead, dealer)]
    return mean[0] / comb(left, HAND), mean[1] / with_card


def see_cards(game: Game, stake: Stake, progress: Progress) -> tuple[SeenCard, ...]:
    nets = Nets.of(game)
    expected = Tally(game, solve(game, stake, "optimal", progress).counts).total_expected(stake)
    sample = sample_gains(counted_deck(progress), nets)
    parts = float(stake["ante"]) / nets.parts
    return (
        _seen_card("dead", DEAD_CARD, expected, sample.dead * parts),
        _seen_card("dealer", DEALER_CARD, expected, sample.dealer * parts),
    )


def _seen_card(key: str, card: str, expected: Fraction, gains: NDArray[np.float64]) -> SeenCard:
    error = float(gains.std(ddof=1)) / sqrt(len(gains))
    used = expected + Fraction(float(gains.mean()))
    return SeenCard(key, card, METHOD, (SeenRank("any", Fraction(1), expected, used, error),), error)
