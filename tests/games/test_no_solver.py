"""A game is dealt before it has a solver: what needs one refuses in a sentence."""

import pytest

from feltlab.errors import Refused
from feltlab.games import FOLDERS, GAMES, has_solver, solver_of
from feltlab.games.data_files import read_data


def test_every_game_of_the_house_has_a_solver() -> None:
    assert all(map(has_solver, GAMES.values()))


def test_a_game_without_a_solver_is_refused_by_its_title(monkeypatch: pytest.MonkeyPatch) -> None:
    name, game = next(iter(GAMES.items()))
    monkeypatch.setitem(FOLDERS, name, "no_such_folder")
    monkeypatch.setattr("feltlab.games.find_spec", lambda module: None)
    with pytest.raises(Refused, match=f"{game.title} has no solver: "):
        solver_of(game)


def test_a_missing_data_file_is_named() -> None:
    with pytest.raises(Refused, match=r"games/nowhere/figures\.toml is missing"):
        read_data("games", "nowhere", "figures.toml")
