"""The ledger: everything that happened, written down for good before anyone is told of it.

The ledger itself writes the chain `anchors`, whose events name the ends of the other chains. So a chain
that was cut short, or written anew from some event on, is found.
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
from feltlab.ledger.database import EVENTS, KEYS, VAULT, Database
from feltlab.ledger.event import Entry, Event, Key
from feltlab.ledger.writer import Head, LedgerDown, Repeated, Waiting, Writer, heads_of, reason_of

__all__ = ["Head", "Ledger", "LedgerDown", "Repeated"]


class Ledger:
    """Events that are kept for good; opened by one writer and any number of readers."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._writer: Writer | None = None

    @classmethod
    def open(cls, place: str | Path, writer: bool = True) -> "Ledger":
        """The ledger at a path or URL: made where there is none, if it is opened to be written."""
        ledger = cls(Database.at(place))
        if ledger.database.is_file and ledger.database.path.is_dir():
            raise Refused(f"{ledger.database} is a folder, not a ledger.")
        if writer:
            ledger._writer = Writer(ledger.database)
        else:
            ledger._check()
        return ledger

    def close(self) -> None:
        """Write what waits and the last anchor; let another server in."""
        self.database.reading.dispose()
        if self._writer:
            self._writer.close()

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- Writing ------------------------------------------------------------------------------------

    async def append(self, entry: Entry) -> tuple[Event, ...]:
        """The events of an entry, when they are on the disk; who stops waiting does not stop the writing."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._writing.put(Waiting(entry, future, loop))
        events: tuple[Event, ...] = await future
        return events

    def append_now(self, entry: Entry) -> tuple[Event, ...]:
        """The same for callers without an event loop."""
        future: Future[tuple[Event, ...]] = Future()
        self._writing.put(Waiting(entry, future))
        return future.result()

    @property
    def down(self) -> str:
        """Why the last write failed; empty when it did not."""
        return self._writer.down if self._writer else ""

    @property
    def _writing(self) -> Writer:
        if not self._writer:
            raise Refused(f"{self.database} was opened to be read.")
        return self._writer

    # -- Reading ------------------------------------------------------------------------------------

    def events(
        self,
        chain: str | None = None,
        round: int | None = None,
        after: int = 0,
        kinds: Collection[str] | None = None,
    ) -> Iterator[Event]:
        """Events as they were written, from after a number of the chain; of all chains, after a sequence."""
        place = EVENTS.c.sequence if chain is None else EVENTS.c.number
        asked = select(EVENTS).where(place > after).order_by(place)
        if chain is not None:
            asked = asked.where(EVENTS.c.chain == chain)
        if round is not None:
            asked = asked.where(EVENTS.c.round == round)
        if kinds is not None:
            asked = asked.where(EVENTS.c.kind.in_(kinds))
        return self.select(asked)

    def since(self, chain: str, kind: str) -> list[Event]:
        """A chain's events from its last one of a kind on; all, if there is none."""
        of_kind = (EVENTS.c.chain == chain) & (EVENTS.c.kind == kind)
        last = select(func.coalesce(func.max(EVENTS.c.number), 0)).where(of_kind).scalar_subquery()
        asked = select(EVENTS).where(EVENTS.c.chain == chain, EVENTS.c.number >= last)
        return list(self.select(asked.order_by(EVENTS.c.number)))

    def last(self, chain: str, kinds: Iterable[str], n: int = 1) -> list[Event]:
        """The last n events of these kinds, in the order in which they were written."""
        found = [event for kind in set(kinds) for event in self._last(chain, kind, n)]
        return sorted(found, key=lambda event: event.number)[-n:] if n else []

    def _last(self, chain: str, kind: str, n: int) -> Iterator[Event]:
        asked = select(EVENTS).where(EVENTS.c.chain == chain, EVENTS.c.kind == kind)
        return self.select(asked.order_by(EVENTS.c.number.desc()).limit(n))

    def round_of_event(self, chain: str, number: int) -> int:
        """The round of an event, whatever its data; 0 for one outside of rounds or that cannot be read."""
        place = (EVENTS.c.chain == chain) & (EVENTS.c.number == number)
        with suppress(LedgerDown):
            return next((int(row[0]) for row in self.rows(select(EVENTS.c.round).where(place))), 0)
        return 0

    def heads(self) -> dict[str, Head]:
        """The number and digest of the last event of each chain."""
        with self._reading() as connection:
            return heads_of(connection)

    def chains(self) -> list[str]:
        return sorted(self.heads())

    def sealed(self, name: str) -> bytes | None:
        """What the vault holds under a name."""
        found = list(self.rows(select(VAULT.c.sealed).where(VAULT.c.name == name)))
        return bytes(found[0][0]) if found else None

    def used(self, key: Key) -> str | None:
        """The request that this key was used for, if it was."""
        mine = (KEYS.c.account == key.account) & (KEYS.c.name == key.name)
        found = list(self.rows(select(KEYS.c.request).where(mine)))
        return str(found[0][0]) if found else None

    def select(self, asked: Select[Any]) -> Iterator[Event]:
        """The events that a query finds."""
        return map(_event, self.rows(asked))

    def rows(self, asked: Select[Any]) -> Iterator[Row[Any]]:
        """The rows of a query, a few at a time, however many there are."""
        with self._reading() as connection:
            yield from connection.execution_options(yield_per=1_000).execute(asked)

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


def _event(row: Any) -> Event:
    _, chain, number, kind, round, at, data, digest = row
    return Event(chain, number, kind, round, at, orjson.loads(data), digest)
