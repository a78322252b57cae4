"""Signals that end a command."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def treat_end_as_interrupt() -> Iterator[None]:
    """Treat SIGTERM and SIGHUP, unless ignored, like Ctrl-C, so that nothing stays half-written."""
    numbers = [n for n in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) == signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
