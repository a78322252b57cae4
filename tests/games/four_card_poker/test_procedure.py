"""Four Card Poker: irregularities and the dealing procedure, one test for each clause."""

import pytest

from feltlab.core.deal import Deal
from feltlab.core.round import Round
from feltlab.games import GAMES
from tests.support.irregular import check_card_out_of_turn, check_card_seen_too_early, check_wrong_payment
from tests.support.irregularity_clauses import (
    check_continual,
    check_guide_first,
    check_local_procedure,
    check_settled_stays,
    check_seven_steps,
)
from tests.support.procedures import course, steps_at

GAME = GAMES["four-card-poker"]
ANTE = {"ante": 100}
BOTH = {"ante": 100, "aces-up": 100}
LOW = "2c 4d 6h 8s Tc Qh"
PAIR = "Ks Kd 9h 5c 3d"


def deal(*wagers):
    return Deal.start(GAME, GAME.deck.cards, wagers)


# -- 9 Irregularities -------------------------------------------------------------------------------


@pytest.mark.parametrize(("hands", "dealer"), [([5, 6], 6), ([4, 5], 6), ([5, 5], 5)])
def test_9_1_a_wrong_number_of_cards_voids_what_is_open(hands, dealer):
    dealt = deal(BOTH, ANTE)
    assert dealt.count_hands([5, 5], 6) == dealt
    void = dealt.count_hands(hands, dealer)
    results = {wager.result for _, settlement in void.settling for wager in settlement.wagers}
    assert results == {"refund"}


def test_9_2_a_void_round_refunds_everything():
    played = Round.of(GAME, PAIR, LOW, **BOTH).choose("play-3x").declare_void("a sixth card")
    returned = {wager.spot.name: wager.returned for wager in played.settlement.wagers}
    assert (returned["play"], returned["ante"], returned["aces-up"]) == (300, 100, 100)


def test_9_3_a_void_round_opens_no_choice():
    void = deal(ANTE).declare_void("the shuffler failed")
    assert void.over
    assert void.rounds[0].choices == ()


def test_9_4_a_card_seen_too_early():
    check_card_seen_too_early(GAME)


def test_9_5_a_card_out_of_turn_or_to_the_wrong_seat():
    check_card_out_of_turn(GAME)


def test_9_6_a_wrong_payment_is_corrected_later():
    check_wrong_payment(GAME)


def test_9_7_what_was_settled_stays_settled():
    check_settled_stays(deal(BOTH, BOTH).choose(0, "fold"), "9.7")


def test_9_8_the_guide_comes_first():
    check_guide_first(GAME, "9.8")


def test_9_9_replaced_after_continual_faults():
    check_continual(GAME, "9.9")


def test_9_10_seven_steps():
    check_seven_steps(GAME, "9.10")


def test_9_11_or_the_venues_own_procedure():
    check_local_procedure(GAME, "9.11")


# -- 10 Dealing procedure ---------------------------------------------------------------------------


def test_10_1_before_the_deal():
    assert '"No more bets."' in steps_at(GAME, "Before the deal")


def test_10_2_the_deal():
    assert "Turns up the dealer's first card" in steps_at(GAME, "The deal")
    told = course(GAME, "", [ANTE, ANTE], ["play-1x", "play-1x"])
    assert [event[0] for event in told[:16]] == [*"11111", *"22222", *"dddddd"]


def test_10_3_the_choices():
    assert "one to three times the Ante" in steps_at(GAME, "The choices")


def test_10_4_the_dealers_cards():
    assert "Turns up the other five cards" in steps_at(GAME, "The dealer's cards")


def test_10_5_settling_from_the_right():
    told = course(GAME, "", [BOTH, BOTH], ["play-1x", "play-1x"])
    spots = ("play", "ante", "bonus", "aces-up")
    assert [event.split()[:2] for event in told[-8:]] == [[seat, spot] for seat in "21" for spot in spots]


def test_10_6_after_the_round():
    assert "complete deck of 52 cards" in steps_at(GAME, "After the round")


def test_10_7_variants_of_the_venue():
    check_local_procedure(GAME, "10.7")
