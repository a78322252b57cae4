"""Terms: each start of a server on a ledger has a number that no other start has.

A server may write while its term is in the table `servers`; every transaction looks it up after it has locked
the ledger. Whoever takes over from a server ends its term first, in a transaction of its own. So a server
that was paused, or whose connection was cut, can write nothing after that, however late it comes back.

A term lives as long as its server renews it. On PostgreSQL the server's connection holds an advisory lock of
the term besides, which shows at once that a server was killed; the clock is the database's.

A server has the ledger for itself, or it is a member: members run tables at the same time, each its own (see
`sharing.leases`). The processes of one server on a SQLite file are members too, by the machine's clock.
"""

import time
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, inspect, select, text, update

from feltlab.errors import Refused
from feltlab.ledger.database import LEASES, META, SERVERS, Database
from feltlab.ledger.event import GENESIS

TERM = "term"  # the row of META with the last term; it is locked by whoever writes on PostgreSQL
LEASE_SECONDS = 5.0  # after which a server that renews nothing has lost its term
RENEWAL_SECONDS = 1.0
QUIET_SECONDS = 2.5  # after which a member without a connection is dead; all lose theirs with the database
MEMBER = "member"  # the first word of a lease which says that its server shares the ledger
LOCK_ID = 0x54455246  # one half of the advisory lock of a term

LAST_TERM = select(META.c.value).where(META.c.name == TERM)
STATE = text(
    "SELECT (SELECT count(*) FROM servers WHERE term = :term),"
    " (SELECT sequence FROM events ORDER BY sequence DESC LIMIT 1),"
    " (SELECT digest FROM events ORDER BY sequence DESC LIMIT 1)"
)
CLOCK = text("SELECT extract(epoch FROM clock_timestamp())")
OF_TERM = f"({LOCK_ID}, hashtext(current_schema() || CAST(:term AS text)))"
TRY_LOCK = text(f"SELECT pg_try_advisory_lock{OF_TERM}")
UNLOCK = text(f"SELECT pg_advisory_unlock{OF_TERM}")


class Superseded(Exception):
    """Another server has taken over since; this one may write nothing under its term."""

    def __init__(self) -> None:
        super().__init__("another server has taken over")


class InUse(Refused):
    """Another server writes the ledger."""


@dataclass
class Term:
    """The term of this server; its number is 0 before it begins."""

    database: Database
    address: str = ""  # at which clients reach this server
    number: int = 0
    is_shared: bool = False  # whether it is the term of a member
    _renewed: float = 0.0  # by this machine's monotonic clock

    def begin(self, connection: Connection) -> None:
        """Begin a new term; refuses while another server lives."""
        lock_ledger(connection, self.database)
        self._end_others(connection)
        number = _take_number(connection)
        connection.execute(insert(SERVERS).values(term=number, until=0.0, address=self.address))
        if self.is_shared:
            connection.execute(insert(LEASES).values(chain=f"{MEMBER} {number}", term=number))
        self._hold(connection, number)
        self._extend(connection, number)
        self.number = number

    def resume(self, connection: Connection) -> None:
        """Go on with the term over a new connection."""
        self.enter(connection)
        self._hold(connection, self.number)

    def enter(self, connection: Connection) -> tuple[int, str]:
        """Lock the ledger until the transaction ends; the sequence and digest of its last event.

        Raises `Superseded` if the term is not among those of servers any more.
        """
        lock_ledger(connection, self.database)
        held, sequence, digest = connection.execute(STATE, {"term": self.number}).one()
        if not held:
            raise Superseded
        if self.is_due:
            self._extend(connection, self.number)
            if self.is_shared:
                self._end_others(connection)
        return sequence or 0, digest or GENESIS

    def end(self, connection: Connection) -> None:
        _end_term(connection, self.number)

    @property
    def is_due(self) -> bool:
        """Whether it is time to renew the term; that of a server with a SQLite file never runs out."""
        may_run_out = self.is_shared or not self.database.is_file
        return may_run_out and time.monotonic() - self._renewed >= RENEWAL_SECONDS

    def _extend(self, connection: Connection, number: int) -> None:
        until = _now(connection, self.database) + LEASE_SECONDS
        connection.execute(update(SERVERS).where(SERVERS.c.term == number).values(until=until))
        self._renewed = time.monotonic()

    def _hold(self, connection: Connection, number: int) -> None:
        """Hold the advisory lock; where a cut connection still has it, the lease alone shows the life."""
        if not self.database.is_file:
            connection.execute(TRY_LOCK, {"term": number})

    def _end_others(self, connection: Connection) -> None:
        """End the terms of dead servers; refuses beside a living one, unless both are members."""
        others = select(SERVERS).where(SERVERS.c.term != self.number)
        now, members = _now(connection, self.database), _read_members(connection)
        for term, until, address in connection.execute(others).all():
            is_member = term in members and _group_of(address) == _group_of(self.address)
            if self._is_dead(connection, term, until - now):
                _end_term(connection, term)
            elif not (self.is_shared and is_member):
                raise InUse(f"{self.database} is in use by another server.")

    def _is_dead(self, connection: Connection, term: int, left: float) -> bool:
        """Whether the server of a term with so many seconds left is gone."""
        if self.database.is_file:  # which has a lock of its own, so that others are members or dead
            return left <= 0 or not self.is_shared
        if left <= 0:
            return True
        may_come_back = self.is_shared and left > LEASE_SECONDS - QUIET_SECONDS
        return not may_come_back and _is_unlocked(connection, term)


def _take_number(connection: Connection) -> int:
    """The next term. Its row is updated and never replaced: others wait for a lock on it."""
    last = connection.execute(LAST_TERM).scalar()
    if last is None:
        connection.execute(insert(META).values(name=TERM, value="1"))
        return 1
    connection.execute(update(META).where(META.c.name == TERM).values(value=str(int(last) + 1)))
    return int(last) + 1


def _end_term(connection: Connection, term: int) -> None:
    for table in (SERVERS, LEASES):
        connection.execute(delete(table).where(table.c.term == term))


def end_all_terms(database: Database) -> None:
    """End the terms of an earlier start, for a process that holds the lock of the file."""
    if not database.path.stat().st_size:
        return
    with database.connect() as connection, connection.begin():
        if inspect(connection).has_table(LEASES.name):
            connection.execute(delete(SERVERS))
            connection.execute(delete(LEASES))
    database.writing.dispose()


def _group_of(address: str) -> str:
    """The members that can reach each other: processes of one server, or servers of one network."""
    return address.rpartition("/")[0] if address.startswith("unix:") else ""


def _read_members(connection: Connection) -> set[int]:
    marks = select(LEASES.c.term).where(LEASES.c.chain.startswith(f"{MEMBER} "))
    return set(connection.execute(marks).scalars())


def lock_ledger(connection: Connection, database: Database) -> None:
    """Let nobody else write until the transaction ends. SQLite's transactions do so by themselves."""
    if not database.is_file:
        connection.execute(LAST_TERM.with_for_update())


def _now(connection: Connection, database: Database) -> float:
    """The clock of leases: the database's, or that which all processes of this machine share."""
    if database.is_file:
        return time.monotonic()
    return float(connection.execute(CLOCK).scalar() or 0)


def _is_unlocked(connection: Connection, term: int) -> bool:
    """Whether the connection of a server is gone, and with it the lock of its term."""
    held = connection.execute(TRY_LOCK, {"term": term}).scalar()
    if held:
        connection.execute(UNLOCK, {"term": term})
    return bool(held)
