"""A game as plain data and back."""

from fractions import Fraction

import pytest

from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.offers import build_game, game_from_data, game_from_words, game_to_data

WAR = GAMES["casino-war"]
CLUB = WAR.with_options({"decks": "2"}).with_pays("tie", {"tie": Fraction(23, 2)})


@pytest.mark.parametrize("game", [WAR, CLUB, CLUB.with_pays("primary", {"war won": Fraction(3, 4)})], ids=str)
def test_a_game_comes_back_from_its_data(game):
    assert game_from_data(game_to_data(game)) == game
    assert game_from_data(game_to_data(game)).digest == game_to_data(game)["digest"]


@pytest.mark.parametrize("name", list(GAMES))
def test_a_game_in_which_only_one_line_of_a_table_differs_comes_back(name):
    for spot in GAMES[name].spots:
        for line in (line for line in GAMES[name].pay_table(spot).lines if line.result == "win"):
            game = GAMES[name].with_pays(spot.name, {line.outcome: Fraction(77)})
            assert game_from_data(game_to_data(game)) == game


@pytest.mark.parametrize(
    ("name", "options", "pays", "said"),
    [
        ("whist", {}, [], "'whist' is not a game"),
        ("casino-war", {"jokers": "2"}, [], "'jokers' is not an option of Casino War"),
        ("casino-war", {"decks": "9"}, [], "decks=9 is not possible"),
        ("casino-war", {}, [("tie", "no tie", "5")], "'no tie' is not a win"),
    ],
)
def test_data_of_no_game_is_refused(name, options, pays, said):
    with pytest.raises(Refused, match=said):
        build_game(name, options, pays)


def test_words_name_outcomes_as_a_pay_table_accepts_them():
    assert game_from_words("casino-war", {"decks": "2"}, {"tie": {"TIE": "23/2"}}) == CLUB


@pytest.mark.parametrize(
    ("pays", "said"),
    [
        ({"tie": {"draw": "5"}}, "'draw' is not among them"),
        ({"side": {"tie": "5"}}, "'side' is not a spot of Casino War"),
    ],
)
def test_words_that_name_no_line_are_refused(pays, said):
    with pytest.raises(Refused, match=said):
        game_from_words("casino-war", {}, pays)
