"""The ledger: every event is on the disk before anyone hears of it.

The ledger itself writes the chain `anchors`, whose events name the last event of every other chain. They
expose a chain that was cut short, or rewritten from some event on.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from datetime import date
from functools import partial
from pathlib import Path

from feltlab.errors import Refused
from feltlab.ledger.database import Database, LedgerDown
from feltlab.ledger.event import Entry, Event
from feltlab.ledger.reader import LedgerReader
from feltlab.ledger.signed_tip import TipSigner
from feltlab.ledger.writing.pending import BLOCKING, LoopCourier, PendingEntry, Then, settle_future
from feltlab.ledger.writing.transaction import Head, Overtaken, Repeated
from feltlab.ledger.writing.writer import Writer
from feltlab.ledger.writing.writer_process import WriterProcess

__all__ = ["Head", "Ledger", "LedgerDown", "Overtaken", "Repeated"]


class Ledger(LedgerReader):
    """The events in a database. One process writes it, and any number may read it."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._writer: Writer | WriterProcess | None = None
        self._courier: LoopCourier | None = None  # to the event loop that wrote last

    @classmethod
    def open(
        cls,
        place: str | Path,
        writer: bool = True,
        address: str = "",
        is_shared: bool = False,
        signer: TipSigner | None = None,
        has_process: bool = False,
    ) -> "Ledger":
        """Open the ledger at a path or URL; a writer creates a missing one.

        A writer with a signer signs the last event of every transaction; from then on it is always needed.
        The address of a writer is where clients reach it, for servers that stand by; where the ledger is
        shared, it is where the other servers do. A file that is not shared can be written by a process of
        its own.
        """
        ledger = cls(Database.at(place))
        if ledger.database.is_file and ledger.database.path.is_dir():
            raise Refused(f"{ledger.database} is a folder, not a ledger.")
        if writer and has_process and ledger.database.is_file and not is_shared:
            ledger._writer = WriterProcess(ledger.database, address, signer)
        elif writer:
            ledger._writer = Writer(ledger.database, address, is_shared, signer)
        else:
            ledger._check()
        return ledger

    def close(self) -> None:
        """Write the waiting entries and a last anchor, and release the lock."""
        self.database.reading.dispose()
        if self._writer:
            self._writer.close()

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- Writing ------------------------------------------------------------------------------------

    async def append(self, entry: Entry) -> tuple[Event, ...]:
        """Write an entry, and return its events once they are on the disk.

        Cancelling the call does not cancel the writing.
        """
        future = asyncio.get_running_loop().create_future()
        pending = self._put(entry, partial(settle_future, future), wants_events=True)
        await future
        return pending.events

    def write(self, entry: Entry, then: Then) -> None:
        """Write an entry for a caller that knows its events.

        `then` hears in the running event loop that it is on the disk, or why it is not.
        """
        self._put(entry, then, wants_events=False)

    def _put(self, entry: Entry, then: Then, wants_events: bool) -> PendingEntry:
        loop = asyncio.get_running_loop()
        if self._courier is None or self._courier.loop is not loop:
            self._courier = LoopCourier(loop)
        pending = PendingEntry(entry, then, self._courier, wants_events)
        self.writer.put(pending)
        return pending

    def append_blocking(self, entry: Entry) -> tuple[Event, ...]:
        """Write an entry from a thread without an event loop."""
        future = Future[None]()
        pending = PendingEntry(entry, partial(settle_future, future), BLOCKING)
        self.writer.put(pending)
        future.result()
        return pending.events

    @property
    def term(self) -> int:
        """The number of this server's term; 0 for a reader, and while it is lost."""
        return self._writer.term if self._writer else 0

    def watch_term(self, when_lost: Callable[[], object]) -> None:
        """Have a function called, in another thread, when another server has taken over."""
        self.writer.when_lost = when_lost

    def renew_term(self) -> int:
        """Begin another term, after the last one was lost and everything in memory is distrusted.

        Raises `LedgerDown` while another server lives.
        """
        return self.writer.renew_term().result()

    @property
    def is_lost(self) -> bool:
        """Whether another server has taken over, and this one has not begun again."""
        return bool(self._writer and self._writer.is_lost)

    @property
    def last_day(self) -> date:
        """The day of the last event that this writer knows."""
        return date.fromisoformat(self.last_moment[:10]) if self.last_moment else date.min

    @property
    def last_moment(self) -> str:
        """The moment of the last event that this writer knows, or ''."""
        return self._writer.last_moment if self._writer else ""

    @property
    def has_own_process(self) -> bool:
        """Whether a process of its own writes it for this server."""
        return isinstance(self._writer, WriterProcess)

    @property
    def down(self) -> str:
        """Why the last write failed, or ''."""
        return self._writer.down if self._writer else ""

    @property
    def writer(self) -> Writer | WriterProcess:
        if not self._writer:
            raise Refused(f"{self.database} is open for reading only.")
        return self._writer

    @property
    def member(self) -> Writer:
        """The writer of a server that shares the ledger."""
        assert isinstance(self._writer, Writer)
        return self._writer
