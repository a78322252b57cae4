"""A seat's shoe is made of areas: every place belongs to one of them, and shared areas come last."""

import pytest

from feltlab.core.card_counts import CountedHands
from feltlab.core.cards import UNKNOWN, Cards, cards
from feltlab.core.game import Game
from feltlab.core.round import Round, fill_shoe, seat_shoe
from feltlab.errors import Refused
from tests.support.game_strategies import ALL_VARIANTS, label
from tests.support.toy_games import STREETS, TOY_GAMES, TWO_SIDES

every_game = pytest.mark.parametrize("game", [*ALL_VARIANTS, *TOY_GAMES], ids=label)


@every_game
def test_areas_partition_the_shoe(game: Game) -> None:
    places = range(game.places)
    areas = game.split_areas(places)
    assert [place for held in areas.values() for place in held] == list(places)
    assert {name: len(held) for name, held in areas.items()} == {a.name: a.cards for a in game.areas}
    assert {name: held[0] for name, held in areas.items()} == game.area_starts


@every_game
def test_the_player_comes_first_and_shared_areas_last(game: Game) -> None:
    assert game.areas[0].name == "player"
    assert [area.shared for area in game.areas] == sorted(area.shared for area in game.areas)
    own = [place for area in game.areas if not area.shared for place in range(area.cards)]
    assert game.own_places == len(own)


@every_game
def test_a_shoe_is_filled_area_by_area(game: Game) -> None:
    first = [Cards(game.deck.cards[n : n + 1]) for n in range(len(game.areas))]
    filled = game.split_areas(seat_shoe(game, *first))
    for area, given in zip(game.areas, first, strict=True):
        assert filled[area.name] == Cards((*given, *[UNKNOWN] * (area.cards - 1)))
    assert seat_shoe(game) == Cards([UNKNOWN] * game.places)


def test_cards_beyond_an_area_are_refused_or_left_out() -> None:
    board = cards("2c 2d 2h 3c")
    with pytest.raises(Refused, match=r"^The board has 4 cards; the rules deal at most 3\.$"):
        seat_shoe(STREETS, cards("Ac"), board, cards("Ad"))
    assert fill_shoe(STREETS, cards("Ac"), board, cards("Ad")) == cards("Ac 2c 2d 2h Ad")
    with pytest.raises(Refused, match="has cards of player and dealer; cards of 3 areas are given"):
        seat_shoe(TWO_SIDES, cards("Ac"), cards("Ad"), cards("Ah"))


def test_a_surplus_card_of_the_board_makes_a_round_void() -> None:
    round = Round.of(STREETS, "Ac", "2c 2d 2h 3c", "Ad", ante=500, blind=500)
    assert round.void == "The board has 4 cards; the rules deal at most 3."
    assert round.settlement.net == 0


@pytest.mark.parametrize(
    ("areas", "void"),
    [
        (("Ac", "2c 2d 2h", "Ad"), ""),
        (("Ac", "2c 2d", "Ad"), "The board has 2 cards instead of 3."),
        (("Ac", "2c 2d 2h 3c", "Ad"), "The board has 4 cards instead of 3."),
        (("Ac 3c", "2c 2d 2h", "Ad"), "The player has 2 cards instead of 1."),
        (("Ac", "2c 2d 2h", ""), "The dealer has 0 cards instead of 1."),
    ],
)
def test_every_area_is_counted(areas: tuple[str, ...], void: str) -> None:
    counted = CountedHands(STREETS, tuple(map(cards, areas)), complete=True)
    assert counted.play({"ante": 500, "blind": 500}, ("bet", "bet")).void == void


def test_a_missing_card_is_named_with_its_area() -> None:
    round = Round.of(STREETS, "Ac", "2c 2d", "Ad", ante=500, blind=500).choose("bet", "bet")
    assert round.missing == "the board's third card"
    with pytest.raises(Refused, match=r"^The board's third card is missing\.$"):
        _ = round.settlement


def test_a_view_has_every_area() -> None:
    start = Round.of(STREETS, "Ac", "2c 2d 2h", "Ad", ante=500, blind=500)
    shown = [
        {name: str(held) for name, held in round.view.areas.items()}
        for round in (start, start.choose("check"), start.choose("check", "bet"))
    ]
    assert shown == [
        {"player": "Ac", "board": "", "dealer": "##"},
        {"player": "Ac", "board": "2c 2d 2h", "dealer": "##"},
        {"player": "Ac", "board": "2c 2d 2h", "dealer": "Ad"},
    ]
    assert (start.view.board, Round.of(TWO_SIDES, "Ac", "Kd", player=100).view.board) == (Cards(), Cards())
