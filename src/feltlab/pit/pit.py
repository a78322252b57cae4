"""The pit: all that a card room runs, on one ledger."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from feltlab import __version__
from feltlab.core.game import Game
from feltlab.core.limits import STANDARD_LIMITS, Limits
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.games.rules_history import rules_change
from feltlab.ledger.event import HOUSE_ACTOR, HOUSE_CHAIN, OTHER_CHAINS, Draft, Entry, Event, Key
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.vault import CannotUnseal, Vault
from feltlab.ledger.witnesses import HeadSigner
from feltlab.pit.accounts import Accounts
from feltlab.pit.approvals import DEMO, Approvals, House, approve_all, check_limits
from feltlab.pit.books import Books
from feltlab.pit.cage import REFILL_BELOW_CENTS, Cage
from feltlab.pit.expectation import Expectation
from feltlab.pit.hands.old_rounds import index_old_rounds
from feltlab.pit.live_table import LiveTable, TableChange
from feltlab.pit.meters import Meters
from feltlab.pit.players.departures import KINDS as DEPARTURE_KINDS
from feltlab.pit.players.invitations import Invitations
from feltlab.pit.players.limits import LIMIT_KINDS
from feltlab.pit.players.purse import find_purse
from feltlab.pit.players.solo import BUY_IN_CENTS, SOLO_NAME, choose_solo_name, find_own_table, free_seat
from feltlab.pit.recovery import CardsTampered, adopt_rules, recover_table
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.shufflers.install import STANDARD_TERMS, ShufflerTerms, install_machines
from feltlab.pit.table import Table
from feltlab.text import listing

TABLE_NAME = re.compile(r"(?=.{2,40}\Z)[a-z0-9]+(-[a-z0-9]+)*")
MAX_TABLES = 2_000
SWEEP_SECONDS = 30.0  # between two looks at approvals and expectations
SEATS_SECONDS = 5.0  # between two looks at the seats of absent players
REPROVE_SECONDS = 300.0  # until a proof that failed is tried again
PUBLIC_TIMERS = Timers(betting=20, choosing=60)  # for tables where people meet
SOLO_UNEXPECTED = "Private tables are not compared with the proofs."
DEPARTURES_READ = 14  # events of a table, at a start

# Proves what a game is expected to win at a stake: the expectation, or None and a sentence that says why.
Expect = Callable[[Game, Mapping[str, int]], Awaitable[tuple[Expectation | None, str]]]


def today() -> date:
    return datetime.now(UTC).date()


class Pit:
    def __init__(
        self,
        folder: Path,
        database: str | Path | None = None,
        house: House = DEMO,
        lost_key: bool = False,  # give up cards that cannot be unsealed, and void their rounds
        expect: Expect | None = None,  # without it, no win is compared with the proofs
        witnesses: Iterable[Path] = (),  # files that receive the signed heads too
    ) -> None:
        """Open the pit of a folder, or with its ledger in another database; nothing runs yet."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.house, self._lost_key, self._expect = folder, house, lost_key, expect
        self.ledger = Ledger.open(database or folder / "ledger.sqlite")
        self.heads = HeadSigner(self.ledger, folder, witnesses)
        self.books = Books(self.ledger, Vault.open(folder / "vault.key"), self.heads.wake)
        self.accounts = Accounts(self.ledger.database.writing, reading=self.ledger.database.reading)
        self.approvals = Approvals()
        self.invitations = Invitations.load(folder / "invitations.key")
        self.tables: dict[str, LiveTable] = {}
        self.books.find_purse = partial(find_purse, self.tables, self.books)
        self._expectations: dict[tuple[Any, ...], tuple[Expectation | None, str]] = {}  # by rules and stake
        self._reprove_at: dict[tuple[Any, ...], float] = {}  # when a proof that failed is tried again
        self._house_lock = asyncio.Lock()
        self._house_in_sync = True  # false after a write that may have failed
        self._opening = asyncio.Lock()
        self.correcting = asyncio.Lock()  # held while a payment on record is read and corrected
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def cage(self) -> Cage:
        return self.books.cage

    # -- Start and stop ------------------------------------------------------------------------------

    async def start(self) -> None:
        """Recover everything from the ledger and go on."""
        self.books.reload_cage()
        self._reload_house()
        await self._write(
            Draft(HOUSE_CHAIN, "started", {"version": __version__, "house": self.house.name}),
            *self.cage.plan_snapshot(),
        )
        if why := await asyncio.to_thread(self.heads.describe_rollback):
            await self.note(Draft(HOUSE_CHAIN, "rolled-back", {"why": why}))
        await self.decide(lambda register: register.adopt_rules(GAMES, HOUSE_ACTOR, today()))
        for name in self._table_names():
            await self._recover(name)
        self.books.departures.follow(self._last_departures())
        self.run(self._sweep())
        self.run(self._sweep_seats())
        self.run(self.heads.run())
        self.run(asyncio.to_thread(index_old_rounds, self.ledger))
        if self._expect:
            self.run(self._keep_expecting(self._expect))

    def _last_departures(self) -> list[Event]:
        """The last events by which seats were taken and left, in order."""
        read = (self.ledger.last_events(name, DEPARTURE_KINDS, DEPARTURES_READ) for name in self.tables)
        return sorted((event for events in read for event in events), key=lambda event: event.at)

    def _table_names(self) -> list[str]:
        return [chain for chain in self.ledger.chains() if chain not in OTHER_CHAINS]

    async def _recover(self, name: str) -> None:
        table, tampered = self._recovered_table(name)
        live = self.tables[name] = LiveTable(self.books, table)
        if live.table.shuffle is None:
            await live.act(lambda table: table.lose_cards(tampered))
        await live.act(adopt_rules)
        live.start()

    def _recovered_table(self, name: str) -> tuple[Table, str]:
        """The table as it was left, without its cards if they were tampered with, and how they were."""
        try:
            return recover_table(self.ledger, self.books.vault, name), ""
        except CardsTampered as tampered:
            return recover_table(self.ledger, None, name), str(tampered)
        except CannotUnseal:
            if self._is_key_right:
                damaged = f"The sealed cards of {name} are damaged."
                return recover_table(self.ledger, None, name), damaged
            if self._lost_key:
                return recover_table(self.ledger, None, name), ""
        raise Refused(
            f"The cards of {name} do not open with {self.folder / 'vault.key'}; put the right key there, or"
            " start with --lost-key, which voids the rounds under way."
        )

    @cached_property
    def _is_key_right(self) -> bool:
        """Whether the key opens any sealed record that it has not sealed since the start.

        Then a record that it does not open is damaged.
        """
        return any(map(self.books.vault.opens, self.ledger.sealed_records()))

    async def demo(self) -> None:
        """Open a table for each game, approved for play money, where there is none."""
        await self.decide(
            lambda register: approve_all(register, self.house, GAMES.values(), HOUSE_ACTOR, today())
        )
        for game in GAMES.values():
            name = f"{game.name}-1"
            if name not in self.tables or self._was_closed_by_rules(self.tables[name]):
                await self.open_table(name, game, HOUSE_ACTOR, STANDARD_LIMITS, PUBLIC_TIMERS)

    @staticmethod
    def _was_closed_by_rules(live: LiveTable) -> bool:
        """Whether a change of its rules closed a table."""
        table = live.table
        return table.phase == Phase.CLOSED and not rules_change(table.game, table.digest).same_rules

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for live in self.tables.values():
            live.stop()
        for task in list(self._tasks):
            with suppress(asyncio.CancelledError, Exception):
                await task
        with suppress(LedgerDown):
            await self.books.note_limits(self.books.limits.plan_stop())
            await self._write(Draft(HOUSE_CHAIN, "stopped", {"version": __version__}))
            await asyncio.to_thread(self.heads.sign)
        await asyncio.to_thread(self.ledger.close)

    def run(self, work: Any) -> None:
        """Run a task in the background until the pit stops."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- Tables --------------------------------------------------------------------------------------

    def table(self, name: str) -> LiveTable:
        if name not in self.tables:
            public = [live.table.name for live in self.public_tables[:20]]
            raise Unknown(f"{name!r} is not a table; the tables are {listing(public)}.")
        return self.tables[name]

    @property
    def public_tables(self) -> list[LiveTable]:
        return [live for live in self.tables.values() if not live.table.is_private]

    async def open_table(
        self,
        name: str,
        game: Game,
        by: str,
        limits: Limits,
        timers: Timers,
        shufflers: ShufflerTerms = STANDARD_TERMS,
    ) -> LiveTable:
        """Open a table, if an approval is in force for exactly these rules, options and pays."""
        if not TABLE_NAME.fullmatch(name) or name in OTHER_CHAINS:
            raise Refused("A table's name has 2 to 40 small letters, digits and single hyphens.")
        if SOLO_NAME.search(name):
            raise Refused("Names that end in solo and a number are for private tables.")
        check_limits(self.house.venue(today()), limits, game, today())
        approval = self.approvals.find(self.house, game, today())

        terms = Table(name, game, limits, timers)

        async with self._opening:  # of two requests that open one table at once, the first does
            return await self._open(
                terms, lambda table: _renew(table, terms, shufflers).open(by, approval.number)
            )

    async def _open(self, terms: Table, change: TableChange, key: Key | None = None) -> LiveTable:
        live = await self._find_table(terms.name) or LiveTable(self.books, terms)
        live.invited.clear()
        await live.act(change, key)
        self.tables[terms.name] = live
        return live

    async def open_solo(self, account: str, game: Game, key: Key | None = None) -> LiveTable:
        """A private table with its owner seated: the one that the account has already, or another."""
        approval = self._find_offer(game)

        async with self._opening:
            live = find_own_table(self.tables.values(), account, game)
            if live and any(place and place.player == account for place in live.table.places):
                return live
            cents = await self._fund(account)
            if live:
                await live.act(lambda table: table.sit(account, free_seat(table), cents), key)
                return live
            terms = Table(choose_solo_name(self.tables, account, game), game)

            def open_and_sit(table: Table) -> Table:
                fresh = _renew(table, terms, STANDARD_TERMS)
                opened = fresh.open(HOUSE_ACTOR, approval, account, practice=not approval)
                return opened.sit(account, free_seat(opened), cents)

            live = await self._open(terms, open_and_sit, key)
            live.why_unexpected = SOLO_UNEXPECTED
            return live

    def _find_offer(self, game: Game) -> int:
        """The number of the approval of a private table; 0 for a practice table, if the house has those."""
        try:
            check_limits(self.house.venue(today()), STANDARD_LIMITS, game, today())
            return self.approvals.find(self.house, game, today()).number
        except Refused:
            if not self.house.has_practice:
                raise
        return 0

    async def _fund(self, account: str) -> int:
        """The cents of a buy-in; a balance that is nearly gone is refilled first."""
        if self.cage.balance(account) < REFILL_BELOW_CENTS:
            async with self.books.player_lock(account):
                await self.give(lambda cage: cage.plan_refill(account))
        return min(BUY_IN_CENTS, self.cage.balance(account))

    async def _find_table(self, name: str) -> LiveTable | None:
        """The table of a name, if there is one: also one whose opening is on record, but not in memory."""
        if name in self.tables:
            return self.tables[name]
        if len(self.tables) >= MAX_TABLES:
            raise Refused(f"There are {MAX_TABLES:,} tables already.")
        if await asyncio.to_thread(self.ledger.last_events, name, ("opened",), 1):
            await self._recover(name)
        return self.tables.get(name)

    async def give(self, plan: Callable[[Cage], tuple[Draft, ...]], key: Key | None = None) -> int:
        """Issue play money by one of the cage's plans; return the cents that were issued."""
        return await self.books.issue(plan, key)

    # -- The house -----------------------------------------------------------------------------------

    async def decide(self, change: Callable[[Approvals], Approvals]) -> Approvals:
        """Change the register of approvals; tables whose approval ended close after their round."""
        async with self._house_lock:
            if not self._house_in_sync:
                await asyncio.to_thread(self._reload_house)
            after = change(self.approvals)
            if after.unwritten:
                await self._note_decision(after.unwritten)
            self.approvals = after.without_drafts()
        await self._close_unapproved()
        return self.approvals

    async def _note_decision(self, drafts: tuple[Draft, ...]) -> None:
        try:
            await self.note(*drafts)
        except LedgerDown:
            self._house_in_sync = False
            raise

    def _reload_house(self) -> None:
        register = Approvals()
        self.books.limits.reload(self.ledger.events(HOUSE_CHAIN, kinds=LIMIT_KINDS))
        for event in self.ledger.events(HOUSE_CHAIN):
            register = register.after(event)
        self.approvals, self._house_in_sync = register, True

    async def note(self, *drafts: Draft) -> None:
        """Write events of the house."""
        await self.ledger.append(Entry(drafts))
        self.heads.wake()

    async def _write(self, *drafts: Draft) -> None:
        self.books.follow(await self.ledger.append(Entry(drafts)))

    async def _close_unapproved(self) -> None:
        for live in list(self.tables.values()):
            why = self._why_unapproved(live.table)
            if why and not live.table.closes:
                with suppress(Refused, LedgerDown):  # the next sweep tries again
                    await live.act(lambda table, why=why: table.close(HOUSE_ACTOR, why))  # type: ignore[misc]

    def _why_unapproved(self, table: Table) -> str:
        """Why an open table may not go on, or ''."""
        if table.phase == Phase.CLOSED or not table.approval:
            return ""
        try:
            check_limits(self.house.venue(today()), table.limits, table.game, today())
        except Refused as over:
            return str(over)
        return self.approvals[table.approval].why_not(self.house, table.game, today())

    # -- In the background ---------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Close tables without an approval, again and again."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            with suppress(LedgerDown):
                await self._close_unapproved()

    async def _sweep_seats(self) -> None:
        """Give up the seats of absent players, again and again."""
        while True:
            await asyncio.sleep(SEATS_SECONDS)
            with suppress(LedgerDown):
                for live in list(self.tables.values()):
                    await self.give_up_seats(live)

    async def give_up_seats(self, live: LiveTable) -> None:
        """Give up the seats of absent players: between rounds, and in any phase where nobody else plays."""
        live.presence.forget_others(live.table.places)
        for seat, place in enumerate(live.table.places):
            is_solo = live.table.is_solo
            why = live.presence.why_give_up(place.player, is_solo) if place and not place.leaves else ""
            if place and why and (is_solo or live.table.phase == Phase.BETTING):
                with suppress(Refused):
                    await live.act(_leave_idle(place.player, seat, why))

    async def _keep_expecting(self, expect: Expect) -> None:
        """Have the expectation of each table proved, one after the other, again and again."""
        while True:
            for live in self.public_tables:
                live.expectation, live.why_unexpected = await self._expectation(expect, live.table)
            await asyncio.sleep(SWEEP_SECONDS)

    async def _expectation(self, expect: Expect, table: Table) -> tuple[Expectation | None, str]:
        """The expectation of a table under the strategy that is best for its usual stake."""
        usual = (table.game.digest, tuple(table.meters.usual_stake.items()))
        known, _ = self._expectations.get(usual, (None, ""))
        if known is None and time.monotonic() >= self._reprove_at.get(usual, 0.0):
            self._expectations[usual] = await expect(table.game, dict(usual[1]))
            self._reprove_at[usual] = time.monotonic() + REPROVE_SECONDS
        return self._expectations[usual]


def _leave_idle(player: str, seat: int, why: str) -> TableChange:
    return lambda table: table.leave(player, seat, why)


def _renew(table: Table, terms: Table, shufflers: ShufflerTerms) -> Table:
    """A closed table under these terms, which goes on counting its rounds; meters are those of its rules."""
    if table.phase != Phase.CLOSED:
        raise Refused(f"{table.name} is open already.")
    meters = table.meters if rules_change(terms.game, table.digest).same_rules else Meters()
    machines = install_machines(terms.game, table.name, table.machines if table.round else None, shufflers)
    return replace(terms, cycles=table.cycles, round=table.round, meters=meters, machines=machines)
