"""Work in processes of their own, for Python code that is to use all cores."""

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from typing import Any, TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")
POLL_SECONDS = 0.2
NEW_OBJECTS_PER_COLLECTION = 50_000  # instead of Python's 700: values are many and have no cycles
DIE_WITH_PARENT = 1  # an option of Linux's prctl

_counter: Any = None  # shared by the processes of one pool


def count_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_in_processes(
    work: Callable[[Part], Result],
    parts: Sequence[Part],
    processes: int,
    watch: Callable[[int], None] = lambda _: None,
) -> list[Result]:
    """Work on each part in one of some processes; the results come in the order of the parts.

    `watch` receives now and then the sum of what all processes have passed to `count_done`.
    """
    context = multiprocessing.get_context("spawn")
    counter = context.Value("q", 0)
    pool = ProcessPoolExecutor(processes, context, _begin, (counter, os.getpid()))
    try:
        futures = [pool.submit(work, part) for part in parts]
        waiting = set(futures)
        while waiting:
            finished, waiting = wait(waiting, POLL_SECONDS)
            for future in finished:
                future.result()  # raises at once what one of them raised
            watch(counter.value)
        return [future.result() for future in futures]
    finally:
        pool.shutdown(cancel_futures=True)


def count_done(amount: int) -> None:
    """Count some work as done, in a process of `map_in_processes`."""
    if _counter is not None:
        with _counter.get_lock():
            _counter.value += amount


def _begin(counter: Any, parent: int) -> None:
    global _counter
    _counter = counter
    gc.set_threshold(NEW_OBJECTS_PER_COLLECTION)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its processes
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the call
            os._exit(1)
