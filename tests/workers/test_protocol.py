"""The protocol of workers: every way in which an answer can come, or not come."""

import asyncio
import json
import os
import subprocess
import sys
import time

import pytest

from feltlab.errors import Refused
from feltlab.workers.protocol import WORKER_NICENESS, Worker, WorkerFailed, ask_once
from tests.support.processes import assert_end, is_running

START_SECONDS = 60.0  # of a worker on a busy machine
WORKER = """
import ctypes, os, subprocess, sys, time
from feltlab.errors import Refused
from feltlab.workers.protocol import run_worker

def answer(question, progress):
    print("not a reply")
    match question["kind"]:
        case "echo":
            return question
        case "process":
            return {"pid": os.getpid(), "nice": os.getpriority(os.PRIO_PROCESS, 0)}
        case "slow":
            for step in range(4):
                progress(step / 4)
                time.sleep(0.15)
            return "done"
        case "sleep":
            time.sleep(600)
        case "locked":
            other = subprocess.Popen(["sleep", "600"], close_fds=False)
            with open(question["path"], "w") as file:
                print(os.getpid(), other.pid, file=file)
            ctypes.PyDLL(None).sleep(600)  # holds Python's lock, as a kernel may
        case "refuse":
            raise Refused("Not today.")
        case "exit":
            os._exit(7)
    raise KeyError(question["kind"])

if __name__ == "__main__":
    run_worker(answer)
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "a_worker.py").write_text(WORKER)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))
    return "a_worker"


@pytest.fixture
async def worker(module):
    made = Worker(module)
    yield made
    await made.close()


async def test_one_process_answers_one_question_after_the_other(worker):
    first, second = [await worker.ask({"kind": "process"}) for _ in range(2)]
    assert first == second
    asked = [{"kind": "echo", "n": n} for n in range(5)]
    assert await asyncio.gather(*map(worker.ask, asked)) == asked


async def test_numbers_come_back_exactly(worker):
    question = {"kind": "echo", "numbers": [10**40, 0.1, -(2**63)]}
    assert await worker.ask(question) == question


async def test_progress_is_reported_before_the_answer(worker):
    seen = []
    assert await worker.ask({"kind": "slow"}, seen.append) == "done"
    assert seen == [0, 0.25, 0.5, 0.75]


async def test_a_refusal_is_raised_here(worker):
    with pytest.raises(Refused, match="Not today"):
        await worker.ask({"kind": "refuse"})


async def test_after_an_error_the_same_process_answers(worker, capfd):
    before = await worker.ask({"kind": "process"})
    with pytest.raises(WorkerFailed, match="KeyError: 'whist'"):
        await worker.ask({"kind": "whist"})
    assert await worker.ask({"kind": "process"}) == before
    assert "Traceback" in capfd.readouterr().err


async def test_a_process_that_ends_is_replaced(worker):
    before = await worker.ask({"kind": "process"})
    with pytest.raises(WorkerFailed, match="status 7"):
        await worker.ask({"kind": "exit"})
    assert (await worker.ask({"kind": "process"}))["pid"] != before["pid"]


async def test_a_cancelled_question_leaves_no_late_answer(worker):
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1):
            await worker.ask({"kind": "sleep"})
    assert await worker.ask({"kind": "echo"}) == {"kind": "echo"}


async def test_a_worker_gives_way_to_the_server(worker):
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert (await worker.ask({"kind": "process"}))["nice"] == min(19, own + WORKER_NICENESS)


async def test_a_process_for_one_question_ends_after_it(module):
    pid = (await ask_once(module, {"kind": "process"}))["pid"]
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_worker_that_cannot_start_is_a_sentence(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(WorkerFailed, match="No such file or directory"):
        await ask_once("feltlab.workers.lab", {})


def test_a_worker_at_work_ends_with_its_server(module):
    """Its standard input closes when the server ends, even if the server was killed."""
    process = subprocess.Popen([sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(json.dumps({"kind": "slow"}).encode() + b"\n" + b'{"kind": "sleep"}\n')
    process.stdin.flush()
    while b"result" not in process.stdout.readline():
        pass
    process.stdin.close()
    assert process.wait(20) == 0


SERVER = """
import asyncio, resource, sys
from feltlab.workers.protocol import Worker
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
connections = [open("/dev/null") for _ in range(int(sys.argv[3]))]
asyncio.run(Worker(sys.argv[1]).ask({"kind": "locked", "path": sys.argv[2]}))
"""


def read_processes(path):
    """The worker and the process that it has started, as soon as both run."""
    ends = time.monotonic() + START_SECONDS
    while not path.exists() or not path.read_text().endswith("\n"):
        assert time.monotonic() < ends, "the worker did not start"
        time.sleep(0.05)
    pids = [int(pid) for pid in path.read_text().split()]
    assert all(map(is_running, pids))
    return pids


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux ends the workers")
@pytest.mark.parametrize("connections", [0, 1_100])
def test_a_killed_server_takes_busy_workers_and_their_processes_along(module, tmp_path, connections):
    """The worker cannot read its closed input, since compiled code holds Python's lock.

    With many connections its pipe has a number that is too large for `select`.
    """
    path = tmp_path / "processes"
    server = subprocess.Popen([sys.executable, "-c", SERVER, module, str(path), str(connections)])
    pids = read_processes(path)
    server.kill()
    server.wait()
    assert_end(pids)


async def test_a_closed_worker_takes_its_processes_along(worker, tmp_path):
    path = tmp_path / "processes"
    asking = asyncio.create_task(worker.ask({"kind": "locked", "path": str(path)}))
    pids = await asyncio.to_thread(read_processes, path)
    asking.cancel()
    await asyncio.wait([asking])
    assert_end(pids)
