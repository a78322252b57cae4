"""The pit: all that a card room runs, on one ledger."""

import asyncio
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from feltlab import __version__
from feltlab.core.game import Game
from feltlab.core.limits import STANDARD_LIMITS, Limits
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_ACTOR, HOUSE_CHAIN, OTHER_CHAINS, Draft, Entry, Key
from feltlab.ledger.ledger import LedgerDown
from feltlab.ledger.vault import Vault
from feltlab.ledger.witnesses import HeadSigner
from feltlab.pit.accounts import Accounts
from feltlab.pit.approvals import DEMO, Approvals, House, approve_all, check_limits
from feltlab.pit.approvals.office import Office
from feltlab.pit.approvals.pending_codes import watch_codes
from feltlab.pit.books import Books
from feltlab.pit.cage import REFILL_BELOW_CENTS, Cage
from feltlab.pit.custody.key_watch import KeyWatch
from feltlab.pit.custody.lost_terms import LostTerms
from feltlab.pit.custody.signed_ledger import open_signed_ledger
from feltlab.pit.expectation import Expect, Expectations
from feltlab.pit.hands.old_rounds import index_old_rounds
from feltlab.pit.jackpots.desk import JackpotDesk
from feltlab.pit.live_table import LiveTable, TableChange
from feltlab.pit.players.departures import load_departures
from feltlab.pit.players.invitations import Invitations
from feltlab.pit.players.purse import find_purse
from feltlab.pit.players.solo import BUY_IN_CENTS, SOLO_NAME, choose_solo_name, find_own_table, free_seat
from feltlab.pit.recorded_round import table_names
from feltlab.pit.recovery import (
    adopt_rules,
    describe_stale_cards,
    recover_or_refuse,
    renew_table,
    was_closed_by_rules,
)
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.sharing.membership import Membership
from feltlab.pit.shufflers.install import STANDARD_TERMS, ShufflerTerms, used_models
from feltlab.pit.table import Table
from feltlab.text import listing

LEDGER_FILE, VAULT_FILE = "ledger.sqlite", "vault.key"
TABLE_NAME = re.compile(r"(?=.{2,40}\Z)[a-z0-9]+(-[a-z0-9]+)*")
MAX_TABLES = 2_000
SWEEP_SECONDS = 30.0  # between two looks at approvals
SEATS_SECONDS = 5.0  # between two looks at the seats of absent players
PUBLIC_TIMERS = Timers(betting=20, choosing=60)  # for tables where people meet
SOLO_UNEXPECTED = "Private tables are not compared with the proofs."


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
        address: str = "",  # at which clients reach it, for servers that stand by; or other members do
        is_shared: bool = False,  # with other servers that run tables too
        accepts_unsigned: bool = False,  # go on with a ledger whose last event is not the signed one
        own_writer: bool = False,  # a process of its own writes a ledger in a file that is not shared
    ) -> None:
        """Open the pit of a folder, or with its ledger in another database; nothing runs yet."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.house, self._lost_key, self._expect = folder, house, lost_key, expect
        self.ledger = open_signed_ledger(folder, database, address, is_shared, accepts_unsigned, own_writer)
        self.is_ready = False  # everything is read from the ledger
        self.heads = HeadSigner(self.ledger, folder, witnesses)
        self.books = Books(self.ledger, Vault.open(folder / VAULT_FILE), self.heads.wake)
        self.keys = KeyWatch(self.ledger, self.books.vault, self.heads.wake)
        self.accounts, self.office = Accounts(self.ledger), Office(self.ledger, self.heads.wake)
        self.invitations = Invitations.load(folder / "invitations.key")
        self.tables: dict[str, LiveTable] = {}
        self.books.find_purse = partial(find_purse, self.tables, self.books)
        self.jackpots = JackpotDesk(self.books, self.tables, lambda: house.venue(self.today))
        self._opening, self.correcting = asyncio.Lock(), asyncio.Lock()  # of tables; of payments on record
        self.reloads: list[Callable[[], object]] = []  # called when everything is read from the ledger again
        self._lost_terms = LostTerms(self.ledger, self._distrust, self._load)
        self.failure = ""  # why it cannot go on after another server has run the ledger
        self.when_failed: Callable[[], None] = lambda: None
        self._tasks: set[asyncio.Task[Any]] = set()
        self.membership = Membership(self) if is_shared else None

    @property
    def today(self) -> date:
        """The day, which a clock that is set back does not move back: it would end approvals."""
        return max(today(), self.ledger.last_day)

    @property
    def cage(self) -> Cage:
        return self.books.cage

    @property
    def approvals(self) -> Approvals:
        return self.office.register

    # -- Start and stop ------------------------------------------------------------------------------

    async def start(self) -> None:
        """Recover everything from the ledger and go on."""
        loop = asyncio.get_running_loop()
        self.ledger.watch_term(partial(loop.call_soon_threadsafe, self._start_over))
        if self.membership:
            self.membership.start()
        await self._load()
        self.run(self._sweep())
        self.run(self._sweep_seats())
        self.run(self.heads.run())
        self.run(self.keys.run())
        self.run(watch_codes(self.folder, self.accounts, self.note))
        self.run(asyncio.to_thread(index_old_rounds, self.ledger))
        if self._expect:
            self.run(Expectations(self._expect).keep(lambda: self.public_tables))

    async def _load(self) -> None:
        """Read everything from the ledger."""
        begins = {"version": __version__, "house": self.house.name, "term": self.ledger.term}
        await self.books.begin(Draft(HOUSE_CHAIN, "started", begins))
        await asyncio.to_thread(self.books.reload_limits)
        await self.office.refresh()
        if notes := await asyncio.to_thread(self.heads.plan_notes):
            await self.note(*notes)
        await self.decide(lambda book: book.adopt_sides(__version__).adopt_rules(GAMES, today()))
        names = await asyncio.to_thread(table_names, self.ledger)
        if self.membership:
            await self.membership.load(names)
        for name in () if self.membership else names:
            await self.recover(name)
        self.books.departures.follow(await asyncio.to_thread(load_departures, self.ledger, self.tables))
        for reload in self.reloads:
            await asyncio.to_thread(reload)
        self.is_ready = True

    def _start_over(self) -> None:
        """Distrust everything in memory: another server has run the ledger, or its writer has ended."""
        if self._lost_terms.note():
            self.run(self._begin_again())

    def _distrust(self) -> None:
        self.is_ready = False
        self.books.distrust()
        for live in self.tables.values():
            live.distrust()
        if self.membership:
            self.membership.distrust()

    async def _begin_again(self) -> None:
        try:
            await self._lost_terms.begin_again()
        except Refused as refused:
            self.failure = str(refused)
            self.when_failed()

    async def recover(self, name: str) -> None:
        """Go on with a table as its events leave it."""
        table, tampered = await asyncio.to_thread(self._read_table, name)
        before = self.tables.get(name)
        live = self.tables[name] = before if before and before.is_ours else LiveTable(self.books, table)
        await live.replace(table)
        if live.table.shuffle is None:
            await live.act(lambda table: table.lose_cards(tampered))
        elif why := describe_stale_cards(self.ledger, name):
            await live.act(lambda table: table.replace_cards(why))
        await live.act(adopt_rules)
        await self.jackpots.return_ended_bets(live)
        live.start()

    def _read_table(self, name: str) -> tuple[Table, str]:
        vault = self.books.vault
        return recover_or_refuse(self.ledger, vault, name, lambda: self._is_key_right, self._lost_key)

    @cached_property
    def _is_key_right(self) -> bool:
        """Whether the key opens any sealed record that it has not sealed since the start.

        Then a record that it does not open is damaged.
        """
        return any(map(self.books.vault.opens, self.ledger.sealed_records()))

    async def demo(self) -> None:
        """Open a table for each game, approved for play money, where there is none."""
        await self.decide(lambda register: approve_all(register, self.house, GAMES.values(), self.today))
        for game in GAMES.values():
            name, faster = f"{game.name}-1", (Refused, LedgerDown) if self.membership else ()
            if name not in self.tables or was_closed_by_rules(self.tables[name].table):
                with suppress(*faster):  # another server may have opened it
                    await self.open_table(name, game, HOUSE_ACTOR, STANDARD_LIMITS, PUBLIC_TIMERS)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for live in self.tables.values():
            live.stop()
        for task in list(self._tasks):
            with suppress(asyncio.CancelledError, Exception):
                await task
        with suppress(LedgerDown, Refused):  # a replaced key signs nothing
            await self.books.note_limits(self.books.limits.plan_stop())
            await self.note(Draft(HOUSE_CHAIN, "stopped", {"version": __version__}))
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

    @property
    def own_tables(self) -> list[LiveTable]:
        return [live for live in self.tables.values() if live.is_ours]

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
        check_limits(self.house.venue(self.today), limits, game, self.today)
        approval = self.approvals.find(self.house, game, self.today)
        terms = Table(name, game, limits, timers)
        async with self._opening:  # of two requests that open one table at once, the first does
            return await self._open(
                terms,
                lambda table: self._admit(renew_table(table, terms, shufflers), approval.number).open(
                    by, approval.number
                ),
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
                fresh = self._admit(renew_table(table, terms, STANDARD_TERMS), approval)
                opened = fresh.open(HOUSE_ACTOR, approval, account, practice=not approval)
                return opened.sit(account, free_seat(opened), cents)

            live = await self._open(terms, open_and_sit, key)
            live.why_unexpected = SOLO_UNEXPECTED
            return live

    def _find_offer(self, game: Game) -> int:
        """The number of the approval of a private table; 0 for a practice table, if the house has those."""
        try:
            check_limits(self.house.venue(self.today), STANDARD_LIMITS, game, self.today)
            return self.approvals.find(self.house, game, self.today).number
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
            await (self.membership.mirror if self.membership else self.recover)(name)
        return self.tables.get(name)

    async def give(self, plan: Callable[[Cage], tuple[Draft, ...]], key: Key | None = None) -> int:
        """Issue play money by one of the cage's plans; return the cents that were issued."""
        return await self.books.issue(plan, key)

    # -- The house -----------------------------------------------------------------------------------

    async def decide(self, change: Callable[[Approvals], Approvals]) -> Approvals:
        """Change the register of approvals; tables whose approval ended close after their round."""
        register = await self.office.decide(change)
        await self._close_unapproved()
        return register

    async def note(self, *drafts: Draft) -> None:
        """Write events of the house."""
        await self.ledger.append(Entry(drafts))
        self.heads.wake()

    async def _close_unapproved(self) -> None:
        for live in self.own_tables:
            why = self._why_unapproved(live.table)
            if why and not live.table.closes:
                with suppress(Refused, LedgerDown):  # the next sweep tries again
                    await live.act(lambda table, why=why: table.close(HOUSE_ACTOR, why))  # type: ignore[misc]

    def _why_unapproved(self, table: Table) -> str:
        """Why an open table may not go on, or ''."""
        if table.phase == Phase.CLOSED or not table.approval:
            return ""
        try:
            check_limits(self.house.venue(self.today), table.limits, table.game, self.today)
        except Refused as over:
            return str(over)
        approval, models = self.approvals[table.approval], used_models(table.machines, table.game)
        return self.approvals.why_not(approval, self.house, table.game, self.today, models)

    def _admit(self, table: Table, approval: int) -> Table:
        """A table that is about to open; refuses one whose shufflers a condition does not allow."""
        models = used_models(table.machines, table.game)
        if approval and (why := self.approvals.why_not_met(self.approvals[approval], self.today, models)):
            raise Refused(why)
        return table

    # -- In the background ---------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Close tables without an approval, again and again."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self.look_at_approvals()

    async def look_at_approvals(self) -> None:
        with suppress(LedgerDown):
            await self.office.refresh()
            await self._close_unapproved()
            await self.jackpots.keep_demonstration()

    async def _sweep_seats(self) -> None:
        """Give up the seats of absent players, again and again."""
        while True:
            await asyncio.sleep(SEATS_SECONDS)
            with suppress(LedgerDown):
                for live in self.own_tables:
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


def _leave_idle(player: str, seat: int, why: str) -> TableChange:
    return lambda table: table.leave(player, seat, why)
