"""Rounds and deals of made-up games: streets, raises of several sizes, bonuses, boards, no choice at all."""

import pickle
from collections.abc import Iterator
from itertools import islice, permutations

import pytest

from feltlab.core.cards import FACE_DOWN, Cards, cards
from feltlab.core.deal import Deal
from feltlab.core.layout import BOARD, BURNT, DEALER
from feltlab.core.limits import Limits, why_unaffordable
from feltlab.core.rehearsal import rehearse
from feltlab.core.round import Round
from feltlab.core.stake import check_stake, default_stake
from feltlab.errors import Refused
from tests.support.toy_games import STREETS, TOY_GAMES, TWO_SIDES

PLACED = {"ante": 500, "blind": 500}
SHOE = cards("Ac 3c 3d 2c Ad Ah 2d 2h 3h")  # two seats, the dealer, one burned, the board


def start(player: str = "Ac", board: str = "Ad Ah 2c", dealer: str = "3c", **wagers: int) -> Round:
    return Round.of(STREETS, player, board, dealer, **(PLACED | wagers))


# -- Wagers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wagers", "sentence"),
    [
        ({"ante": 500}, "Toy Streets requires the Blind wager."),
        ({"ante": 500, "blind": 400}, "The Blind wager must equal the Ante."),
        ({**PLACED, "ace": 200}, "The Ace wager is $1, not $2."),
        (
            {**PLACED, "double-match": 500},
            "'double-match' is not a wager of Toy Streets; its wagers are ante, blind and ace.",
        ),
        (
            {**PLACED, "opening": 500},
            "'opening' is not a wager of Toy Streets; its wagers are ante, blind and ace.",
        ),
    ],
)
def test_wagers_that_the_layout_does_not_allow_are_refused(wagers: dict[str, int], sentence: str) -> None:
    with pytest.raises(Refused) as caught:
        STREETS.check_wagers(wagers)
    assert str(caught.value) == sentence


def test_a_stake_keeps_equal_wagers_equal() -> None:
    assert default_stake(STREETS) == {"ante": 1, "blind": 1, "ace": 0}
    with pytest.raises(Refused, match=r"^The Blind wager must equal the Ante\.$"):
        check_stake(STREETS, {"ante": 2, "blind": 1})


# -- Settling ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "units"), [("bet", 1), ("bet-2", 2), ("bet-3", 3), ("bet-4", 4)])
def test_a_raise_of_one_to_four_units(choice: str, units: int) -> None:
    round = start()
    assert round.cost(choice) == 500 * units
    assert round.puts(choice) == ("opening",) * units
    settlement = round.choose(choice, "check").settlement
    assert (settlement["opening"].staked, settlement["opening"].net) == (500 * units, 500 * units)
    assert settlement.staked == 1000 + 500 * units


def test_a_bet_goes_to_the_spot_of_its_street() -> None:
    over = start().choose("bet-2", "bet")
    assert [(one.spot.name, one.staked) for one in over.settlement.wagers] == [
        ("ante", 500), ("blind", 500), ("opening", 1000), ("closing", 500), ("double-match", 0),
    ]  # fmt: skip
    assert start().choose("check").puts("bet") == ("closing",)
    assert [over.units(spot) for spot in STREETS.spots] == [1, 1, 2, 1, 0, 1]


def test_a_bonus_is_paid_on_the_stake_of_its_wager() -> None:
    """The player's ace matches two cards of the board, which pays ten times the ante of $5."""
    paid = start().choose("bet", "check").settlement["double-match"]
    assert (paid.outcome, paid.result, paid.staked, paid.net, paid.returned) == (
        "double match", "win", 0, 5000, 5000,
    )  # fmt: skip
    unpaid = start(board="Ad 2d 2c").choose("bet", "check").settlement["double-match"]
    assert (unpaid.outcome, unpaid.staked, unpaid.net) == ("no double match", 0, 0)


def test_a_fold_takes_the_wagers_that_it_gives_up() -> None:
    over = start(ace=100).choose("check", "fold")
    nets = {one.spot.name: one.net for one in over.settlement.wagers}
    assert nets == {"ante": -500, "blind": -500, "double-match": 0, "ace": 200}
    assert over.forfeited == {"ante", "blind"}


def test_a_void_round_refunds_wagers_and_pays_no_bonus() -> None:
    void = start().choose("bet-3").declare_void("A card was exposed.")
    assert (void.settlement.net, void.settlement.staked) == (0, 1000 + 1500)
    assert void.settlement["double-match"].returned == 0


def test_a_raise_beyond_the_maximum_is_refused_in_units() -> None:
    limits = Limits(minimum=500, maximum=1500)
    assert why_unaffordable(start(), "bet-3", 10_000, limits) == ""
    refused = why_unaffordable(start(), "bet-4", 10_000, limits)
    assert refused == "To bet-4 you would exceed the maximum, $15, on Opening."


def test_a_round_with_areas_prints_as_an_expression_of_itself() -> None:
    over = start(ace=100).choose("bet-2", "bet")
    known = {"GAMES": {game.name: game for game in TOY_GAMES}, "Round": Round}
    assert eval(repr(over), known) == over
    assert pickle.loads(pickle.dumps(over)) == over


# -- Without a choice -------------------------------------------------------------------------------


def test_wagers_may_be_named_like_areas() -> None:
    round = Round.of(TWO_SIDES, "As", "Kd", player=500, dealer=200)
    assert (round.wagers, round.view.player, round.view.dealer) == (
        {"player": 500, "dealer": 200}, cards("As"), cards("Kd"),
    )  # fmt: skip
    assert {one.spot.name: one.net for one in round.settlement.wagers} == {"player": 500, "dealer": -200}


def test_a_round_without_a_choice_is_over_at_once() -> None:
    round = Round.of(TWO_SIDES, "9s", "9d", player=500)
    assert (round.choices, round.over, round.settlement["player"].outcome) == ((), True, "tie")
    with pytest.raises(Refused, match="no choice is open"):
        round.choose("check")
    deal = Deal.start(TWO_SIDES, cards("As 2d 9c"), [{"player": 500}, {"dealer": 300}])
    assert deal.over
    assert {seat: settlement.net for seat, settlement in deal.settling} == {0: 500, 1: 300}


# -- A deal with a board ----------------------------------------------------------------------------


def played(*choices: tuple[int, str]) -> Deal:
    deal = Deal.start(STREETS, SHOE, [PLACED, PLACED | {"ace": 100}])
    for seat, choice in choices:
        deal = deal.choose(seat, choice)
    return deal


def test_every_card_has_its_receiver() -> None:
    """The board has more places than a player's hand, and is not taken for the dealer's cards."""
    deal = played((0, "bet"), (1, "check"))
    receivers = (0, 1, DEALER, BURNT, BOARD, BOARD, BOARD)
    assert deal.dealt == tuple(zip(receivers, SHOE, strict=False))
    assert deal.rest == cards("2h 3h")


def test_all_seats_share_the_board_and_the_dealer() -> None:
    first = played()
    assert [str(round.view.board) for round in first.rounds] == ["", ""]
    second = played((0, "bet"), (1, "check"))
    assert second.turn == 0
    assert [round.view.board for round in second.rounds] == [cards("Ad Ah 2d")] * 2
    assert [round.view.dealer for round in second.rounds] == [Cards([FACE_DOWN])] * 2
    over = played((0, "bet"), (1, "check"), (0, "bet"), (1, "fold"))
    assert [round.view.dealer for round in over.rounds] == [cards("3d")] * 2


def test_streets_go_around_the_table() -> None:
    deal = played((0, "bet-4"), (1, "check"), (0, "bet"), (1, "fold"))
    assert deal.over
    nets = {seat: {one.spot.name: one.net for one in paid.wagers} for seat, paid in deal.settling}
    assert nets == {
        0: {"ante": 500, "blind": 1500, "opening": 2000, "closing": 500, "double-match": 5000},
        1: {"ante": -500, "blind": -500, "double-match": 0, "ace": -100},
    }
    with pytest.raises(Refused, match="turn of position 1"):
        played((1, "check"))


def test_a_seat_settles_as_it_would_alone() -> None:
    deal = played((0, "bet-4"), (1, "bet"), (0, "bet"), (1, "check"))
    for seat, settlement in deal.settling:
        alone = Round(STREETS, deal.rounds[seat].shoe, deal.seats[seat].wagers)
        assert alone.choose(*deal.seats[seat].chosen).settlement == settlement


def test_what_is_decided_and_what_is_left_adds_up() -> None:
    """Deals and choices of many kinds: the felt and the payments hold every cent that was put down."""
    for deal in _some_deals():
        for seat, settlement in deal.settling:
            assert deal.on_felt(seat) == {}
            puts = sum(deal.rounds[seat].staked(spot) for spot in STREETS.spots)
            assert settlement.staked == puts


def _some_deals() -> Iterator[Deal]:
    for shoe in islice(permutations(STREETS.deck.cards), 0, None, 3500):
        deal = Deal.start(STREETS, Cards(shoe), [PLACED])
        while deal.turn is not None:
            open_now = deal.rounds[0].choices
            deal = deal.choose(0, open_now[sum(shoe[:3]) % len(open_now)])
        yield deal


@pytest.mark.parametrize("game", TOY_GAMES, ids=lambda game: game.name)
def test_a_rehearsal_knows_fixed_and_equal_wagers(game) -> None:  # type: ignore[no-untyped-def]
    rehearse(game)
