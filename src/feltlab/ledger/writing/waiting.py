"""What waits for a writer, and what those hear who cannot wait for it."""

import sys
import time
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty
from typing import Protocol

from feltlab.ledger.writing.pending import PendingEntry

MAX_WAITING_ENTRIES = 10_000  # more mean that the disk does not keep up
MAX_BATCH_ENTRIES = 2_000  # in one transaction
GATHER_SECONDS = 0.002  # for which a busy writer lets entries gather
SWITCH_SECONDS = 0.00005  # for which a thread may keep Python's lock while others wait for it
CLOSED = "The ledger is closed; nothing was accepted."
OVERLOADED = "The ledger cannot keep up with the requests; nothing was accepted."
LOST = "Another server has run this ledger since; this one reads everything again, and nothing was accepted."

Renewal = Future[int]  # of the term, once it is lost
Waiting = PendingEntry | Renewal | None  # None is the last of all


class WaitingSource(Protocol):
    """From where a writer takes what it has to do, in order, like a queue."""

    def get(self, *, timeout: float | None) -> Waiting: ...

    def get_nowait(self) -> Waiting: ...


class Batches:
    """What a writer has to do, in batches: the entries of one transaction, then what comes after them."""

    def __init__(self, source: WaitingSource) -> None:
        self._source, self._is_busy = source, False  # the last transaction had several entries

    def take(self, wait_seconds: float | None) -> list[Waiting]:
        """Take all entries that wait; none after a while in which nothing came.

        When several came last time, more will come in a moment: a transaction costs as much as many entries.
        """
        batch: list[Waiting] = []
        with suppress(Empty):
            batch.append(self._source.get(timeout=wait_seconds))
            if self._is_busy and isinstance(batch[0], PendingEntry):
                time.sleep(GATHER_SECONDS)
            while isinstance(batch[-1], PendingEntry) and len(batch) < MAX_BATCH_ENTRIES:
                batch.append(self._source.get_nowait())
        self._is_busy = len(batch) > 1
        return batch


def take_turns_often() -> None:
    """Have the threads of this process take turns often.

    With Python's 5 ms a busy event loop, which gives its turn away whenever it sends something, starves.
    """
    sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_SECONDS))
