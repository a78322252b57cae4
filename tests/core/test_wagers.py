"""Wagers and options that cannot be are refused with one sentence, and nothing changes."""

import re
from fractions import Fraction

import pytest

from feltlab.core.amounts import MAX_WAGER_CENTS
from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support.game_data import data_of
from tests.support.game_strategies import ALL_GAMES, ALL_VARIANTS, label, shoe_size, smallest_wagers

every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
every_variant = pytest.mark.parametrize("game", ALL_VARIANTS, ids=label)
every_wager = pytest.mark.parametrize(
    ("game", "wager"),
    [(game, spot.name) for game in ALL_GAMES for spot in game.wagers],
    ids=lambda value: value if isinstance(value, str) else value.name,
)


def refused(game: Game, wagers: dict[str, object]) -> str:
    """The one sentence with which a round, a deal and the game itself refuse these wagers."""
    before = dict(wagers)
    said = []
    size = shoe_size(game)
    for act in (
        lambda: game.check_wagers(wagers),
        lambda: Round(game, Cards(game.deck.cards[:size]), wagers),
        lambda: Deal.start(game, game.deck.cards, [wagers]).rounds,
    ):
        with pytest.raises(Refused) as caught:
            act()
        said.append(str(caught.value))
    assert len(set(said)) == 1
    assert re.fullmatch(r"['\"A-Z0-9].*\.", said[0])
    assert ". " not in said[0]
    assert wagers == before
    return said[0]


def with_wager(game: Game, wager: str, cents: object) -> dict[str, object]:
    return {**smallest_wagers(game), wager: cents}


# -- Amounts ----------------------------------------------------------------------------------------


@every_wager
@pytest.mark.parametrize("cents", [0, -1, -200, -(10**30)])
def test_nothing_or_less_is_refused(game: Game, wager: str, cents: int) -> None:
    assert "must be more than $0" in refused(game, with_wager(game, wager, cents))


@every_wager
@pytest.mark.parametrize("cents", [2.0, 2.5, Fraction(200), True, False, "200", None, float("nan")])
def test_only_a_whole_number_is_a_wager(game: Game, wager: str, cents: object) -> None:
    assert "must be a whole number of cents" in refused(game, with_wager(game, wager, cents))


@every_wager
@pytest.mark.parametrize("cents", [MAX_WAGER_CENTS + 10, 2**63, 10**30])
def test_huge_wagers_are_refused(game: Game, wager: str, cents: int) -> None:
    assert "may be at most $10,000,000,000." in refused(game, with_wager(game, wager, cents))


@every_variant
def test_wagers_that_would_pay_part_of_a_cent_are_refused(game: Game) -> None:
    for spot in game.wagers:
        step = game.step(spot)
        if step > 1:
            said = refused(game, with_wager(game, spot.name, 10 * step + 1))
            assert "must be a multiple of" in said


@every_game
def test_the_step_is_the_smallest_wager_that_pays_whole_cents(game: Game) -> None:
    assert {spot.name: game.step(spot) for spot in game.wagers} == data_of(game.name).wager_steps


def test_six_to_five_and_half_an_insurance_need_ten_cents() -> None:
    game = GAMES["triple-shot-bonus"].with_options({"blackjack-pays": "6:5"})
    assert game.step(game.spot("blackjack")) == 10  # fifths for 6 to 5, halves for Insurance


@every_variant
def test_every_pay_is_a_whole_number_of_cents_at_the_step(game: Game) -> None:
    for spot in game.spots:
        unit = game.step(game.spot(spot.raises or spot.name)) * spot.size
        assert unit.denominator == 1
        assert all((line.pays * unit).denominator == 1 for line in game.pay_table(spot).lines)


# -- Names ------------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("name", ["", "Ante", "progressive", "ante ", "ANTE"])
def test_unknown_wagers_are_refused(game: Game, name: str) -> None:
    assert f"is not a wager of {game.title}" in refused(game, with_wager(game, name, 200))


@every_game
def test_a_raise_is_not_a_first_wager(game: Game) -> None:
    for spot in game.spots:
        if spot.raises:
            assert "is not a wager of" in refused(game, with_wager(game, spot.name, 200))


@every_variant
def test_required_wagers_are_required(game: Game) -> None:
    for spot in game.wagers:
        wagers: dict[str, object] = {**smallest_wagers(game)}
        del wagers[spot.name]
        if game.is_required(spot):
            assert refused(game, wagers) == f"{game.title} requires the {spot.title} wager."
        elif not any(other.at_most == spot.name for other in game.wagers):
            game.check_wagers(wagers)


@every_variant
def test_no_wager_at_all_is_refused(game: Game) -> None:
    assert game.title in refused(game, {})


def test_the_ante_of_triple_shot_rummy_is_required_only_where_the_house_says_so() -> None:
    game = GAMES["triple-shot-rummy"]
    game.check_wagers({"pair-plus": 100})
    mandatory = game.with_options({"ante-mandatory": "yes"})
    assert refused(mandatory, {"pair-plus": 100}) == "Triple Shot Rummy requires the Ante wager."


def test_tens_up_may_not_exceed_the_ante() -> None:
    game = GAMES["rabbit-hunter"]
    game.check_wagers({"ante": 500, "tens-up": 500})
    assert refused(game, {"ante": 500, "tens-up": 501}) == "The Tens Up wager may not be more than the Ante."


@every_game
def test_five_wagers_on_one_hand_are_refused(game: Game) -> None:
    five: dict[str, object] = dict.fromkeys([*smallest_wagers(game), "a", "b", "c", "d"][:5], 200)
    assert refused(game, five)


@every_game
def test_no_game_offers_more_wagers_than_one_hand_may_carry(game: Game) -> None:
    """Four games are the most that the letter for Triple Shot Rummy allows."""
    assert len(game.wagers) <= game.rules.GAMES_PER_HAND <= 4


# -- Options ----------------------------------------------------------------------------------------


@every_game
def test_unknown_options_are_refused(game: Game) -> None:
    with pytest.raises(Refused, match=rf"^'colour' is not an option of {game.title}; .*\.$"):
        game.with_options({"colour": "red"})


@every_game
def test_unknown_values_are_refused(game: Game) -> None:
    for option in game.rules.OPTIONS:
        for value in ("", "maybe", option.values[0] + " ", "9999"):
            with pytest.raises(Refused, match=rf"^{option.name}=.* is not possible; .*\.$"):
                game.with_options({option.name: value})


@every_game
def test_refused_options_leave_the_game_as_it_was(game: Game) -> None:
    before = dict(game.options)
    with pytest.raises(Refused):
        game.with_options({**{o.name: o.values[-1] for o in game.rules.OPTIONS}, "colour": "red"})
    assert game.options == before


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(Refused, match=r"^'chess' is not a game; the games are .*\.$"):
        GAMES["chess"]


def test_the_games_are_a_mapping() -> None:
    assert GAMES.get("chess") is None
    assert GAMES.get("chess", "checkers") == "checkers"  # type: ignore[call-overload]
    with pytest.raises(KeyError, match=r"^'chess' is not a game"):  # a sentence, not in quotes
        GAMES["chess"]


@every_variant
def test_options_given_to_a_game_itself_are_checked_and_put_in_order(game: Game) -> None:
    everything = tuple(reversed(list(game.options.items())))
    assert Game(game.rules, everything) == game
    assert Game(game.rules, everything).chosen == game.chosen
    for wrong in (("colour", "red"), *((name, "99") for name in game.options)):
        with pytest.raises(Refused):
            Game(game.rules, (wrong,))


@every_game
def test_the_options_of_a_game_cannot_be_changed(game: Game) -> None:
    with pytest.raises(TypeError):
        game.options["decks"] = "1"  # type: ignore[index]


# -- Shoes ------------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("by", [-1, 1])
def test_a_seat_shoe_of_the_wrong_length_is_refused(game: Game, by: int) -> None:
    shoe = Cards(game.deck.cards[: shoe_size(game) + by])
    with pytest.raises(
        Refused, match=rf"^A seat's shoe of {game.title} has {shoe_size(game)} cards, not .*\.$"
    ):
        Round(game, shoe, smallest_wagers(game))
