"""The questions of a trainer's visitors to some workers: few wait, and only one of each visitor."""

import asyncio
from contextlib import suppress
from typing import Any

from feltlab.digests import canonical_json
from feltlab.errors import Refused, TooOften
from feltlab.workers.protocol import Question, Worker, WorkerFailed

ANSWER_SECONDS = 240.0  # a first solve compiles and tabulates
MAX_OPEN = 12  # questions without an answer
RETRY_SECONDS = 2
NO_ANSWER = "The trainer has no answer now; try again in a moment."


class Desk:
    """Asks each question once, of the worker with the least to do."""

    def __init__(self, module: str, workers: int) -> None:
        self._workers = [Worker(module) for _ in range(workers)]
        self._loads = [0] * workers
        self._open: dict[bytes, asyncio.Task[Any]] = {}
        self._visitors: set[str] = set()  # with an open question

    @property
    def is_busy(self) -> bool:
        """Would another question have to wait?"""
        return len(self._open) >= len(self._workers)

    async def ask(self, question: Question, visitor: str = "") -> Any:
        """The answer to a question, which is worked out though the caller gives up.

        Refuses a second question of a visitor, and one too many of all; "" is the server itself.
        """
        key = canonical_json(question)
        if key not in self._open:
            if visitor in self._visitors or len(self._open) >= MAX_OPEN:
                raise TooOften("questions for the trainer", RETRY_SECONDS)
            if visitor:
                self._visitors.add(visitor)
            self._open[key] = asyncio.create_task(self._answer(key, question, visitor))
        return await asyncio.shield(self._open[key])

    async def _answer(self, key: bytes, question: Question, visitor: str) -> Any:
        number = self._loads.index(min(self._loads))
        self._loads[number] += 1
        try:
            return await self._ask_worker(self._workers[number], question)
        finally:
            self._loads[number] -= 1
            self._visitors.discard(visitor)
            del self._open[key]

    async def _ask_worker(self, worker: Worker, question: Question) -> Any:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await worker.ask(question)
        except (TimeoutError, WorkerFailed):
            raise Refused(NO_ANSWER) from None

    async def close(self) -> None:
        """End the workers; the next question starts others."""
        tasks = list(self._open.values())
        for task in tasks:
            task.cancel()
        with suppress(Exception):
            await asyncio.gather(*tasks, return_exceptions=True)
        for worker in self._workers:
            await worker.close()
