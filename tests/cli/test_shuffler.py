"""`feltlab shuffler` as people use it."""

from pathlib import Path

import pytest

from feltlab.games import GAMES
from feltlab.ledger.ledger import Ledger
from feltlab.pit.recorded_round import table_names
from feltlab.shuffling.machine import FAULTS
from tests.support.command_line import answer, refusal, run

RUMMY = "triple-shot-rummy-1"


@pytest.fixture
def at(played_folder: Path) -> tuple[str, str]:
    return "--data", str(played_folder)


def test_the_log_of_all_tables_and_of_one(at: tuple[str, str], played_ledger: Ledger) -> None:
    logs = answer("shuffler", "log", *at)
    assert [log["table"] for log in logs] == table_names(played_ledger)
    (log,) = answer("shuffler", "log", RUMMY, "--last", "3", *at)
    assert len(log["cycles"]) == 3
    cycles = list(played_ledger.events(RUMMY, kinds=("shuffled",)))
    assert sum(machine["cycles"] for machine in log["machines"]) == len(cycles)
    assert log["cycles"][0]["cycle"] == cycles[-1].data["cycle"]


@pytest.mark.parametrize("machine", ["main", "backup", "hand"])
def test_the_log_of_one_machine(at: tuple[str, str], machine: str) -> None:
    logs = [log for log in answer("shuffler", "log", "--machine", machine, *at) if log["machines"]]
    assert logs
    for log in logs:
        assert [found["shuffler"] for found in log["machines"]] == [machine]
        assert {row["shuffler"] for row in log["cycles"]} <= {machine}
        assert bool(log["cycles"]) == bool(log["machines"][0]["cycles"])


def test_the_log_is_printed_for_people(at: tuple[str, str]) -> None:
    printed = run("shuffler", "log", RUMMY, *at).stdout
    assert printed.startswith(f"{RUMMY}: ")
    assert "ACE" in printed
    assert "Three Card" in printed


def test_another_table_or_machine_is_refused(at: tuple[str, str]) -> None:
    assert "'east' is not a table of this ledger" in refusal("shuffler", "log", "east", *at)
    assert "'third' is not a shuffler of a table" in refusal("shuffler", "log", "--machine", "third", *at)


@pytest.mark.parametrize("game", GAMES)
def test_the_modes_that_fit_a_game(game: str) -> None:
    fits = answer("shuffler", "modes", game)
    printed = run("shuffler", "modes", game).stdout
    assert fits
    assert all(model in printed and " or ".join(modes) in printed for model, modes in fits.items())


def test_the_models_with_their_modes() -> None:
    models = answer("shuffler", "modes")
    assert [model["model"] for model in models] == ["ACE", "i-Deal", "i-Deal Plus", "shoe shuffler"]
    assert "Caribbean Stud" in run("shuffler", "modes").stdout


@pytest.mark.parametrize("fault", FAULTS)
def test_the_guide_of_a_fault(fault: str) -> None:
    guide = answer("shuffler", "guide", *fault.split())
    assert guide == answer("shuffler", "guide", fault.replace(" ", "-"))
    printed = run("shuffler", "guide", fault).stdout
    assert all(text in printed for text in (guide["shows"], guide["first"], *guide["steps"]))


def test_the_whole_guide_has_every_fault_and_the_seven_steps() -> None:
    whole = answer("shuffler", "guide")
    assert [guide["fault"] for guide in whole["faults"]] == list(FAULTS)
    assert len(whole["replacement"]) == 7
    assert "'fire' is not a fault" in refusal("shuffler", "guide", "fire")
