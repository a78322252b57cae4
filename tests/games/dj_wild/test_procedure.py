"""DJ Wild Stud Poker: irregularities and the dealing procedure, one test for each clause."""

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

GAME = GAMES["dj-wild"]
BOTH = {"ante": 100, "blind": 100}
LOW = "3c 4d 6h 8s 9c"
PAIR = "Ks Kd 9h 6c 3d"


def deal(*wagers):
    return Deal.start(GAME, GAME.deck.cards, wagers)


# -- 8 Irregularities -------------------------------------------------------------------------------


@pytest.mark.parametrize(("hands", "dealer"), [([5, 6], 5), ([4, 5], 5), ([5, 5], 6)])
def test_8_1_a_wrong_number_of_cards_voids_what_is_open(hands, dealer):
    dealt = deal(BOTH, BOTH)
    assert dealt.count_hands([5, 5], 5) == dealt
    void = dealt.count_hands(hands, dealer)
    results = {wager.result for _, settlement in void.settling for wager in settlement.wagers}
    assert results == {"refund"}


def test_8_2_a_void_round_refunds_everything():
    played = Round.of(GAME, PAIR, LOW, **BOTH).choose("play").declare_void("a sixth card")
    assert [wager.returned for wager in played.settlement.wagers] == [200, 100, 100]


def test_8_3_a_void_round_opens_no_choice():
    void = deal(BOTH).declare_void("the shuffler failed")
    assert void.over
    assert void.rounds[0].choices == ()


def test_8_4_a_card_seen_too_early():
    check_card_seen_too_early(GAME)


def test_8_5_a_card_out_of_turn_or_to_the_wrong_seat():
    check_card_out_of_turn(GAME)


def test_8_6_a_wrong_payment_is_corrected_later():
    check_wrong_payment(GAME)


def test_8_7_what_was_settled_stays_settled():
    check_settled_stays(deal(BOTH, BOTH).choose(0, "fold"), "8.7")


def test_8_8_the_guide_comes_first():
    check_guide_first(GAME, "8.8")


def test_8_9_replaced_after_continual_faults():
    check_continual(GAME, "8.9")


def test_8_10_seven_steps():
    check_seven_steps(GAME, "8.10")


def test_8_11_or_the_venues_own_procedure():
    check_local_procedure(GAME, "8.11")


# -- 9 Dealing procedure ----------------------------------------------------------------------------


def test_9_1_before_the_deal():
    assert '"No more bets."' in steps_at(GAME, "Before the deal")


def test_9_2_the_deal():
    assert "a packet of five cards" in steps_at(GAME, "The deal")
    told = course(GAME, "", [BOTH, BOTH], ["play", "play"])
    assert [event[0] for event in told[:15]] == [*"11111", *"22222", *"ddddd"]


def test_9_3_the_choices():
    assert "twice the Ante" in steps_at(GAME, "The choices")


def test_9_4_the_dealers_cards():
    assert "Turns up the five cards" in steps_at(GAME, "The dealer's cards")


def test_9_5_settling_from_the_right():
    told = course(GAME, "", [BOTH, BOTH], ["play", "play"])
    spots = ("play", "ante", "blind")
    assert [event.split()[:2] for event in told[-6:]] == [[seat, spot] for seat in "21" for spot in spots]


def test_9_6_after_the_round():
    assert "complete deck of 53 cards" in steps_at(GAME, "After the round")


def test_9_7_variants_of_the_venue():
    check_local_procedure(GAME, "9.7")
