"""Simulation holds the proofs to the rules that are dealt: random shoes, `legal`, `visible`, `settle`.

The player decides by a rule of thumb that the solver knows by name and sees only what `visible` shows.
Seeds are fixed; the bound is four standard errors on every bet's mean, and a chi-square over all joint
outcomes whose chance of a false alarm is one in a million.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import pytest

from feltlab.game import Game
from feltlab.games import GAMES
from feltlab.games.casino_war import rules as casino_war
from feltlab.games.high_five_poker import rules as high_five
from feltlab.games.rabbit_hunter import rules as rabbit
from feltlab.games.triple_shot_bonus import rules as bonus
from feltlab.games.triple_shot_rummy import rules as rummy_rules
from feltlab.hands import blackjack, poker, rummy
from feltlab.kernel import kernel
from feltlab.proof import prove

ROUNDS = 20_000_000
FEW = 200_000


@kernel
def war(house, seen):
    return casino_war.WAR


@kernel
def pair_of_sevens(house, seen):
    plays = poker.strength(house.poker, seen[:7]) >= poker.PAIR << 12 | 5 << 8
    return high_five.PLAY if plays else high_five.FOLD


@kernel
def ace_high(house, seen):
    return rabbit.PLAY if poker.strength(house.poker, seen[:5]) >= poker.ACE_HIGH else rabbit.FOLD


@kernel
def twenty_points(house, seen):
    return rummy_rules.PLAY if rummy.points(seen[0], seen[1], seen[2]) <= 20 else rummy_rules.FOLD


@kernel
def like_the_dealer(house, seen):
    """Decline insurance, then hit 16 or less and soft 17."""
    size = 2
    while size < 6 and seen[size] >= 0:
        size += 1
    total, soft = blackjack.total(seen[:size])
    return bonus.HIT if total <= (17 if soft else 16) else bonus.STAND


def loop_of(rules: Any, decide: Callable[..., int], insurance: int) -> Callable[..., None]:
    """A compiled loop over random rounds of one game; `insurance` is the choice to decline it, or -1."""
    legal, visible, settle = rules.legal, rules.visible, rules.settle

    @kernel
    def loop(house, deck, places, rounds, seed, radix, counts):
        np.random.seed(seed)
        shoe, seen = np.empty(places, np.int8), np.empty(places, np.int8)
        choices, outcomes = np.empty(8, np.int8), np.empty(len(radix), np.int8)
        for _ in range(rounds):
            for i in range(places):
                j = i + np.random.randint(0, len(deck) - i)
                deck[i], deck[j] = deck[j], deck[i]
                shoe[i] = deck[i]
            made = 0
            while True:
                open_now = legal(house, shoe, choices[:made])
                if open_now == 0:
                    break
                visible(house, shoe, choices[:made], seen)
                choice = decide(house, seen)
                if insurance >= 0 and open_now >> insurance & 1:
                    choice = insurance
                choices[made] = choice
                made += 1
            settle(house, shoe, choices[:made], outcomes)
            at = 0
            for spot in range(len(radix)):
                at = at * radix[spot] + outcomes[spot] + 1
            counts[at] += 1

    return loop


CASES = {
    "casino-war": ("war", casino_war, war, -1),
    "high-five-poker": ("pair-of-7s", high_five, pair_of_sevens, -1),
    "rabbit-hunter": ("ace-high", rabbit, ace_high, -1),
    "triple-shot-rummy": ("20-or-less", rummy_rules, twenty_points, -1),
    "triple-shot-bonus": ("mimic-dealer", bonus, like_the_dealer, bonus.DECLINE),
}


def simulated(name: str, rounds: int, seed: int) -> dict[tuple[int, ...], int]:
    """Counts of joint outcomes."""
    _, rules, decide, insurance = CASES[name]
    game = GAMES[name]
    radix = np.array([len(spot.outcomes) + 1 for spot in game.spots])
    counts = np.zeros(int(radix.prod()), np.int64)
    places = game.rules.PLAYER_CARDS + game.rules.DEALER_CARDS
    deck = np.array(game.deck.cards, np.int8)
    loop_of(rules, decide, insurance)(game.house, deck, places, rounds, seed, radix, counts)
    found = {}
    for at in np.flatnonzero(counts):
        digits = np.unravel_index(at, tuple(radix))
        found[tuple(int(digit) - 1 for digit in digits)] = int(counts[at])
    return found


def compare(game: Game, strategy: str, found: dict[tuple[int, ...], int]) -> None:
    proof = prove(game, strategy=strategy)
    tally, rounds = proof.tally, sum(found.values())
    assert set(found) <= set(proof.law.counts)  # nothing happens that the law excludes
    for bet in game.wagers:
        mean = float(sum(n * tally.net(bet, outcomes) for outcomes, n in found.items())) / rounds
        error = sqrt(float(tally.variance(bet)) / rounds)
        assert abs(mean - float(tally.expected(bet))) < 4 * error, bet.name
    chi_square, cells = 0.0, 0
    for outcomes, n in proof.law.counts.items():
        expected = rounds * n / tally.deals
        if expected >= 10:
            chi_square += (found.get(outcomes, 0) - expected) ** 2 / expected
            cells += 1
    # Wilson and Hilferty: the cube root is nearly normal; 4.75 deviations is one in a million.
    z = ((chi_square / cells) ** (1 / 3) - (1 - 2 / (9 * cells))) / sqrt(2 / (9 * cells))
    assert z < 4.75


@pytest.mark.parametrize("name", list(CASES))
def test_a_short_simulation_agrees_with_the_proof(name):
    compare(GAMES[name], CASES[name][0], simulated(name, FEW, seed=11))


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CASES))
def test_twenty_million_rounds_agree_with_the_proof(name):
    compare(GAMES[name], CASES[name][0], simulated(name, ROUNDS, seed=12))


def test_a_wrong_law_is_flagged():
    """The same comparison fails when the player folds more than the proof supposes."""
    found = simulated("triple-shot-rummy", FEW, seed=11)
    with pytest.raises(AssertionError):
        compare(GAMES["triple-shot-rummy"], "18-or-less", found)
