"""The pit: all that a card room runs, on one ledger."""

import asyncio
import gc
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from feltlab import __version__
from feltlab.core.game import Game
from feltlab.core.limits import STANDARD, Limits
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_ACTOR, HOUSE_CHAIN, NOT_TABLES, Draft, Entry, Event, Key
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.vault import Sealed, Vault
from feltlab.pit import cage as money
from feltlab.pit.accounts import Accounts
from feltlab.pit.approvals import DEMO, Approvals, House, approve_all, check_limits
from feltlab.pit.cage import Cage
from feltlab.pit.expectation import Expectation
from feltlab.pit.live_table import MOVES, LiveTable, after_upgrade, recovered
from feltlab.pit.meters import Meters
from feltlab.pit.table import Phase, Table, Timers
from feltlab.server.sessions import Sessions
from feltlab.text import listing
from feltlab.workers.expectation import prove_expectation

TABLE_NAME = re.compile(r"(?=.{2,40}\Z)[a-z0-9]+(-[a-z0-9]+)*")
MOST_TABLES = 2_000
SWEEP_EVERY = 30.0  # seconds
ASK_AGAIN = 300.0  # seconds until a proof that failed is tried again
IDLE = 900.0  # seconds after which a seat that nobody acts for is given up, between rounds
LIVELY = Timers(betting=20, choosing=60)  # for tables where strangers meet


def collect_seldom() -> None:
    """Let Python look for lost cycles seldom, and never among what is here to stay.

    Tables make many values and hardly a cycle; to look at all of them stops every table for a tenth of a
    second. A server calls this when it is ready.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def today() -> date:
    return datetime.now(UTC).date()


class Pit:
    def __init__(
        self,
        folder: Path,
        database: str | Path | None = None,
        house: House = DEMO,
        lost_key: bool = False,  # cards that cannot be unsealed are given up, and their rounds void
    ) -> None:
        """Open what is kept in a folder, or its ledger in another database; nothing runs yet."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.house, self._lost_key = folder, house, lost_key
        self.ledger = Ledger.open(database or folder / "ledger.sqlite")
        self.vault = Vault.open(folder / "vault.key")
        self.accounts = Accounts(self.ledger.database.writing, reading=self.ledger.database.reading)
        self.sessions = Sessions.kept(folder / "sessions.key", self.accounts.sessions_from)
        self.approvals = Approvals()
        self.cage = Cage()
        self.tables: dict[str, LiveTable] = {}
        self._expectations: dict[tuple[Any, ...], tuple[Expectation | None, str]] = {}  # by rules and stake
        self._ask_again: dict[tuple[Any, ...], float] = {}  # when a proof that failed is tried again
        self._cage_turn, self._cage_believed = asyncio.Lock(), True
        self._house_turn, self._house_believed = asyncio.Lock(), True
        self._opening = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    # -- Start and stop ------------------------------------------------------------------------------

    async def start(self, expect: bool = True) -> None:
        """Take up everything where it was left."""
        self._fold_cage()
        self._fold_house()
        await self._write(
            Draft(HOUSE_CHAIN, "started", {"version": __version__, "house": self.house.name}),
            *self.cage.plan_standing(),
        )
        await self.decide(lambda register: register.lapse_changed(GAMES, HOUSE_ACTOR, today()))
        for name in self._table_names():
            await self._take_up(name)
        self.run(self._sweeping())
        if expect:
            self.run(self._expecting())

    def _table_names(self) -> list[str]:
        return [chain for chain in self.ledger.chains() if chain not in NOT_TABLES]

    async def _take_up(self, name: str) -> None:
        live = self.tables[name] = LiveTable(self, self._recovered(name))
        if live.table.shuffle is None:
            await live.act(Table.lose_cards)
        await live.act(after_upgrade)
        live.start()

    def _recovered(self, name: str) -> Table:
        try:
            return recovered(self.ledger, self.vault, name)
        except Sealed:
            if self._lost_key:
                return recovered(self.ledger, None, name)
        raise Refused(
            f"The cards of {name} do not open with {self.folder / 'vault.key'}; put the right key there, or"
            " start with --lost-key, which voids the rounds under way."
        )

    async def demo(self) -> None:
        """A table for each game, approved for play money, unless there are tables already."""
        await self.decide(
            lambda register: approve_all(register, self.house, GAMES.values(), HOUSE_ACTOR, today())
        )
        for game in GAMES.values():
            name = f"{game.name}-1"
            if name not in self.tables or self._lapsed(self.tables[name]):
                await self.open_table(name, game, HOUSE_ACTOR, STANDARD, LIVELY)

    @staticmethod
    def _lapsed(live: LiveTable) -> bool:
        """Was it closed by a change of rules?"""
        return live.table.phase == Phase.CLOSED and live.table.digest != live.table.game.digest

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for live in self.tables.values():
            live.stop()
        for task in list(self._tasks):
            with suppress(asyncio.CancelledError, Exception):
                await task
        with suppress(LedgerDown):
            await self._write(Draft(HOUSE_CHAIN, "stopped", {"version": __version__}))
        await asyncio.to_thread(self.ledger.close)

    def run(self, work: Any) -> None:
        """Do something in the background, until the pit stops."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- Tables --------------------------------------------------------------------------------------

    def table(self, name: str) -> LiveTable:
        if name not in self.tables:
            raise Unknown(f"{name!r} is not a table; the tables are {listing(list(self.tables)[:20])}.")
        return self.tables[name]

    async def open_table(self, name: str, game: Game, by: str, limits: Limits, timers: Timers) -> LiveTable:
        """Open a table, if an approval is in force for exactly these rules, options and pays."""
        if not TABLE_NAME.fullmatch(name) or name in NOT_TABLES:
            raise Refused("A table's name has 2 to 40 small letters, digits and single hyphens.")
        check_limits(self.house.venue(today()), limits, game, today())
        approval = self.approvals.find(self.house, game, today())

        def reopened(table: Table) -> Table:
            if table.phase != Phase.CLOSED:
                raise Refused(f"{name} is open already.")
            meters = table.meters if table.digest == game.digest else Meters()
            fresh = Table(name, game, limits, timers, cycles=table.cycles, round=table.round, meters=meters)
            return fresh.open(by, approval.number)

        async with self._opening:  # of two who open a table of one name at once, the first does
            live = await self._place_for(name) or LiveTable(self, Table(name, game, limits, timers))
            await live.act(reopened)
            self.tables[name] = live
        return live

    async def _place_for(self, name: str) -> LiveTable | None:
        """The table of a name, if there is one: also one whose opening is on record, unknown to us."""
        if name in self.tables:
            return self.tables[name]
        if len(self.tables) >= MOST_TABLES:
            raise Refused(f"There are {MOST_TABLES:,} tables already.")
        if await asyncio.to_thread(self.ledger.last, name, ("opened",), 1):
            await self._take_up(name)
        return self.tables.get(name)

    # -- Money ---------------------------------------------------------------------------------------

    async def write_with_cage(self, entry: Entry) -> None:
        """Write what moves money between the cage and a table: both sides, or neither."""
        async with self._cage_turn:
            if not self._cage_believed:
                await asyncio.to_thread(self._fold_cage)
            drafts = (*entry.drafts, *self._moved(entry.drafts))
            await self._cage_written(replace(entry, drafts=drafts))
            if self.cage.due:
                with suppress(LedgerDown):  # what was asked for is on record; the standing can wait
                    await self._cage_written(Entry(self.cage.plan_standing()))

    def _moved(self, drafts: tuple[Draft, ...]) -> Iterator[Draft]:
        for draft in drafts:
            if draft.kind in MOVES and draft.data["cents"]:
                data = draft.data
                move = self.cage.plan_pay_out if draft.kind == "left" else self.cage.plan_pay_in
                yield from move(data["player"], draft.chain, data["seat"], data["cents"])

    async def _cage_written(self, entry: Entry) -> None:
        if not entry.drafts:
            return
        try:
            events = await self.ledger.append(entry)
        except LedgerDown:
            self._cage_believed = False
            raise
        self._follow(events)

    def _follow(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if event.chain == money.CHAIN:
                self.cage.after(event)

    def _fold_cage(self) -> None:
        self.cage, self._cage_believed = Cage.folded(self.ledger.since(money.CHAIN, "standing")), True

    async def give(self, plan: Callable[[Cage], tuple[Draft, ...]], key: Key | None = None) -> int:
        """Issue play money by one of the cage's plans: how much the cage issued by it."""
        async with self._cage_turn:
            if not self._cage_believed:
                await asyncio.to_thread(self._fold_cage)
            before = self.cage.issued
            await self._cage_written(Entry(plan(self.cage), key=key))
            return self.cage.issued - before

    # -- The house -----------------------------------------------------------------------------------

    async def decide(self, change: Callable[[Approvals], Approvals]) -> Approvals:
        """Change the register of approvals; tables whose approval ended close after their round."""
        async with self._house_turn:
            if not self._house_believed:
                await asyncio.to_thread(self._fold_house)
            after = change(self.approvals)
            if after.unwritten:
                await self._decided(after.unwritten)
            self.approvals = after.written()
        await self._close_unapproved()
        return self.approvals

    async def _decided(self, drafts: tuple[Draft, ...]) -> None:
        try:
            await self.note(*drafts)
        except LedgerDown:
            self._house_believed = False
            raise

    def _fold_house(self) -> None:
        folded = Approvals()
        for event in self.ledger.events(HOUSE_CHAIN):
            folded = folded.after(event)
        self.approvals, self._house_believed = folded, True

    async def note(self, *drafts: Draft) -> None:
        """Write down what the house did."""
        await self.ledger.append(Entry(drafts))

    async def _write(self, *drafts: Draft) -> None:
        self._follow(await self.ledger.append(Entry(drafts)))

    async def _close_unapproved(self) -> None:
        for live in list(self.tables.values()):
            why = self._unapproved(live.table)
            if why and not live.table.closes:
                with suppress(Refused, LedgerDown):  # the next sweep comes to it again
                    await live.act(lambda table, why=why: table.close(HOUSE_ACTOR, why))  # type: ignore[misc]

    def _unapproved(self, table: Table) -> str:
        """Why an open table may not go on, or ''."""
        if table.phase == Phase.CLOSED or not table.approval:
            return ""
        try:
            check_limits(self.house.venue(today()), table.limits, table.game, today())
        except Refused as over:
            return str(over)
        return self.approvals[table.approval].why_not(self.house, table.game, today())

    # -- In the background ---------------------------------------------------------------------------

    async def _sweeping(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_EVERY)
            with suppress(LedgerDown):
                await self._close_unapproved()
                for live in list(self.tables.values()):
                    await self._give_up_seats(live)

    async def _give_up_seats(self, live: LiveTable) -> None:
        for seat in live.idle(IDLE):
            place = live.table.places[seat]
            if place and live.table.phase == Phase.BETTING:
                with suppress(Refused):
                    await live.act(_stood_up(place.player, seat))

    async def _expecting(self) -> None:
        """Have the expectations proved, one after the other."""
        while True:
            for live in list(self.tables.values()):
                live.expectation, live.unexpected = await self._expected(live.table)
            await asyncio.sleep(SWEEP_EVERY)

    async def _expected(self, table: Table) -> tuple[Expectation | None, str]:
        """What the proofs expect of a table played as is best for its usual stake."""
        usual = (table.game.digest, tuple(table.meters.usual_stake.items()))
        known, _ = self._expectations.get(usual, (None, ""))
        if known is None and time.monotonic() >= self._ask_again.get(usual, 0.0):
            self._expectations[usual] = await prove_expectation(table.game, dict(usual[1]))
            self._ask_again[usual] = time.monotonic() + ASK_AGAIN
        return self._expectations[usual]

    @property
    def chips(self) -> Mapping[str, int]:
        """The cents of players at each table."""
        return {name: live.table.chips for name, live in self.tables.items()}


def _stood_up(player: str, seat: int) -> Callable[[Table], Table]:
    return lambda table: table.leave(player, seat, "Nobody acted for a while.")
