"""Where a ledger is kept: a SQLite file, or a PostgreSQL server by its URL.

Events are only ever added: triggers refuse everything else, and who gets around them is found by the
digests. One server writes a ledger at a time; anyone may read it meanwhile.
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
PATIENCE = 2.0  # seconds for which another server may still be ending
ADVISORY = 0x46454C54  # our half of PostgreSQL's lock; the other half is the schema

# In byte order everywhere: a server's locale changes with its operating system, and indexes with it.
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

TRIGGERS = {
    "sqlite": [
        *(
            f"CREATE TRIGGER events_no_{act} BEFORE {act} ON events"
            " BEGIN SELECT RAISE(ABORT, 'The ledger is only ever added to.'); END"
            for act in ("UPDATE", "DELETE")
        ),
        # INSERT OR REPLACE deletes without asking the trigger above.
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
        return str(self.path) if self.is_file else str(self.url)  # which hides a password

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
        url = self._file("ro", **({"immutable": "1"} if self._is_still() else {}))
        return create_engine(url, connect_args={"check_same_thread": False, "timeout": 5})

    def _file(self, mode: str, **more: str) -> URL:
        """The file, if it is there: an empty one in its place would cost SQLite what is not merged yet."""
        path = str(self.path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        return URL.create("sqlite", database=f"file:{path}", query={"uri": "true", "mode": mode, **more})

    @property
    def identity(self) -> tuple[int, int] | None:
        """What tells the file from another one of its name; None where there is no file."""
        try:
            found = os.stat(self.path) if self.is_file else None
        except FileNotFoundError:
            found = None
        return (found.st_dev, found.st_ino) if found else None

    def _server(self, **options: Any) -> Engine:
        """An engine whose connections fail in seconds, not hours, when the server is gone."""
        patience = {"connect_timeout": 5, "tcp_user_timeout": 10_000, "keepalives_idle": 10}
        try:
            return create_engine(self.url, connect_args=patience, **options)
        except ModuleNotFoundError:
            raise Refused("A ledger on PostgreSQL needs feltlab's postgres extra (psycopg).") from None

    def _is_still(self) -> bool:
        """A whole file where nothing can be written, such as a copy on a disc: read without locks."""
        waiting = self.path.with_name(self.path.name + "-wal")
        return not os.access(self.path.parent, os.W_OK) and not waiting.exists()

    # -- One writer ---------------------------------------------------------------------------------

    def hold(self) -> int | None:
        """The lock beside a SQLite file, until it is closed; links to the file lead to the same lock."""
        if not self.is_file:
            return None
        try:
            self.path.touch(0o600)  # a new ledger is its owner's alone
            lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise Refused(f"{self} cannot be written: {error.strerror or error}.") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise self.in_use() from None
        return lock

    def connected(self) -> Connection:
        """A connection that writes; on PostgreSQL it holds the lock, which ends with it."""
        connection = self.writing.connect()
        if not self.is_file and not _locked(connection):
            connection.close()
            raise self.in_use()
        return connection

    def in_use(self) -> Refused:
        return Refused(f"{self} is in use by another server.")

    def gather(self, connection: Connection) -> None:
        """Bring all that was written into the one file, so that it can be copied."""
        if self.is_file:
            with connection.engine.raw_connection() as raw:  # outside of a transaction
                raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # -- Tables -------------------------------------------------------------------------------------

    def prepare(self, connection: Connection) -> None:
        """Make the tables of a new ledger; refuse what is not ours."""
        found = set(inspect(connection).get_table_names()) & set(TABLES.tables)
        if found:
            return self.check(connection)
        TABLES.create_all(connection, checkfirst=False)
        for trigger in TRIGGERS[self.url.get_backend_name()]:
            connection.exec_driver_sql(trigger)
        connection.execute(insert(META).values(name="schema", value=SCHEMA))
        return None

    def check(self, connection: Connection) -> None:
        """Is this a ledger, and one that these sources can read?"""
        version = None
        with suppress(SQLAlchemyError):
            version = connection.execute(select(META.c.value).where(META.c.name == "schema")).scalar()
        if version is None:
            raise Refused(f"{self} is not a ledger.")
        if version != SCHEMA:
            raise Refused(f"{self} is a ledger of another version of feltlab: {version}, not {SCHEMA}.")

    @cached_property
    def adding(self) -> dict[Table, TextClause]:
        """Adds rows given as one JSON text; with a call for each it would wait for Python each time."""
        return {table: self._adding(table) for table in (EVENTS, KEYS)}

    def _adding(self, table: Table) -> TextClause:
        names = ", ".join(column.name for column in table.columns)
        if self.is_file:
            values = ", ".join(f"json_extract(value, '$[{place}]')" for place in range(len(table.columns)))
            rows = f"SELECT {values} FROM json_each(:rows)"
        else:
            values = ", ".join(
                f"CAST(value ->> {place} AS {'BIGINT' if column.type is COUNT else 'TEXT'})"
                for place, column in enumerate(table.columns)
            )
            rows = f"SELECT {values} FROM json_array_elements(CAST(:rows AS json))"
        return text(f"INSERT INTO {table.name} ({names}) {rows}")


def _locked(connection: Connection) -> bool:
    """Hold the lock of the ledger; what a server that was killed has left is over in a moment."""
    lock = text(f"SELECT pg_try_advisory_lock({ADVISORY}, hashtext(current_schema()))")
    ends = time.monotonic() + PATIENCE
    while True:
        with connection.begin():
            held = connection.execute(lock).scalar()
        if held or time.monotonic() > ends:
            return bool(held)
        time.sleep(0.05)


def _write_ahead(connection: Any, _: Any) -> None:
    """A commit is on the disk when it returns, and readers wait for no one."""
    connection.isolation_level = None  # this module begins transactions, not the driver
    for setting in ("busy_timeout = 5000", "journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {setting}").close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _commit_to_disk(connection: Any, _: Any) -> None:
    connection.execute("SET synchronous_commit = on")
    connection.commit()
