"""Texas Hold'em Bonus against the rules: every deal of small decks, single positions of the whole one."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from feltlab.core.cards import cards
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.counting.tree.solver import tree_solver
from feltlab.games import GAMES
from feltlab.games.texas_holdem_bonus.solver import SOLVER
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.proof import prove
from tests.support.small_decks import with_deck

GAME = GAMES["texas-holdem-bonus"]
UNIT = {"ante": Fraction(1)}
BOTH = {"ante": Fraction(1), "bonus": Fraction(2)}


def strength(held):
    return int(poker.strength(poker.tables(), np.array(held, np.uint8)))


def suits_of(ranks):
    return " ".join(rank + suit for rank in ranks for suit in "cdhs")


SMALL = [
    pytest.param("A72", {}, UNIT, id="three ranks"),
    pytest.param("AK2", {"bonus": "2"}, BOTH, id="with the Bonus"),
    pytest.param("AKJ2", {}, BOTH, id="four ranks", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("strategy", ["optimal", "cautious"])
@pytest.mark.parametrize(("ranks", "options", "stake"), SMALL)
def test_every_deal_of_a_small_deck_through_the_rules(ranks, options, stake, strategy):
    game = with_deck(GAME.with_options(options), suits_of(ranks))
    fast = SOLVER.solve(game, stake, strategy, nobody_listens)
    slow = tree_solver().solve(game, stake, strategy, nobody_listens)
    orders = sum(slow.counts.values()) // sum(fast.counts.values())  # the walk tells cards of one hand apart
    assert {key: orders * count for key, count in fast.counts.items()} == slow.counts
    assert {s: {c: orders * n for c, n in row.items()} for s, row in fast.streets.items()} == slow.streets


def test_single_positions_of_a_small_deck():
    game = with_deck(GAME, suits_of("AK2"))
    for player, board, chosen in (("Ac Ad", "Kc Kd 2c", ["play"]), ("Ac 2d", "Kc Kd 2c As", ["play", "bet"])):
        round = Round.of(game, player, board, "", ante=100, bonus=100).choose(*chosen)
        stake = {"ante": Fraction(1), "bonus": Fraction(1)}
        assert SOLVER.values(round, stake) == tree_solver().values(round, stake)


def test_a_position_before_the_last_card_against_every_dealer():
    """All rivers and dealers of the whole deck, one by one."""
    hole, four = cards("Kd 4h"), cards("Ks 9c 2d 7s")
    left = [card for card in range(52) if card not in (*hole, *four)]
    round = Round.of(GAME, "Kd 4h", "Ks 9c 2d 7s", "", ante=100).choose("play", "check")
    gain = deals = 0
    for river in left:
        board = [*four, river]
        mine = strength([*hole, *board])
        for dealer in combinations([card for card in left if card != river], 2):
            other = strength([*dealer, *board])
            gain += (mine > other) - (mine < other)
            deals += 1
    values = SOLVER.values(round, UNIT)
    assert values["bet"] - values["check"] == Fraction(gain, deals)


@pytest.mark.slow
def test_only_a_two_with_a_low_card_folds():
    """Published: fold only unsuited 2-3 to 2-7."""
    card = SOLVER.card(GAME, UNIT)
    (chart,) = card.charts
    cells = {
        (row, column): cell
        for row, choices in chart.rows.items()
        for column, cell in zip(chart.columns, choices, strict=True)
    }
    folds = {place for place, cell in cells.items() if cell == "fold"}
    assert folds == {("2", rank) for rank in "34567"}
    assert 0 < card.cost < Fraction(1, 100)


@pytest.mark.slow
def test_turn_and_river_are_bet_slightly_under_half_the_time():
    """Published in these words, of all rounds."""
    law = prove(GAME).law
    deals = sum(law.counts.values())
    for street in ("turn", "river"):
        assert Fraction(2, 5) < Fraction(law.streets[street]["bet"], deals) < Fraction(1, 2)


def test_a_card_costs_twice_as_much_with_twice_the_stake():
    game = with_deck(GAME, suits_of("AK72"))
    one, two = SOLVER.card(game, UNIT), SOLVER.card(game, {"ante": Fraction(2)})
    assert (two.lines, two.cost) == (one.lines, 2 * one.cost)
    assert one.cost > 0
