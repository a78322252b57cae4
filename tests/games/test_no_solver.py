"""A game is dealt before it has a solver: what needs one refuses in a sentence."""

from pathlib import Path

import pytest

from feltlab.errors import Refused
from feltlab.games import FOLDERS, GAMES, has_solver, solver_of
from feltlab.games.data_files import read_data
from tests.support.command_line import answer, refusal, run
from tests.support.unsolved import NAME, TITLE, add_unsolved_game


@pytest.fixture
def _toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_unsolved_game(tmp_path, monkeypatch)


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


@pytest.mark.usefixtures("_toy")
def test_a_game_without_a_solver_is_described() -> None:
    assert answer("games", NAME)["strategies"] == {}
    assert run("games", NAME).stdout.startswith(f"{TITLE}: ")


@pytest.mark.usefixtures("_toy")
@pytest.mark.parametrize("command", ["prove", "par", "session", "strategy"])
def test_commands_that_prove_say_that_there_is_no_solver(command: str) -> None:
    assert f"{TITLE} has no solver: " in refusal(command, NAME)


@pytest.mark.usefixtures("_toy")
def test_the_audit_says_which_file_is_missing() -> None:
    assert "games/toy_war/figures.toml is missing" in refusal("audit", NAME)
