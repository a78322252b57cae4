"""A real cluster of processes: the same tally as one machine, whatever happens to the workers."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from feltlab.core.stake import default_stake
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.parallel.cluster import Cluster
from feltlab.proving.proof import prove, prove_all
from feltlab.simulation.plan import SimulationPlan
from feltlab.simulation.run import run_plan
from feltlab.simulation.user_strategy import UserStrategy

pytest.importorskip("distributed", reason="distributed is not installed; the dev extra brings it")

GAME = GAMES["casino-war"]
WORKING_SECONDS = 4  # more than a worker needs to start


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr(Cluster, "batches_per_part", 4)
    monkeypatch.setattr("feltlab.simulation.run.MIN_PARTS", 1)


def plan(rounds, game=GAME):
    return SimulationPlan.of(game, default_stake(game), "optimal", rounds, 11)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@pytest.mark.slow
def test_a_cluster_counts_what_one_machine_counts():
    asked = plan(20_000_000)
    one, many = run_plan(asked), run_plan(asked, Cluster("local:2"))
    assert one.tally == many.tally
    assert one.first_choices == many.first_choices


def busiest_child(parent=None):
    """A worker process: the child of this one, or of another, that has worked most; and its seconds."""
    import psutil

    worked = [(0.0, 0)]
    for child in psutil.Process(parent).children(recursive=True):
        with suppress(psutil.Error):  # it has just ended
            worked.append((child.cpu_times().user, child.pid))
    seconds, pid = max(worked)
    return pid, seconds


@pytest.mark.slow
def test_a_worker_killed_in_mid_run_changes_nothing():
    asked, shares, killed = plan(50_000_000), [], []

    def kill_once(share):
        shares.append(share)
        if len(shares) == 3:
            killed.append(busiest_child()[0])
            os.kill(killed[0], signal.SIGKILL)

    many = run_plan(asked, Cluster("local:2"), progress=kill_once)
    assert killed
    assert many.tally == run_plan(asked).tally


@pytest.mark.slow
def test_proofs_go_through_the_same_door():
    games = [GAME, GAME.with_options({"decks": "1"}), GAMES["triple-shot-rummy"]]
    asked = [(game, default_stake(game), "optimal") for game in games]
    found = {str(proof.game): proof.tally for proof in prove_all(asked, Cluster("local:2"))}
    assert found == {str(game): prove(game).tally for game in games}


def test_a_scheduler_that_cannot_be_reached_is_one_sentence(monkeypatch):
    monkeypatch.setattr("feltlab.parallel.cluster.CONNECT_SECONDS", 1)
    with pytest.raises(Refused, match=r"No scheduler answers at tcp://127\.0\.0\.1:\d+\."):
        run_plan(plan(1000), Cluster(f"tcp://127.0.0.1:{free_port()}"))


def test_a_server_of_another_kind_is_one_sentence(monkeypatch):
    """It accepts the connection and says nothing."""
    monkeypatch.setattr("feltlab.parallel.cluster.CONNECT_SECONDS", 1)
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        with pytest.raises(Refused, match="No scheduler answers"):
            run_plan(plan(1000), Cluster(f"tcp://127.0.0.1:{mute.getsockname()[1]}"))


@pytest.mark.slow
def test_an_endless_recursion_on_a_worker_is_one_sentence():
    source = "def decide(kernel_data, seen, legal):\n    return decide(kernel_data, seen, legal)\n"
    mine = SimulationPlan.of(GAME, default_stake(GAME), UserStrategy("mine.py", source, "decide"), 1000, 1)
    with pytest.raises(Refused, match=r"mine\.py fails with .*RecursionError"):
        run_plan(mine, Cluster("local:1"))


@pytest.mark.slow
def test_an_interrupt_ends_a_local_cluster_with_one_sentence():
    """As a terminal sends it, to all processes of the group."""
    words = ["simulate", "casino-war", "--rounds", "1e12", "--cluster", "local:2"]
    command = [sys.executable, "-m", "feltlab", *words]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while busiest_child(run.pid)[1] < WORKING_SECONDS and run.poll() is None:
        time.sleep(0.1)
    os.killpg(run.pid, signal.SIGINT)
    assert run.communicate()[1] == "feltlab: Interrupted.\n"
    assert run.returncode == 130


@pytest.fixture
def scheduler():
    """A scheduler as a user starts it, and the command that gives it a worker."""
    address = f"tcp://127.0.0.1:{free_port()}"
    start = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--host", "127.0.0.1"]
    command = [*start, "--port", address.rpartition(":")[2]]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(address)
    yield address, process
    process.kill()
    process.wait()


def wait_for(address):
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    for _ in range(200):
        with socket.socket() as tried:
            if tried.connect_ex((host, int(port))) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(address)


def worker(address):
    start = [
        sys.executable,
        "-m",
        "distributed.cli.dask_worker",
        address,
        "--nthreads",
        "1",
        "--no-dashboard",
    ]
    return subprocess.Popen(start, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.mark.slow
def test_a_scheduler_of_ones_own(scheduler, monkeypatch):
    """Without workers it is one sentence; with one, the same tally; lost in mid-run, one sentence."""
    address, process = scheduler
    monkeypatch.setattr("feltlab.parallel.cluster.CONNECT_SECONDS", 2)
    with pytest.raises(Refused, match="has no workers"):
        run_plan(plan(1000), Cluster(address))
    monkeypatch.setattr("feltlab.parallel.cluster.CONNECT_SECONDS", 60)
    hired = worker(address)
    try:
        assert run_plan(plan(40_000_000), Cluster(address)).tally == run_plan(plan(40_000_000)).tally
        with pytest.raises(Refused, match="was lost"):
            run_plan(plan(10**12), Cluster(address), progress=lambda share: share and process.kill())
    finally:
        hired.kill()
        hired.wait()


@pytest.mark.slow
def test_workers_with_other_sources_are_refused(monkeypatch):
    monkeypatch.setattr("feltlab.parallel.cluster.source_digest", lambda: "of another day")
    with pytest.raises(Refused, match="other sources of feltlab"):
        run_plan(plan(1000), Cluster("local:1"))


@pytest.mark.parametrize(
    "address", ["", "local:0", "local:x", "host:80", "http://host:80", "tcp://host", "tcp://:"]
)
def test_what_is_no_address_is_refused(address):
    with pytest.raises(Refused, match="A cluster is local, local:N or tcp://host:port"):
        Cluster(address)
