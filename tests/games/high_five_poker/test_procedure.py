"""High Five Poker's dealing procedure: when money moves, and the clauses on handling, one test for each."""

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

GAME = GAMES["high-five-poker"]
BOTH = {"ante": 1000, "trips": 500}
FIRST = "Ah Ad 4c 4s 9d Tc Jh 2h 5d 8c Jd 3c 7s 9c 6h 6d Qc Ts 3d 8s 2c"  # two seats and the dealer
DEALER = [f"dealer: {card}" for card in FIRST.split()[14:]]


def test_4_7_the_green_button() -> None:
    clause = clause_of(GAME, "4.7")
    assert clause
    assert "green button" in clause.text
    assert "second deck" in clause.text


def test_4_8_two_decks_take_turns() -> None:
    clause = clause_of(GAME, "4.8")
    assert clause
    assert "Two decks" in clause.text


def test_8_4_a_folded_ante_is_taken_at_the_fold_and_trips_later() -> None:
    told = course(GAME, FIRST, [BOTH, BOTH], ["fold", "play"])
    assert is_before(told, "1 fold", "1 ante -1000", "2 play", "1 trips -500")
    assert "under the Trips wager" in steps_at(GAME, "The choices")


def test_8_5_the_cards_of_a_fold_lie_under_the_trips_wager() -> None:
    clause = clause_of(GAME, "8.5")
    assert clause
    assert "under the Trips wager" in clause.text


def test_8_6_the_rest_is_settled_after_the_dealers_hand() -> None:
    told = course(GAME, FIRST, [BOTH, BOTH], ["play", "play"])
    assert is_before(told, *DEALER, "2 play", "2 play -1000", "2 ante -1000", "2 trips -500", "1 play +1000")


# -- Irregularities ---------------------------------------------------------------------------------


def test_9_7_what_was_settled_stays_settled() -> None:
    check_settled_stays(Deal.start(GAME, cards(FIRST), [BOTH, BOTH]).choose(0, "fold"), "9.7")


def test_9_8_the_guide_comes_first() -> None:
    check_guide_first(GAME, "9.8")


def test_9_9_replaced_after_continual_faults() -> None:
    check_continual(GAME, "9.9")


def test_9_10_seven_steps() -> None:
    check_seven_steps(GAME, "9.10")


def test_9_11_or_the_venues_own_procedure() -> None:
    check_local_procedure(GAME, "9.11")


# -- The steps --------------------------------------------------------------------------------------


def test_10_1_before_the_deal() -> None:
    before = steps_at(GAME, "Before the deal")
    assert all(model in before for model in ("ACE", "i-Deal", "i-Deal Plus", "pai gow poker"))
    assert '"No more bets."' in before


def test_10_2_packets_and_the_green_button() -> None:
    told = course(GAME, FIRST, [BOTH, BOTH], ["play", "play"])
    assert [event[0] for event in told[:21]] == [*"1" * 7, *"2" * 7, *"d" * 7]
    assert "green button" in steps_at(GAME, "The deal")


def test_10_3_the_choices() -> None:
    assert "equals the Ante" in steps_at(GAME, "The choices")


def test_10_4_the_dealer_announces_the_hand() -> None:
    assert "announces" in steps_at(GAME, "The dealer's hand")


def test_10_5_settling_from_the_right() -> None:
    told = course(GAME, FIRST, [BOTH, BOTH], ["play", "play"])
    assert [event.split()[0] for event in told[-6:]] == [*"222111"]
    assert "discard rack" in steps_at(GAME, "Settling")


def test_10_6_after_the_round() -> None:
    assert f"{len(GAME.deck)} cards" in steps_at(GAME, "After the round")


def test_10_7_variants_of_the_venue() -> None:
    check_local_procedure(GAME, "10.7")
