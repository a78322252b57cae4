"""Mississippi Stud, clause by clause: docs/rules/mississippi-stud.md."""

import pytest

from feltlab.core.cards import FACE_DOWN, cards
from feltlab.core.hands import poker
from feltlab.core.layout import BOARD
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
from tests.support.procedures import holds_only_with
from tests.support.public_clauses import nets_of, start_deal

GAME = GAMES["mississippi-stud"]
LOSES = GAME.with_options({"fold-loses-bonus": "yes"})


def strength(hand: str) -> int:
    return poker.read(cards(hand)).strength


def test_1_1_one_deck_of_52_cards():
    shared.check_deck(GAME, "As Jk")


def test_1_2_a_fresh_deck_every_round():
    shared.check_fresh_deck(GAME)


def test_2_1_the_order_of_hands():
    ordered = [
        "Ah Kh Qh Jh Th", "Kh Qh Jh Th 9h", "2c 2d 2h 2s 3c", "2c 2d 2h 3s 3c", "9h 7h 4h 3h 2h",
        "6c 5d 4h 3s 2c", "2c 2d 2h 3s 4c", "2c 2d 3h 3s 4c", "2c 2d 3h 4s 5c", "Ac Kd Qh Js 9c",
    ]  # fmt: skip
    assert sorted(map(strength, ordered), reverse=True) == list(map(strength, ordered))


def test_2_2_ranks_then_kickers():
    assert strength("3c 3d 4h 5s 6c") > strength("2c 2d Ah Ks Qc")
    assert strength("3c 3d Ah 5s 4c") > strength("3c 3d Kh 5s 4c")


def test_2_3_suits_do_not_matter():
    assert strength("3c 3d Ah 5s 4c") == strength("3h 3s Ad 5c 4h")


def test_2_4_the_lowest_straight():
    assert strength("Ac 2d 3h 4s 5c") >> 12 == poker.STRAIGHT
    assert strength("Ac 2d 3h 4s 5c") < strength("2c 3d 4h 5s 6c")
    assert strength("Qc Kd Ah 2s 3c") >> 12 == poker.HIGH_CARD


def nets(own: str, board: str, choices: str = "bet-1x bet-1x bet-1x", game=GAME) -> dict[str, int]:
    return nets_of(game, own, board, choices=choices)


def bonus(board: str, game=GAME) -> int:
    return nets("9c 7d", board, "fold", game)["three-card-bonus"]


def test_3_1_the_ante_is_required():
    with pytest.raises(Refused, match="requires the Ante"):
        GAME.check_wagers({"three-card-bonus": 100})


def test_3_2_the_bonus_is_optional():
    GAME.check_wagers({"ante": 100})
    with pytest.raises(Refused, match="requires"):
        GAME.check_wagers({"three-card-bonus": 100})


def test_3_3_steps_of_the_wagers():
    assert {GAME.step(spot) for spot in GAME.wagers} == {1}


def test_3_4_at_most_seven_seats():
    shared.check_seats(GAME, 17)


def test_3_5_one_seat_a_player():
    shared.check_one_seat(GAME)


def test_4_1_no_more_bets():
    shared.check_last_call(GAME)


def test_4_2_own_cards_then_the_community_cards():
    receivers = [to for to, _ in start_deal(GAME).dealt]
    assert receivers == [0] * 2 + [1] * 2 + [BOARD] * 3


def test_4_4_players_see_their_own_cards():
    shared.check_own_cards(GAME)


def test_4_5_the_rest_is_out_of_play():
    shared.check_rest_unused(GAME)


def test_4_3_a_card_after_each_street():
    deal = start_deal(GAME)
    hidden = []
    while deal.turn is not None:
        hidden.append(list(deal.rounds[deal.turn].view.board).count(FACE_DOWN))
        deal = deal.choose(deal.turn, "bet-1x")
    assert [*hidden, list(deal.rounds[0].view.board).count(FACE_DOWN)] == [3, 3, 2, 2, 1, 1, 0]


@pytest.mark.parametrize("before", [""])
def test_5_1_third_street(before):
    check_street(before)


@pytest.mark.parametrize("before", ["bet-1x", "bet-3x"])
def test_5_2_fourth_street(before):
    check_street(before)


@pytest.mark.parametrize("before", ["bet-1x bet-1x", "bet-3x bet-2x"])
def test_5_3_fifth_street(before):
    check_street(before)


def check_street(before: str) -> None:
    start = Round.of(GAME, "Kd 9h", "4c 2s 8d", ante=200).choose(*before.split())
    assert start.choices == ("bet-3x", "bet-2x", "bet-1x", "fold")
    assert [start.cost(choice) for choice in start.choices] == [600, 400, 200, 0]


def test_5_4_a_fold_loses_everything_put_down():
    found = nets("Ah Kh", "Qh Jh Th", "bet-2x bet-3x fold")
    assert found == {"ante": -100, "third": -200, "fourth": -300, "three-card-bonus": 4000}


def test_5_5_a_fold_loses_the_bonus():
    assert holds_only_with(GAME, "5.5", fold_loses_bonus="yes")
    assert nets("Kd 9h", "2h 2c 9d", "fold", LOSES)["three-card-bonus"] == -100


def test_5_6_or_leaves_it_in_action():
    assert holds_only_with(GAME, "5.6", fold_loses_bonus="no")
    assert nets("Kd 9h", "2h 2c 9d", "fold")["three-card-bonus"] == 100


def test_5_7_a_choice_is_made_once():
    shared.check_one_choice(GAME, "bet-1x")


def test_5_8_from_the_dealers_left():
    shared.check_turns(GAME, "bet-1x")


def test_6_1_the_ante_and_every_bet_by_the_five_cards():
    found = nets("4h 4c", "8d 4s 8h", "bet-1x bet-2x bet-3x")
    assert found == {"ante": 1000, "third": 1000, "fourth": 2000, "fifth": 3000, "three-card-bonus": 100}


@pytest.mark.parametrize(
    ("own", "net"), [("Jh Jc", 100), ("Th Tc", 0), ("6h 6c", 0), ("5h 5c", -100), ("Ah Kc", -100)]
)
def test_6_2_jacks_win_and_sixes_push(own, net):
    assert nets(own, "2d 7s 3h")["ante"] == net


@pytest.mark.parametrize(("table", "pay"), [("1", 400), ("2", 500)])
def test_6_3_two_pay_tables(table, pay):
    game = GAME.with_options({"pays": table})
    assert nets("6h 5c", "4d 3s 2h", game=game)["ante"] == pay


def test_7_1_decided_by_the_community_cards():
    assert bonus("2h 2c 9d") == 100
    assert nets("2h 5c", "2s 5h 9d")["three-card-bonus"] == -100


def test_7_2_the_royal_flush_of_three_cards():
    high = GAME.with_options({"three-card-bonus": "13"})
    assert bonus("Ah Kh Qh", high) == 20_000
    assert bonus("Kh Qh Jh", high) == 4_000
    assert bonus("Ah 2c 3h") == 600


def test_7_3_thirteen_pay_tables():
    assert len(GAME.spot("three-card-bonus").tables) == 13
    assert GAME.options["three-card-bonus"] == "6"
    assert bonus("9h 4h 2h") == 300
    assert bonus("9h 4h 2h", GAME.with_options({"three-card-bonus": "7"})) == 400


def test_8_1_from_the_dealers_right():
    shared.check_seats_from_right(GAME)


def test_8_2_the_order_at_a_seat():
    shared.check_spots_in_order(GAME, "bet-3x", "ante", "third", "fourth", "fifth", "three-card-bonus")


def test_8_3_each_wager_once():
    shared.check_settled_once(GAME, "bet-3x")


def test_8_4_what_a_fold_loses_is_taken_at_once():
    shared.check_taken_at_fold(GAME, "ante")
    shared.check_taken_at_fold(LOSES, "ante", "three-card-bonus")


def test_9_1_a_wrong_number_of_cards():
    shared.check_wrong_count(GAME)


def test_9_2_a_void_round_refunds_raises_too():
    shared.check_void_refunds(GAME, "bet-3x")


def test_9_3_no_choice_in_a_void_round():
    shared.check_void_opens_nothing(GAME)


def test_9_4_a_card_seen_too_early():
    check_card_seen_too_early(GAME)


def test_9_5_a_card_out_of_turn():
    check_card_out_of_turn(GAME)


def test_9_6_a_wrong_payment():
    check_wrong_payment(GAME)


def test_9_7_what_was_settled_stays_settled():
    check_settled_stays(start_deal(GAME).choose(0, "fold"), "9.7")


def test_9_8_the_guide_comes_first():
    check_guide_first(GAME, "9.8")


def test_9_9_continual_faults():
    check_continual(GAME, "9.9")


def test_9_10_seven_steps():
    check_seven_steps(GAME, "9.10")


def test_9_11_the_venues_own_procedure():
    check_local_procedure(GAME, "9.11")


def test_10_1_before_the_deal():
    shared.check_moment(GAME, "Before the deal", '"No more bets."', "3 Card Bonus")


def test_10_2_the_deal():
    shared.check_moment(GAME, "The deal", "two cards, face down", "community cards, face down")


def test_10_3_the_choices():
    shared.check_moment(GAME, "The choices", "Third street", "Fold")


def test_10_4_the_last_cards():
    shared.check_moment(GAME, "The last cards", "Turns up")


def test_10_5_settling():
    shared.check_moment(GAME, "Settling", "3 Card Bonus", "counts them")


def test_10_6_after_the_round():
    shared.check_moment(GAME, "After the round", "shuffler", '"Place your bets."')


def test_10_7_variants_of_the_venue():
    check_local_procedure(GAME, "10.7")
