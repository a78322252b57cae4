"""Proofs beside the server: one at a time, in a niced process, so that no table ever waits for one.

A question waits in a short queue until the process is free. Its answer is kept while there is room, so
whoever asks the same gets it at once. A question that nobody asked again for a while is given up: who
waits asks again every second or two.
"""

import asyncio
import json
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from contextlib import suppress
from typing import Any

from feltlab.errors import Refused
from feltlab.pit.rates import TooOften

PATIENCE = 0.8  # seconds in which an answer may come before a page says that it is being worked out
GIVEN_UP = 20.0  # seconds without anybody asking
IDLE = 300.0  # seconds after which a process without work is ended
MOST_WAITING = 12  # questions
MOST_BYTES = 48 << 20  # of answers that are kept
LONGEST = 128 << 20  # bytes of an answer
FAILED = "The lab could not work this out; the server's log says more."
Question = dict[str, Any]


class Broken(RuntimeError):
    """The process ended without an answer."""


class Task:
    """A question, and what is known of its answer."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.progress = 0.0
        self.began: float | None = None
        self.result: Any = None
        self.refused = ""  # a sentence in place of a result
        self.size = 0  # bytes of the answer
        self.ended = asyncio.Event()
        self.came = self.asked = time.monotonic()
        self.waiters = 0

    @property
    def given_up(self) -> bool:
        return not self.waiters and time.monotonic() - self.asked > GIVEN_UP

    def end(self, told: dict[str, Any], size: int) -> None:
        self.result, self.refused, self.size = told.get("result"), told.get("refused", ""), size
        if "failed" in told:
            self.refused = FAILED
        self.ended.set()


class Working(Exception):
    """The answer is not there yet."""

    def __init__(self, task: Task, ahead: int) -> None:
        super().__init__("The answer is being worked out.")
        self.task, self.ahead = task, ahead

    def as_json(self) -> dict[str, Any]:
        began = self.task.began
        seconds = round(time.monotonic() - began, 1) if began else 0
        return {"progress": round(self.task.progress, 4), "seconds": seconds, "ahead": self.ahead}


class Work:
    """The questions of one server."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[str, Task] = OrderedDict()  # asked longest ago first
        self._more = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._process: Process | None = None

    # -- Asking --------------------------------------------------------------------------------------

    async def answer(self, kind: str, patience: float = PATIENCE, **asked: Any) -> Any:
        """The answer; raises `Working` if it does not come soon, and `Refused` where there is none."""
        task = self.ask({"kind": kind, **asked})
        task.waiters += 1
        try:
            async with asyncio.timeout(patience):
                await task.ended.wait()
        except TimeoutError:
            raise Working(task, self._ahead(task)) from None
        finally:
            task.waiters -= 1
            task.asked = time.monotonic()
        if task.refused:
            self._forget(task)
            raise Refused(task.refused)
        return task.result

    def ask(self, question: Question) -> Task:
        """The task of a question, begun if it is new; refuses where too many wait."""
        key = _key(question)
        found = self._tasks.get(key)
        if found is None:
            if len(self._waiting()) >= MOST_WAITING:
                raise TooOften("questions for the lab", 10)
            found = self._tasks[key] = Task(question)
            self._start()
        self._tasks.move_to_end(key)
        found.asked = time.monotonic()
        return found

    def _waiting(self) -> list[Task]:
        """Tasks without an answer, in the order in which they came; the one being worked on first."""
        open_ = (task for task in self._tasks.values() if not task.ended.is_set())
        return sorted(open_, key=lambda task: (task.began is None, task.came))

    def _ahead(self, task: Task) -> int:
        return self._waiting().index(task) if not task.ended.is_set() else 0

    # -- Working -------------------------------------------------------------------------------------

    def _start(self) -> None:
        self._more.set()
        if self._loop is None or self._loop.done():
            self._loop = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            while True:
                waiting = self._next()
                if waiting:
                    await self._work_on(waiting)
                    continue
                self._more.clear()
                await asyncio.wait_for(self._more.wait(), IDLE)
        except TimeoutError:
            pass
        finally:
            await self._end_process()

    def _next(self) -> Task | None:
        for task in self._waiting():
            if not task.given_up:
                return task
            self._forget(task)
        return None

    async def _work_on(self, task: Task) -> None:
        task.began = time.monotonic()
        try:
            process = await self._ready()
            await self._converse(process, task)
        except (Broken, OSError, ValueError):
            await self._end_process()
            task.end({"failed": "ended"}, 0)
        self._make_room()

    async def _converse(self, process: Process, task: Task) -> None:
        """Put the question and listen until the answer comes, or nobody wants it any more."""
        assert process.stdin
        process.stdin.write(_key(task.question).encode() + b"\n")
        while True:
            line = await _line(process)
            told = json.loads(line) if line else {"progress": task.progress}
            if "progress" not in told:
                task.end(told, len(line or b""))
                return
            task.progress = max(0.0, min(1.0, told["progress"]))
            if task.given_up:
                self._forget(task)
                await self._end_process()
                return

    async def _ready(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            words = (sys.executable, "-m", "feltlab.web.worker")
            self._process = await asyncio.create_subprocess_exec(
                *words, stdin=PIPE, stdout=PIPE, limit=LONGEST
            )
        return self._process

    async def _end_process(self) -> None:
        process, self._process = self._process, None
        if process and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def close(self) -> None:
        """End the process; whoever waits is told so."""
        if self._loop:
            self._loop.cancel()
            with suppress(asyncio.CancelledError):
                await self._loop
        for task in self._waiting():
            task.end({"failed": "closed"}, 0)

    # -- Keeping -------------------------------------------------------------------------------------

    def _forget(self, task: Task) -> None:
        self._tasks.pop(_key(task.question), None)

    def _make_room(self) -> None:
        """Forget the answers that were asked for longest ago."""
        kept = [task for task in self._tasks.values() if task.ended.is_set()]
        total = sum(task.size for task in kept)
        for task in kept[:-1]:
            if total <= MOST_BYTES:
                return
            total -= task.size
            self._forget(task)


def _key(question: Question) -> str:
    return json.dumps(question, sort_keys=True)


async def _line(process: Process) -> bytes | None:
    """What the process says next; None if it says nothing for a second."""
    assert process.stdout
    try:
        line = await asyncio.wait_for(process.stdout.readline(), 1)
    except TimeoutError:
        return None
    if not line:
        raise Broken
    return line
