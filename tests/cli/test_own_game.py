"""A game in a folder of the user's, beyond the command line: processes, servers, and people who name it."""

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltlab.errors import Refused
from feltlab.game_folders import digest_sources, folder_digest, worker_environment
from feltlab.games import GAMES, game_named
from feltlab.games.offers import build_game
from tests.support.own_games import new_game, nothing_named
from tests.support.running import running


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with nothing_named():
        yield new_game(tmp_path / "mine")


UNPICKLE = "import pickle, sys; print(pickle.loads(bytes.fromhex(sys.argv[1])).title)"


def run_worker(pickled: bytes) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", UNPICKLE, pickled.hex()]
    environment = {**worker_environment(), "PYTHONPATH": ":".join(filter(None, sys.path))}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_another_process_knows_the_game(folder: Path) -> None:
    pickled = pickle.dumps(GAMES[f"{folder}/"].with_options({"pair-bet": "2"}))
    assert run_worker(pickled).stdout == "Mine\n"


def test_a_worker_refuses_rules_that_have_changed_since(folder: Path) -> None:
    pickled = pickle.dumps(GAMES[f"{folder}/"])
    with (folder / "rules.py").open("a") as rules:
        rules.write("# changed\n")
    assert "The files of mine have changed since the program started" in run_worker(pickled).stderr


def test_a_process_keeps_the_digest_of_what_it_imported(folder: Path) -> None:
    game = GAMES[f"{folder}/"]
    before = game.digest, folder_digest(folder)
    rules = folder / "rules.py"
    rules.write_text(rules.read_text().replace("20, 6, 1", "30, 6, 1"))
    assert (game.with_options({}).digest, folder_digest(folder)) == before
    assert digest_sources(folder) != before[1]


@pytest.mark.parametrize("find", [game_named, build_game])
def test_a_name_from_other_people_is_never_a_path(folder: Path, find: object) -> None:
    assert callable(find)
    with pytest.raises(Refused, match="is not a game"):
        find(f"{folder}/")
    assert "mine" not in GAMES


async def test_a_table_of_the_game_is_dealt_through_the_api(folder: Path, tmp_path: Path) -> None:
    _ = GAMES[f"{folder}/"]
    async with running(tmp_path / "pit") as house:
        ann = await house.guest()
        for action, body in {
            "sit": {"cents": 20_000},
            "wager": {"round": 1, "wagers": {"ante": 500}},
            "ready": {"round": 1},
            "choose": {"round": 1, "choice": "fold"},
        }.items():
            found = await ann.at("mine-1", action, seat=1, **body)
            assert found.status_code == 200, found.text
        assert found.json()["seats"][0]["bankroll"] == 20_000 - 500


async def test_nobody_names_a_folder_through_the_server(folder: Path, tmp_path: Path) -> None:
    async with running(tmp_path / "pit") as house:
        ann = await house.guest()
        for path in ("/lab/findings", "/findings"):
            await ann.get(path, game=f"{folder}/")
        assert "mine" not in GAMES
