"""The database of a ledger: a SQLite file, or a PostgreSQL server.

Events are only ever added. Triggers refuse every other change, and digests expose a change past the
triggers. One server at a time writes a ledger; anyone may read it meanwhile.
"""

import fcntl
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    BigInteger,
    Column,
    Connection,
    Engine,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    NullPool,
    Table,
    Text,
    TextClause,
    UniqueConstraint,
    create_engine,
    event,
    func,
    insert,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from feltlab.errors import Refused
from feltlab.files import place_of

SCHEMA = "1"
LOCK_SECONDS = 2.0  # for which another server may still be ending
RETRY_SECONDS = 0.05
LOCK_ID = 0x46454C54  # one half of PostgreSQL's advisory lock; the other half is the schema

# Text sorts in byte order: a server's locale changes with its operating system, and indexes with it.
WORD = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
COUNT = BigInteger().with_variant(Integer, "sqlite")  # SQLite's own row number, where it is a primary key

TABLES = MetaData()
EVENTS = Table(
    "events",
    TABLES,
    Column("sequence", COUNT, primary_key=True, autoincrement=False),
    Column("chain", WORD, nullable=False),
    Column("number", COUNT, nullable=False),
    Column("kind", WORD, nullable=False),
    Column("round", COUNT, nullable=False),
    Column("at", WORD, nullable=False),
    Column("data", WORD, nullable=False),
    Column("digest", WORD, nullable=False),
    UniqueConstraint("chain", "number"),
    Index("events_of_round", "chain", "round"),
    Index("events_of_kind", "chain", "kind", "number"),
)
VAULT = Table("vault", TABLES, Column("name", WORD, primary_key=True), Column("sealed", LargeBinary))
KEYS = Table(
    "keys",
    TABLES,
    Column("account", WORD, primary_key=True),
    Column("name", WORD, primary_key=True),
    Column("request", WORD, nullable=False),
    Column("sequence", COUNT, nullable=False),
    Column("at", WORD, nullable=False),
)
META = Table("meta", TABLES, Column("name", WORD, primary_key=True), Column("value", WORD))
# An index of accounts, derived from the events: no digest covers it, and `verify` does not read it. One key
# finds the events of an account, the newest first, however large the ledger is.
MENTIONS = Table(
    "mentions",
    TABLES,
    Column("account", WORD, primary_key=True),
    Column("sequence", COUNT, primary_key=True, autoincrement=False),
    Column("place", COUNT, primary_key=True, autoincrement=False),
    Column("chain", WORD, nullable=False),
    Column("round", COUNT, nullable=False),
    Column("at", WORD, nullable=False),
    Column("label", WORD, nullable=False),
    Column("cents", COUNT, nullable=False),
    Column("state", WORD, nullable=False),
    # What was worked out since; see `Assessment`.
    Column("expected", Float(53)),
    Column("cost", Float(53)),
    Column("decisions", COUNT),
    Column("mistakes", COUNT),
    Column("note", WORD),
    sqlite_with_rowid=False,
)
# The columns that are written with an event.
WRITTEN_COLUMNS = {table: table.columns.keys() for table in (EVENTS, KEYS)}
WRITTEN_COLUMNS[MENTIONS] = MENTIONS.columns.keys()[:9]
UNMENTIONED = "unmentioned"  # the sequence of the last event from before the index, until it is built

TRIGGERS = {
    "sqlite": [
        *(
            f"CREATE TRIGGER events_no_{action} BEFORE {action} ON events"
            " BEGIN SELECT RAISE(ABORT, 'The ledger is only ever added to.'); END"
            for action in ("UPDATE", "DELETE")
        ),
        # INSERT OR REPLACE deletes without firing the trigger above.
        "CREATE TRIGGER events_no_replace BEFORE INSERT ON events WHEN EXISTS (SELECT 1 FROM events"
        " WHERE sequence = NEW.sequence OR (chain = NEW.chain AND number = NEW.number))"
        " BEGIN SELECT RAISE(ABORT, 'The ledger is only ever added to.'); END",
    ],
    "postgresql": [
        "CREATE FUNCTION events_only_added() RETURNS trigger LANGUAGE plpgsql AS"
        " $$BEGIN RAISE EXCEPTION 'The ledger is only ever added to.'; END$$",
        "CREATE TRIGGER events_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON events"
        " FOR EACH STATEMENT EXECUTE FUNCTION events_only_added()",
    ],
}


class LedgerDown(Exception):
    """The database cannot be used at present; one sentence says why, and whether an entry was accepted."""


def reason_of(error: BaseException) -> str:
    """The first line of a database's error message."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


@dataclass(frozen=True)
class Database:
    url: URL

    @classmethod
    def at(cls, place: str | Path) -> "Database":
        """The database of a path, or of the URL of a SQLite file or a PostgreSQL server."""
        if "://" not in str(place):
            return cls(URL.create("sqlite", database=str(place_of(Path(place)))))
        try:
            url = make_url(str(place))
        except (ArgumentError, ValueError):
            raise Refused("The URL of the ledger cannot be read.") from None  # it may hold a password
        match url.get_backend_name():
            case "sqlite" if url.database and url.database != ":memory:" and not url.query:
                return cls(url.set(database=str(place_of(Path(url.database)))))
            case "postgresql" | "postgres":
                return cls(url.set(drivername="postgresql+psycopg"))
        raise Refused(f"{url} is neither a SQLite file nor a PostgreSQL server.")

    def __str__(self) -> str:
        return str(self.path) if self.is_file else str(self.url)  # `URL.__str__` hides a password

    @property
    def address(self) -> str:
        """The URL that opens this database again; it holds the password, if there is one."""
        plain = self.url.set(drivername="sqlite" if self.is_file else "postgresql")
        return plain.render_as_string(hide_password=False)

    @property
    def is_file(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @property
    def path(self) -> Path:
        return Path(self.url.database or "")

    # -- Engines ------------------------------------------------------------------------------------

    @cached_property
    def writing(self) -> Engine:
        if not self.is_file:
            engine = self._server(poolclass=NullPool)
            event.listen(engine, "connect", _commit_to_disk)
            return engine
        engine = create_engine(
            self._file("rw"), poolclass=NullPool, connect_args={"check_same_thread": False}
        )
        event.listen(engine, "connect", _write_ahead)
        event.listen(engine, "begin", _begin)
        return engine

    @cached_property
    def reading(self) -> Engine:
        if not self.is_file:
            return self._server(pool_pre_ping=True).execution_options(postgresql_readonly=True)
        url = self._file("ro", **({"immutable": "1"} if self._is_read_only() else {}))
        return create_engine(url, connect_args={"check_same_thread": False, "timeout": 5})

    def _file(self, mode: str, **more: str) -> URL:
        """The URL of an existing file. SQLite would create a missing one, and drop the log beside it."""
        path = str(self.path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        return URL.create("sqlite", database=f"file:{path}", query={"uri": "true", "mode": mode, **more})

    @property
    def identity(self) -> tuple[int, int] | None:
        """Device and inode, which distinguish the file from another of its name; None without a file."""
        try:
            status = os.stat(self.path) if self.is_file else None
        except FileNotFoundError:
            status = None
        return (status.st_dev, status.st_ino) if status else None

    def _server(self, **options: Any) -> Engine:
        """An engine whose connections fail in seconds, not hours, when the server is gone."""
        timeouts = {"connect_timeout": 5, "tcp_user_timeout": 10_000, "keepalives_idle": 10}
        try:
            return create_engine(self.url, connect_args=timeouts, **options)
        except ModuleNotFoundError:
            raise Refused("A ledger on PostgreSQL needs feltlab's postgres extra (psycopg).") from None

    def _is_read_only(self) -> bool:
        """Is it a complete file in a folder without write access, such as a copy on a disc?

        SQLite reads it without locks.
        """
        log = self.path.with_name(self.path.name + "-wal")
        return not os.access(self.path.parent, os.W_OK) and not log.exists()

    # -- One writer ---------------------------------------------------------------------------------

    def acquire_lock(self) -> int | None:
        """Lock the file beside a SQLite file, until it is closed; links to the file share the lock."""
        if not self.is_file:
            return None
        try:
            self.path.touch(0o600)  # only its owner may read a new ledger
            lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise Refused(f"{self} cannot be written: {error.strerror or error}.") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise self._in_use() from None
        return lock

    def connect(self) -> Connection:
        """A connection that writes. On PostgreSQL it holds the lock, which ends with it."""
        connection = self.writing.connect()
        if not self.is_file and not _try_lock(connection):
            connection.close()
            raise self._in_use()
        return connection

    def _in_use(self) -> Refused:
        return Refused(f"{self} is in use by another server.")

    def checkpoint(self, connection: Connection) -> None:
        """Merge SQLite's log into the database file, so that one file can be copied."""
        if self.is_file:
            with connection.engine.raw_connection() as raw:  # outside of a transaction
                raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # -- Tables -------------------------------------------------------------------------------------

    def prepare(self, connection: Connection) -> None:
        """Create the tables of a new ledger; refuse a database that is not a ledger."""
        known = set(inspect(connection).get_table_names())
        if known & set(TABLES.tables):
            self.check(connection)
            return None if MENTIONS.name in known else self._add_mentions(connection)
        TABLES.create_all(connection, checkfirst=False)
        for trigger in TRIGGERS[self.url.get_backend_name()]:
            connection.exec_driver_sql(trigger)
        connection.execute(insert(META).values(name="schema", value=SCHEMA))
        return None

    @staticmethod
    def _add_mentions(connection: Connection) -> None:
        """Add the index of accounts to a ledger from before it; the events so far are not in it yet."""
        MENTIONS.create(connection)
        last = connection.execute(select(func.coalesce(func.max(EVENTS.c.sequence), 0))).scalar()
        connection.execute(insert(META).values(name=UNMENTIONED, value=str(last)))

    def check(self, connection: Connection) -> None:
        """Refuse a database that is no ledger, or a ledger of another version."""
        version = None
        with suppress(SQLAlchemyError):
            version = connection.execute(select(META.c.value).where(META.c.name == "schema")).scalar()
        if version is None:
            raise Refused(f"{self} is not a ledger.")
        if version != SCHEMA:
            raise Refused(f"{self} is a ledger of another version of feltlab: {version}, not {SCHEMA}.")

    @cached_property
    def insert_statements(self) -> dict[Table, TextClause]:
        """Statements that insert many rows from one JSON text: one call, and so one wait for Python."""
        return {table: self._insert_statement(table) for table in WRITTEN_COLUMNS}

    def _insert_statement(self, table: Table) -> TextClause:
        columns = [table.columns[name] for name in WRITTEN_COLUMNS[table]]
        names = ", ".join(column.name for column in columns)
        if self.is_file:
            values = ", ".join(f"json_extract(value, '$[{place}]')" for place in range(len(columns)))
            rows = f"SELECT {values} FROM json_each(:rows)"
        else:
            values = ", ".join(
                f"CAST(value ->> {place} AS {'BIGINT' if column.type is COUNT else 'TEXT'})"
                for place, column in enumerate(columns)
            )
            rows = f"SELECT {values} FROM json_array_elements(CAST(:rows AS json))"
        # The index may be built while a round is written that is in it already.
        twice = " WHERE true ON CONFLICT DO NOTHING" if table is MENTIONS else ""
        return text(f"INSERT INTO {table.name} ({names}) {rows}{twice}")


def _try_lock(connection: Connection) -> bool:
    """Try to lock the ledger; the lock of a killed server is gone in a moment."""
    lock = text(f"SELECT pg_try_advisory_lock({LOCK_ID}, hashtext(current_schema()))")
    ends = time.monotonic() + LOCK_SECONDS
    while True:
        with connection.begin():
            held = connection.execute(lock).scalar()
        if held or time.monotonic() > ends:
            return bool(held)
        time.sleep(RETRY_SECONDS)


def _write_ahead(connection: Any, _: Any) -> None:
    """A commit is on the disk when it returns, and readers never wait."""
    connection.isolation_level = None  # this module begins transactions, not the driver
    for setting in ("busy_timeout = 5000", "journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {setting}").close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _commit_to_disk(connection: Any, _: Any) -> None:
    connection.execute("SET synchronous_commit = on")
    connection.commit()
