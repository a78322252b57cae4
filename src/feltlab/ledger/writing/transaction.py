"""One transaction of a ledger: the entries that it writes, and the tip after which it writes them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import Connection, delete, func, select, text, tuple_, update

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.ledger.archive import remove_events
from feltlab.ledger.database import (
    ACCOUNTS,
    EVENTS,
    KEYS,
    MENTIONS,
    VAULT,
    Database,
    LedgerDown,
)
from feltlab.ledger.event import (
    ANCHOR_CHAIN,
    GENESIS,
    HOUSE_CHAIN,
    Draft,
    Entry,
    EventRemoval,
    Key,
    LastSeen,
    StoredEvent,
    event_digest,
    is_set_back,
    next_moment,
    now,
)
from feltlab.ledger.index_changes import IndexChanges
from feltlab.ledger.statements import ReplaceStatements, statements_for
from feltlab.ledger.writing.pending import PendingEntry, Written

MAX_CACHED_KEYS = 20_000  # older ones are looked up in the database
KEY_LIFETIME = timedelta(days=1)

Head = tuple[int, str]  # the number and digest of a chain's last event
NO_HEAD: Head = (0, GENESIS)
UsedKeys = dict[tuple[str, str], tuple[str, int]]  # by account and name: request, last sequence


class Repeated(Exception):
    """The key of an entry was used before; nothing was written."""

    def __init__(self, request: str, sequence: int) -> None:
        super().__init__("This key was used before.")
        self.request = request  # the digest of the earlier request
        self.sequence = sequence  # of the last event at that time


class Overtaken(LedgerDown):
    """A chain has events that the author of an entry has not seen; nothing was written."""

    def __init__(self, chain: str) -> None:
        super().__init__(f"Something else happened first in {chain}; nothing was accepted.")
        self.chain = chain


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


@dataclass
class Tip:
    """The end of the ledger."""

    sequence: int = 0
    heads: dict[str, Head] = field(default_factory=dict)
    anchored: int = 0  # the sequence of the last anchor
    changed: set[str] = field(default_factory=set)  # chains, since then
    digest: str = GENESIS  # of the last event
    at: str = ""  # of the last event
    house_kinds: dict[str, int] = field(default_factory=dict)  # last number of each, since it was read
    house_read: int = 0  # the last number of the house when it was read

    @classmethod
    def read(cls, connection: Connection) -> "Tip":
        of_anchors = EVENTS.c.chain == ANCHOR_CHAIN
        last = select(EVENTS.c.sequence, EVENTS.c.digest, EVENTS.c.at).order_by(EVENTS.c.sequence.desc())
        sequence, digest, at = connection.execute(last.limit(1)).one_or_none() or (0, GENESIS, "")
        anchored = connection.execute(select(func.max(EVENTS.c.sequence)).where(of_anchors)).scalar() or 0
        changed = select(EVENTS.c.chain).where(EVENTS.c.sequence > anchored).distinct()
        chains = set(connection.execute(changed).scalars())
        heads = read_heads(connection)
        house_read = heads.get(HOUSE_CHAIN, NO_HEAD)[0]
        return cls(sequence, heads, anchored, chains, digest, at, house_read=house_read)

    def copy(self) -> "Tip":
        heads, kinds = dict(self.heads), dict(self.house_kinds)
        return replace(self, heads=heads, changed=set(self.changed), house_kinds=kinds)

    def follow(self, event: StoredEvent) -> None:
        """Move on to the next event, which another transaction has written."""
        if event.sequence != self.sequence + 1:
            raise Refused(f"The ledger lacks the event with the sequence {self.sequence + 1}.")
        self.advance(event.chain, event.number, event.digest, event.at, event.kind)
        if event.chain == ANCHOR_CHAIN:
            self.anchored, self.changed = event.sequence, set()

    def advance(self, chain: str, number: int, digest: str, at: str, kind: str) -> None:
        self.sequence, self.digest, self.at = self.sequence + 1, digest, at
        if chain == HOUSE_CHAIN:
            self.house_kinds[kind] = number
        self.heads[chain] = (number, digest)
        self.changed.add(chain)


class Transaction:
    """The rows that one transaction writes after a tip. Its own tip is valid once it is committed."""

    def __init__(self, tip: Tip) -> None:
        present = now()
        self.tip, self.last, self.at = tip.copy(), tip.at, next_moment(present, tip.at)
        self.clock = present if is_set_back(present, tip.at) else ""  # that was set back
        self.rows: list[tuple[Any, ...]] = []
        self.keys: UsedKeys = {}
        self.vault: dict[str, str | None] = {}
        self.passwords: dict[str, str] = {}
        self.resealed: dict[str, bytes] = {}
        self.removal: EventRemoval | None = None
        self.index = IndexChanges()

    def add(self, pending: PendingEntry) -> None:
        entry = pending.entry
        pending.written = tuple(map(self._add, entry.drafts, pending.texts))
        if entry.sealed or entry.unsealed:
            self.vault.update({**dict.fromkeys(entry.unsealed), **pending.sealed})
        self.passwords |= entry.passwords
        self.resealed |= entry.resealed
        self.removal = entry.removal or self.removal
        self.index.add(entry.assessments, entry.indexed)
        if entry.key:
            self.keys[entry.key.account, entry.key.name] = (entry.key.request, self.tip.sequence)

    def note(self, draft: Draft) -> None:
        """Add an event of the ledger's own."""
        self._add(draft, canonical_json(draft.data).decode())

    def _add(self, draft: Draft, text: str) -> Written:
        tip, chain = self.tip, draft.chain
        last, before = tip.heads.get(chain, NO_HEAD)
        number, kind, round, at = last + 1, draft.kind, draft.round, self.at
        fields = (chain, number, kind, round, at)
        digest = event_digest(before, *fields, orjson.Fragment(text), tip.digest)
        tip.advance(chain, number, digest, at, kind)
        self.rows.append((tip.sequence, *fields, text, digest))
        if draft.mentions:
            self.index.mention(draft, tip.sequence, at)
        return number, at, digest

    def find_overtaken(self, connection: Connection, entry: Entry) -> str:
        """A chain that has gone on since an entry was decided on it, or ''."""
        return next((seen.chain for seen in entry.seen if self._has_newer(connection, seen)), "")

    def _has_newer(self, connection: Connection, seen: LastSeen) -> bool:
        if not seen.kinds:
            return self.tip.heads.get(seen.chain, NO_HEAD)[0] != seen.number
        if seen.chain == HOUSE_CHAIN and seen.number >= self.tip.house_read:
            return any(self.tip.house_kinds.get(kind, 0) > seen.number for kind in seen.kinds)
        if any(row[1] == seen.chain and row[3] in seen.kinds for row in self.rows):
            return True
        of_kinds = (EVENTS.c.chain == seen.chain) & EVENTS.c.kind.in_(seen.kinds)
        newer = select(EVENTS.c.number).where(of_kinds, EVENTS.c.number > seen.number).limit(1)
        return connection.execute(newer).first() is not None

    def anchor(self) -> None:
        """Name the heads of all chains that changed since the last anchor."""
        tip = self.tip
        if not tip.changed:
            return
        heads = {chain: tip.heads[chain] for chain in tip.changed}
        self.note(Draft(ANCHOR_CHAIN, "anchor", {"heads": heads, "sequence": tip.sequence}))
        tip.anchored, tip.changed = tip.sequence, set()

    def save(self, connection: Connection, database: Database, is_shared: bool = False) -> None:
        statements = statements_for(database.is_file, database.is_file and not is_shared)
        keys = [(*name, *stored, self.at) for name, stored in self.keys.items()]
        for table, rows in ((EVENTS, self.rows), (KEYS, keys), (MENTIONS, self.index.rows)):
            statements.insert(connection, table, rows)
        for name, sealed in self.resealed.items():
            connection.execute(update(VAULT).where(VAULT.c.name == name).values(sealed=sealed))
        _replace_rows(connection, statements.replace[VAULT], self.vault)
        _replace_rows(connection, statements.replace[ACCOUNTS], self.passwords)
        self.index.save(connection)
        if self.removal:
            remove_events(connection, database, self.removal)


def _replace_rows(
    connection: Connection, statements: ReplaceStatements, values: Mapping[str, str | None]
) -> None:
    """Replace the rows of these names in a table of names and values; a name without a value has no row."""
    gone = [name for name, stored in values.items() if stored is None]
    if gone:
        connection.exec_driver_sql(statements.delete, {"names": orjson.dumps(gone).decode()})
    rows = [row for row in values.items() if row[1] is not None]
    if rows:
        connection.exec_driver_sql(statements.put, {"rows": orjson.dumps(rows).decode()})


class RecentKeys:
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

    def follow(self, connection: Connection, after: int) -> None:
        """Add the keys that other transactions have used since a sequence."""
        rows = connection.execute(select(KEYS).where(KEYS.c.sequence > after).order_by(KEYS.c.sequence))
        self.add({(row.account, row.name): (row.request, row.sequence) for row in rows})

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


def parse_heads(data: str) -> list[tuple[str, int, str]]:
    """The chain, number and digest of every head that an anchor names; empty if it is malformed."""
    try:
        return [(chain, number, digest) for chain, (number, digest) in orjson.loads(data)["heads"].items()]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []


def check_anchor(connection: Connection, database: Database) -> None:
    """Refuse a ledger that lacks an event that its last anchor names."""
    anchors = select(EVENTS.c.number, EVENTS.c.data).where(EVENTS.c.chain == ANCHOR_CHAIN)
    with connection.begin():
        for anchor, data in connection.execute(anchors.order_by(EVENTS.c.number.desc()).limit(1)):
            for chain, number, digest in parse_heads(data):
                named = select(EVENTS.c.digest).where(EVENTS.c.chain == chain, EVENTS.c.number == number)
                if connection.execute(named).scalar() != digest:
                    lack = f"it lacks event {number} of {chain}, which anchor {anchor} names"
                    raise Refused(f"{database} was changed: {lack}.")


def has_tip(connection: Connection, tip: Tip) -> bool:
    """Whether the database still has the last event that is known here."""
    query = select(EVENTS.c.digest).where(EVENTS.c.sequence == tip.sequence)
    return not tip.sequence or connection.execute(query).scalar() == tip.digest
