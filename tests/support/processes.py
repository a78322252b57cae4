"""Processes of this machine, by what /proc says about them."""

import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path


def _read_state(pid: int) -> tuple[str, int]:
    """The state of a process and its parent; "Z" for one that has ended."""
    try:
        state, parent, *_ = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return "Z", 0
    return state, int(parent)


def is_running(pid: int) -> bool:
    """Is there such a process, other than one that has ended and waits for its parent?"""
    return _read_state(pid)[0] != "Z"


def descendants_of(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have started."""
    children = defaultdict(list)
    for path in Path("/proc").glob("[0-9]*"):
        children[_read_state(int(path.name))[1]].append(int(path.name))
    found = children[pid]
    return [*found, *(later for one in found for later in descendants_of(one))]


def assert_end(pids: Iterable[int], seconds: float = 30.0) -> None:
    """Wait for the end of processes; fail if one of them still runs after these seconds."""
    left, until = list(pids), time.monotonic() + seconds
    while left := [pid for pid in left if is_running(pid)]:
        assert time.monotonic() < until, f"{left} still run."
        time.sleep(0.05)
