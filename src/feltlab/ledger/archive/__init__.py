"""Archives: the events of old months in a file of their own, so that the live ledger stays small.

An archive is a ledger in a SQLite file: every event that the live one had up to some event, without accounts,
sealed cards and requests. Nobody writes it any more. The live ledger then loses most of those events, in the
transaction that records where they went. The roots of the Merkle tree above them stay, so that signed heads
go on to cover every event since the first.
"""

import os
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import orjson
from sqlalchemy import Connection, delete, func, insert, select

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.files import place_of
from feltlab.ledger.database import ARCHIVE_UPTO, EVENTS, META, TABLES, TRIGGERS, Database
from feltlab.ledger.event import EventRemoval
from feltlab.ledger.table_copies import copy_to_file

ARCHIVED = "archived"  # the kind of the event, and the row of `meta` that says what was taken out
HASH_BYTES = 32
CONTENTS = ("events", "meta")  # the tables that an archive has rows of
LEFT_OUT = tuple(name for name in TABLES.tables if name not in CONTENTS)


# -- What is gone from a ledger ----------------------------------------------------------------------


def load_removal(connection: Connection) -> EventRemoval | None:
    """What was last taken out of a ledger; None if it has every event."""
    value = connection.execute(select(META.c.value).where(META.c.name == ARCHIVED)).scalar()
    if value is None:
        return None
    data = orjson.loads(value)
    return EventRemoval(data["last"], (), _split_hashes(b64decode(data["tiles"])), data["record"])


def is_archive(connection: Connection) -> bool:
    """Whether a ledger is an archive, which nobody writes."""
    return connection.execute(select(META.c.value).where(META.c.name == ARCHIVE_UPTO)).scalar() is not None


def _split_hashes(content: bytes) -> tuple[bytes, ...]:
    return tuple(content[at : at + HASH_BYTES] for at in range(0, len(content), HASH_BYTES))


def count_events(connection: Connection) -> int:
    """The number of events that are here: fewer than there are sequences, if some are in archives."""
    return int(connection.execute(select(func.count()).select_from(EVENTS)).scalar() or 0)


def find_last_before(connection: Connection, before: str) -> int:
    """The sequence of the last event before a moment; moments never run backwards."""
    low, high = 0, connection.execute(select(func.max(EVENTS.c.sequence))).scalar() or 0
    while low < high:
        middle = (low + high + 1) // 2
        newest = select(EVENTS.c.at).where(EVENTS.c.sequence <= middle).order_by(EVENTS.c.sequence.desc())
        moment = connection.execute(newest.limit(1)).scalar() or ""
        low, high = (middle, high) if moment < before else (low, middle - 1)
    return int(low)


def remove_events(connection: Connection, database: Database, removal: EventRemoval) -> None:
    """Take events out, within a transaction, and note what is gone."""
    _allow_removal(connection, database, True)
    column = EVENTS.c
    for chain, number, kinds in removal.chains:
        wanted = [column.chain == chain, column.number < number, column.sequence <= removal.last]
        wanted += [column.sequence > 1] + ([column.kind.in_(kinds)] if kinds else [])
        connection.execute(delete(EVENTS).where(*wanted))
    _allow_removal(connection, database, False)
    tiles = b64encode(b"".join(removal.tiles)).decode()
    value = canonical_json({"last": removal.last, "tiles": tiles, "record": removal.record}).decode()
    connection.execute(delete(META).where(META.c.name == ARCHIVED))
    connection.execute(insert(META), [{"name": ARCHIVED, "value": value}])


def _allow_removal(connection: Connection, database: Database, is_allowed: bool) -> None:
    """Lift the guard against deleting, or put it back; both are part of the transaction."""
    if database.is_file:
        (guard,) = (text for text in TRIGGERS["sqlite"] if "events_no_DELETE" in text)
        connection.exec_driver_sql("DROP TRIGGER IF EXISTS events_no_DELETE" if is_allowed else guard)
    else:
        how = "DISABLE" if is_allowed else "ENABLE"
        connection.exec_driver_sql(f"ALTER TABLE events {how} TRIGGER events_only_added")


def compact_file(database: Database) -> None:
    """Give the room of events that are gone back to the disk; a database of another kind does so itself."""
    if database.is_file:
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(database.path)) as connection:
            connection.execute("VACUUM")  # left out if a server has started meanwhile, or the disk is full
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()


# -- The file ----------------------------------------------------------------------------------------


def write_archive(database: Database, last: int, place: Path) -> None:
    """Write the events of a ledger up to a sequence to a new file, which is on the disk then."""
    copy_to_file(database, place)
    with closing(sqlite3.connect(place, isolation_level=None)) as copy:
        copy.execute("BEGIN")
        for trigger in ("UPDATE", "DELETE", "replace"):
            copy.execute(f"DROP TRIGGER IF EXISTS events_no_{trigger}")
        copy.execute("DELETE FROM events WHERE sequence > ?", (last,))
        for name in LEFT_OUT:
            with suppress(sqlite3.OperationalError):  # a table that this ledger never had
                copy.execute(f"DELETE FROM {name}")
        copy.execute("INSERT INTO meta (name, value) VALUES (?, ?)", (ARCHIVE_UPTO, str(last)))
        for guard in TRIGGERS["sqlite"]:
            copy.execute(guard)
        copy.execute("COMMIT")
        copy.execute("VACUUM")
    with place.open("rb") as stream:
        os.fsync(stream.fileno())


def keep_archive(made: Path, path: Path) -> None:
    """Put a finished file in its place, where no other file may be."""
    try:
        os.link(made, path)
        folder = os.open(place_of(path).parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    except FileExistsError:
        raise Refused(f"{path} exists; name a new file.") from None
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror or error}.") from None


# -- All parts together ------------------------------------------------------------------------------


def join_archives(database: Database, paths: Iterable[Path], place: Path) -> list[str]:
    """Copy a ledger to a new file and put the events of its archives back; sentences about differences."""
    copy_to_file(database, place)
    found: list[str] = []
    with closing(sqlite3.connect(place.absolute().as_uri(), uri=True, isolation_level=None)) as whole:
        for trigger in ("UPDATE", "DELETE", "replace"):
            whole.execute(f"DROP TRIGGER IF EXISTS events_no_{trigger}")
        for path in paths:
            try:
                found += _join_archive(whole, path)
            except sqlite3.Error as error:
                raise Refused(f"{path} cannot be read as an archive: {error}.") from None
        whole.execute("DELETE FROM meta WHERE name = ?", (ARCHIVED,))
        for guard in TRIGGERS["sqlite"]:
            whole.execute(guard)
    return found


def _join_archive(whole: sqlite3.Connection, path: Path) -> Iterator[str]:
    whole.execute("ATTACH ? AS part", (f"{path.absolute().as_uri()}?mode=ro",))
    differ = whole.execute(
        "SELECT count(*), min(mine.sequence)"
        " FROM main.events AS mine JOIN part.events AS its USING (sequence)"
        " WHERE (mine.chain, mine.number, mine.kind, mine.round, mine.at, mine.data, mine.digest)"
        " IS NOT (its.chain, its.number, its.kind, its.round, its.at, its.data, its.digest)"
    ).fetchone()
    if differ[0]:
        yield f"{differ[0]} events of {path.name} are not those of the ledger, the first at {differ[1]}."
    whole.execute("INSERT OR IGNORE INTO main.events SELECT * FROM part.events")
    whole.execute("DETACH part")
