"""Kernels on all cores: cut a length into slices, and work on each in a thread."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from feltlab.parallel.executor import ThreadExecutor
from feltlab.parallel.progress import Progress, nobody_listens

Part = TypeVar("Part")
Result = TypeVar("Result")


def slices(length: int, count: int) -> Iterator[slice]:
    """Cut a length into at most `count` slices."""
    step = max(-(-length // count), 1)
    return (slice(start, min(start + step, length)) for start in range(0, length, step))


def map_in_threads(
    work: Callable[[Part], Result], parts: Iterable[Part], progress: Progress = nobody_listens
) -> list[Result]:
    """Work on each part in a thread; the results come in the order of the parts."""
    numbered = list(enumerate(parts))
    results: dict[int, Result] = {}
    for (number, _), result in ThreadExecutor().run(lambda part: work(part[1]), iter(numbered)):
        results[number] = result
        progress(len(results) / len(numbered))
    return [results[number] for number, _ in numbered]
