"""What waits for a writer, and what those hear who cannot wait for it."""

import sys
import time
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue

from feltlab.ledger.writing.pending import PendingEntry

MAX_WAITING_ENTRIES = 10_000  # more mean that the disk does not keep up
MAX_BATCH_ENTRIES = 2_000  # in one transaction
MANY_ENTRIES = 32  # with which a busy writer begins at once
GATHER_SECONDS = 0.002  # for which it lets fewer entries gather
SWITCH_SECONDS = 0.0002  # for which a thread may keep Python's lock while others wait for it
CLOSED = "The ledger is closed; nothing was accepted."
OVERLOADED = "The ledger cannot keep up with the requests; nothing was accepted."
LOST = "Another server has run this ledger since; this one reads everything again, and nothing was accepted."

Renewal = Future[int]  # of the term, once it is lost
Waiting = PendingEntry | Renewal | None  # None is the last of all


class Batches:
    """What a writer has to do, in batches: the entries of one transaction, then what comes after them."""

    def __init__(self, queue: "SimpleQueue[Waiting]") -> None:
        self._queue, self._is_busy = queue, False  # the last transaction had several entries

    def take(self, wait_seconds: float | None) -> list[Waiting]:
        """Take all entries that wait; none after a while in which nothing came.

        When several came last time but few wait now, more will come in a moment: a transaction costs as much
        as many entries.
        """
        batch: list[Waiting] = []
        with suppress(Empty):
            batch.append(self._queue.get(timeout=wait_seconds))
        self._take_waiting(batch)
        if self._is_busy and 0 < len(batch) < MANY_ENTRIES and isinstance(batch[-1], PendingEntry):
            time.sleep(GATHER_SECONDS)
            self._take_waiting(batch)
        self._is_busy = len(batch) > 1
        return batch

    def _take_waiting(self, batch: list[Waiting]) -> None:
        """Take what waits already, up to something that is no entry."""
        with suppress(Empty):
            while batch and isinstance(batch[-1], PendingEntry) and len(batch) < MAX_BATCH_ENTRIES:
                batch.append(self._queue.get_nowait())


def take_turns_often() -> None:
    """Have the threads of this process take turns often.

    With Python's 5 ms a busy event loop, which gives its turn away whenever it sends something, starves.
    """
    sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_SECONDS))
