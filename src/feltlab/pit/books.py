"""The books of a pit: its ledger, the vault for its secrets, and the cage with the players' money."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from weakref import WeakValueDictionary

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.ledger.event import CAGE_CHAIN, Draft, Entry, Event, Key
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.vault import Vault
from feltlab.pit.cage import Cage
from feltlab.pit.event_kinds import MONEY_MOVES, cage_move, is_act_of_staff
from feltlab.pit.players.departures import Departures
from feltlab.pit.players.former_names import RENAMED, FormerNames
from feltlab.pit.players.limits import LimitBook, Purse
from feltlab.pit.seats import Wagers


class Books:
    """Writes entries of tables. Money that moves between the cage and a table is written on both sides."""

    def __init__(self, ledger: Ledger, vault: Vault, staff_acted: Callable[[], None] = lambda: None) -> None:
        self.ledger, self.vault, self.cage = ledger, vault, Cage()
        self.departures = Departures()  # that players have to be told
        self._staff_acted = staff_acted  # called when an act of staff is on record
        self.limits = LimitBook()  # that players set for themselves
        self.find_purse = self._find_balance  # or with the money at tables, if somebody knows those
        self.former_names = FormerNames()  # of guests who chose another name
        self._player_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._cage_lock = asyncio.Lock()
        self._cage_in_sync = True  # false after a write that may have failed

    async def write(self, entry: Entry) -> None:
        """Write an entry and the cage's side of it, both or neither."""
        await self._write_both_sides(entry)
        if any(is_act_of_staff(draft) for draft in entry.drafts):
            self._staff_acted()

    async def _write_both_sides(self, entry: Entry) -> None:
        if not any(draft.kind in MONEY_MOVES for draft in entry.drafts):
            await self.ledger.append(entry)
            return
        async with self._cage_lock:
            await self._sync_cage()
            await self._write_cage(replace(entry, drafts=(*entry.drafts, *self._cage_side(entry.drafts))))
            self.departures.follow(entry.drafts)
            if self.cage.is_snapshot_due:
                with suppress(LedgerDown):  # the entry itself is on record; the snapshot can wait
                    await self._write_cage(Entry(self.cage.plan_snapshot()))

    async def issue(self, plan: Callable[[Cage], tuple[Draft, ...]], key: Key | None = None) -> int:
        """Issue play money by one of the cage's plans; return the cents that were issued."""
        async with self._cage_lock:
            await self._sync_cage()
            before = self.cage.issued
            drafts = plan(self.cage)
            for draft in drafts:
                if self.former_names.is_former(draft.data.get("account", "")):
                    raise Refused("You have another name by now, and your play money went with it.")
            await self._write_cage(Entry((*drafts, *self.limits.plan_beside(drafts)), key=key))
            return self.cage.issued - before

    def _find_balance(self, account: str, table: str, seat: int) -> Purse:
        return Purse(self.cage.balance(account))

    def player_lock(self, account: str) -> asyncio.Lock:
        """The lock of a player's money: held from the check of a wager until the wager is on record.

        Whoever holds it may wait for the lock of a table and for that of the cage, not the other way round.
        """
        return self._player_locks.setdefault(account, asyncio.Lock())

    def check_wager(
        self, account: str, table: str, seat: int, game: Game, wagers: Wagers, on_felt: bool = False
    ) -> int:
        """Refuse a wager beyond the limits that its player set; returns the cents of the player's money."""
        purse = self.find_purse(account, table, seat)
        check = self.limits.check_ready if on_felt else self.limits.check_wager
        check(account, purse, game, wagers)
        return purse.cents

    async def note_wager(self, account: str, cents: int) -> None:
        """Count the time of a player with limits up to a wager that is on record."""
        with suppress(LedgerDown):  # the next wager notes it
            await self.note_limits(self.limits.note_wager(account, cents))

    async def note_limits(self, drafts: tuple[Draft, ...]) -> None:
        """Write events about the limits of players, and follow them."""
        if drafts:
            self.limits.follow(await self.ledger.append(Entry(drafts)))

    def follow(self, events: tuple[Event, ...]) -> None:
        """Bring the cage, the limits and the names up to events that were written."""
        self.limits.follow(events)
        self.former_names.follow(events)
        for event in events:
            if event.chain == CAGE_CHAIN:
                self.cage.after(event)

    def reload_cage(self) -> None:
        self.cage = Cage.from_events(self.ledger.events_from_last(CAGE_CHAIN, "standing"))
        self.former_names.reload(self.ledger.events(CAGE_CHAIN, kinds=(RENAMED,)))
        self._cage_in_sync = True

    async def _sync_cage(self) -> None:
        if not self._cage_in_sync:
            await asyncio.to_thread(self.reload_cage)

    def _cage_side(self, drafts: tuple[Draft, ...]) -> Iterator[Draft]:
        for draft in drafts:
            kind, cents = cage_move(draft)
            if kind:
                plan = self.cage.plan_pay_in if kind == "to-table" else self.cage.plan_pay_out
                yield from plan(draft.data["player"], draft.chain, draft.data["seat"], cents)

    async def _write_cage(self, entry: Entry) -> None:
        if not entry.drafts:
            return
        try:
            events = await self.ledger.append(entry)
        except LedgerDown:
            self._cage_in_sync = False
            raise
        self.follow(events)
