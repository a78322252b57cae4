"""A mirror: a table that another server runs, as its events on record show it.

Every server shows all tables in its lists and counts the money of players at all of them, but only one server
runs a table. A mirror follows the events as they come and folds them when somebody looks. It has no
cards: what needs those is asked of the server that runs the table.
"""

import asyncio

import orjson

from feltlab.ledger.event import Event, StoredEvent
from feltlab.ledger.sharing.leases import Elsewhere
from feltlab.pit.books import Books
from feltlab.pit.live_table import LiveTable
from feltlab.pit.players.presence import Watcher
from feltlab.pit.recovery import recover_table
from feltlab.pit.table import Table
from feltlab.values import replace_unchecked

STANDING = "standing"  # the kind of event that records the whole table
# Kinds of events before a snapshot that it does not repeat.
LASTING = frozenset(("shared", "closing", "carried-over"))
MAX_WAITING_EVENTS = 200  # of one table, until somebody looks


class MirrorTable(LiveTable):
    """Another server's table, without cards and without a clock."""

    def __init__(self, books: Books, table: Table) -> None:
        self._waiting: list[StoredEvent] = []
        self._folded: Table
        super().__init__(books, table)
        self.is_ours = False
        self.needs_reading = False  # it was opened under other terms since, or an event is missing

    @property
    def table(self) -> Table:
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            for stored in waiting:
                self._folded = self._folded.after(parse_stored(stored))
        return self._folded

    @table.setter
    def table(self, table: Table) -> None:
        self._folded = replace_unchecked(table, shuffle=None, known_deal=None, last_deal=None)

    @property
    def number(self) -> int:
        """Of the last event that it knows."""
        return self._waiting[-1].number if self._waiting else self._folded.number

    def follow(self, stored: StoredEvent) -> None:
        """Follow the next event of the table."""
        if stored.number <= self.number:
            return
        if stored.number != self.number + 1 or stored.kind == "opened":
            self.needs_reading = True
            return
        if stored.kind == STANDING:
            self._waiting = [one for one in self._waiting if one.kind in LASTING]
        self._waiting.append(stored)
        self.version += 1
        if len(self._waiting) > MAX_WAITING_EVENTS:
            assert self.table

    # -- What only the server that runs the table can do ----------------------------------------------

    def add_watcher(self, watcher: Watcher) -> None:
        raise Elsewhere(self.table.name)

    def note_request(self, account: str) -> None:
        raise Elsewhere(self.table.name)

    def note_action(self, account: str) -> None:
        raise Elsewhere(self.table.name)

    def say(self, account: str, phrase: str) -> None:
        raise Elsewhere(self.table.name)


def parse_stored(stored: StoredEvent) -> Event:
    _, chain, number, kind, round, at, data, digest = stored
    return Event(chain, number, kind, round, at, orjson.loads(data), digest)


async def show_cards(live: LiveTable) -> LiveTable:
    """A table with its cards: read from the ledger, if another server runs it."""
    if live.is_ours:
        return live
    books = live.books
    table = await asyncio.to_thread(recover_table, books.ledger, books.vault, live.table.name)
    return LiveTable(books, table)
