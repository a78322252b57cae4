"""The worth of a seen card in Rabbit Hunter Stud Poker.

For each class of the player's cards and each card outside of it, the nets are summed over the dealer's hands
that hold the card; the dealer's hands without it are the others. Playing needs the classes of five cards.
Buying needs those of six, each for the fives within it (`seen_cards_weights` sums them).

Where a suit can be exchanged for another without changing the five cards, a class of six stands for several
sixth cards at once. So the sums of cards that such an exchange turns into each other are levelled at the end.
"""

import os
from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from feltlab.core.game import Game
from feltlab.core.solver import DEAD_CARD, SeenCard
from feltlab.core.stake import Stake
from feltlab.counting.removal import classes_of
from feltlab.counting.seen_cards import TOO_FINE, Values, sum_by_rank, whole_parts
from feltlab.counting.suits import strengths_of
from feltlab.games.rabbit_hunter.choices import nets_of
from feltlab.games.rabbit_hunter.counts import FULL_DECK, counting_tables, joint_outcomes
from feltlab.games.rabbit_hunter.rules import BUY, CHOICES, DEALER_CARDS, FOLD, PLAY, PLAYER_CARDS, SIXTH
from feltlab.games.rabbit_hunter.seen_cards_weights import (
    Ints,
    build_weights,
    level_suits,
    sum_fives,
    sum_sixes,
)
from feltlab.parallel.progress import Progress, nobody_listens, part_of
from feltlab.parallel.threads import map_in_threads

MAX_NET = 1 << 31  # times all deals of a class it fits 64 bits
MAX_TABLES = 4  # of sums, for threads that work at the same time; some 110 MB each
DEALER_CARD = "one of the dealer's five cards"
SIXTH_CARD = "the player's own sixth card, before it is bought"
METHOD = (
    "Every class of five and of six player's cards, beside every card that can be seen, meets all dealer's "
    "hands by inclusion-exclusion over the cards removed."
)


class SeenSums(NamedTuple):
    """By class of five cards and card, the nets of all deals: of all dealer's hands that hold the card."""

    play: Values
    buy: Values  # over all sixth cards
    bought: Values  # over all dealer's hands, if the card is the sixth


def sum_nets(
    deck: tuple[int, ...], nets: Sequence[Sequence[int]], progress: Progress = nobody_listens
) -> SeenSums:
    """Sum the nets of playing and buying; `nets` holds those of each choice by number of joint outcome."""
    tools, cards = counting_tables(deck), np.array(deck, np.uint8)
    hands, weights = classes_of(SIXTH, deck)
    of_play, of_buy = np.array(nets[PLAY], np.int64), np.array(nets[BUY], np.int64)
    play = np.zeros((len(hands), len(FULL_DECK)), np.int64)
    by_strength = np.argsort(strengths_of(hands), kind="stable")
    sum_fives(tools, build_weights(tools, len(deck)), cards, hands, by_strength, of_play, play)
    sixes, six_weights = classes_of(PLAYER_CARDS, deck)
    order = np.argsort(strengths_of(sixes), kind="stable")

    def work(part: Ints) -> tuple[Values, Values]:
        buy, bought = np.zeros_like(play), np.zeros_like(play)
        weights_of = build_weights(tools, len(deck))
        sum_sixes(tools, weights_of, cards, sixes[part], six_weights[part], of_buy, buy, bought)
        return buy, bought

    found = map_in_threads(work, np.array_split(order, min(os.cpu_count() or 1, MAX_TABLES)), progress)
    suits = len({card & 3 for card in deck})
    buy, bought = (sum(sums[1:], start=sums[0]) for sums in zip(*found, strict=True))
    level_suits(hands, suits, buy)
    level_suits(hands, suits, bought)
    return SeenSums(play * weights[:, np.newaxis], buy, bought)


class Seen(NamedTuple):
    """By choice, class of five and card: the nets of all deals in which the card is seen."""

    dead: Values
    dealer: Values
    sixth: Values


def value_choices(deck: tuple[int, ...], folded: int, sums: SeenSums) -> Seen:
    """The nets of folding, playing and buying, by card seen; folding nets the same in every deal."""
    hands, weights = classes_of(SIXTH, deck)
    outside = np.zeros((len(hands), len(FULL_DECK)), np.int64)
    outside[:, deck] = 1
    np.put_along_axis(outside, hands.astype(np.int64), 0, axis=1)
    folds = folded * weights[:, np.newaxis] * outside
    everyone = sums.play.sum(axis=1, keepdims=True) // DEALER_CARDS
    all_bought = sums.bought.sum(axis=1, keepdims=True)
    without = (everyone - sums.play) * outside  # dealers without the card
    left = len(deck) - SIXTH - 1  # cards besides the five and the one that is seen
    sixths = left - DEALER_CARDS  # that are left beside the dealer's hand
    deals = count_seen_deals(deck)
    dead_buy = (all_bought - sums.bought - sums.buy) * outside
    return Seen(
        np.stack((folds * deals.dead, without * sixths, dead_buy)),
        np.stack((folds * deals.dealer, sums.play * (sixths + 1), sums.buy)),
        np.stack((folds * deals.sixth, without, sums.bought)),
    )


class SeenDeals(NamedTuple):
    """The number of deals beside five cards and the card seen."""

    dead: int
    dealer: int
    sixth: int


def count_seen_deals(deck: tuple[int, ...]) -> SeenDeals:
    left = len(deck) - SIXTH - 1
    dealers, with_card = comb(left, DEALER_CARDS), comb(left, DEALER_CARDS - 1)
    return SeenDeals(dealers * (left - DEALER_CARDS), with_card * (left - DEALER_CARDS + 1), dealers)


def see_cards_of_deck(
    deck: tuple[int, ...], game: Game, stake: Stake, progress: Progress = nobody_listens
) -> tuple[SeenCard, ...]:
    named = {"dead": DEAD_CARD, "dealer": DEALER_CARD, "sixth": SIXTH_CARD}
    nets = [nets_of(game, stake, joint_outcomes(choice)) for choice in range(len(CHOICES))]
    flat, unit = whole_parts([net for of_choice in nets for net in of_choice])
    if max(map(abs, flat)) >= MAX_NET:
        return tuple(SeenCard(key, card, TOO_FINE) for key, card in named.items())
    whole = [[int(net * unit) for net in of_choice] for of_choice in nets]
    values = value_choices(deck, whole[FOLD][0], sum_nets(deck, whole, part_of(progress, 0.2, 1.0)))
    chosen = choose_unseen(values.sixth)
    players = comb(len(deck) - 1, SIXTH) * unit
    return tuple(
        SeenCard(key, named[key], METHOD, sum_by_rank(values_of, chosen, deck, players * deals))
        for key, values_of, deals in zip(named, values, count_seen_deals(deck), strict=True)
    )


def choose_unseen(values: Values) -> Ints:
    """The best choice of each class without a card seen; of equal ones, that which puts the least down."""
    chosen: Ints = values.sum(axis=2).argmax(axis=0)
    return chosen


def see_cards(game: Game, stake: Stake, progress: Progress) -> tuple[SeenCard, ...]:
    return see_cards_of_deck(FULL_DECK, game, stake, progress)
