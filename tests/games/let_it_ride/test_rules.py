"""Let It Ride, clause by clause: docs/rules/let-it-ride.md."""

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
from tests.support.public_clauses import nets_of, start_deal

GAME = GAMES["let-it-ride"]


def strength(hand: str) -> int:
    return poker.read(cards(hand)).strength


def test_1_1_one_deck_of_52_cards():
    shared.check_deck(GAME, "As Ks Jk")


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


def nets(own: str, board: str, choices: str = "ride ride", game=GAME) -> dict[str, int]:
    return nets_of(game, own, board, choices=choices)


def bonus(own: str, game=GAME) -> int:
    return nets(own, "9c 7d", "pull pull", game)["three-card-bonus"]


def test_3_1_three_equal_bets():
    GAME.check_wagers({"bet-1": 100, "bet-2": 100, "bet-3": 100})
    with pytest.raises(Refused, match="must equal the Bet 3"):
        GAME.check_wagers({"bet-1": 200, "bet-2": 100, "bet-3": 100})


def test_3_2_the_bonus_is_optional():
    GAME.check_wagers({"bet-1": 100, "bet-2": 100, "bet-3": 100})
    with pytest.raises(Refused, match="requires"):
        GAME.check_wagers({"three-card-bonus": 100})


def test_3_3_steps_of_the_wagers():
    assert {GAME.step(spot) for spot in GAME.wagers} == {1}


def test_3_4_at_most_seven_seats():
    shared.check_seats(GAME, 23)


def test_3_5_one_seat_a_player():
    shared.check_one_seat(GAME)


def test_4_1_no_more_bets():
    shared.check_last_call(GAME)


def test_4_2_own_cards_then_the_community_cards():
    receivers = [to for to, _ in start_deal(GAME).dealt]
    assert receivers == [0] * 3 + [1] * 3 + [BOARD] * 2


def test_4_4_players_see_their_own_cards():
    shared.check_own_cards(GAME)


def test_4_5_the_rest_is_out_of_play():
    shared.check_rest_unused(GAME)


def test_4_3_a_card_after_each_street():
    deal = start_deal(GAME)
    shown = []
    while deal.turn is not None:
        shown.append(list(deal.rounds[deal.turn].view.board).count(FACE_DOWN))
        deal = deal.choose(deal.turn, "ride")
    assert [*shown, list(deal.rounds[0].view.board).count(FACE_DOWN)] == [2, 2, 1, 1, 0]


def test_5_1_bet_1_rides_or_is_pulled():
    start = Round.of(GAME, "Kd 9h 4c", "2s 8d", bet_1=100, bet_2=100, bet_3=100)
    assert start.choices == ("ride", "pull")
    assert nets("Kd 9h 4c", "2s 8d", "pull ride")["bet-1"] == 0


@pytest.mark.parametrize("first", ["ride", "pull"])
def test_5_2_bet_2_whatever_was_done_with_bet_1(first):
    start = Round.of(GAME, "Kd 9h 4c", "2s 8d", bet_1=100, bet_2=100, bet_3=100).choose(first)
    assert start.choices == ("ride", "pull")
    assert start.choose("pull").settlement["bet-2"].net == 0


def test_5_3_bet_3_always_rides():
    assert nets("Kd 9h 4c", "2s 8d", "pull pull")["bet-3"] == -100


def test_5_4_a_pulled_bet_was_not_wagered():
    """The whole bet comes back, and the average wager of the bet counts only rounds in which it rides."""
    over = Round.of(GAME, "Kd 9h 4c", "2s 8d", bet_1=100, bet_2=100, bet_3=100).choose("pull", "pull")
    assert (over.settlement["bet-1"].returned, over.settlement["bet-1"].result) == (100, "refund")
    assert not any(line.wagered for line in GAME.pay_table(GAME.spot("bet-1")).lines if line.refund)


def test_5_5_a_choice_is_made_once():
    shared.check_one_choice(GAME, "ride")


def test_5_6_from_the_dealers_left():
    shared.check_turns(GAME, "ride")


def test_6_1_paid_by_the_five_cards():
    assert nets("4h 4c 8d", "4s 8h") == {
        "bet-3": 1100, "bet-2": 1100, "bet-1": 1100, "three-card-bonus": 100,
    }  # fmt: skip


@pytest.mark.parametrize(("own", "net"), [("Th Tc 2d", 100), ("9h 9c 2d", -100), ("Ah Kc 2d", -100)])
def test_6_2_a_pair_of_tens_or_better(own, net):
    assert nets(own, "7s 5h")["bet-3"] == net


@pytest.mark.parametrize(("table", "pay"), [("1", 1100), ("2", 1100), ("3", 1500)])
def test_6_3_three_pay_tables(table, pay):
    game = GAME.with_options({"pays": table})
    assert nets("4h 4c 8d", "4s 8h", game=game)["bet-3"] == pay


def test_7_1_decided_by_the_own_three_cards():
    assert bonus("2h 2c 9d") == 100
    assert nets("2h 5c 9d", "2s 5h")["three-card-bonus"] == -100


def test_7_3_whatever_is_pulled():
    assert {
        nets("2h 2c 9d", "Ks 5h", choices)["three-card-bonus"] for choices in ("ride ride", "pull pull")
    } == {100}


def test_7_2_the_royal_flush_of_three_cards():
    high = GAME.with_options({"three-card-bonus": "13"})
    assert bonus("Ah Kh Qh", high) == 20_000
    assert bonus("Kh Qh Jh", high) == 4_000
    assert bonus("Ah 2c 3h") == 600


def test_7_4_thirteen_pay_tables():
    assert len(GAME.spot("three-card-bonus").tables) == 13
    assert GAME.options["three-card-bonus"] == "6"
    assert bonus("9h 4h 2h") == 300
    assert bonus("9h 4h 2h", GAME.with_options({"three-card-bonus": "7"})) == 400


def test_8_1_from_the_dealers_right():
    shared.check_seats_from_right(GAME)


def test_8_2_the_order_at_a_seat():
    shared.check_spots_in_order(GAME, "ride", "bet-3", "bet-2", "bet-1", "three-card-bonus")


def test_8_3_each_wager_once():
    shared.check_settled_once(GAME, "ride")


def test_8_4_a_pulled_bet_is_returned_at_once():
    deal = start_deal(GAME).choose(0, "pull")
    assert deal.turn == 1
    assert [(seat, paid.spot.name, paid.result, paid.net) for seat, paid in deal.payments] == [
        (0, "bet-1", "refund", 0)
    ]


def test_9_1_a_wrong_number_of_cards():
    shared.check_wrong_count(GAME)


def test_9_2_a_void_round_refunds_raises_too():
    shared.check_void_refunds(GAME, "ride")


def test_9_3_no_choice_in_a_void_round():
    shared.check_void_opens_nothing(GAME)


def test_9_4_a_card_seen_too_early():
    check_card_seen_too_early(GAME)


def test_9_5_a_card_out_of_turn():
    check_card_out_of_turn(GAME)


def test_9_6_a_wrong_payment():
    check_wrong_payment(GAME)


def test_9_7_what_was_settled_stays_settled():
    check_settled_stays(start_deal(GAME).choose(0, "pull"), "9.7")


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
    shared.check_moment(GAME, "The deal", "three cards, face down", "community cards, face down")


def test_10_3_the_choices():
    shared.check_moment(GAME, "The choices", "Bet 1", "Bet 2")


def test_10_4_the_last_cards():
    shared.check_moment(GAME, "The last cards", "Turns up")


def test_10_5_settling():
    shared.check_moment(GAME, "Settling", "3 Card Bonus", "counts them")


def test_10_6_after_the_round():
    shared.check_moment(GAME, "After the round", "shuffler", '"Place your bets."')


def test_10_7_variants_of_the_venue():
    check_local_procedure(GAME, "10.7")
