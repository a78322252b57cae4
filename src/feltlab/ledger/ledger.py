"""The ledger: every event is on the disk before anyone hears of it.

The ledger itself writes the chain `anchors`, whose events name the last event of every other chain. They
expose a chain that was cut short, or rewritten from some event on.
"""

import asyncio
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection, Row, Select, func, select
from sqlalchemy.exc import SQLAlchemyError

from feltlab.errors import Refused
from feltlab.ledger.database import EVENTS, KEYS, VAULT, Database, LedgerDown, reason_of
from feltlab.ledger.event import GENESIS, Entry, Event, Key, StoredEvent
from feltlab.ledger.writer import Head, PendingEntry, Repeated, Writer, read_heads

__all__ = ["Head", "Ledger", "LedgerDown", "Repeated"]

ROWS_AT_ONCE = 1_000


class Ledger:
    """The events in a database. One process writes it, and any number may read it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._writer: Writer | None = None

    @classmethod
    def open(cls, place: str | Path, writer: bool = True) -> "Ledger":
        """Open the ledger at a path or URL; a writer creates a missing one."""
        ledger = cls(Database.at(place))
        if ledger.database.is_file and ledger.database.path.is_dir():
            raise Refused(f"{ledger.database} is a folder, not a ledger.")
        if writer:
            ledger._writer = Writer(ledger.database)
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
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._writing.put(PendingEntry(entry, future, loop))
        events: tuple[Event, ...] = await future
        return events

    def append_blocking(self, entry: Entry) -> tuple[Event, ...]:
        """Write an entry from a thread without an event loop."""
        future: Future[tuple[Event, ...]] = Future()
        self._writing.put(PendingEntry(entry, future))
        return future.result()

    @property
    def down(self) -> str:
        """Why the last write failed, or ''."""
        return self._writer.down if self._writer else ""

    @property
    def _writing(self) -> Writer:
        if not self._writer:
            raise Refused(f"{self.database} is open for reading only.")
        return self._writer

    # -- Reading ------------------------------------------------------------------------------------

    def events(
        self,
        chain: str | None = None,
        round: int | None = None,
        after: int = 0,
        kinds: Collection[str] | None = None,
    ) -> Iterator[Event]:
        """Events in the order of writing: of one chain after a number, or of all chains after a sequence."""
        place = EVENTS.c.sequence if chain is None else EVENTS.c.number
        query = select(EVENTS).where(place > after).order_by(place)
        if chain is not None:
            query = query.where(EVENTS.c.chain == chain)
        if round is not None:
            query = query.where(EVENTS.c.round == round)
        if kinds is not None:
            query = query.where(EVENTS.c.kind.in_(kinds))
        return self._select(query)

    def events_from_last(self, chain: str, kind: str) -> list[Event]:
        """A chain's events from its last event of a kind on; all, if it has no such event."""
        of_kind = (EVENTS.c.chain == chain) & (EVENTS.c.kind == kind)
        last = select(func.coalesce(func.max(EVENTS.c.number), 0)).where(of_kind).scalar_subquery()
        query = select(EVENTS).where(EVENTS.c.chain == chain, EVENTS.c.number >= last)
        return list(self._select(query.order_by(EVENTS.c.number)))

    def last_events(self, chain: str, kinds: Iterable[str], count: int = 1) -> list[Event]:
        """The last events of these kinds, in the order of writing."""
        events = [event for kind in set(kinds) for event in self._last_of_kind(chain, kind, count)]
        return sorted(events, key=lambda event: event.number)[-count:] if count else []

    def _last_of_kind(self, chain: str, kind: str, count: int) -> Iterator[Event]:
        query = select(EVENTS).where(EVENTS.c.chain == chain, EVENTS.c.kind == kind)
        return self._select(query.order_by(EVENTS.c.number.desc()).limit(count))

    def events_in_rounds(self, chain: str, kinds: Iterable[str], first: int, last: int) -> Iterator[Event]:
        """The events of these kinds in a range of rounds, the newest first."""
        query = select(EVENTS).where(EVENTS.c.chain == chain, EVENTS.c.round.between(first, last))
        return self._select(query.where(EVENTS.c.kind.in_(kinds)).order_by(EVENTS.c.number.desc()))

    def stored_events(
        self,
        first: int | None = None,
        last: int | None = None,
        chain: str | None = None,
        round: int | None = None,
    ) -> Iterator[StoredEvent]:
        """Events as they are stored, from one sequence to another, of one chain or of all."""
        query = select(EVENTS).order_by(EVENTS.c.sequence)
        if first is not None:
            query = query.where(EVENTS.c.sequence >= first)
        if last is not None:
            query = query.where(EVENTS.c.sequence <= last)
        if chain is not None:
            query = query.where(EVENTS.c.chain == chain)
        if round is not None:
            query = query.where(EVENTS.c.round == round)
        return map(StoredEvent._make, self.rows(query))

    def newest_events(
        self, kinds: Iterable[str], count: int, before: int, chain: str | None = None
    ) -> Iterator[StoredEvent]:
        """The newest events of these kinds below a sequence, the newest first."""
        query = select(EVENTS).where(EVENTS.c.kind.in_(kinds), EVENTS.c.sequence < before)
        if chain is not None:
            query = query.where(EVENTS.c.chain == chain)
        return map(StoredEvent._make, self.rows(query.order_by(EVENTS.c.sequence.desc()).limit(count)))

    def digests(self, after: int, last: int | None = None) -> Iterator[str]:
        """The digests of all events after a sequence, up to another one, in the order of writing."""
        query = select(EVENTS.c.digest).where(EVENTS.c.sequence > after).order_by(EVENTS.c.sequence)
        if last is not None:
            query = query.where(EVENTS.c.sequence <= last)
        return (str(row[0]) for row in self.rows(query))

    def digest_of(self, chain: str, number: int) -> str:
        """The digest of an event; '' before the first one."""
        query = select(EVENTS.c.digest).where(EVENTS.c.chain == chain, EVENTS.c.number == number)
        return next((str(row[0]) for row in self.rows(query)), GENESIS)

    def last_sequence(self) -> int:
        """The sequence of the last event; 0 in an empty ledger."""
        (row,) = self.rows(select(func.coalesce(func.max(EVENTS.c.sequence), 0)))
        return int(row[0])

    def round_of_event(self, chain: str, number: int) -> int:
        """The round of an event, whatever its data; 0 outside of rounds, or if it cannot be read."""
        query = select(EVENTS.c.round).where(EVENTS.c.chain == chain, EVENTS.c.number == number)
        with suppress(LedgerDown):
            return next((int(row[0]) for row in self.rows(query)), 0)
        return 0

    def heads(self) -> dict[str, Head]:
        """The number and digest of the last event of each chain."""
        with self._reading() as connection:
            return read_heads(connection)

    def chains(self) -> list[str]:
        return sorted(self.heads())

    def load_sealed(self, name: str) -> bytes | None:
        """The sealed secret of a name in the vault, or None."""
        rows = list(self.rows(select(VAULT.c.sealed).where(VAULT.c.name == name)))
        return bytes(rows[0][0]) if rows else None

    def sealed_records(self) -> Iterator[bytes]:
        """All sealed secrets in the vault."""
        return (bytes(row[0]) for row in self.rows(select(VAULT.c.sealed)))

    def find_request(self, key: Key) -> str | None:
        """The digest of the request that used a key, or None."""
        mine = (KEYS.c.account == key.account) & (KEYS.c.name == key.name)
        rows = list(self.rows(select(KEYS.c.request).where(mine)))
        return str(rows[0][0]) if rows else None

    def _select(self, query: Select[Any]) -> Iterator[Event]:
        return map(_parse_event, self.rows(query))

    def rows(self, query: Select[Any]) -> Iterator[Row[Any]]:
        """The rows of a query, a few at a time: a ledger may be larger than memory."""
        with self._reading() as connection:
            yield from connection.execution_options(yield_per=ROWS_AT_ONCE).execute(query)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self.database.reading.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise LedgerDown(f"The ledger cannot be read: {reason_of(error)}.") from error

    def _check(self) -> None:
        if self.database.is_file and not self.database.path.exists():
            raise Refused(f"There is no ledger at {self.database}.")
        try:
            with self._reading() as connection:
                self.database.check(connection)
        except LedgerDown as error:
            raise Refused(str(error)) from None


def _parse_event(row: Any) -> Event:
    _, chain, number, kind, round, at, data, digest = row
    return Event(chain, number, kind, round, at, orjson.loads(data), digest)
