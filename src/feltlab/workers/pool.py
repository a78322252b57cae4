"""Proofs beside the server, in niced processes, so that no table ever waits for one.

A question waits in a short queue until a process is free; there are two, so that a short question need not
wait for a long one. Its answer is kept while there is room, so whoever asks the same gets it at once. A
question that nobody asked again for a while is given up: who waits asks again every second or two.
"""

import asyncio
import json
import logging
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from feltlab.errors import Refused, TooOften
from feltlab.workers.process import Child, started

PATIENCE = 0.8  # seconds in which an answer may come before a page says that it is being worked out
GIVEN_UP = 20.0  # seconds without anybody asking
MAKES_ROOM = 5.0  # the same where another question waits
IDLE = 300.0  # seconds after which a process without work is ended
LANES = 2  # processes
MOST_WAITING = 12  # questions
MOST_BYTES = 48 << 20  # of answers that are kept
LONGEST = 128 << 20  # bytes of an answer
FAILED = "The lab could not work this out; the server's log says more."
LOG = logging.getLogger(__name__)
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

    def unwanted(self, seconds: float) -> bool:
        """Did nobody ask for so long?"""
        return not self.waiters and time.monotonic() - self.asked > seconds

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


class Lane:
    """A process that works on one question at a time; it is started by the first."""

    def __init__(self) -> None:
        self._process: Child | None = None

    async def work_on(self, task: Task, given_up: Callable[[Task], bool]) -> None:
        """Until the task has an answer, or nobody waits for it any more."""
        task.began = time.monotonic()
        try:
            if self._process is None or not self._process.alive:
                self._process = await started(sys.executable, "-m", "feltlab.workers.lab", longest=LONGEST)
            self._process.write(_key(task.question).encode())
            await self._listen(self._process, task, given_up)
        except (Broken, OSError, ValueError) as error:
            LOG.warning("The lab's process ended at work on %s: %r", task.question["kind"], error)
            task.end({"failed": "ended"}, 0)
            await self.end()

    async def _listen(self, process: Child, task: Task, given_up: Callable[[Task], bool]) -> None:
        while not task.ended.is_set():
            line = await _line(process)
            told = json.loads(line) if line else {"progress": task.progress}
            if "progress" not in told:
                task.end(told, len(line or b""))
            elif given_up(task):
                task.began = None  # who asks again meanwhile begins anew
                await self.end()
                return
            else:
                task.progress = max(0.0, min(1.0, told["progress"]))

    async def end(self) -> None:
        process, self._process = self._process, None
        if process:
            await process.stop()


class Work:
    """The questions of one server."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[str, Task] = OrderedDict()  # asked longest ago first
        self._more = asyncio.Event()
        self._lanes: list[asyncio.Task[None]] = []

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
        """Tasks without an answer, in the order in which they came; those being worked on first."""
        open_ = (task for task in self._tasks.values() if not task.ended.is_set())
        return sorted(open_, key=lambda task: (task.began is None, task.came))

    def _ahead(self, task: Task) -> int:
        return 0 if task.began else self._waiting().index(task)

    # -- Working -------------------------------------------------------------------------------------

    def _start(self) -> None:
        """Wake the lanes; add one where there is more to do than they have hands for."""
        self._more.set()
        self._lanes = [lane for lane in self._lanes if not lane.done()]
        if len(self._lanes) < min(LANES, len(self._waiting())):
            self._lanes.append(asyncio.create_task(self._run(Lane())))

    async def _run(self, lane: Lane) -> None:
        try:
            while True:
                task = self._next()
                if task:
                    await lane.work_on(task, self._given_up)
                    self._make_room()
                    continue
                self._more.clear()
                async with asyncio.timeout(IDLE):
                    await self._more.wait()
        except TimeoutError:
            pass
        finally:
            await lane.end()

    def _next(self) -> Task | None:
        """The next that nobody works on; what was given up is forgotten."""
        for task in self._waiting():
            if self._given_up(task):
                self._forget(task)
            elif not task.began:
                return task
        return None

    def _given_up(self, task: Task) -> bool:
        """Who set something else has left a question behind: it makes room for others soon."""
        pressed = any(not other.began for other in self._waiting() if other is not task)
        return task.unwanted(MAKES_ROOM if pressed else GIVEN_UP)

    async def close(self) -> None:
        """End the processes; whoever waits is told so."""
        for lane in self._lanes:
            lane.cancel()
        await asyncio.gather(*self._lanes, return_exceptions=True)
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


async def _line(process: Child) -> bytes | None:
    """What the process says next; None if it says nothing for a second."""
    try:
        async with asyncio.timeout(1):  # a `wait_for` may swallow that somebody stops this
            line = await process.readline()
    except TimeoutError:
        return None
    if not line:
        raise Broken
    return line
