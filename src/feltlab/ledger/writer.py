"""The one thread that writes a ledger.

It takes all entries that wait, writes them in one transaction, and answers when they are on the disk; so
the slower the disk, the more is written at once. After a failure nothing in memory is believed: the ends
of all chains are read from the database again.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Iterable, Mapping
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
from feltlab.ledger.database import EVENTS, KEYS, VAULT, Database
from feltlab.ledger.event import ANCHORS, GENESIS, Draft, Entry, Event, Key, digest_of, now

ANCHOR_EVERY = 1_000  # events
MOST_WAITING = 10_000  # entries; more than that means that the disk does not keep up
MOST_AT_ONCE = 2_000  # entries in one transaction
MOST_KEYS = 20_000  # in memory; older ones are looked up
KEYS_LAST = timedelta(days=1)
LONGEST_NAME = 255
SWITCH_SECONDS = 0.00005  # at Python's own 5 ms a busy event loop, which yields often, starves the writer

Head = tuple[int, str]  # the number and digest of a chain's last event
NO_HEAD: Head = (0, GENESIS)


class LedgerDown(Exception):
    """The ledger cannot be used just now; one sentence says why, and what became of the entry."""


class Repeated(Exception):
    """An entry whose key was used before: nothing was written."""

    def __init__(self, request: str, sequence: int) -> None:
        super().__init__("This key was used before.")
        self.request = request  # the digest of what was asked for then
        self.sequence = sequence  # of the last event at that time


# A step from chain to chain through the index; `SELECT DISTINCT` would read all of it.
CHAINS = text("""
    WITH RECURSIVE named(chain) AS (
        SELECT min(chain) FROM events
        UNION ALL
        SELECT (SELECT min(chain) FROM events WHERE chain > named.chain) FROM named WHERE chain IS NOT NULL
    ) SELECT chain FROM named WHERE chain IS NOT NULL
""")


def heads_of(connection: Connection) -> dict[str, Head]:
    last = select(EVENTS.c.number, EVENTS.c.digest).order_by(EVENTS.c.number.desc()).limit(1)
    chains = connection.execute(CHAINS).scalars().all()
    found = {chain: connection.execute(last.where(EVENTS.c.chain == chain)).one() for chain in chains}
    return {chain: (number, digest) for chain, (number, digest) in found.items()}


def reason_of(error: BaseException) -> str:
    """The first line of what a database says."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


# -- One transaction --------------------------------------------------------------------------------


class Waiting:
    """An entry on its way to the disk, and who waits for it.

    Its data is written as JSON here, where a mistake is answered to the caller and to no one else.
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
    """Names may come from a client; what a database does not store must not fail the entries beside it."""
    names = [name for draft in entry.drafts for name in (draft.chain, draft.kind)]
    if entry.key:
        names += [entry.key.account, entry.key.name, entry.key.request]
    for name in (*names, *entry.sealed, *entry.unsealed):
        if not (0 < len(name) <= LONGEST_NAME and name.isprintable()):
            raise Refused(f"A name has from 1 to {LONGEST_NAME} printable characters.")
    if any(draft.chain == ANCHORS for draft in entry.drafts):
        raise Refused(f"Only the ledger itself writes the chain {ANCHORS}.")


@dataclass
class _Tip:
    """Where the ledger ends."""

    sequence: int = 0
    heads: dict[str, Head] = field(default_factory=dict)
    anchored: int = 0  # the sequence of the last anchor
    changed: set[str] = field(default_factory=set)  # chains, since then

    @classmethod
    def read(cls, connection: Connection) -> "_Tip":
        of_anchors = EVENTS.c.chain == ANCHORS
        sequence = connection.execute(select(func.max(EVENTS.c.sequence))).scalar() or 0
        anchored = connection.execute(select(func.max(EVENTS.c.sequence)).where(of_anchors)).scalar() or 0
        changed = select(EVENTS.c.chain).where(EVENTS.c.sequence > anchored).distinct()
        return cls(sequence, heads_of(connection), anchored, set(connection.execute(changed).scalars()))

    def copy(self) -> "_Tip":
        return _Tip(self.sequence, dict(self.heads), self.anchored, set(self.changed))


class _Page:
    """What one transaction writes after a tip. The tip it leads to counts when it is committed."""

    def __init__(self, tip: _Tip) -> None:
        self.tip, self.at = tip.copy(), now()
        self.rows: list[tuple[Any, ...]] = []
        self.keys: dict[tuple[str, str], tuple[str, int]] = {}
        self.vault: dict[str, bytes | None] = {}

    def add(self, waiting: Waiting) -> None:
        entry = waiting.entry
        waiting.answer = tuple(map(self._add, entry.drafts, waiting.texts))
        self.vault.update({**dict.fromkeys(entry.unsealed), **entry.sealed})
        if entry.key:
            self.keys[entry.key.account, entry.key.name] = (entry.key.request, self.tip.sequence)

    def _add(self, draft: Draft, text: str) -> Event:
        tip, chain = self.tip, draft.chain
        number, before = tip.heads.get(chain, NO_HEAD)
        fields = (chain, number + 1, draft.kind, draft.round, self.at)
        digest = digest_of(before, *fields, orjson.Fragment(text))
        tip.sequence += 1
        tip.heads[chain] = (number + 1, digest)
        tip.changed.add(chain)
        self.rows.append((tip.sequence, *fields, text, digest))
        return Event(*fields, draft.data, digest)

    def anchor(self) -> None:
        """Name the ends of all chains that changed since the last anchor."""
        tip = self.tip
        if not tip.changed:
            return
        heads = {chain: tip.heads[chain] for chain in tip.changed}
        data = {"heads": heads, "sequence": tip.sequence}
        self._add(Draft(ANCHORS, "anchor", data), canonical_json(data).decode())
        tip.anchored, tip.changed = tip.sequence, set()

    def save(self, connection: Connection, database: Database) -> None:
        keys = [(*name, *stored, self.at) for name, stored in self.keys.items()]
        for table, rows in ((EVENTS, self.rows), (KEYS, keys)):
            if rows:
                connection.execute(database.adding[table], {"rows": orjson.dumps(rows).decode()})
        if self.vault:
            connection.execute(delete(VAULT).where(VAULT.c.name.in_(self.vault)))
            kept = [{"name": name, "sealed": held} for name, held in self.vault.items() if held is not None]
            if kept:
                connection.execute(insert(VAULT), kept)


class _Keys:
    """Keys of the last day: the latest in memory, and the rest in the database."""

    def __init__(self, connection: Connection) -> None:
        self.day = datetime.now(UTC).date()
        oldest = (datetime.now(UTC) - KEYS_LAST).isoformat(timespec="microseconds")
        connection.execute(delete(KEYS).where(KEYS.c.at < oldest))
        latest = select(KEYS).order_by(KEYS.c.sequence.desc()).limit(MOST_KEYS + 1)
        rows = connection.execute(latest).all()
        self.known = {(row.account, row.name): (row.request, row.sequence) for row in reversed(rows)}
        self.are_all = True
        self._forget()

    def add(self, keys: Mapping[tuple[str, str], tuple[str, int]]) -> None:
        self.known |= keys
        self._forget()

    def _forget(self) -> None:
        while len(self.known) > MOST_KEYS:
            del self.known[next(iter(self.known))]
            self.are_all = False

    def used(self, connection: Connection, keys: Iterable[Key]) -> dict[tuple[str, str], tuple[str, int]]:
        """Which of these keys were used, and for what."""
        names = {(key.account, key.name) for key in keys}
        found = {name: self.known[name] for name in names if name in self.known}
        unknown = [] if self.are_all else sorted(names - set(found))
        if unknown:
            asked = select(KEYS).where(tuple_(KEYS.c.account, KEYS.c.name).in_(unknown))
            for row in connection.execute(asked):
                found[row.account, row.name] = (row.request, row.sequence)
        return found


# -- The writer -------------------------------------------------------------------------------------


class Writer:
    """The one thread that writes."""

    def __init__(self, database: Database) -> None:
        self.database, self.down = database, ""
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()
        self._closing, self._committing, self._gate = False, False, threading.Lock()
        self._connection: Connection | None = None
        self._tip = _Tip()
        self._keys: _Keys
        self._lock = database.hold()
        self._identity = database.identity
        try:
            self._begin()
        except BaseException:
            self._release()
            raise
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_SECONDS))
        self._thread = threading.Thread(target=self._work, name="ledger", daemon=True)
        self._thread.start()

    def put(self, waiting: Waiting) -> None:
        with self._gate:
            if self._closing:
                raise LedgerDown("The ledger is closed; nothing was accepted.")
            if self._queue.qsize() >= MOST_WAITING:
                raise LedgerDown("The ledger does not keep up with what is sent; nothing was accepted.")
            self._queue.put(waiting)

    def close(self) -> None:
        with self._gate:
            if self._closing:
                return
            self._closing = True
            self._queue.put(None)
        self._thread.join()

    def _begin(self) -> None:
        """Open, make the tables of a new ledger, and anchor what a server that was killed left behind."""
        try:
            connection = self._connected()
        except SQLAlchemyError as error:
            raise Refused(f"{self.database} cannot be opened: {reason_of(error)}.") from None
        try:
            _check_anchor(connection, self.database)
            self._anchor()
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
            batch = self._taken()
            more = batch[-1] is not None
            entries = [waiting for waiting in batch if waiting is not None]
            if entries:
                self._serve(entries)
        with suppress(Exception):  # what was acknowledged is safe without a last anchor
            self._anchor()
            self.database.gather(self._connected())
        self._release()

    def _taken(self) -> list[Waiting | None]:
        """All that waits, and at least one; None, the last of all, is the end."""
        batch = [self._queue.get()]
        with suppress(Empty):
            while batch[-1] is not None and len(batch) < MOST_AT_ONCE:
                batch.append(self._queue.get_nowait())
        return batch

    def _serve(self, batch: list[Waiting]) -> None:
        self._committing = False
        try:
            self._write(batch)
        except Exception as error:
            self._fail(batch, error)
        for loop in {waiting.loop for waiting in batch}:
            _answer(loop, [waiting for waiting in batch if waiting.loop is loop])

    def _fail(self, batch: list[Waiting], error: Exception) -> None:
        self._disconnect()
        outcome = "it is not known what was accepted" if self._committing else "nothing was accepted"
        self.down = f"The ledger cannot be written: {reason_of(error)}; {outcome}."
        for waiting in batch:
            waiting.failure = LedgerDown(self.down)

    def _write(self, batch: list[Waiting]) -> None:
        self._check_place()
        connection = self._connected()
        page = _Page(self._tip)
        with connection.begin():
            self._fill(page, connection, batch)
            if page.tip.sequence - page.tip.anchored >= ANCHOR_EVERY:
                page.anchor()
            page.save(connection, self.database)
            self._committing = True  # a failure from here on may come after the fact
        self._tip = page.tip
        self._keys.add(page.keys)
        self.down = "" if page.rows else self.down

    def _check_place(self) -> None:
        """A file that was moved away could still be written, and nobody would find it there."""
        if self.database.identity != self._identity:
            raise OSError("its file was moved or replaced")

    def _fill(self, page: _Page, connection: Connection, batch: list[Waiting]) -> None:
        keys = [waiting.entry.key for waiting in batch if waiting.entry.key]
        used = self._keys.used(connection, keys) if keys else {}
        for waiting in batch:
            key = waiting.entry.key
            name = (key.account, key.name) if key else None
            stored = (used.get(name) or page.keys.get(name)) if name else None
            if stored:
                waiting.failure = Repeated(*stored)
            else:
                page.add(waiting)

    def _anchor(self) -> None:
        connection, page = self._connected(), _Page(self._tip)
        page.anchor()
        with connection.begin():
            page.save(connection, self.database)
        self._tip = page.tip

    def _connected(self) -> Connection:
        """The connection; when there is none, a new one, and what the database says about where it ends."""
        if self._connection is None:
            connection = self._connection = self.database.connected()
            with connection.begin():
                self.database.prepare(connection)
                self._believe(_Tip.read(connection))
                self._keys = _Keys(connection)
        elif self._keys.day != datetime.now(UTC).date():
            with self._connection.begin():
                self._keys = _Keys(self._connection)
        return self._connection

    def _believe(self, tip: _Tip) -> None:
        """The database knows what was written last, unless it forgot what it had committed."""
        if tip.sequence < self._tip.sequence:
            raise Refused(f"{self.database} lacks events that it held before.")
        self._tip = tip

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.invalidate()
                connection.close()


def _answer(loop: asyncio.AbstractEventLoop | None, batch: list[Waiting]) -> None:
    """Tell those who wait in one loop, by one call."""

    def tell() -> None:
        for waiting in batch:
            waiting.resolve()

    if loop is None:
        tell()
    else:
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(tell)


def _check_anchor(connection: Connection, database: Database) -> None:
    """Refuse to go on from a ledger that does not hold what its last anchor names."""
    anchors = select(EVENTS.c.number, EVENTS.c.data).where(EVENTS.c.chain == ANCHORS)
    with connection.begin():
        for anchor, data in connection.execute(anchors.order_by(EVENTS.c.number.desc()).limit(1)):
            for chain, number, digest in heads_named(data):
                named = select(EVENTS.c.digest).where(EVENTS.c.chain == chain, EVENTS.c.number == number)
                if connection.execute(named).scalar() != digest:
                    told = f"it lacks event {number} of {chain}, which anchor {anchor} names"
                    raise Refused(f"{database} was changed: {told}.")


def heads_named(data: str) -> list[tuple[str, int, str]]:
    """Chain, number and digest of every head that an anchor names; none when it is not as we write them."""
    try:
        return [(chain, number, digest) for chain, (number, digest) in orjson.loads(data)["heads"].items()]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []
