"""The database of a ledger: a SQLite file, or a PostgreSQL server.

Events are only ever added. Triggers refuse every other change, and digests expose a change past the
triggers. Only a server whose term is on record writes a ledger (`terms`); anyone may read it meanwhile.
"""

import os
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
    UniqueConstraint,
    create_engine,
    delete,
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

# 1: events are not linked across chains; 3: the last event is signed
SIGNED_SCHEMA, SCHEMA, OLD_SCHEMA = SCHEMAS = ("3", "2", "1")
LINKED = "linked"  # the name of the row that holds the sequence of the first event that is linked
LOCK_ID = 0x46454C54  # one half of PostgreSQL's advisory lock; the other half is the schema
# A connection that a paused server left in the middle of a transaction must not hold up the others for long.
WRITER_SETTINGS = (
    "synchronous_commit = on",
    "idle_in_transaction_session_timeout = '5s'",
    "lock_timeout = '10s'",
)

# Every table has pages of its own in each index, so a transaction changes many. They stay in memory until it
# is committed, and the log, in which the same pages come again and again, is merged into the file seldom.
FILE_SETTINGS = (
    "busy_timeout = 5000",
    "journal_mode = WAL",
    "synchronous = FULL",
    "cache_size = -65536",  # KiB
    "temp_store = MEMORY",  # of what a statement may have to undo
    "wal_autocheckpoint = 8192",  # pages: 32 MB
)

# Text sorts in byte order: a server's locale changes with its operating system, and indexes with it.
WORD = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
COUNT = BigInteger().with_variant(Integer, "sqlite")  # SQLite's own row number, where it is a primary key


def _key(name: str, type: Any = WORD) -> Column[Any]:
    """A column of the primary key."""
    return Column(name, type, primary_key=True, autoincrement=False)


def _word(name: str) -> Column[Any]:
    return Column(name, WORD, nullable=False)


def _count(name: str) -> Column[Any]:
    return Column(name, COUNT, nullable=False)


TABLES = MetaData()
EVENTS = Table(
    "events",
    TABLES,
    _key("sequence", COUNT),
    *(_word("chain"), _count("number"), _word("kind"), _count("round"), _word("at")),
    *(_word("data"), _word("digest")),
    UniqueConstraint("chain", "number"),
    Index("events_of_round", "chain", "round"),
    Index("events_of_kind", "chain", "kind", "number"),
    Index("events_by_kind", "kind", "sequence"),
)
VAULT = Table("vault", TABLES, _key("name"), Column("sealed", LargeBinary))
# The hash of each account's password, and nothing else of an account; events name the digest of each hash.
ACCOUNTS = Table("accounts", TABLES, _key("name"), _word("password"))
KEYS = Table(
    "keys",
    TABLES,
    *(_key("account"), _key("name")),
    *(_word("request"), _count("sequence"), _word("at")),
)
META = Table("meta", TABLES, _key("name"), Column("value", WORD))
# The servers that may write; see `terms`.
SERVERS = Table(
    "servers",
    TABLES,
    _key("term", COUNT),
    Column("until", Float(53), nullable=False),  # seconds since 1970 by the database's clock
    _word("address"),  # at which clients reach it, or ''
)
# The server that runs each table, where several share the ledger; see `sharing.leases`.
LEASES = Table("leases", TABLES, _key("chain"), _count("term"))
# An index of accounts, derived from the events: no digest covers it, and `verify` does not read it. One key
# finds the events of an account, the newest first, however large the ledger is.
MENTIONS = Table(
    "mentions",
    TABLES,
    *(_key("account"), _key("sequence", COUNT), _key("place", COUNT)),
    *(_word("chain"), _count("round"), _word("at")),
    *(_word("label"), _count("cents"), _word("state")),
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
ARCHIVE_UPTO = "archive"  # makes a ledger an archive, which nobody writes: its last sequence
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


class Unreachable(Refused):
    """The database cannot be opened at present."""


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

    # -- Connections that write ----------------------------------------------------------------------

    def connect(self) -> Connection:
        """A connection that writes. It holds a lock that servers of earlier versions want for themselves."""
        connection = self.writing.connect()
        if not self.is_file:
            lock = f"SELECT pg_try_advisory_lock_shared({LOCK_ID}, hashtext(current_schema()))"
            with connection.begin():
                is_free = connection.execute(text(lock)).scalar()
            if not is_free:
                connection.close()
                raise Refused(f"{self} is in use by a server of an earlier version.")
        return connection

    def checkpoint(self, connection: Connection) -> None:
        """Merge SQLite's log into the database file, so that one file can be copied."""
        if self.is_file:
            with connection.engine.raw_connection() as raw:  # outside of a transaction
                raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # -- Tables -------------------------------------------------------------------------------------

    def prepare(self, connection: Connection) -> None:
        """Create the tables of a new ledger; refuse a database that is not a ledger."""
        self._prepare_alone(connection)
        known = set(inspect(connection).get_table_names())
        if known & set(TABLES.tables):
            self.check(connection)
            if connection.execute(select(META.c.value).where(META.c.name == ARCHIVE_UPTO)).scalar():
                raise Refused(f"{self} is an archive, which nobody writes.")
            ACCOUNTS.create(connection, checkfirst=True)
            SERVERS.create(connection, checkfirst=True)
            LEASES.create(connection, checkfirst=True)
            if MENTIONS.name not in known:
                self._add_mentions(connection)
            return
        TABLES.create_all(connection, checkfirst=False)
        for trigger in TRIGGERS[self.url.get_backend_name()]:
            connection.exec_driver_sql(trigger)
        _set_meta(connection, schema=SCHEMA, linked=1)

    def _prepare_alone(self, connection: Connection) -> None:
        """Let servers that start at once prepare one after the other."""
        if not self.is_file:
            connection.execute(
                text(f"SELECT pg_advisory_xact_lock({LOCK_ID}, hashtext('tables' || current_schema()))")
            )

    @staticmethod
    def _add_mentions(connection: Connection) -> None:
        """Add the index of accounts to a ledger from before it; the events so far are not in it yet."""
        MENTIONS.create(connection)
        last = connection.execute(select(func.coalesce(func.max(EVENTS.c.sequence), 0))).scalar()
        _set_meta(connection, **{UNMENTIONED: last})

    @staticmethod
    def link_from(connection: Connection, sequence: int) -> None:
        """Note that the events of an old ledger are linked from a sequence on."""
        connection.execute(delete(META).where(META.c.name == "schema"))
        _set_meta(connection, schema=SCHEMA, linked=sequence)

    def check(self, connection: Connection) -> None:
        """Refuse a database that is no ledger, or a ledger of another version."""
        version = None
        with suppress(SQLAlchemyError):
            version = connection.execute(select(META.c.value).where(META.c.name == "schema")).scalar()
        if version is None:
            raise Refused(f"{self} is not a ledger.")
        if version not in SCHEMAS:
            raise Refused(f"{self} is a ledger of another version of feltlab: {version}, not {SCHEMAS[0]}.")


def _set_meta(connection: Connection, **values: object) -> None:
    rows = [{"name": name, "value": str(value)} for name, value in values.items()]
    connection.execute(insert(META), rows)


def read_linked_from(connection: Connection) -> int | None:
    """The sequence of the first event whose digest binds the event before it; None in an old ledger."""
    value = connection.execute(select(META.c.value).where(META.c.name == LINKED)).scalar()
    return int(value) if value is not None and value.isdecimal() else None


def _write_ahead(connection: Any, _: Any) -> None:
    """A commit is on the disk when it returns, and readers never wait."""
    connection.isolation_level = None  # this module begins transactions, not the driver
    for setting in FILE_SETTINGS:
        connection.execute(f"PRAGMA {setting}").close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _commit_to_disk(connection: Any, _: Any) -> None:
    for setting in WRITER_SETTINGS:
        connection.execute(f"SET {setting}")
    connection.commit()
