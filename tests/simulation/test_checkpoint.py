"""Checkpoints: killed at any moment, a run goes on and ends with the same tally; nothing is overwritten."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from feltlab.core.stake import default_stake
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.simulation import run as simulation
from feltlab.simulation.checkpoint import Checkpoint, recorded_value
from feltlab.simulation.plan import SimulationPlan
from feltlab.simulation.run import run_plan

GAME = GAMES["casino-war"]
RUN = {"game": "faro", "seed": 1}


def plan(rounds=50_000, seed=3):
    return SimulationPlan.of(GAME, default_stake(GAME), "optimal", rounds, seed)


@pytest.fixture
def small_units(monkeypatch):
    monkeypatch.setattr("feltlab.simulation.plan.ROUNDS_PER_BATCH", 1000)
    monkeypatch.setattr(simulation, "SAVE_SECONDS", 0.0)


class Stops(Exception):
    pass


@pytest.mark.usefixtures("small_units")
@pytest.mark.parametrize("after", [0, 1, 7, 49, 50])
def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path, after):
    file, heard = tmp_path / "run.json", []

    def stop(share):
        heard.append(share)
        if len(heard) > after:
            raise Stops

    with pytest.raises(Stops):
        run_plan(plan(), checkpoint=file, progress=stop)
    heard.clear()
    resumed = run_plan(plan(), checkpoint=file, progress=heard.append)
    assert heard[0] == 1000 * after / plan().rounds
    assert resumed.tally == run_plan(plan()).tally
    assert resumed.first_choices == run_plan(plan()).first_choices


@pytest.mark.usefixtures("small_units")
def test_a_run_that_is_done_is_told_again(tmp_path):
    file = tmp_path / "run.json"
    first = run_plan(plan(), checkpoint=file)
    before = file.read_bytes()
    assert run_plan(plan(), checkpoint=file).tally == first.tally
    assert file.read_bytes() == before


@pytest.mark.parametrize("other", [plan(seed=4), plan(rounds=50_001)])
def test_the_checkpoint_of_another_run_is_refused_and_left_alone(tmp_path, other):
    file = tmp_path / "run.json"
    run_plan(plan(), checkpoint=file)
    before = file.read_bytes()
    with pytest.raises(Refused, match=r"checkpoint of another run: (seed|rounds) \d+, not \d+"):
        run_plan(other, checkpoint=file)
    assert file.read_bytes() == before


def damaged(text):
    yield ""
    yield text[:-1]
    yield text[: len(text) // 2]
    yield text.replace('"seed": 3', '"seed": 4')
    yield "[]"
    yield "null"
    yield "\0" * 100
    yield '{"run": 1, "digest": 2, "state": 3}'


def test_a_damaged_checkpoint_is_refused_and_left_alone(tmp_path):
    file = tmp_path / "run.json"
    run_plan(plan(), checkpoint=file)
    for text in damaged(file.read_text()):
        file.write_text(text)
        with pytest.raises(Refused, match="not a checkpoint, or it is damaged"):
            run_plan(plan(), checkpoint=file)
        assert file.read_text() == text


def test_counts_that_do_not_add_up_are_refused(tmp_path):
    file = tmp_path / "run.json"
    kept = Checkpoint(file, plan().identity())
    kept.save({"done": [[0, 1]], "joint": [[0], [49_999]], "made": [[50_000, 0, 0]]})
    kept.close()
    with pytest.raises(Refused, match="do not add up"):
        run_plan(plan(), checkpoint=file)


@pytest.mark.usefixtures("small_units")
def test_an_interrupt_between_two_sums_keeps_the_last_whole_state(tmp_path):
    run = simulation._Run(plan(), Checkpoint(tmp_path / "run.json", plan().identity()))
    run.counts.joint[3] += 1000  # and before the batch could be marked as done
    run._save()
    run.checkpoint.close()
    assert run_plan(plan(), checkpoint=tmp_path / "run.json").tally == run_plan(plan()).tally


def test_one_run_at_a_time(tmp_path):
    file = tmp_path / "run.json"
    first = Checkpoint(file, RUN)
    first.save([1])
    with pytest.raises(Refused, match="Another run is writing"):
        Checkpoint(file, RUN)
    first.close()
    again = Checkpoint(file, RUN)
    assert again.state == [1]
    again.close()


def test_what_cannot_be_written_is_told_before_the_first_round(tmp_path):
    with pytest.raises(Refused, match="cannot be used: No such file or directory"):
        run_plan(plan(), checkpoint=tmp_path / "nowhere" / "run.json")
    with pytest.raises(Refused, match="cannot be used: it is not an ordinary file"):
        run_plan(plan(), checkpoint=tmp_path)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.json").symlink_to(tmp_path / "run.json")
    run_plan(plan(), checkpoint=tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert recorded_value(tmp_path / "run.json", "seed") == 3


def test_a_pipe_is_no_checkpoint(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Refused, match="not an ordinary file"):
        run_plan(plan(), checkpoint=tmp_path / "pipe")


def test_nothing_else_is_left_in_the_folder(tmp_path):
    run_plan(plan(), checkpoint=tmp_path / "run.json")
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_the_seed_of_a_checkpoint_can_be_asked(tmp_path):
    file = tmp_path / "run.json"
    assert recorded_value(file, "seed") is None
    Checkpoint(file, RUN).close()
    assert recorded_value(file, "seed") == 1
    file.write_text("no json")
    assert recorded_value(file, "seed") is None


# Saves after every part, and dies while a save of some number begins, goes on or is done.
KILLED = """
import os, random, signal, sys, threading
from feltlab.cli.main import main
from feltlab.simulation import run
draw, save, saves = random.Random(int(sys.argv.pop(1))), run.Checkpoint.save, []
last, seconds = draw.randrange(1, 4), draw.choice([0, draw.uniform(0, 0.002), draw.uniform(0, 0.05)])

def save_and_die(checkpoint, state):
    saves.append(state)
    if len(saves) == last:
        threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGKILL)).start()
    save(checkpoint, state)

run.SAVE_SECONDS, run.Checkpoint.save = 0.0, save_and_die
main()
"""
KILLS = 10


@pytest.mark.slow
def test_killed_at_any_moment_a_run_ends_with_the_same_tally(tmp_path):
    """SIGKILL around its saves, several times over, by the command that a user runs."""
    words = ["simulate", "casino-war", "--rounds", "8e7", "--seed", "5", "--json", "--checkpoint"]
    words.append(str(tmp_path / "run.json"))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ends = [
        subprocess.run(
            [sys.executable, "-c", KILLED, str(seed), *words], stdout=subprocess.DEVNULL, env=environment
        ).returncode
        for seed in range(KILLS)
    ]
    assert ends.count(-signal.SIGKILL) > KILLS / 2
    command = [sys.executable, "-m", "feltlab", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    told = json.loads(done.stdout)
    expected = run_plan(SimulationPlan.of(GAME, default_stake(GAME), "optimal", 8 * 10**7, 5))
    assert [entry["rounds"] for entry in told["tally"]] == list(expected.tally.counts.values())


# Saves at the end only, and makes a file as soon as some rounds are counted.
PATIENT = """
import pathlib, sys
from feltlab.cli.main import main
from feltlab.simulation import run
play, begun = run._Run.play, pathlib.Path(sys.argv.pop(1))

def play_and_tell(self, executor, progress):
    play(self, executor, lambda share: (share and begun.touch(), progress(share)))

run.SAVE_SECONDS, run._Run.play = 1e9, play_and_tell
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_who_is_told_to_end_saves_what_is_done(tmp_path, number):
    file = tmp_path / "run.json"
    words = ["simulate", "casino-war", "--rounds", "1e12", "--checkpoint", str(file)]
    begun = tmp_path / "begun"
    command = [sys.executable, "-c", PATIENT, str(begun), *words]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not begun.exists() and run.poll() is None:
        time.sleep(0.05)
    run.send_signal(number)
    assert run.communicate()[1] == "feltlab: Interrupted.\n"
    assert run.returncode == 130
    assert json.loads(file.read_text())["state"]["done"][0][1] > 0
