"""The dealing procedure of Texas Hold'em Bonus: a test for each moment of a round."""

from feltlab.games import GAMES
from tests.support.irregularity_clauses import check_local_procedure
from tests.support.procedures import steps_at

GAME = GAMES["texas-holdem-bonus"]
MOMENTS = {
    1: ("Before the deal", ("No more bets.", "Place the Ante")),
    2: ("The deal", ("two cards, face down", "five community cards")),
    3: ("The choices", ("twice the Ante", "on the Turn", "on the River", "Turns up the flop")),
    4: ("The dealer's cards", ("best five",)),
    5: ("Settling", ("Flop, Turn, River and Ante", "the Bonus")),
    6: ("After the round", ("52 cards",)),
}


def check_moment(number):
    moment, words = MOMENTS[number]
    assert all(word in steps_at(GAME, moment) for word in words)


def test_10_1_before_the_deal():
    check_moment(1)


def test_10_2_the_deal():
    check_moment(2)


def test_10_3_the_choices():
    check_moment(3)


def test_10_4_the_dealers_cards():
    check_moment(4)


def test_10_5_settling():
    check_moment(5)


def test_10_6_after_the_round():
    check_moment(6)


def test_10_7_variants_of_the_venue():
    check_local_procedure(GAME, "10.7")
