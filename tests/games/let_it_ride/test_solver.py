"""The proof of Let It Ride against the rules, deal by deal, and against the hands worth exactly zero."""

from fractions import Fraction
from itertools import combinations
from math import comb, perm

import numpy as np
import pytest
from numpy.typing import NDArray

from feltlab.core.cards import cards
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.stake import check_stake, default_stake
from feltlab.games import GAMES, solver_of
from feltlab.games.let_it_ride import rules
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.advice import advise
from feltlab.proving.proof import prove
from tests.support.small_decks import try_everything, with_deck

GAME = GAMES["let-it-ride"]
SMALL = with_deck(GAME, "Tc Td 6c 6d 4c 4d 2c 2d")
STAKE = default_stake(GAME)


@pytest.mark.parametrize("strategy", ["optimal", "cautious"])
def test_a_small_deck_has_the_law_of_every_deal(strategy: str) -> None:
    stake = check_stake(GAME, {**STAKE, "three-card-bonus": 1})
    law = solver_of(GAME).solve(SMALL, stake, strategy, nobody_listens)
    slow = try_everything(SMALL, stake, cautious=strategy == "cautious")
    assert law.counts == slow.counts
    assert law.streets["second"] == {name: n for (street, name), n in slow.made.items() if street == 1}


def test_every_deal_is_counted_once() -> None:
    law = prove(GAME).law
    assert sum(law.counts.values()) == sum(law.first_choices.values()) == perm(52, 5)


def four_card_values() -> NDArray[np.int64]:
    """The sum of the pays of a riding bet over the 48 last cards, for every four cards: by subset sums."""
    fives = np.array(list(combinations(range(52), 5)), np.uint8)
    strengths = np.empty(len(fives), np.uint16)
    poker.strengths(poker.tables(), fives, strengths)
    judged = {int(s): int(LINES[rules.judge(int(s))].pays) for s in np.unique(strengths)}
    pays = np.vectorize(judged.__getitem__)(strengths)
    sums = np.zeros(comb(52, 4), np.int64)
    for left_out in range(5):
        four = np.delete(fives, left_out, axis=1).astype(np.int64)
        places = sum(CHOOSE[four[:, k], k + 1] for k in range(4))
        np.add.at(sums, places, pays)
    return sums


LINES = GAME.pay_table(GAME.spot("bet-3")).lines
CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(53)])


@pytest.mark.slow
def test_2_268_four_card_hands_are_worth_exactly_zero() -> None:
    """Published as 2,268 of 270,725, at github.com/JadenB9/casino-simulator."""
    sums = four_card_values()
    assert (len(sums), int((sums == 0).sum())) == (270_725, 2_268)
    rides = Fraction(int((sums >= 0).sum()), len(sums))
    made = prove(GAME).law.streets["second"]
    assert Fraction(made["ride"], sum(made.values())) == rides  # optimal rides at equal value
    careful = prove(GAME, strategy="cautious").law.streets["second"]
    assert Fraction(careful["ride"], sum(careful.values())) == Fraction(int((sums > 0).sum()), len(sums))


@pytest.mark.parametrize(("hand", "value"), [("Ts Th 5d", 1.43622449), ("5s 5h 5d", 5.40816327)])
def test_the_published_values_of_bet_1(hand: str, value: float) -> None:
    """wizardofodds.com/games/let-it-ride/appendix/1; the value of riding over pulling."""
    start = Round.of(GAME, hand, "", bet_1=100, bet_2=100, bet_3=100)
    worth = {one.choice: one.expected for one in advise(start)}
    assert round(float(worth["ride"] - worth["pull"]) / 100, 8) == value


def test_advice_on_the_second_street_is_the_mean_over_the_last_card() -> None:
    start = Round.of(GAME, "Ks 9h 4d", "Kd", bet_1=100, bet_2=100, bet_3=100).choose("pull")
    worth = {one.choice: one.expected for one in advise(start)}
    left = [card for card in range(52) if card not in cards("Ks 9h 4d Kd")]
    fives = np.array([[*cards("Ks 9h 4d Kd"), card] for card in left], np.uint8)
    pays = [LINES[rules.judge(poker.strength(poker.tables(), five))].pays for five in fives]
    assert worth["ride"] == 2 * 100 * sum(pays) / len(left)
    assert worth["pull"] == 100 * sum(pays) / len(left)
