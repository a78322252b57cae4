"""Executors run a function over many parts of some work, on this machine or on a cluster."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from itertools import islice
from typing import Protocol, TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


class Executor(Protocol):
    """Takes the next part whenever a worker is free, so there may be more parts than fit in memory."""

    batches_per_part: int  # how many small batches of work a part should hold to be worth sending

    def run(self, work: Callable[[Part], Result], parts: Iterator[Part]) -> Iterator[tuple[Part, Result]]:
        """Yield each part with its result, in the order in which they are finished."""


class ThreadExecutor:
    """Uses the cores of this machine. Compiled kernels release the GIL, so threads are enough."""

    batches_per_part = 1

    def __init__(self, workers: int = 0) -> None:
        self.workers = workers or os.cpu_count() or 1

    def run(self, work: Callable[[Part], Result], parts: Iterator[Part]) -> Iterator[tuple[Part, Result]]:
        pool = ThreadPoolExecutor(self.workers)
        try:
            waiting = {pool.submit(work, part): part for part in islice(parts, 2 * self.workers)}
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    part = waiting.pop(future)
                    waiting |= {pool.submit(work, more): more for more in islice(parts, 1)}
                    yield part, future.result()
        finally:
            pool.shutdown(cancel_futures=True)
