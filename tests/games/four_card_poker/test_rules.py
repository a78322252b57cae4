"""Four Card Poker, clause by clause: docs/rules/four-card-poker.md."""

from pathlib import Path

import numpy as np
import pytest

from feltlab.core.cards import FACE_DOWN, cards
from feltlab.core.deal import Deal
from feltlab.core.hands import four_card
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.rule_text import RuleText
from tests.support.procedures import course, is_before

GAME = GAMES["four-card-poker"]
SHEET = Path(__file__).parents[3] / "docs/rules/four-card-poker.md"
LOW = "2c 4d 6h 8s Tc Qh"  # queen high for the dealer
PAIR = "Ks Kd 9h 5c 3d"
ANTE = {"ante": 100}
BOTH = {"ante": 100, "aces-up": 100}


def settled(player, dealer=LOW, choice="play-1x", game=GAME, **wagers):
    """The settlement of one hand; the Ante is 100 cents unless wagers are given."""
    round = Round.of(game, player, dealer, **(wagers or ANTE))
    return (round if round.over else round.choose(choice)).settlement


def nets(player, dealer=LOW, choice="play-1x"):
    """What Play and Ante net."""
    settlement = settled(player, dealer, choice)
    return settlement["play"].net, settlement["ante"].net


def aces_up(player, table="1"):
    game = GAME.with_options({"aces-up": table})
    return settled(player, game=game, aces_up=100)["aces-up"].net


def strength(hand):
    return four_card.strength(four_card.tables(), np.array(cards(hand), np.uint8))


def is_falling(*hands):
    found = [strength(hand) for hand in hands]
    return found == sorted(found, reverse=True) and len(set(found)) == len(found)


def deal(*wagers, first=""):
    top = cards(first)
    shoe = cards((*top, *(card for card in GAME.deck.cards if card not in top)))
    return Deal.start(GAME, shoe, wagers)


def table_of(clause):
    """The pay table below a clause of the rule sheet: (hand, name of the table, units paid to 1)."""
    below = RuleText(GAME).render(SHEET.read_text().split(f"**{clause}**")[1].split("\n## ")[0])
    lines = [line.strip("| ").split(" | ") for line in below.splitlines() if line.startswith("| ")]
    (_, *columns), *rows = lines
    for hand, *cells in rows:
        for column, cell in zip(columns, cells, strict=True):
            yield hand, column, int(cell.removesuffix(" to 1"))


# -- 1 Cards and deck -------------------------------------------------------------------------------


def test_1_1_fifty_two_cards():
    assert sorted(GAME.deck.cards) == list(range(52))


def test_1_2_a_fresh_deck_every_round():
    assert GAME.behind_cut == 52  # so nothing is left to deal a second round from


# -- 2 Hands ----------------------------------------------------------------------------------------

HANDS = {
    "Four of a Kind": "3c 3d 3h 3s 5c",
    "Straight Flush": "9s 7s 6s 5s 4s",
    "Three of a Kind": "3c 3d 3h 7s 5c",
    "Flush": "Ks 9s 7s 5s 3d",
    "Straight": "Kc Qd Jh Ts 3s",
    "Two Pair": "5c 5d 3h 3s 9c",
    "Pair": "3c 3d 5h 7s 9c",
    "High Card": "Ac Jd 9h 7s 3c",
}


def test_2_1_eight_kinds_in_order():
    names = [four_card.CATEGORIES[strength(hand) >> 12] for hand in HANDS.values()]
    assert names == list(HANDS)
    assert is_falling(*HANDS.values())
    sheet = SHEET.read_text().split("**2.1**")[1].splitlines()[0]
    assert sheet.split("from the best: ")[1] == f"{', '.join(HANDS)}."


def test_2_2_the_best_four_count():
    assert strength("Ks 9s 7s 5s Ad") == strength("Kc 9c 7c 5c 2d 3h")
    assert four_card.read(cards("2c 3d 4h 5s Kc Kd")).name == "Straight, Five high"


def test_2_3_ranks_then_kickers():
    assert is_falling("Ac Ad Kh 9s 2c", "Ah As Kc 8d 2d", "Ac Ad Qh Js 2c", "Kc Kd Ah Qs 2c")
    assert is_falling("Ac Jd 9h 7s 2c", "Ac Jd 9h 6s 2c")


def test_2_4_suits_do_not_matter_nor_a_fifth_card():
    assert strength("Ac Ad Kh 9s 2c") == strength("Ah As Kc 9d 3d")


def test_2_5_ace_to_four_is_the_lowest_straight():
    assert is_falling("5c 4d 3h 2s 9c", "Ac 4d 3h 2s 9c", "Ac Ad Kh Ks 9c")
    assert four_card.read(cards("Kc Ad 2h 3s 7c")).name == "Ace high"


# -- 3 Wagers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("placed", [("ante",), ("aces-up",), ("ante", "aces-up")])
def test_3_1_one_wager_or_both(placed):
    assert tuple(deal(dict.fromkeys(placed, 100)).rounds[0].wagers) == placed
    with pytest.raises(Refused, match="No wager is placed"):
        Round.of(GAME, PAIR, LOW)


def test_3_2_amounts_may_differ():
    settlement = settled(PAIR, ante=300, aces_up=500)
    assert (settlement["ante"].staked, settlement["aces-up"].staked) == (300, 500)


def test_3_3_multiples_of_a_cent():
    assert settled(PAIR, ante=1, aces_up=1).net == 1 + 1 - 1
    for cents in (0, -100, 1.5, True):
        with pytest.raises(Refused):
            GAME.check_wagers({"ante": cents})


def test_3_4_at_most_seven_seats():
    seven = deal(*[ANTE] * 7)
    assert len(seven.shoe) - len(seven.rest) == 41
    with pytest.raises(Refused, match="at most 7"):
        deal(*[ANTE] * 8)


def test_3_5_one_seat_a_player():
    with pytest.raises(Refused, match="only one seat"):
        Deal(GAME, GAME.deck.cards, (Seat(ANTE, player="Ann"), Seat(ANTE, player="Ann")))


# -- 4 The deal -------------------------------------------------------------------------------------


def test_4_1_no_more_bets():
    assert deal(ANTE).calls == ("No more bets.",)


def test_4_2_five_cards_to_each_seat_and_six_to_the_dealer():
    dealt = deal(ANTE, ANTE, first="2c 3c 4c 5c 6c 2d 3d 4d 5d 6d 2h 3h 4h 5h 6h 8s")
    dealt = dealt.choose(0, "play-1x").choose(1, "play-1x")
    assert [round.view.player for round in dealt.rounds] == [cards("2c 3c 4c 5c 6c"), cards("2d 3d 4d 5d 6d")]
    assert {round.view.dealer for round in dealt.rounds} == {cards("2h 3h 4h 5h 6h 8s")}


def test_4_3_the_dealers_first_card_is_up():
    assert Round.of(GAME, PAIR, LOW, **ANTE).view.dealer[0] == cards("2c")[0]


def test_4_4_the_other_five_stay_down_until_the_last_choice():
    dealt = deal(ANTE, ANTE).choose(0, "play-1x")
    for round in dealt.rounds:
        assert round.view.dealer[1:] == (FACE_DOWN,) * 5


def test_4_5_players_see_their_own_cards_only():
    assert Round.of(GAME, PAIR, LOW, **ANTE).view.player == cards(PAIR)


def test_4_6_other_cards_are_out_of_play():
    dealt = deal(ANTE).choose(0, "play-1x")
    assert len(dealt.dealt) == 11
    assert dealt.over


# -- 5 The choice -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "staked"), [("play-1x", 300), ("play-2x", 600), ("play-3x", 900)])
def test_5_1_fold_or_play_once_to_three_times_the_ante(choice, staked):
    round = Round.of(GAME, PAIR, LOW, ante=300)
    assert set(round.choices) == {"fold", "play-1x", "play-2x", "play-3x"}
    assert round.choose(choice).settlement["play"].staked == staked
    assert Round.of(GAME, PAIR, LOW, aces_up=100).choices == ()


def test_5_2_a_fold_loses_the_ante():
    settlement = settled("3c 3d 3h 3s 5c", choice="fold")
    assert settlement["ante"].net == settlement.net == -100


def test_5_3_aces_up_stays_in_action():
    settlement = settled("Ac Ad 9h 7s 3c", choice="fold", **BOTH)
    assert (settlement["ante"].net, settlement["aces-up"].net) == (-100, 100)


def test_5_4_a_choice_is_made_once():
    with pytest.raises(Refused):
        Round.of(GAME, PAIR, LOW, **ANTE).choose("fold").choose("play-1x")


def test_5_5_seats_choose_from_left_to_right():
    dealt = deal(ANTE, ANTE)
    with pytest.raises(Refused, match="turn of position 1"):
        dealt.choose(1, "fold")
    assert dealt.choose(0, "fold").turn == 1


# -- 6 Ante and Play --------------------------------------------------------------------------------


def test_6_1_the_dealer_needs_no_hand():
    assert nets("Kc Jd 9h 7s 3c", "2c 3d 4h 6s 8c 9d") == (100, 100)


def test_6_2_a_better_or_equal_hand_wins():
    assert nets(PAIR) == (100, 100)
    assert nets(PAIR, choice="play-3x") == (300, 100)
    assert nets(PAIR, "Kh Kc 9s 5d 2h 4s") == (100, 100)  # K-K-9-5 on both sides


def test_6_3_a_worse_hand_loses():
    assert nets(PAIR, "Ah Ac 9s 5d 2h 4s", "play-2x") == (-200, -100)
    assert nets(PAIR, "Kh Kc 9s 6d 2h 4s") == (-100, -100)


def test_6_4_a_bonus_also_when_the_dealer_is_better():
    settlement = settled("3c 3d 3h 7s 5c", "4c 4d 4h 8s Tc Qd", "play-3x")
    assert (settlement["ante"].net, settlement["bonus"].net) == (-100, 200)
    folded = settled("3c 3d 3h 7s 5c", choice="fold")
    assert folded.net == -100
    assert settled("Ks 9s 7s 5s 3d")["bonus"].net == 0  # a flush


def test_6_5_the_bonus_pays_by_the_players_hand():
    rows = list(table_of("6.5"))
    assert len(rows) == 3
    for hand, _, pays in rows:
        assert settled(HANDS[hand])["bonus"].net == 100 * pays


# -- 7 Aces Up --------------------------------------------------------------------------------------


def test_7_1_a_pair_of_aces_or_better():
    assert aces_up("Ac Ad 9h 7s 3c") == 100
    assert aces_up("Kc Kd Ah Qs 9c") == -100
    assert aces_up("Ac Ad 9h 7s 3c", "2") == 100


def test_7_2_six_tables():
    rows = list(table_of("7.2"))
    assert {table for _, table, _ in rows} == {*"123456"}
    for hand, table, pays in rows:
        held = "Ac Ad 9h 7s 3c" if hand == "pair of Aces" else HANDS[hand]
        assert aces_up(held, table) == 100 * pays, (hand, table)
    assert GAME.options["aces-up"] == "1"


# -- 8 Settling -------------------------------------------------------------------------------------


def test_8_1_seats_are_settled_from_right_to_left():
    dealt = deal(ANTE, {"aces-up": 100}, ANTE).choose(0, "play-1x").choose(2, "play-1x")
    assert [seat for seat, _ in dealt.settling] == [2, 1, 0]


def test_8_2_play_ante_bonus_aces_up():
    order = [wager.spot.name for wager in settled("3c 3d 3h 7s 5c", **BOTH).wagers]
    assert order == ["play", "ante", "bonus", "aces-up"]


def test_8_3_every_wager_ends_once_with_its_outcome():
    found = settled("3c 3d 3h 7s 5c", choice="play-3x", **BOTH)
    assert [(wager.spot.name, wager.result, wager.outcome) for wager in found.wagers] == [
        ("play", "win", "better or equal hand"),
        ("ante", "win", "better or equal hand"),
        ("bonus", "win", "Three of a Kind"),
        ("aces-up", "win", "Three of a Kind"),
    ]
    assert found.net == 300 + 100 + 200 + 900


def test_8_4_a_fold_is_collected_at_once():
    told = course(GAME, "", [BOTH, BOTH], ["fold", "play-1x"])
    assert is_before(told, "1 fold", "1 ante -100", "2 play-1x")


# -- The sheet and the options ----------------------------------------------------------------------


def test_every_option_is_on_the_sheet():
    sheet = SHEET.read_text()
    assert all(f"`{option.name}`" in sheet for option in GAME.rules.OPTIONS)
