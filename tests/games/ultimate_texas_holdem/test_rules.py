"""Ultimate Texas Hold'em, clause by clause: docs/rules/ultimate-texas-holdem.md."""

from fractions import Fraction

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

GAME = GAMES["ultimate-texas-holdem"]
LOSES = GAME.with_options({"fold-loses-trips": "yes"})
WAGERS = {"ante": 100, "blind": 100}
ALL = {**WAGERS, "trips": 100, "bad-beat": 100}
PLAIN = "2c 7d 9h Js 4d"  # a board without a pair, a straight or a flush


def round_of(player, dealer, board=PLAIN, game=GAME, **wagers):
    return Round.of(game, player, board, dealer, **(wagers or WAGERS))


def settled(player, dealer, board=PLAIN, choices="raise-4x", game=GAME, **wagers):
    return round_of(player, dealer, board, game, **wagers).choose(*choices.split()).settlement


def nets(*hands, choices="raise-4x"):
    """What Play, Ante and Blind of 100 cents net."""
    settlement = settled(*hands, choices=choices)
    return tuple(settlement[spot].net for spot in ("play", "ante", "blind"))


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
    clause = (
        "Royal Flush, Straight Flush, Four of a Kind, Full House, Flush, Straight, Three of a Kind, Two Pair,"
        " Pair, High Card"
    )
    assert ", ".join(names) == clause
    assert sorted(RANKED, key=strength, reverse=True) == list(RANKED)


def test_2_2_ranks_then_kickers():
    assert strength("Kc Kd 2h 3s 4c") > strength("Qc Qd Ah Ks Jc")
    assert strength("Kc Kd Ah 3s 4c") > strength("Kh Ks Qh Js 9c")


def test_2_3_suits_do_not_matter():
    assert nets("Ac Kd", "Ah Ks") == (0, 0, 0)


def test_2_4_the_wheel_is_the_lowest_straight():
    assert strength("Ac 2d 3h 4s 5c") < strength("2c 3d 4h 5s 6c")
    assert poker.read(cards("Kc Ad 2h 3s 4c")).category == "High Card"


def test_2_5_best_five_of_seven():
    assert nets("2h 3h", "Ac Ad", "Kh 9h 5h Kd Ks") == (-400, -100, -100)  # a full house against a flush
    assert nets("2h 3c", "4c 6d", "As Ks Qs Js Ts") == (0, 0, 0)  # the board plays


# -- 3 Wagers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wagers", [{"ante": 100}, {"blind": 100}, {"ante": 100, "blind": 200}, {"trips": 100}]
)
def test_3_1_ante_and_blind_are_required_and_equal(wagers):
    with pytest.raises(Refused):
        GAME.check_wagers(wagers)
    GAME.check_wagers(WAGERS)


def test_3_2_trips_and_bad_beat_are_optional():
    GAME.check_wagers({**WAGERS, "trips": 500})
    GAME.check_wagers({**WAGERS, "bad-beat": 700})


def test_3_3_multiples_that_pay_whole_cents():
    with pytest.raises(Refused):
        GAME.check_wagers({"ante": 101, "blind": 101})  # a flush pays the Blind 3 to 2
    GAME.check_wagers({"ante": 102, "blind": 102, "trips": 1})


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

FIRST = "2c 3c 5d 6d 8h 9h Ks Kd 7c 4s Jd"  # two seats, the dealer, the board


def test_4_1_no_more_bets():
    assert deal(WAGERS).calls == ("No more bets.",)


def test_4_2_packets_of_two_the_dealer_then_the_board():
    told = course(GAME, FIRST, [WAGERS, WAGERS], ["raise-4x", "raise-3x"])
    assert [event.split(":")[0] for event in told[:11]] == [*"1122", "dealer", "dealer", *["board"] * 5]


def test_4_3_the_flop_then_the_last_two():
    round = round_of("Ac Kd", "Ah Ks")
    shown = [round.view.board, round.choose("check").view.board, round.choose("check", "check").view.board]
    assert [sum(card >= 0 for card in board) for board in shown] == [0, 3, 5]
    assert shown[1][:3] == cards(PLAIN)[:3]


def test_4_4_the_dealers_cards_stay_down():
    dealt = deal(WAGERS, WAGERS, first=FIRST).choose(0, "raise-4x")
    assert {round.view.dealer for round in dealt.rounds} == {(FACE_DOWN, FACE_DOWN)}
    assert {round.view.dealer for round in dealt.choose(1, "raise-4x").rounds} == {cards("8h 9h")}


def test_4_5_players_see_their_own_cards():
    view = round_of("Ac Kd", "Ah Ks").view
    assert (view.player, view.dealer) == (cards("Ac Kd"), (FACE_DOWN, FACE_DOWN))


def test_4_6_the_rest_is_out_of_play():
    assert len(deal(WAGERS).choose(0, "raise-4x").rest) == 52 - 9


# -- 5 The choices ----------------------------------------------------------------------------------


def test_5_1_before_the_flop():
    round = round_of("Ac Kd", "Ah Ks")
    assert round.choices == ("raise-4x", "raise-3x", "check")
    assert [round.cost(choice) for choice in round.choices] == [400, 300, 0]


def test_5_2_after_the_flop():
    round = round_of("Ac Kd", "Ah Ks").choose("check")
    assert (round.choices, round.cost("raise-2x")) == (("raise-2x", "check"), 200)


def test_5_3_on_the_river():
    round = round_of("Ac Kd", "Ah Ks").choose("check", "check")
    assert (round.choices, round.cost("raise-1x")) == (("raise-1x", "fold"), 100)


@pytest.mark.parametrize("choices", ["raise-4x", "raise-3x", "check raise-2x", "check check raise-1x"])
def test_5_4_one_play_wager(choices):
    assert round_of("Ac Kd", "Ah Ks").choose(*choices.split()).over


def test_5_5_a_fold_loses_ante_and_blind():
    settlement = settled("Ac Kd", "3h 5s", choices="check check fold")
    assert {wager.spot.name: wager.net for wager in settlement.wagers} == {"ante": -100, "blind": -100}


THREE = ("9c 9d", "Ac Kd")  # three nines with the board


def test_5_6_a_fold_may_lose_trips():
    game = GAME.with_options({"fold-loses-trips": "yes"})
    assert settled(*THREE, choices="check check fold", game=game, **WAGERS, trips=100)["trips"].net == -100
    assert holds_only_with(GAME, "5.6", fold_loses_trips="yes")


def test_5_7_or_leave_trips_in_action():
    assert settled(*THREE, choices="check check fold", **WAGERS, trips=100)["trips"].net == 300
    assert holds_only_with(GAME, "5.7", fold_loses_trips="no")


def test_5_8_bad_beat_stays_in_action():
    wagers = {"ante": 100, "blind": 100, "bad_beat": 100}
    beaten = settled("9c 9d", "Jc Jd", choices="check check fold", **wagers)
    assert beaten["bad-beat"].net == 900


def test_5_9_a_choice_is_made_once():
    with pytest.raises(Refused):
        round_of("Ac Kd", "Ah Ks").choose("raise-4x", "check")


def test_5_10_seats_choose_from_left_to_right():
    dealt = deal(WAGERS, WAGERS)
    turns = []
    for choice in ("check", "raise-3x", "raise-2x"):
        turns.append(dealt.turn)
        dealt = dealt.choose(dealt.turn, choice)
    assert (turns, dealt.over) == ([0, 1, 0], True)


# -- 6 Play, Ante and Blind -------------------------------------------------------------------------


def test_6_1_the_dealer_opens_with_a_pair():
    assert settled("Ac Ad", "3h 3s")["ante"].outcome == "better hand"
    assert settled("Ac Ad", "Kh Qs")["ante"].outcome == "dealer does not open"


def test_6_2_without_a_pair_the_ante_alone_pushes():
    assert nets("Ac 3d", "Kh Qs") == (400, 0, 0)
    assert nets("Kc 3d", "Ah Qs") == (-400, 0, -100)


def test_6_3_the_better_hand_wins():
    assert nets("Ac Ad", "3h 3s") == (400, 100, 0)
    assert nets("Td 8d", "3h 3s") == (400, 100, 100)


def test_6_4_the_worse_hand_loses():
    assert nets("3h 3s", "Ac Ad", choices="check raise-2x") == (-200, -100, -100)


def test_6_5_equal_hands_push():
    assert nets("Ac Jd", "Ah Jc") == (0, 0, 0)


BLIND = [
    ("Ah Kh", "Qh Jh Th 2c 3d", 500),
    ("9h 8h", "Qh Jh Th 2c 3d", 50),
    ("9c 9d", "9h 9s Th 2c 3d", 10),
    ("9c 9d", "9h Ts Th 2c 3d", 3),
    ("Ah 4h", "Qh 9h Th 2c 3d", Fraction(3, 2)),
    ("Ac Kd", "Qh Jh Tc 2c 3d", 1),
    ("Ac Ad", "Ah Jh Tc 2c 8d", 0),
]


@pytest.mark.parametrize(("player", "board", "pays"), BLIND)
def test_6_6_the_blind_pays_by_the_hand(player, board, pays):
    assert settled(player, "4c 5s", board)["blind"].net == 100 * pays


# -- 7 and 8 Side bets ------------------------------------------------------------------------------


def test_7_1_trips_from_three_of_a_kind_whatever_the_dealer_has():
    assert settled("9c 9d", "Jc Jd", **WAGERS, trips=100)["trips"].net == 300
    assert settled("Jc 9d", "3h 5s", **WAGERS, trips=100)["trips"].net == -100


@pytest.mark.parametrize(("table", "full_house"), [("1", 9), ("2", 8), ("3", 8), ("4", 7)])
def test_7_2_trips_pays_by_its_table(table, full_house):
    game = GAME.with_options({"trips": table})
    hands = ("9c 9d", "4c 5s", "9h Ts Th 2c 3d")
    assert settled(*hands, game=game, **WAGERS, trips=100)["trips"].net == 100 * full_house


def bad_beat(player, dealer, board=PLAIN):
    return settled(player, dealer, board, ante=100, blind=100, bad_beat=100)["bad-beat"].net


def test_8_1_bad_beat_by_the_hand_that_loses():
    assert bad_beat("9c 9d", "Jc Jd") == bad_beat("Jc Jd", "9c 9d") == 900
    assert bad_beat("Ac Ad", "9c 9d") == -100  # a pair loses
    assert bad_beat("Ac Ad", "3h 3s") == -100


def test_8_2_equal_hands_are_no_bad_beat():
    assert bad_beat("2h 3c", "4c 6d", "As Ks Qs Js Ts") == -100


BEATS = [
    ("9h 8h", "Ah Kh", "Qh Jh Th 2c 3d", 7500),
    ("9h 9c", "Th Td", "9d 9s Ts Tc 5c", 500),
    ("9h 9c", "Th 4d", "9d Ts Td 4c 5c", 50),
    ("9h 8h", "Ah Qh", "2h 3h Th Jc 5c", 30),
    ("9h 8c", "Ac 3c", "7h 6s 5c Jc Kc", 20),
]


@pytest.mark.parametrize(("player", "dealer", "board", "pays"), BEATS)
def test_8_3_bad_beat_pays_by_its_table(player, dealer, board, pays):
    assert bad_beat(player, dealer, board) == 100 * pays


# -- 9 Settling -------------------------------------------------------------------------------------


def test_9_1_from_right_to_left():
    told = course(GAME, FIRST, [WAGERS, WAGERS], ["raise-4x", "raise-3x"])
    assert [event[0] for event in told[-6:]] == [*"222111"]


def test_9_2_wagers_in_order():
    settlement = settled("Ac Ad", "3h 3s", **WAGERS, trips=100, bad_beat=100)
    assert [wager.spot.name for wager in settlement.wagers] == ["play", "ante", "blind", "trips", "bad-beat"]


def test_9_3_each_wager_once_with_its_hands():
    for wager in settled("Ac Ad", "3h 3s", ante=100, blind=100, trips=100).wagers:
        assert wager.outcome
        assert "Pair of Aces" in wager.why


def test_9_4_a_fold_is_collected_at_once():
    choices = ["check", "check", "check", "check", "fold", "raise-1x"]
    steps = course(GAME, FIRST, [ALL, ALL], choices)
    assert is_before(steps, "1 fold", "1 ante -100", "1 blind -100", "2 raise-1x")
    assert is_before(steps, "2 raise-1x", "1 trips -100")
    loses = course(LOSES, FIRST, [ALL, ALL], choices)
    assert is_before(loses, "1 fold", "1 trips -100", "2 raise-1x", "1 bad-beat -100")


# -- 10 Irregularities ------------------------------------------------------------------------------


def test_10_1_a_wrong_number_of_cards_voids_the_round():
    assert "instead of" in deal(WAGERS).count_hands([3], 5, 2).void


def test_10_2_open_wagers_are_refunded():
    void = deal(ALL, WAGERS).choose(0, "raise-4x").declare_void("a card too many")
    paid = [wager for _, settlement in void.settling for wager in settlement.wagers]
    assert {wager.result for wager in paid} == {"refund"}
    assert sum(wager.staked for wager in paid) == 400 + 400 + 200


def test_10_3_no_further_choice():
    assert deal(WAGERS).declare_void("a card too many").turn is None


def test_10_4_a_card_seen_too_early():
    check_card_seen_too_early(GAME)


def test_10_5_a_card_out_of_turn():
    check_card_out_of_turn(GAME)


def test_10_6_a_wrong_payment():
    check_wrong_payment(GAME)


def test_10_7_what_was_settled_stays_settled():
    dealt = deal(WAGERS, WAGERS)
    for choice in ("check", "check", "check", "check", "fold"):
        dealt = dealt.choose(dealt.turn, choice)
    check_settled_stays(dealt, "10.7")


def test_10_8_the_guide_comes_first():
    check_guide_first(GAME, "10.8")


def test_10_9_replaced_after_continual_faults():
    check_continual(GAME, "10.9")


def test_10_10_seven_steps():
    check_seven_steps(GAME, "10.10")


def test_10_11_or_the_venues_own_procedure():
    check_local_procedure(GAME, "10.11")
