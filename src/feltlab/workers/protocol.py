"""The protocol between a server and its worker processes: one JSON object a line, in both directions.

The server writes a question. The worker replies with any number of `progress` lines, each a share from 0 to
1, and then with one line that ends the answer:

- `result`, the answer;
- `refused`, a sentence for the user;
- `failed`, an error that nobody expected; its traceback is in the server's log.

A worker answers one question after the other. It gives way to the tables, and it ends with the server
(`lifeline.py`); where the system cannot do that, it exits when its standard input closes.
"""

import asyncio
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, ClassVar

from feltlab.errors import Refused
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.workers.lifeline import end_with_server
from feltlab.workers.process import Child

WORKER_NICENESS = 15  # added to the server's own: a table comes before any proof
BACKGROUND_NICENESS = 19  # the same for work that nobody waits for
PROGRESS_SECONDS = 0.1  # the shortest time between two lines of progress
Question = Mapping[str, Any]
Answer = Callable[[Question, Progress], Any]


# -- In the server ----------------------------------------------------------------------------------


class WorkerFailed(RuntimeError):
    """A worker that did not answer; the message is a sentence that says why."""


class Worker:
    """A worker process that the first question starts; a process that ended is replaced.

    A worker in the background works for nobody in particular, and gives way to all others.
    """

    awaited: ClassVar[int] = 0  # open questions to all workers, but for those in the background

    def __init__(self, module: str, in_background: bool = False) -> None:
        self._module, self._is_awaited = module, not in_background
        self._child: Child | None = None
        self._turn = asyncio.Lock()
        self.reply_bytes = 0  # the size of the last reply

    async def ask(self, question: Question, progress: Progress = nobody_listens) -> Any:
        """The answer to a question. Raises `Refused`, or `WorkerFailed` where there is no answer."""
        async with self._turn:
            Worker.awaited += self._is_awaited
            try:
                reply = await self._read_reply(question, progress)
            except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
                await self.close()
                raise WorkerFailed(_describe_failure(error)) from None
            except BaseException:  # the late answer would be taken for that of the next question
                await self.close()
                raise
            finally:
                Worker.awaited -= self._is_awaited
        if "refused" in reply:
            raise Refused(str(reply["refused"]))
        if "failed" in reply:
            raise WorkerFailed(f"{reply['failed']}.")
        return reply["result"]

    async def _read_reply(self, question: Question, progress: Progress) -> dict[str, Any]:
        child = await self._start()
        child.write_line(json.dumps(question).encode())
        while line := await child.read_line():
            self.reply_bytes, reply = len(line), json.loads(line)
            if reply.keys() & {"result", "refused", "failed"}:
                return dict(reply)
            progress(max(0.0, min(1.0, float(reply["progress"]))))
        raise WorkerFailed(f"Its process ended with status {await self.close()}.")

    async def _start(self) -> Child:
        if self._child is None or not self._child.is_alive:
            await self.close()
            niceness = WORKER_NICENESS if self._is_awaited else BACKGROUND_NICENESS
            self._child = await Child.start(sys.executable, "-P", "-m", self._module, str(niceness))
        return self._child

    async def close(self) -> int | None:
        """End the process, if one runs, and return its status; the next question starts another."""
        child, self._child = self._child, None
        return await child.stop() if child else None


def _describe_failure(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.strerror or error}."
    return "Its answer cannot be read."


async def ask_once(module: str, question: Question, progress: Progress = nobody_listens) -> Any:
    """Ask a process that is started for this question alone; a caller that is cancelled ends it."""
    worker = Worker(module)
    try:
        return await worker.ask(question, progress)
    finally:
        await worker.close()


# -- In the worker ----------------------------------------------------------------------------------


class WorkerOutput:
    """Writes replies to the server, on what was the standard output."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # whatever else prints goes to the server's log, not among the replies
        self._last_progress = 0.0

    def write(self, **reply: Any) -> None:
        self._out.write(json.dumps(reply).encode() + b"\n")
        self._out.flush()

    def progress(self, share: float) -> None:
        if time.monotonic() - self._last_progress > PROGRESS_SECONDS:
            self._last_progress = time.monotonic()
            self.write(progress=share)


def run_worker(answer: Answer) -> None:
    """Answer questions from the standard input until the server closes it: the `main` of every worker."""
    end_with_server()
    with suppress(OSError):
        os.nice(int(next(iter(sys.argv[1:]), WORKER_NICENESS)))
    output = WorkerOutput()
    questions: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read_questions, args=[questions], daemon=True).start()
    with suppress(BrokenPipeError):
        while True:
            _reply(json.loads(questions.get()), answer, output)


def _reply(question: Question, answer: Answer, output: WorkerOutput) -> None:
    """Answer one question; after an error the next question can come."""
    try:
        output.write(result=answer(question, output.progress))
    except Refused as refused:
        output.write(refused=str(refused))
    except BrokenPipeError:
        raise
    except Exception as error:
        traceback.print_exc()
        output.write(failed=f"{type(error).__name__}: {error}".rstrip(": ."))


def _read_questions(questions: "SimpleQueue[str]") -> None:
    for line in sys.stdin:
        questions.put(line)
    os._exit(0)  # the server is gone
