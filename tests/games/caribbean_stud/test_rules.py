"""Caribbean Stud Poker, clause by clause: docs/rules/caribbean-stud.md."""

import numpy as np
import pytest

from feltlab.core.cards import FACE_DOWN, cards
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.caribbean_stud import strategies
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

GAME = GAMES["caribbean-stud"]
QUALIFIES, NOT = "Ac Kd 4h 3s 2c", "As Qd Jc Ts 9d"  # the least hand that qualifies, the best that does not
PAIR = "9h 9c 6d 5h 2h"


def strength(hand: str) -> int:
    return poker.strength(poker.tables(), np.array(cards(hand), np.uint8))


def nets(player: str, dealer: str, choices: str = "raise", game=GAME) -> tuple[int, ...]:
    """What an Ante of 100 cents and its Raise net."""
    return tuple(nets_of(game, player, dealer, choices=choices).values())


def test_1_1_one_deck_of_52_cards():
    shared.check_deck(GAME, "As Ks Qs Js Jk")


def test_1_2_a_fresh_deck_every_round():
    shared.check_fresh_deck(GAME)


def test_2_1_the_order_of_hands():
    ordered = [
        "Ah Kh Qh Jh Th", "9h 8h 7h 6h 5h", "2c 2d 2h 2s 3c", "2c 2d 2h 3s 3c", "9h 4h 2h 7h 5h",
        "9h 8c 7d 6h 5h", "2c 2d 2h 4s 3c", "3c 3d 2h 2s 4c", "2c 2d 5h 4s 3c", "Ac Kd Qh Js 9c",
    ]  # fmt: skip
    assert sorted(map(strength, ordered), reverse=True) == list(map(strength, ordered))


def test_2_2_ranks_then_kickers():
    assert strength("3c 3d 5h 4s 2c") > strength("2c 2d Ah Ks Qc")
    assert strength("3c 3d Ah 4s 2c") > strength("3h 3s Kh Qs Jc")


def test_2_3_suits_do_not_matter():
    assert strength("Ac 9d 4h 3s 2c") == strength("Ad 9s 4c 3c 2h")


def test_2_4_the_lowest_straight():
    assert strength("Ac 2d 3h 4s 5c") >> 12 == poker.STRAIGHT
    assert strength("Ac 2d 3h 4s 5c") < strength("2c 3d 4h 5s 6c")
    assert strength("Qc Kd Ah 2s 3c") >> 12 == poker.HIGH_CARD


def test_3_1_the_ante_is_required():
    assert [spot.name for spot in GAME.wagers] == ["ante"]
    with pytest.raises(Refused, match="requires the Ante"):
        GAME.check_wagers({})


def test_3_2_steps_of_the_ante():
    assert GAME.step(GAME.spot("ante")) == 1


def test_3_3_at_most_seven_seats():
    shared.check_seats(GAME, 40)


def test_3_4_one_seat_a_player():
    shared.check_one_seat(GAME)


def test_4_1_no_more_bets():
    shared.check_last_call(GAME)


def test_4_2_packets_of_five():
    assert [to for to, _ in start_deal(GAME).dealt] == [0] * 5 + [1] * 5 + [-1] * 5


def test_4_3_the_first_card_of_the_dealer_is_up():
    deal = start_deal(GAME)
    assert deal.rounds[0].view.dealer[0] == deal.rounds[1].view.dealer[0] == deal.dealt[10][1]


def test_4_4_the_other_four_are_face_down():
    deal = start_deal(GAME)
    assert list(deal.rounds[0].view.dealer)[1:] == [FACE_DOWN] * 4
    assert FACE_DOWN not in deal.choose(0, "raise").choose(1, "raise").rounds[0].view.dealer


def test_4_5_players_see_their_own_cards():
    deal = start_deal(GAME)
    for seat, round in enumerate(deal.rounds):
        assert list(round.view.player) == [card for to, card in deal.dealt if to == seat]
        assert len({card for card in round.seen if card >= 0}) == 6  # and the up card


def test_4_6_the_rest_is_out_of_play():
    shared.check_rest_unused(GAME)


def test_5_1_raise_or_fold():
    assert Round.of(GAME, PAIR, "", ante=100).choices == ("raise", "fold")


def test_5_2_a_raise_is_twice_the_ante():
    assert Round.of(GAME, PAIR, "", ante=250).cost("raise") == 500


@pytest.mark.parametrize("dealer", [QUALIFIES, NOT])
def test_5_3_a_fold_loses_the_ante(dealer):
    assert nets("Ah Kh Qh Jh Th", dealer, "fold") == (-100,)


def test_5_4_a_choice_is_made_once():
    shared.check_one_choice(GAME, "raise")


def test_5_5_from_the_dealers_left():
    shared.check_turns(GAME, "raise")


def test_6_1_the_dealer_qualifies_with_ace_and_king():
    assert nets(PAIR, QUALIFIES) == (100, 200)
    assert nets(PAIR, NOT) == (100, 0)


@pytest.mark.parametrize("player", [PAIR, "7h 5c 4d 3h 2h"])
def test_6_2_a_dealer_who_does_not_qualify(player):
    assert nets(player, NOT) == (100, 0)


def test_6_3_the_better_hand_wins():
    assert nets("9h 9c 6d 6h 2h", QUALIFIES) == (100, 2 * 2 * 100)


def test_6_4_the_worse_hand_loses():
    assert nets("Ah Qc 9d 6h 2h", QUALIFIES) == (-100, -200)


def test_6_5_equal_hands_push():
    assert nets("Ah Kh 4c 3d 2h", QUALIFIES) == (0, 0)


@pytest.mark.parametrize(("table", "royal"), [("1", 100), ("2", 250)])
def test_6_6_the_pays_of_a_raise(table, royal):
    game = GAME.with_options({"pays": table})
    wins = [line.pays for line in game.pay_table(game.spot("raise")).lines if line.pays > 0]
    assert wins == [royal, 50, 20, 7, 5, 4, 3, 2, 1]
    assert nets("Ah Kh Qh Jh Th", QUALIFIES, game=game) == (100, royal * 200)
    assert nets(PAIR, QUALIFIES, game=game) == (100, 200)


def test_7_1_from_the_dealers_right():
    shared.check_seats_from_right(GAME)


def test_7_2_the_order_at_a_seat():
    shared.check_spots_in_order(GAME, "raise", "ante", "raise")


def test_7_3_each_wager_once():
    shared.check_settled_once(GAME, "raise")


def test_7_4_what_a_fold_loses_is_taken_at_once():
    shared.check_taken_at_fold(GAME, "ante")


def test_8_1_a_wrong_number_of_cards():
    shared.check_wrong_count(GAME)


def test_8_2_a_void_round_refunds_raises_too():
    shared.check_void_refunds(GAME, "raise")


def test_8_3_no_choice_in_a_void_round():
    shared.check_void_opens_nothing(GAME)


def test_8_4_a_card_seen_too_early():
    check_card_seen_too_early(GAME)


def test_8_5_a_card_out_of_turn():
    check_card_out_of_turn(GAME)


def test_8_6_a_wrong_payment():
    check_wrong_payment(GAME)


def test_8_7_what_was_settled_stays_settled():
    check_settled_stays(start_deal(GAME).choose(0, "fold"), "8.7")


def test_8_8_the_guide_comes_first():
    check_guide_first(GAME, "8.8")


def test_8_9_continual_faults():
    check_continual(GAME, "8.9")


def test_8_10_seven_steps():
    check_seven_steps(GAME, "8.10")


def test_8_11_the_venues_own_procedure():
    check_local_procedure(GAME, "8.11")


def test_9_1_before_the_deal():
    shared.check_moment(GAME, "Before the deal", "Place the Ante", '"No more bets."')


def test_9_2_the_deal():
    shared.check_moment(
        GAME, "The deal", "packet of five cards, face down", "Turns up the dealer's first card"
    )


def test_9_3_the_choices():
    first = "7s 5c 4d 3h 2d 9h 9c 6d 5h 2h Ac Kd 4h 3s 2c"
    told = course(GAME, first, [{"ante": 100}] * 2, ["fold", "raise"])
    assert is_before(told, "1 fold", "1 ante -100", "2 raise", "2 ante +100", "2 raise +200")
    shared.check_moment(GAME, "The choices", "twice the Ante", '"Fold."')


def test_9_4_the_dealers_cards():
    shared.check_moment(GAME, "The dealer's cards", "Dealer qualifies")


def test_9_5_settling():
    shared.check_moment(GAME, "Settling", "the Ante, then the Raise", "counts them")


def test_9_6_after_the_round():
    shared.check_moment(GAME, "After the round", "shuffler", '"Place your bets."')


def test_9_7_variants_of_the_venue():
    check_local_procedure(GAME, "9.7")


# -- Named strategies -------------------------------------------------------------------------------

A_K_Q, A_K_J, A_K_8 = "Ah Kc Qd 6h 2h", "Ah Kc Jd 6h 2h", "Ah Kc 8d 6h 2h"


@pytest.mark.parametrize(
    ("name", "hand", "up", "choice"),
    [
        ("three-rules", "2h 2c 5d 6h 9h", "As", "raise"),
        ("three-rules", "Ah Qc Jd 6h 2h", "6s", "fold"),
        ("three-rules", A_K_8, "8s", "raise"),  # matches, 2 to Q
        ("three-rules", A_K_8, "As", "fold"),
        ("three-rules", A_K_J, "Ks", "raise"),  # king against a jack
        ("three-rules", A_K_Q, "5s", "raise"),  # below the fourth card
        ("three-rules", A_K_Q, "7s", "fold"),
        ("three-rules", A_K_J, "5s", "fold"),
        ("a-k-j-8-3", "Ah Kc Jd 8h 3h", "5s", "raise"),
        ("a-k-j-8-3", "Ah Kc Jd 8h 2h", "5s", "fold"),
        ("match-rank", A_K_8, "As", "raise"),
        ("match-rank", A_K_8, "5s", "fold"),
        ("pair-or-better", "2h 2c 5d 6h 9h", "As", "raise"),
        ("pair-or-better", A_K_Q, "As", "fold"),
        ("ace-king", "Ah Kc 4d 3h 2h", "5s", "raise"),
        ("ace-king", "Ah Qc Jd Th 9h", "5s", "fold"),
        ("never-fold", "7h 5c 4d 3h 2h", "As", "raise"),
    ],
)
def test_strategies(name, hand, up, choice):
    seen = np.array([*cards(hand), *cards(up), *[FACE_DOWN] * 4], np.int8)
    made = strategies.STRATEGIES[name].decide(GAME.kernel_data, seen, 3, seen[:0])
    assert GAME.choices[made].name == choice
