"""Each clause of docs/rules/high-five-poker.md, by its number. The Ante is $10, Trips $5."""

from collections import Counter
from dataclasses import replace

import pytest

from feltlab.core.cards import JOKER, Cards, cards
from feltlab.core.deal import Deal
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.core.settlement import Settlement
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support.irregular import check_card_out_of_turn, check_card_seen_too_early, check_wrong_payment

GAME = GAMES["high-five-poker"]
ANTE, TRIPS = 1000, 500
WAGERS = {"ante": ANTE, "trips": TRIPS}

# Dealer's hands. None of them holds a card of the player's hands below.
THREES = "3d 3h 5d 7c 8h Tc Qd"  # a pair of threes: does not qualify
SIXES = "6d 6h 3d 8h Tc Qd 4c"  # a pair of sixes: the weakest that qualifies
QUEENS = "Qd Qh 3d 5d 7c 8h Tc"

# A player's hand of each line of the Trips tables, and what APP-01, APP-02 and APP-03 pay for it.
HANDS = {
    "Five Aces": ("Ac Ad Ah As Jk Kc 9d", (200, 200, 200)),
    "Royal Flush": ("As Ks Qs Js Ts 4d 2c", (100, 100, 100)),
    "Straight Flush": ("9s 8s 7s 6s 5s Kd 2c", (50, 50, 50)),
    "Four of a Kind": ("9s 9d 9h 9c Kd 4s 2c", (40, 40, 40)),
    "Full House (Aces Up)": ("As Ad Ah Kc Kd 7s 2c", (20, 25, 15)),
    "Full House (Other)": ("Ks Kd Kh Ac Ad 7s 2c", (7, 7, 7)),
    "Flush": ("As Js 9s 6s 3s Kd 8c", (4, 4, 4)),
    "Straight": ("9s 8d 7h 6c 5s Kd 2c", (2, 2, 2)),
    "Three of a Kind": ("9s 9d 9h Kc Jd 6s 2c", (1, 1, 1)),
    "less than Three of a Kind": ("9s 9d Kh Kc Jd 6s 2c", (-1, -1, -1)),
}


def shoe(top: str) -> Cards:
    """The whole deck with these cards on top."""
    rest = Counter(GAME.deck.cards) - Counter(cards(top))
    return Cards((*cards(top), *rest.elements()))


def deal(*hands: str) -> Deal:
    """A packet to each seat and, last, the dealer's."""
    return Deal.start(GAME, shoe(" ".join(hands)), [WAGERS] * (len(hands) - 1))


def settle(player: str, dealer: str, choice: str = "play") -> Settlement:
    return Round.of(GAME, player, dealer, **WAGERS).choose(choice).settlement


def play_and_ante(player: str, dealer: str) -> list[tuple[str, int]]:
    """The results and nets of Play and Ante of a player who plays."""
    settlement = settle(player, dealer)
    return [(settlement[spot].result, settlement[spot].net) for spot in ("play", "ante")]


BOTH_WIN, BOTH_LOSE, BOTH_PUSH = [("win", ANTE)] * 2, [("lose", -ANTE)] * 2, [("push", 0)] * 2


# -- 1 Cards and deck -------------------------------------------------------------------------------


def test_1_1_52_cards_and_one_joker() -> None:
    assert sorted(GAME.deck.cards) == [*range(52), JOKER]


def test_1_2_the_whole_deck_is_shuffled_for_every_round() -> None:
    assert GAME.behind_cut == len(GAME.deck) == 53  # behind the cut card: what is not dealt on from


# -- 2 Hands ----------------------------------------------------------------------------------------

TWO_PAIR, PAIR, HIGH_CARD = "9s 9d Kh Kc Jd 6s 2c", "9s 9d Kh Qc Jd 6s 2c", "9s Kd Qh Jc 7d 5s 2c"


def test_2_1_the_order_of_hands() -> None:
    best_first = [*[hand for hand, _ in HANDS.values()][:-1], TWO_PAIR, PAIR, HIGH_CARD]
    strengths = [poker.read(cards(hand)).strength for hand in best_first]
    assert strengths == sorted(set(strengths), reverse=True)  # 12: the full house stands there twice
    categories = [poker.read(cards(hand)).category for hand in best_first]
    assert list(dict.fromkeys(categories)) == [
        "Five Aces", "Royal Flush", "Straight Flush", "Four of a Kind", "Full House", "Flush", "Straight",
        "Three of a Kind", "Two Pair", "Pair", "High Card",
    ]  # fmt: skip


def test_2_1_a_flush_beats_a_straight() -> None:
    assert play_and_ante("As Js 9s 6s 3s Kd 8c", "9h 8d 7h 6c 5s Kh 2c") == BOTH_WIN


def test_2_2_the_best_five_of_seven() -> None:
    # Both play A A K K Q; the third pair, of jacks or of tens, counts for nothing.
    assert play_and_ante("As Ad Ks Kd Qs Jh Jc", "Ah Ac Kh Kc Qd Th Td") == BOTH_PUSH


def test_2_3_ranks_first_then_kickers() -> None:
    assert play_and_ante("Ks Kh 2s 4s 5h 7h 8s", QUEENS) == BOTH_WIN  # kings against queens
    assert play_and_ante("Qs Qc As 4s 6h 9h 2s", QUEENS) == BOTH_WIN  # both queens: ace kicker against ten


def test_2_4_suits_do_not_matter() -> None:
    assert play_and_ante("Ks Qs Js 9s 4s 2d 3c", "Kh Qh Jh 9h 4h 2c 3d") == BOTH_PUSH


def test_2_5_the_wheel_is_the_lowest_straight() -> None:
    wheel = "As 2s 3c 4c 5h Kd Ks"
    assert settle(wheel, THREES)["trips"].outcome == "Straight"
    assert play_and_ante(wheel, "2d 3h 4s 5s 6d Jd Jc") == BOTH_LOSE


def test_2_6_no_straight_runs_round_the_ace() -> None:
    assert settle("Qs Kd Ah 2c 3s 7d 8d", QUEENS)["trips"].net == -TRIPS


def test_2_7_the_joker_is_an_ace() -> None:
    assert play_and_ante("Jk As 2d 4s 6h 9h Jc", "Kd Kh 3d 5d 7c 8h Tc") == BOTH_WIN  # aces against kings
    assert settle("Jk As Ah 4s 6h 9h Js", QUEENS)["trips"].outcome == "Three of a Kind"


def test_2_8_the_joker_completes_a_straight() -> None:
    assert settle("Jk 9s 8d 6c 5s Kd 2c", QUEENS)["trips"].outcome == "Straight"


def test_2_9_the_joker_completes_a_flush() -> None:
    assert settle("Jk Js 9s 6s 3s Kd 8c", QUEENS)["trips"].outcome == "Flush"


def test_2_10_the_joker_completes_a_straight_flush_or_a_royal_flush() -> None:
    assert settle("Jk 9s 8s 6s 5s Kd 2c", QUEENS)["trips"].outcome == "Straight Flush"
    assert settle("Jk Ks Qs Js Ts 4d 2c", QUEENS)["trips"].outcome == "Royal Flush"


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("Jk Kd Qs 9c 7d 5s 2c", "Ace high"),  # not a pair of kings
        ("Jk Ks Kd 9c 7d 5s 2c", "Pair of Kings"),  # not three kings
        ("Jk Ks Kd 9c 9d 5s 2c", "Two Pair, Kings and Nines"),  # not a full house
        ("Jk Ks Kd Kh 9c 5s 2c", "Three of a Kind, Kings"),
        ("Jk Ks Kd Kh Kc 5s 2c", "Four of a Kind, Kings"),
    ],
)
def test_2_11_the_joker_is_nothing_else(hand: str, name: str) -> None:
    assert settle(hand, QUEENS)["trips"].why == name


def test_2_12_the_joker_takes_the_best_rank() -> None:
    # 2-3-4-5 and the joker is a straight up to the six: the joker is no ace there.
    assert play_and_ante("Jk 2s 3c 4c 5h Js Jh", "Ad 2d 3d 4d 5s 9h 9s") == BOTH_WIN
    # A-Q-9-4 of spades and the joker is A-K-Q-9-4: better than A-K-J-T-8, no better than A-K-Q-9-5.
    assert play_and_ante("Jk As Qs 9s 4s 2d 3c", "Ah Kh Jh Th 8h 2c 3d") == BOTH_WIN
    assert play_and_ante("Jk As Qs 9s 4s 2d 3c", "Ah Kh Qh 9h 5h 2c 3d") == BOTH_LOSE


def test_2_13_five_aces_beat_the_best_straight_flush() -> None:
    # The dealer cannot hold a royal flush against five aces: no ace and no joker is left.
    assert play_and_ante("Ac Ad Ah As Jk 2c 3c", "Kd Qd Jd Td 9d 2h 3h") == BOTH_WIN


# -- 3 Wagers ---------------------------------------------------------------------------------------


def test_3_1_the_ante_is_required() -> None:
    with pytest.raises(Refused, match="requires the Ante wager"):
        Round.of(GAME, PAIR, THREES, trips=TRIPS)


def test_3_2_trips_is_optional() -> None:
    settlement = Round.of(GAME, PAIR, THREES, ante=ANTE).choose("fold").settlement
    assert [settled.spot.name for settled in settlement.wagers] == ["ante"]


@pytest.mark.parametrize("cents", [1, ANTE, 50 * ANTE])
def test_3_3_trips_has_any_size(cents: int) -> None:
    settlement = Round.of(GAME, PAIR, THREES, ante=ANTE, trips=cents).choose("fold").settlement
    assert settlement["trips"].net == -cents


def test_3_4_a_hand_carries_these_two_first_wagers_and_no_other() -> None:
    assert [spot.name for spot in GAME.wagers] == ["ante", "trips"]
    assert GAME.rules.GAMES_PER_HAND == 2
    with pytest.raises(Refused, match="'play' is not a wager"):
        Round.of(GAME, PAIR, THREES, **WAGERS, play=ANTE)


def test_3_5_wagers_are_whole_cents_above_zero() -> None:
    Round.of(GAME, PAIR, THREES, ante=1, trips=1)
    for wrong in (0, -5, 1.5):
        with pytest.raises(Refused, match="Ante wager must be"):
            Round.of(GAME, PAIR, THREES, ante=wrong)  # type: ignore[arg-type]
        with pytest.raises(Refused, match="Trips wager must be"):
            Round.of(GAME, PAIR, THREES, ante=ANTE, trips=wrong)  # type: ignore[arg-type]


def test_3_6_six_seats_at_most() -> None:
    six = Deal.start(GAME, GAME.deck.cards, [WAGERS] * 6)
    assert len(six.rest) == 53 - 7 * 7
    with pytest.raises(Refused, match="seats at most 6"):
        Deal.start(GAME, GAME.deck.cards, [WAGERS] * 7)


def test_3_7_a_player_holds_one_seat() -> None:
    with pytest.raises(Refused, match="Ann may hold only one seat"):
        Deal(GAME, GAME.deck.cards, (Seat(WAGERS, player="Ann"), Seat(WAGERS, player="Ann")))


# -- 4 The deal -------------------------------------------------------------------------------------

LEFT, RIGHT = "As Js 9s 6s 4s Kd 8c", "9h 8d 7h 6c 5s Kh 2c"


def test_4_1_no_more_wagers_is_called() -> None:
    assert deal(LEFT, THREES).calls == ("No more bets.",)


def test_4_2_packets_of_seven_from_the_left_the_dealer_last() -> None:
    rounds = deal(LEFT, RIGHT, THREES).rounds
    assert [str(round.shoe) for round in rounds] == [f"{LEFT} {THREES}", f"{RIGHT} {THREES}"]


def test_4_3_the_other_cards_are_out_of_play() -> None:
    dealt = deal(LEFT, RIGHT, THREES)
    assert len(dealt.rest) == 53 - 3 * 7
    assert dealt.choose(0, "play").choose(1, "fold").rest == dealt.rest


def test_4_4_players_see_their_own_cards() -> None:
    assert str(deal(LEFT, RIGHT, THREES).rounds[1].view.player) == RIGHT


def test_4_5_players_do_not_see_each_others_cards() -> None:
    dealt = deal(LEFT, RIGHT, THREES)
    assert not set(dealt.rounds[0].seen) & set(cards(RIGHT))
    assert not set(dealt.rounds[1].seen) & set(cards(LEFT))


def test_4_6_the_dealers_cards_lie_face_down_until_the_choice() -> None:
    round = Round.of(GAME, LEFT, THREES, **WAGERS)
    assert str(round.view.dealer) == "## ## ## ## ## ## ##"
    assert str(round.choose("play").view.dealer) == THREES


def test_4_6_the_dealers_cards_lie_face_down_until_every_seat_has_chosen() -> None:
    waiting = deal(LEFT, RIGHT, THREES).choose(0, "play")
    assert {str(round.view.dealer) for round in waiting.rounds} == {"## ## ## ## ## ## ##"}
    assert {str(round.view.dealer) for round in waiting.choose(1, "play").rounds} == {THREES}


# -- 5 The choice -----------------------------------------------------------------------------------


def test_5_1_fold_or_play() -> None:
    round = Round.of(GAME, LEFT, THREES, **WAGERS)
    assert set(round.choices) == {"fold", "play"}
    with pytest.raises(Refused, match="not over"):
        _ = round.settlement


def test_5_2_play_equals_the_ante() -> None:
    round = Round.of(GAME, LEFT, THREES, **WAGERS)
    assert round.cost("play") == ANTE
    assert round.choose("play").settlement["play"].staked == ANTE


@pytest.mark.parametrize("dealer", [THREES, SIXES])
def test_5_3_a_fold_loses_the_ante(dealer: str) -> None:
    settlement = settle("As Js 9s 6s 4s Kd 8c", dealer, "fold")  # a flush, better than either
    assert (settlement["ante"].outcome, settlement["ante"].net) == ("fold", -ANTE)
    assert [settled.spot.name for settled in settlement.wagers] == ["ante", "trips"]


@pytest.mark.parametrize("choices", [("play", "play"), ("play", "fold"), ("fold", "play")])
def test_5_4_the_choice_is_made_once(choices: tuple[str, str]) -> None:
    with pytest.raises(Refused, match="no choice is open"):
        Round.of(GAME, LEFT, THREES, **WAGERS).choose(*choices)


def test_5_5_seats_choose_from_left_to_right() -> None:
    dealt = deal(LEFT, RIGHT, THREES)
    assert dealt.turn == 0
    with pytest.raises(Refused, match="turn of position 1"):
        dealt.choose(1, "play")
    assert dealt.choose(0, "play").turn == 1
    assert dealt.choose(0, "play").choose(1, "fold").over


# -- 6 Ante and Play --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        (SIXES, True),
        ("5d 5h Ac Kh Jh 8h 3c", False),  # fives with the best kickers
        ("Ac Kh Jh 8h 3c 4c 6d", False),  # ace high
        ("2d 2h 3d 3h 8h Jh Qd", True),  # two pair, both below sixes
    ],
)
def test_6_1_the_dealer_qualifies_with_sixes(dealer: str, qualifies: bool) -> None:
    outcome = settle("9s 9d Kd Qc Js 6s 2c", dealer)["ante"].outcome
    assert (outcome != "dealer does not qualify") is qualifies


@pytest.mark.parametrize("player", [PAIR, "2s 2d Kd Jc 9s 6h 4c"])  # nines; deuces, worse than threes
def test_6_2_not_qualified_the_ante_wins(player: str) -> None:
    ante = settle(player, THREES)["ante"]
    assert (ante.outcome, ante.net) == ("dealer does not qualify", ANTE)


@pytest.mark.parametrize("player", ["9s 9d 9h Kc Jd 6s 2c", "2s 2d Kd Jc 9s 6h 4c"])  # three nines; deuces
def test_6_3_not_qualified_play_pushes(player: str) -> None:
    assert play_and_ante(player, THREES) == [("push", 0), ("win", ANTE)]


@pytest.mark.parametrize("player", [RIGHT, LEFT, "9s 9d 9h 9c Kd 4s 2c"])  # straight, flush, four nines
def test_6_4_not_qualified_play_wins_with_a_straight_or_better(player: str) -> None:
    assert play_and_ante(player, THREES) == BOTH_WIN


def test_6_5_qualified_the_better_hand_wins_both() -> None:
    assert play_and_ante(PAIR, SIXES) == BOTH_WIN


def test_6_6_qualified_the_worse_hand_loses_both() -> None:
    assert play_and_ante("5s 5h Kh Jc 9s 7h 2c", SIXES) == BOTH_LOSE


def test_6_7_qualified_a_tie_pushes_both() -> None:
    assert play_and_ante("6s 6c 3s 8s Th Qs 4d", SIXES) == BOTH_PUSH  # the ranks of the dealer


def test_6_8_the_pay_tables_of_ante_and_play() -> None:
    def odds(spot: str) -> dict[str, str]:
        return {line.outcome: line.odds for line in GAME.pay_table(GAME.spot(spot)).lines}

    qualified = {"better hand": "1 to 1", "worse hand": "lose", "tie": "push"}
    assert odds("ante") == {"fold": "lose", "dealer does not qualify": "1 to 1", **qualified}
    straight = "dealer does not qualify, straight or better"
    assert odds("play") == {"dealer does not qualify": "push", straight: "1 to 1", **qualified}


# -- 7 Trips ----------------------------------------------------------------------------------------


def test_7_1_trips_wins_with_three_of_a_kind() -> None:
    assert settle("2s 2d 2h Kc Jd 6s 9c", QUEENS)["trips"].net == TRIPS  # the lowest three


def test_7_2_trips_loses_with_less() -> None:
    assert settle("As Ad Kh Kc Js 6s 2c", QUEENS)["trips"].net == -TRIPS  # the best two pair


@pytest.mark.parametrize("dealer", [THREES, QUEENS, "Ts Td Th Tc Qh 3d 4c"])  # not qualified, worse, better
def test_7_3_the_dealer_has_no_effect_on_trips(dealer: str) -> None:
    assert settle("9s 9d 9h Kc Jd 6s 2c", dealer)["trips"].net == TRIPS


def test_7_4_trips_is_settled_after_a_fold() -> None:
    assert settle("9s 9d 9h Kc Jd 6s 2c", QUEENS, "fold")["trips"].net == TRIPS
    assert settle(PAIR, THREES, "fold")["trips"].net == -TRIPS


@pytest.mark.parametrize(
    ("hand", "outcome"),
    [
        ("As Ad Ah Kc Kd 7s 2c", "Full House (Aces Up)"),
        ("As Ad Jk Kc Kd 7s 2c", "Full House (Aces Up)"),  # the joker is the third ace
        ("As Ad Jk Kc Kd Ks 2c", "Full House (Aces Up)"),  # aces over kings, not kings over aces
        ("As Ad Ks Kc Kd 7s 2c", "Full House (Other)"),
        ("As Jk Ks Kc Kd 7s 2c", "Full House (Other)"),  # the joker is the second ace
    ],
)
def test_7_5_aces_up_has_three_aces(hand: str, outcome: str) -> None:
    assert settle(hand, QUEENS)["trips"].outcome == outcome


@pytest.mark.parametrize("line", HANDS)
@pytest.mark.parametrize(("column", "table"), [(0, "APP-01"), (1, "APP-02"), (2, "APP-03")])
def test_7_6_the_pays_of_trips(line: str, column: int, table: str) -> None:
    hand, pays = HANDS[line]
    round = Round.of(GAME.with_options({"trips": table}), hand, THREES, **WAGERS)
    trips = round.choose("fold").settlement["trips"]
    assert (trips.outcome, trips.net) == (line, pays[column] * TRIPS)


def test_7_7_the_house_picks_the_table() -> None:
    trips = GAME.spot("trips")
    assert GAME.pay_table(trips).name == "APP-01"
    assert GAME.with_options({"trips": "APP-03"}).pay_table(trips).name == "APP-03"
    with pytest.raises(Refused, match="APP-04"):
        GAME.with_options({"trips": "APP-04"})


# -- 8 Settling -------------------------------------------------------------------------------------


def test_8_1_seats_are_settled_from_right_to_left() -> None:
    over = deal(LEFT, RIGHT, QUEENS).choose(0, "play").choose(1, "fold")
    assert [(seat, settlement["ante"].net) for seat, settlement in over.settling] == [(1, -ANTE), (0, ANTE)]


def test_8_2_play_then_ante_then_trips() -> None:
    assert [settled.spot.name for settled in settle(PAIR, THREES).wagers] == ["play", "ante", "trips"]


def test_8_3_each_wager_once_with_its_outcome_and_hands() -> None:
    play, ante, trips = settle(PAIR, SIXES).wagers
    hands = "Pair of Nines against Pair of Sixes"
    assert (play.outcome, play.result, play.why) == ("better hand", "win", hands)
    assert (ante.outcome, ante.result, ante.why) == ("better hand", "win", hands)
    assert (trips.outcome, trips.result, trips.why) == ("less than Three of a Kind", "lose", "Pair of Nines")


def test_8_4_folded_antes_are_collected_first() -> None:
    over = deal(LEFT, RIGHT, QUEENS).choose(0, "fold").choose(1, "play")
    order = [(seat, wager.spot.name) for seat, wager in over.payments if wager.spot.name != "trips"]
    assert order == [(0, "ante"), (1, "play"), (1, "ante")]


# -- 9 Irregularities -------------------------------------------------------------------------------


@pytest.mark.parametrize(("hands", "dealer"), [([7, 8], 7), ([6, 7], 7), ([7, 7], 8), ([7, 7], 6)])
def test_9_1_a_wrong_number_of_cards_voids_the_round_for_all(hands: list[int], dealer: int) -> None:
    dealt = deal(LEFT, RIGHT, THREES)
    assert dealt.count_hands([7, 7], 7) is dealt
    assert all(round.void for round in dealt.count_hands(hands, dealer).rounds)


def test_9_2_a_void_round_refunds_what_is_still_open() -> None:
    """The folded Ante was taken at the fold; everything else is open until the dealer settles."""
    waiting = replace(deal(LEFT, RIGHT, THREES), settled=0)
    void = waiting.choose(0, "play").choose(1, "fold").count_hands([7, 7], 8)
    (seat, folded), *others = void.payments
    assert (seat, folded.spot.name, folded.result) == (1, "ante", "lose")
    assert [(wager.result, wager.net) for _, wager in others] == [("refund", 0)] * 4
    assert void.rounds[0].settlement["play"].returned == ANTE


def test_9_3_a_void_round_has_no_choice() -> None:
    void = deal(LEFT, THREES).count_hands([8], 7)
    assert (void.turn, void.rounds[0].choices) == (None, ())
    with pytest.raises(Refused, match="no choice is open"):
        void.choose(0, "play")


def test_9_4_a_card_seen_too_early() -> None:
    check_card_seen_too_early(GAME)


def test_9_5_a_card_out_of_turn_or_to_the_wrong_seat() -> None:
    check_card_out_of_turn(GAME)


def test_9_6_a_wrong_payment_is_corrected_later() -> None:
    check_wrong_payment(GAME)


def test_the_reason_names_the_kickers_that_decide() -> None:
    settlement = settle("Ks Kd As 9c 7d 4h 2c", "Kh Kc Qs 9d 8d 5h 3c")
    assert settlement["ante"].why == "Pair of Kings, ace kicker, against Pair of Kings, queen kicker"


def test_the_reason_names_no_kickers_where_the_dealer_does_not_qualify() -> None:
    assert settle("As Kd Jc 9d 7h 4s 2c", "Ad Qh Jd 9s 8h 5c 3c")["ante"].why == "Ace high against Ace high"
