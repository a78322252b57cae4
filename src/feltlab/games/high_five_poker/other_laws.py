"""The laws of High Five Poker under other readings of its rules."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import comb

import numpy as np

from feltlab.core.cards import ACE, JOKER
from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.solver import Law, SolveLaw
from feltlab.core.stake import Stake
from feltlab.counting.subsets import HAND
from feltlab.counting.suits import classes, strengths_of, with_joker
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.solver.choices import Nets
from feltlab.games.high_five_poker.solver.deck_proof import prove_standard_deck
from feltlab.games.high_five_poker.solver.law import TripsReading, law
from feltlab.parallel.progress import Progress


def judge_any_aces(strength: int) -> int:
    """The outcome of Trips if aces up means a full house with aces in it, three or two."""
    aces_below = strength >> 12 == poker.FULL_HOUSE and strength >> 4 & 15 == ACE
    return rules.FULL_HOUSE_ACES if aces_below else rules.judge_trips(strength)


def judge_aces_below(strength: int) -> int:
    """The outcome of Trips if aces up means a full house whose pair is aces."""
    if strength >> 12 != poker.FULL_HOUSE:
        return rules.judge_trips(strength)
    return rules.FULL_HOUSE_ACES if strength >> 4 & 15 == ACE else rules.FULL_HOUSE


def solve_with(trips: TripsReading) -> SolveLaw:
    def solve(game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
        return law(prove_standard_deck(progress, Nets.of(game)), strategy, trips)

    return solve


OTHER_LAWS: Mapping[str, SolveLaw] = {
    "fold-loses-trips": solve_with(TripsReading(lost_by_fold=True)),
    "any-aces-up": solve_with(TripsReading(judge=judge_any_aces)),
    "aces-below": solve_with(TripsReading(judge=judge_aces_below)),
}

# -- A joker that completes no straight flush ----------------------------------------------------------


def judge_without_joker_straight_flush(hand: list[int]) -> int:
    """The outcome of Trips of six cards and the joker that would make a straight flush with it."""
    natural = int(poker.strength(poker.tables(), np.array(hand, np.uint8)))
    if natural >> 12 >= poker.STRAIGHT_FLUSH:
        return int(rules.judge_trips(natural))
    held = Counter([ACE, *(card >> 2 for card in hand)])
    if max(held.values()) >= 4:
        return rules.FOUR
    if held[ACE] == 3 and len(held) < len(hand) - 1:
        return rules.FULL_HOUSE_ACES
    return rules.FULL_HOUSE if 3 in held.values() and len(held) < len(hand) - 1 else rules.FLUSH


def pay_no_joker_straight_flush(game: Game, stake: Stake, strategy: str) -> dict[str, Fraction]:
    """The gain of a unit on Trips if the joker completes a straight or a flush, but not both at once."""
    hands, weights = classes(HAND - 1)
    strengths = strengths_of(with_joker(hands))
    lines = game.pay_table(game.spot("trips")).lines
    gained = Fraction(0)
    at = (strengths >> 12 == poker.STRAIGHT_FLUSH) | (strengths >> 12 == poker.ROYAL)
    for hand, weight, strength in zip(
        hands[at].tolist(), weights[at].tolist(), strengths[at].tolist(), strict=True
    ):
        outcome = judge_without_joker_straight_flush(hand)
        gained += weight * (lines[outcome].pays - lines[rules.judge_trips(strength)].pays)
    return {"trips": gained / comb(JOKER + 1, HAND)}


EXTRA_NETS = {"no-joker-straight-flush": pay_no_joker_straight_flush}
