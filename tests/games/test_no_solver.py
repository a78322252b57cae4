"""A game is dealt and proved before it has a solver of its own."""

from pathlib import Path

import pytest

from feltlab.errors import Refused
from feltlab.games.data_files import read_data
from tests.support.command_line import answer, refusal, run
from tests.support.unsolved import NAME, TITLE, add_unsolved_game


@pytest.fixture
def _toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_unsolved_game(tmp_path, monkeypatch)


def test_a_missing_data_file_is_named() -> None:
    with pytest.raises(Refused, match=r"games/nowhere/figures\.toml is missing"):
        read_data("games", "nowhere", "figures.toml")


@pytest.mark.usefixtures("_toy")
def test_a_game_without_a_solver_is_described() -> None:
    assert list(answer("games", NAME)["strategies"]) == ["optimal", "cautious"]
    assert run("games", NAME).stdout.startswith(f"{TITLE}: ")


@pytest.mark.usefixtures("_toy")
def test_a_game_without_a_solver_is_proved_by_its_rules_alone() -> None:
    toy, war = answer("prove", NAME), answer("prove", "casino-war")
    assert "through the rules themselves" in toy["method"]
    for bet, found in war["bets"].items():
        assert toy["bets"][bet]["house_edge"] == found["house_edge"]


@pytest.mark.usefixtures("_toy")
def test_the_audit_says_which_file_is_missing() -> None:
    assert "games/toy_war/figures.toml is missing" in refusal("audit", NAME)
