"""Texas Hold'em Bonus, clause by clause: docs/rules/texas-holdem-bonus.md."""

import pytest

from feltlab.core.cards import FACE_DOWN, cards
from feltlab.core.deal import Deal
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support.irregular import check_card_out_of_turn, check_card_seen_too_early, check_wrong_payment
from tests.support.irregularity_clauses import (
    check_continual,
    check_guide_first,
    check_local_procedure,
    check_settled_stays,
    check_seven_steps,
)
from tests.support.procedures import course, holds_only_with, is_before

GAME = GAMES["texas-holdem-bonus"]
WAGERS = {"ante": 100}
ALL = {"ante": 100, "bonus": 100}
PLAIN = "2c 7d 9h Js 4d"  # a board without a pair, a straight or a flush
FIRST = "2c 3c 5d 6d 8h 9h Ks Kd 7c 4s Jd"  # two seats, the dealer, the board
BETS = "play bet bet"


def round_of(player, dealer, board=PLAIN, game=GAME, **wagers):
    return Round.of(game, player, board, dealer, **(wagers or WAGERS))


def settled(player, dealer, board=PLAIN, choices=BETS, game=GAME, **wagers):
    return round_of(player, dealer, board, game, **wagers).choose(*choices.split()).settlement


def nets(*hands, choices=BETS, game=GAME):
    """What Flop, Turn, River and Ante of 100 cents net."""
    settlement = settled(*hands, choices=choices, game=game)
    return tuple(settlement[spot].net for spot in ("flop", "turn", "river", "ante"))


def stacked(first=""):
    top = cards(first) if first else ()
    return cards((*top, *(card for card in GAME.deck.cards if card not in top)))


def deal(*wagers, first=""):
    return Deal.start(GAME, stacked(first), wagers)


def strength(hand):
    return poker.read(cards(hand)).strength


# -- 1 Cards and deck -------------------------------------------------------------------------------


def test_1_1_one_deck_of_52_cards():
    assert sorted(GAME.deck.cards) == list(range(52))


def test_1_2_all_cards_are_shuffled_before_every_round():
    assert GAME.behind_cut == 52


# -- 2 Hands ----------------------------------------------------------------------------------------

RANKED = (
    "Ah Kh Qh Jh Th", "Kh Qh Jh Th 9h", "2c 2d 2h 2s 3c", "2c 2d 2h 3s 3c", "Kh 8h 5h 3h 2h",
    "6c 5d 4h 3s 2c", "2c 2d 2h 4s 3c", "3c 3d 2h 2s 4c", "2c 2d 5h 4s 3c", "Ac Kd Qh Js 9c",
)  # fmt: skip


def test_2_1_the_order_of_hands():
    names = [poker.read(cards(hand)).category for hand in RANKED]
    assert names == list(reversed(poker.CATEGORIES[:10]))
    assert sorted(RANKED, key=strength, reverse=True) == list(RANKED)


def test_2_2_ranks_then_kickers():
    assert strength("Kc Kd 2h 3s 4c") > strength("Qc Qd Ah Ks Jc")
    assert strength("Kc Kd Ah 3s 4c") > strength("Kh Ks Qh Js 9c")


def test_2_3_suits_do_not_matter():
    assert nets("Ac Kd", "Ah Ks") == (0, 0, 0, 0)


def test_2_4_the_wheel_is_the_lowest_straight():
    assert strength("Ac 2d 3h 4s 5c") < strength("2c 3d 4h 5s 6c")
    assert poker.read(cards("Kc Ad 2h 3s 4c")).category == "High Card"


def test_2_5_best_five_of_seven():
    assert nets("2h 3c", "4c 6d", "As Ks Qs Js Ts") == (0, 0, 0, 0)  # the board plays


# -- 3 Wagers ---------------------------------------------------------------------------------------


def test_3_1_the_ante_is_required():
    with pytest.raises(Refused):
        GAME.check_wagers({"bonus": 100})


def test_3_2_the_bonus_is_optional():
    GAME.check_wagers({"ante": 100, "bonus": 700})
    GAME.check_wagers(WAGERS)


def test_3_3_any_whole_number_of_cents():
    GAME.check_wagers({"ante": 1, "bonus": 1})
    with pytest.raises(Refused):
        GAME.check_wagers({"ante": 1.5})


def test_3_4_seats_and_cards():
    seats = GAME.seats
    full = deal(*[WAGERS] * seats)
    assert len(full.shoe) - len(full.rest) == 2 * seats + 2 + 5
    with pytest.raises(Refused, match="at most"):
        deal(*[WAGERS] * (seats + 1))


def test_3_5_one_seat_a_player():
    with pytest.raises(Refused, match="only one seat"):
        Deal(GAME, stacked(), (Seat(WAGERS, player="Ann"), Seat(WAGERS, player="Ann")))


# -- 4 The deal -------------------------------------------------------------------------------------


def test_4_1_no_more_bets():
    assert deal(WAGERS).calls == ("No more bets.",)


def test_4_2_packets_of_two_the_dealer_then_the_board():
    told = course(GAME, FIRST, [WAGERS, WAGERS], ["fold", "fold"])
    assert [event.split(":")[0] for event in told[:11]] == [*"1122", "dealer", "dealer", *["board"] * 5]


def test_4_3_the_flop_the_turn_the_river():
    round = round_of("Ac Kd", "Ah Ks")
    rounds = [round.choose(*["play", "bet", "check"][:made]) for made in range(4)]
    assert [sum(card >= 0 for card in round.view.board) for round in rounds] == [0, 3, 4, 5]


def test_4_4_the_dealers_cards_stay_down():
    dealt = deal(WAGERS, WAGERS, first=FIRST).choose(0, "fold")
    assert {round.view.dealer for round in dealt.rounds} == {(FACE_DOWN, FACE_DOWN)}
    assert {round.view.dealer for round in dealt.choose(1, "fold").rounds} == {cards("8h 9h")}


def test_4_5_players_see_their_own_cards():
    view = round_of("Ac Kd", "Ah Ks").view
    assert (view.player, view.dealer) == (cards("Ac Kd"), (FACE_DOWN, FACE_DOWN))


def test_4_6_the_rest_is_out_of_play():
    assert len(deal(WAGERS).choose(0, "fold").rest) == 52 - 9


# -- 5 The choices ----------------------------------------------------------------------------------


def test_5_1_play_for_twice_the_ante_or_fold():
    round = round_of("Ac Kd", "Ah Ks")
    assert (round.choices, round.cost("play")) == (("play", "fold"), 200)


def test_5_2_bet_on_the_turn_or_check():
    round = round_of("Ac Kd", "Ah Ks").choose("play")
    assert (round.choices, round.cost("bet")) == (("bet", "check"), 100)
    assert round.choose("bet", "check").settlement["turn"].staked == 100


@pytest.mark.parametrize("turn", ["bet", "check"])
def test_5_3_bet_on_the_river_whatever_was_done_before(turn):
    round = round_of("Ac Kd", "Ah Ks").choose("play", turn)
    assert (round.choices, round.cost("bet")) == (("bet", "check"), 100)


def test_5_4_nobody_folds_after_the_flop():
    with pytest.raises(Refused):
        round_of("Ac Kd", "Ah Ks").choose("play", "fold")


def test_5_5_a_fold_loses_the_ante():
    assert settled("Ac Kd", "3h 5s", choices="fold")["ante"].net == -100


def test_5_6_a_fold_loses_the_bonus():
    assert settled("Ac Kd", "3h 5s", choices="fold", **ALL)["bonus"].net == -100


def test_5_7_a_choice_is_made_once():
    with pytest.raises(Refused):
        round_of("Ac Kd", "Ah Ks").choose("fold", "play")


def test_5_8_seats_choose_from_left_to_right():
    dealt, turns = deal(WAGERS, WAGERS), []
    for choice in ("play", "play", "bet", "check"):
        turns.append(dealt.turn)
        dealt = dealt.choose(dealt.turn, choice)
    assert turns == [0, 1, 0, 1]


# -- 6 Ante, Flop, Turn and River -------------------------------------------------------------------

STRAIGHT = ("Td 8c", "3d 3s")
FLUSH = GAME.with_options({"ante-pays-from": "flush"})


def test_6_1_the_better_hand_wins():
    assert nets("Ac Ad", "3h 3s")[:3] == (200, 100, 100)


def test_6_2_the_ante_wins_from_a_straight():
    assert nets(*STRAIGHT)[3] == 100
    assert nets("9c 9d", "3h 3s")[3] == 0
    assert holds_only_with(GAME, "6.2", ante_pays_from="straight")


def test_6_3_or_from_a_flush():
    assert nets(*STRAIGHT, game=FLUSH)[3] == 0
    assert nets("Ad Kd", "3h 3s", "2c 7d 9d Js 4d", game=FLUSH)[3] == 100
    assert holds_only_with(GAME, "6.3", ante_pays_from="flush")


def test_6_4_the_worse_hand_loses():
    assert nets("3h 3s", "Ac Ad") == (-200, -100, -100, -100)


def test_6_5_equal_hands_push():
    assert nets("Ac Jd", "Ah Jc") == (0, 0, 0, 0)


# -- 7 Bonus ----------------------------------------------------------------------------------------


def bonus(player, dealer="3h 5s", table="1"):
    game = GAME.with_options({"bonus": table})
    return settled(player, dealer, choices="play check check", game=game, **ALL)["bonus"].net // 100


def test_7_1_by_the_first_two_cards():
    assert bonus("Ac Kc") == 25  # suited, not as A-K
    assert bonus("Jc Td") == -1  # though the board makes a pair of jacks


def test_7_2_aces_against_aces():
    assert bonus("Ac Ad", "Ah As") == 1000
    assert bonus("Ac Ad", "Ah As", table="2") == 30
    assert holds_only_with(GAME, "7.2", bonus="1")


PAYS = [
    ("Ac Ad", 30),
    ("Ac Kc", 25),
    ("Ac Qc", 20),
    ("Ac Jc", 20),
    ("Ac Kd", 15),
    ("Kc Kd", 10),
    ("Jc Jd", 10),
]


@pytest.mark.parametrize(("hand", "pays"), [*PAYS, ("Ac Qd", 5), ("Ac Jd", 5), ("Tc Td", 3), ("2h 2d", 3)])
def test_7_3_the_bonus_table(hand, pays):
    assert bonus(hand) == bonus(hand, table="2") == pays


# -- 8 Settling -------------------------------------------------------------------------------------


def test_8_1_from_right_to_left():
    told = course(GAME, FIRST, [ALL, ALL], ["play", "play", "bet", "bet", "check", "check"])
    assert [event[0] for event in told[-8:]] == [*"22221111"]


def test_8_2_wagers_in_order():
    order = [wager.spot.name for wager in settled("Ac Ad", "3h 3s", **ALL).wagers]
    assert order == ["flop", "turn", "river", "ante", "bonus"]


def test_8_3_each_wager_once_with_its_hands():
    for wager in settled("Ac Ad", "3h 3s", **ALL).wagers:
        assert wager.outcome
        assert "Pair of Aces" in wager.why


def test_8_4_a_fold_is_collected_at_once():
    told = course(GAME, FIRST, [ALL, WAGERS], ["fold", "play", "check", "check"])
    assert is_before(told, "1 fold", "1 ante -100", "1 bonus -100", "2 play")


# -- 9 Irregularities -------------------------------------------------------------------------------


def test_9_1_a_wrong_number_of_cards_voids_the_round():
    assert "instead of" in deal(WAGERS).count_hands([3], 5, 2).void


def test_9_2_open_wagers_are_refunded():
    void = deal(ALL, WAGERS).choose(0, "play").declare_void("a card too many")
    paid = [wager for _, settlement in void.settling for wager in settlement.wagers]
    assert {wager.result for wager in paid} == {"refund"}
    assert sum(wager.staked for wager in paid) == 200 + 200 + 100


def test_9_3_no_further_choice():
    assert deal(WAGERS).declare_void("a card too many").turn is None


def test_9_4_a_card_seen_too_early():
    check_card_seen_too_early(GAME)


def test_9_5_a_card_out_of_turn():
    check_card_out_of_turn(GAME)


def test_9_6_a_wrong_payment():
    check_wrong_payment(GAME)


def test_9_7_what_was_settled_stays_settled():
    check_settled_stays(deal(WAGERS, WAGERS).choose(0, "fold"), "9.7")


def test_9_8_the_guide_comes_first():
    check_guide_first(GAME, "9.8")


def test_9_9_replaced_after_continual_faults():
    check_continual(GAME, "9.9")


def test_9_10_seven_steps():
    check_seven_steps(GAME, "9.10")


def test_9_11_or_the_venues_own_procedure():
    check_local_procedure(GAME, "9.11")
