"""`feltlab new` writes a game that runs, and nothing over what is there."""

import os
from pathlib import Path

import pytest

from tests.support.command_line import refusal, run
from tests.support.own_games import new_game

FILES = {"figures.toml", "packet.toml", "rules.md", "rules.py", "test_game.py"}


def test_a_game_is_written_under_its_name(tmp_path: Path) -> None:
    folder = new_game(tmp_path / "lucky-7")
    assert {path.name for path in folder.iterdir()} == FILES
    rules = (folder / "rules.py").read_text()
    assert 'NAME = "lucky-7"\nTITLE = "Lucky 7"\n' in rules
    assert "class HouseOfLucky7(NamedTuple):" in rules
    assert not [path for path in folder.iterdir() if "@" in path.read_text().replace("@lean", "")]


def test_a_title_is_taken_as_it_is(tmp_path: Path) -> None:
    run("new", str(tmp_path / "aces"), "--title", "Aces & Eights")
    assert 'TITLE = "Aces & Eights"' in (tmp_path / "aces" / "rules.py").read_text()


def test_what_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert refusal("new", f"{tmp_path}/mine").endswith("mine exists already; nothing was written.")
    assert not list((tmp_path / "mine").iterdir())


@pytest.mark.parametrize("name", ["My Game", "my_game", "-game", "game-", "jeu-é"])
def test_a_name_that_commands_could_not_take_is_refused(tmp_path: Path, name: str) -> None:
    assert "is not a name for a game" in refusal("new", "--", f"{tmp_path}/{name}")
    assert not list(tmp_path.iterdir())


def test_a_name_of_ours_is_refused(tmp_path: Path) -> None:
    assert (
        refusal("new", f"{tmp_path}/casino-war") == "'casino-war' is a game of feltlab; choose another name."
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_place_where_nothing_may_be_written_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "nothing may be written in" in refusal("new", f"{tmp_path}/mine")


def test_a_place_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert refusal("new", f"{tmp_path}/file/mine").endswith("file is not a folder.")
