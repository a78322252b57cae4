"""Work that kernels share among the cores: they let go of the GIL, so threads are enough."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import TypeVar

from feltlab.parallel.progress import Progress, nobody_listens

Part = TypeVar("Part")
Result = TypeVar("Result")


def slices(length: int, most: int) -> Iterator[slice]:
    """Cut a length into at most so many slices."""
    step = max(-(-length // most), 1)
    return (slice(at, min(at + step, length)) for at in range(0, length, step))


def map_in_threads(
    work: Callable[[Part], Result], parts: Iterable[Part], progress: Progress = nobody_listens
) -> list[Result]:
    """The results of some work on each part, in order."""
    given, results = list(parts), []
    with ThreadPoolExecutor(cpu_count()) as pool:
        for result in pool.map(work, given):
            results.append(result)
            progress(len(results) / len(given))
    return results
