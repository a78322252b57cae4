"""Each clause of docs/rules/casino-war.md, by its number. A unit is $5."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from feltlab.core.cards import JOKER, Cards, cards
from feltlab.core.deal import Deal
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.core.settlement import Settlement
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support.irregular import check_card_out_of_turn, check_card_seen_too_early, check_wrong_payment

GAME = GAMES["casino-war"]
UNIT = 500
PRIMARY = {"primary": UNIT}
BOTH = {"primary": UNIT, "tie": UNIT}


def shoe(top: str) -> Cards:
    """A shoe of six decks with these cards on top."""
    rest = Counter(GAME.deck.cards) - Counter(cards(top))
    return Cards((*cards(top), *rest.elements()))


def deal(top: str, seats: int) -> Deal:
    return Deal.start(GAME, shoe(top), [BOTH] * seats)


def settle(player: str, dealer: str, *choices: str) -> Settlement:
    return Round.of(GAME, player, dealer, **BOTH).choose(*choices).settlement


# -- 1 Cards and deck -------------------------------------------------------------------------------


def test_1_1_six_decks_without_jokers() -> None:
    assert len(GAME.deck) == 6 * 52
    assert set(Counter(GAME.deck.cards).values()) == {6}
    assert JOKER not in GAME.deck.cards


@pytest.mark.parametrize("decks", range(1, 9))
def test_1_2_one_to_eight_decks(decks: int) -> None:
    assert len(GAME.with_options({"decks": str(decks)}).deck) == 52 * decks


@pytest.mark.parametrize("decks", ["0", "9", "six"])
def test_1_2_no_other_number_of_decks(decks: str) -> None:
    with pytest.raises(Refused, match="decks"):
        GAME.with_options({"decks": decks})


def test_1_3_from_the_deuce_up_to_the_ace() -> None:
    ranks = "23456789TJQKA"
    for lower, higher in pairwise(ranks):
        assert settle(higher + "c", lower + "s")["primary"].outcome == "higher card"
    assert settle("Ac", "2s")["primary"].outcome == "higher card"


@pytest.mark.parametrize("dealers", ["9c", "9d", "9h", "9s"])
def test_1_4_suits_do_not_matter(dealers: str) -> None:
    assert Round.of(GAME, "9h", dealers, **PRIMARY).choices == ("war", "surrender")


def test_1_5_a_quarter_stays_behind_the_cut_card() -> None:
    assert GAME.behind_cut == 78  # 312 / 4
    assert GAME.with_options({"decks": "8"}).behind_cut == 104  # 416 / 4


def test_1_6_never_fewer_than_a_full_table_can_use() -> None:
    # 7 seats and the dealer with two cards each, and two times three burned: 8 * 2 + 6
    assert GAME.with_options({"decks": "1"}).behind_cut == 22  # a quarter would be 13


@pytest.mark.parametrize(("seats", "needed"), [(1, 10), (2, 12), (7, 22)])
def test_1_7_enough_cards_to_finish_the_round(seats: int, needed: int) -> None:
    enough = Cards(GAME.deck.cards[:needed])
    Deal.start(GAME, enough, [BOTH] * seats)
    with pytest.raises(Refused, match=f"may need {needed}"):
        Deal.start(GAME, Cards(enough[1:]), [BOTH] * seats)


# -- 2 Wagers ---------------------------------------------------------------------------------------


def test_2_1_the_primary_wager_is_required() -> None:
    with pytest.raises(Refused, match="requires the Primary wager"):
        Round.of(GAME, "As", "Kd", tie=UNIT)


def test_2_2_the_tie_wager_is_optional() -> None:
    settlement = Round.of(GAME, "As", "Kd", **PRIMARY).settlement
    assert [settled.spot.name for settled in settlement.wagers] == ["primary"]


@pytest.mark.parametrize("cents", [1, UNIT, 100 * UNIT])
def test_2_3_the_tie_wager_has_any_size(cents: int) -> None:
    assert Round.of(GAME, "As", "Kd", primary=UNIT, tie=cents).settlement["tie"].net == -cents


def test_2_4_a_hand_carries_these_two_wagers_and_no_other() -> None:
    assert [spot.name for spot in GAME.wagers] == ["primary", "tie"]
    assert GAME.rules.GAMES_PER_HAND == 2
    with pytest.raises(Refused, match="'bonus' is not a wager"):
        Round.of(GAME, "As", "Kd", **BOTH, bonus=UNIT)


def test_2_5_the_primary_wager_is_a_multiple_of_two_cents() -> None:
    assert Round.of(GAME, "9s", "9d", primary=502).choose("surrender").settlement.net == -251
    with pytest.raises(Refused, match=r"multiple of \$0\.02"):
        Round.of(GAME, "9s", "9d", primary=501)


def test_2_6_the_tie_wager_is_whole_cents_above_zero() -> None:
    Round.of(GAME, "9s", "9d", primary=UNIT, tie=1)
    for wrong in (0, -5, 1.5):
        with pytest.raises(Refused, match="Tie wager must be"):
            Round.of(GAME, "9s", "9d", primary=UNIT, tie=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("decks", ["1", "6"])
def test_2_7_seven_seats_at_most(decks: str) -> None:
    game = GAME.with_options({"decks": decks})
    Deal.start(game, game.deck.cards, [BOTH] * 7)
    with pytest.raises(Refused, match="seats at most 7"):
        Deal.start(game, game.deck.cards, [BOTH] * 8)


def test_2_8_a_player_holds_one_seat() -> None:
    with pytest.raises(Refused, match="Ann may hold only one seat"):
        Deal(GAME, GAME.deck.cards, (Seat(BOTH, player="Ann"), Seat(BOTH, player="Ann")))


# -- 3 The deal -------------------------------------------------------------------------------------


def test_3_1_no_more_wagers_is_called() -> None:
    assert deal("Ks 9d", seats=1).calls == ("No more bets.",)


def test_3_2_a_card_to_each_seat_from_the_left_then_the_dealer() -> None:
    views = [round.view for round in deal("2s 3s 4s Kd", seats=3).rounds]
    assert [str(view.player) for view in views] == ["2s", "3s", "4s"]
    assert {str(view.dealer) for view in views} == {"Kd"}


def test_3_3_all_cards_are_face_up() -> None:
    tied = Round.of(GAME, "9s 4h", "9d 6c", **PRIMARY)
    assert (str(tied.view.player), str(tied.view.dealer)) == ("9s", "9d")
    at_war = tied.choose("war")
    assert (str(at_war.view.player), str(at_war.view.dealer)) == ("9s 4h", "9d 6c")


@pytest.mark.parametrize(("player", "dealer"), [("As", "Kd"), ("Kd", "As")])
def test_3_4_nothing_to_choose_without_a_tie(player: str, dealer: str) -> None:
    round = Round.of(GAME, player, dealer, **BOTH)
    assert round.over
    with pytest.raises(Refused, match="no choice is open"):
        round.choose("war")


# -- 4 The first cards ------------------------------------------------------------------------------


def test_4_1_the_higher_card_wins_even_money() -> None:
    assert settle("Ts", "9d")["primary"].net == UNIT


def test_4_2_the_lower_card_loses() -> None:
    assert settle("8s", "9d")["primary"].net == -UNIT


def test_4_3_the_tie_wager_wins_ten_to_one() -> None:
    assert settle("9s", "9d", "surrender")["tie"].net == 10 * UNIT


@pytest.mark.parametrize(("player", "dealer"), [("As", "Kd"), ("Kd", "As")])
def test_4_4_the_tie_wager_loses_without_a_tie(player: str, dealer: str) -> None:
    assert settle(player, dealer)["tie"].net == -UNIT


@pytest.mark.parametrize("war_card", ["3c", "4c", "5c"])
def test_4_5_a_war_does_not_change_the_tie_wager(war_card: str) -> None:
    assert settle(f"9s {war_card}", "9d 4h", "war")["tie"].net == 10 * UNIT


def test_4_5_surrender_does_not_change_the_tie_wager() -> None:
    assert settle("9s", "9d", "surrender")["tie"].outcome == "tie"


@pytest.mark.parametrize(
    ("player", "dealer", "choices", "outcome", "odds", "net"),
    [
        ("Ts", "9d", (), "higher card", "1 to 1", UNIT),
        ("8s", "9d", (), "lower card", "lose", -UNIT),
        ("9s", "9d", ("surrender",), "surrender", "lose half", -UNIT // 2),
        ("9s 5c", "9d 4h", ("war",), "war won", "1 to 2", UNIT),
        ("9s 4c", "9d 4h", ("war",), "war tied", "1 to 1", 2 * UNIT),
        ("9s 3c", "9d 4h", ("war",), "war lost", "lose", -2 * UNIT),
    ],
)
def test_4_6_the_pay_table_of_the_primary_wager(
    player: str, dealer: str, choices: tuple[str, ...], outcome: str, odds: str, net: int
) -> None:
    settled = settle(player, dealer, *choices)["primary"]
    assert (settled.outcome, settled.net) == (outcome, net)
    printed = {line.outcome: line.odds for line in GAME.pay_table(settled.spot).lines}
    assert printed[outcome] == odds
    assert len(printed) == 6


def test_4_7_the_pay_table_of_the_tie_wager() -> None:
    table = GAME.pay_table(GAME.spot("tie"))
    assert [(line.outcome, line.odds) for line in table.lines] == [("tie", "10 to 1"), ("no tie", "lose")]


# -- 5 The choice after a tie -----------------------------------------------------------------------


def test_5_1_war_or_surrender() -> None:
    tied = Round.of(GAME, "9s", "9d", **PRIMARY)
    assert tied.choices == ("war", "surrender")
    with pytest.raises(Refused, match="not over"):
        _ = tied.settlement


def test_5_2_surrender_loses_half() -> None:
    settled = settle("9s", "9d", "surrender")["primary"]
    assert (settled.net, settled.returned) == (-UNIT // 2, UNIT // 2)


def test_5_3_war_adds_a_unit_equal_to_the_primary_wager() -> None:
    tied = Round.of(GAME, "9s 4h", "9d 6c", **BOTH)
    assert tied.cost("war") == UNIT
    assert tied.choose("war").settlement["primary"].staked == 2 * UNIT


@pytest.mark.parametrize("choices", [("war", "war"), ("war", "surrender"), ("surrender", "war")])
def test_5_4_the_choice_is_made_once(choices: tuple[str, str]) -> None:
    with pytest.raises(Refused, match="no choice is open"):
        Round.of(GAME, "9s 4h", "9d 4c", **PRIMARY).choose(*choices)  # the war is tied as well


def test_5_5_seats_that_tied_choose_from_right_to_left() -> None:
    tied = deal("9s 8s 9h 9d", seats=3)  # the second seat has no tie
    assert tied.turn == 2
    with pytest.raises(Refused, match="turn of position 3"):
        tied.choose(0, "war")
    assert tied.choose(2, "war").turn == 0
    assert tied.choose(2, "war").choose(0, "surrender").over


# -- 6 War ------------------------------------------------------------------------------------------

# Three seats tie with nines. Then lie three cards to burn, and what comes after them.
THREE_TIES = "9s 9h 9c 9d  2c 2d 2h  "


def test_6_1_one_war_after_the_last_choice() -> None:
    waiting = deal(THREE_TIES + "Ks Qs Js 3c 3d 3h Qd", seats=3).choose(2, "war").choose(1, "war")
    assert waiting.turn == 0
    assert waiting.rest == Cards(waiting.shoe[4:])  # no card has left the shoe for the war yet
    over = waiting.choose(0, "war")
    assert over.rest == Cards(over.shoe[14:])  # 4 first cards, 3 burned, 3 players', 3 burned, 1 dealer's


def test_6_2_three_cards_are_burned_first() -> None:
    over = deal("9s 9d  2c 2d 2h  Ks  3c 3d 3h  Qd", seats=1).choose(0, "war")
    assert str(over.rounds[0].view.player) == "9s Ks"


def test_6_3_a_card_to_each_seat_at_war_from_the_left() -> None:
    tied = deal(THREE_TIES + "Ks Js 3c 3d 3h Qd", seats=3)
    over = tied.choose(2, "war").choose(1, "surrender").choose(0, "war")
    assert [str(round.view.player) for round in over.rounds] == ["9s Ks", "9h", "9c Js"]


def test_6_4_three_more_are_burned_and_the_dealers_card_meets_every_seat_at_war() -> None:
    tied = deal(THREE_TIES + "Ks Js 3c 3d 3h Qd", seats=3)
    over = tied.choose(2, "war").choose(1, "surrender").choose(0, "war")
    assert [str(round.view.dealer) for round in over.rounds] == ["9d Qd", "9d", "9d Qd"]
    assert [round.settlement["primary"].outcome for round in over.rounds] == [
        "war won",
        "surrender",
        "war lost",
    ]


def test_6_5_without_a_war_nothing_is_burned() -> None:
    over = deal("9s 8s 9d", seats=2).choose(0, "surrender")
    assert over.rest == Cards(over.shoe[3:])


def test_6_6_a_war_won_wins_one_unit() -> None:
    assert (
        settle("9s 5c", "9d 4h", "war")["primary"].net == UNIT
    )  # takes 3 units, of which 2 are the player's


def test_6_7_a_war_tied_wins_two_units() -> None:
    assert settle("9s 4c", "9d 4h", "war")["primary"].net == 2 * UNIT


def test_6_8_a_war_lost_loses_both_units() -> None:
    assert settle("9s 3c", "9d 4h", "war")["primary"].net == -2 * UNIT


# -- 7 Settling -------------------------------------------------------------------------------------


def test_7_1_seats_are_settled_from_right_to_left() -> None:
    nets = [(seat, settlement["primary"].net) for seat, settlement in deal("Ts 8s Ks 9d", seats=3).settling]
    assert nets == [(2, UNIT), (1, -UNIT), (0, UNIT)]


def test_7_2_the_primary_wager_then_the_tie_wager() -> None:
    assert [settled.spot.name for settled in settle("Ts", "9d").wagers] == ["primary", "tie"]


def test_7_3_each_wager_once_with_its_outcome_and_cards() -> None:
    primary, tie = settle("9s Kc", "9d 4h", "war").wagers
    assert (primary.outcome, primary.result, primary.why) == (
        "war won",
        "win",
        "Nine against Nine, then King against Four",
    )
    assert (tie.outcome, tie.result, tie.why) == ("tie", "win", "Nine against Nine")


# -- 8 Irregularities -------------------------------------------------------------------------------


@pytest.mark.parametrize(("hands", "dealer"), [([1, 2], 1), ([0, 1], 1), ([1, 1], 2), ([1, 1], 0)])
def test_8_1_a_wrong_number_of_cards_voids_the_round_for_all(hands: list[int], dealer: int) -> None:
    dealt = deal("Ts 8s 9d", seats=2)
    assert dealt.count_hands([1, 1], 1) is dealt
    void = dealt.count_hands(hands, dealer)
    assert all(round.void for round in void.rounds)


def test_8_1_a_seat_at_war_has_two_cards() -> None:
    at_war = deal("9s 8s 9d 2c 2d 2h Ks 3c 3d 3h Qd", seats=2).choose(0, "war")
    assert not at_war.count_hands([2, 1], 2).void
    assert at_war.count_hands([1, 1], 2).void


def test_8_2_a_void_round_refunds_what_is_still_open() -> None:
    """The second seat has lost and the tie is paid before the war; the war itself is open."""
    waiting = replace(deal("9s 8s 9d", seats=2), settled=0)
    void = waiting.choose(0, "war").count_hands([2, 1], 3)
    results = [(seat, wager.spot.name, wager.result) for seat, wager in void.payments]
    assert results == [
        (1, "primary", "lose"),
        (1, "tie", "lose"),
        (0, "tie", "win"),
        (0, "primary", "refund"),
    ]
    assert void.rounds[0].settlement["primary"].returned == 2 * UNIT


def test_8_3_a_void_round_has_no_choice() -> None:
    tied = deal("9s 9d", seats=1)
    assert tied.turn == 0
    void = tied.count_hands([2], 1)
    assert (void.turn, void.rounds[0].choices) == (None, ())
    with pytest.raises(Refused, match="no choice is open"):
        void.choose(0, "war")


def test_8_4_a_card_seen_too_early() -> None:
    check_card_seen_too_early(GAME)


def test_8_5_a_card_out_of_turn_or_to_the_wrong_seat() -> None:
    check_card_out_of_turn(GAME)


def test_8_6_a_wrong_payment_is_corrected_later() -> None:
    check_wrong_payment(GAME)
