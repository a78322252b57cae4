"""Three Card Poker, clause by clause: docs/rules/three-card-poker.md."""

import pytest

from feltlab.core.cards import FACE_DOWN, cards
from feltlab.core.hands import three_card
from feltlab.core.round import Round
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support import public_clauses as shared
from tests.support.irregular import check_card_out_of_turn, check_card_seen_too_early, check_wrong_payment
from tests.support.irregularity_clauses import (
    check_continual,
    check_guide_first,
    check_local_procedure,
    check_settled_stays,
    check_seven_steps,
)
from tests.support.procedures import course, holds_only_with, is_before
from tests.support.public_clauses import nets_of, start_deal

GAME = GAMES["three-card-poker"]
MANDATORY = GAME.with_options({"ante-mandatory": "yes"})
KEEPS = GAME.with_options({"fold-loses-pair-plus": "no"})
QUALIFIES, NOT = "Qc 3d 2h", "Jc Td 8h"  # the least hand that qualifies, and the best that does not


def strength(hand: str) -> int:
    return three_card.strength(*cards(hand))


def nets(player: str, dealer: str, choices: str = "play") -> dict[str, int]:
    return nets_of(GAME, player, dealer, choices=choices)


def pays_of(spot: str, table: str, game=GAME) -> dict[str, int]:
    """The wins of a pay table that an option names."""
    lines = game.with_options({spot: table}).pay_table(game.spot(spot)).lines
    return {line.outcome: int(line.pays) for line in lines if line.pays > 0}


def test_1_1_one_deck_of_52_cards():
    shared.check_deck(GAME, "As Ks Jk")


def test_1_2_a_fresh_deck_every_round():
    shared.check_fresh_deck(GAME)


def test_2_1_the_order_of_hands():
    ordered = ["4h 3h 2h", "2c 2d 2h", "4h 3c 2d", "9h 4h 2h", "2c 2d 3h", "Ac Kd Jh"]
    assert sorted(map(strength, ordered), reverse=True) == list(map(strength, ordered))


def test_2_2_ranks_then_kickers():
    assert strength("3c 3d 2h") > strength("2c 2d Ah")
    assert strength("3c 3d Ah") > strength("3h 3s Kh")
    assert strength("Ac 3d 2s") > strength("Kc Qd Ts")


def test_2_3_suits_do_not_matter():
    assert strength("Ac 9d 4h") == strength("Ad 9s 4c")
    assert nets("Kh 4c 9d", "Ks 4d 9s")["ante"] == 0


def test_2_4_the_lowest_straight():
    assert strength("Ac 2d 3h") >> 12 == three_card.STRAIGHT
    assert strength("Ac 2d 3h") < strength("2c 3d 4h")
    assert strength("Kc Ad 2h") >> 12 == three_card.HIGH_CARD


@pytest.mark.parametrize("placed", [{"ante"}, {"pair-plus"}, {"six-card-bonus"}, {"ante", "pair-plus"}])
def test_3_1_any_of_the_wagers(placed):
    GAME.check_wagers(dict.fromkeys(placed, 100))
    assert holds_only_with(GAME, "3.1", ante_mandatory="no")


def test_3_2_or_the_ante_always():
    assert holds_only_with(GAME, "3.2", ante_mandatory="yes")
    with pytest.raises(Refused, match="requires the Ante"):
        MANDATORY.check_wagers({"pair-plus": 100})


def test_3_3_amounts_need_not_be_equal():
    GAME.check_wagers({"ante": 100, "pair-plus": 300, "six-card-bonus": 50})


def test_3_4_steps_of_the_wagers():
    assert [GAME.step(spot) for spot in GAME.wagers] == [1, 1, 1]


def test_3_5_at_most_seven_seats():
    shared.check_seats(GAME, 24)


def test_3_6_one_seat_a_player():
    shared.check_one_seat(GAME)


def test_4_1_no_more_bets():
    shared.check_last_call(GAME)


def test_4_2_packets_of_three():
    assert [to for to, _ in start_deal(GAME).dealt] == [0, 0, 0, 1, 1, 1, -1, -1, -1]


def test_4_3_the_dealers_cards_are_face_down():
    deal = start_deal(GAME)
    assert list(deal.rounds[0].view.dealer) == [FACE_DOWN] * 3
    assert FACE_DOWN not in deal.choose(0, "play").choose(1, "play").rounds[0].view.dealer


def test_4_4_players_see_their_own_cards():
    shared.check_own_cards(GAME)


def test_4_5_the_rest_is_out_of_play():
    shared.check_rest_unused(GAME)


def test_5_1_play_or_fold_with_an_ante():
    assert Round.of(GAME, "Kh 4c 9d", "", ante=100).choices == ("play", "fold")
    assert Round.of(GAME, "Kh 4c 9d", QUALIFIES, pair_plus=100).over


def test_5_2_play_equals_the_ante():
    assert Round.of(GAME, "Kh 4c 9d", "", ante=250).cost("play") == 250


def test_5_3_a_fold_loses_the_ante():
    assert nets("Ah Kh Qh", NOT, "fold")["ante"] == -100


def test_5_4_a_fold_loses_the_pair_plus():
    assert holds_only_with(GAME, "5.4", fold_loses_pair_plus="yes")
    assert nets("Kh Kc 9d", NOT, "fold")["pair-plus"] == -100


def test_5_5_or_leaves_it_in_action():
    assert holds_only_with(GAME, "5.5", fold_loses_pair_plus="no")
    assert nets_of(KEEPS, "Kh Kc 9d", NOT, choices="fold")["pair-plus"] == 100


def test_5_6_the_6_card_bonus_stays():
    assert nets("4h 4c 9d", "4s 8h Kc", "fold")["six-card-bonus"] == 500


def test_5_7_a_choice_is_made_once():
    shared.check_one_choice(GAME, "play")


def test_5_8_from_the_dealers_left():
    shared.check_turns(GAME, "play")


def test_6_1_the_dealer_qualifies_with_queen_high():
    assert nets("Kh 4c 9d", QUALIFIES)["play"] == 100
    assert nets("Kh 4c 9d", NOT)["play"] == 0


@pytest.mark.parametrize("player", ["Kh 4c 9d", "5h 3c 2d"])
def test_6_2_a_dealer_who_does_not_qualify(player):
    found = nets(player, NOT)
    assert (found["ante"], found["play"]) == (100, 0)


def test_6_3_the_better_hand_wins():
    found = nets("Kh 4c 9d", QUALIFIES)
    assert (found["ante"], found["play"]) == (100, 100)


def test_6_4_the_worse_hand_loses():
    found = nets("9h 4c 8d", QUALIFIES)
    assert (found["ante"], found["play"]) == (-100, -100)


def test_6_5_equal_hands_push():
    found = nets("Qh 3c 2d", QUALIFIES)
    assert (found["ante"], found["play"]) == (0, 0)


@pytest.mark.parametrize("dealer", [NOT, "Ac Ad As", "4c 3d 2h"])  # not qualified, better, equal
def test_7_1_the_ante_bonus_whatever_the_dealer_has(dealer):
    assert nets("4d 3c 2s", dealer)["ante-bonus"] == 100


def test_7_2_no_bonus_after_a_fold():
    assert nets("4d 3c 2s", NOT, "fold")["ante-bonus"] == 0


@pytest.mark.parametrize(
    ("table", "pays"), [("1", (5, 4, 1)), ("2", (4, 3, 1)), ("3", (3, 2, 1)), ("4", (5, 3, 1))]
)
def test_7_3_its_pay_tables(table, pays):
    assert tuple(pays_of("ante-bonus", table).values()) == pays


def test_8_1_pair_plus_wins_with_a_pair():
    assert nets("2h 2c 3d", "Ac Ad As")["pair-plus"] == 100
    assert nets("Ah Kc Jd", NOT)["pair-plus"] == -100


def test_8_2_the_royal_flush_of_three_cards():
    high = GAME.with_options({"pair-plus": "13"})
    assert nets_of(high, "Ah Kh Qh", NOT, choices="play")["pair-plus"] == 20_000
    assert nets_of(high, "Kh Qh Jh", "9c 7d 2h", choices="play")["pair-plus"] == 4_000


def test_8_3_thirteen_pay_tables():
    assert len(GAME.spot("pair-plus").tables) == 13
    assert list(pays_of("pair-plus", "7").values()) == [35, 35, 33, 6, 4, 1]


@pytest.mark.parametrize("choice", ["play", "fold"])
@pytest.mark.parametrize("dealer", ["4s 8h Kc", "4s 8h 9c"])
def test_9_1_the_best_five_of_six(dealer, choice):
    assert nets("4h 4c 2d", dealer, choice)["six-card-bonus"] == 500


def test_9_2_three_of_a_kind_or_better():
    assert nets("4h 4c 8d", "8s 7h Kc")["six-card-bonus"] == -100


def test_9_3_six_pay_tables():
    assert len(GAME.spot("six-card-bonus").tables) == 6
    assert list(pays_of("six-card-bonus", "6").values()) == [1000, 200, 50, 20, 15, 10, 7]


def test_10_1_from_the_dealers_right():
    shared.check_seats_from_right(GAME)


def test_10_2_the_order_at_a_seat():
    shared.check_spots_in_order(GAME, "play", "play", "ante", "ante-bonus", "pair-plus", "six-card-bonus")


def test_10_3_each_wager_once():
    shared.check_settled_once(GAME, "play")


def test_10_4_what_a_fold_loses_is_taken_at_once():
    shared.check_taken_at_fold(GAME, "ante", "pair-plus")
    shared.check_taken_at_fold(KEEPS, "ante")


def test_11_1_a_wrong_number_of_cards():
    shared.check_wrong_count(GAME)


def test_11_2_a_void_round_refunds_raises_too():
    shared.check_void_refunds(GAME, "play")


def test_11_3_no_choice_in_a_void_round():
    shared.check_void_opens_nothing(GAME)


def test_11_4_a_card_seen_too_early():
    check_card_seen_too_early(GAME)


def test_11_5_a_card_out_of_turn():
    check_card_out_of_turn(GAME)


def test_11_6_a_wrong_payment():
    check_wrong_payment(GAME)


def test_11_7_what_was_settled_stays_settled():
    check_settled_stays(start_deal(GAME).choose(0, "fold"), "11.7")


def test_11_8_the_guide_comes_first():
    check_guide_first(GAME, "11.8")


def test_11_9_continual_faults():
    check_continual(GAME, "11.9")


def test_11_10_seven_steps():
    check_seven_steps(GAME, "11.10")


def test_11_11_the_venues_own_procedure():
    check_local_procedure(GAME, "11.11")


def test_12_1_before_the_deal():
    shared.check_moment(GAME, "Before the deal", '"No more bets."', "in any combination")
    shared.check_moment(MANDATORY, "Before the deal", "Place the Ante, and")


def test_12_2_the_deal():
    shared.check_moment(GAME, "The deal", "packet of three cards, face down", "discard rack")


def test_12_3_the_choices():
    told = course(GAME, "9c 9d 4h Kh Jd 8c Qd 3c 6h", [{"ante": 100}] * 2, ["fold", "play"])
    assert is_before(told, "1 fold", "1 ante -100", "2 play", "2 play +100")
    shared.check_moment(GAME, "The choices", "equal to the Ante", '"Fold."')


def test_12_4_the_dealers_cards():
    shared.check_moment(GAME, "The dealer's cards", "Dealer qualifies")


def test_12_5_settling():
    shared.check_moment(GAME, "Settling", "Ante Bonus", "counts them")


def test_12_6_after_the_round():
    shared.check_moment(GAME, "After the round", "shuffler", '"Place your bets."')


def test_12_7_variants_of_the_venue():
    check_local_procedure(GAME, "12.7")
