"""Crazy 4 Poker, clause by clause: docs/rules/crazy-4-poker.md."""

import numpy as np
import pytest

from feltlab.core.cards import FACE_DOWN, cards
from feltlab.core.hands import four_card
from feltlab.core.round import Round
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.crazy_4_poker import strategies
from tests.support import public_clauses as shared
from tests.support.irregular import check_card_out_of_turn, check_card_seen_too_early, check_wrong_payment
from tests.support.irregularity_clauses import (
    check_continual,
    check_guide_first,
    check_local_procedure,
    check_settled_stays,
    check_seven_steps,
)
from tests.support.procedures import course, is_before
from tests.support.public_clauses import nets_of, start_deal

GAME = GAMES["crazy-4-poker"]
QUALIFIES, NOT = "Kd 5c 3s 2c 7c", "Qc Jd Th 8s 2s"  # king high, and the best hand that does not qualify
LOW_PAIR = "4h 4d 9h 8c 2d"


def strength(hand: str) -> int:
    return int(four_card.strength(four_card.tables(), np.array(cards(hand), np.uint8)))


def nets(player: str, dealer: str, choices: str = "play-1x") -> tuple[int, ...]:
    """What Ante, Play, Super Bonus and Queens Up of 100 cents net; no Play after a fold."""
    return tuple(nets_of(GAME, player, dealer, choices=choices).values())


def test_1_1_one_deck_of_52_cards():
    shared.check_deck(GAME, "As Ks Qs Js Jk")


def test_1_2_a_fresh_deck_every_round():
    shared.check_fresh_deck(GAME)


def test_2_1_the_order_of_hands():
    ordered = [
        "2c 2d 2h 2s 3c", "9h 8h 7h 6h 2d", "2c 2d 2h 4s 3c", "9h 4h 2h 7h 5c",
        "9h 8c 7d 6h 2h", "3c 3d 2h 2s 5c", "2c 2d 6h 4s 3c", "Ac Kd Qh 9s 8c",
    ]  # fmt: skip
    assert sorted(map(strength, ordered), reverse=True) == list(map(strength, ordered))


def test_2_2_the_best_four_of_five():
    assert strength("9h 8h 7h 6h Ad") == strength("9h 8h 7h 6h 2d")
    assert strength("Ah Ac Kd Kh Qs") == strength("Ah Ac Kd Kh 2s")


def test_2_3_ranks_then_kickers():
    assert strength("3c 3d 6h 4s 2c") > strength("2c 2d Ah Ks 9c")
    assert strength("3c 3d Ah 4s 2c") > strength("3h 3s Kh Qs 9c")


def test_2_4_suits_do_not_matter():
    assert strength("Ac 9d 4h 3s 7c") == strength("Ad 9s 4c 3c 7h")


def test_2_5_the_lowest_straight():
    assert strength("Ac 2d 3h 4s 9c") >> 12 == four_card.STRAIGHT
    assert strength("Ac 2d 3h 4s 9c") < strength("2c 3d 4h 5s 9c")
    assert strength("Qc Kd Ah 2s 7c") >> 12 == four_card.HIGH_CARD


def test_3_1_ante_and_super_bonus_are_equal():
    GAME.check_wagers({"ante": 100, "super-bonus": 100})
    for wagers in ({"ante": 100}, {"ante": 100, "super-bonus": 200}, {"super-bonus": 100}):
        with pytest.raises(Refused):
            GAME.check_wagers(wagers)


def test_3_2_queens_up_is_optional():
    GAME.check_wagers({"ante": 100, "super-bonus": 100, "queens-up": 700})


def test_3_3_steps_of_the_wagers():
    assert {spot.name: GAME.step(spot) for spot in GAME.wagers} == {
        "ante": 2, "super-bonus": 2, "queens-up": 1,
    }  # fmt: skip


def test_3_4_at_most_seven_seats():
    full = start_deal(GAME, 7)
    assert len(full.shoe) - len(full.rest) == 40
    with pytest.raises(Refused, match="at most 7"):
        start_deal(GAME, 8)


def test_3_5_one_seat_a_player():
    shared.check_one_seat(GAME)


def test_4_1_no_more_bets():
    shared.check_last_call(GAME)


def test_4_2_packets_of_five():
    assert [to for to, _ in start_deal(GAME).dealt] == [0] * 5 + [1] * 5 + [-1] * 5


def test_4_3_the_dealers_cards_are_face_down():
    deal = start_deal(GAME)
    assert list(deal.rounds[0].view.dealer) == [FACE_DOWN] * 5
    assert FACE_DOWN not in deal.choose(0, "play-1x").choose(1, "play-1x").rounds[0].view.dealer


def test_4_4_players_see_their_own_cards():
    shared.check_own_cards(GAME)


def test_4_5_the_rest_is_out_of_play():
    over = shared.play_out(start_deal(GAME), "play-1x")
    assert len(over.rest) == 52 - len(over.dealt)


def test_5_1_fold_or_once_the_ante():
    round = Round.of(GAME, "Kc Kd 9h 8c 2d", "", ante=250, super_bonus=250)
    assert round.choices == ("play-1x", "fold")
    assert round.cost("play-1x") == 250


def test_5_2_more_with_a_pair_of_aces_or_better():
    for hand in ("Ac Ad 9h 8c 2d", "3c 3d 2h 2c 9d"):
        round = Round.of(GAME, hand, "", ante=250, super_bonus=250)
        assert round.choices == ("play-3x", "play-2x", "play-1x", "fold")
        assert [round.cost(f"play-{units}x") for units in (2, 3)] == [500, 750]


def test_5_3_a_fold_loses_all():
    assert nets("Ac Ad Ah As 2d", NOT, "fold") == (-100, -100, -100)


def test_5_4_a_choice_is_made_once():
    shared.check_one_choice(GAME, "play-1x")


def test_5_5_from_the_dealers_left():
    shared.check_turns(GAME, "play-1x")


def test_6_1_the_dealer_qualifies_with_king_high():
    assert nets(LOW_PAIR, QUALIFIES)[:2] == (100, 100)
    assert nets(LOW_PAIR, NOT)[:2] == (0, 100)


@pytest.mark.parametrize("player", [LOW_PAIR, "9h 7d 5h 4d 2d"])
def test_6_2_a_dealer_who_does_not_qualify(player):
    assert nets(player, NOT)[:2] == (0, 100)


@pytest.mark.parametrize("units", [1, 2, 3])
def test_6_3_the_better_hand_wins(units):
    assert nets("Ac Ad 9h 8c 2d", "Kd 5c 3s 2h 7c", f"play-{units}x")[:2] == (100, 100 * units)


def test_6_4_the_worse_hand_loses():
    assert nets("Qh 7d 5h 4d 2d", QUALIFIES)[:2] == (-100, -100)


def test_6_5_equal_hands_push():
    assert nets("Kh 5h 3d 2d 7d", QUALIFIES)[:2] == (0, 0)


@pytest.mark.parametrize("dealer", ["Kd 5c 3s 2c 7c", NOT, "Ac Ad As 2c 3c"])
def test_7_1_a_straight_wins_whatever_the_dealer_has(dealer):
    assert nets("9h 8d 7h 6c 4h", dealer)[2] == 100


def test_7_2_less_loses_only_to_a_better_dealer_who_qualifies():
    assert nets("Qh 7d 5h 4d 2d", QUALIFIES)[2] == -100
    assert nets("9h 7d 5h 4d 2d", NOT)[2] == 0  # a better dealer who does not qualify
    assert nets(LOW_PAIR, QUALIFIES)[2] == 0
    assert nets("Kh 5h 3d 2d 7d", QUALIFIES)[2] == 0  # a tie


@pytest.mark.parametrize(
    ("player", "pays"),
    [
        ("Ac Ad Ah As 8d", 200),
        ("9c 9d 9h 9s 8d", 30),
        ("9h 8h 7h 6h 4d", 15),
        ("9c 9d 9h 6h 4d", 2),
        ("Th 8h 7h 4h 6d", 1.5),
        ("9h 8d 7h 6c 4d", 1),
    ],
)
def test_7_3_the_pays_of_the_super_bonus(player, pays):
    assert nets(player, "Kd 5c 3s 2c Qc")[2] == 100 * pays


@pytest.mark.parametrize("dealer", [QUALIFIES, NOT, "Ac Ad As Ah 3c"])
def test_8_1_a_pair_of_queens_whatever_the_dealer_holds(dealer):
    assert nets("Qh Qd 9h 8c 6d", dealer)[3] == 100
    assert nets("Jh Jc 9h 8c 6d", dealer.replace("Jd", "Js"))[3] == -100


@pytest.mark.parametrize(
    ("table", "pays"), [("1", (40, 8)), ("2", (40, 9)), ("3", (30, 9)), ("4", (30, 8)), ("5", (40, 7))]
)
def test_8_2_five_pay_tables(table, pays):
    game = GAME.with_options({"queens-up": table})
    wins = [line.pays for line in game.pay_table(game.spot("queens-up")).lines if line.pays > 0]
    assert wins == [50, *pays, 4, 3, 2, 1]


def test_9_1_from_the_dealers_right():
    over = shared.play_out(start_deal(GAME, 3), "play-1x")
    assert [seat for seat, _ in over.settling] == [2, 1, 0]


def test_9_2_the_order_at_a_seat():
    shared.check_spots_in_order(GAME, "play-1x", "ante", "play", "super-bonus", "queens-up")


def test_9_3_each_wager_once():
    shared.check_settled_once(GAME, "play-1x")


def test_9_4_what_a_fold_loses_is_taken_at_once():
    shared.check_taken_at_fold(GAME, "ante", "super-bonus", "queens-up")


def test_10_1_a_wrong_number_of_cards():
    shared.check_wrong_count(GAME)


def test_10_2_a_void_round_refunds_raises_too():
    shared.check_void_refunds(GAME, "play-1x")


def test_10_3_no_choice_in_a_void_round():
    shared.check_void_opens_nothing(GAME)


def test_10_4_a_card_seen_too_early():
    check_card_seen_too_early(GAME)


def test_10_5_a_card_out_of_turn():
    check_card_out_of_turn(GAME)


def test_10_6_a_wrong_payment():
    check_wrong_payment(GAME)


def test_10_7_what_was_settled_stays_settled():
    check_settled_stays(start_deal(GAME).choose(0, "fold"), "10.7")


def test_10_8_the_guide_comes_first():
    check_guide_first(GAME, "10.8")


def test_10_9_continual_faults():
    check_continual(GAME, "10.9")


def test_10_10_seven_steps():
    check_seven_steps(GAME, "10.10")


def test_10_11_the_venues_own_procedure():
    check_local_procedure(GAME, "10.11")


def test_11_1_before_the_deal():
    shared.check_moment(GAME, "Before the deal", "in equal amounts", '"No more bets."')


def test_11_2_the_deal():
    shared.check_moment(GAME, "The deal", "packet of five cards, face down", "discard rack")


def test_11_3_the_choices():
    two = [{"ante": 100, "super-bonus": 100}] * 2
    told = course(GAME, f"9s 7d 6h 5d 2h {LOW_PAIR} Kd 5c 3s 2c 7c", two, ["fold", "play-1x"])
    assert is_before(told, "1 fold", "1 ante -100", "2 play-1x", "2 ante +100", "2 play +100")
    shared.check_moment(GAME, "The choices", "twice or three times the Ante", '"Fold."')


def test_11_4_the_dealers_cards():
    shared.check_moment(GAME, "The dealer's cards", "best four", "Dealer qualifies")


def test_11_5_settling():
    shared.check_moment(GAME, "Settling", "the Ante, then Play", "counts them")


def test_11_6_after_the_round():
    shared.check_moment(GAME, "After the round", "shuffler", '"Place your bets."')


def test_11_7_variants_of_the_venue():
    check_local_procedure(GAME, "11.7")


@pytest.mark.parametrize(
    ("hand", "choice"),
    [("Ac Ad 9h 8c 2d", "play-3x"), ("Kc Qd 8h 4c 2d", "play-1x"), ("Kc Qd 8h 3c 2d", "fold")],
)
def test_the_quick_strategy(hand, choice):
    seen = np.array([*cards(hand), *[FACE_DOWN] * 5], np.int8)
    made = strategies.quick(GAME.kernel_data, seen, 15, seen[:0])
    assert GAME.choices[made].name == choice
