"""DJ Wild Stud Poker, clause by clause: docs/rules/dj-wild.md."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from feltlab.core.cards import FACE_DOWN, cards
from feltlab.core.deal import Deal
from feltlab.core.hands import wild
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support.procedures import course, is_before

GAME = GAMES["dj-wild"]
SHEET = Path(__file__).parents[3] / "docs/rules/dj-wild.md"
BOTH = {"ante": 100, "blind": 100}
LOW = "3c 4d 6h 8s 9c"  # nine high
PAIR = "Ks Kd 9h 6c 3d"


def settled(player, dealer=LOW, choice="play", **wagers):
    """The settlement of one hand; Ante and Blind are 100 cents unless wagers are given."""
    return Round.of(GAME, player, dealer, **(wagers or BOTH)).choose(choice).settlement


def nets(player, dealer=LOW, choice="play"):
    """What Play, Ante and Blind net."""
    settlement = settled(player, dealer, choice)
    return tuple(settlement[spot].net for spot in ("play", "ante", "blind"))


def strength(hand):
    return wild.strength(wild.tables(), np.array(cards(hand), np.uint8))


def is_falling(*hands):
    found = [strength(hand) for hand in hands]
    return found == sorted(found, reverse=True) and len(set(found)) == len(found)


def deal(*wagers, first=""):
    top = cards(first)
    shoe = cards((*top, *(card for card in GAME.deck.cards if card not in top)))
    return Deal.start(GAME, shoe, wagers)


# -- 1 Cards and deck -------------------------------------------------------------------------------


def test_1_1_fifty_two_cards_and_a_joker():
    assert sorted(GAME.deck.cards) == list(range(53))


def test_1_2_a_fresh_deck_every_round():
    assert GAME.behind_cut == 53  # so nothing is left to deal a second round from


# -- 2 Hands ----------------------------------------------------------------------------------------

HANDS = {
    "Five Wilds": "2c 2d 2h 2s Jk",
    "Royal Flush": "Ah Kh Qh Jh 2c",
    "Five of a Kind": "3c 3d 3h 2s Jk",
    "Straight Flush": "5h 4h 3h 2s Ah",
    "Four of a Kind": "3c 3d 3h Jk 4c",
    "Full House": "3c 3d 4h 4s Jk",
    "Flush": "3h 4h 5h 9h Jk",
    "Straight": "Ac 3d 4h 5s Jk",
    "Three of a Kind": "3c 4d 9h 2s Jk",
    "Two Pair": "3c 3d 4h 4s 5c",
    "Pair": "3c 4d 5h 9s Jk",
    "High Card": "3c 4d 5h 6s Tc",
}


@pytest.mark.parametrize("card", ["2c", "2d", "2h", "2s", "Jk"])
def test_2_1_deuces_and_the_joker_stand_for_any_card(card):
    assert wild.read(cards(f"Ks Qs Js Ts {card}")).name == "Royal Flush"
    assert wild.read(cards(f"Ks Kd Kh 9s {card}")).name == "Four of a Kind, Kings"


def test_2_2_twelve_kinds_in_order():
    assert [wild.read(cards(hand)).category for hand in HANDS.values()] == list(HANDS)
    assert is_falling(*HANDS.values())
    sheet = SHEET.read_text().split("**2.2**")[1].splitlines()[0]
    assert sheet.split("from the best: ")[1] == f"{', '.join(HANDS)}."


def test_2_3_the_best_reading_counts():
    assert wild.read(cards("2c 2d 2h 2s Th")).name == "Royal Flush"
    assert wild.read(cards("2c 2d 2h 2s 9h")).name == "Five of a Kind, Nines"
    assert wild.read(cards("2c Kd Ks 7c 7h")).name == "Full House, Kings over Sevens"


def test_2_4_ranks_then_natural_kickers_and_equal_royal_flushes():
    assert is_falling("Ac 2d 9h 6s 3c", "Ac Ad 8h 6s 3c", "Ac Ad 8h 5s 3c", "Kc 2d Qh 9s 8c")
    assert strength("2c 2d 2h 2s Ah") == strength("Kc Qc Jc Tc Jk")
    assert strength("Ac 2d 9h 6s 3c") == strength("Ah As 9c 6d 3h")


def test_2_5_wild_cards_in_a_flush_are_the_highest_ranks_missing():
    assert strength("2c Kh 9h 8h 4h") == strength("Ac Kc 9c 8c 4c")
    assert strength("2c Jk 9h 8h 4h") == strength("Ac Kc 9c 8c 4c")
    assert strength("2c Ah 9h 8h 4h") == strength("Ac Kc 9c 8c 4c")  # no ace twice


def test_2_6_ace_to_five_is_the_lowest_straight():
    assert is_falling("4c 5d 6h 7s 8c", "3c 4d 5h 6s 7c", "Ac 2d 3h 4s 5c")
    assert strength("Ac 2d 3h 4s 5c") == wild.STRAIGHT << 12  # the first of the straights
    assert wild.read(cards("Qd Kh As 3c 4d")).name == "Ace high"


# -- 3 Wagers ---------------------------------------------------------------------------------------


def test_3_1_ante_and_blind_are_required_and_equal():
    GAME.check_wagers(BOTH)
    for wagers in ({"ante": 100}, {"blind": 100}, {"ante": 100, "blind": 200}):
        with pytest.raises(Refused):
            GAME.check_wagers(wagers)


def test_3_2_no_other_first_wager():
    with pytest.raises(Refused, match="not a wager of DJ Wild Stud Poker"):
        GAME.check_wagers({**BOTH, "trips": 100})


def test_3_3_multiples_of_a_cent():
    assert settled(PAIR, ante=1, blind=1).net == 2 + 1
    for cents in (0, -100, 1.5, True):
        with pytest.raises(Refused):
            GAME.check_wagers({"ante": cents, "blind": cents})


def test_3_4_at_most_seven_seats():
    seven = deal(*[BOTH] * 7)
    assert len(seven.shoe) - len(seven.rest) == 40
    with pytest.raises(Refused, match="at most 7"):
        deal(*[BOTH] * 8)


def test_3_5_one_seat_a_player():
    with pytest.raises(Refused, match="only one seat"):
        Deal(GAME, GAME.deck.cards, (Seat(BOTH, player="Ann"), Seat(BOTH, player="Ann")))


# -- 4 The deal -------------------------------------------------------------------------------------


def test_4_1_no_more_bets():
    assert deal(BOTH).calls == ("No more bets.",)


def test_4_2_packets_of_five_and_the_dealer_last():
    dealt = deal(BOTH, BOTH, first="3c 4c 5c 6c 7c 3d 4d 5d 6d 7d 3h 4h 5h 6h 8h")
    dealt = dealt.choose(0, "play").choose(1, "play")
    assert [round.view.player for round in dealt.rounds] == [cards("3c 4c 5c 6c 7c"), cards("3d 4d 5d 6d 7d")]
    assert {round.view.dealer for round in dealt.rounds} == {cards("3h 4h 5h 6h 8h")}


def test_4_3_the_dealers_cards_stay_down_until_the_last_choice():
    dealt = deal(BOTH, BOTH).choose(0, "play")
    assert {round.view.dealer for round in dealt.rounds} == {(FACE_DOWN,) * 5}


def test_4_4_players_see_their_own_cards_only():
    view = Round.of(GAME, PAIR, LOW, **BOTH).view
    assert (view.player, view.dealer) == (cards(PAIR), (FACE_DOWN,) * 5)


def test_4_5_other_cards_are_out_of_play():
    dealt = deal(BOTH).choose(0, "play")
    assert len(dealt.dealt) == 10
    assert dealt.over


# -- 5 The choice -----------------------------------------------------------------------------------


def test_5_1_play_or_fold():
    assert Round.of(GAME, PAIR, LOW, **BOTH).choices == ("play", "fold")


def test_5_2_play_is_twice_the_ante():
    assert GAME.spot("play").size == Fraction(2)
    assert settled(PAIR, ante=300, blind=300)["play"].staked == 600


def test_5_3_a_fold_loses_ante_and_blind():
    settlement = settled("2c 2d 2h 2s Jk", LOW, "fold")
    assert {wager.spot.name: wager.net for wager in settlement.wagers} == {"ante": -100, "blind": -100}


def test_5_4_a_choice_is_made_once():
    with pytest.raises(Refused):
        Round.of(GAME, PAIR, LOW, **BOTH).choose("fold").choose("play")


def test_5_5_seats_choose_from_left_to_right():
    dealt = deal(BOTH, BOTH)
    with pytest.raises(Refused, match="turn of position 1"):
        dealt.choose(1, "play")
    assert dealt.choose(0, "play").turn == 1


# -- 6 Play, Ante and Blind -------------------------------------------------------------------------


def test_6_1_the_dealer_needs_no_hand():
    assert nets("Tc 8d 7h 5s 4c", "9c 7d 6h 4s 3c") == (200, 100, 0)


def test_6_2_a_better_hand_wins():
    assert nets(PAIR) == (200, 100, 0)
    assert nets("7c 6d 5h 4s 3d") == (200, 100, 100)


def test_6_3_a_worse_hand_loses_all_three():
    assert nets(PAIR, "Ac Ad 9s 6d 3h") == nets("7c 6d 5h 4s 3c", "8c 7d 6h 5s 2c") == (-200, -100, -100)


def test_6_4_equal_hands_push():
    assert nets(PAIR, "Kh 2c 9s 6d 3h") == (0, 0, 0)


def test_6_5_the_blind_pays_by_the_players_hand():
    below = SHEET.read_text().split("**6.5**")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in below.splitlines() if " to 1 " in line]
    printed = {hand: int(odds.removesuffix(" to 1").replace(",", "")) for hand, odds in rows}
    blind = {hand: nets(held, "3s 5d 6h 7s 9d")[2] // 100 for hand, held in HANDS.items()}
    assert blind == {hand: printed.get(hand, 0) for hand in HANDS}


# -- 7 Settling -------------------------------------------------------------------------------------


def test_7_1_seats_are_settled_from_right_to_left():
    dealt = deal(BOTH, BOTH, BOTH).choose(0, "play").choose(1, "play").choose(2, "play")
    assert [seat for seat, _ in dealt.settling] == [2, 1, 0]


def test_7_2_play_ante_blind():
    assert [wager.spot.name for wager in settled(PAIR).wagers] == ["play", "ante", "blind"]


def test_7_3_every_wager_ends_once_with_its_outcome():
    outcomes = [(wager.spot.name, wager.result, wager.outcome) for wager in settled("2c Kd Ks 7c 7h").wagers]
    assert outcomes == [
        ("play", "win", "better hand"),
        ("ante", "win", "better hand"),
        ("blind", "win", "Full House"),
    ]


def test_7_4_a_fold_is_collected_at_once():
    told = course(GAME, "3c 4c 5c 6c 8c 3d 4d 5d 6d 8d", [BOTH, BOTH], ["fold", "play"])
    assert is_before(told, "1 fold", "1 ante -100", "1 blind -100", "2 play")
