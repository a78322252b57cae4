"""Work that kernels share among the cores: they let go of the GIL, so threads are enough."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")
Done = Callable[[float], None]  # called with the share that is done


def between(done: Done, low: float, high: float) -> Done:
    """Tell the progress of a part of some work as that of the whole."""
    return lambda share: done(low + (high - low) * share)


def slices(length: int, most: int) -> Iterator[slice]:
    """Cut a length into at most so many slices."""
    step = max(-(-length // most), 1)
    return (slice(at, min(at + step, length)) for at in range(0, length, step))


def in_threads(
    work: Callable[[Part], Result], parts: Iterable[Part], done: Done = lambda share: None
) -> list[Result]:
    """The results of some work on each part, in order."""
    given, results = list(parts), []
    with ThreadPoolExecutor(cpu_count()) as pool:
        for result in pool.map(work, given):
            results.append(result)
            done(len(results) / len(given))
    return results
