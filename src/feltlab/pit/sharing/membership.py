"""Membership: how several servers on one ledger share its tables.

Each table is run by the server that holds its lease (`ledger.sharing.leases`). All others have a mirror of
it. What other servers write comes in the order of writing, before the answer to whatever this server wrote
after it; so accounts, approvals, limits, the cage and mirrors are as this server's last transaction saw them,
and an entry that rests on anything older is refused and decided again.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from feltlab.errors import Refused
from feltlab.ledger.event import (
    CAGE_CHAIN,
    HOUSE_CHAIN,
    JACKPOT_CHAIN,
    OTHER_CHAINS,
    Entry,
    Event,
    LastSeen,
    StoredEvent,
)
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.sharing.leases import Elsewhere, ready_mark
from feltlab.ledger.sharing.members import Members
from feltlab.pit.approvals.register import KINDS as APPROVAL_KINDS
from feltlab.pit.books import Books
from feltlab.pit.jackpots.desk import JackpotDesk
from feltlab.pit.live_table import LiveTable
from feltlab.pit.players.departures import KINDS as DEPARTURE_KINDS
from feltlab.pit.recovery import recover_table
from feltlab.pit.seats import Phase
from feltlab.pit.sharing.mirror import MirrorTable, parse_stored

LOOK_SECONDS = 0.5  # between two looks at the leases
SOON_SECONDS = 0.2  # the same for requests that wait
FOLLOWED = (HOUSE_CHAIN, CAGE_CHAIN, JACKPOT_CHAIN)
MAX_HANDED_OVER = 100  # tables at one look
WAKING = frozenset(("started", "stopped"))  # kinds of events of the house after which tables change hands
LINK_ENDS = frozenset(("table-left", "link-closed"))  # kinds of events after which sensors go out
LOG = logging.getLogger(__name__)


class SharingPit(Protocol):
    """The parts of the pit that a membership uses."""

    ledger: Ledger
    books: Books
    jackpots: JackpotDesk
    tables: dict[str, LiveTable]

    @property
    def own_tables(self) -> list[LiveTable]:
        """The tables that this server runs."""

    async def recover(self, name: str) -> None:
        """Go on with a table as its events leave it."""

    async def look_at_approvals(self) -> None:
        """Close tables whose approval has ended."""

    def run(self, work: Any) -> None:
        """Run a task in the background until the pit stops."""


class Membership:
    """This server among those that share the ledger of a pit."""

    def __init__(self, pit: SharingPit) -> None:
        self._pit = pit
        self.members: Members | None = None  # as of the last look
        self.listeners: list[Callable[[list[Event]], object]] = []  # receive the events of the house
        self._held_back: list[StoredEvent] | None = []  # while everything is read from the ledger
        self._reading: dict[str, asyncio.Event] = {}  # tables that are being read, until they are
        self._looked = 0.0  # when the leases were read
        self._wake, self._looking = asyncio.Event(), asyncio.Lock()
        pit.books.is_shared = pit.books.limits.is_shared = True
        pit.books.find_mirrored = self._find_mirrored

    # -- Start ---------------------------------------------------------------------------------------

    def start(self) -> None:
        """Have what other servers write passed on to this loop, and look at the leases from time to time."""
        loop = asyncio.get_running_loop()
        writer = self._pit.ledger.member
        writer.when_written = lambda events: loop.call_soon_threadsafe(self.follow, events)
        self._pit.run(self.run())

    def distrust(self) -> None:
        """Run no table any more, and keep what others write until everything is read: the term is lost."""
        self.members, self._held_back = None, []
        for live in self._pit.tables.values():
            live.is_ours = False
            live.stop()

    async def load(self, names: Iterable[str]) -> None:
        """Mirror all tables, follow what was written meanwhile, and take this server's share.

        A table that was known before stays until it is read: a request that has waited since finds it.
        """
        for name in names:
            table = await asyncio.to_thread(recover_table, self._pit.ledger, None, name)
            self._pit.tables[name] = MirrorTable(self._pit.books, table)
        held, self._held_back = self._held_back or [], None
        self.follow(held)
        await self._pit.ledger.append(Entry((), claims=(ready_mark(self._pit.ledger.term),)))
        await self.look()

    async def mirror(self, name: str) -> None:
        """Read a table that another server runs, or nobody yet; again, if more of it came meanwhile."""
        while True:
            table = await asyncio.to_thread(recover_table, self._pit.ledger, None, name)
            before = self._pit.tables.get(name)
            if before and before.is_ours:
                return
            if not (isinstance(before, MirrorTable) and before.number > table.number):
                self._pit.tables[name] = MirrorTable(self._pit.books, table)
                return

    # -- Following -----------------------------------------------------------------------------------

    def follow(self, events: list[StoredEvent]) -> None:
        """Follow all that other servers have written, and the events of the house."""
        if self._held_back is not None:
            self._held_back += events
            return
        shared = [parse_stored(one) for one in events if one.chain in FOLLOWED]
        self._pit.books.follow_others(shared)
        if not LINK_ENDS.isdisjoint(event.kind for event in shared if event.chain == JACKPOT_CHAIN):
            self._pit.run(self._pit.jackpots.return_ended_bets())
        for stored in events:
            if stored.chain not in OTHER_CHAINS:
                self._follow_table(stored)
        if house := [event for event in shared if event.chain == HOUSE_CHAIN]:
            self._follow_house(house)

    def _follow_table(self, stored: StoredEvent) -> None:
        live = self._pit.tables.get(stored.chain)
        if isinstance(live, MirrorTable):
            live.follow(stored)
        if live is None or (isinstance(live, MirrorTable) and live.needs_reading):
            if live:
                live.needs_reading = False
            self._mirror_soon(stored.chain)
        if stored.kind in DEPARTURE_KINDS:
            self._pit.books.departures.follow((parse_stored(stored),))

    def _mirror_soon(self, name: str) -> None:
        """Read a table in the background; `catch_up` waits for it."""
        done = self._reading[name] = asyncio.Event()

        async def read() -> None:
            try:
                await self._mirror_unless_down(name)
            finally:
                done.set()
                if self._reading.get(name) is done:
                    del self._reading[name]

        self._pit.run(read())

    async def _mirror_unless_down(self, name: str) -> None:
        with suppress(LedgerDown):  # the next look at the leases finds it missing
            await self.mirror(name)

    def _follow_house(self, events: list[Event]) -> None:
        kinds = {event.kind for event in events}
        for listen in self.listeners:
            listen(events)
        if not kinds.isdisjoint(APPROVAL_KINDS):
            self._pit.run(self._pit.look_at_approvals())
        if not kinds.isdisjoint(WAKING):
            self._wake.set()

    def _find_mirrored(self, account: str) -> Iterator[LastSeen]:
        """The last known events of the tables of other servers at which an account sits."""
        for live in self._pit.tables.values():
            if isinstance(live, MirrorTable) and any(p and p.player == account for p in live.table.places):
                yield LastSeen(live.table.name, live.number)

    # -- Sharing the tables --------------------------------------------------------------------------

    async def run(self) -> None:
        """Look at the leases again and again."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._wake.wait()
            self._wake.clear()
            with suppress(LedgerDown):
                if not self._pit.ledger.is_lost and self._held_back is None:
                    await self._pit.books.sync()
                    await self.look()

    async def look_soon(self) -> None:
        """Look, unless somebody has just done so; for requests that wait for a table."""
        if time.monotonic() - self._looked >= SOON_SECONDS:
            await self.look()

    async def look(self) -> None:
        """Take free tables up to this server's share, and hand over those beyond it."""
        async with self._looking:
            self._looked = time.monotonic()
            members = self.members = await asyncio.to_thread(Members.load, self._pit.ledger)
            tables, own = self._pit.tables, self._pit.ledger.term
            for name in members.owners.keys() - tables.keys():
                await self._mirror_unless_down(name) if members.owners[name] != own else None
            share = -(-len(tables) // max(1, len(members.ready)))
            held = [name for name in self._held_tables if name in tables]
            free = [name for name in tables if name not in members.owners]
            if own in members.ready and free[: max(0, share - len(held))]:
                await self._pit.ledger.append(Entry((), claims=tuple(free[: share - len(held)])))
            await self._run_held()
            await self._leave_lost(members)
            if len(held) > share and self._is_wanted(members, share):
                await self._hand_over_excess(held, share)

    @property
    def _held_tables(self) -> frozenset[str]:
        leases = self._pit.ledger.member.leases
        return leases.held if leases else frozenset()

    async def _run_held(self) -> None:
        """Go on with the tables whose leases this server holds, in the same round."""
        for name in self._held_tables:
            if name in self._pit.tables and not self._pit.tables[name].is_ours:
                try:
                    await self._pit.recover(name)
                except (Refused, Elsewhere) as refused:
                    LOG.warning("%s cannot go on here: %s", name, refused)

    async def _leave_lost(self, members: Members) -> None:
        """Mirror the tables that run here although another server has their lease."""
        for live in self._pit.own_tables:
            if members.owners.get(live.table.name, self._pit.ledger.term) != self._pit.ledger.term:
                live.is_ours = False
                live.stop()
                await self._mirror_unless_down(live.table.name)

    def _is_wanted(self, members: Members, share: int) -> bool:
        """Whether another server has room for more tables."""
        counts = dict.fromkeys(members.ready, 0)
        for term in members.owners.values():
            if term in counts:
                counts[term] += 1
        return any(count < share for term, count in counts.items() if term != self._pit.ledger.term)

    async def _hand_over_excess(self, held: list[str], share: int) -> None:
        """Hand over what is beyond the share: closed tables first, and those that nobody watches."""
        lives = sorted((self._pit.tables[name] for name in held), key=_rate_disturbance)
        for live in lives[: min(len(held) - share, MAX_HANDED_OVER)]:
            if live.is_ours:
                await live.hand_over(partial(self._release, live))

    async def _release(self, live: LiveTable) -> None:
        name = live.table.name
        self._pit.tables[name] = MirrorTable(self._pit.books, live.table)  # before others can write it
        await self._pit.ledger.append(Entry((), releases=(name,)))

    async def catch_up(self) -> None:
        """Learn what the sender of a request may have done at another server just before."""
        with suppress(LedgerDown):  # whoever needs the ledger says so
            await self._pit.ledger.append(Entry(()))
        for done in list(self._reading.values()):  # tables that were opened there
            await done.wait()

    def find_address(self, table: str) -> str:
        """Where the server is that runs a table; '' if it is this one, or nobody as far as is known."""
        members, own = self.members, self._pit.ledger.term
        if members is None or members.owners.get(table, own) == own:
            return ""
        return members.find_address(table)

    def is_changing_hands(self, table: str) -> bool:
        """Whether no other server is known to run a table, and this one does not run it yet."""
        live = self._pit.tables.get(table)
        return live is not None and not live.is_ours and not self.find_address(table)


def _rate_disturbance(live: LiveTable) -> tuple[bool, bool, int]:
    """How much a change of servers disturbs a table's players; the least comes first."""
    table = live.table
    is_busy = table.phase != Phase.CLOSED and (table.phase != Phase.BETTING or bool(table.bettors))
    return table.phase != Phase.CLOSED, is_busy, len(live.watchers)
