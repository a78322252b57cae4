"""Who does the work: something that takes parts of it and gives back each with its result."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Protocol, TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


class Executor(Protocol):
    """Parts are asked for as workers become free, so there may be more of them than fit anywhere."""

    bundle: int  # how many small units a part should hold to be worth its way

    def run(self, work: Callable[[Part], Result], parts: Iterator[Part]) -> Iterator[tuple[Part, Result]]:
        """Each part with its result, in whatever order they are ready."""


class ThreadExecutor:
    """The cores of this machine. Kernels let go of the GIL, so threads are enough."""

    bundle = 1

    def __init__(self, workers: int = 0) -> None:
        self.workers = workers or os.cpu_count() or 1

    def run(self, work: Callable[[Part], Result], parts: Iterator[Part]) -> Iterator[tuple[Part, Result]]:
        pool = ThreadPoolExecutor(self.workers)
        try:
            waiting = {pool.submit(work, part): part for part in islice(parts, 2 * self.workers)}
            while waiting:
                for done in _first(waiting):
                    part = waiting.pop(done)
                    waiting |= {pool.submit(work, more): more for more in islice(parts, 1)}
                    yield part, done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _first(waiting: "dict[Future[Result], Part]") -> "set[Future[Result]]":
    return wait(waiting, return_when=FIRST_COMPLETED).done
