"""A queue of questions and the worker processes that answer them.

There are two workers, unless a queue asks for fewer, so that a short question need not wait for a long one.
Answers are remembered while there is room. A page that waits for an answer asks again every second or two; a
question that nobody asks again is dropped.

An answer may also be prepared before anybody asks, by a worker of its own in the background. It begins
nothing while somebody waits for any worker of the server, and stops its work when somebody waits for long.
Whoever asks for an answer that is being prepared waits for that one.
"""

import asyncio
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from feltlab.errors import Refused, TooOften
from feltlab.workers.lane import run_lane
from feltlab.workers.protocol import Worker, WorkerFailed

ANSWER_SECONDS = 0.8  # a page waits this long before it says that the answer is being worked out
DROP_SECONDS = 20.0  # without anybody asking
DROP_SECONDS_WHEN_BUSY = 5.0  # the same while another question waits
CHECK_SECONDS = 1.0  # between two looks whether somebody still asks
PAUSE_SECONDS = 15.0  # of the background after it was stopped
MAX_HELD_CHECKS = 2  # after which it is stopped
MAX_WORKERS = 2
MAX_WAITING = 12  # questions
MAX_KEPT_BYTES = 48 << 20  # of answers
FAILED = "The lab could not work this out; the server's log says more."
LOG = logging.getLogger(__name__)


class Task:
    """A question, how far its answer is, and the answer."""

    def __init__(self, question: dict[str, Any]) -> None:
        self.question = question
        self.progress = 0.0
        self.began: float | None = None  # None until a worker has it
        self.result: Any = None
        self.refused = ""  # a sentence in place of a result
        self.size = 0  # bytes of the answer
        self.ended = asyncio.Event()
        self.created = self.last_asked = time.monotonic()
        self.waiters = 0
        self.is_prepared = False  # is it worked out even if nobody asks?

    @property
    def key(self) -> str:
        return json.dumps(self.question, sort_keys=True)

    def is_forgotten(self, seconds: float) -> bool:
        """Has nobody asked for this many seconds?"""
        return not self.waiters and time.monotonic() - self.last_asked > seconds

    def set_progress(self, share: float) -> None:
        self.progress = share

    def finish(self, result: Any = None, refused: str = "", size: int = 0) -> None:
        self.result, self.refused, self.size = result, refused, size
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
    """A worker that takes one task after the other."""

    def __init__(self, module: str, in_background: bool = False) -> None:
        self.worker = Worker(module, in_background)

    async def run(self, task: Task, may_drop: Callable[[Task], bool]) -> None:
        """Work on a task until it is answered, or until it may be dropped."""
        task.began = time.monotonic()
        asking = asyncio.create_task(self.worker.ask(task.question, task.set_progress))
        try:
            while not asking.done():
                await asyncio.wait({asking}, timeout=CHECK_SECONDS)
                if not asking.done() and may_drop(task):
                    task.began = None  # if somebody asks again, it starts from the beginning
                    return
            self._finish(task, asking)
        finally:
            asking.cancel()  # which ends the worker's process, if it is still at work
            await asyncio.wait({asking})

    def _finish(self, task: Task, asked: "asyncio.Task[Any]") -> None:
        try:
            task.finish(asked.result(), size=self.worker.reply_bytes)
        except Refused as refused:
            task.finish(refused=str(refused))
        except WorkerFailed as failed:
            LOG.warning("The lab failed at %s: %s", task.question["kind"], failed)
            task.finish(refused=FAILED)


class Pool:
    """The questions of one server to the workers of one module.

    A pool of few possible questions `drops` none: somebody will ask again.
    """

    def __init__(self, module: str, max_workers: int = MAX_WORKERS, drops: bool = True) -> None:
        self._module, self._max_workers, self._drops = module, max_workers, drops
        self._tasks: OrderedDict[str, Task] = OrderedDict()  # asked longest ago first
        self._more = asyncio.Event()
        self._lanes: list[asyncio.Task[None]] = []
        self._background: asyncio.Task[None] | None = None
        self._held_checks = 0  # since when somebody waits for another answer

    # -- Questions -----------------------------------------------------------------------------------

    async def answer(
        self, kind: str, seconds: float = ANSWER_SECONDS, most_waiting: int = MAX_WAITING, **details: Any
    ) -> Any:
        """The answer to a question; raises `Working` if it does not come within these seconds."""
        task = self.ask({"kind": kind, **details}, most_waiting)
        task.waiters += 1
        try:
            async with asyncio.timeout(seconds):
                await task.ended.wait()
        except TimeoutError:
            raise Working(task, self._count_ahead(task)) from None
        finally:
            task.waiters -= 1
            task.last_asked = time.monotonic()
        if task.refused:
            self.forget(task)
            raise Refused(task.refused)
        return task.result

    def ask(self, question: dict[str, Any], most_waiting: int = MAX_WAITING) -> Task:
        """The task of a question, new or not; refuses a new one while so many wait."""
        new = Task(question)
        task = self._tasks.get(new.key)
        if task is None:
            if len(self._waiting()) >= most_waiting:
                raise TooOften("questions for the lab", 10)
            task = self._tasks[new.key] = new
        self._tasks.move_to_end(new.key)
        task.last_asked = time.monotonic()
        self._wake_lanes()
        return task

    def _waiting(self) -> list[Task]:
        """The tasks that are asked for: first those that a worker has, then the others in order."""
        asked = (task for task in self._open() if not task.is_prepared or not task.is_forgotten(DROP_SECONDS))
        return sorted(asked, key=lambda task: (task.began is None, task.created))

    def _open(self) -> list[Task]:
        """The tasks without an answer."""
        return [task for task in self._tasks.values() if not task.ended.is_set()]

    def _count_ahead(self, task: Task) -> int:
        return 0 if task.began else self._waiting().index(task)

    # -- Workers -------------------------------------------------------------------------------------

    def _wake_lanes(self) -> None:
        """Wake the lanes, and add one if there are more tasks than lanes."""
        self._more.set()
        self._lanes = [lane for lane in self._lanes if not lane.done()]
        if len(self._lanes) < min(self._max_workers, len(self._waiting())):
            self._lanes.append(asyncio.create_task(self._run(Lane(self._module))))

    async def _run(self, lane: Lane) -> None:
        async def serve(task: Task) -> None:
            await lane.run(task, self._may_drop)
            self._make_room()

        await run_lane(self._next, serve, self._more, lane.worker.close)

    def _next(self) -> Task | None:
        """The next task that no worker has; those that may be dropped are forgotten."""
        for task in self._waiting():
            if self._may_drop(task):
                self.forget(task)
            elif not task.began:
                return task
        return None

    def _may_drop(self, task: Task) -> bool:
        """A visitor who changed the settings no longer needs this answer; drop it early when others wait."""
        if task.is_prepared or not self._drops:
            return False
        busy = any(not other.began for other in self._waiting() if other is not task)
        return task.is_forgotten(DROP_SECONDS_WHEN_BUSY if busy else DROP_SECONDS)

    async def close(self) -> None:
        """End the workers; questions that still wait are refused."""
        lanes = [*self._lanes, *filter(None, [self._background])]
        for lane in lanes:
            lane.cancel()
        await asyncio.gather(*lanes, return_exceptions=True)
        for task in self._open():
            task.finish(refused=FAILED)

    # -- In the background ---------------------------------------------------------------------------

    async def prepare(self, kind: str, **details: Any) -> Task:
        """Have a question answered while nobody waits for a worker; returns its task, which has ended."""
        new = Task({"kind": kind, **details})
        new.last_asked = -DROP_SECONDS  # nobody has asked
        task = self._tasks.setdefault(new.key, new)
        task.is_prepared = True
        if self._background is None or self._background.done():
            self._background = asyncio.create_task(self._run_background())
        await task.ended.wait()
        return task

    async def _run_background(self) -> None:
        """Work on what is to be prepared until nothing is left."""
        lane = Lane(self._module, in_background=True)
        try:
            while tasks := [task for task in self._open() if task.is_prepared]:
                unbegun = [task for task in tasks if not task.began]
                if unbegun and not Worker.awaited:
                    self._held_checks = 0
                    await lane.run(unbegun[0], self._may_stop)
                    self._make_room()
                    quiet = 0.0 if unbegun[0].ended.is_set() else PAUSE_SECONDS
                    await asyncio.sleep(quiet)
                else:
                    await asyncio.sleep(CHECK_SECONDS)
        finally:
            await lane.worker.close()

    def _may_stop(self, task: Task) -> bool:
        """Stop a task in the background while somebody waits for another answer, but not for a short one."""
        is_held = Worker.awaited > 0 and task.is_forgotten(DROP_SECONDS)
        self._held_checks = self._held_checks + 1 if is_held else 0
        return self._held_checks >= MAX_HELD_CHECKS

    # -- Answers -------------------------------------------------------------------------------------

    def forget(self, task: Task) -> None:
        self._tasks.pop(task.key, None)

    def _make_room(self) -> None:
        """Forget the answers that were asked for longest ago."""
        answered = [task for task in self._tasks.values() if task.ended.is_set()]
        total = sum(task.size for task in answered)
        for task in answered[:-1]:
            if total <= MAX_KEPT_BYTES:
                return
            total -= task.size
            self.forget(task)
