"""Six Card Poker, clause by clause: docs/rules/six-card-poker.md."""

from pathlib import Path

import numpy as np
import pytest

from feltlab.core.cards import FACE_DOWN, cards
from feltlab.core.deal import Deal
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support.procedures import course, is_before

GAME = GAMES["six-card-poker"]
SHEET = Path(__file__).parents[3] / "docs/rules/six-card-poker.md"
ANTE = {"ante": 100}
KINGS = "Kc Kd 9h 7s 4c 2d"
ACE_KING = "As Kh 9c 6h 5s 3d"  # just qualifies
ACE_QUEEN = "As Qh Jc 9d 8s 7d"  # the best that does not


def settled(player, dealer, choice="raise"):
    """The settlement of one hand with an Ante of 100 cents."""
    return Round.of(GAME, player, dealer, **ANTE).choose(choice).settlement


def nets(player, dealer):
    """What Ante and Raise net."""
    settlement = settled(player, dealer)
    return settlement["ante"].net, settlement["raise"].net


def strength(hand):
    return poker.strength(poker.tables(), np.array(cards(hand), np.uint8))


def is_falling(*hands):
    found = [strength(hand) for hand in hands]
    return found == sorted(found, reverse=True) and len(set(found)) == len(found)


def deal(*wagers, first=""):
    top = cards(first)
    shoe = cards((*top, *(card for card in GAME.deck.cards if card not in top)))
    return Deal.start(GAME, shoe, wagers)


# -- 1 Cards and deck -------------------------------------------------------------------------------


def test_1_1_fifty_two_cards_without_a_joker():
    assert sorted(GAME.deck.cards) == list(range(52))
    with pytest.raises(Refused, match="not in this game's deck"):
        Round.of(GAME, "Jk Kd 9h 7s 4c 2d", ACE_KING, **ANTE)


def test_1_2_a_fresh_deck_every_round():
    assert GAME.behind_cut == 52  # so nothing is left to deal a second round from


# -- 2 Hands ----------------------------------------------------------------------------------------

HANDS = {
    "Royal Flush": "As Ks Qs Js Ts 2d",
    "Straight Flush": "9s 8s 7s 6s 5s 2d",
    "Four of a Kind": "3c 3d 3h 3s 5c 2d",
    "Full House": "3c 3d 3h 5s 5c 2d",
    "Flush": "Ks 9s 7s 5s 3s 2d",
    "Straight": "Kc Qd Jh Ts 9s 2d",
    "Three of a Kind": "3c 3d 3h 7s 5c 2d",
    "Two Pair": "5c 5d 3h 3s 9c 2d",
    "Pair": "3c 3d 5h 7s 9c Td",
    "High Card": "Ac Jd 9h 7s 3c 2d",
}


def test_2_1_ten_kinds_in_order():
    names = [poker.read(cards(hand)).category for hand in HANDS.values()]
    assert names == list(HANDS)
    assert is_falling(*HANDS.values())
    sheet = SHEET.read_text().split("**2.1**")[1].splitlines()[0]
    assert sheet.split("from the best: ")[1] == f"{', '.join(HANDS)}."


def test_2_2_ranks_then_kickers():
    assert is_falling("Ac Ad Kh 9s 8c 2c", "Ah As Kc 9d 7d 2d", "Ac Ad Qh Js 8c 2c", "Kc Kd Ah Qs 8c 2c")
    assert is_falling("Ac Jd 9h 7s 4c 2c", "Ac Jd 9h 7s 3c 2c")


def test_2_3_suits_do_not_matter():
    assert strength("Ac Ad Kh 9s 8c 2c") == strength("Ah As Kc 9d 8d 2h")


def test_2_4_ace_to_five_is_the_lowest_straight():
    assert is_falling("6c 5d 4h 3s 2c 9c", "Ac 5d 4h 3s 2c 9c", "Ac Ad Ah Ks 9c 2d")
    assert poker.read(cards("Kc Ad 2h 3s 4c 7d")).name == "Ace high"


def test_2_5_the_best_five_of_six():
    assert strength("Ks 9s 7s 5s 3s Ad") == strength("Kc 9c 7c 5c 3c 2c")
    assert poker.read(cards("2c 3d 4h 5s 6c 6d")).name == "Straight, Six high"


# -- 3 Wagers ---------------------------------------------------------------------------------------


def test_3_1_the_ante_is_required():
    with pytest.raises(Refused):
        Round.of(GAME, KINGS, ACE_KING)


@pytest.mark.parametrize("wager", ["aces-up", "bad-beat"])
def test_3_2_no_other_first_wager(wager):
    with pytest.raises(Refused, match="not a wager of Six Card Poker"):
        GAME.check_wagers({**ANTE, wager: 100})


def test_3_3_multiples_of_a_cent():
    assert Round.of(GAME, KINGS, ACE_KING, ante=1).choose("raise").settlement.net == 2
    for cents in (0, -100, 1.5, True):
        with pytest.raises(Refused):
            GAME.check_wagers({"ante": cents})


def test_3_4_at_most_seven_seats():
    seven = deal(*[ANTE] * 7)
    assert len(seven.shoe) - len(seven.rest) == 48  # 6 cards for each of 7 seats and the dealer
    with pytest.raises(Refused, match="at most 7"):
        deal(*[ANTE] * 8)


def test_3_5_one_seat_a_player():
    with pytest.raises(Refused, match="only one seat"):
        Deal(GAME, GAME.deck.cards, (Seat(ANTE, player="Ann"), Seat(ANTE, player="Ann")))


# -- 4 The deal -------------------------------------------------------------------------------------


def test_4_1_no_more_bets():
    assert deal(ANTE).calls == ("No more bets.",)


def test_4_2_packets_of_six_and_the_dealer_last():
    hands = ["2c 3c 4c 5c 6c 8c", "2d 3d 4d 5d 6d 8d", "2h 3h 4h 5h 6h 8s"]
    dealt = deal(ANTE, ANTE, first=" ".join(hands)).choose(0, "raise").choose(1, "raise")
    assert [round.view.player for round in dealt.rounds] == [cards(hand) for hand in hands[:2]]
    assert {round.view.dealer for round in dealt.rounds} == {cards(hands[2])}


def test_4_3_the_dealers_first_three_are_up():
    assert Round.of(GAME, KINGS, ACE_KING, **ANTE).view.dealer[:3] == cards("As Kh 9c")


def test_4_4_the_last_three_stay_down_until_the_last_choice():
    dealt = deal(ANTE, ANTE).choose(0, "raise")
    for round in dealt.rounds:
        assert round.view.dealer[3:] == (FACE_DOWN,) * 3


def test_4_5_players_see_their_own_cards_only():
    assert Round.of(GAME, KINGS, ACE_KING, **ANTE).view.player == cards(KINGS)


def test_4_6_other_cards_are_out_of_play():
    dealt = deal(ANTE).choose(0, "raise")
    assert len(dealt.dealt) == 12
    assert dealt.over


# -- 5 The choice -----------------------------------------------------------------------------------


def test_5_1_raise_or_fold():
    assert Round.of(GAME, KINGS, ACE_KING, **ANTE).choices == ("raise", "fold")


def test_5_2_the_raise_equals_the_ante():
    round = Round.of(GAME, KINGS, ACE_KING, ante=700)
    assert round.cost("raise") == 700
    assert round.choose("raise").settlement["raise"].staked == 700


@pytest.mark.parametrize("dealer", [ACE_KING, ACE_QUEEN])
def test_5_3_a_fold_loses_the_ante(dealer):
    settlement = settled(HANDS["Royal Flush"].replace("As", "Ah"), dealer, "fold")
    assert [(wager.spot.name, wager.outcome) for wager in settlement.wagers] == [("ante", "fold")]
    assert settlement.net == -100


def test_5_4_a_choice_is_made_once():
    with pytest.raises(Refused):
        Round.of(GAME, KINGS, ACE_KING, **ANTE).choose("fold").choose("raise")


def test_5_5_seats_choose_from_left_to_right():
    dealt = deal(ANTE, ANTE)
    with pytest.raises(Refused, match="turn of position 1"):
        dealt.choose(1, "fold")
    assert dealt.choose(0, "fold").turn == 1


# -- 6 Ante and Raise -------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", [ACE_KING, "2s 2h 4d 5s 7h 8d"])
def test_6_1_the_dealer_qualifies_with_ace_and_king(dealer):
    assert settled(KINGS, dealer)["ante"].outcome == "better hand"
    assert settled(KINGS, ACE_QUEEN)["ante"].outcome == "dealer does not qualify"


def test_6_2_unqualified_the_ante_pushes_and_the_raise_compares():
    assert nets(KINGS, ACE_QUEEN) == (0, 100)
    assert nets("Ac Qd Jh 9s 8c 2d", ACE_QUEEN) == (0, 0)  # A-Q-J-9-8 on both sides
    assert nets("Kc Qd Jh 9s 8c 2d", ACE_QUEEN) == (0, -100)


def test_6_3_a_better_hand_wins_both():
    assert nets(KINGS, ACE_KING) == (100, 100)


def test_6_4_a_worse_hand_loses_both():
    assert nets(KINGS, "As Ah 9c 6h 5s 3d") == (-100, -100)


def test_6_5_equal_hands_push_both():
    settlement = settled(KINGS, "Ks Kh 9c 7h 4s 3d")
    assert [(wager.result, wager.outcome) for wager in settlement.wagers] == [("push", "tie")] * 2


# -- 7 Settling -------------------------------------------------------------------------------------


def test_7_1_seats_are_settled_from_right_to_left():
    dealt = deal(ANTE, ANTE).choose(0, "raise").choose(1, "raise")
    assert [seat for seat, _ in dealt.settling] == [1, 0]


def test_7_2_ante_then_raise():
    assert [wager.spot.name for wager in settled(KINGS, ACE_KING).wagers] == ["ante", "raise"]


def test_7_3_every_wager_ends_once_with_its_outcome():
    found = settled(KINGS, ACE_KING)
    assert [(wager.result, wager.outcome) for wager in found.wagers] == [("win", "better hand")] * 2
    assert found["raise"].why == "Pair of Kings against Ace high"
    assert settled(KINGS, ACE_QUEEN)["ante"].why == "Ace high does not qualify"


def test_7_4_a_fold_is_collected_at_once():
    told = course(GAME, "", [ANTE, ANTE], ["fold", "raise"])
    assert is_before(told, "1 fold", "1 ante -100", "2 raise")
