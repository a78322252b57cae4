"""The one thread that writes a ledger.

It takes all entries that wait, writes them in one transaction, and answers when they are on the disk. So
the slower the disk, the more entries share a transaction. Each transaction begins by locking the ledger: it
makes sure that the server's term holds and follows what others have written, before it adds anything.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from queue import SimpleQueue

from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from feltlab.errors import Refused
from feltlab.ledger.database import (
    EVENTS,
    SCHEMA,
    Database,
    LedgerDown,
    Unreachable,
    read_linked_from,
    reason_of,
)
from feltlab.ledger.event import CLOCK_SET_BACK, HOUSE_CHAIN, LEDGER_UPGRADED, Draft, StoredEvent
from feltlab.ledger.file_lock import FileLock, Turns
from feltlab.ledger.indexes.old_indexes import add_missing_indexes
from feltlab.ledger.sharing.leases import Elsewhere, Leases
from feltlab.ledger.signed_tip import TipSigner, plan_signing
from feltlab.ledger.terms import RENEWAL_SECONDS, InUse, Superseded, Term
from feltlab.ledger.writing.pending import PendingEntry, deliver_entries
from feltlab.ledger.writing.transaction import (
    Overtaken,
    RecentKeys,
    Repeated,
    Tip,
    Transaction,
    check_anchor,
    has_tip,
)
from feltlab.ledger.writing.waiting import (
    CLOSED,
    LOST,
    MAX_WAITING_ENTRIES,
    OVERLOADED,
    Batches,
    Renewal,
    Waiting,
    take_turns_often,
)

EVENTS_PER_ANCHOR = 1_000
FOLLOW_SECONDS = 0.1  # after which a member that writes nothing looks for what others have written
START_SECONDS = 2.0  # for which another server may still be ending
RETRY_SECONDS = 0.25


class Writer:
    """The thread that writes, and the queue of entries before it."""

    def __init__(
        self,
        database: Database,
        address: str = "",
        is_shared: bool = False,
        signer: TipSigner | None = None,
    ) -> None:
        """A member shares the ledger; on a SQLite file the process that started it holds the lock."""
        self.database, self.down, self._signer = database, "", signer
        self.is_lost = False  # another server has taken over, and `renew_term` was not called yet
        self.when_lost: Callable[[], object] = lambda: None  # called in the thread
        self.when_written: Callable[[list[StoredEvent]], object] | None = None  # likewise; see `_tell`
        self._queue: SimpleQueue[Waiting] = SimpleQueue()
        self._batches = Batches(self._queue)
        self._closing, self._committing, self._gate = False, False, threading.Lock()
        self._connection: Connection | None = None
        self._tip, self._term = Tip(), Term(database, address, is_shared=is_shared)
        self.leases = Leases(self._term) if is_shared else None
        self._turns = Turns(database.path) if is_shared and database.is_file else nullcontext()
        self._news: list[StoredEvent] = []  # that others have written, in this transaction's eyes
        self._is_clock_behind = False  # it was set back, which is on record
        self._keys: RecentKeys
        self._lock = self._acquire_lock()
        self._identity = database.identity
        try:
            self._begin()
        except BaseException:
            self._release()
            raise
        take_turns_often()
        self._thread = threading.Thread(target=self._work, name="ledger", daemon=True)
        self._thread.start()

    @property
    def term(self) -> int:
        """The number of the term; 0 while it is lost."""
        return self._term.number

    @property
    def last_moment(self) -> str:
        """The moment of the last event; '' before the first."""
        return self._tip.at

    def put(self, pending: PendingEntry) -> None:
        pending.prepare()
        with self._gate:
            if self._closing:
                raise LedgerDown(CLOSED)
            if self.is_lost:
                raise LedgerDown(LOST)
            if self._queue.qsize() >= MAX_WAITING_ENTRIES:
                raise LedgerDown(OVERLOADED)
            self._queue.put(pending)

    def renew_term(self) -> Renewal:
        """Begin another term after the last one was lost; refuses while another server lives."""
        renewal: Renewal = Future()
        with self._gate:
            if self._closing:
                raise LedgerDown(CLOSED)
            self._queue.put(renewal)
        return renewal

    def close(self) -> None:
        with self._gate:
            if self._closing:
                return
            self._closing = True
            self._queue.put(None)
        self._thread.join()

    def _acquire_lock(self) -> FileLock | None:
        if not self.database.is_file or self.leases:
            return None
        lock = FileLock.acquire(self.database.path, START_SECONDS)
        if lock is None:
            raise InUse(f"{self.database} is in use by another server.")
        return lock

    def _begin(self) -> None:
        """Connect, create the tables of a new ledger, and anchor the events that a killed server left."""
        try:
            connection = self._connect_patiently()
        except SQLAlchemyError as error:
            raise Unreachable(f"{self.database} cannot be opened: {reason_of(error)}.") from None
        try:
            check_anchor(connection, self.database)
            self._upgrade(connection)
            self._write_anchor()
        except SQLAlchemyError as error:
            raise Refused(f"{self.database} cannot be written: {reason_of(error)}.") from None

    def _connect_patiently(self) -> Connection:
        """Connect, or wait a moment for another server that is ending."""
        ends = time.monotonic() + START_SECONDS
        while True:
            try:
                return self._connect()
            except InUse:
                self._disconnect()
                if time.monotonic() > ends:
                    raise
            time.sleep(RETRY_SECONDS)

    def _upgrade(self, connection: Connection) -> None:
        """Link the events of an old ledger, and sign its last event, from here on; put that on record."""
        with connection.begin():
            transaction = Transaction(self._catch_up(connection))
            if read_linked_from(connection) is None:
                transaction.note(Draft(HOUSE_CHAIN, LEDGER_UPGRADED, {"schema": SCHEMA}))
                self.database.link_from(connection, transaction.tip.sequence)
            for draft in plan_signing(self._signer, connection, self.database):
                transaction.note(draft)
            self._save(transaction, connection)
        self._tip = transaction.tip

    def _release(self) -> None:
        self._disconnect()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # -- The thread ---------------------------------------------------------------------------------

    def _work(self) -> None:
        more = True
        while more:
            batch = self._batches.take(self._wait_seconds)
            more = not batch or batch[-1] is not None
            entries = [pending for pending in batch if isinstance(pending, PendingEntry)]
            if entries:
                self._serve(entries)
            elif (self._term.is_due or self.leases) and more:
                self._renew()
            for renewal in batch:
                if isinstance(renewal, Future):
                    self._begin_again(renewal)
        with suppress(Exception):  # acknowledged entries are safe without a last anchor
            self._end()
        self._release()

    @property
    def _wait_seconds(self) -> float | None:
        """The longest time without a transaction."""
        alone = None if self.database.is_file else RENEWAL_SECONDS
        return FOLLOW_SECONDS if self.leases else alone

    def _serve(self, batch: list[PendingEntry]) -> None:
        self._committing = False
        try:
            if self.is_lost:
                raise Superseded
            self._write(batch)
        except Exception as error:
            self._fail(error)
            for pending in batch:
                pending.failure = LedgerDown(self.down)
        deliver_entries(batch)

    def _fail(self, error: Exception) -> None:
        self._disconnect()
        if isinstance(error, Superseded):
            self.down = LOST
            self._lose()
            return
        outcome = "it is not known whether it was accepted" if self._committing else "nothing was accepted"
        self.down = f"The ledger cannot be written: {reason_of(error)}; {outcome}."

    def _lose(self) -> None:
        """Write nothing more, until whoever runs the server has forgotten what it knew."""
        with self._gate:
            was_lost, self.is_lost = self.is_lost, True
        self._term.number, self._tip = 0, Tip()
        if self.leases:
            self.leases.drop_all()
        if not was_lost:
            self.when_lost()

    def _renew(self) -> None:
        """Renew the term while nothing is written."""
        if self.is_lost:
            return
        self._committing = False
        try:
            self._write([])
        except Exception as error:
            self._fail(error)

    def _begin_again(self, renewal: Renewal) -> None:
        try:
            self._disconnect()
            self._upgrade(self._connect())
        except Exception as error:
            self._disconnect()
            reason = str(error) if isinstance(error, Refused) else f"{reason_of(error)}."
            renewal.set_exception(LedgerDown(f"The ledger cannot be written: {reason}"))
        else:
            self.is_lost, self.down = False, ""
            renewal.set_result(self.term)

    def _end(self) -> None:
        """Write a last anchor, and end the term."""
        if self.is_lost:
            return
        self._write_anchor()
        connection = self._connect()
        with connection.begin():
            self._term.end(connection)
        self.database.checkpoint(connection)

    def _write(self, batch: list[PendingEntry]) -> None:
        self._check_place()
        connection = self._connect()
        with self._turns, connection.begin():
            transaction = Transaction(self._catch_up(connection))
            self._fill(transaction, connection, batch)
            if transaction.rows and transaction.clock and not self._is_clock_behind:
                data = {"clock": transaction.clock, "last": transaction.last}
                transaction.note(Draft(HOUSE_CHAIN, CLOCK_SET_BACK, data))
            if transaction.tip.sequence - transaction.tip.anchored >= EVENTS_PER_ANCHOR:
                transaction.anchor()
            self._save(transaction, connection)
            self._committing = True  # a failure from here on may follow a successful commit
        self._tip, self._is_clock_behind = transaction.tip, bool(transaction.clock)
        self._keys.add(transaction.keys)
        if self.leases:
            self.leases.commit()
            self._tell(transaction)
        self.down = "" if transaction.rows or not batch else self.down

    def _tell(self, transaction: Transaction) -> None:
        """Pass on what others have written, and after it the house's events of this transaction."""
        own = [StoredEvent._make(row) for row in transaction.rows if row[1] == HOUSE_CHAIN]
        if self.when_written and (self._news or own):
            self.when_written([*self._news, *own])

    def _check_place(self) -> None:
        """A file that was moved away could still be written, but nobody would find it."""
        if self.database.identity != self._identity:
            raise OSError("its file was moved or replaced")

    def _catch_up(self, connection: Connection) -> Tip:
        """Lock the ledger for this transaction; the tip of it, if it goes on from the one known here."""
        tip, self._news = self._tip, []
        last = self._term.enter(connection)
        if self.leases:
            self.leases.begin()
        if last == (tip.sequence, tip.digest):
            return tip
        if not has_tip(connection, tip):
            raise Refused(f"{self.database} lacks events that it held before.")
        if self._signer:
            self._signer.check(connection, self._term.is_shared)
        tip = tip.copy()
        news = select(EVENTS).where(EVENTS.c.sequence > tip.sequence).order_by(EVENTS.c.sequence)
        for row in connection.execute(news):
            self._news.append(StoredEvent._make(row))
            tip.follow(self._news[-1])
        self._keys.follow(connection, self._tip.sequence)
        return tip

    def _fill(self, transaction: Transaction, connection: Connection, batch: list[PendingEntry]) -> None:
        keys = [pending.entry.key for pending in batch if pending.entry.key]
        used = self._keys.find_used(connection, keys) if keys else {}
        for pending in batch:
            if pending.failure:
                continue  # it cannot be written at all
            key = pending.entry.key
            name = (key.account, key.name) if key else None
            stored = (used.get(name) or transaction.keys.get(name)) if name else None
            if stored:
                pending.failure = Repeated(*stored)
            elif self.leases and (table := self.leases.admit(connection, pending.entry)):
                pending.failure = Elsewhere(table)
            elif overtaken := transaction.find_overtaken(connection, pending.entry):
                pending.failure = Overtaken(overtaken)
            else:
                transaction.add(pending)

    def _write_anchor(self) -> None:
        connection = self._connect()
        with connection.begin():
            transaction = Transaction(self._catch_up(connection))
            transaction.anchor()
            self._save(transaction, connection)
        self._tip = transaction.tip

    def _save(self, transaction: Transaction, connection: Connection) -> None:
        transaction.save(connection, self.database, self._term.is_shared)
        if self._signer and transaction.rows:
            self._signer.save(connection, self.database, transaction.tip)

    def _connect(self) -> Connection:
        """The connection; a new one reads the keys from the database, and that of a new term the tip."""
        if self._connection is None:
            connection = self._connection = self.database.connect()
            with connection.begin():
                self.database.prepare(connection)
                add_missing_indexes(connection)
                self._enter_term(connection)
                if self._signer:
                    self._signer.load(connection)
                self._keys = RecentKeys(connection)
        elif self._keys.day != datetime.now(UTC).date():
            with self._connection.begin():
                self._keys = RecentKeys(self._connection)
        return self._connection

    def _enter_term(self, connection: Connection) -> None:
        if self._term.number:
            self._term.resume(connection)
            if self.leases:
                self.leases.load(connection)
        else:
            self._term.begin(connection)
            self._tip = Tip.read(connection)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.invalidate()
                connection.close()
