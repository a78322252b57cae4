"""Triple Shot Rummy, clause by clause: docs/rules/triple-shot-rummy.md."""

from itertools import permutations
from pathlib import Path
from types import SimpleNamespace

import pytest

from feltlab.core.cards import FACE_DOWN, cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.hands import rummy
from feltlab.core.layout import Spot
from feltlab.core.paytable import PayTable, lose, win
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.rule_text import RuleText
from tests.support.irregular import check_card_out_of_turn, check_card_seen_too_early, check_wrong_payment

GAME = GAMES["triple-shot-rummy"]
SHEET = Path(__file__).parents[3] / "docs/rules/triple-shot-rummy.md"

TWENTY = "Jc 7d 3h"  # the dealer just plays
TWENTY_ONE = "Jc 8d 3h"  # the dealer just does not


def settled(player, dealer, choice="play", game=GAME, **wagers):
    """The settlement of one hand; the Ante is 100 cents unless wagers are given."""
    round = Round.of(game, player, dealer, **(wagers or {"ante": 100}))
    return (round if round.over else round.choose(choice)).settlement


def nets(*hands, choice="play"):
    """What the Play and the Ante of 100 cents net."""
    settlement = settled(*hands, choice=choice)
    return settlement["play"].net, settlement["ante"].net


def pair_plus(player, table="1"):
    """What a Pair Plus of 100 cents nets."""
    game = GAME.with_options({"pair-plus": table})
    return settled(player, "9c 8d 2h", game=game, pair_plus=100)["pair-plus"].net


def six_card_bonus(player, dealer, table="1"):
    game = GAME.with_options({"six-card-bonus": table})
    return settled(player, dealer, game=game, six_card_bonus=100)["six-card-bonus"].net


def points(hand):
    return rummy.points(*cards(hand))


def stacked(first):
    """A whole deck that begins with these cards."""
    top = cards(first)
    return cards((*top, *(card for card in GAME.deck.cards if card not in top)))


def deal(*wagers, first="", game=GAME):
    return Deal.start(game, stacked(first), wagers)


def held_by(*players, game=GAME):
    """A deal whose seats are held by these players."""
    return Deal(game, stacked(""), tuple(Seat({"ante": 100}, player=player) for player in players))


def table_of(clause):
    """The pay table below a clause of the rule sheet: (hand, number of the table, units paid to 1)."""
    below = RuleText(GAME).render(SHEET.read_text().split(f"**{clause}**")[1].split("\n**")[0])
    lines = [line.strip("| ").split(" |") for line in below.splitlines() if line.startswith("|")]
    (_, *columns), _, *rows = [[cell.strip() for cell in line] for line in lines]
    for hand, *cells in rows:
        for column, cell in zip(columns, cells, strict=True):
            if cell:
                yield hand, column, int(cell.removesuffix(" to 1").replace(",", ""))


# -- 1 Cards and deck -------------------------------------------------------------------------------


def test_1_1_one_deck_of_52_cards():
    assert sorted(GAME.deck.cards) == list(range(52))
    with pytest.raises(Refused, match="not in this game's deck"):
        Round.of(GAME, "As Ks Jk", TWENTY, ante=100)


def test_1_2_all_cards_are_shuffled_before_every_round():
    assert GAME.behind_cut == 52  # so nothing is left to deal a second round from


# -- 2 Seats ----------------------------------------------------------------------------------------


def test_2_1_at_most_seven_seats():
    seven = deal(*[{"pair-plus": 100}] * 7)
    assert len(seven.shoe) - len(seven.rest) == 24  # 3 cards for each of 7 seats and the dealer
    with pytest.raises(Refused, match="at most 7"):
        deal(*[{"pair-plus": 100}] * 8)


def test_2_2_one_seat_a_player():
    assert held_by("Ann", "Bob")
    with pytest.raises(Refused, match="only one seat"):
        held_by("Ann", "Ann")


TWO_POSITIONS = GAME.with_options({"two-positions": "yes"})


def test_2_3_two_adjacent_seats_where_the_house_allows_it():
    assert held_by("Bob", "Ann", "Ann", "Cid", game=TWO_POSITIONS)


@pytest.mark.parametrize("players", [("Ann", "Bob", "Ann"), ("Ann", "Ann", "Ann")])
def test_2_4_never_seats_apart_nor_three(players):
    with pytest.raises(Refused, match="only if they are adjacent"):
        held_by(*players, game=TWO_POSITIONS)


# -- 3 Wagers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "placed",
    [
        ("ante",),
        ("pair-plus",),
        ("six-card-bonus",),
        ("ante", "pair-plus"),
        ("ante", "six-card-bonus"),
        ("pair-plus", "six-card-bonus"),
        ("ante", "pair-plus", "six-card-bonus"),
    ],
)
def test_3_1_any_one_two_or_three_wagers(placed):
    round = deal(dict.fromkeys(placed, 100)).rounds[0]
    assert tuple(round.wagers) == placed


def test_3_2_no_wager_no_cards():
    with pytest.raises(Refused, match="No wager is placed"):
        Round.of(GAME, "As Ks Qs", TWENTY)


def test_3_3_amounts_may_differ():
    settlement = settled("Kc Kd 5h", TWENTY, ante=300, pair_plus=500, six_card_bonus=700)
    staked = {wager.spot.name: wager.staked for wager in settlement.wagers}
    assert staked == {"play": 300, "ante": 300, "pair-plus": 500, "six-card-bonus": 700}


def test_3_4_the_ante_may_be_mandatory():
    game = GAME.with_options({"ante-mandatory": "yes"})
    with pytest.raises(Refused, match="requires the Ante"):
        Round.of(game, "As Ks Qs", TWENTY, pair_plus=100, six_card_bonus=100)
    assert Round.of(game, "As Ks Qs", TWENTY, ante=100)  # the other two stay optional


def test_3_5_any_whole_number_of_cents_above_zero():
    assert settled("Kc Kd 5h", TWENTY, ante=1).net == 1 + 2  # Ante 1 to 1, Play 2 to 1
    for cents in (0, -100, 1.5, True):
        with pytest.raises(Refused):
            GAME.check_wagers({"ante": cents})


def test_3_6_no_wager_above_ten_billion_dollars():
    most = 10_000_000_000 * 100
    GAME.check_wagers({"ante": most})
    with pytest.raises(Refused, match="at most"):
        GAME.check_wagers({"ante": most + 1})


def with_more_wagers(*names):
    """The game with wagers that it does not have, as a side bet of another maker would add them."""
    table = PayTable("even", (win("win"), lose("lose")))
    more = tuple(Spot(name, name.title(), (table,)) for name in names)
    return Game(SimpleNamespace(**{**vars(GAME.rules), "SPOTS": GAME.spots + more}))


def test_3_7_at_most_four_games_on_one_hand():
    four = {"ante": 100, "pair-plus": 100, "six-card-bonus": 100, "fourth": 100}
    game = with_more_wagers("fourth", "fifth")
    game.check_wagers(four)
    with pytest.raises(Refused, match="at most 4 games"):
        game.check_wagers({**four, "fifth": 100})


def test_3_8_no_other_wager():
    with pytest.raises(Refused, match="not a wager of Triple Shot Rummy"):
        GAME.check_wagers({"ante": 100, "against-seat-2": 100})


# -- 4 Calls and dealing ----------------------------------------------------------------------------

ALL_THREE = {"ante": 100, "pair-plus": 100, "six-card-bonus": 100}


def test_4_1_no_more_bets():
    assert deal(ALL_THREE).calls == ("No more bets.",)


def test_4_2_seats_without_pair_plus_are_named():
    without = {"ante": 100}
    assert deal(ALL_THREE, without).calls[1:] == ("No Pair Plus, position 2.",)
    five = deal(ALL_THREE, without, without, ALL_THREE, without)
    assert five.calls[1:] == ("No Pair Plus, positions 2, 3 and 5.",)


def test_4_3_wagers_stay_as_they_are():
    wagers = {"ante": 100}
    dealt = deal(wagers)
    with pytest.raises(TypeError):
        dealt.rounds[0].wagers["pair-plus"] = 500
    wagers["ante"] = 500
    assert dealt.choose(0, "play").rounds[0].settlement["ante"].staked == 100


def test_4_4_packets_of_three_from_left_to_right_and_the_dealer_last():
    dealt = deal({"ante": 100}, {"pair-plus": 100}, first="2c 3c 4c 5d 6d 7d 8h 9h Th").choose(0, "fold")
    assert [round.view.player for round in dealt.rounds] == [cards("2c 3c 4c"), cards("5d 6d 7d")]
    assert {round.view.dealer for round in dealt.rounds} == {cards("8h 9h Th")}


def test_4_5_players_see_their_own_cards_only():
    view = Round.of(GAME, "As Ks Qs", TWENTY, ante=100).view
    assert view.player == cards("As Ks Qs")
    assert view.dealer == (FACE_DOWN, FACE_DOWN, FACE_DOWN)


def test_4_6_seats_choose_from_left_to_right():
    dealt = deal({"ante": 100}, {"ante": 100})
    with pytest.raises(Refused, match="turn of position 1"):
        dealt.choose(1, "play")
    dealt = dealt.choose(0, "play")
    assert dealt.turn == 1
    assert dealt.choose(1, "fold").over


@pytest.mark.parametrize("first_seat", [{"ante": 100}, {"pair-plus": 100}])
def test_4_7_the_dealers_cards_stay_down_until_the_last_choice(first_seat):
    dealt = deal(first_seat, {"ante": 100})
    if dealt.turn == 0:
        dealt = dealt.choose(0, "play")
    assert dealt.turn == 1
    for round in dealt.rounds:  # a neighbour could tell what it sees
        assert round.view.dealer == (FACE_DOWN, FACE_DOWN, FACE_DOWN)


# -- 5 Points ---------------------------------------------------------------------------------------


def test_5_1_an_ace_counts_one():
    assert points("Ac 4d 9h") == 1 + 4 + 9


def test_5_2_two_to_nine_count_their_face():
    # With an ace and a card of another suit far from it, so that nothing melds.
    for face in range(2, 10):
        assert points(f"Ac {face}d Kh") == 1 + face + 10


def test_5_3_ten_to_king_count_ten():
    for rank in "TJQK":
        assert points(f"Ac {rank}d 4h") == 1 + 10 + 4


def test_5_4_a_pair_counts_nothing():
    assert points("Kc Kd 7h") == 7
    assert points("7h Kc Kd") == 7
    assert points("Kc 7h Kd") == 7


def test_5_5_a_triple_counts_nothing():
    assert points("Kc Kd Kh") == 0


def test_5_6_a_run_of_two_counts_nothing():
    assert points("8c 9c Kh") == 10
    assert points("9c Kh 8c") == 10
    assert points("Kh 8c 9c") == 10
    assert points("7c 9c Kh") == 7 + 9 + 10  # a gap is no run


def test_5_7_a_run_of_three_counts_nothing():
    assert points("8c Tc 9c") == 0


def test_5_8_a_run_is_in_one_suit():
    assert points("8c 9d Kh") == 8 + 9 + 10
    assert points("8c 9c Td") == 10


def test_5_9_the_ace_is_low_in_runs():
    assert points("Ac 2c 9h") == 9
    assert points("Ac 2c 3c") == 0
    assert points("Kc Ac 9h") == 10 + 1 + 9
    assert points("Qc Kc Ac") == 1  # the run of queen and king, and the ace


def test_5_10_ten_to_king_follow_each_other():
    for run in ("9c Tc", "Tc Jc", "Jc Qc", "Qc Kc"):
        assert points(f"{run} 5h") == 5
    assert points("Tc Qc 5h") == 10 + 10 + 5


def test_5_11_the_reading_with_the_fewest_points_holds():
    for hand, fewest in [
        ("5s 6s 5d", 5),  # as a pair it would leave the six
        ("6s 5s 6d", 5),  # as a run it would leave a six
        ("As 2s 2d", 1),  # as a run it would leave a two
    ]:
        for order in permutations(hand.split()):
            assert points(" ".join(order)) == fewest


def test_5_12_from_0_to_30_points():
    deck = range(52)
    found = {rummy.points(a, b, c) for a in deck for b in range(a) for c in range(b)}
    assert (min(found), max(found)) == (0, 30)
    assert points("Kc Qd Jh") == 30


# -- 6 The choice -----------------------------------------------------------------------------------


def test_6_1_play_or_fold_once():
    round = Round.of(GAME, "Kc Kd 5h", TWENTY, ante=100)
    assert round.choices == ("play", "fold")
    assert round.choose("play").choices == round.choose("fold").choices == ()


def test_6_2_the_play_equals_the_ante():
    round = Round.of(GAME, "Kc Kd 5h", TWENTY, ante=700, pair_plus=100)
    assert round.cost("play") == 700
    assert round.choose("play").settlement["play"].staked == 700


@pytest.mark.parametrize("dealer", [TWENTY, TWENTY_ONE])
def test_6_3_a_fold_loses_the_ante(dealer):
    settlement = settled("Kc Kd Kh", dealer, "fold")
    assert [(wager.spot.name, wager.outcome) for wager in settlement.wagers] == [("ante", "fold")]
    assert settlement.net == -100


def test_6_4_pair_plus_stays_on_a_fold():
    settlement = settled("Kc Kd 5h", TWENTY, "fold", ante=100, pair_plus=100)
    assert settlement["pair-plus"].net == 100  # a pair pays 1 to 1


def test_6_5_six_card_bonus_stays_on_a_fold():
    settlement = settled("Kc Kd 5h", "Kh 9c 2d", "fold", ante=100, six_card_bonus=100)
    assert settlement["six-card-bonus"].net == 500  # three kings pay 5 to 1


def test_6_6_without_an_ante_nothing_is_chosen():
    dealt = deal({"pair-plus": 100, "six-card-bonus": 100}, first="Kc Kd 5h Kh 9c 2d")
    assert dealt.over
    assert dealt.rounds[0].settlement.net == 100 + 500  # a pair; three kings
    with pytest.raises(Refused, match="no choice is open"):
        dealt.choose(0, "play")


# -- 7 Against the dealer ---------------------------------------------------------------------------


def test_7_1_the_dealer_plays_with_20():
    player = "Kc Kd 5h"
    assert settled(player, TWENTY)["ante"].outcome == "fewer points"
    assert settled(player, TWENTY_ONE)["ante"].outcome == "dealer does not play"
    assert settled(player, "Qc Jd Th")["ante"].outcome == "dealer does not play"


def test_7_2_a_dealer_who_does_not_play_pays_the_ante_only():
    settlement = settled("Kc Kd Kh", TWENTY_ONE)  # 0 points, yet the Play only pushes
    assert (settlement["play"].net, settlement["play"].result) == (0, "push")
    assert (settlement["ante"].net, settlement["ante"].result) == (100, "win")


@pytest.mark.parametrize("player", ["Kc Kd Kh", "9c 9d Kh", "9c 8h 4d", "Kc Qd Jh"])  # 0, 10, 21, 30 points
def test_7_3_then_the_players_points_do_not_matter(player):
    assert nets(player, TWENTY_ONE) == (0, 100)


@pytest.mark.parametrize("player", ["Kc Kd Kh", "Kc Kd 5h", "9c 8d 2h"])  # 0, 5 and 19 points
def test_7_4_fewer_points_pay_the_ante_1_to_1(player):
    assert settled(player, TWENTY)["ante"].net == 100


# The lowest and the highest points of each line.
WINNING = {
    "0": ["Kc Kd Kh"],
    "1 to 5": ["Kc Kd Ah", "Kc Kd 5h"],
    "6 to 19": ["Kc Kd 6h", "9c 8d 2h"],
}


def test_7_5_fewer_points_pay_the_play_by_the_table():
    assert {line for line, _, _ in table_of("7.5")} == set(WINNING)
    for line, _, pays in table_of("7.5"):
        for player in WINNING[line]:
            assert settled(player, TWENTY)["play"].net == 100 * pays


@pytest.mark.parametrize(("player", "dealer"), [("9c 8h 4d", TWENTY), ("Kc Kd Ah", "Qc Qd Qh")])
def test_7_6_more_points_lose_both(player, dealer):
    assert nets(player, dealer) == (-100, -100)


@pytest.mark.parametrize(
    ("player", "dealer"),
    [
        ("9c 8d 3s", TWENTY),  # 20 and 20
        ("Kc Kd 5h", "5s 6s 5d"),  # a pair and a run, 5 and 5
        ("Kc Kd Kh", "2c 2d 2h"),  # 0 and 0
    ],
)
def test_7_7_equal_points_push_both(player, dealer):
    settlement = settled(player, dealer)
    assert [wager.result for wager in settlement.wagers] == ["push", "push"]
    assert settlement.net == 0


# -- 8 Pair Plus ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", ["Qc Qd Qh", TWENTY, TWENTY_ONE])
def test_8_1_a_pair_or_better_wins_whatever_the_dealer_holds(dealer):
    assert settled("2s 2h 9c", dealer, pair_plus=100).net == 100
    assert settled("As Kh 9c", dealer, pair_plus=100).net == -100


def test_8_2_the_highest_line_is_paid_and_no_other():
    settlement = settled("Ks Qs Js", TWENTY, pair_plus=100)  # a straight and a flush as well
    assert [wager.outcome for wager in settlement.wagers] == ["Straight Flush"]
    assert settlement.net == 40 * 100


def test_8_3_the_ace_is_high_or_low_in_a_straight():
    assert pair_plus("Ac Kd Qs") == 600
    assert pair_plus("Ac 2d 3s") == 600
    assert pair_plus("Kc Ad 2s") == -100


def test_8_4_a_royal_flush_is_ace_king_queen():
    assert pair_plus("Qs As Ks", table="4") == 50 * 100
    assert pair_plus("Ks Qs Js", table="4") == 40 * 100
    assert pair_plus("As 2s 3s", table="4") == 40 * 100


THREE_CARDS = {
    "Royal Flush": "As Ks Qs",
    "Straight Flush": "7s 6s 5s",
    "Three of a Kind": "7c 7d 7h",
    "Straight": "7c 6d 5h",
    "Flush": "Ks 7s 5s",
    "Pair": "7c 7d 5h",
}


def test_8_5_six_tables():
    rows = list(table_of("8.5"))
    assert {hand for hand, _, _ in rows} == set(THREE_CARDS)
    for hand, table, pays in rows:
        assert pair_plus(THREE_CARDS[hand], table) == 100 * pays, (hand, table)
    assert GAME.options["pair-plus"] == "1"


@pytest.mark.parametrize("table", ["1", "2", "3"])
def test_8_6_without_its_line_a_royal_flush_is_a_straight_flush(table):
    assert pair_plus("As Ks Qs", table) == pair_plus("Ks Qs Js", table) == 40 * 100
    printed = GAME.with_options({"pair-plus": table}).pay_table(GAME.spot("pair-plus"))
    assert "Royal Flush" not in [line.outcome for line in printed.lines if line.listed]


# -- 9 6 Card Bonus ---------------------------------------------------------------------------------


def test_9_1_the_best_five_of_both_hands():
    assert six_card_bonus("As Ks Qs", "Js Ts 2c") == 1000 * 100  # the two is left out
    assert six_card_bonus("As Ks 2c", "Qs Js Ts") == 1000 * 100
    assert six_card_bonus("Kc Kd Kh", "2c 2d 2h") == 25 * 100  # two triples make a full house


def test_9_2_three_of_a_kind_or_better_wins():
    assert six_card_bonus("2c 2d 4h", "2h 9c Kd") == 500
    assert six_card_bonus("Ac Ad Kh", "Kc 9c 4d") == -100  # two pairs, the highest


@pytest.mark.parametrize(("dealer", "plays"), [("Kh 9c Jd", False), ("Kh 9c Ad", True)])  # 29 and 20 points
def test_9_3_settled_whether_the_dealer_plays_or_not(dealer, plays):
    settlement = settled("Kc Kd 5h", dealer, ante=100, six_card_bonus=100)
    assert (settlement["ante"].outcome != "dealer does not play") == plays
    assert settlement["six-card-bonus"].net == 500  # three kings


SIX_CARDS = {
    "Royal Flush": ("As Ks Qs", "Js Ts 2c"),
    "Straight Flush": ("Ks Qs Js", "Ts 9s 2c"),
    "Four of a Kind": ("Kc Kd Kh", "Ks 2c 3d"),
    "Full House": ("Kc Kd Kh", "2s 2c 7d"),
    "Flush": ("Ks 9s 7s", "4s 2s 3d"),
    "Straight": ("Kc Qd Jh", "Ts 9c 2d"),
    "Three of a Kind": ("Kc Kd 2h", "Ks 7c 4d"),
}


def test_9_4_four_tables():
    rows = list(table_of("9.4"))
    assert {hand for hand, _, _ in rows} == set(SIX_CARDS)
    for hand, table, pays in rows:
        assert six_card_bonus(*SIX_CARDS[hand], table) == 100 * pays, (hand, table)
    assert GAME.options["six-card-bonus"] == "1"


# -- 10 Settling ------------------------------------------------------------------------------------


def test_10_1_nothing_is_settled_before_the_last_choice():
    dealt = deal({"ante": 100}, {"ante": 100}).choose(0, "play")
    with pytest.raises(Refused, match="position 2 has to choose"):
        list(dealt.settling)


def test_10_2_seats_are_settled_from_right_to_left():
    dealt = deal({"ante": 100}, {"pair-plus": 100}, {"ante": 100}).choose(0, "play").choose(2, "fold")
    assert [seat for seat, _ in dealt.settling] == [2, 1, 0]


def test_10_3_play_ante_pair_plus_six_card_bonus():
    settlement = settled("Kc Kd 5h", TWENTY, six_card_bonus=100, pair_plus=100, ante=100)
    order = [wager.spot.name for wager in settlement.wagers]
    assert order == ["play", "ante", "pair-plus", "six-card-bonus"]


def test_10_4_every_wager_ends_once_with_its_outcome():
    settlement = settled("Kc Kd 5h", TWENTY, ante=100, pair_plus=100, six_card_bonus=100)
    assert [(wager.spot.name, wager.result, wager.outcome) for wager in settlement.wagers] == [
        ("play", "win", "fewer points with 1 to 5"),
        ("ante", "win", "fewer points"),
        ("pair-plus", "win", "Pair"),
        ("six-card-bonus", "lose", "less than Three of a Kind"),
    ]
    assert settlement.net == 200 + 100 + 100 - 100


def test_10_5_folded_antes_are_collected_first():
    dealt = deal({"ante": 100, "pair-plus": 100}, {"ante": 100}).choose(0, "fold").choose(1, "play")
    order = [(seat, wager.spot.name) for seat, wager in dealt.payments]
    assert order == [(0, "ante"), (1, "play"), (1, "ante"), (0, "pair-plus")]


# -- 11 Irregularities ------------------------------------------------------------------------------


@pytest.mark.parametrize(("hands", "dealer"), [([3, 4], 3), ([2, 3], 3), ([3, 3], 4)])
def test_11_1_a_wrong_number_of_cards_voids_the_round(hands, dealer):
    dealt = deal(ALL_THREE, {"pair-plus": 100}, first="Kc Kd 5h 9c 9d 9h")
    assert dealt.count_hands([3, 3], 3) == dealt
    void = dealt.count_hands(hands, dealer)
    assert [settlement.net for _, settlement in void.settling] == [0, 0]
    results = {wager.result for _, settlement in void.settling for wager in settlement.wagers}
    assert results == {"refund"}


def test_11_2_a_void_round_refunds_everything():
    before = Round.of(GAME, "Kc Kd 5h", TWENTY, ante=100, pair_plus=300)
    assert [wager.returned for wager in before.declare_void("a fourth card").settlement.wagers] == [100, 300]
    after = before.choose("play").declare_void("a fourth card")
    assert [wager.returned for wager in after.settlement.wagers] == [100, 100, 300]


def test_11_3_a_void_round_opens_no_choice():
    void = deal(ALL_THREE).declare_void("the shuffler failed")
    assert void.over
    assert void.rounds[0].choices == ()
    with pytest.raises(Refused, match="no choice is open"):
        void.choose(0, "play")


def test_11_4_a_card_seen_too_early():
    check_card_seen_too_early(GAME)


def test_11_5_a_card_out_of_turn_or_to_the_wrong_seat():
    check_card_out_of_turn(GAME)


def test_11_6_a_wrong_payment_is_corrected_later():
    check_wrong_payment(GAME)


# -- The sheet and the options ----------------------------------------------------------------------


def test_every_option_is_on_the_sheet():
    sheet = SHEET.read_text()
    assert all(f"`{option.name}`" in sheet for option in GAME.rules.OPTIONS)
