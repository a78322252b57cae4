"""Rabbit Hunter's dealing procedure: when money moves, and the clauses on handling, one test for each."""

from feltlab.core.cards import cards
from feltlab.core.deal import Deal
from feltlab.games import GAMES
from tests.support.irregularity_clauses import (
    check_continual,
    check_guide_first,
    check_local_procedure,
    check_settled_stays,
    check_seven_steps,
)
from tests.support.procedures import clause_of, course, is_before, steps_at

GAME = GAMES["rabbit-hunter"]
ALL = {"ante": 1000, "tens-up": 500, "bad-beat": 200}
# Two seats; the dealer has king high and does not qualify.
FIRST = "9s Ah As Kd 7c 2d 3c 8d 6h 4s Jc 2h 2s Kh Qd 6c 3d 4h"


def test_4_10_the_green_button() -> None:
    clause = clause_of(GAME, "4.10")
    assert clause
    assert "green button" in clause.text


def test_4_11_the_dealer_announces_the_hand() -> None:
    clause = clause_of(GAME, "4.11")
    assert clause
    assert "announces" in clause.text


def test_9_6_the_price_is_collected_at_once() -> None:
    told = course(GAME, FIRST, [ALL, ALL], ["buy", "fold"])
    assert is_before(told, "1 buy", "1 sixth-card -1000", "2 fold", "2 ante -1000")


def test_9_7_the_rest_is_settled_after_the_dealers_hand_and_antes_are_refunded_first() -> None:
    told = course(GAME, FIRST, [ALL, ALL], ["play", "play"])
    assert is_before(told, "2 play", "2 ante +0", "1 ante +0", "2 play -1000", "1 play +1000")


# -- Irregularities ---------------------------------------------------------------------------------


def test_10_7_what_was_settled_stays_settled() -> None:
    check_settled_stays(Deal.start(GAME, cards(FIRST), [ALL, ALL]).choose(0, "buy"), "10.7")


def test_10_8_the_guide_comes_first() -> None:
    check_guide_first(GAME, "10.8")


def test_10_9_replaced_after_continual_faults() -> None:
    check_continual(GAME, "10.9")


def test_10_10_seven_steps() -> None:
    check_seven_steps(GAME, "10.10")


def test_10_11_or_the_venues_own_procedure() -> None:
    check_local_procedure(GAME, "10.11")


# -- The steps --------------------------------------------------------------------------------------


def test_11_1_before_the_deal() -> None:
    before = steps_at(GAME, "Before the deal")
    words = ("i-Deal", "i-Deal Plus", "ACE", '"Rabbit Hunter"', '"Six Card Poker"', '"No more bets."')
    assert all(word in before for word in words)


def test_11_2_packets_the_marked_area_and_the_green_button() -> None:
    deal = steps_at(GAME, "The deal")
    assert all(word in deal for word in ("marked area", "burns its top card", "green button", "discard rack"))
    told = course(GAME, FIRST, [ALL, ALL], ["fold", "fold"])
    assert [event.split(":")[0] for event in told[:18]] == [*"1" * 6, *"2" * 6, "burned", *["dealer"] * 5]


def test_11_3_the_choices() -> None:
    choices = steps_at(GAME, "The choices")
    assert all(word in choices for word in ("logo", "verifies", "tray at once", "discard rack"))
    told = course(GAME, FIRST, [ALL, ALL], ["fold", "buy"])
    assert told[18:][:5] == ["1 fold", "1 ante -1000", "1 tens-up -500", "1 bad-beat -200", "2 buy"]


def test_11_4_the_dealers_hand() -> None:
    assert "announces the hand" in steps_at(GAME, "The dealer's hand")
    assert "refunds every Ante at once" in steps_at(GAME, "The dealer's hand")


def test_11_5_settling() -> None:
    assert "the sixth" in steps_at(GAME, "Settling")


def test_11_6_after_the_round() -> None:
    assert "52 cards" in steps_at(GAME, "After the round")


def test_11_7_variants_of_the_venue() -> None:
    check_local_procedure(GAME, "11.7")
