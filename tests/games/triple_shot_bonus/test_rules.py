"""Triple Shot Bonus, clause by clause: docs/rules/triple-shot-bonus.md.

A player's cards are written with a comma where the Blackjack hand ends and the cards for Poker begin.
"""

from fractions import Fraction
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from feltlab.core.cards import FACE_DOWN, cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import PayTable, lose, win
from feltlab.core.round import Round, seat_shoe
from feltlab.core.seating import Seat
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support.irregular import check_card_out_of_turn, check_card_seen_too_early, check_wrong_payment

GAME = GAMES["triple-shot-bonus"]
STANDS = GAME.with_options({"soft-17": "stand"})
SIX_TO_FIVE = GAME.with_options({"blackjack-pays": "6:5"})
SIX_CARD_RULE_OFF = GAME.with_options({"six-card-rule": "off"})
SHEET = Path(__file__).parents[3] / "docs/rules/triple-shot-bonus.md"

STAKE = {"war": 200, "blackjack": 200, "poker": 200, "hat-trick": 100}
FULL = "2s 3d 4h 6c"  # four cards that give Poker nothing


def start(player, dealer, game=GAME):
    """A round over these cards with the wagers of `STAKE`."""
    return Round(game, seat_shoe(game, cards(player), cards(dealer)), STAKE)


def settled(player, dealer, *choices, game=GAME):
    """The settlement of such a round after these choices."""
    return start(player, dealer, game).choose(*choices).settlement


def war(player, dealer):
    """What a War of 200 cents nets; what follows the first cards does not matter."""
    return settled(f"{player} 7c, {FULL}", f"{dealer} 8d 9d", "stand")["war"].net


def hand(player, dealer, *choices, game=GAME):
    """The outcome of the Blackjack and what its 200 cents net."""
    wager = settled(player, dealer, *choices, game=game)["blackjack"]
    return wager.outcome, wager.net


def hat_trick(player, dealer, *choices, game=GAME):
    """The outcome of the Hat Trick and what its 100 cents net."""
    wager = settled(player, dealer, *choices, game=game)["hat-trick"]
    return wager.outcome, wager.net


def stacked(first):
    """A whole deck that begins with these cards."""
    top = cards(first)
    return cards((*top, *(card for card in GAME.deck.cards if card not in top)))


def deal(seats, first="", game=GAME):
    return Deal.start(game, stacked(first), [STAKE] * seats)


def rows(clause):
    """The table below a clause of the rule sheet, its head first."""
    below = SHEET.read_text().split(f"**{clause}**")[1].split("\n**")[0]
    lines = [line.strip("|").split("|") for line in below.splitlines() if line.startswith("|")]
    head, _, *body = [[cell.strip() for cell in line] for line in lines]
    return [head, *body]


# -- 1 Cards and deck -------------------------------------------------------------------------------


def test_1_1_one_deck_of_52_cards():
    assert sorted(GAME.deck.cards) == list(range(52))
    with pytest.raises(Refused, match="not in this game's deck"):
        start("As Jk", "Kc Kd")


def test_1_2_all_cards_are_shuffled_before_every_round():
    assert GAME.behind_cut == 52  # so nothing is left to deal a second round from


# -- 2 Seats ----------------------------------------------------------------------------------------

LONGEST = "2c 2d 2h 2s 3c Ac Ad Ah As 3d"  # 15 with nine cards, then 18


def test_2_1_seven_seats_use_the_whole_deck():
    """All seats stand on their first two cards while the dealer draws the longest hand."""
    dealers = cards(LONGEST)
    others = iter([card for card in GAME.deck.cards if card not in dealers])
    first = [next(others) for _ in range(7)] + [dealers[0]]
    second = [next(others) for _ in range(7)] + [dealers[1]]
    seven = Deal.start(GAME, cards([*first, *second, *dealers[2:], *others]), [STAKE] * 7)
    while not seven.over:
        seven = seven.choose(seven.turn, "stand")
    assert seven.rest == ()
    assert all(len(round.view.player) == 6 for round in seven.rounds)
    assert seven.rounds[0].view.dealer == dealers
    with pytest.raises(Refused, match="at most 7"):
        deal(8)


@pytest.mark.parametrize("hits_soft_17", [True, False])
def test_2_2_the_dealers_longest_hand_has_ten_cards(hits_soft_17):
    """Over all sets of ranks that the dealer can come to hold; the order matters only for which are met."""

    @cache
    def longest(held):  # how many cards of each value, the ace first
        low = sum(value * count for value, count in enumerate(held, 1))
        soft = held[0] > 0 and low + 10 <= 21
        total = low + 10 if soft else low
        draws = total < 17 or (total == 17 and soft and hits_soft_17)
        size = sum(held)
        if size >= 2 and not draws:
            return size
        stock = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
        more = (i for i in range(10) if held[i] < stock[i])
        return max(longest((*held[:i], held[i] + 1, *held[i + 1 :])) for i in more)

    assert longest((0,) * 10) == 10
    game = GAME if hits_soft_17 else STANDS
    round = start("Kc Kd, Kh Ks 9c 8c", LONGEST, game).choose("stand")
    assert round.view.dealer == cards(LONGEST)
    assert len(game.split_areas(round.shoe)["dealer"]) == 10


def test_2_3_one_seat_a_player():
    assert Deal(GAME, stacked(""), (Seat(STAKE, player="Ann"), Seat(STAKE, player="Bob")))
    with pytest.raises(Refused, match="only one seat"):
        Deal(GAME, stacked(""), (Seat(STAKE, player="Ann"), Seat(STAKE, player="Ann")))


# -- 3 Wagers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("left_out", ["war", "blackjack", "poker"])
def test_3_1_war_blackjack_and_poker_are_required(left_out):
    placed = {name: cents for name, cents in STAKE.items() if name != left_out}
    with pytest.raises(Refused, match=f"requires the {left_out.title()} wager"):
        GAME.check_wagers(placed)


def test_3_2_the_hat_trick_is_optional():
    round = Round.of(GAME, f"Kc Qd, {FULL}", "9d 8h", war=200, blackjack=200, poker=200).choose("stand")
    assert [wager.spot.name for wager in round.settlement.wagers] == ["war", "blackjack", "poker"]


def test_3_3_amounts_may_differ():
    placed = {"war": 200, "blackjack": 400, "poker": 600, "hat_trick": 500}
    settlement = Round.of(GAME, f"Kc Qd, {FULL}", "9d 8h", **placed).choose("stand").settlement
    assert [wager.staked for wager in settlement.wagers] == list(placed.values())


def refuses(game, wager, cents):
    try:
        game.check_wagers({**STAKE, wager: cents})
    except Refused:
        return True
    return False


def test_3_4_war_in_two_cents():
    assert not refuses(GAME, "war", 102)
    assert refuses(GAME, "war", 101)


def test_3_5_blackjack_in_two_cents():
    assert not refuses(GAME, "blackjack", 102)
    assert refuses(GAME, "blackjack", 101)


def test_3_6_blackjack_in_ten_cents_at_6_to_5():
    assert not refuses(SIX_TO_FIVE, "blackjack", 110)
    assert refuses(SIX_TO_FIVE, "blackjack", 105)  # 6 to 5 is whole, half is not
    assert refuses(SIX_TO_FIVE, "blackjack", 102)  # half is whole, 6 to 5 is not


def test_3_7_poker_in_two_cents():
    assert not refuses(GAME, "poker", 102)
    assert refuses(GAME, "poker", 101)


def test_3_8_hat_trick_in_cents():
    assert not refuses(GAME, "hat-trick", 1)
    assert refuses(GAME, "hat-trick", 0)
    assert refuses(GAME, "hat-trick", 0.5)


def test_3_9_no_wager_above_ten_billion_dollars():
    most = 10_000_000_000 * 100
    for wager in STAKE:
        assert not refuses(GAME, wager, most)
        assert refuses(GAME, wager, most + 10)


def test_3_10_at_most_four_games_on_one_hand():
    GAME.check_wagers(STAKE)
    fifth = Spot("fifth", "Fifth", (PayTable("even", (win("win"), lose("lose"))),))
    game = Game(SimpleNamespace(**{**vars(GAME.rules), "SPOTS": (*GAME.spots, fifth)}))
    game.check_wagers(STAKE)
    with pytest.raises(Refused, match="at most 4 games"):
        game.check_wagers({**STAKE, "fifth": 100})


# -- 4 Calls and dealing ----------------------------------------------------------------------------

# Two seats with 19 and 18 against the dealer's 17; then four cards each for Poker.
TWO_SEATS = "Tc Td 9h 9c 8c 8h"


def test_4_1_no_more_bets():
    assert deal(2).calls == ("No more bets.",)


def test_4_2_wagers_stay_as_they_are():
    wagers = dict(STAKE)
    dealt = Deal.start(GAME, stacked(TWO_SEATS), [wagers])
    with pytest.raises(TypeError):
        dealt.rounds[0].wagers["war"] = 500  # type: ignore[index]
    wagers["war"] = 500
    assert dealt.choose(0, "stand").rounds[0].settlement["war"].staked == 200


def test_4_3_first_a_card_to_each_seat_and_the_dealer():
    dealt = deal(3, "2c 3c 4c 9d")
    assert [round.view.player[0] for round in dealt.rounds] == list(cards("2c 3c 4c"))
    assert {round.view.dealer[0] for round in dealt.rounds} == {*cards("9d")}


def test_4_4_then_a_second_card_the_dealers_face_down():
    dealt = deal(3, "2c 3c 4c 9d 5c 6c 7c 8d")
    assert [round.view.player for round in dealt.rounds] == [cards("2c 5c"), cards("3c 6c"), cards("4c 7c")]
    assert {round.view.dealer for round in dealt.rounds} == {(*cards("9d"), FACE_DOWN)}


def test_4_5_seats_play_from_left_to_right():
    dealt = deal(2, TWO_SEATS + " 2c")
    with pytest.raises(Refused, match="turn of position 1"):
        dealt.choose(1, "stand")
    dealt = dealt.choose(0, "hit")
    assert dealt.turn == 0
    assert dealt.rounds[0].view.player == cards("Tc 9c 2c")
    dealt = dealt.choose(0, "stand")
    assert dealt.turn == 1
    assert dealt.choose(1, "stand").over


def test_4_6_the_second_card_stays_down_until_all_have_played():
    dealt = deal(2, TWO_SEATS)
    waiting = dealt.choose(0, "stand")
    assert waiting.turn == 1
    # A neighbour could tell what it sees.
    assert [round.view.dealer for round in waiting.rounds] == [(*cards("9h"), FACE_DOWN)] * 2
    assert waiting.choose(1, "stand").rounds[0].view.dealer == cards("9h 8h")


def test_4_7_the_dealer_draws_before_the_cards_for_poker():
    dealt = deal(1, "Tc 9h Td 7h 4c 2c 2d 2h 2s").choose(0, "stand")
    assert dealt.rounds[0].view.dealer == cards("9h 7h 4c")
    assert dealt.rounds[0].view.player == cards("Tc Td 2c 2d 2h 2s")


def test_4_8_cards_for_poker_from_left_to_right():
    dealt = deal(2, TWO_SEATS + " 2c 3c 4c 5c 2d 3d 4d 5d 2h").choose(0, "hit").choose(0, "stand")
    dealt = dealt.choose(1, "stand")
    assert dealt.rounds[0].view.player == cards("Tc 9c 2c 3c 4c 5c")  # one drawn and three more
    assert dealt.rounds[1].view.player == cards("Td 8c 2d 3d 4d 5d")


def test_4_9_the_dealer_takes_no_cards_for_poker():
    dealt = deal(2, TWO_SEATS).choose(0, "stand").choose(1, "stand")
    assert dealt.rounds[0].view.dealer == cards("9h 8h")
    assert len(dealt.rest) == 52 - 6 - 6 - 2


def test_4_10_the_same_cards_play_all_three_games():
    settlement = settled("Kc 5d, 6h Kd 2s 3c", "Qd 9h", "hit", "stand")
    assert settlement["war"].why == "King against Queen"
    assert settlement["blackjack"].why == "21 against 19"  # K, 5 and 6
    assert settlement["poker"].why == "Pair of Kings"  # the War card and the fourth


# -- 5 War ------------------------------------------------------------------------------------------


def test_5_1_the_higher_card_wins_1_to_1():
    assert war("3c", "2c") == 200
    assert war("Tc", "9c") == 200


def test_5_2_the_lower_card_loses():
    assert war("2d", "3c") == -200


def test_5_3_a_tie_loses_half():
    assert war("Tc", "Td") == -100
    assert war("9c", "9h") == -100


def test_5_4_the_ace_is_high():
    assert war("Ac", "Kc") == 200
    assert settled("2c Kc, 3d 4h 6c 9c", "Ad 9d", "decline", "stand")["war"].net == -200


def test_5_5_ten_jack_queen_and_king_differ():
    for higher, lower in ("JT", "QJ", "KQ"):
        assert war(f"{higher}c", f"{lower}c") == 200
        assert war(f"{lower}c", f"{higher}c") == -200


# -- 6 Blackjack ------------------------------------------------------------------------------------


def test_6_1_the_values_of_cards():
    dealer = "9d 8d"  # 17
    assert hand(f"Kc 8c, {FULL}", dealer, "stand") == ("win", 200)  # 18
    assert hand(f"Qc 7c, {FULL}", dealer, "stand") == ("push", 0)  # 17
    assert hand(f"Jc Tc, {FULL}", dealer, "stand") == ("win", 200)  # 20
    assert hand(f"Ac 7c, {FULL}", dealer, "stand") == ("win", 200)  # 18 with the ace as 11
    assert hand("Ac 7c 9c, 2s 3d 4h", dealer, "hit", "stand") == ("push", 0)  # 17 with the ace as 1
    assert hand("Ac Ad 5c, 2s 3d 4h", dealer, "hit", "stand") == ("push", 0)  # 17, one ace as 11


def test_6_2_the_higher_total_wins_1_to_1():
    assert hand(f"Kc 8c, {FULL}", "9d 8d", "stand") == ("win", 200)


def test_6_3_the_lower_total_loses():
    assert hand(f"Kc 7c, {FULL}", "Td 8d", "stand") == ("lose", -200)


def test_6_4_equal_totals_push():
    assert hand(f"Kc 8c, {FULL}", "Td 8d", "stand") == ("push", 0)
    assert hand(f"Kc Qc, {FULL}", "Td Jd", "stand") == ("push", 0)


def test_6_5_a_bust_loses_whatever_the_dealer_has():
    # The dealer's 16 and the king would bust too, if they were drawn.
    assert hand("Kc 6c 8c, 2s 3d 4h", "Td 6d Kd", "hit") == ("bust", -200)
    assert start("Kc 6c 8c, 2s 3d 4h", "Td 6d Kd").choose("hit").over


def test_6_6_the_dealers_bust_pays_1_to_1():
    assert hand("Kc 2c, 3d 4h 6c 5d", "Td 6d Kd", "stand") == ("win", 200)


@pytest.mark.parametrize("player", ["Ac Kc", "Tc As", "Jc Ah"])
def test_6_7_a_blackjack_wins_3_to_2(player):
    round = start(f"{player}, {FULL}", "9d 8d")
    assert round.choices == ()
    wager = round.settlement["blackjack"]
    assert (wager.outcome, wager.net) == ("blackjack", 300)


def test_6_8_or_6_to_5():
    assert hand(f"Ac Kc, {FULL}", "9d 8d", game=SIX_TO_FIVE) == ("blackjack", 240)
    assert hand(f"Kc 9c, {FULL}", "9d 8d", "stand", game=SIX_TO_FIVE) == ("win", 200)


def test_6_9_the_dealer_looks_for_a_blackjack_first():
    dealt = deal(2, "Tc 9c Kd 9h 8h Ad")
    assert dealt.over
    assert [round.settlement["blackjack"].outcome for round in dealt.rounds] == ["dealer blackjack"] * 2
    insured = start(f"Ac As, {FULL}", "Ad Kd").choose("decline")
    assert insured.choices == ()  # no double and no split
    assert insured.settlement["blackjack"].net == -200


def test_6_10_a_dealers_blackjack_beats_all_but_a_blackjack():
    assert hand(f"Kc Qc, {FULL}", "Kd Ad") == ("dealer blackjack", -200)
    assert hand(f"Ac 9c, {FULL}", "Ad Kd", "decline") == ("dealer blackjack", -200)


def test_6_11_two_blackjacks_push():
    assert hand(f"Ac Kc, {FULL}", "Kd Ad") == ("push", 0)
    assert hand(f"Ac Kc, {FULL}", "Ad Kd", "decline") == ("push", 0)


# -- 7 Insurance ------------------------------------------------------------------------------------


def test_7_1_on_an_ace_every_seat_decides_on_insurance_before_any_plays():
    dealt = deal(2, "Tc 9c Ad 9h 8h 7d")
    assert dealt.rounds[0].choices == ("insure", "decline")
    second = dealt.choose(0, "decline")
    assert second.turn == 1
    assert second.rounds[1].choices == ("insure", "decline")
    assert second.choose(1, "insure").turn == 0


@pytest.mark.parametrize("hole", ["Kd", "7d"])
def test_7_1_the_dealer_looks_after_all_have_decided_on_insurance(hole):
    second = deal(2, f"Tc 9c Ad 9h 8h {hole}").choose(0, "decline")
    # What the first seat sees must not tell the second whether to insure.
    assert [round.view.dealer for round in second.rounds] == [(*cards("Ad"), FACE_DOWN)] * 2
    assert second.choose(1, "insure").over == (hole == "Kd")


def test_7_1_a_player_with_a_blackjack_decides_on_insurance_too():
    assert start("Ac Kc", "Ad 9d").choices == ("insure", "decline")


@pytest.mark.parametrize("up", ["2d", "9d", "Td", "Kd"])
def test_7_2_not_on_another_card(up):
    assert start("Tc 9c", f"{up} 7d").choices == ("hit", "stand", "double")


def test_7_3_exactly_half_or_declined():
    round = start(f"Tc 9c, {FULL}", "Ad Kd")
    assert round.cost("insure") == 100
    assert round.choose("insure").settlement["insurance"].staked == 100
    assert [w.spot.name for w in round.choose("decline").settlement.wagers] == list(STAKE)


def test_7_4_insurance_wins_2_to_1_against_a_blackjack():
    settlement = settled(f"Tc 9c, {FULL}", "Ad Kd", "insure")
    assert settlement["insurance"].net == 2 * 100
    assert settlement["blackjack"].net == -200


def test_7_5_otherwise_it_loses_and_the_hand_is_played():
    round = start(f"Tc 9c, {FULL}", "Ad 7d").choose("insure")
    assert round.choices == ("hit", "stand", "double")
    settlement = round.choose("stand").settlement
    assert settlement["insurance"].net == -100
    assert settlement["blackjack"].net == 200  # 19 against soft 18


# -- 8 Playing a hand -------------------------------------------------------------------------------

SMALL = "2c 2d 2h 3c 3d 3h"  # 15 with six cards


def test_8_1_up_to_six_cards_hit_or_stand():
    round = start(SMALL, "Td 9d")
    assert round.choices[:2] == ("hit", "stand")
    for _ in range(3):
        round = round.choose("hit")
        assert round.choices == ("hit", "stand")
    assert round.choose("hit").over


@pytest.mark.parametrize("player", ["Kc 5c 6c", "Ac 2c 2d 3c 3d", "2c 3d 4h 5c 7s"])
def test_8_2_twenty_one_may_be_hit(player):
    held = cards(player)
    round = start(held, "Td 9d").choose(*["hit"] * (len(held) - 2))
    assert round.choices == ("hit", "stand")


def test_8_2_a_soft_21_of_five_cards_wins_by_the_sixth():
    five = "Ac 2c 2d 3c 3d"
    assert hand(f"{five}, Kh", "Td 6d 5d", *["hit"] * 3, "stand") == ("push", 0)  # 21 and 21
    assert hand(f"{five} Kh", "Td 6d 5d", *["hit"] * 4) == ("six cards", 200)


@pytest.mark.parametrize("first_two", ["2c 3c", "Kc Qc", "Ac 9c", "Ac As", "8c 8d"])
def test_8_3_any_first_two_cards_may_be_doubled(first_two):
    round = start(f"{first_two} 6h, 2s 3d 4h", "Td 9d")
    assert "double" in round.choices
    assert round.cost("double") == 200
    doubled = round.choose("double")
    assert doubled.over
    assert doubled.settlement["blackjack"].staked == 400


def test_8_4_no_double_after_a_third_card():
    assert "double" not in start("2c 3c 4c", "Td 9d").choose("hit").choices


@pytest.mark.parametrize(
    ("third", "expected"),
    [
        ("Kh", ("win", 400)),  # 21 against 19
        ("8h", ("push", 0)),
        ("2h", ("lose", -400)),
    ],
)
def test_8_5_a_double_is_settled_for_both_units(third, expected):
    assert hand(f"5c 6c {third}, 2s 3d 4h", "Td 9d", "double") == expected


def test_8_5_a_doubled_hand_that_busts_loses_both_units():
    assert hand("Kc 6c 8h, 2s 3d 4h", "Td 6d Kd", "double") == ("bust", -400)


def test_8_6_only_aces_may_be_split():
    assert "split" in start("Ac As", "Td 9d").choices
    for pair in ("2c 2d", "8c 8d", "Kc Kd", "Ac Kc", "Kc Qc"):
        assert "split" not in start(pair, "Td 9d").choices
    assert "split" not in start("Ac As 2c", "Td 9d").choose("hit").choices


def test_8_7_a_split_is_two_hands_for_one_unit_each():
    round = start("Ac As 9h 6h, 2s 3d", "Td 8d")
    assert round.cost("split") == 200
    split = round.choose("split").settlement["blackjack"]
    assert split.staked == 400
    assert (split.outcome, split.net) == ("split, win and lose", 0)  # 20 and 17 against 18


def test_8_8_one_card_each_and_the_first_ace_first():
    split = deal(1, "Ac Td As 8d 9h 6h").choose(0, "split")
    assert split.over
    wager = split.rounds[0].settlement["blackjack"]
    assert wager.outcome == "split, win and lose"  # 20 and 17 against 18


def test_8_9_a_third_ace_counts_12():
    round = start("Ac As Ah Ad, 2s 3d", "Td 6d Kd").choose("split")
    assert round.choices == ()
    assert round.settlement["blackjack"].why == "12 and 12 against bust with 26"
    assert hand("Ac As Ah Ad, 2s 3d", "Td 7d", "split") == ("split, lose and lose", -400)


def test_8_10_21_on_a_split_ace_is_no_blackjack():
    assert hand("Ac As Kh Qh, 2s 3d", "Td 8d", "split") == ("split, win and win", 400)
    assert hand("Ac As Kh Qh, 2s 3d", "Td 6d 5d", "split") == ("split, tie and tie", 0)


def test_8_11_six_cards_win_at_once():
    round = start(SMALL, "Td 6d 5d").choose(*["hit"] * 4)
    assert round.over
    assert round.view.dealer == cards("Td 6d")  # the 21 is not drawn
    wager = round.settlement["blackjack"]
    assert (wager.outcome, wager.net) == ("six cards", 200)


def test_8_11_six_cards_that_bust_lose():
    assert hand("2c 2d 2h 3c 3d Kh", "Td 9d", *["hit"] * 4) == ("bust", -200)


def test_8_12_or_the_six_cards_are_compared():
    hits = ["hit"] * 4
    assert start(SMALL, "Td 9d", SIX_CARD_RULE_OFF).choose(*hits).over
    assert hand(SMALL, "Td 9d", *hits, game=SIX_CARD_RULE_OFF) == ("lose", -200)
    assert hand(SMALL, "Td 6d Kd", *hits, game=SIX_CARD_RULE_OFF) == ("win", 200)
    assert hand("2c 2d 2h 3c 3d 7h", "Td 9d", *hits, game=SIX_CARD_RULE_OFF) == ("push", 0)


# -- 9 The dealer's hand ----------------------------------------------------------------------------


def dealers(hand, game=GAME):
    """The dealer's hand at the end, of these cards in order, against a player's 20."""
    return str(start(f"Kc Qc, {FULL}", hand, game).choose("stand").view.dealer)


def test_9_1_the_dealer_draws_to_16_and_stands_from_17():
    assert dealers("Td 6d 2d") == "Td 6d 2d"
    assert dealers("5d 5h 5c Ad 9d") == "5d 5h 5c Ad 9d"  # a hard 16
    assert dealers("Td 7d 2d") == "Td 7d"
    assert dealers("7d Ad 2d") == "7d Ad"  # a soft 18
    assert dealers("Td 6d Ad 2d") == "Td 6d Ad"  # a hard 17 with an ace


def test_9_2_the_dealer_hits_soft_17():
    assert dealers("6d Ad 4d") == "6d Ad 4d"
    assert dealers("3c 3h Ad 4d") == "3c 3h Ad 4d"
    assert hand(f"Kc 8c, {FULL}", "6d Ad 4d", "stand") == ("lose", -200)  # 18 against 21


def test_9_3_with_the_option_the_dealer_stands_on_soft_17():
    assert dealers("6d Ad 4d", STANDS) == "6d Ad"
    assert dealers("3c 3h Ad 4d", STANDS) == "3c 3h Ad"
    assert hand(f"Kc 8c, {FULL}", "6d Ad 4d", "stand", game=STANDS) == ("win", 200)  # 18 against 17


@pytest.mark.parametrize(
    ("player", "choices"),
    [
        ("Kc 6c 8c, 2s 3d 4h", ["hit"]),  # bust
        ("Kc 6c 8c, 2s 3d 4h", ["double"]),
        (f"Ac Kc, {FULL}", []),  # a blackjack
        (SMALL, ["hit"] * 4),  # six cards
    ],
)
def test_9_4_the_dealer_draws_for_no_one(player, choices):
    round = start(player, "9d 5d").choose(*choices)  # a third card would be missing
    assert round.view.dealer == cards("9d 5d")
    assert round.settlement


def test_9_5_the_dealer_draws_if_one_hand_is_to_be_compared():
    # The first seat busts with K, 6 and 8; the second stands on 19; the dealer's 14 draws a king.
    dealt = deal(2, "Kc Tc 9d 6c 9c 5d 8c Kd").choose(0, "hit").choose(1, "stand")
    assert [round.settlement["blackjack"].outcome for round in dealt.rounds] == ["bust", "win"]
    assert dealt.rounds[1].view.dealer == cards("9d 5d Kd")


# -- 10 Poker ---------------------------------------------------------------------------------------


def poker(player, dealer="9d 8h", *choices, table="TSB-01"):
    game = GAME.with_options({"poker": table})
    return settled(player, dealer, *(choices or ("stand",)), game=game)["poker"].net


def test_10_1_the_best_five_of_six():
    assert poker("Ts Js, Qs Ks As Ah") == 500 * 200
    assert poker("Kc Kd, Kh 2s 2c 2d") == 6 * 200  # two triples make a full house
    assert poker("Kc Kd, 4h 4c 2c 2d") == 300  # three pairs are two


def test_10_2_a_pair_of_jacks_or_better():
    assert poker("Jc Jd, 2s 4c 6h 8d") == 200
    assert poker("Tc Td, 2s 4c 6h 8d") == -200
    assert poker("Ac 9c, Kd 2s 4c 6h") == -200
    assert poker("Jc Jd, 2s 4c 6h 8d", "Kd Kh") == 200  # the dealer's kings do not matter
    assert poker("2c 2d, 3s 3c 6h 8d") == 300  # two small pairs


@pytest.mark.parametrize(
    ("player", "dealer", "choices"),
    [
        ("Kc 6c 8c, Kd 3d 4h", "Td 9d", ["hit"]),  # bust
        ("Ac Kc, Kd 2s 3d 4h", "Td 9d", []),  # a blackjack
        ("Kc 6c, Kd 2s 3d 4h", "Td Ad", []),  # against one
    ],
)
def test_10_3_poker_is_played_all_the_same(player, dealer, choices):
    round = start(player, dealer).choose(*choices)
    assert round.view.player == cards(player)
    assert round.settlement["poker"].net == 200  # a pair of kings


def test_10_3_six_cards_are_dealt_after_a_bust():
    dealt = deal(1, "Kc Td 6c 9d 8c Kd 2s 3d").choose(0, "hit")
    assert dealt.rounds[0].view.player == cards("Kc 6c 8c Kd 2s 3d")


def test_10_4_split_aces_and_their_cards_are_four_of_the_six():
    dealt = deal(1, "Ac Td As 8d Ah 5h 5c Ad").choose(0, "split")
    assert dealt.rounds[0].view.player == cards("Ac As Ah 5h 5c Ad")
    assert dealt.rounds[0].settlement["poker"].net == 20 * 200  # four aces


SIX_CARDS = {
    "Royal Flush": "Ts Js, Qs Ks As 2c",
    "Straight Flush": "9s Ts, Js Qs Ks 2c",
    "Four of a Kind": "Kc Kd, Kh Ks 2c 3d",
    "Full House": "Kc Kd, Kh 2s 2c 3d",
    "Flush": "Ks 9s, 7s 4s 2s 3d",
    "Straight": "9c Td, Jh Qs Kc 2d",
    "Three of a Kind": "Kc Kd, Kh 2s 4c 6d",
    "Two Pair": "Kc Kd, 2s 2c 4h 6d",
    "Jacks or Better": "Kc Kd, 2s 3c 4h 6d",
}


def test_10_5_two_tables():
    (_, *tables), *lines = rows("10.5")
    assert [hand for hand, *_ in lines] == list(SIX_CARDS)
    for name, *cells in lines:
        for table, odds in zip(tables, cells, strict=True):
            units = Fraction(odds.replace(" to ", "/"))
            assert poker(SIX_CARDS[name], table=table) == 200 * units, (name, table)
    assert GAME.options["poker"] == "TSB-01"


# -- 11 Hat Trick -----------------------------------------------------------------------------------

KEPT = ("none of the three lost", 900)
WINNER = "Kc Qd, Kd 2s 4c 6h"  # beats 9d 8h at War and Blackjack, with a pair of kings


def test_11_1_9_to_1_if_none_loses():
    assert hat_trick(WINNER, "9d 8h", "stand") == KEPT
    assert hat_trick("Kc As, Kd 2s 4c 6h", "9d 8h") == KEPT  # with a blackjack
    assert hat_trick("Kc 2d 2h 3c 3d Kh", "9d 8h", *["hit"] * 3, "stand") == KEPT  # with 20
    assert hat_trick("Ac 2d 2h 3c 3d Ah", "9d 8h", *["hit"] * 4) == KEPT  # with six cards


def test_11_2_or_6_to_1():
    game = GAME.with_options({"hat-trick": "6"})
    assert hat_trick(WINNER, "9d 8h", "stand", game=game) == ("none of the three lost", 600)


@pytest.mark.parametrize(
    ("player", "dealer", "choices", "outcome"),
    [
        ("8c Kd, Kc 2s 4c 6h", "9d 8h", ["stand"], "lost at War"),
        ("Kc 6c, Kd 2s 4c 6h", "9d 8h", ["stand"], "lost at Blackjack"),
        ("Kc 6c 9c, Kd 2s 4c", "9d 8h", ["hit"], "lost at Blackjack"),  # bust
        ("Kc 6c, Kd 2s 4c 6h", "Td Ah", [], "lost at Blackjack"),  # the dealer's blackjack
        ("Kc 6c 9c, Kd 2s 4c", "9d 8h", ["double"], "lost at Blackjack"),
        ("Kc 2c 2d, Kd 4s 6c", "9d 8h", ["double"], "lost at Blackjack"),  # 14
        ("Kc 9c, 7d 2s 4c 6h", "9d 8h", ["stand"], "lost at Poker"),
        ("8c 7c, 3d 2s 4h Kh", "9d 8h", ["stand"], "lost at War"),  # all three lose
        ("Kc 6c, 3d 2s 4h 8c", "9d 8h", ["stand"], "lost at Blackjack"),  # and then at Poker
    ],
)
def test_11_3_the_first_loss_takes_it(player, dealer, choices, outcome):
    assert hat_trick(player, dealer, *choices) == (outcome, -100)


def test_11_4_a_tie_at_war_counts_as_a_win():
    settlement = settled("9c Kd, Kc 2s 4h 6h", "9d 8h", "stand")
    assert settlement["war"].net == -100  # although half is lost
    assert settlement["hat-trick"].net == 900


@pytest.mark.parametrize(
    ("player", "dealer", "choices"),
    [
        ("Kc 7c, Kd 2s 4h 6h", "9d 8h", ["stand"]),  # 17 and 17
        ("Kc 5c 2c, Kd 4h 6h", "9d 8h", ["double"]),
        ("Kc As, Kd 2s 4h 6h", "Kh Ad", []),  # two blackjacks, and a tie at War
    ],
)
def test_11_5_a_push_at_blackjack_is_not_lost(player, dealer, choices):
    settlement = settled(player, dealer, *choices)
    assert settlement["blackjack"].result == "push"
    assert settlement["hat-trick"].net == 900


# Against the dealer's 18 an ace loses, ties or wins by the card on it. War (ace against ten) and Poker
# (a pair of aces) never lose, so the Hat Trick hangs on the split alone.
ON_FIRST = {"lose": "6c", "tie": "7c", "win": "9c"}
ON_SECOND = {"lose": "6d", "tie": "7d", "win": "9d"}
WORTH = {"lose": -200, "tie": 0, "win": 200}


@pytest.mark.parametrize("row", range(1, 10))
def test_11_6_the_nine_ways_of_split_aces(row):
    table = rows("11.6")
    assert len(table) == 1 + 9
    first, second, verdict = table[row]
    settlement = settled(f"As Ah {ON_FIRST[first]} {ON_SECOND[second]}, 2s 3h", "Td 8c", "split")
    assert settlement["blackjack"].outcome == f"split, {first} and {second}"
    assert settlement["blackjack"].net == WORTH[first] + WORTH[second]
    assert settlement["hat-trick"].net == (900 if verdict == "stays" else -100)
    assert (verdict == "stays") == (settlement["blackjack"].net >= 0)


def test_11_7_insurance_has_no_effect_on_it():
    won = settled("Ac 9c, Kc 2s 4h 6h", "Ad Kh", "insure")
    assert won["insurance"].net == 200
    assert won["hat-trick"].outcome == "lost at Blackjack"
    lost = settled("Ac 9c, As 2s 4h 6h", "Ad 8h", "insure", "stand")
    assert lost["insurance"].net == -100
    assert lost["hat-trick"].net == 900


# -- 12 Settling ------------------------------------------------------------------------------------


def test_12_1_war_is_decided_by_the_first_cards():
    for player, dealer, choices in [
        ("Kc Qd, Kd 2s 4c 6h", "9d 8h", ["stand"]),
        ("Kc 6c 9c, 2s 3d 4h", "9d 8h", ["hit"]),  # bust
        (f"Kc 9c, {FULL}", "Td Ah", []),  # the dealer's blackjack
    ]:
        assert settled(player, dealer, *choices)["war"].net == 200


def test_12_2_war_insurance_blackjack_poker_hat_trick():
    settlement = settled(f"Tc 9c, {FULL}", "Ad 7d", "insure", "stand")
    order = [wager.spot.name for wager in settlement.wagers]
    assert order == ["war", "insurance", "blackjack", "poker", "hat-trick"]


def test_12_3_seats_are_settled_from_right_to_left():
    dealt = deal(2, TWO_SEATS).choose(0, "stand")
    with pytest.raises(Refused, match="position 2 has to choose"):
        list(dealt.settling)
    assert [seat for seat, _ in dealt.choose(1, "stand").settling] == [1, 0]


def test_12_4_every_wager_ends_once_with_its_outcome():
    settlement = settled(f"Tc 9c, {FULL}", "Ad 8h", "insure", "stand")
    assert [(wager.spot.name, wager.result, wager.outcome) for wager in settlement.wagers] == [
        ("war", "lose", "lower card"),
        ("insurance", "lose", "no dealer blackjack"),
        ("blackjack", "push", "push"),  # 19 and 19
        ("poker", "lose", "less than a pair of Jacks"),
        ("hat-trick", "lose", "lost at War"),
    ]
    assert settlement.net == -200 - 100 + 0 - 200 - 100


def test_12_5_war_then_blackjack_then_poker_for_all_seats():
    dealt = deal(2, TWO_SEATS).choose(0, "stand").choose(1, "stand")
    order = [(seat, wager.spot.name) for seat, wager in dealt.payments if wager.spot.name != "hat-trick"]
    games = ("war", "blackjack", "poker")
    assert order == [(seat, game) for game in games for seat in (1, 0)]


@pytest.mark.parametrize("rule", ["on", "off"])
@pytest.mark.parametrize(("sixth", "blackjack"), [("3h", "win"), ("Kh", "lose")])
def test_12_2_six_cards_wait_for_the_poker_of_all_seats(rule, sixth, blackjack):
    """A bust, or six cards: Blackjack ends at once where the rules say so, Poker never does."""
    game = GAME.with_options({"six-card-rule": rule})
    dealt = deal(2, f"2c Tc 6h 2d Td Th 2h 3c 3d {sixth}", game)
    for _ in range(4):
        dealt = dealt.choose(0, "hit")
    assert dealt.turn == 1
    settled = {wager.spot.name for seat, wager in dealt.payments if seat == 0}
    assert "poker" not in settled
    if rule == "on" or blackjack == "lose":
        assert "blackjack" in settled
    order = [(seat, wager.spot.name) for seat, wager in dealt.choose(1, "stand").payments]
    assert order.index((1, "blackjack")) < order.index((1, "poker")) < order.index((0, "poker"))
    assert order.index((0, "blackjack")) < order.index((1, "poker"))


# -- 13 Irregularities ------------------------------------------------------------------------------


@pytest.mark.parametrize(("hands", "dealer"), [([2, 3], 2), ([1, 2], 2), ([2, 2], 3)])
def test_13_1_a_wrong_number_of_cards_voids_the_round(hands, dealer):
    void = deal(2, TWO_SEATS).count_hands(hands, dealer)
    results = {(wager.spot.name, wager.result) for _, wager in void.payments}
    open_wagers = ("blackjack", "poker", "hat-trick")
    assert results == {("war", "win"), *((spot, "refund") for spot in open_wagers)}  # War was settled before


def test_13_2_a_right_count_leaves_the_round_as_it_is():
    dealt = deal(2, TWO_SEATS)
    assert dealt.count_hands([2, 2], 2) == dealt
    waiting = dealt.choose(0, "stand")  # its cards for Poker come after the second seat's turn
    assert waiting.count_hands([2, 2], 2) == waiting
    over = waiting.choose(1, "stand")
    assert over.count_hands([6, 6], 2) == over


def returned(round):
    return {wager.spot.name: wager.returned for wager in round.settlement.wagers}


def test_13_3_a_void_round_refunds_everything():
    reason = "Position 1 has 3 cards instead of 2."
    assert returned(start("Tc 9c", "Td 8d").declare_void(reason)) == STAKE
    doubled = start("Tc 9c 2c, 2s 3d 4h", "Td 8d").choose("double")
    assert returned(doubled.declare_void(reason)) == {**STAKE, "blackjack": 400}
    split = start("Ac As 2c 3c, 2s 3d", "Td 8d").choose("split")
    assert returned(split.declare_void(reason)) == {**STAKE, "blackjack": 400}
    insured = start("Tc 9c", "Ad 8d").choose("insure")
    assert returned(insured.declare_void(reason)) == {**STAKE, "insurance": 100}


def test_13_4_a_void_round_opens_no_choice():
    void = deal(2, TWO_SEATS).declare_void("the shuffler failed")
    assert void.over
    assert void.rounds[0].choices == ()
    with pytest.raises(Refused, match="no choice is open"):
        void.choose(0, "stand")


def test_13_5_a_card_seen_too_early():
    check_card_seen_too_early(GAME)


def test_13_6_a_card_out_of_turn_or_to_the_wrong_seat():
    check_card_out_of_turn(GAME)


def test_13_7_a_wrong_payment_is_corrected_later():
    check_wrong_payment(GAME)


# -- The sheet and the options ----------------------------------------------------------------------


def test_every_option_is_on_the_sheet():
    sheet = SHEET.read_text()
    assert all(f"`{option.name}`" in sheet for option in GAME.rules.OPTIONS)
