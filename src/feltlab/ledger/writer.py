"""The one thread that writes a ledger.

It takes all entries that wait, writes them in one transaction, and answers when they are on the disk. So
the slower the disk, the more entries share a transaction. After a failure the writer trusts nothing in
memory: it reads the heads of all chains from the database again.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from queue import Empty, SimpleQueue
from typing import Any

import orjson
from sqlalchemy import Connection, delete, func, insert, select, text, tuple_
from sqlalchemy.exc import SQLAlchemyError

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.ledger.database import EVENTS, KEYS, MENTIONS, VAULT, Database, LedgerDown, reason_of
from feltlab.ledger.event import ANCHOR_CHAIN, GENESIS, Draft, Entry, Event, Key, event_digest, now
from feltlab.ledger.index_changes import IndexChanges

EVENTS_PER_ANCHOR = 1_000
MAX_WAITING_ENTRIES = 10_000  # more mean that the disk does not keep up
MAX_BATCH_ENTRIES = 2_000  # in one transaction
MAX_CACHED_KEYS = 20_000  # older ones are looked up in the database
KEY_LIFETIME = timedelta(days=1)
MAX_NAME_CHARS = 255
SWITCH_SECONDS = 0.00005  # with Python's 5 ms a busy event loop, which yields often, starves the writer

Head = tuple[int, str]  # the number and digest of a chain's last event
NO_HEAD: Head = (0, GENESIS)
UsedKeys = dict[tuple[str, str], tuple[str, int]]  # by account and name: request, last sequence


class Repeated(Exception):
    """The key of an entry was used before; nothing was written."""

    def __init__(self, request: str, sequence: int) -> None:
        super().__init__("This key was used before.")
        self.request = request  # the digest of the earlier request
        self.sequence = sequence  # of the last event at that time


# Steps from chain to chain through the index; `SELECT DISTINCT` would read all of it.
CHAINS = text("""
    WITH RECURSIVE named(chain) AS (
        SELECT min(chain) FROM events
        UNION ALL
        SELECT (SELECT min(chain) FROM events WHERE chain > named.chain) FROM named WHERE chain IS NOT NULL
    ) SELECT chain FROM named WHERE chain IS NOT NULL
""")


def read_heads(connection: Connection) -> dict[str, Head]:
    last = select(EVENTS.c.number, EVENTS.c.digest).order_by(EVENTS.c.number.desc()).limit(1)
    chains = connection.execute(CHAINS).scalars().all()
    heads = {chain: connection.execute(last.where(EVENTS.c.chain == chain)).one() for chain in chains}
    return {chain: (number, digest) for chain, (number, digest) in heads.items()}


# -- One transaction --------------------------------------------------------------------------------


class PendingEntry:
    """An entry on its way to the disk, and the future that waits for it.

    Its data becomes JSON here, in the caller's thread, so that only the caller sees a mistake in it.
    """

    __slots__ = ("answer", "entry", "failure", "future", "loop", "texts")

    def __init__(self, entry: Entry, future: Any, loop: asyncio.AbstractEventLoop | None = None) -> None:
        _check_names(entry)
        self.entry, self.future, self.loop = entry, future, loop
        self.texts = [canonical_json(draft.data).decode() for draft in entry.drafts]
        self.answer: tuple[Event, ...] = ()
        self.failure: Exception | None = None

    def resolve(self) -> None:
        if self.future.done():
            return  # cancelled
        if self.failure:
            self.future.set_exception(self.failure)
        else:
            self.future.set_result(self.answer)


def _check_names(entry: Entry) -> None:
    """Names may come from a client: one that a database cannot store must not fail other entries."""
    names = [name for draft in entry.drafts for name in (draft.chain, draft.kind)]
    names += [mention.account for draft in entry.drafts for mention in draft.mentions]
    if entry.key:
        names += [entry.key.account, entry.key.name, entry.key.request]
    for name in (*names, *entry.sealed, *entry.unsealed):
        if not (0 < len(name) <= MAX_NAME_CHARS and name.isprintable()):
            raise Refused(f"A name has from 1 to {MAX_NAME_CHARS} printable characters.")
    if any(draft.chain == ANCHOR_CHAIN for draft in entry.drafts):
        raise Refused(f"Only the ledger itself writes the chain {ANCHOR_CHAIN}.")


@dataclass
class _Tip:
    """The end of the ledger."""

    sequence: int = 0
    heads: dict[str, Head] = field(default_factory=dict)
    anchored: int = 0  # the sequence of the last anchor
    changed: set[str] = field(default_factory=set)  # chains, since then

    @classmethod
    def read(cls, connection: Connection) -> "_Tip":
        of_anchors = EVENTS.c.chain == ANCHOR_CHAIN
        sequence = connection.execute(select(func.max(EVENTS.c.sequence))).scalar() or 0
        anchored = connection.execute(select(func.max(EVENTS.c.sequence)).where(of_anchors)).scalar() or 0
        changed = select(EVENTS.c.chain).where(EVENTS.c.sequence > anchored).distinct()
        return cls(sequence, read_heads(connection), anchored, set(connection.execute(changed).scalars()))

    def copy(self) -> "_Tip":
        return _Tip(self.sequence, dict(self.heads), self.anchored, set(self.changed))


class _Transaction:
    """The rows that one transaction writes after a tip. Its own tip is valid once it is committed."""

    def __init__(self, tip: _Tip) -> None:
        self.tip, self.at = tip.copy(), now()
        self.rows: list[tuple[Any, ...]] = []
        self.keys: UsedKeys = {}
        self.vault: dict[str, bytes | None] = {}
        self.index = IndexChanges()

    def add(self, pending: PendingEntry) -> None:
        entry = pending.entry
        pending.answer = tuple(map(self._add, entry.drafts, pending.texts))
        self.vault.update({**dict.fromkeys(entry.unsealed), **entry.sealed})
        self.index.add(entry.assessments, entry.indexed)
        if entry.key:
            self.keys[entry.key.account, entry.key.name] = (entry.key.request, self.tip.sequence)

    def _add(self, draft: Draft, text: str) -> Event:
        tip, chain = self.tip, draft.chain
        number, before = tip.heads.get(chain, NO_HEAD)
        fields = (chain, number + 1, draft.kind, draft.round, self.at)
        digest = event_digest(before, *fields, orjson.Fragment(text))
        tip.sequence += 1
        tip.heads[chain] = (number + 1, digest)
        tip.changed.add(chain)
        self.rows.append((tip.sequence, *fields, text, digest))
        self.index.mention(draft, tip.sequence, self.at)
        return Event(*fields, draft.data, digest)

    def anchor(self) -> None:
        """Name the heads of all chains that changed since the last anchor."""
        tip = self.tip
        if not tip.changed:
            return
        heads = {chain: tip.heads[chain] for chain in tip.changed}
        data = {"heads": heads, "sequence": tip.sequence}
        self._add(Draft(ANCHOR_CHAIN, "anchor", data), canonical_json(data).decode())
        tip.anchored, tip.changed = tip.sequence, set()

    def save(self, connection: Connection, database: Database) -> None:
        keys = [(*name, *stored, self.at) for name, stored in self.keys.items()]
        for table, rows in ((EVENTS, self.rows), (KEYS, keys), (MENTIONS, self.index.rows)):
            if rows:
                connection.execute(database.insert_statements[table], {"rows": orjson.dumps(rows).decode()})
        if self.vault:
            connection.execute(delete(VAULT).where(VAULT.c.name.in_(self.vault)))
            stored = [{"name": name, "sealed": held} for name, held in self.vault.items() if held is not None]
            if stored:
                connection.execute(insert(VAULT), stored)
        self.index.save(connection)


class _Keys:
    """The keys of the last day: the latest in memory, the rest in the database."""

    def __init__(self, connection: Connection) -> None:
        self.day = datetime.now(UTC).date()
        oldest = (datetime.now(UTC) - KEY_LIFETIME).isoformat(timespec="microseconds")
        connection.execute(delete(KEYS).where(KEYS.c.at < oldest))
        latest = select(KEYS).order_by(KEYS.c.sequence.desc()).limit(MAX_CACHED_KEYS + 1)
        rows = connection.execute(latest).all()
        self.known = {(row.account, row.name): (row.request, row.sequence) for row in reversed(rows)}
        self.are_all = True
        self._forget()

    def add(self, keys: UsedKeys) -> None:
        self.known |= keys
        self._forget()

    def _forget(self) -> None:
        while len(self.known) > MAX_CACHED_KEYS:
            del self.known[next(iter(self.known))]
            self.are_all = False

    def find_used(self, connection: Connection, keys: Iterable[Key]) -> UsedKeys:
        """Those of these keys that were used, with the request and sequence of each."""
        names = {(key.account, key.name) for key in keys}
        used = {name: self.known[name] for name in names if name in self.known}
        unknown = [] if self.are_all else sorted(names - set(used))
        if unknown:
            query = select(KEYS).where(tuple_(KEYS.c.account, KEYS.c.name).in_(unknown))
            for row in connection.execute(query):
                used[row.account, row.name] = (row.request, row.sequence)
        return used


# -- The writer -------------------------------------------------------------------------------------


class Writer:
    """The thread that writes, and the queue of entries before it."""

    def __init__(self, database: Database) -> None:
        self.database, self.down = database, ""
        self._queue: SimpleQueue[PendingEntry | None] = SimpleQueue()
        self._closing, self._committing, self._gate = False, False, threading.Lock()
        self._connection: Connection | None = None
        self._tip = _Tip()
        self._keys: _Keys
        self._lock = database.acquire_lock()
        self._identity = database.identity
        try:
            self._begin()
        except BaseException:
            self._release()
            raise
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_SECONDS))
        self._thread = threading.Thread(target=self._work, name="ledger", daemon=True)
        self._thread.start()

    def put(self, pending: PendingEntry) -> None:
        with self._gate:
            if self._closing:
                raise LedgerDown("The ledger is closed; nothing was accepted.")
            if self._queue.qsize() >= MAX_WAITING_ENTRIES:
                raise LedgerDown("The ledger cannot keep up with the requests; nothing was accepted.")
            self._queue.put(pending)

    def close(self) -> None:
        with self._gate:
            if self._closing:
                return
            self._closing = True
            self._queue.put(None)
        self._thread.join()

    def _begin(self) -> None:
        """Connect, create the tables of a new ledger, and anchor the events that a killed server left."""
        try:
            connection = self._connect()
        except SQLAlchemyError as error:
            raise Refused(f"{self.database} cannot be opened: {reason_of(error)}.") from None
        try:
            _check_anchor(connection, self.database)
            self._write_anchor()
        except SQLAlchemyError as error:
            raise Refused(f"{self.database} cannot be written: {reason_of(error)}.") from None

    def _release(self) -> None:
        self._disconnect()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # -- The thread ---------------------------------------------------------------------------------

    def _work(self) -> None:
        more = True
        while more:
            batch = self._take_batch()
            more = batch[-1] is not None
            entries = [pending for pending in batch if pending is not None]
            if entries:
                self._serve(entries)
        with suppress(Exception):  # acknowledged entries are safe without a last anchor
            self._write_anchor()
            self.database.checkpoint(self._connect())
        self._release()

    def _take_batch(self) -> list[PendingEntry | None]:
        """Take all entries that wait, and at least one; None is the last of all."""
        batch = [self._queue.get()]
        with suppress(Empty):
            while batch[-1] is not None and len(batch) < MAX_BATCH_ENTRIES:
                batch.append(self._queue.get_nowait())
        return batch

    def _serve(self, batch: list[PendingEntry]) -> None:
        self._committing = False
        try:
            self._write(batch)
        except Exception as error:
            self._fail(batch, error)
        for loop in {pending.loop for pending in batch}:
            _resolve(loop, [pending for pending in batch if pending.loop is loop])

    def _fail(self, batch: list[PendingEntry], error: Exception) -> None:
        self._disconnect()
        outcome = "it is not known whether it was accepted" if self._committing else "nothing was accepted"
        self.down = f"The ledger cannot be written: {reason_of(error)}; {outcome}."
        for pending in batch:
            pending.failure = LedgerDown(self.down)

    def _write(self, batch: list[PendingEntry]) -> None:
        self._check_place()
        connection = self._connect()
        transaction = _Transaction(self._tip)
        with connection.begin():
            self._fill(transaction, connection, batch)
            if transaction.tip.sequence - transaction.tip.anchored >= EVENTS_PER_ANCHOR:
                transaction.anchor()
            transaction.save(connection, self.database)
            self._committing = True  # a failure from here on may follow a successful commit
        self._tip = transaction.tip
        self._keys.add(transaction.keys)
        self.down = "" if transaction.rows else self.down

    def _check_place(self) -> None:
        """A file that was moved away could still be written, but nobody would find it."""
        if self.database.identity != self._identity:
            raise OSError("its file was moved or replaced")

    def _fill(self, transaction: _Transaction, connection: Connection, batch: list[PendingEntry]) -> None:
        keys = [pending.entry.key for pending in batch if pending.entry.key]
        used = self._keys.find_used(connection, keys) if keys else {}
        for pending in batch:
            key = pending.entry.key
            name = (key.account, key.name) if key else None
            stored = (used.get(name) or transaction.keys.get(name)) if name else None
            if stored:
                pending.failure = Repeated(*stored)
            else:
                transaction.add(pending)

    def _write_anchor(self) -> None:
        connection, transaction = self._connect(), _Transaction(self._tip)
        transaction.anchor()
        with connection.begin():
            transaction.save(connection, self.database)
        self._tip = transaction.tip

    def _connect(self) -> Connection:
        """The connection; a new one reads the tip and the keys from the database."""
        if self._connection is None:
            connection = self._connection = self.database.connect()
            with connection.begin():
                self.database.prepare(connection)
                self._accept_tip(_Tip.read(connection))
                self._keys = _Keys(connection)
        elif self._keys.day != datetime.now(UTC).date():
            with self._connection.begin():
                self._keys = _Keys(self._connection)
        return self._connection

    def _accept_tip(self, tip: _Tip) -> None:
        """Go on from the tip in the database, unless the database lost events that it had committed."""
        if tip.sequence < self._tip.sequence:
            raise Refused(f"{self.database} lacks events that it held before.")
        self._tip = tip

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.invalidate()
                connection.close()


def _resolve(loop: asyncio.AbstractEventLoop | None, batch: list[PendingEntry]) -> None:
    """Resolve the futures of one event loop with one call into it."""

    def resolve() -> None:
        for pending in batch:
            pending.resolve()

    if loop is None:
        resolve()
    else:
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(resolve)


def _check_anchor(connection: Connection, database: Database) -> None:
    """Refuse a ledger that lacks an event that its last anchor names."""
    anchors = select(EVENTS.c.number, EVENTS.c.data).where(EVENTS.c.chain == ANCHOR_CHAIN)
    with connection.begin():
        for anchor, data in connection.execute(anchors.order_by(EVENTS.c.number.desc()).limit(1)):
            for chain, number, digest in parse_heads(data):
                named = select(EVENTS.c.digest).where(EVENTS.c.chain == chain, EVENTS.c.number == number)
                if connection.execute(named).scalar() != digest:
                    lack = f"it lacks event {number} of {chain}, which anchor {anchor} names"
                    raise Refused(f"{database} was changed: {lack}.")


def parse_heads(data: str) -> list[tuple[str, int, str]]:
    """The chain, number and digest of every head that an anchor names; empty if it is malformed."""
    try:
        return [(chain, number, digest) for chain, (number, digest) in orjson.loads(data)["heads"].items()]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []
