"""Copies of a ledger's tables from one database to another, of either kind."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection, MetaData, Table, create_engine, insert, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from feltlab.errors import Refused
from feltlab.ledger.database import TABLES, TRIGGERS, Database, Unreachable, reason_of

ROWS_AT_ONCE = 2_000


def copy_to_file(database: Database, place: Path) -> None:
    """Copy a database, as it is at one moment, into a new SQLite file; a server may go on writing."""
    if database.is_file:
        _copy_file(database.path, place)
        return
    engine = create_engine(f"sqlite:///{place}")
    snapshot = database.reading.execution_options(isolation_level="REPEATABLE READ")
    with snapshot.connect() as source, engine.begin() as target:
        copy_tables(source, target)
    engine.dispose()


def _copy_file(path: Path, place: Path) -> None:
    """Copy by SQLite's online backup in one step: a reader's snapshot, for which no writer waits."""
    with (
        closing(sqlite3.connect(f"file:{_escape(path)}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(place)) as target,
    ):
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE").close()  # one file, without a log beside it


def _escape(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


@contextmanager
def write_empty(database: Database) -> Iterator[Connection]:
    """A transaction in a database; refuses one that cannot be reached or that holds a ledger already."""
    try:
        with database.writing.begin() as target:
            if set(inspect(target).get_table_names()) & set(TABLES.tables):
                raise Refused("That database holds a ledger already; name an empty one.")
            yield target
    except SQLAlchemyError as error:
        raise Unreachable(f"{database} cannot be written: {reason_of(error)}.") from None


def copy_tables(source: Connection, target: Connection) -> None:
    """Copy every table into a database that has no ledger yet."""
    for table in _find_tables(source):
        table.create(target)
        rows = source.execution_options(yield_per=ROWS_AT_ONCE).execute(select(table)).mappings()
        for part in rows.partitions():
            target.execute(insert(table), [dict(row) for row in part])
    for trigger in TRIGGERS[target.dialect.name]:
        target.exec_driver_sql(trigger)


def _find_tables(source: Connection) -> list[Table]:
    """The tables of a database: those of the ledger as they are declared, others as they are found."""
    names, others = inspect(source).get_table_names(), MetaData()
    own = [table for table in TABLES.sorted_tables if table.name in names]
    others.reflect(source, only=sorted(set(names) - set(TABLES.tables)))
    for table in others.sorted_tables:
        for column in table.columns:
            column.type = column.type.as_generic()
            column.server_default = None
    return own + others.sorted_tables
