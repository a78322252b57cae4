"""The books of a pit: its ledger, the vault for its secrets, and the cage with the players' money."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from feltlab.core.game import Game
from feltlab.ledger.event import CAGE_CHAIN, Draft, Entry, Event, Key
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.vault import Vault
from feltlab.pit.cage import Cage
from feltlab.pit.event_kinds import MONEY_MOVES, cage_move, is_act_of_staff
from feltlab.pit.players.departures import Departures
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
            await self._write_cage(Entry((*drafts, *self.limits.plan_beside(drafts)), key=key))
            return self.cage.issued - before

    def _find_balance(self, account: str, table: str, seat: int) -> Purse:
        return Purse(self.cage.balance(account))

    async def check_wager(self, account: str, table: str, seat: int, game: Game, wagers: Wagers) -> None:
        """Refuse a wager beyond the limits that its player set."""
        if wagers and self.limits.has_limits(account):
            purse = self.find_purse(account, table, seat)
            await self.note_limits(self.limits.check_wager(account, purse, game, wagers))

    async def note_limits(self, drafts: tuple[Draft, ...]) -> None:
        """Write events about the limits of players, and follow them."""
        if drafts:
            self.limits.follow(await self.ledger.append(Entry(drafts)))

    def follow(self, events: tuple[Event, ...]) -> None:
        """Bring the cage and the limits up to events that were written."""
        self.limits.follow(events)
        for event in events:
            if event.chain == CAGE_CHAIN:
                self.cage.after(event)

    def reload_cage(self) -> None:
        self.cage = Cage.from_events(self.ledger.events_from_last(CAGE_CHAIN, "standing"))
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
