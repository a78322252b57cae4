"""Leases: which server runs which table, where several servers share a ledger.

A lease names a table's chain and the term of the server that may write it. Only that server gives it up;
others take it once the term has ended. So one look at the term, which every transaction takes, says for all
leases of a server that they hold, and the set in memory says which they are.
"""

from collections.abc import Collection

from sqlalchemy import Connection, delete, insert, select

from feltlab.ledger.database import LEASES, SERVERS, LedgerDown
from feltlab.ledger.event import OTHER_CHAINS, Entry
from feltlab.ledger.terms import Term

READY = "ready"  # the first word of a lease which says that a server has read everything


class Elsewhere(LedgerDown):
    """Another server runs the table; nothing was written."""

    def __init__(self, table: str) -> None:
        super().__init__(f"Another server runs {table} at present; nothing was accepted.")
        self.table = table


def ready_mark(term: int) -> str:
    """The lease of a server that is ready to run tables; no table has a space in its name."""
    return f"{READY} {term}"


class Leases:
    """The chains that a server may write besides those of the house, as of the last committed transaction."""

    def __init__(self, term: Term) -> None:
        self._term = term
        self.held: frozenset[str] = frozenset()
        self._present: set[str] = set()  # within the transaction

    def begin(self) -> None:
        """Begin a transaction; what one that failed has changed is forgotten."""
        if self._present != self.held:
            self._present = set(self.held)

    def commit(self) -> None:
        if self._present != self.held:
            self.held = frozenset(self._present)

    def drop_all(self) -> None:
        """Hold nothing more: the term is lost."""
        self.held, self._present = frozenset(), set()

    def load(self, connection: Connection) -> None:
        """Read them over a new connection: whether the last change was committed may be unknown."""
        own = select(LEASES.c.chain).where(LEASES.c.term == self._term.number)
        self._present = set(connection.execute(own).scalars())
        self.commit()

    def admit(self, connection: Connection, entry: Entry) -> str:
        """Take what an entry claims or writes, and give up what it releases.

        Returns a chain of its events that another server holds, or ''.
        """
        for chain in {draft.chain for draft in entry.drafts} - self._present:
            if chain not in OTHER_CHAINS and not self._take(connection, (chain,)):
                return chain
        if entry.claims:
            self._take(connection, entry.claims)
        if entry.releases:
            self._present -= set(entry.releases)
            own = LEASES.c.chain.in_(entry.releases) & (LEASES.c.term == self._term.number)
            connection.execute(delete(LEASES).where(own))
        return ""

    def _take(self, connection: Connection, chains: Collection[str]) -> bool:
        """Take those of these chains that no living server holds; returns whether it was all of them."""
        living = select(LEASES.c.chain, LEASES.c.term).where(
            LEASES.c.chain.in_(chains), LEASES.c.term.in_(select(SERVERS.c.term))
        )
        owners = {row.chain: row.term for row in connection.execute(living)}
        free = sorted({chain for chain in chains if chain not in owners})
        if free:
            connection.execute(delete(LEASES).where(LEASES.c.chain.in_(free)))
            rows = [{"chain": chain, "term": self._term.number} for chain in free]
            connection.execute(insert(LEASES), rows)
        self._present |= {*free, *(chain for chain, term in owners.items() if term == self._term.number)}
        return self._present.issuperset(chains)
