"""Casino War's dealing procedure: when money moves, and the clauses on handling, one test for each."""

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

GAME = GAMES["casino-war"]
EACH = GAME.with_options({"war": "each"})
BOTH = {"primary": 1000, "tie": 500}
# Seats 1 and 3 tie with the dealer, seat 2 does not.
TIES = "Kc 9d Kh Ks 2c 5d 8h Jd 3s 6c Tc 7h 4c 4d 4h Ac 5h 5c 5s Qs"


def test_1_8_one_deck_and_a_war_for_each_seat_is_shuffled_every_round() -> None:
    one = GAME.with_options({"decks": "1"})
    assert holds_only_with(GAME, "1.8", decks="1", war="each")
    small = EACH.with_options({"decks": "1"})
    assert small.behind_cut >= len(small.deck)
    assert one.behind_cut < len(one.deck)
    assert clause_of(small, "1.5") is None
    assert clause_of(one, "1.5")


def test_6_9_a_war_of_its_own_for_each_seat() -> None:
    assert holds_only_with(GAME, "6.9", war="each")
    assert holds_only_with(GAME, "6.1", war="one")
    told = course(EACH, TIES, [BOTH] * 3, ["war", "war"])
    assert is_before(told, "3 war", "3: Jd", "dealer: 7h", "3 primary +1000", "1 war", "1: Ac", "dealer: Qs")


def test_7_4_half_of_a_surrendered_wager_is_taken_at_once() -> None:
    told = course(GAME, TIES, [BOTH] * 3, ["surrender", "war"])
    assert is_before(told, "3 tie +5000", "3 surrender", "3 primary -500", "2 primary -1000", "1 war")


def test_7_5_the_seats_at_war_are_settled_after_the_dealers_war_card() -> None:
    assert holds_only_with(GAME, "7.5", war="one")
    told = course(GAME, TIES, [BOTH] * 3, ["war", "war"])
    war_card = [event for event in told if event.startswith("dealer")][-1]
    assert is_before(told, "3 tie +5000", "3 war", "1 tie +5000", "1 war", war_card)
    assert [event.split()[:2] for event in told[-2:]] == [["3", "primary"], ["1", "primary"]]


def test_7_6_a_war_is_settled_before_the_next_seat() -> None:
    assert holds_only_with(GAME, "7.6", war="each")
    told = course(EACH, TIES, [BOTH] * 3, ["war", "surrender"])
    assert is_before(told, "3 primary +1000", "2 primary -1000", "1 surrender", "1 primary -500")


def test_7_7_pick_and_pay() -> None:
    assert holds_only_with(GAME, "7.7", settling="pick-and-pay")
    assert "Picks up the cards" in steps_at(GAME, "Settling the first cards")


def test_7_8_lay_and_pay() -> None:
    assert holds_only_with(GAME, "7.8", settling="lay-and-pay")
    lays = steps_at(GAME.with_options({"settling": "lay-and-pay"}), "Settling the first cards")
    assert "Leaves the cards" in lays
    assert "Picks up" not in lays


# -- Irregularities ---------------------------------------------------------------------------------


def test_8_7_what_was_settled_stays_settled() -> None:
    deal = Deal.start(GAME, cards(TIES), [BOTH] * 3).choose(2, "surrender")
    check_settled_stays(deal, "8.7")


def test_8_8_the_guide_comes_first() -> None:
    check_guide_first(GAME, "8.8")


def test_8_9_replaced_after_continual_faults() -> None:
    check_continual(GAME, "8.9")


def test_8_10_seven_steps() -> None:
    check_seven_steps(GAME, "8.10")


def test_8_11_or_the_venues_own_procedure() -> None:
    check_local_procedure(GAME, "8.11")


# -- The steps --------------------------------------------------------------------------------------


def test_9_1_before_the_deal() -> None:
    before = steps_at(GAME, "Before the deal")
    assert '"No more bets."' in before
    assert "limits" in before


def test_9_2_the_deal() -> None:
    told = course(GAME, "2c 3c 4c 5c", [BOTH] * 3)
    assert told[:4] == ["1: 2c", "2: 3c", "3: 4c", "dealer: 5c"]
    assert "face up" in steps_at(GAME, "The deal")


def test_9_3_the_first_cards_are_settled_seat_by_seat_from_the_right() -> None:
    told = course(GAME, "2c 9c 4c 5c", [BOTH] * 3)
    assert [event[0] for event in told[4:]] == [*"332211"]
    assert "tray" in steps_at(GAME, "Settling the first cards")


def test_9_4_one_war_for_all() -> None:
    assert holds_only_with(GAME, "9.4", war="one")
    told = course(GAME, TIES, [BOTH] * 3, ["war", "war"])
    assert [event.split(":")[0] for event in told if ":" in event][4:] == [
        *["burned"] * 3, "1", "3", *["burned"] * 3, "dealer",
    ]  # fmt: skip


def test_9_5_the_war_is_settled_from_the_right() -> None:
    assert holds_only_with(GAME, "9.5", war="one")
    assert "both units" in steps_at(GAME, "Settling the war")


def test_9_6_after_the_round() -> None:
    assert "discard rack" in steps_at(GAME, "After the round")


def test_9_7_variants_of_the_venue() -> None:
    check_local_procedure(GAME, "9.7")
