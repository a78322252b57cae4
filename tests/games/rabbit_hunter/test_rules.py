"""Each clause of docs/rules/rabbit-hunter.md, by its number.

The Ante is $10, Tens Up $5, Two Way Bad Beat $2. A player's hand is written with the sixth card last.
"""

from collections import Counter

import pytest

from feltlab.core.cards import Cards, cards
from feltlab.core.deal import Deal
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.core.settlement import Settlement
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support.irregular import check_card_out_of_turn, check_card_seen_too_early, check_wrong_payment

GAME = GAMES["rabbit-hunter"]
ANTE, TENS_UP, BAD_BEAT = 1000, 500, 200
WAGERS = {"ante": ANTE, "tens-up": TENS_UP, "bad-beat": BAD_BEAT}

# Dealer's hands.
KING_HIGH = "Kd Qc Jh Td 8d"  # the best that does not qualify
ACE_HIGH = "Ad 6h 4h 3c 2d"  # the weakest that qualifies
JACKS = "Jd Jh 7c 5c 3d"

# Player's hands: five cards and the sixth, which helps none of them.
QUEEN_HIGH = "Qs 9h 7d 5h 3s 2c"
NINES = "9s 9d Ks 5h 3s 2c"
TENS = "Ts Tc Ks 5h 4s 2c"
QUEENS = "Qs Qh 9c 5h 4s 2c"


def shoe(top: str) -> Cards:
    """The whole deck with these cards on top."""
    rest = Counter(GAME.deck.cards) - Counter(cards(top))
    return Cards((*cards(top), *rest.elements()))


def deal(*packets: str) -> Deal:
    """A packet to each seat and, last, the dealer's, each from its top card down."""
    return Deal.start(GAME, shoe(" ".join(packets)), [WAGERS] * (len(packets) - 1))


def start(player: str, dealer: str) -> Round:
    return Round.of(GAME, player, dealer, ante=ANTE, tens_up=TENS_UP, bad_beat=BAD_BEAT)


def settle(player: str, dealer: str, choice: str = "play") -> Settlement:
    return start(player, dealer).choose(choice).settlement


def ante_and_play(player: str, dealer: str, choice: str = "play") -> list[tuple[str, int]]:
    """The results and nets of Ante and Play."""
    settlement = settle(player, dealer, choice)
    return [(settlement[spot].result, settlement[spot].net) for spot in ("ante", "play")]


BOTH_WIN, BOTH_LOSE, BOTH_PUSH = [("win", ANTE)] * 2, [("lose", -ANTE)] * 2, [("push", 0)] * 2


# -- 1 Cards and deck -------------------------------------------------------------------------------


def test_1_1_52_cards() -> None:
    assert sorted(GAME.deck.cards) == [*range(52)]


def test_1_2_the_whole_deck_is_shuffled_for_every_round() -> None:
    assert GAME.behind_cut == len(GAME.deck) == 52  # behind the cut card: what is not dealt on from


# -- 2 Hands ----------------------------------------------------------------------------------------


def test_2_1_the_order_of_hands() -> None:
    best_first = (
        "As Ks Qs Js Ts", "9s 8s 7s 6s 5s", "2s 2d 2h 2c 3d", "2s 2d 2h 3c 3d", "7s 5s 4s 3s 2s",
        "5s 4d 3h 2c As", "2s 2d 2h 4c 3d", "3s 3d 2h 2c 4d", "2s 2d 5h 4c 3d", "As Kd Qh Jc 9d",
    )  # fmt: skip
    strengths = [poker.read(cards(hand)).strength for hand in best_first]
    assert strengths == sorted(set(strengths), reverse=True)
    assert [poker.read(cards(hand)).category for hand in best_first] == [
        "Royal Flush", "Straight Flush", "Four of a Kind", "Full House", "Flush", "Straight",
        "Three of a Kind", "Two Pair", "Pair", "High Card",
    ]  # fmt: skip


def test_2_1_a_flush_beats_a_straight() -> None:
    assert ante_and_play("7s 5s 4s 3s 2s 8d", "Ad Kd Qh Jc Td") == BOTH_WIN


def test_2_2_ranks_first_then_kickers() -> None:
    assert ante_and_play("Qs Qd 4s 3h 2c 6c", JACKS) == BOTH_WIN  # queens against jacks
    assert ante_and_play("Js Jc 8s 3h 2c 6c", JACKS) == BOTH_WIN  # both jacks: eight kicker against seven
    assert ante_and_play("Js Jc 7s 5h 2c 6c", JACKS) == BOTH_LOSE  # the last kicker: deuce against three


def test_2_3_suits_do_not_matter() -> None:
    assert ante_and_play("Js Jc 7s 5h 3s 2c", JACKS) == BOTH_PUSH


def test_2_4_the_wheel_is_the_lowest_straight() -> None:
    assert settle("As 2d 3h 4c 5s Kd", JACKS.replace("3d", "3c"))["tens-up"].outcome == "Straight"
    assert ante_and_play("As 2d 3h 4c 5s Kd", "2s 3d 4s 5d 6h") == BOTH_LOSE


def test_2_5_no_straight_runs_round_the_ace() -> None:
    assert settle("Qs Kd Ah 2c 3s 7d", JACKS)["tens-up"].net == -TENS_UP


# -- 3 Wagers ---------------------------------------------------------------------------------------


def test_3_1_the_ante_is_required() -> None:
    with pytest.raises(Refused, match="requires the Ante wager"):
        Round.of(GAME, NINES, JACKS, bad_beat=BAD_BEAT)


def test_3_2_tens_up_is_optional() -> None:
    settlement = Round.of(GAME, NINES, JACKS, ante=ANTE, bad_beat=BAD_BEAT).choose("fold").settlement
    assert [settled.spot.name for settled in settlement.wagers] == ["ante", "bad-beat"]


def test_3_3_tens_up_is_at_most_the_ante() -> None:
    Round.of(GAME, NINES, JACKS, ante=ANTE, tens_up=ANTE)
    with pytest.raises(Refused, match="Tens Up wager may not be more than the Ante"):
        Round.of(GAME, NINES, JACKS, ante=ANTE, tens_up=ANTE + 1)


def test_3_4_bad_beat_is_optional() -> None:
    for others in (
        {},
        {"tens_up": TENS_UP},
        {"bad_beat": BAD_BEAT},
        {"tens_up": TENS_UP, "bad_beat": BAD_BEAT},
    ):
        settlement = Round.of(GAME, NINES, JACKS, ante=ANTE, **others).choose("fold").settlement
        assert settlement.staked == ANTE + sum(others.values())


@pytest.mark.parametrize("cents", [1, ANTE, 50 * ANTE])
def test_3_5_bad_beat_has_any_size(cents: int) -> None:
    settlement = Round.of(GAME, NINES, JACKS, ante=ANTE, bad_beat=cents).choose("fold").settlement
    assert settlement["bad-beat"].net == -cents


def test_3_6_a_hand_carries_these_three_first_wagers_and_no_other() -> None:
    assert [spot.name for spot in GAME.wagers] == ["ante", "tens-up", "bad-beat"]
    assert GAME.rules.GAMES_PER_HAND == 3
    for raised in ("play", "sixth_card"):
        with pytest.raises(Refused, match="is not a wager"):
            Round.of(GAME, NINES, JACKS, ante=ANTE, **{raised: ANTE})


@pytest.mark.parametrize("wager", ["ante", "tens-up", "bad-beat"])
def test_3_7_wagers_are_whole_cents_above_zero(wager: str) -> None:
    GAME.check_wagers({"ante": 1, "tens-up": 1, "bad-beat": 1})
    for wrong in (0, -5, 1.5):
        with pytest.raises(Refused, match="wager must be"):
            GAME.check_wagers({**WAGERS, wager: wrong})  # type: ignore[dict-item]


def test_3_8_seven_seats_at_most() -> None:
    seven = Deal.start(GAME, GAME.deck.cards, [WAGERS] * 7)
    assert len(seven.rest) == 52 - 8 * 6
    with pytest.raises(Refused, match="seats at most 7"):
        Deal.start(GAME, GAME.deck.cards, [WAGERS] * 8)


def test_3_9_a_player_holds_one_seat() -> None:
    with pytest.raises(Refused, match="Ann may hold only one seat"):
        Deal(GAME, GAME.deck.cards, (Seat(WAGERS, player="Ann"), Seat(WAGERS, player="Ann")))


# -- 4 The deal -------------------------------------------------------------------------------------

# Packets from the top: the sixth card (or the dealer's burned one) comes first.
LEFT, RIGHT, DEALERS = "2c 9s 9d Ks 5h 3s", "8c Qs Qh 9c 4h 4s", "Ac Jd Jh 7c 5c 3d"


def test_4_1_no_more_wagers_is_called() -> None:
    assert deal(LEFT, DEALERS).calls == ("No more bets.",)


def test_4_2_packets_of_six_from_the_left_the_dealer_last() -> None:
    dealt = deal(LEFT, RIGHT, DEALERS)
    assert [set(round.shoe[:6]) for round in dealt.rounds] == [set(cards(LEFT)), set(cards(RIGHT))]
    assert all(set(round.shoe[6:]) < set(cards(DEALERS)) for round in dealt.rounds)


def test_4_3_the_top_card_of_a_packet_is_the_sixth() -> None:
    bought = deal(LEFT, DEALERS).choose(0, "buy").rounds[0]
    assert str(bought.view.player) == "9s 9d Ks 5h 3s 2c"


def test_4_4_the_dealers_top_card_is_burned() -> None:
    over = deal(LEFT, DEALERS).choose(0, "play").rounds[0]
    assert str(over.view.dealer) == "Jd Jh 7c 5c 3d"  # without the ace of clubs


def test_4_5_the_other_cards_are_out_of_play() -> None:
    dealt = deal(LEFT, RIGHT, DEALERS)
    assert len(dealt.rest) == 52 - 3 * 6
    assert dealt.choose(0, "buy").choose(1, "fold").rest == dealt.rest


def test_4_6_players_see_their_own_five_cards() -> None:
    assert str(deal(LEFT, RIGHT, DEALERS).rounds[1].view.player) == "Qs Qh 9c 4h 4s ##"


def test_4_7_players_do_not_see_each_others_cards() -> None:
    dealt = deal(LEFT, RIGHT, DEALERS)
    assert not set(dealt.rounds[0].seen) & set(cards(RIGHT))
    assert not set(dealt.rounds[1].seen) & set(cards(LEFT))


def test_4_8_the_sixth_card_lies_face_down_until_it_is_bought() -> None:
    assert str(start(NINES, JACKS).view.player) == "9s 9d Ks 5h 3s ##"
    assert str(start(NINES, JACKS).choose("buy").view.player) == NINES


def test_4_9_the_dealers_cards_lie_face_down_until_the_choice() -> None:
    assert str(start(NINES, JACKS).view.dealer) == "## ## ## ## ##"
    assert str(start(NINES, JACKS).choose("play").view.dealer) == JACKS


def test_4_9_the_dealers_cards_lie_face_down_until_every_seat_has_chosen() -> None:
    waiting = deal(LEFT, RIGHT, DEALERS).choose(0, "play")
    assert {str(round.view.dealer) for round in waiting.rounds} == {"## ## ## ## ##"}
    assert {str(round.view.dealer) for round in waiting.choose(1, "play").rounds} == {JACKS}


# -- 5 The choice -----------------------------------------------------------------------------------


def test_5_1_fold_or_play_or_play_and_buy() -> None:
    assert set(start(NINES, JACKS).choices) == {"fold", "play", "buy"}
    bought = settle(NINES, JACKS, "buy")
    assert bought["play"].staked == bought["sixth-card"].staked == ANTE  # no price without Play
    with pytest.raises(Refused, match="not over"):
        _ = start(NINES, JACKS).settlement


def test_5_2_play_equals_the_ante() -> None:
    assert start(NINES, JACKS).cost("play") == ANTE
    assert settle(NINES, JACKS)["play"].staked == ANTE


def test_5_3_the_price_equals_the_ante() -> None:
    assert start(NINES, JACKS).cost("buy") == 2 * ANTE  # Play and the price
    assert settle(NINES, JACKS, "buy")["sixth-card"].staked == ANTE


@pytest.mark.parametrize(
    ("player", "dealer"),
    [(QUEENS, JACKS), (NINES, JACKS), ("Js Jc 7s 5h 3s 2c", JACKS), (QUEEN_HIGH, KING_HIGH)],
)  # won, lost, tied, not qualified
def test_5_4_the_price_never_comes_back(player: str, dealer: str) -> None:
    price = settle(player, dealer, "buy")["sixth-card"]
    assert (price.net, price.returned) == (-ANTE, 0)


def test_5_5_a_buyer_plays_the_best_five_of_six() -> None:
    three_nines = "9s 9d Ks 5h 3s 9h"
    assert ante_and_play(three_nines, JACKS, "buy") == BOTH_WIN
    # The sixth card does not have to be used: a flush stays a flush.
    assert settle("As Js 9s 6s 3s 3c", JACKS, "buy")["tens-up"].outcome == "Flush"


def test_5_6_without_buying_the_first_five_play() -> None:
    three_nines = "9s 9d Ks 5h 3s 9h"
    assert ante_and_play(three_nines, JACKS, "play") == BOTH_LOSE
    assert str(start(three_nines, JACKS).choose("play").view.player) == "9s 9d Ks 5h 3s ##"


@pytest.mark.parametrize("dealer", [KING_HIGH, JACKS])
def test_5_7_a_fold_loses_the_ante(dealer: str) -> None:
    settlement = settle("As Ac 9s 6s 3s 2c", dealer, "fold")  # aces, better than either
    assert (settlement["ante"].outcome, settlement["ante"].net) == ("fold", -ANTE)
    assert [settled.spot.name for settled in settlement.wagers] == ["ante", "tens-up", "bad-beat"]


def test_5_8_a_fold_loses_tens_up() -> None:
    tens_up = settle("As Js 9s 6s 3s 2c", JACKS, "fold")["tens-up"]  # with a flush
    assert (tens_up.outcome, tens_up.net) == ("fold", -TENS_UP)


def test_5_9_a_fold_loses_bad_beat() -> None:
    bad_beat = settle(TENS, JACKS, "fold")["bad-beat"]  # tens that jacks would have beaten
    assert (bad_beat.outcome, bad_beat.net) == ("fold", -BAD_BEAT)


@pytest.mark.parametrize("choices", [("play", "buy"), ("play", "fold"), ("fold", "play"), ("buy", "fold")])
def test_5_10_the_choice_is_made_once(choices: tuple[str, str]) -> None:
    with pytest.raises(Refused, match="no choice is open"):
        start(NINES, JACKS).choose(*choices)


def test_5_11_seats_choose_from_left_to_right() -> None:
    dealt = deal(LEFT, RIGHT, DEALERS)
    assert dealt.turn == 0
    with pytest.raises(Refused, match="turn of position 1"):
        dealt.choose(1, "play")
    assert dealt.choose(0, "buy").turn == 1
    assert dealt.choose(0, "buy").choose(1, "fold").over


# -- 6 Ante and Play --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [(KING_HIGH, False), (ACE_HIGH, True), ("2d 2h 6c 4c 3d", True), ("7d 6h 5c 4d 3c", True)],
)  # the last two: deuces, and a straight without an ace
def test_6_1_the_dealer_qualifies_with_ace_high(dealer: str, qualifies: bool) -> None:
    assert (settle(QUEENS, dealer)["ante"].result != "refund") is qualifies


TIED_KING_HIGH = "Ks Qs Jc Ts 8c 2c"


@pytest.mark.parametrize("player", [QUEENS, QUEEN_HIGH, TIED_KING_HIGH])  # better, worse, tied
def test_6_2_not_qualified_the_ante_is_refunded(player: str) -> None:
    ante = settle(player, KING_HIGH)["ante"]
    assert (ante.outcome, ante.result, ante.returned) == ("dealer does not qualify", "refund", ANTE)


@pytest.mark.parametrize(
    ("player", "play"),
    [(QUEENS, ("win", ANTE)), (QUEEN_HIGH, ("lose", -ANTE)), (TIED_KING_HIGH, ("push", 0))],
)
def test_6_3_not_qualified_play_is_compared(player: str, play: tuple[str, int]) -> None:
    assert ante_and_play(player, KING_HIGH)[1] == play


def test_6_4_not_qualified_the_other_wagers_are_settled() -> None:
    assert settle(QUEENS, KING_HIGH)["tens-up"].net == TENS_UP
    assert settle(QUEEN_HIGH, KING_HIGH)["tens-up"].net == -TENS_UP
    assert settle(QUEENS, KING_HIGH)["bad-beat"].net == -BAD_BEAT  # king high was beaten
    assert settle(QUEEN_HIGH, KING_HIGH)["bad-beat"].net == -BAD_BEAT  # queen high was beaten


def test_6_5_qualified_the_better_hand_wins_both() -> None:
    assert ante_and_play(QUEENS, JACKS) == BOTH_WIN


def test_6_6_qualified_the_worse_hand_loses_both() -> None:
    assert ante_and_play(QUEEN_HIGH, ACE_HIGH) == BOTH_LOSE


def test_6_7_qualified_a_tie_pushes_both() -> None:
    assert ante_and_play("As 6c 4s 3h 2s 9c", ACE_HIGH) == BOTH_PUSH


def test_6_8_the_pay_tables_of_ante_play_and_price() -> None:
    def odds(spot: str) -> dict[str, str]:
        return {line.outcome: line.odds for line in GAME.pay_table(GAME.spot(spot)).lines}

    compared = {"better hand": "1 to 1", "worse hand": "lose", "tie": "push"}
    assert odds("ante") == {"fold": "lose", "dealer does not qualify": "refund", **compared}
    assert odds("play") == compared
    assert odds("sixth-card") == {"bought": "lose"}


# -- 7 Tens Up --------------------------------------------------------------------------------------


def test_7_1_tens_up_wins_with_a_pair_of_tens() -> None:
    assert settle(TENS, JACKS)["tens-up"].net == TENS_UP
    assert settle("9s 9d As Kh Qs 2c", JACKS)["tens-up"].net == -TENS_UP  # the best pair of nines


def test_7_2_any_two_pair_wins() -> None:
    assert settle("3s 3h 2s 2h 4s Kc", JACKS)["tens-up"].net == 2 * TENS_UP


def test_7_3_tens_up_is_judged_on_the_final_hand() -> None:
    tens_with_the_sixth = "Ts 9d Ks 5h 3s Tc"
    assert settle(tens_with_the_sixth, JACKS, "buy")["tens-up"].net == TENS_UP
    assert settle(tens_with_the_sixth, JACKS, "play")["tens-up"].net == -TENS_UP


@pytest.mark.parametrize("dealer", [KING_HIGH, ACE_HIGH, JACKS])  # not qualified, worse, better
def test_7_4_the_dealer_has_no_effect_on_tens_up(dealer: str) -> None:
    assert settle(TENS, dealer)["tens-up"].net == TENS_UP


@pytest.mark.parametrize(
    ("player", "line", "pays"),
    [
        ("As Ks Qs Js Ts 2c", "Royal Flush", 500),
        ("9s 8s 7s 6s 5s 2c", "Straight Flush", 100),
        ("9s 9d 9h 9c 4s 2c", "Four of a Kind", 50),
        ("9s 9d 9h 4c 4s 2c", "Full House", 30),
        ("As Js 9s 6s 4s 2c", "Flush", 10),
        ("9s 8d 7h 6c 5s 2c", "Straight", 7),
        ("9s 9d 9h 6c 4s 2c", "Three of a Kind", 5),
        ("9s 9d 4h 4c 6s 2c", "Two Pair", 2),
        ("As Ad 9h 6c 4s 2c", "Tens Up", 1),
        ("Ts Td 9h 6c 4s 2c", "Tens Up", 1),
        ("As Kd 9h 6c 4s 2c", "less than a pair of Tens", -1),
    ],
)
def test_7_5_the_pays_of_tens_up(player: str, line: str, pays: int) -> None:
    tens_up = settle(player, JACKS)["tens-up"]
    assert (tens_up.outcome, tens_up.net) == (line, pays * TENS_UP)


# -- 8 Two Way Bad Beat -----------------------------------------------------------------------------


def test_8_1_bad_beat_wins_when_the_players_tens_are_beaten() -> None:
    assert settle(TENS, JACKS)["bad-beat"].net == 10 * BAD_BEAT


def test_8_2_bad_beat_wins_when_the_dealers_tens_are_beaten() -> None:
    assert settle(QUEENS, "Td Th 7c 5c 3d")["bad-beat"].net == 10 * BAD_BEAT


def test_8_3_bad_beat_loses_when_less_is_beaten() -> None:
    assert settle("9s 9c As Kh Qs 2c", JACKS)["bad-beat"].net == -BAD_BEAT  # the player's nines
    assert settle(QUEENS, "9d 9h Ac Kc Jd")["bad-beat"].net == -BAD_BEAT  # the dealer's nines


def test_8_4_bad_beat_loses_on_a_tie() -> None:
    assert settle("Js Jc 7s 5h 3s 2c", JACKS)["bad-beat"].net == -BAD_BEAT


def test_8_5_a_bought_card_counts_for_bad_beat() -> None:
    two_pair = "9s 9c Ks 5h 3s 3h"  # two pair with the sixth card, a pair of nines without
    three_jacks = "Jd Jh Jc 7d 2d"
    assert settle(two_pair, three_jacks, "buy")["bad-beat"].net == 10 * BAD_BEAT
    assert settle(two_pair, three_jacks, "play")["bad-beat"].net == -BAD_BEAT


def test_8_6_the_pay_table_of_bad_beat() -> None:
    table = GAME.pay_table(GAME.spot("bad-beat"))
    assert {line.outcome: line.odds for line in table.lines} == {
        "bad beat": "10 to 1",
        "no bad beat": "lose",
        "fold": "lose",
    }


# -- 9 Settling -------------------------------------------------------------------------------------


def test_9_1_seats_are_settled_from_right_to_left() -> None:
    over = deal(LEFT, RIGHT, DEALERS).choose(0, "play").choose(1, "play")
    assert [(seat, settlement["play"].net) for seat, settlement in over.settling] == [(1, ANTE), (0, -ANTE)]


def test_9_2_the_order_of_wagers() -> None:
    order = [settled.spot.name for settled in settle(QUEENS, JACKS, "buy").wagers]
    assert order == ["sixth-card", "ante", "play", "tens-up", "bad-beat"]


def test_9_3_each_wager_once_with_its_outcome_and_hands() -> None:
    hands = "Pair of Tens against Pair of Jacks"
    assert [(wager.outcome, wager.result, wager.why) for wager in settle(TENS, JACKS, "buy").wagers] == [
        ("bought", "lose", "the price stays with the house"),
        ("worse hand", "lose", hands),
        ("worse hand", "lose", hands),
        ("Tens Up", "win", "Pair of Tens"),
        ("bad beat", "win", hands),
    ]


def test_9_4_folded_wagers_are_collected_first() -> None:
    over = deal(LEFT, RIGHT, DEALERS).choose(0, "fold").choose(1, "play")
    assert [seat for seat, _ in over.payments] == [0, 0, 0, 1, 1, 1, 1]


def test_9_5_antes_are_refunded_before_the_rest_is_settled() -> None:
    over = deal(LEFT, RIGHT, "Kc Qd 9h 5c 3d 2h").choose(0, "play").choose(1, "play")
    paid = [(seat, wager.spot.name, wager.result == "refund") for seat, wager in over.payments]
    assert paid[:3] == [(1, "ante", True), (0, "ante", True), (1, "play", False)]
    assert not any(refunded for _, _, refunded in paid[2:])


# -- 10 Irregularities ------------------------------------------------------------------------------


@pytest.mark.parametrize(("hands", "dealer"), [([6, 7], 5), ([5, 6], 5), ([6, 6], 6), ([6, 6], 4)])
def test_10_1_a_wrong_number_of_cards_voids_the_round_for_all(hands: list[int], dealer: int) -> None:
    dealt = deal(LEFT, RIGHT, DEALERS)
    assert dealt.count_hands([6, 6], 5) is dealt  # the sixth card counts, the burned one does not
    assert all(round.void for round in dealt.count_hands(hands, dealer).rounds)


def test_10_2_a_void_round_refunds_what_is_still_open() -> None:
    """The price of the sixth card was collected when it was bought."""
    void = deal(LEFT, RIGHT, DEALERS).choose(0, "buy").count_hands([6, 6], 6)
    (_, price), *others = void.payments
    assert (price.spot.name, price.result, price.net) == ("sixth-card", "lose", -ANTE)
    assert [(wager.result, wager.net) for _, wager in others] == [("refund", 0)] * 7  # 4 and 3 wagers


def test_10_3_a_void_round_has_no_choice() -> None:
    void = deal(LEFT, DEALERS).count_hands([7], 5)
    assert (void.turn, void.rounds[0].choices) == (None, ())
    with pytest.raises(Refused, match="no choice is open"):
        void.choose(0, "play")


def test_10_4_a_card_seen_too_early() -> None:
    check_card_seen_too_early(GAME)


def test_10_5_a_card_out_of_turn_or_to_the_wrong_seat() -> None:
    check_card_out_of_turn(GAME)


def test_10_6_a_wrong_payment_is_corrected_later() -> None:
    check_wrong_payment(GAME)


def test_the_reason_names_the_kickers_that_decide() -> None:
    settlement = settle("Jc Js Ks 5h 3s 2c", "Jd Jh 7c 5c 3d")
    assert settlement["play"].why == "Pair of Jacks, king kicker, against Pair of Jacks, seven kicker"


def test_a_refunded_ante_names_no_kickers() -> None:
    settlement = settle("Ks Qd 9h 5h 3s 2c", "Kd Qc Jh Td 8d")
    assert settlement["ante"].why == "King high against King high"
    assert settlement["play"].why == "King high, queen-nine kickers, against King high, queen-jack kickers"
