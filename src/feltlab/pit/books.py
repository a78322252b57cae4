"""The books of a pit: its ledger, the vault for its secrets, and the cage with the players' money."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.ledger.event import (
    CAGE_CHAIN,
    HOUSE_CHAIN,
    JACKPOT_CHAIN,
    Draft,
    Entry,
    Event,
    Key,
    LastSeen,
)
from feltlab.ledger.ledger import Ledger, LedgerDown, Overtaken
from feltlab.ledger.vault import Vault
from feltlab.ledger.writing.pending import Then
from feltlab.pit.cage import Cage
from feltlab.pit.event_kinds import MONEY_MOVES, cage_move, is_act_of_staff
from feltlab.pit.jackpots.book import Beside, JackpotBook
from feltlab.pit.jackpots.triggers import Triggers
from feltlab.pit.money import Money
from feltlab.pit.players.departures import Departures
from feltlab.pit.players.former_names import RENAMED, FormerNames
from feltlab.pit.players.limits import LIMIT_KINDS, LimitBook, Purse
from feltlab.pit.players.steady_clock import SteadyClock
from feltlab.pit.seats import Wagers
from feltlab.pit.table_state import TableState

MAX_DECISIONS = 20  # of one issue, while others keep writing first
WAGERING = frozenset(("wagered", "no-more-bets"))  # kinds of events that rest on the limits of players
State = TypeVar("State")


class Books:
    """Writes entries of tables. Money that moves between the cage and a table is written on both sides."""

    def __init__(self, ledger: Ledger, vault: Vault, staff_acted: Callable[[], None] = lambda: None) -> None:
        self.ledger, self.vault = ledger, vault
        self.secrets = Triggers(ledger, vault)  # at which must-hit-by meters are won
        self.jackpots_changed: Callable[[], None] = lambda: None  # called when meters have changed
        self._recorded = Money(Cage(), JackpotBook())  # as the ledger has it
        self._expected = self._recorded.copy()  # with the writes that are on their way to the ledger
        self._on_way: set[asyncio.Task[None]] = set()  # those writes
        self._tasks: set[asyncio.Task[None]] = set()  # held, so that none is garbage collected
        self.departures = Departures()  # that players have to be told
        self._staff_acted = staff_acted  # called when an act of staff is on record
        self.limits = LimitBook(SteadyClock(lambda: ledger.last_moment))  # that players set for themselves
        self.find_purse = self._find_balance  # or with the money at tables, if somebody knows those
        self.may_deal: Callable[[str, str], bool] = lambda dealer, game: True  # or with a certificate only
        self.former_names = FormerNames()  # of guests who chose another name
        self._player_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._cage_lock = asyncio.Lock()  # held while a write of money is planned
        self._cage_in_sync = True  # false after a write that may have failed
        self.is_shared = False  # whether other servers write the ledger too
        self.house_number = 0  # of the last event of the house that is known here, if they do
        self.find_mirrored: Callable[[str], Iterable[LastSeen]] = lambda _: ()  # their tables with an account

    @property
    def cage(self) -> Cage:
        """The cage as it is on record."""
        return self._recorded.cage

    @property
    def jackpots(self) -> JackpotBook:
        """The progressives as they are on record."""
        return self._recorded.jackpots

    @property
    def _planned(self) -> Money:
        """The money on which the next write rests.

        Writes of many tables share a transaction: each rests on those before it, which may still be on their
        way to the disk, and names the last event that it expects. If one of them fails, the ledger refuses
        all after it, and they are decided again. Beside other servers a write waits for the one before it.
        """
        return self._recorded if self.is_shared else self._expected

    @property
    def moment(self) -> datetime:
        """Now, by a clock that is never set back: a deposit is due after days that really passed."""
        return datetime.fromtimestamp(self.limits.clock(), UTC)

    def write(self, entry: Entry, then: Then, beside: Beside | None = None) -> None:
        """Write an entry, the cage's side of it and what a progressive writes beside it, all or nothing.

        `then` hears that it is on record, or why it is not.
        """
        if any(map(is_act_of_staff, entry.drafts)):
            then = partial(self._end_act_of_staff, then)
        if beside is None and MONEY_MOVES.isdisjoint([draft.kind for draft in entry.drafts]):
            self.ledger.write(entry, then)
            return
        task = asyncio.create_task(self._write_with_cage(entry, beside))
        self._tasks.add(task)
        task.add_done_callback(partial(self._end_task, then))

    def _end_act_of_staff(self, then: Then, failure: Exception | None) -> None:
        try:
            if not failure:
                self._staff_acted()
        finally:
            then(failure)

    def _end_task(self, then: Then, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        then(LedgerDown("The server ends.") if task.cancelled() else cast(Exception | None, task.exception()))

    async def _write_with_cage(self, entry: Entry, beside: Beside | None) -> None:
        async with self._cage_lock:
            await self._sync_cage()

            def plan(jackpots: JackpotBook, cage: Cage) -> tuple[Draft, ...]:
                return (*_cage_side(cage, entry.drafts), *(beside(jackpots, cage) if beside else ()))

            writing = self._send(replace(entry, drafts=(*entry.drafts, *await self._plan_up_to_date(plan))))
            if self.is_shared:
                await asyncio.shield(writing)
        await asyncio.shield(writing)
        self.departures.follow(entry.drafts)
        await self._write_snapshots()

    async def change_jackpots(self, plan: Beside, key: Key | None = None) -> None:
        """Write events of progressives, with the money that they move."""
        async with self._cage_lock:
            for _ in range(MAX_DECISIONS):
                with suppress(Overtaken):
                    return await self._change_jackpots(plan, key)
            return await self._change_jackpots(plan, key)

    async def _change_jackpots(self, plan: Beside, key: Key | None) -> None:
        await self._sync_cage()
        drafts = await self._plan_up_to_date(plan)
        await self._write_money(Entry(drafts, key=key))
        self._staff_acted()

    async def _write_snapshots(self) -> None:
        if not (self.cage.is_snapshot_due or self.jackpots.is_snapshot_due):
            return
        with suppress(LedgerDown):  # the entry itself is on record; a snapshot can wait
            async with self._cage_lock:
                await self._wait_for_writes()
                await self._sync_cage()
                if self.cage.is_snapshot_due:
                    await self._write_money(Entry(self.cage.plan_snapshot()))
                if self.jackpots.is_snapshot_due:
                    await self._write_money(Entry(self.jackpots.plan_snapshot()))

    async def issue(self, plan: Callable[[Cage], tuple[Draft, ...]], key: Key | None = None) -> int:
        """Issue play money by one of the cage's plans; return the cents that were issued."""
        async with self._cage_lock:
            for _ in range(MAX_DECISIONS):
                with suppress(Overtaken):
                    return await self._issue(plan, key)
            return await self._issue(plan, key)

    async def _issue(self, plan: Callable[[Cage], tuple[Draft, ...]], key: Key | None) -> int:
        await self._sync_cage()
        drafts = await self._plan_up_to_date(lambda _, cage: plan(cage))
        for draft in drafts:
            if self.former_names.is_former(draft.data.get("account", "")):
                raise Refused("You have another name by now, and your play money went with it.")
        await self._write_money(Entry((*drafts, *self.limits.plan_beside(drafts)), key=key))
        return sum(draft.data["cents"] for draft in drafts if draft.kind == "issued")

    def _find_balance(self, account: str, table: str, seat: int) -> Purse:
        return Purse(self.cage.balance(account))

    def player_lock(self, account: str) -> asyncio.Lock:
        """The lock of a player's money: held from the check of a wager until the wager is on record.

        Whoever holds it may wait for the lock of a table and for that of the cage, not the other way round.
        """
        return self._player_locks.setdefault(account, asyncio.Lock())

    def is_free(self, account: str) -> bool:
        """Whether no wager is looked at against the account's limits, and no limit is being set."""
        lock = self._player_locks.get(account)
        return not (lock and lock.locked())

    def check_wager(
        self, account: str, table: str, seat: int, game: Game, wagers: Wagers, on_felt: bool = False
    ) -> int:
        """Refuse a wager beyond the limits that its player set; returns the cents of the player's money."""
        purse = self.find_purse(account, table, seat)
        check = self.limits.check_ready if on_felt else self.limits.check_wager
        check(account, purse, game, wagers)
        return purse.cents

    def describe_limit(self, account: str) -> str:
        """The limit of a player that allows no wager now, and until when; '' if none does."""
        if not self.limits.has_limits(account):
            return ""
        return self.limits.describe_reached(account, self.find_purse(account, "", 0))

    async def note_wager(self, account: str, cents: int) -> None:
        """Count the time of a player with limits up to a wager that is on record."""
        with suppress(LedgerDown):  # the next wager notes it
            await self.note_limits(self.limits.note_wager(account, cents))

    async def note_limits(self, drafts: tuple[Draft, ...]) -> None:
        """Write events about the limits of players, and follow them."""
        if drafts:
            events = await self.ledger.append(Entry(drafts))
            if not self.is_shared:  # or they came with the events of all servers
                self.limits.follow(events)

    def follow(self, events: tuple[Event, ...]) -> None:
        """Bring the cage, the limits and the names up to events that were written."""
        if not self.is_shared:
            self.limits.follow(events)
        self.former_names.follow(events)
        jackpots = self.jackpots
        for event in events:
            self._recorded.follow(event)
        if self.jackpots is not jackpots:
            self.jackpots_changed()

    def reload_limits(self) -> None:
        events = list(self.ledger.events(HOUSE_CHAIN, kinds=LIMIT_KINDS))
        self.limits.reload(events)
        self.house_number = max((self.house_number, *(event.number for event in events)))

    def reload_cage(self) -> None:
        cage = Cage.from_events(self.ledger.events_from_last(CAGE_CHAIN, "standing"))
        jackpots = JackpotBook.from_events(self.ledger.events_from_last(JACKPOT_CHAIN, "standing"))
        self._recorded = Money(cage, jackpots)
        self._expected = self._recorded.copy()
        self.former_names.reload(self.ledger.events(CAGE_CHAIN, kinds=(RENAMED,)))
        self._cage_in_sync = True

    async def begin(self, *drafts: Draft) -> None:
        """Read the cage from the ledger, and write these events of a start with a snapshot of it."""
        async with self._cage_lock:
            for _ in range(MAX_DECISIONS):
                await asyncio.to_thread(self.reload_cage)
                with suppress(Overtaken):
                    return await self._write_money(Entry((*drafts, *self.cage.plan_snapshot())))
        raise LedgerDown("Other servers write too often; start again.")

    def distrust(self) -> None:
        """Read the cage back from the ledger before it is used again."""
        self._cage_in_sync = False

    async def _sync_cage(self) -> None:
        if self.is_shared and not self._cage_in_sync and self.cage.number:
            self._cage_in_sync = True
            known = {CAGE_CHAIN: self.cage.number, JACKPOT_CHAIN: self.jackpots.number}
            for chain, number in known.items():
                for event in await asyncio.to_thread(list, self.ledger.events(chain, after=number)):
                    self._follow_money(event)
        elif not self._cage_in_sync:
            await self._wait_for_writes()
            await asyncio.to_thread(self.reload_cage)

    async def _wait_for_writes(self) -> None:
        """Wait for all writes on their way; what was expected of them is on record then."""
        if self._on_way:
            await asyncio.wait(self._on_way)
        self._expected.jackpots = self.jackpots  # with the moments on record

    # -- Other servers on the same ledger ------------------------------------------------------------

    def list_seen(self, table: TableState) -> Iterator[LastSeen]:
        """The events on which a decision about wagers rests besides those of its table."""
        if not self.is_shared or WAGERING.isdisjoint(draft.kind for draft in table.unwritten):
            return
        yield LastSeen(HOUSE_CHAIN, self.house_number, LIMIT_KINDS)
        players = {place.player for place in table.places if place and place.wagers}
        limited = list(filter(self.limits.has_limits, players))
        if limited:
            yield LastSeen(CAGE_CHAIN, self.cage.number)
        for account in limited:
            yield from self.find_mirrored(account)

    def check_when_decided(
        self, change: Callable[[State], State], account: str, *wager: Any
    ) -> Callable[[State], State]:
        """A change that checks a wager whenever it is decided.

        Meanwhile the player may have set a limit, or wagered elsewhere, at another server.
        """

        def check_and_change(state: State) -> State:
            if self.limits.has_limits(account):
                self.check_wager(account, *wager)
            return change(state)

        return check_and_change

    def follow_others(self, events: Iterable[Event]) -> None:
        """Follow the events of the house, and those about money that other servers have written."""
        for event in events:
            if event.chain != HOUSE_CHAIN:
                self._follow_money(event)
            elif event.number > self.house_number:
                self.limits.follow((event,))
                self.house_number = event.number

    def _follow_money(self, event: Event) -> None:
        """Follow an event of the cage or of the progressives, unless it is known or one before it is not."""
        known = self._recorded.number_of(event.chain)
        if event.number == known + 1:
            self.follow((event,))
        elif event.number > known:
            self._cage_in_sync = False

    async def _plan_up_to_date(self, plan: Beside) -> tuple[Draft, ...]:
        """The drafts of a plan; a refusal counts only if it rests on what is on record, by all servers."""
        try:
            return plan(self._planned.jackpots, self._planned.cage)
        except Refused:
            if not (self.is_shared or self._on_way):
                raise
        await self._wait_for_writes()
        await self._follow_all()
        return plan(self._planned.jackpots, self._planned.cage)

    async def _follow_all(self) -> None:
        """Follow all that was written up to now, by other servers too."""
        if self.is_shared:
            await self.ledger.append(Entry(()))  # which follows all that they have written
        await self._sync_cage()

    async def catch_up(self) -> None:
        """Bring the cage and the progressives up to what all servers have written by now."""
        async with self._cage_lock:
            await self._follow_all()

    async def sync(self) -> None:
        """Bring the cage up to the ledger, if it is known to be behind."""
        async with self._cage_lock:
            await self._sync_cage()

    async def _write_money(self, entry: Entry) -> None:
        await asyncio.shield(self._send(entry))

    def _send(self, entry: Entry) -> asyncio.Task[None]:
        """Send a write of money on its way; the next one rests on it."""
        planned = self._planned
        chains = {draft.chain for draft in entry.drafts}
        seen = [LastSeen(CAGE_CHAIN, planned.cage.number)] if chains else []
        if JACKPOT_CHAIN in chains:
            seen.append(LastSeen(JACKPOT_CHAIN, planned.jackpots.number))
        if not self.is_shared:
            self._expect(entry.drafts)
        entry = replace(entry, seen=(*entry.seen, *seen))
        if JACKPOT_CHAIN in chains:
            sealed, unsealed = self.secrets.seal_new(entry.drafts)
            entry = replace(
                entry, sealed={**entry.sealed, **sealed}, unsealed=(*entry.unsealed, *unsealed))  # fmt: skip
        writing = asyncio.create_task(self._append(entry))
        self._on_way.add(writing)
        writing.add_done_callback(self._forget_write)
        return writing

    def _expect(self, drafts: tuple[Draft, ...]) -> None:
        try:
            self._expected.expect(drafts)
        except Refused:
            self._cage_in_sync = False
            raise

    async def _append(self, entry: Entry) -> None:
        if not entry.drafts:
            return
        try:
            events = await self.ledger.append(entry)
            self.follow(events)
        except BaseException:
            self._cage_in_sync = False
            raise
        numbers = [event.number for event in events if event.chain == HOUSE_CHAIN]
        self.house_number = max((self.house_number, *numbers)) if self.is_shared else 0

    def _forget_write(self, writing: asyncio.Task[None]) -> None:
        self._on_way.discard(writing)
        if not writing.cancelled():
            writing.exception()  # its caller may have stopped waiting


def _cage_side(cage: Cage, drafts: tuple[Draft, ...]) -> Iterator[Draft]:
    """The cage's events of the money that a table's events move."""
    for draft in drafts:
        kind, cents = cage_move(draft)
        if kind:
            plan = cage.plan_pay_in if kind == "to-table" else cage.plan_pay_out
            yield from plan(draft.data["player"], draft.chain, draft.data["seat"], cents)
