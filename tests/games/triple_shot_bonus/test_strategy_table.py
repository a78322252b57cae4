"""The complete strategy of Triple Shot Bonus: every hand is in one class, and the values are the solver's."""

from fractions import Fraction
from itertools import islice
from math import comb, perm

import numpy as np
import pytest

from feltlab import GAMES, Round
from feltlab.core.stake import read_stake
from feltlab.games import solver_of
from feltlab.games.triple_shot_bonus.solver.classes import can_be_dealt
from feltlab.games.triple_shot_bonus.solver.states import RANKS, states
from feltlab.games.triple_shot_bonus.solver.strategy_classes import (
    ALIVE,
    DEAD,
    count_hands,
    count_pairs,
    open_pairs,
)
from feltlab.games.triple_shot_bonus.solver.strategy_table import _rows, _solve, _state_row, strategy_table
from feltlab.parallel.progress import nobody_listens

GAME = GAMES["triple-shot-bonus"]
BLACKJACKS = 2 * 4 * 16  # orders of an ace and a ten, if the up-card is neither


@pytest.mark.parametrize("phase", [ALIVE, DEAD])
@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("up", [0, 12])
def test_every_hand_is_in_one_class(phase: int, size: int, up: int) -> None:
    table = states()
    found = np.flatnonzero((table.size == size) & can_be_dealt()[up])
    found = found[found >= table.first_plain] if phase == DEAD else found
    assert sum(count_hands(phase, up, state) for state in found.tolist()) == comb(51, size)


@pytest.mark.parametrize("up", [0, 5])
def test_every_order_of_two_cards_is_in_one_class(up: int) -> None:
    def total(phase: int, has_hat_trick: bool) -> int:
        pairs = open_pairs(phase, up).tolist()
        return sum(count_pairs(phase, up, one, two, has_hat_trick) for one, two in pairs)

    orders = perm(51, 2) - BLACKJACKS
    assert total(DEAD, False) == orders
    assert total(ALIVE, True) + total(DEAD, True) == orders


def test_the_values_are_those_of_the_solver() -> None:
    """Differences of choices are compared, as War and Poker are not in the table."""
    stake = read_stake(GAME, {"hat-trick": "1/2"})
    against = _solve(GAME, stake, up=5, phase=ALIVE)  # a seven
    table = states()
    hand = "8h Kd 2s"
    held = np.zeros(RANKS, np.uint8)
    held[[6, 11, 0]] = 1
    (state,) = np.flatnonzero((table.held == held).all(axis=1)) + table.first_plain
    row = _state_row(against, int(state))
    values = solver_of(GAME).values(
        Round.of(GAME, hand, "7c", war=2, blackjack=2, poker=2, **{"hat-trick": 1}).choose("hit"), stake
    )
    listed = {
        GAME.choices[n].name: Fraction(net, row.parts) for n, net in enumerate(row.nets) if net is not None
    }
    assert listed.keys() == values.keys() == {"hit", "stand"}
    assert listed["hit"] - listed["stand"] == values["hit"] - values["stand"]
    assert GAME.choices[row.choice].name == max(values, key=lambda choice: values[choice])


def test_rows_of_two_cards_have_the_values_of_the_solver() -> None:
    stake = read_stake(GAME, {})
    against = _solve(GAME, stake, up=8, phase=DEAD)  # a ten
    row = next(row for row in islice(_rows(against), 91) if row.hand == "6-T")
    listed = {
        GAME.choices[n].name: Fraction(net, row.parts) for n, net in enumerate(row.nets) if net is not None
    }
    # Th 6d against Ts: see methods.md of the game. Poker and War are the same in all three.
    hit, stand = Fraction(-1_686_724_169, 1_242_490_590), Fraction(-8_948_227, 6_421_140)
    double = Fraction(-23_165_789_827, 12_424_905_900)
    assert listed["hit"] - listed["stand"] == hit - stand
    assert listed["hit"] - listed["double"] == hit - double
    assert (GAME.choices[row.choice].name, row.second_cost) == ("hit", hit - stand)
    assert row.hands == 2 * 3 * 4  # orders of one of three tens and one of four sixes


@pytest.mark.slow
def test_the_count_is_the_number_of_rows() -> None:
    table = strategy_table(GAME, read_stake(GAME, {"hat-trick": "1"}), nobody_listens)
    assert sum(1 for _ in table.rows) == table.count
