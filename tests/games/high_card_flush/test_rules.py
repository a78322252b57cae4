"""High Card Flush, clause by clause: docs/rules/high-card-flush.md."""

from pathlib import Path

import pytest

from feltlab.core.cards import FACE_DOWN, cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.core.settlement import Settlement
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.data import _stack_shoe
from feltlab.submission.rule_sheet import parse_rule_sheet
from tests.support.irregular import check_card_out_of_turn, check_card_seen_too_early, check_wrong_payment

GAME = GAMES["high-card-flush"]
ALL = {"ante": 100, "flush-bonus": 100, "straight-flush-bonus": 100}

NINE_HIGH = "9s 3s 2s Kd 8d Jc 7c"  # the dealer just qualifies
EIGHT_HIGH = "8s 7s 6s Kd 9d Jc 7c"  # the dealer just does not
THREE, FOUR, FIVE = "Ah Th 4h Qd 6d 3c 5c", "Ah Th 4h 2h 6d 3c 5c", "Ah Th 8h 4h 2h 3c 5c"
SIX, SEVEN = "Ah Th 8h 6h 4h 2h 5c", "Ah Qh Th 8h 6h 4h 2h"


def settle(
    player: str, dealer: str, choice: str = "raise-1x", game: Game = GAME, **wagers: int
) -> Settlement:
    """The settlement of one hand; the Ante is 100 cents unless wagers are given."""
    return Round.of(game, player, dealer, **(wagers or {"ante": 100})).choose(choice).settlement


def nets(player: str, dealer: str, choice: str = "raise-1x") -> tuple[int, int]:
    """What the Ante and the Raise on an Ante of 100 cents net."""
    settlement = settle(player, dealer, choice)
    return settlement["ante"].net, settlement["raise"].net


def beats(better: str, worse: str) -> bool:
    """Does one hand win against another, and lose with the seats exchanged?"""
    return nets(better, worse) == (100, 100) and nets(worse, better) == (-100, -100)


def flush_bonus(player: str, table: str = "1", choice: str = "raise-1x") -> int:
    game = GAME.with_options({"flush-bonus": table})
    return settle(player, NINE_HIGH, choice, game, ante=100, flush_bonus=100)["flush-bonus"].net


def straight_flush_bonus(player: str, table: str = "1", choice: str = "raise-1x") -> int:
    game = GAME.with_options({"straight-flush-bonus": table})
    settlement = settle(player, NINE_HIGH, choice, game, ante=100, straight_flush_bonus=100)
    return settlement["straight-flush-bonus"].net


def deal(*wagers: dict[str, int], first: str = "") -> Deal:
    return Deal.start(GAME, _stack_shoe(GAME, cards(first)), wagers)


def rows_of(number: str) -> list[tuple[str, ...]]:
    """The rows of the table below a clause, with its head."""
    return [
        row for clause in parse_rule_sheet(GAME).clauses if clause.number == number for row in clause.table
    ]


# -- 1 Cards and deck -------------------------------------------------------------------------------


def test_1_1_one_deck_of_52_cards() -> None:
    assert sorted(GAME.deck.cards) == list(range(52))
    with pytest.raises(Refused, match="not in this game's deck"):
        Round.of(GAME, "Jk Th 4h Qd 6d 3c 5c", NINE_HIGH, ante=100)


def test_1_2_all_cards_are_shuffled_before_every_round() -> None:
    assert GAME.behind_cut == 52  # so nothing is left to deal a second round from


# -- 2 Hands ----------------------------------------------------------------------------------------


def test_2_1_more_cards_of_one_suit_beat_fewer() -> None:
    assert beats("5h 4h 3h 2h 7d 8c 9c", "As Ks Qs Ad Kd Ac Kc")
    assert beats("6h 5h 4h 3h 2h 8c 9c", "As Ks Qs Js Kd Ac Kc")


def test_2_2_then_the_ranks_from_the_top() -> None:
    assert beats("Ah 3h 2h 4d 5d 6c 7c", "Ks Qs Js 4c 5c 6d 7d")
    assert beats("Kh 9h 3h 4d 5d 6c 7c", "Ks 8s 7s 4c 5c 6d 7d")
    assert beats("Kh 9h 4h 4d 5d 6c 7c", "Ks 9s 3s 4c 5c 6d 7d")


def test_2_3_of_two_suits_of_one_length_the_higher() -> None:
    assert beats("Th 3h 2h Kd 3d 2d 7c", "Qs Js Ts 4c 5c 6d 7d")


def test_2_4_suits_do_not_matter() -> None:
    for suit in "cdh":
        equal = f"K{suit} 9{suit} 4{suit} 2s 3s " + " ".join(
            f"{r}{s}" for s, r in zip("cdh", "562", strict=True) if s != suit
        )
        assert nets(equal, "Ks 9s 4s Ac Jc Ad Jd") == (0, 0)


# -- 3 Wagers ---------------------------------------------------------------------------------------


def test_3_1_the_ante_is_required() -> None:
    with pytest.raises(Refused, match="requires the Ante"):
        Round.of(GAME, THREE, NINE_HIGH, flush_bonus=100)


def test_3_2_two_optional_wagers_of_any_amount() -> None:
    settlement = settle(FOUR, NINE_HIGH, ante=300, flush_bonus=500, straight_flush_bonus=700)
    staked = {wager.spot.name: wager.staked for wager in settlement.wagers}
    assert staked == {"ante": 300, "raise": 300, "flush-bonus": 500, "straight-flush-bonus": 700}
    assert [wager.spot.name for wager in settle(FOUR, NINE_HIGH).wagers] == ["ante", "raise"]


def test_3_3_any_whole_number_of_cents() -> None:
    assert {GAME.step(wager) for wager in GAME.wagers} == {1}
    for cents in (0, -100):
        with pytest.raises(Refused):
            GAME.check_wagers({"ante": cents})


def test_3_4_at_most_six_seats() -> None:
    six = deal(*[{"ante": 100}] * 6)
    assert len(six.shoe) - len(six.rest) == 7 * 7
    with pytest.raises(Refused, match="at most 6"):
        deal(*[{"ante": 100}] * 7)


def test_3_5_one_seat_a_player() -> None:
    seats = tuple(Seat({"ante": 100}, player="Ann") for _ in range(2))
    with pytest.raises(Refused, match="only one seat"):
        Deal(GAME, _stack_shoe(GAME, cards("")), seats)


# -- 4 The deal -------------------------------------------------------------------------------------

TWO_SEATS = "Ah Th 4h Qd 6d 3c 5c Kh Jh 9h 7d 4d 6c 8c 9s 3s 2s Kd 8d Jc 7c"


def test_4_1_no_more_bets() -> None:
    assert deal(ALL).calls == ("No more bets.",)


def test_4_2_packets_of_seven_from_left_to_right_and_the_dealer_last() -> None:
    dealt = deal(ALL, ALL, first=TWO_SEATS).choose(0, "fold").choose(1, "fold")
    assert [round.view.player for round in dealt.rounds] == [cards(THREE), cards("Kh Jh 9h 7d 4d 6c 8c")]
    assert {round.view.dealer for round in dealt.rounds} == {cards(NINE_HIGH)}


def test_4_3_the_dealers_cards_stay_down_until_the_last_choice() -> None:
    dealt = deal(ALL, ALL).choose(0, "raise-1x")
    assert {round.view.dealer for round in dealt.rounds} == {(FACE_DOWN,) * 7}


def test_4_4_players_see_their_own_cards_only() -> None:
    view = Round.of(GAME, THREE, NINE_HIGH, ante=100).view
    assert (view.player, view.dealer) == (cards(THREE), (FACE_DOWN,) * 7)


def test_4_5_other_cards_are_out_of_play() -> None:
    dealt = deal(ALL).choose(0, "raise-1x")
    assert dealt.over
    assert len(dealt.rest) == 52 - 14


# -- 5 The choice -----------------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["Ah Th 4d 2d 6c 3c 5s", THREE, FOUR])
def test_5_1_fold_or_raise_once_the_ante(player: str) -> None:
    round = Round.of(GAME, player, NINE_HIGH, ante=300)
    assert round.choices == ("raise-1x", "fold")
    assert round.choose("raise-1x").settlement["raise"].staked == 300


def test_5_2_five_of_a_suit_may_raise_twice() -> None:
    round = Round.of(GAME, FIVE, NINE_HIGH, ante=300)
    assert round.choices == ("raise-2x", "raise-1x", "fold")
    assert round.choose("raise-2x").settlement["raise"].staked == 600


@pytest.mark.parametrize("player", [SIX, SEVEN])
def test_5_3_six_or_seven_may_raise_three_times(player: str) -> None:
    round = Round.of(GAME, player, NINE_HIGH, ante=300)
    assert round.choices == ("raise-3x", "raise-2x", "raise-1x", "fold")
    assert round.choose("raise-3x").settlement["raise"].staked == 900


@pytest.mark.parametrize("dealer", [NINE_HIGH, EIGHT_HIGH])
def test_5_4_a_fold_loses_the_ante(dealer: str) -> None:
    settlement = settle(SEVEN, dealer, "fold")
    assert [(wager.spot.name, wager.outcome) for wager in settlement.wagers] == [("ante", "fold")]
    assert settlement.net == -100


def test_5_5_bonuses_stay_on_a_fold() -> None:
    assert flush_bonus(FOUR, choice="fold") == 100
    assert straight_flush_bonus("Ah 2h 3h 9d 6d Tc 5c", choice="fold") == 700


def test_5_6_a_choice_is_made_once() -> None:
    round = Round.of(GAME, THREE, NINE_HIGH, ante=100)
    assert round.choose("raise-1x").choices == round.choose("fold").choices == ()


def test_5_7_seats_choose_from_left_to_right() -> None:
    dealt = deal(ALL, ALL)
    with pytest.raises(Refused, match="turn of position 1"):
        dealt.choose(1, "fold")
    assert dealt.choose(0, "fold").turn == 1


# -- 6 Ante and Raise -------------------------------------------------------------------------------


def test_6_1_the_dealer_qualifies_with_three_of_a_suit_nine_high() -> None:
    assert settle(THREE, NINE_HIGH)["ante"].outcome == "better hand"
    assert settle(THREE, EIGHT_HIGH)["ante"].outcome == "dealer does not qualify"
    assert (
        settle(THREE, "As Ks Ad Kd Ac Kc Qs".replace("Qs", "Kh"))["ante"].outcome == "dealer does not qualify"
    )
    assert settle(THREE, "5s 4s 3s 2s Kd Jc 7c")["ante"].outcome == "worse hand"  # four of a suit


@pytest.mark.parametrize("player", [SEVEN, THREE, "4h 3h 2h Qd 6d 3c 5c", "Ah Th 4d 2d 6c 3c 5s"])
def test_6_2_a_dealer_who_does_not_qualify_pays_the_ante_only(player: str) -> None:
    assert nets(player, EIGHT_HIGH) == (100, 0)


@pytest.mark.parametrize(("player", "units"), [(THREE, 1), (FIVE, 2), (SEVEN, 3)])
def test_6_3_a_better_hand_wins_both(player: str, units: int) -> None:
    assert nets(player, NINE_HIGH, f"raise-{units}x") == (100, 100 * units)


def test_6_4_a_worse_hand_loses_both() -> None:
    assert nets("8h 7h 6h Qd 6d 3c 5c", NINE_HIGH) == (-100, -100)
    assert nets(FIVE, "As Ks Qs Js Ts 7d 7c", "raise-2x") == (-100, -200)


def test_6_5_equal_hands_push_both() -> None:
    assert nets("9h 3h 2h Qd 6d 3c 5c", NINE_HIGH) == (0, 0)


# -- 7 Flush Bonus ----------------------------------------------------------------------------------

FLUSHES = {"seven cards": SEVEN, "six cards": SIX, "five cards": FIVE, "four cards": FOUR}


def test_7_1_four_or_more_of_a_suit_win() -> None:
    assert flush_bonus(FOUR) == 100
    assert flush_bonus(THREE) == -100
    dealer = "As Ks Qs Js Ts 9s 8s"  # better than the player
    assert settle(FOUR, dealer, ante=100, flush_bonus=100)["flush-bonus"].net == 100


def test_7_2_four_tables() -> None:
    head, *rows = rows_of("7.2")
    assert [row[0] for row in rows] == list(FLUSHES)
    for hand, *pays in rows:
        for table, pay in zip(head[1:], pays, strict=True):
            assert f"{flush_bonus(FLUSHES[hand], table) // 100:,} to 1" == pay


# -- 8 Straight Flush Bonus -------------------------------------------------------------------------

RUNS = {
    "run of seven": "8h 7h 6h 5h 4h 3h 2h",
    "run of six": "8h 7h 6h 5h 4h 3h Qh",
    "run of five": "8h 7h 6h 5h 4h Qh 2c",
    "run of four": "8h 7h 6h 5h Qh Ac 2c",
    "run of three": "8h 7h 6h Qh Ad Ac 2c",
}


def test_8_1_three_consecutive_cards_of_a_suit_win() -> None:
    assert straight_flush_bonus("Ah Kh Qh 9d 6d Tc 5c") == 700
    assert straight_flush_bonus("Ah 2h 3h 9d 6d Tc 5c") == 700
    assert straight_flush_bonus("Kh Ah 2h 9d 6d Tc 5c") == -100
    assert straight_flush_bonus("7h 6h 5d 9d 6d Tc 5c") == -100


def test_8_2_the_run_may_be_in_another_suit() -> None:
    assert straight_flush_bonus("Ah Th 4h 2h 6d 5d 4d") == 700


def test_8_3_three_tables() -> None:
    head, *rows = rows_of("8.3")
    assert [row[0] for row in rows] == list(RUNS)
    for hand, *pays in rows:
        for table, pay in zip(head[1:], pays, strict=True):
            assert f"{straight_flush_bonus(RUNS[hand], table) // 100:,} to 1" == pay


# -- 9 Settling -------------------------------------------------------------------------------------


def test_9_1_seats_are_settled_from_right_to_left() -> None:
    dealt = deal(ALL, ALL, ALL).choose(0, "fold").choose(1, "raise-1x").choose(2, "fold")
    assert [seat for seat, _ in dealt.settling] == [2, 1, 0]


def test_9_2_ante_raise_flush_bonus_straight_flush_bonus() -> None:
    order = [
        wager.spot.name
        for wager in settle(FOUR, NINE_HIGH, **{k.replace("-", "_"): v for k, v in ALL.items()}).wagers
    ]
    assert order == ["ante", "raise", "flush-bonus", "straight-flush-bonus"]


def test_9_3_every_wager_ends_once_with_its_outcome_and_hands() -> None:
    settlement = settle(FOUR, NINE_HIGH, ante=100, flush_bonus=100, straight_flush_bonus=100)
    assert [(wager.outcome, wager.why) for wager in settlement.wagers] == [
        ("better hand", "four of a suit, A-T-4-2 against three of a suit, 9-3-2"),
        ("better hand", "four of a suit, A-T-4-2 against three of a suit, 9-3-2"),
        ("four cards", "four of a suit, A-T-4-2"),
        ("no run of three", "run of two"),
    ]
    assert settle(FOUR, NINE_HIGH, "fold")["ante"].why == "folded with four of a suit, A-T-4-2"


# -- 10 Irregularities ------------------------------------------------------------------------------


@pytest.mark.parametrize(("hands", "dealer"), [([7, 8], 7), ([6, 7], 7), ([7, 7], 8)])
def test_10_1_a_wrong_number_of_cards_voids_the_round(hands: list[int], dealer: int) -> None:
    dealt = deal(ALL, ALL)
    assert dealt.count_hands([7, 7], 7) == dealt
    void = dealt.count_hands(hands, dealer)
    assert {wager.result for _, settlement in void.settling for wager in settlement.wagers} == {"refund"}


def test_10_2_a_void_round_refunds_everything() -> None:
    round = Round.of(GAME, FIVE, NINE_HIGH, ante=100, flush_bonus=300).choose("raise-2x")
    refunds = [wager.returned for wager in round.declare_void("an eighth card").settlement.wagers]
    assert refunds == [100, 200, 300]


def test_10_3_a_void_round_opens_no_choice() -> None:
    void = deal(ALL).declare_void("the shuffler failed")
    assert void.over
    with pytest.raises(Refused, match="no choice is open"):
        void.choose(0, "fold")


def test_10_4_a_card_seen_too_early() -> None:
    check_card_seen_too_early(GAME)


def test_10_5_a_card_out_of_turn_or_to_the_wrong_seat() -> None:
    check_card_out_of_turn(GAME)


def test_10_6_a_wrong_payment_is_corrected_later() -> None:
    check_wrong_payment(GAME)


def test_every_option_is_on_the_sheet() -> None:
    sheet = (Path(__file__).parents[3] / "docs/rules/high-card-flush.md").read_text()
    assert all(f"`{option.name}`" in sheet for option in GAME.rules.OPTIONS)
