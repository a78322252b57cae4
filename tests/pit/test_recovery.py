"""A server that is killed at any moment loses nothing that it has acknowledged, and goes on.

A child process plays at tables of all games and says, through a pipe, what was acknowledged to it. It is
killed at a random moment, or right before or after a commit. Then the ledger is read by this process,
which runs no server itself, and the next child goes on from it.
"""

import asyncio
import os
import random
import resource
import signal
import sqlite3
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.chains import verify_chains
from feltlab.ledger.event import CAGE_CHAIN as CAGE
from feltlab.ledger.event import GENESIS, HOUSE_ACTOR, OTHER_CHAINS, Draft, Event
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.vault import Vault
from feltlab.ledger.writing.pending import Written
from feltlab.ledger.writing.transaction import Transaction
from feltlab.pit import live_table as live_module
from feltlab.pit.approvals import approve_all
from feltlab.pit.cage import WELCOME_CENTS, Cage
from feltlab.pit.irregularities.actions import record_irregularity
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit, today
from feltlab.pit.players.presence import Watcher
from feltlab.pit.recovery import recover_table
from feltlab.pit.regimes import DEMONSTRATOR
from feltlab.pit.seats import ROUND_PHASES, Phase, Timers
from feltlab.pit.table import Table
from feltlab.pit.verify import verify
from feltlab.shuffling.machine import FAULTS
from tests.support.felt import BY_HAND, Felt, keeps_its_word, wagers
from tests.support.running import wait_until

# Each phase is on disk before the next one begins, and no longer than a test has time for.
BRISK = Timers(0.02, 0.001, 0.001, 0.02, 0.001, 0.001)
SEATS = (0, 1)
Plan = tuple[str, float]  # when to die, and at which time or number


@pytest.fixture(scope="module", autouse=True)
def _warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is compiled, loaded or hashed is so once, here, and not in every child."""
    for game in GAMES.values():
        for _ in range(20):
            Felt(game, timers=Timers(choosing=0)).dealt(SEATS)
    Pit(tmp_path_factory.mktemp("warm")).ledger.close()


# -- The child --------------------------------------------------------------------------------------


def fingerprint(draft: Draft | Event) -> str:
    told = canonical_json([draft.chain, draft.kind, draft.round, draft.data])
    return sha256(told).hexdigest()[:24]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Fate:
    """Kills its own process when the plan says so."""

    def __init__(self, plan: Plan, pipe: int) -> None:
        (self.when, self.number), self.pipe = plan, pipe
        self.came: Counter[str] = Counter()
        self.kinds: set[str] = set()  # of the events in the transaction that is being written

    def begins(self, pit: Pit) -> None:
        """The clock runs, and every commit is counted, those with payments of a stage apart."""
        dialect = pit.ledger.database.writing.dialect
        commit, add = dialect.do_commit, Transaction._add

        def do_commit(connection: Any) -> None:
            paid = "paid" in self.kinds
            self.kinds = set()
            self.at("before commit", "before stage" if paid else "")
            commit(connection)
            self.at("after commit", "after stage" if paid else "")

        def noted(transaction: Transaction, draft: Draft, text: str) -> Written:
            self.kinds.add(draft.kind)
            return add(transaction, draft, text)

        Transaction._add = noted  # type: ignore[method-assign, assignment]
        dialect.do_commit = do_commit  # type: ignore[method-assign, assignment]
        if self.when == "time":
            threading.Timer(self.number, die).start()

    def at(self, *moments: str) -> None:
        self.came.update(moments)
        if self.when in moments and self.came[self.when] >= self.number:
            die()

    def hear(self, drafts: tuple[Draft, ...]) -> None:
        """An act was acknowledged."""
        os.write(self.pipe, (" ".join(map(fingerprint, drafts)) + "\n").encode())
        self.at("acknowledged")


async def play(folder: Path, database: str, seed: int, fate: Fate) -> None:
    """Everybody plays until the end."""
    pit = Pit(folder, database)
    fate.begins(pit)
    await pit.start()
    await pit.decide(lambda register: approve_all(register, pit.house, GAMES.values(), today()))
    async with asyncio.TaskGroup() as group:
        for n, game in enumerate(GAMES.values()):
            draw = random.Random(seed + n)
            if game.name not in pit.tables:
                await pit.open_table(game.name, game, HOUSE_ACTOR, STANDARD_LIMITS, BRISK)
            group.create_task(supervise(pit, game.name, draw, fate))
            for seat in SEATS:
                group.create_task(sit_and_play(pit, game.name, seat, draw, fate))


async def sit_and_play(pit: Pit, name: str, seat: int, draw: random.Random, fate: Fate) -> None:
    player = f"{name} player {seat}"
    await pit.give(lambda cage: cage.plan_welcome(player))
    while True:
        with suppress(Refused):
            if pit.cage.balance(player) < 5000 and pit.tables[name].table.places[seat] is None:
                await pit.give(lambda cage: cage.plan_refill(player))
            await done(pit.tables[name], act_of(player, seat, draw), fate)
        await asyncio.sleep(draw.random() * 0.004)


def act_of(player: str, seat: int, draw: random.Random) -> Callable[[Table], Table]:
    """What a player does next, mostly something sensible."""

    def change(table: Table) -> Table:
        place = table.places[seat]
        if place is None:
            return table.sit(player, seat, 5000 + 100 * draw.randrange(50))
        if draw.random() < 0.03:
            return table.leave(player, seat)
        if table.phase == Phase.CHOOSING:
            return table.choose(player, seat, draw.choice(table.game.choices).name)
        if draw.random() < 0.1 or place.bankroll + place.on_felt < 3000:
            return table.buy(player, seat, 3000)
        if place.wagers:
            return table.ready(player, seat)
        return table.wager(player, seat, wagers(table.game))

    return change


async def supervise(pit: Pit, name: str, draw: random.Random, fate: Fate) -> None:
    """Now and then a round is void, the shuffler fails, or the table closes and opens again."""
    while True:
        await asyncio.sleep(draw.random() * 0.1)
        with suppress(Refused):
            table = pit.tables[name].table
            if table.phase == Phase.CLOSED:
                await pit.open_table(name, table.game, "boss", STANDARD_LIMITS, BRISK)
            else:
                act, *words = draw.choice(_acts_of_the_house(table, draw))
                await done(pit.tables[name], lambda table: _do(table, act, words), fate)  # noqa: B023


def _do(table: Table, act: str, words: list[Any]) -> Table:
    if act == "irregularity":  # recorded and void in one write
        return record_irregularity(table, "boss", "exposed-card", "dealer", "void")
    after: Table = getattr(table, act)("boss", *words)
    return after


def _acts_of_the_house(table: Table, draw: random.Random) -> list[tuple[Any, ...]]:
    """What can be done now; a shuffler that waits for something is served."""
    machines = table.machines
    if machines.is_replacing:
        return [("confirm_step", machines.step + 1)]
    if machines.why_waiting:
        return [("consult_guide",), ("deal_by_hand",), ("close",)]
    tests = [("test_shuffler", name) for name in ("main", "backup") if machines[name].out]
    return [("irregularity",), ("void", "Spill."), ("drill", draw.choice(FAULTS)), ("close",), *tests]


async def done(live: LiveTable, change: Callable[[Table], Table], fate: Fate) -> None:
    drafts: tuple[Draft, ...] = ()

    def noted(table: Table) -> Table:
        nonlocal drafts
        after = change(table)
        drafts = after.unwritten
        return after

    await live.act(noted)
    fate.hear(drafts)


# -- The parent -------------------------------------------------------------------------------------


def in_child(work: Callable[[int], Coroutine[Any, Any, None]]) -> tuple[int, list[str]]:
    """Run in a process of its own: how it ended, and the lines that it wrote."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reads)
            signal.alarm(60)
            asyncio.run(work(writes))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(1)
    os.close(writes)
    with open(reads, encoding="ascii") as lines:
        said = lines.read().splitlines()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), said


class Killed:
    """A ledger whose servers are killed one after the other, and what they acknowledged."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.database = folder, database
        self.acknowledged: Counter[str] = Counter()
        self.written: Counter[str] = Counter()
        self.chains: dict[str, ReadChain] = {}
        self.rounds = 0
        self.between_stages: set[str] = set()  # tables that were left with wagers paid and others open

    def by(self, plan: Plan, seed: int) -> None:
        status, said = in_child(lambda pipe: play(self.folder, self.database, seed, Fate(plan, pipe)))
        assert status == -signal.SIGKILL, f"the server ended by itself: {status}"
        self.acknowledged.update(word for line in said for word in line.split())
        self.check()

    def check(self) -> None:
        with Ledger.open(self.database, writer=False) as ledger:
            await_rest(ledger)
            assert list(verify_chains(ledger)) == []
            for chain in ledger.chains():
                read = self.chains.setdefault(chain, ReadChain())
                self.written.update(map(fingerprint, read.take_new(list(ledger.events(chain)))))
            assert not self.acknowledged - self.written
            vault, cage = Vault.open(self.folder / "vault.key"), Cage.from_events(ledger.events(CAGE))
            assert Cage.from_events(ledger.events_from_last(CAGE, "standing")).balances == cage.balances
            tables = [
                read.check(recover_table(ledger, vault, chain))
                for chain, read in self.chains.items()
                if chain not in OTHER_CHAINS
            ]
        assert cage.at_tables == sum(t.chips + t.meters.win + t.win_in_round for t in tables)
        assert cage.issued == sum(cage.balances.values()) + cage.at_tables
        self.between_stages |= {t.name for t in tables if t.paid and t.phase in ROUND_PHASES}
        rounds = sum(table.meters.rounds for table in tables)
        assert rounds >= self.rounds
        self.rounds = rounds


def await_rest(ledger: Ledger) -> None:
    """A database server still ends what a client had sent before it was killed."""
    before = None
    while before != (before := ledger.heads()):
        time.sleep(0.0 if ledger.database.is_file else 0.1)


class ReadChain:
    """A chain as far as it was read. An event is read once: its digest binds all events before it."""

    def __init__(self) -> None:
        self.number, self.digest = 0, GENESIS
        self.table: Table | None = None
        self.committed: dict[str, str] = {}  # shuffles that are not yet revealed
        self.shown = 0
        self.ended: Counter[int] = Counter()  # by round
        self.closed: set[int] = set()  # rounds in whose betting the table closed
        self.paid: dict[int, list[Any]] = {}  # by round, what was paid while it went on

    def take_new(self, events: list[Event]) -> list[Event]:
        """The events after those that were read, which are still the same."""
        assert not self.number or events[self.number - 1].digest == self.digest
        new = events[self.number :]
        self.number, self.digest = len(events), events[-1].digest
        if events[0].chain not in OTHER_CHAINS:
            self._fold(new)
        return new

    def _fold(self, new: list[Event]) -> None:
        for event in new:
            self.table = self.table.after(event) if self.table else Table.from_event(event)
        self.shown += keeps_its_word(new, self.committed)
        self.ended.update(event.round for event in new if event.kind in ("settled", "void"))
        self.closed |= {event.round for event in new if event.kind == "closed"}
        self._check_stages(new)

    def _check_stages(self, new: list[Event]) -> None:
        """No wager is paid twice, and the end of a round repeats what its stages paid."""
        for event in new:
            paid = self.paid.setdefault(event.round, [])
            if event.kind == "paid":
                paid += event.data["payments"]
            wagers = [(seat, spot) for seat, spot, *_ in paid]
            assert len(set(wagers)) == len(wagers), "no wager is paid twice"
            if event.kind == "settled":
                assert event.data["payments"][: len(paid)] == paid

    def check(self, table: Table) -> Table:
        """A recovered table is the same that its whole chain folds to, with the cards it promised."""
        found, folded = vars(table), vars(self.table)
        compared = [field.name for field in fields(Table) if field.compare and field.name != "shuffle"]
        assert {name: found[name] for name in compared} == {name: folded[name] for name in compared}
        assert table.shuffle is not None
        assert table.shuffle.commitment == table.commitment
        assert self.shown == table.cycles - (not table.spent)
        assert max(self.ended.values(), default=1) == 1, "no round is paid twice"
        assert set(self.ended) >= set(range(1, table.round)) - self.closed
        return table


MOMENTS = ("before commit", "after commit", "acknowledged")


def plans(seed: int, kills: int) -> list[Plan]:
    """Each kind of moment in turn, at a number or time that the seed gives."""
    draw = random.Random(seed)
    first: list[Plan] = [(moment, 1) for moment in MOMENTS]
    later: list[Plan] = [
        ("time", draw.uniform(0.02, 0.4)) if n % 4 == 3 else (MOMENTS[n % 4], draw.randrange(2, 60))
        for n in range(kills - len(first))
    ]
    return first + later


def test_a_server_killed_at_any_moment_loses_nothing(tmp_path: Path, database: str) -> None:
    killed = Killed(tmp_path, database)
    for seed, plan in enumerate(plans(1, 15)):
        killed.by(plan, seed)
    assert killed.acknowledged


def test_a_server_killed_between_two_stages_pays_each_wager_once(tmp_path: Path) -> None:
    """Right before and right after the payments of a stage are on disk, and the next server goes on."""
    killed = Killed(tmp_path, str(tmp_path / "ledger.sqlite"))
    for number in range(1, 5):
        for moment in ("before stage", "after stage"):
            killed.by((moment, number), 100 + number)
    assert killed.between_stages


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3])
def test_hundreds_of_killed_servers_lose_nothing(tmp_path: Path, database: str, seed: int) -> None:
    killed = Killed(tmp_path, database)
    for n, plan in enumerate(plans(seed, 30 if "://" not in database else 10)):
        killed.by(plan, 1000 * seed + n)
    assert killed.rounds


@pytest.mark.slow
def test_a_server_killed_around_each_of_its_first_commits_loses_nothing(tmp_path: Path) -> None:
    """From an empty folder: making the ledger, approvals, opening tables, first seats and wagers."""
    for moment in MOMENTS:
        for number in range(1, 9 if moment == "acknowledged" else 25):  # it comes after a commit
            folder = tmp_path / f"{moment} {number}"
            folder.mkdir()
            killed = Killed(folder, str(folder / "ledger.sqlite"))
            killed.by((moment, number), number)
            killed.by(("acknowledged", 5), number)


# -- A ledger that fails ----------------------------------------------------------------------------


@asynccontextmanager
async def running(folder: Path, database: str = "", timers: Timers = BY_HAND) -> AsyncIterator[Pit]:
    """A pit with an open table of each game, and two players who have their welcome."""
    pit = Pit(folder, database or None)
    await pit.start()
    await pit.decide(lambda register: approve_all(register, pit.house, GAMES.values(), today()))
    for game in GAMES.values():
        if game.name not in pit.tables:
            await pit.open_table(game.name, game, HOUSE_ACTOR, STANDARD_LIMITS, timers)
    for player in ("ann", "bob"):
        await pit.give(lambda cage, player=player: cage.plan_welcome(player))  # type: ignore[misc]
    try:
        yield pit
    finally:
        await pit.stop()


class Fails:
    """Commits fail while this is on, before they are made or after."""

    def __init__(self, pit: Pit, after: bool = False) -> None:
        self.dialect, self.after = pit.ledger.database.writing.dialect, after

    def __enter__(self) -> None:
        self.commit = self.dialect.do_commit
        self.dialect.do_commit = self.do_commit  # type: ignore[method-assign, assignment]

    def __exit__(self, *_: object) -> None:
        self.dialect.do_commit = self.commit  # type: ignore[method-assign, assignment]

    def do_commit(self, connection: Any) -> None:
        if self.after:
            self.commit(connection)
        raise sqlite3.OperationalError("disk I/O error")


def wager(player: str, seat: int = 0) -> Callable[[Table], Table]:
    return lambda table: table.wager(player, seat, wagers(table.game))


async def test_a_ledger_that_is_down_stops_new_acts_and_loses_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as pit:
        for live in pit.tables.values():
            await live.act(lambda table: table.sit("ann", 0, 5000))
            before = live.table
            with Fails(pit):
                for _ in range(2):
                    with pytest.raises(LedgerDown, match="The ledger cannot be written: disk I/O error; "):
                        await live.act(wager("ann"))
                assert live.table == before
                with pytest.raises(LedgerDown):
                    await live.act(lambda table: table.sit("bob", 1, 5000))
                with pytest.raises(LedgerDown):
                    await pit.give(lambda cage: cage.plan_issue("ann", 1, "test"))
            await live.act(wager("ann"))
            assert live.table.bettors == [0]
        assert pit.cage.balance("ann") == WELCOME_CENTS - 5000 * len(pit.tables)
        assert pit.cage.balance("bob") == WELCOME_CENTS


async def test_an_act_whose_answer_was_lost_happened_once(tmp_path: Path) -> None:
    async with running(tmp_path) as pit:
        live = pit.table("triple-shot-rummy")
        watcher = Watcher("ann")
        live.watchers.add(watcher)
        with Fails(pit, after=True), pytest.raises(LedgerDown, match="not known whether it was accepted"):
            await live.act(lambda table: table.sit("ann", 0, 5000))
        with pytest.raises(Refused, match="Seat 1 is taken"):
            await live.act(lambda table: table.sit("ann", 0, 5000))
        await asyncio.wait_for(watcher.wait(), 60)
        assert live.table.chips == 5000
        await pit.give(lambda cage: cage.plan_issue("ann", 1, "test"))
        assert pit.cage.balance("ann") == WELCOME_CENTS - 5000 + 1


async def test_a_phase_that_ended_though_the_answer_was_lost_does_not_end_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock closes the betting; it must not choose for the player when it tries again."""
    monkeypatch.setattr(live_module, "RETRY_SECONDS", 0.01)
    async with running(tmp_path, timers=Timers(betting=0.5, choosing=300)) as pit:
        live = pit.table("high-five-poker")
        await live.act(lambda table: table.sit("ann", 0, 5000))
        await live.act(wager("ann"))
        with Fails(pit, after=True):
            await wait_until(lambda: pit.ledger.down)
        await wait_until(lambda: live.table.phase == Phase.CHOOSING and live.ends)
        await asyncio.sleep(0.1)  # time for another try
        assert (live.table.phase, live.table.turn) == (Phase.CHOOSING, 0)
        assert live.ends is not None
        assert live.ends - time.monotonic() > 200, "the player has the whole time"


async def test_a_decision_whose_answer_was_lost_is_known_afterwards(tmp_path: Path) -> None:
    async with running(tmp_path) as pit:
        game = GAMES["casino-war"].with_options({"decks": "1"})
        numbers = len(pit.approvals.approvals)
        with Fails(pit, after=True), pytest.raises(LedgerDown):
            await pit.decide(lambda register: register.draft(pit.house, game, DEMONSTRATOR, today()))
        await pit.decide(lambda register: register)
        assert len(pit.approvals.approvals) == numbers + 1


async def test_a_table_whose_opening_got_no_answer_is_open(tmp_path: Path) -> None:
    async with running(tmp_path) as pit:
        words = (GAMES["casino-war"], "boss", STANDARD_LIMITS, BY_HAND)
        with Fails(pit, after=True), pytest.raises(LedgerDown):
            await pit.open_table("lost", *words)
        with pytest.raises(Refused, match="lost is open already"):
            await pit.open_table("lost", *words)
        assert pit.table("lost").table.phase == Phase.BETTING


def test_a_full_disk_stops_play_and_space_lets_it_go_on(tmp_path: Path) -> None:
    """No file may grow past a limit for a while, as on a disk that is full."""

    async def fills(_: int) -> None:
        async with running(tmp_path) as pit:
            live = pit.table("triple-shot-rummy")
            await live.act(lambda table: table.sit("ann", 0, 50_000))
            log = tmp_path / "ledger.sqlite-wal"
            resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size + 60_000, resource.RLIM_INFINITY))
            accepted = 0
            with suppress(LedgerDown):
                while accepted < 1000:
                    await live.act(wager("ann"))
                    accepted += 1
            assert 0 < accepted < 1000
            with pytest.raises(LedgerDown, match=r"^The ledger cannot be written: .* accepted\.$"):
                await live.act(wager("ann"))
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
            await live.act(wager("ann"))
            wagered = sum(event.kind == "wagered" for event in pit.ledger.events(live.table.name))
            assert wagered == accepted + 1
            assert live.table.chips == 50_000

    assert in_child(fills) == (0, [])


# -- Many at once -----------------------------------------------------------------------------------


def refusals(answers: list[Any]) -> list[str]:
    assert all(isinstance(answer, (Table, Refused)) for answer in answers), answers
    return [str(answer) for answer in answers if isinstance(answer, Refused)]


async def test_of_two_who_want_one_seat_one_gets_it(tmp_path: Path) -> None:
    async with running(tmp_path) as pit:
        for live in pit.tables.values():
            acts = (live.act(lambda table, who=who: table.sit(who, 0, 500)) for who in ("ann", "bob"))  # type: ignore[misc]
            assert refusals(await asyncio.gather(*acts, return_exceptions=True)) == ["Seat 1 is taken."]


async def test_of_two_clients_of_one_seat_one_chooses(tmp_path: Path) -> None:
    async with running(tmp_path) as pit:
        live = pit.table("high-five-poker")
        await live.act(lambda table: table.sit("ann", 0, 5000))
        await live.act(wager("ann"))
        while live.table.phase != Phase.CHOOSING:
            await live.act(lambda table: table.time_is_up())
        acts = (live.act(lambda table, name=name: table.choose("ann", 0, name)) for name in ("play", "fold"))  # type: ignore[misc]
        said = refusals(await asyncio.gather(*acts, return_exceptions=True))
        assert said == ["No choice is open: the round is over."]
        assert live.table.rounds[0].chosen == ("play",)


async def test_two_buy_ins_at_once_never_overdraw(tmp_path: Path) -> None:
    async with running(tmp_path) as pit:
        cents = WELCOME_CENTS // 2 + 500
        acts = (live.act(lambda table: table.sit("ann", 0, cents)) for live in pit.tables.values())
        said = refusals(await asyncio.gather(*acts, return_exceptions=True))
        assert len(said) == len(pit.tables) - 1
        assert (
            pit.cage.balance("ann")
            == WELCOME_CENTS - cents
            == WELCOME_CENTS - sum(live.table.chips for live in pit.tables.values())
        )


async def test_of_two_who_open_a_table_one_does(tmp_path: Path) -> None:
    async with running(tmp_path) as pit:
        words = ("new", GAMES["casino-war"], "boss", STANDARD_LIMITS, BY_HAND)
        answers = await asyncio.gather(*(pit.open_table(*words) for _ in range(3)), return_exceptions=True)
        assert [type(answer) for answer in answers] == [LiveTable, Refused, Refused]
        assert len(pit.ledger.last_events("new", ("opened",), 9)) == 1


async def test_who_stops_waiting_does_not_stop_the_act(tmp_path: Path) -> None:
    async with running(tmp_path) as pit:
        live = pit.table("casino-war")
        task = asyncio.create_task(live.act(lambda table: table.sit("ann", 0, 500)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await live.act(lambda table: table.sit("bob", 1, 500))
        assert [place and place.player for place in live.table.places[:2]] == ["ann", "bob"]
        assert pit.cage.balance("ann") == WELCOME_CENTS - 500


# -- The clock --------------------------------------------------------------------------------------


async def test_timers_run_on_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path, timers=Timers(betting=2, choosing=0.05, reveal=0.02)) as pit:
        tables = pit.tables
        for live in tables.values():
            await live.act(lambda table: table.sit("ann", 0, 5000))
            await live.act(wager("ann"))
    async with running(tmp_path) as pit:
        for name, before in tables.items():
            live = pit.table(name)
            assert live.table.round >= before.table.round
            await wait_until(lambda live=live: live.table.round == 2)  # type: ignore[misc]
            assert live.table.meters.rounds == 1


async def test_each_stage_has_a_clock_of_its_own(tmp_path: Path) -> None:
    """Seven seats: in most rounds a blackjack is settled right after War, without a choice between them."""
    async with running(tmp_path, timers=Timers(choosing=0, paying=0.01, reveal=0)) as pit:
        live = pit.table("triple-shot-bonus")
        players = [f"player {seat}" for seat in range(len(live.table.places))]
        for seat, player in enumerate(players):
            await pit.give(lambda cage, who=player: cage.plan_welcome(who))
            await live.act(lambda table, who=player, at=seat: table.sit(who, at, 50_000))
        for round in range(live.table.round, live.table.round + 15):
            for seat, player in enumerate(players):
                await live.act(wager(player, seat))
            await live.act(lambda table: table.no_more_bets())
            async with asyncio.timeout(60):
                while live.table.round == round:
                    await asyncio.sleep(0.01)


async def test_no_timer_runs_while_nobody_has_bet(tmp_path: Path) -> None:
    async with running(tmp_path, timers=Timers(betting=300)) as pit:
        live = pit.table("casino-war")
        await live.act(lambda table: table.sit("ann", 0, 5000))
        assert live.ends is None
        await live.act(wager("ann"))
        assert live.ends is not None
        ends = live.ends
        await live.act(lambda table: table.sit("bob", 1, 5000))
        assert live.ends == ends, "another's act does not make it longer"
        await live.act(lambda table: table.wager("ann", 0, {}))
        assert live.ends is None


async def test_a_betting_without_bets_does_not_end(tmp_path: Path) -> None:
    async with running(tmp_path, timers=Timers(betting=0.02, choosing=0.02)) as pit:
        live = pit.table("casino-war")
        await live.act(lambda table: table.sit("ann", 0, 5000))
        await asyncio.sleep(0.05)
        assert (live.table.phase, live.table.round) == (Phase.BETTING, 1)


async def test_a_stopped_table_runs_no_clock(tmp_path: Path) -> None:
    async with running(tmp_path, timers=Timers(betting=0.02, choosing=0.02)) as pit:
        live = pit.table("casino-war")
        await live.act(lambda table: table.sit("ann", 0, 5000))
        live.stop()
        await live.act(wager("ann"))
        await asyncio.sleep(0.05)
        assert live.table.phase not in ROUND_PHASES
        assert live.ends is None


# -- What an operator can do to a ledger --------------------------------------------------------------


async def begun(folder: Path, **more: bool) -> Pit:
    pit = Pit(folder, **more)
    await pit.start()
    await pit.demo()
    return pit


async def in_mid_round(pit: Pit) -> Table:
    await pit.give(lambda cage: cage.plan_welcome("ann"))
    live = pit.table("high-five-poker-1")
    await live.act(lambda table: table.sit("ann", 0, 10_000))
    await live.act(lambda table: table.wager("ann", 0, {"ante": 500}))
    return await live.act(lambda table: table.ready("ann", 0))


async def test_a_ledger_that_was_moved_away_takes_nothing_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    pit = await begun(tmp_path)
    before = await in_mid_round(pit)
    place, away = tmp_path / "ledger.sqlite", tmp_path / "away"
    place.rename(away)
    for _ in range(2):
        with pytest.raises(LedgerDown, match="moved or replaced"):
            await pit.table("high-five-poker-1").act(lambda table: table.choose("ann", 0, "fold"))
    with pytest.raises(LedgerDown, match="moved or replaced"):
        pit.accounts.create("somebody", "a long password")
    assert not place.exists()
    away.rename(place)
    after = await pit.table("high-five-poker-1").act(lambda table: table.choose("ann", 0, "fold"))
    assert after.round == before.round + 1
    await pit.stop()
    with Ledger.open(place, writer=False) as ledger:
        assert verify(ledger).problems == []


async def test_cards_that_no_key_opens_are_given_up_only_when_told_and_no_money_is(tmp_path: Path) -> None:
    pit = await begun(tmp_path)
    await in_mid_round(pit)
    pit.ledger.close()
    (tmp_path / "vault.key").unlink()
    keyless = Pit(tmp_path)  # which makes a new key
    with pytest.raises(Refused, match="--lost-key"):
        await keyless.start()
    keyless.ledger.close()
    pit = await begun(tmp_path, lost_key=True)
    table = pit.table("high-five-poker-1").table
    assert table.phase is Phase.BETTING
    assert table.places[0] is not None
    assert table.places[0].bankroll == 10_000
    assert "key of the vault" in table.last_void_reason
    await in_mid_round_again(pit)
    await pit.stop()
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        assert verify(ledger).problems == []


SWAP = "UPDATE vault SET sealed = (SELECT sealed FROM vault WHERE name = ?) WHERE name = ?"
DELETE = "DELETE FROM vault WHERE name IN (?, ?)"
DAMAGE = "UPDATE vault SET sealed = x'0000' WHERE name IN (?, ?)"


@pytest.mark.parametrize(
    ("query", "reason"), [(SWAP, "not those to which"), (DELETE, "are missing"), (DAMAGE, "are damaged")]
)
async def test_sealed_cards_that_an_insider_exchanged_or_deleted_are_never_dealt(
    tmp_path: Path, query: str, reason: str
) -> None:
    pit = await begun(tmp_path)
    await in_mid_round(pit)
    pit.ledger.close()
    with sqlite3.connect(tmp_path / "ledger.sqlite") as database:
        database.execute(query, ("casino-war-1/1", "high-five-poker-1/1"))
    database.close()
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        found = [problem.sentence for problem in verify(ledger).problems]
        assert any("cards of high-five-poker-1/1 are missing" in one for one in found) == (query is DELETE)
    pit = await begun(tmp_path)
    table = pit.table("high-five-poker-1").table
    assert table.phase is Phase.CLOSED
    assert pit.cage.balances["ann"] == WELCOME_CENTS  # the wager went back
    assert pit.table("three-card-poker-1").table.phase is Phase.BETTING
    await pit.stop()
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        assert any(reason in problem.sentence for problem in verify(ledger).problems)


async def in_mid_round_again(pit: Pit) -> None:
    live = pit.table("high-five-poker-1")
    await live.act(lambda table: table.wager("ann", 0, {"ante": 500}))
    await live.act(lambda table: table.ready("ann", 0))
    await live.act(lambda table: table.choose("ann", 0, "fold"))


async def test_a_long_name_with_a_slip_is_refused_at_once(tmp_path: Path) -> None:
    pit, begins = await begun(tmp_path), time.monotonic()
    for name in ("a" * 40 + "_", "highlimitrabbithuntertable_1", "a" * 41, "a", "-a", "a--b"):
        with pytest.raises(Refused, match="2 to 40"):
            await pit.open_table(name, GAMES["casino-war"], "sue", STANDARD_LIMITS, Timers())
    assert time.monotonic() - begins < 60  # a pattern that tries everything would take years
    await pit.stop()
