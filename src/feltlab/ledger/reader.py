"""Reading a ledger: its events, its heads, and the secrets that are sealed in it."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import orjson
from sqlalchemy import Connection, Row, Select, func, select
from sqlalchemy.exc import SQLAlchemyError

from feltlab.errors import Refused
from feltlab.ledger.archive import is_archive, load_removal
from feltlab.ledger.database import (
    EVENTS,
    KEYS,
    VAULT,
    Database,
    LedgerDown,
    read_linked_from,
    reason_of,
)
from feltlab.ledger.event import GENESIS, IN_ARCHIVE, Event, EventRemoval, Key, StoredEvent
from feltlab.ledger.indexes.queries import query_kinds, query_round
from feltlab.ledger.writing.transaction import Head, read_heads

ROWS_AT_ONCE = 1_000


class LedgerReader:
    """The events in a database, for any number of readers."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def events(
        self,
        chain: str | None = None,
        round: int | None = None,
        after: int = 0,
        kinds: Collection[str] | None = None,
    ) -> Iterator[Event]:
        """Events in the order of writing: of one chain after a number, or of all chains after a sequence."""
        if chain is not None and round is not None:
            found = self._select(query_round(chain, round, round))
            return (one for one in found if one.number > after and (kinds is None or one.kind in kinds))
        place = EVENTS.c.sequence if chain is None else EVENTS.c.number
        wanted = [place > after] if chain is None else [EVENTS.c.chain == chain, place > after]
        if round is not None:
            wanted.append(EVENTS.c.round == round)
        if kinds is None:
            return self._select(select(EVENTS).where(*wanted).order_by(place))
        return self._select(query_kinds(kinds, wanted, place.name)) if kinds else iter(())

    def events_of_kinds(self, chain: str, kinds: Collection[str], after: int = 0) -> list[Event]:
        """A chain's events of some kinds after a number, found by their kinds however long the chain is."""
        return list(self.events(chain, after=after, kinds=kinds))

    def events_from_last(self, chain: str, kind: str) -> list[Event]:
        """A chain's events from its last event of a kind on; all, if it has no such event."""
        of_kind = (EVENTS.c.chain == chain) & (EVENTS.c.kind == kind)
        last = select(func.coalesce(func.max(EVENTS.c.number), 0)).where(of_kind).scalar_subquery()
        query = select(EVENTS).where(EVENTS.c.chain == chain, EVENTS.c.number >= last)
        return list(self._select(query.order_by(EVENTS.c.number)))

    def last_events(
        self, chain: str, kinds: Iterable[str], count: int = 1, before: int | None = None
    ) -> list[Event]:
        """The last events of these kinds, before the event of a number if one is given, in order."""
        events = [event for kind in set(kinds) for event in self._last_of_kind(chain, kind, count, before)]
        return sorted(events, key=lambda event: event.number)[-count:] if count else []

    def _last_of_kind(self, chain: str, kind: str, count: int, before: int | None) -> Iterator[Event]:
        query = select(EVENTS).where(EVENTS.c.chain == chain, EVENTS.c.kind == kind)
        if before is not None:
            query = query.where(EVENTS.c.number < before)
        return self._select(query.order_by(EVENTS.c.number.desc()).limit(count))

    def last_sequence_of(self, chain: str, kinds: Iterable[str]) -> int:
        """The sequence of a chain's last event of these kinds; 0 without one."""
        sequences = select(EVENTS.c.sequence).where(EVENTS.c.chain == chain)
        newest = sequences.order_by(EVENTS.c.number.desc()).limit(1)
        found = (self.rows(newest.where(EVENTS.c.kind == kind)) for kind in kinds)
        return max((int(row[0]) for rows in found for row in rows), default=0)

    def next_events(self, chain: str, kind: str, after: int, count: int) -> list[Event]:
        """The first events of a kind after the event of a number."""
        query = select(EVENTS).where(EVENTS.c.chain == chain, EVENTS.c.kind == kind)
        return list(self._select(query.where(EVENTS.c.number > after).order_by(EVENTS.c.number).limit(count)))

    def events_in_rounds(self, chain: str, kinds: Collection[str], first: int, last: int) -> Iterator[Event]:
        """The events of these kinds in a range of rounds, the newest first."""
        found = [event for event in self._select(query_round(chain, first, last)) if event.kind in kinds]
        return iter(found[::-1])

    def stored_events(
        self,
        first: int | None = None,
        last: int | None = None,
        chain: str | None = None,
        round: int | None = None,
    ) -> Iterator[StoredEvent]:
        """Events as they are stored, from one sequence to another, of one chain or of all."""
        query = select(EVENTS)
        if first is not None:
            query = query.where(EVENTS.c.sequence >= first)
        if last is not None:
            query = query.where(EVENTS.c.sequence <= last)
        if chain is not None:
            query = query.where(EVENTS.c.chain == chain)
        if round is not None:
            query = query.where(EVENTS.c.round == round)
        of_whole_chain = chain is not None and round is None
        ordered = query.order_by(EVENTS.c.number if of_whole_chain else EVENTS.c.sequence)  # as an index is
        return map(StoredEvent._make, self.rows(ordered))

    def events_of_chains(
        self, chains: Collection[str], kinds: Collection[str] = (), first: int = 1, last: int | None = None
    ) -> Iterator[StoredEvent]:
        """All events of some chains, and those of some kinds in any chain, in the order of writing.

        They are many: the whole ledger is read in order, as no index would be faster.
        """
        chain, kind = EVENTS.c.chain.concat(""), EVENTS.c.kind.concat("")  # so that no index is tried
        query = select(EVENTS).where(EVENTS.c.sequence >= first, chain.in_(chains) | kind.in_(kinds))
        if last is not None:
            query = query.where(EVENTS.c.sequence <= last)
        return map(StoredEvent._make, self.rows(query.order_by(EVENTS.c.sequence)))

    def linked_events(
        self, first: int = 1, chain: str | None = None, round: int | None = None
    ) -> Iterator[tuple[StoredEvent, str | None]]:
        """Events as they are stored, each with the past that its digest binds; None before links.

        The past is `IN_ARCHIVE` if the event before it has left the ledger.
        """
        linked, past = self.linked_from(), EVENTS.alias()
        joined = EVENTS.outerjoin(past, past.c.sequence == EVENTS.c.sequence - 1)
        query = select(EVENTS, past.c.digest).select_from(joined).where(EVENTS.c.sequence >= first)
        if chain is not None:
            query = query.where(EVENTS.c.chain == chain)
        if round is not None:
            query = query.where(EVENTS.c.round == round)
        for row in self.rows(query.order_by(EVENTS.c.sequence)):
            event = StoredEvent._make(row[:-1])
            is_linked = linked is not None and event.sequence >= linked
            missing = IN_ARCHIVE if event.sequence > 1 else GENESIS
            yield event, (row[-1] or missing) if is_linked else None

    def linked_from(self) -> int | None:
        """The sequence of the first event that is linked to the one before it; None in an old ledger."""
        with self.reading() as connection:
            return read_linked_from(connection)

    def load_removal(self) -> EventRemoval | None:
        """What was last moved to an archive; None if the ledger has every event."""
        with self.reading() as connection:
            return load_removal(connection)

    @property
    def is_archive(self) -> bool:
        """Whether it holds old events only, and nobody writes it."""
        with self.reading() as connection:
            return is_archive(connection)

    def newest_events(
        self, kinds: Collection[str], count: int, before: int, chain: str | None = None
    ) -> Iterator[StoredEvent]:
        """The newest events of these kinds below a sequence, the newest first."""
        if not kinds:
            return iter(())
        if chain is None:
            query = query_kinds(kinds, [EVENTS.c.sequence < before], "sequence", newest_first=True)
        else:  # not by the index of sequences, which is one of all chains
            wanted = [EVENTS.c.chain == chain, EVENTS.c.sequence + 0 < before]
            query = query_kinds(kinds, wanted, "number", newest_first=True)
        return map(StoredEvent._make, self.rows(query.limit(count)))

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
        with self.reading() as connection:
            return read_heads(connection)

    def heads_at(self, sequence: int) -> dict[str, Head]:
        """The number and digest of the last event of each chain up to a sequence."""
        column = EVENTS.c
        upto = select(column.number, column.digest).where(column.sequence <= sequence)
        newest = upto.order_by(column.number.desc()).limit(1)
        found = {chain: list(self.rows(newest.where(column.chain == chain))) for chain in self.chains()}
        return {chain: (int(rows[0].number), str(rows[0].digest)) for chain, rows in found.items() if rows}

    def chains(self) -> list[str]:
        return sorted(self.heads())

    def load_sealed(self, name: str) -> bytes | None:
        """The sealed secret of a name in the vault, or None."""
        rows = list(self.rows(select(VAULT.c.sealed).where(VAULT.c.name == name)))
        return bytes(rows[0][0]) if rows else None

    def sealed_by_name(self) -> dict[str, bytes]:
        """All sealed secrets in the vault, by name."""
        return {row.name: bytes(row.sealed) for row in self.rows(select(VAULT))}

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
        with self.reading() as connection:
            found = connection.execution_options(yield_per=ROWS_AT_ONCE).execute(query)
            for rows in found.partitions():  # twice as fast as row by row
                yield from rows

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that reads."""
        try:
            with self.database.reading.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise LedgerDown(f"The ledger cannot be read: {reason_of(error)}.") from error

    def _check(self) -> None:
        if self.database.is_file and not self.database.path.exists():
            raise Refused(f"There is no ledger at {self.database}.")
        try:
            with self.reading() as connection:
                self.database.check(connection)
        except LedgerDown as error:
            raise Refused(str(error)) from None


def _parse_event(row: Any) -> Event:
    _, chain, number, kind, round, at, data, digest = row
    return Event(chain, number, kind, round, at, orjson.loads(data), digest)
