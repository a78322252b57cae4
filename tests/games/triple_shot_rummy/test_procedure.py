"""Triple Shot Rummy's dealing procedure: when money moves, and the clauses on handling, one test for each."""

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
from tests.support.procedures import clause_of, course, holds_only_with, is_before, steps_at

GAME = GAMES["triple-shot-rummy"]
BY_HAND = GAME.with_options({"dealt-by": "hand"})
ALL = {"ante": 1000, "pair-plus": 500, "six-card-bonus": 200}
FIRST = "9c 9d 4h Kh Jd 8c Qd 3c 6h"  # two seats and the dealer


def test_4_8_dealt_by_hand() -> None:
    assert holds_only_with(GAME, "4.8", dealt_by="hand")
    assert holds_only_with(GAME, "4.4", dealt_by="shuffler")


def test_4_9_the_bottom_card_is_not_exposed() -> None:
    for game in (GAME, BY_HAND):
        clause = clause_of(game, "4.9")
        assert clause
        assert "bottom card" in clause.text
        assert "Does not expose the bottom card" in steps_at(game, "The deal")


def test_4_10_an_approved_shuffler_of_a_licensed_maker() -> None:
    assert holds_only_with(GAME, "4.10", dealt_by="shuffler")


def test_10_6_folded_cards_lie_under_the_other_wager() -> None:
    clause = clause_of(GAME, "10.6")
    assert clause
    assert "under that wager" in clause.text
    told = course(GAME, FIRST, [ALL, ALL], ["fold", "play"])
    assert is_before(told, "1 fold", "1 ante -1000", "2 play", "2 play -1000", "1 pair-plus +500")


def test_10_7_cards_without_another_wager_are_collected() -> None:
    assert "collects the cards" in steps_at(GAME, "The choices")


def test_10_8_the_work_area() -> None:
    clause = clause_of(GAME, "10.8")
    assert clause
    assert "work area between the dealer's hand and the 6 Card Bonus" in clause.text


def test_10_9_pick_and_pay() -> None:
    assert holds_only_with(GAME, "10.9", settling="pick-and-pay")


def test_10_10_lay_and_pay() -> None:
    assert holds_only_with(GAME, "10.10", settling="lay-and-pay")
    lays = steps_at(GAME.with_options({"settling": "lay-and-pay"}), "Settling")
    assert "Leaves the seat's cards" in lays
    assert "Picks up" not in lays


# -- Irregularities ---------------------------------------------------------------------------------


def test_11_7_what_was_settled_stays_settled() -> None:
    check_settled_stays(Deal.start(GAME, cards(FIRST), [ALL, ALL]).choose(0, "fold"), "11.7")


def test_11_8_the_guide_comes_first() -> None:
    check_guide_first(GAME, "11.8")
    assert clause_of(BY_HAND, "11.8") is None


def test_11_9_replaced_after_continual_faults() -> None:
    check_continual(GAME, "11.9")


def test_11_10_seven_steps() -> None:
    check_seven_steps(GAME, "11.10")
    assert clause_of(BY_HAND, "11.10") is None


def test_11_11_or_the_venues_own_procedure() -> None:
    check_local_procedure(GAME, "11.11")


# -- The steps --------------------------------------------------------------------------------------


def test_12_1_before_the_deal() -> None:
    before = steps_at(GAME, "Before the deal")
    assert all(word in before for word in ('"No more bets."', '"No Pair Plus', "four games"))
    assert "Shuffles all 52 cards by hand" in steps_at(BY_HAND, "Before the deal")


def test_12_2_three_cards_each() -> None:
    told = course(GAME, FIRST, [ALL, ALL], ["play", "play"])
    assert [event[0] for event in told[:9]] == [*"111222ddd"]


def test_12_3_the_choices() -> None:
    choices = steps_at(GAME, "The choices")
    assert all(word in choices for word in ("equals the Ante", "takes the Ante", "under that wager"))


def test_12_4_the_dealers_hand() -> None:
    assert "announces the points" in steps_at(GAME, "The dealer's hand")


def test_12_5_settling_from_the_right_and_from_the_back_forward() -> None:
    told = course(GAME, FIRST, [ALL, ALL], ["play", "play"])
    assert [event.split()[:2] for event in told[-8:]] == [
        [seat, spot] for seat in "21" for spot in ("play", "ante", "pair-plus", "six-card-bonus")
    ]
    assert "work area" in steps_at(GAME, "Settling")


def test_12_6_after_the_round() -> None:
    assert "shuffler" in steps_at(GAME, "After the round")
    assert "by hand" in steps_at(BY_HAND, "After the round")


def test_12_7_variants_of_the_venue() -> None:
    check_local_procedure(GAME, "12.7")
