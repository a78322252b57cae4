"""Games, rounds, deals and seats are values: they keep what they were given, compare, hash and travel."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from feltlab.core.cards import FACE_DOWN, NOT_DEALT, UNKNOWN, Cards, cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support import strategies  # noqa: F401  (its profile: compiling takes time, which fails no test)
from tests.support.game_strategies import (
    ALL_GAMES,
    ALL_VARIANTS,
    deals,
    label,
    random_round,
    rounds,
    shoe_size,
    smallest_wagers,
)

WAR = GAMES["casino-war"]
BONUS = GAMES["triple-shot-bonus"]
RUMMY = GAMES["triple-shot-rummy"]
every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
every_variant = pytest.mark.parametrize("game", ALL_VARIANTS, ids=label)


# -- Copies -----------------------------------------------------------------------------------------


def travels(value: object) -> None:
    """A value is equal to its copies, and they hash alike."""
    for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)):
        assert again == value
        assert hash(again) == hash(value)
        assert repr(again) == repr(value)


@every_variant
def test_games_travel(game: Game) -> None:
    assert game.kernel_data is not None  # cached, and half a megabyte; without fields it would be falsy
    travels(game)
    assert len(pickle.dumps(game)) < 300


@given(rounds())
def test_rounds_travel(round: Round) -> None:
    travels(round)  # whose repr has computed its view
    assert not vars(copy.deepcopy(round)).keys() & {"view", "seen"}


@given(deals())
def test_deals_and_seats_travel(deal: Deal) -> None:
    assert deal.rounds
    travels(deal)
    for seat in deal.seats:
        travels(seat)
        travels(replace(seat, player="Ann", position=5))


@given(rounds(over=True))
def test_settled_wagers_travel(round: Round) -> None:
    """Put in words or not: `why` waits until somebody asks, and a copy tells the same."""
    assert not any("why" in vars(settled) for settled in round.settlement.wagers)
    copied = pickle.loads(pickle.dumps(round.settlement))
    assert [settled.why for settled in copied.wagers] == [s.why for s in replace(round).settlement.wagers]
    travels(round.settlement)
    with pytest.raises(AttributeError, match="no attribute 'how'"):
        round.settlement.wagers[0].how  # noqa: B018


# -- What was given is kept -------------------------------------------------------------------------


def test_a_round_does_not_follow_the_lists_that_it_was_given() -> None:
    shoe, chosen = list(cards("9c 9d 9h 9s")), ["war"]
    round = Round(WAR, shoe, {"primary": 200}, chosen)  # type: ignore[arg-type]
    settled = round.settlement
    shoe[0], chosen[0] = 51, "surrender"
    assert round == Round.of(WAR, "9c 9d", "9h 9s", primary=200).choose("war")
    assert replace(round).settlement == settled


def test_a_deal_does_not_follow_the_lists_that_it_was_given() -> None:
    shoe, chosen = list(RUMMY.deck.cards), ["play"]
    seats = [Seat({"ante": 100}, chosen)]  # type: ignore[arg-type]
    deal = Deal(RUMMY, shoe, seats)  # type: ignore[arg-type]
    shoe.reverse()
    chosen.clear()
    seats.clear()
    assert deal == Deal.start(RUMMY, RUMMY.deck.cards, [{"ante": 100}]).choose(0, "play")


def test_the_tables_that_all_games_share_cannot_be_written() -> None:
    for table in poker.tables():
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0


# -- What stands for a card -------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("place", [FACE_DOWN, NOT_DEALT, True, 2.0])
def test_only_a_card_or_an_unknown_one_is_in_a_shoe(game: Game, place: int) -> None:
    size, wagers = shoe_size(game), smallest_wagers(game)
    rest = [card for card in game.deck.cards if card != place]
    assert Round(game, Cards((UNKNOWN, *rest[: size - 1])), wagers).shoe[0] == UNKNOWN
    with pytest.raises(Refused, match="is not a card"):
        Round(game, Cards((place, *rest[: size - 1])), wagers)
    for untold in (place, UNKNOWN):
        with pytest.raises(Refused, match="is not a card"):
            Deal.start(game, Cards((untold, *rest)), [wagers])


# -- What is printed --------------------------------------------------------------------------------


def test_a_round_prints_what_its_player_may_see() -> None:
    """The dealer's second card is face down, the others are still to be drawn."""
    game = BONUS.with_options({"soft-17": "stand"})
    round = Round.of(game, "9c 7d 2c", "Td 6h 8s", war=200, blackjack=200, poker=200)
    wagers = "wagers={'war': 200, 'blackjack': 200, 'poker': 200}"
    assert repr(round) == f"<Round triple-shot-bonus soft-17=stand: 9c 7d | Td ##, {wagers}, chosen=()>"
    assert repr(round.choose("hit").declare_void("a card fell")) == (
        "<Round triple-shot-bonus soft-17=stand: 9c 7d 2c | Td ##, "
        f"{wagers}, chosen=('hit',), void='a card fell'>"
    )


@given(deals())
def test_no_card_of_the_shoe_is_printed_with_a_deal(deal: Deal) -> None:
    printed = repr(deal)
    assert printed.startswith(f"<Deal {deal.game}: (Seat(")
    assert printed.endswith(f", {len(deal.rest)} cards left>")
    assert "cards(" not in printed


# -- Choices out of turn ----------------------------------------------------------------------------


def rummy(*chosen: tuple[str, ...], **wagers: int) -> Deal:
    """Seats that have made these choices, of themselves."""
    return Deal(RUMMY, RUMMY.deck.cards, tuple(Seat(wagers or {"ante": 100}, made) for made in chosen))


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda: rummy((), ("play",)), "Position 2 chose 'play' out of turn."),
        (lambda: rummy(("play", "play"), ()), "Position 1 chose 'play' out of turn."),
        (lambda: rummy(("play",), ("fold", "jump")), "Position 2 chose 'jump' out of turn."),
        (lambda: rummy(("jump",)), "'jump' cannot be chosen here; open are play and fold."),
        # No Ante, so there is nothing to choose for.
        (lambda: rummy(("fold",), pair_plus=100), "'pair_plus' is not a wager of Triple Shot Rummy; "
         "its wagers are ante, pair-plus and six-card-bonus."),
        (lambda: rummy(("fold",), **{"pair-plus": 100}), "Position 1 chose 'fold' out of turn."),
    ],
)  # fmt: skip
def test_a_choice_that_was_not_asked_for_is_refused(act: Callable[[], Deal], sentence: str) -> None:
    with pytest.raises(Refused) as caught:
        act()
    assert str(caught.value) == sentence


@pytest.mark.parametrize("chosen", ["hit " * 20, "hit hit hit split", "split split", "insure", "stand hit"])
def test_draws_that_the_rules_do_not_allow_are_refused(chosen: str) -> None:
    """The deuces and threes on top of the deck leave everything open but insurance and splitting."""
    wagers = {"war": 200, "blackjack": 200, "poker": 200}
    with pytest.raises(Refused):
        Deal(BONUS, BONUS.deck.cards, (Seat(wagers, tuple(chosen.split())),))


@given(deals())
def test_a_deal_is_refused_when_a_choice_is_added_out_of_turn(deal: Deal) -> None:
    for at, seat in enumerate(deal.seats):
        if at != deal.turn:
            more = replace(seat, chosen=(*seat.chosen, deal.game.choices[0].name))
            with pytest.raises(Refused, match="out of turn"):
                replace(deal, seats=(*deal.seats[:at], more, *deal.seats[at + 1 :]))


@pytest.mark.parametrize("seat", [-1, 2, None, "0", 0.0, (0,)])
def test_who_is_no_seat_cannot_choose(seat: object) -> None:
    with pytest.raises(Refused, match=r"is not a seat of this deal; its seats are 0 and 1\.$"):
        rummy((), ()).choose(seat, "play")  # type: ignore[arg-type]


# -- Positions --------------------------------------------------------------------------------------

TWO_POSITIONS = RUMMY.with_options({"two-positions": "yes"})


def at(*positions: int, game: Game = RUMMY, player: str = "") -> Deal:
    """Seats at these positions, without Pair Plus."""
    seats = tuple(Seat({"ante": 100}, player=player, position=position) for position in positions)
    return Deal(game, game.deck.cards, seats)


def test_a_deal_speaks_of_the_positions_printed_at_the_table() -> None:
    deal = at(2, 5)
    assert deal.positions == (2, 5)
    assert deal.calls == ("No more bets.", "No Pair Plus, positions 2 and 5.")
    assert deal.count_hands([3, 2], 3).void == "Position 5 has 2 cards instead of 3."
    with pytest.raises(Refused, match=r"^It is the turn of position 2, not of position 5\.$"):
        deal.choose(1, "play")
    after = deal.choose(0, "play")
    assert [seat.position for seat in after.seats] == [2, 5]
    assert after.positions == (2, 5)
    with pytest.raises(Refused, match=r"^The round is not over: position 5 has to choose\.$"):
        after.settling  # noqa: B018
    early = replace(deal.seats[1], chosen=("play",))
    with pytest.raises(Refused, match=r"^Position 5 chose 'play' out of turn\.$"):
        replace(deal, seats=(deal.seats[0], early))


def test_a_seat_without_a_position_is_called_by_its_order() -> None:
    assert at(0, 0, 0).positions == (1, 2, 3)
    assert at(0, 5).positions == (1, 5)


@pytest.mark.parametrize("positions", [(2, 2), (0, 1), (3, 4, 3)])
def test_no_two_seats_are_at_one_position(positions: tuple[int, ...]) -> None:
    with pytest.raises(Refused, match=r"^The positions .* are not one for each seat\.$"):
        at(*positions)


def test_two_positions_are_adjacent_by_what_is_printed() -> None:
    assert at(4, 5, game=TWO_POSITIONS, player="Ann").seats
    with pytest.raises(Refused, match=r"^Ann may hold two seats only if .* adjacent, not seats 2 and 5\.$"):
        at(2, 5, game=TWO_POSITIONS, player="Ann")


# -- Names that nothing has -------------------------------------------------------------------------


@every_game
def test_looking_for_a_name_that_nothing_has_is_refused(game: Game) -> None:
    over = random_round(game, np.random.default_rng(1))
    for look in (game.spot, game.choice, over.cost, over.settlement.__getitem__):
        with pytest.raises(Refused, match=r"^('nope' is not a \w+ of|No wager on 'nope' was settled).*\.$"):
            look("nope")
        with pytest.raises(KeyError):
            look("nope")


@pytest.mark.parametrize("reason", ["", "  "])
def test_nothing_is_void_without_a_reason(reason: str) -> None:
    with pytest.raises(Refused, match=r"^A void deal needs a reason\.$"):
        rummy(()).declare_void(reason)
    with pytest.raises(Refused, match=r"^A void round needs a reason\.$"):
        rummy(()).rounds[0].declare_void(reason)
