"""Triple Shot Bonus's dealing procedure: when money moves, and the clauses on handling, one test for each."""

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
from tests.support.procedures import course, holds_only_with, is_before, steps_at

GAME = GAMES["triple-shot-bonus"]
ALL = {"war": 1000, "blackjack": 1000, "poker": 1000, "hat-trick": 500}
TWO = "Tc 2c 6h Td 9c Th 5h"  # seat 1 has 20, seat 2 has 11; the dealer 16, then 21


def test_4_11_cards_face_down_are_turned_up_when_the_seat_is_settled() -> None:
    assert holds_only_with(GAME, "4.11", poker_cards="face-down")
    down = GAME.with_options({"poker-cards": "face-down"})
    assert "face down" in steps_at(down, "The Poker cards")
    assert "Turns the seat's Poker cards face up" in steps_at(down, "Settling Poker and the Hat Trick")
    assert "face up" in steps_at(GAME, "The Poker cards")


def test_12_6_war_is_settled_before_the_second_card() -> None:
    told = course(GAME, TWO, [ALL, ALL], ["stand", "stand"])
    assert is_before(told, "dealer: 6h", "2 war -1000", "2 hat-trick -500", "1 war +1000", "1: Td")


def test_12_7_the_hat_trick_is_taken_at_the_first_loss() -> None:
    told = course(GAME, TWO, [ALL, ALL], ["stand", "stand"])
    assert is_before(told, "dealer: 5h", "1 blackjack -1000", "1 hat-trick -500")
    assert told.count("1 hat-trick -500") == told.count("2 hat-trick -500") == 1


def test_12_8_insurance_and_blackjacks_are_settled_after_the_dealer_has_looked() -> None:
    lost = course(GAME, "Tc Ah Td Kh", [ALL], ["insure"])
    assert is_before(lost, "1 insure", "1 insurance +1000", "1 blackjack -1000")
    third = [event for event in lost if event.startswith("1:")][2]
    assert is_before(lost, "dealer: Kh", "1 blackjack -1000", third)
    kept = course(GAME, "Tc Ah Td 7h", [ALL], ["insure", "stand"])
    assert is_before(kept, "1 insure", "1 insurance -500", "1 stand")
    natural = course(GAME, "Ac 6h Td 7h", [ALL])
    assert is_before(natural, "1 war +1000", "dealer: 7h", "1 blackjack +1500")


def test_12_9_six_cards_are_paid_at_once() -> None:
    assert holds_only_with(GAME, "12.9", six_card_rule="on")
    told = course(GAME, "2c Tc 6h 2d Td Th 2h 2s 3c 3d 5h", [ALL, ALL], ["hit"] * 4 + ["stand"])
    assert is_before(told, "1: 3d", "1 blackjack +1000", "2 stand", "dealer: 5h")


def test_12_10_a_bust_is_taken_at_once() -> None:
    told = course(GAME, "Tc 9c 6h Td 9d Th Jc", [ALL, ALL], ["hit", "stand"])
    assert is_before(told, "1: Jc", "1 blackjack -1000", "1 hat-trick -500", "2 stand")


def test_12_11_blackjack_is_settled_before_the_poker_cards() -> None:
    told = course(GAME, TWO, [ALL, ALL], ["stand", "stand"])
    third = [event for event in told if event.startswith("1:")][2]
    poker = next(event for event in told if event.startswith("1 poker"))
    assert is_before(told, "dealer: 5h", "2 blackjack -1000", "1 blackjack -1000", third, poker)


def test_12_12_war_winnings_may_pay_for_a_double() -> None:
    """The War is paid before the choice to double opens."""
    told = course(GAME, "Tc 6h 2d Th", [ALL], ["double"])
    assert is_before(told, "1 war +1000", "1 double")


# -- Irregularities ---------------------------------------------------------------------------------


def test_13_8_what_was_settled_stays_settled() -> None:
    shoe = [*cards(TWO), *(card for card in GAME.deck.cards if card not in cards(TWO))]
    check_settled_stays(Deal.start(GAME, cards(shoe), [ALL, ALL]), "13.8")


def test_13_9_the_guide_comes_first() -> None:
    check_guide_first(GAME, "13.9")


def test_13_10_replaced_after_continual_faults() -> None:
    check_continual(GAME, "13.10")


def test_13_11_seven_steps() -> None:
    check_seven_steps(GAME, "13.11")


def test_13_12_or_the_venues_own_procedure() -> None:
    check_local_procedure(GAME, "13.12")


# -- The steps --------------------------------------------------------------------------------------


def test_14_1_before_the_deal() -> None:
    assert '"No more bets."' in steps_at(GAME, "Before the deal")


def test_14_2_the_first_cards() -> None:
    assert course(GAME, TWO, [ALL, ALL], ["stand", "stand"])[:3] == ["1: Tc", "2: 2c", "dealer: 6h"]
    assert "face up" in steps_at(GAME, "The first cards")


def test_14_3_chips_are_pushed_toward_the_player() -> None:
    assert "toward the player and away from the betting circle" in steps_at(GAME, "Settling War")


def test_14_4_the_second_card_lies_underneath_the_first() -> None:
    second = steps_at(GAME, "The second cards")
    assert "underneath the first" in second
    assert "up to half" in second


def test_14_5_the_choices() -> None:
    assert "at once" in steps_at(GAME, "The choices")


def test_14_6_blackjack_by_the_rule_for_soft_17() -> None:
    assert "hits soft 17" in steps_at(GAME, "Settling Blackjack")
    stands = steps_at(GAME.with_options({"soft-17": "stand"}), "Settling Blackjack")
    assert "stands on soft 17" in stands
    assert "hits" not in stands


def test_14_7_the_poker_cards() -> None:
    assert "the cards that it needs for six" in steps_at(GAME, "The Poker cards")


def test_14_8_poker_and_then_the_hat_trick() -> None:
    settled = steps_at(GAME, "Settling Poker and the Hat Trick")
    assert settled.index("pays Poker") < settled.index("Pays the Hat Trick")
    told = course(GAME, "Tc 6h Td Th Kc Ah As Kd", [ALL], ["stand"])
    assert [event.split()[1] for event in told[-2:]] == ["poker", "hat-trick"]


def test_14_9_after_the_round() -> None:
    assert "52 cards" in steps_at(GAME, "After the round")


def test_14_10_variants_of_the_venue() -> None:
    check_local_procedure(GAME, "14.10")
