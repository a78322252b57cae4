"""Six Card Poker: irregularities and the dealing procedure, one test for each clause."""

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

GAME = GAMES["six-card-poker"]
ANTE = {"ante": 100}


def deal(*wagers):
    return Deal.start(GAME, GAME.deck.cards, wagers)


# -- 8 Irregularities -------------------------------------------------------------------------------


@pytest.mark.parametrize(("hands", "dealer"), [([6, 7], 6), ([5, 6], 6), ([6, 6], 5)])
def test_8_1_a_wrong_number_of_cards_voids_what_is_open(hands, dealer):
    dealt = deal(ANTE, ANTE)
    assert dealt.count_hands([6, 6], 6) == dealt
    void = dealt.count_hands(hands, dealer)
    results = {wager.result for _, settlement in void.settling for wager in settlement.wagers}
    assert results == {"refund"}


def test_8_2_a_void_round_refunds_everything():
    raised = Round.of(GAME, "Kc Kd 9h 7s 4c 2d", "As Kh 9c 6h 5s 3d", **ANTE).choose("raise")
    void = raised.declare_void("a seventh card")
    assert {wager.spot.name: wager.returned for wager in void.settlement.wagers} == {
        "ante": 100,
        "raise": 100,
    }


def test_8_3_a_void_round_opens_no_choice():
    void = deal(ANTE).declare_void("the shuffler failed")
    assert void.over
    assert void.rounds[0].choices == ()


def test_8_4_a_card_seen_too_early():
    check_card_seen_too_early(GAME)


def test_8_5_a_card_out_of_turn_or_to_the_wrong_seat():
    check_card_out_of_turn(GAME)


def test_8_6_a_wrong_payment_is_corrected_later():
    check_wrong_payment(GAME)


def test_8_7_what_was_settled_stays_settled():
    check_settled_stays(deal(ANTE, ANTE).choose(0, "fold"), "8.7")


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
    assert "Turns up the dealer's first three cards" in steps_at(GAME, "The deal")
    told = course(GAME, "", [ANTE, ANTE], ["raise", "raise"])
    assert [event[0] for event in told[:18]] == [*"111111", *"222222", *"dddddd"]


def test_9_3_the_choices():
    assert "a wager equal to the Ante" in steps_at(GAME, "The choices")


def test_9_4_the_dealers_cards():
    assert "Turns up the last three cards" in steps_at(GAME, "The dealer's cards")


def test_9_5_settling_from_the_right():
    told = course(GAME, "", [ANTE, ANTE], ["raise", "raise"])
    assert [event.split()[:2] for event in told[-4:]] == [
        [seat, spot] for seat in "21" for spot in ("ante", "raise")
    ]


def test_9_6_after_the_round():
    assert "complete deck of 52 cards" in steps_at(GAME, "After the round")


def test_9_7_variants_of_the_venue():
    check_local_procedure(GAME, "9.7")
