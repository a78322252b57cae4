"""A pipe that ends a worker process with its server, however the server ends.

The server holds the end for writing and writes nothing. When it ends, even by SIGKILL, that end closes, and
the kernel kills the process group of the worker, so processes that the worker has started end, too. A thread
that waits for the closed pipe would be too weak: compiled code may hold Python's lock for minutes. The signal
that Linux sends when a parent ends would be too eager: it comes when the thread ends that started the worker.

Where the system has no such signal for pipes, the closed standard input ends the worker (`protocol.py`).
"""

import fcntl
import os
import select
import signal
from collections.abc import Mapping
from contextlib import suppress

VARIABLE = "FELTLAB_LIFELINE"  # the descriptor that a worker watches

# -- In the server ----------------------------------------------------------------------------------


class Lifeline:
    """The pipe of one worker, which dies when the pipe is closed."""

    def __init__(self) -> None:
        self.watched, self._held = os.pipe()

    @property
    def environment(self) -> Mapping[str, str]:
        return {VARIABLE: str(self.watched)}

    def hand_over(self) -> None:
        """Leave the watched end to the worker, which has been started."""
        os.close(self.watched)

    def close(self) -> None:
        if self._held >= 0:
            os.close(self._held)
        self._held = -1


# -- In the worker ----------------------------------------------------------------------------------


def end_with_server() -> None:
    """Have the kernel kill this process group when the server ends; at once if it has ended already.

    The group must be the worker's own. A process that nobody gave a lifeline, such as one that a person
    starts at a terminal, is left alone.
    """
    watched = os.environ.pop(VARIABLE, "")
    if not watched or os.getpgrp() != os.getpid() or not hasattr(fcntl, "F_SETSIG"):
        return
    pipe = int(watched)
    with suppress(OSError):
        fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
        if _is_closed(pipe):
            os._exit(0)


def _is_closed(pipe: int) -> bool:
    """Whether the other end is closed. A busy server gives out descriptors that `select` does not take."""
    asked = select.poll()
    asked.register(pipe, select.POLLIN)
    return bool(asked.poll(0))
