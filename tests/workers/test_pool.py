"""The queue of the lab's questions: answers that are remembered, dropped, refused and waited for."""

import asyncio
import os
import sys

import pytest

from feltlab.errors import Refused, TooOften
from feltlab.workers import pool
from feltlab.workers.lab import open_lab
from feltlab.workers.pool import Lane, Pool, Task, Working
from feltlab.workers.protocol import BACKGROUND_NICENESS, WORKER_NICENESS

LONG = {"war": "1", "blackjack": "7919", "poker": "1/7919", "hat-trick": "1"}  # nobody asked it before
PROOF = {"game": "casino-war", "options": {}, "stake": {}, "strategy": "optimal"}


def never(task):
    """Somebody still waits for the task."""
    return False


def proof(game="casino-war"):
    return Task({"kind": "proof", **PROOF, "game": game})


@pytest.fixture
async def lab():
    made = open_lab()
    yield made
    await made.close()


@pytest.fixture
async def lane():
    made = Lane("feltlab.workers.lab")
    yield made
    await made.worker.close()


async def test_an_answer_is_remembered(lab):
    first = await lab.answer("proof", 60, **PROOF)
    assert await lab.answer("proof", 0.001, **PROOF) is first


async def test_a_refusal_of_the_worker_is_raised_here(lab):
    with pytest.raises(Refused, match="requires"):
        await lab.answer("proof", 60, **PROOF | {"stake": {"primary": "0"}})


async def test_a_process_that_dies_is_replaced(lane):
    tasks = [proof(), proof()]
    for task in tasks:
        await lane.run(task, never)
        await lane.worker._child.stop()
    assert tasks[1].result["deals"] == tasks[0].result["deals"]


async def test_a_process_that_dies_at_work_is_a_sentence(lane):
    task = proof("triple-shot-bonus")
    at_work = asyncio.create_task(lane.run(task, never))
    while not lane.worker._child:
        await asyncio.sleep(0.01)
    await lane.worker._child.stop()
    await at_work
    assert task.refused == pool.FAILED


async def test_a_short_question_does_not_wait_for_a_long_one(lab):
    long = {**PROOF, "game": "triple-shot-bonus", "stake": LONG}
    with pytest.raises(Working):
        await lab.answer("proof", 0.01, **long)
    await lab.answer("proof", 60, **PROOF)
    with pytest.raises(Working) as working:
        await lab.answer("proof", 0.01, **long)
    assert working.value.ahead == 0


async def test_a_question_too_many_is_refused(lab):
    questions = [{"kind": "proof", **PROOF, "stake": {"primary": str(n)}} for n in range(1, 100)]
    for question in questions[: pool.MAX_WAITING]:
        lab.ask(question)
    with pytest.raises(TooOften):
        lab.ask(questions[pool.MAX_WAITING])


async def test_a_question_that_nobody_asks_again_is_dropped(lab, monkeypatch):
    monkeypatch.setattr(pool, "DROP_SECONDS", 0.3)
    monkeypatch.setattr(pool, "CHECK_SECONDS", 0.05)
    with pytest.raises(Working):  # the process takes longer than this to start
        await lab.answer("card", 0.01, **{**PROOF, "game": "triple-shot-bonus", "stake": LONG})
    async with asyncio.timeout(60):
        while lab._tasks:
            await asyncio.sleep(0.1)


async def test_a_question_left_behind_makes_room_for_another(monkeypatch):
    lab = Pool("feltlab.workers.lab", max_workers=1)
    monkeypatch.setattr(pool, "DROP_SECONDS_WHEN_BUSY", 0.2)
    with pytest.raises(Working):
        await lab.answer("card", 0.01, **{**PROOF, "game": "triple-shot-bonus", "stake": LONG})
    await lab.answer("proof", 60, **PROOF)
    assert [task.question["kind"] for task in lab._tasks.values()] == ["proof"]
    await lab.close()


async def test_the_event_loop_is_free_meanwhile(lab):
    """While something is proved, the loop goes on turning."""
    asked = asyncio.create_task(lab.answer("proof", 60, **PROOF | {"strategy": "surrender"}))
    turns = 0
    while not asked.done():
        await asyncio.sleep(0.002)
        turns += 1
    assert turns > 20


# -- In the background ------------------------------------------------------------------------------

WORKER = """
import os, time
from feltlab.workers.protocol import run_worker

def answer(question, progress):
    for step in range(question["steps"]):
        progress(step / question["steps"])
        time.sleep(0.15)
    return {"pid": os.getpid(), "nice": os.getpriority(os.PRIO_PROCESS, 0)}

if __name__ == "__main__":
    run_worker(answer)
"""


@pytest.fixture
async def workers(tmp_path, monkeypatch):
    """A pool whose questions take as many steps as they say."""
    (tmp_path / "a_worker.py").write_text(WORKER)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))
    monkeypatch.setattr(pool, "CHECK_SECONDS", 0.05)
    monkeypatch.setattr(pool, "PAUSE_SECONDS", 0.05)
    made = Pool("a_worker")
    yield made
    await made.close()


async def begin_preparing(workers, **question):
    """A preparation whose worker is at work."""
    preparing = asyncio.create_task(workers.prepare("wait", **question))
    while not any(task.progress for task in workers._tasks.values()):
        await asyncio.sleep(0.02)
    return preparing


async def test_a_prepared_answer_is_there_at_once(workers):
    task = await workers.prepare("wait", steps=0)
    assert await workers.answer("wait", 0.001, steps=0) is task.result
    assert task.result["nice"] == min(19, os.getpriority(os.PRIO_PROCESS, 0) + BACKGROUND_NICENESS)


async def test_who_asks_for_an_answer_that_is_being_prepared_waits_for_that_one(workers):
    preparing = await begin_preparing(workers, steps=6)
    with pytest.raises(Working) as working:
        await workers.answer("wait", 0.01, steps=6)
    assert 0 < working.value.task.progress < 1
    assert working.value.ahead == 0
    assert (await workers.answer("wait", 60, steps=6))["pid"] == (await preparing).result["pid"]


async def test_preparing_stops_while_somebody_waits_for_another_answer(workers):
    preparing = await begin_preparing(workers, steps=20)
    (task,) = workers._tasks.values()
    asking = asyncio.create_task(workers.answer("wait", 60, steps=8))
    while task.began:
        await asyncio.sleep(0.02)
    assert not asking.done()
    await asking
    assert not (await preparing).refused  # begun again


async def test_an_answer_that_waits_to_be_prepared_is_worked_out_at_once_for_who_asks(workers):
    first = await begin_preparing(workers, steps=20)
    second = asyncio.create_task(workers.prepare("wait", steps=1))
    await asyncio.sleep(0)
    asked = await workers.answer("wait", 60, steps=1)
    assert asked["nice"] == min(19, os.getpriority(os.PRIO_PROCESS, 0) + WORKER_NICENESS)
    assert (await second).result is asked
    first.cancel()


async def test_a_closed_pool_ends_what_is_prepared(workers):
    preparing = await begin_preparing(workers, steps=100)
    await workers.close()
    assert (await preparing).refused == pool.FAILED
