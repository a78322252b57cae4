"""High Card Flush's dealing procedure: when money moves, and the clauses on handling, one test for each."""

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
from tests.support.procedures import course, is_before, steps_at

GAME = GAMES["high-card-flush"]
ALL = {"ante": 100, "flush-bonus": 100, "straight-flush-bonus": 100}
FIRST = "Ah Th 4h Qd 6d 3c 5c Kh Jh 9h 7d 4d 6c 8c 9s 3s 2s Kd 8d Jc 7c"  # two seats and the dealer


def test_9_4_a_fold_is_collected_at_once() -> None:
    told = course(GAME, FIRST, [ALL, ALL], ["fold", "raise-1x"])
    assert is_before(told, "1 fold", "1 ante -100", "2 raise-1x", "2 ante +100", "1 flush-bonus -100")


# -- 10 Irregularities ------------------------------------------------------------------------------


def test_10_7_what_was_settled_stays_settled() -> None:
    check_settled_stays(Deal.start(GAME, cards(FIRST), [ALL, ALL]).choose(0, "fold"), "10.7")


def test_10_8_the_guide_comes_first() -> None:
    check_guide_first(GAME, "10.8")


def test_10_9_replaced_after_continual_faults() -> None:
    check_continual(GAME, "10.9")


def test_10_10_seven_steps() -> None:
    check_seven_steps(GAME, "10.10")


def test_10_11_or_the_venues_own_procedure() -> None:
    check_local_procedure(GAME, "10.11")


# -- 11 Dealing procedure ---------------------------------------------------------------------------


def test_11_1_before_the_deal() -> None:
    assert '"No more bets."' in steps_at(GAME, "Before the deal")


def test_11_2_the_deal() -> None:
    told = course(GAME, FIRST, [ALL, ALL], ["fold", "fold"])
    assert [event[0] for event in told[:21]] == [*"1" * 7, *"2" * 7, *"d" * 7]
    assert "packet of seven cards" in steps_at(GAME, "The deal")


def test_11_3_the_choices() -> None:
    assert "collects the Ante at once" in steps_at(GAME, "The choices")


def test_11_4_the_dealers_cards() -> None:
    assert "announces the longest suit" in steps_at(GAME, "The dealer's cards")


def test_11_5_settling_seat_by_seat() -> None:
    told = course(GAME, FIRST, [ALL, ALL], ["raise-1x", "raise-1x"])
    spots = ("ante", "raise", "flush-bonus", "straight-flush-bonus")
    assert [event.split()[:2] for event in told[-8:]] == [[seat, spot] for seat in "21" for spot in spots]
    assert "verifies the length under a larger Raise" in steps_at(GAME, "Settling")


def test_11_6_after_the_round() -> None:
    assert "complete deck of 52 cards" in steps_at(GAME, "After the round")


def test_11_7_variants_of_the_venue() -> None:
    check_local_procedure(GAME, "11.7")
