"""The members of a ledger: the servers that share it, and the tables that each of them runs."""

from sqlalchemy import Connection, select

from feltlab.ledger.database import LEASES, SERVERS
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.sharing.leases import READY, ready_mark
from feltlab.ledger.terms import MEMBER


class Members:
    """The servers that share a ledger, and the leases that they hold."""

    @classmethod
    def load(cls, ledger: Ledger) -> "Members":
        with ledger.reading() as connection:
            return cls(connection)

    def __init__(self, connection: Connection) -> None:
        servers = connection.execute(select(SERVERS.c.term, SERVERS.c.address)).all()
        leases = connection.execute(select(LEASES.c.chain, LEASES.c.term)).all()
        terms = {row.term: str(row.address) for row in servers}
        marks = (f"{MEMBER} ", f"{READY} ")
        ready = {row.chain for row in leases if row.chain.startswith(READY)}
        self.owners = {
            str(row.chain): int(row.term)
            for row in leases
            if row.term in terms and not row.chain.startswith(marks)
        }
        self.addresses = {int(term): address for term, address in terms.items()}
        self.ready = sorted(term for term in self.addresses if ready_mark(term) in ready)

    def find_address(self, table: str) -> str:
        """The address of the server that runs a table; '' if nobody does, or nobody knows where."""
        return self.addresses.get(self.owners.get(table, 0), "")


def find_server(ledger: Ledger) -> str:
    """The address of the server that began to write a ledger last; '' if it has none, or nobody writes."""
    query = select(SERVERS.c.address).order_by(SERVERS.c.term.desc()).limit(1)
    return next((str(row[0]) for row in ledger.rows(query)), "")
