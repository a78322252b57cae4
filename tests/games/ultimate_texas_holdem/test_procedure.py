"""The dealing procedure of Ultimate Texas Hold'em: a test for each moment of a round."""

from feltlab.games import GAMES
from tests.support.irregularity_clauses import check_local_procedure
from tests.support.procedures import steps_at

GAME = GAMES["ultimate-texas-holdem"]
MOMENTS = {
    1: ("Before the deal", ("No more bets.", "equal amounts")),
    2: ("The deal", ("two cards, face down", "five community cards")),
    3: ("The choices", ("four or three times", "twice the Ante", "folds", "Turns up the flop")),
    4: ("The dealer's cards", ("Dealer opens",)),
    5: ("Settling", ("Play, Ante and Blind", "Trips and then Bad Beat")),
    6: ("After the round", ("52 cards",)),
}


def check_moment(number):
    moment, words = MOMENTS[number]
    assert all(word in steps_at(GAME, moment) for word in words)


def test_11_1_before_the_deal():
    check_moment(1)


def test_11_2_the_deal():
    check_moment(2)


def test_11_3_the_choices():
    check_moment(3)


def test_11_4_the_dealers_cards():
    check_moment(4)


def test_11_5_settling():
    check_moment(5)


def test_11_6_after_the_round():
    check_moment(6)


def test_11_7_variants_of_the_venue():
    check_local_procedure(GAME, "11.7")
