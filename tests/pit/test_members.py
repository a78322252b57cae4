"""Pits that share a ledger on a real PostgreSQL: each table is run by one of them, and all know the money.

Every pit has its own loop of events in reality; here they share one, and everything else is as it is.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_ACTOR, Draft, Entry
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.sharing.leases import Elsewhere
from feltlab.ledger.signed_tip import TipSigner
from feltlab.ledger.terms import InUse
from feltlab.pit.approvals import approve_all
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit, today
from feltlab.pit.players.limits import PlayerLimits
from feltlab.pit.recovery import recover_table
from feltlab.pit.seats import Phase
from feltlab.pit.verify import verify
from tests.support.databases import schema
from tests.support.felt import BY_HAND
from tests.support.running import wait_until

GAME = GAMES["casino-war"]


@pytest.fixture
def url(postgres: str) -> Iterator[str]:
    with schema(postgres) as found:
        yield found


@asynccontextmanager
async def member_of(folder: Path, url: str, name: str = "a") -> AsyncIterator[Pit]:
    pit = Pit(folder, url, address=f"http://{name}", is_shared=True)
    await pit.start()
    try:
        yield pit
    finally:
        await pit.stop()


async def open_tables(pit: Pit, *names: str) -> None:
    await pit.decide(lambda register: approve_all(register, pit.house, GAMES.values(), today()))
    for name in names:
        await pit.open_table(name, GAME, HOUSE_ACTOR, STANDARD_LIMITS, BY_HAND)


def runs(pit: Pit, name: str) -> bool:
    return name in pit.tables and pit.tables[name].is_ours


async def wait_for_owner(pits: list[Pit], name: str) -> Pit:
    await wait_until(lambda: any(runs(pit, name) for pit in pits))
    return next(pit for pit in pits if runs(pit, name))


async def play_round(live: LiveTable) -> None:
    round = live.table.round
    await live.act(lambda table: table.no_more_bets())
    while live.table.round == round:
        await live.act(lambda table: table.time_is_up())


def find_problems(url: str) -> list[str]:
    with Ledger.open(url, writer=False) as ledger:
        return [problem.sentence for problem in verify(ledger).problems]


async def test_tables_are_shared_out_mirrored_and_taken_over_in_the_same_round(
    tmp_path: Path, url: str
) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(member_of(tmp_path, url))
        await open_tables(first, "war-1", "war-2", "war-3", "war-4")
        async with member_of(tmp_path, url, "b") as second:
            await wait_until(lambda: len(first.own_tables) == 2 and len(second.own_tables) == 2)
            mine, theirs = first.own_tables[0].table.name, second.own_tables[0].table.name
            await wait_until(lambda: not first.membership.is_changing_hands(theirs))
            assert not any(map(first.membership.is_changing_hands, (mine, "nowhere")))
            with pytest.raises(Elsewhere):
                await first.table(theirs).act(lambda table: table.close(HOUSE_ACTOR, "x"))
            with pytest.raises(Elsewhere):  # nor past the table in memory
                await first.ledger.append(Entry((Draft(theirs, "closing", {"by": "x", "why": "x"}),)))
            await first.give(lambda cage: cage.plan_welcome("ann"))
            await second.table(theirs).act(lambda table: table.sit("ann", 0, 10_000))
            await second.table(theirs).act(lambda table: table.wager("ann", 0, {"primary": 500}))
            await second.table(theirs).act(lambda table: table.no_more_bets())
            await wait_until(lambda: first.cage.balance("ann") == 90_000)
            await wait_until(lambda: first.table(theirs).table.phase is Phase.NO_MORE_BETS)
            assert first.table(theirs).table.place(0).wagers == {"primary": 500}
            assert first.books.find_purse("ann", mine, 0).cents == 100_000
            await first.table(mine).act(lambda table: table.sit("ann", 0, 90_000))
            with pytest.raises(Refused, match="is more than"):  # decided again on the cage as it is
                await second.own_tables[1].act(lambda table: table.sit("ann", 1, 1_000))
            round = second.table(theirs).table.round
        await wait_until(lambda: len(first.own_tables) == 4)
        taken = first.table(theirs).table
        assert (taken.round, taken.phase, taken.playing) == (round, Phase.NO_MORE_BETS, (0,))
        while first.table(theirs).table.round == round:
            await first.table(theirs).act(lambda table: table.time_is_up())
    assert find_problems(url) == []


async def test_a_server_that_lost_its_term_writes_nothing_and_joins_again(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with member_of(tmp_path, url) as first, member_of(tmp_path, url, "b") as second:
        await open_tables(first, "war-1", "war-2")
        await wait_until(lambda: len(first.own_tables) == len(second.own_tables) == 1)
        lost = first.own_tables[0]
        name, term = lost.table.name, first.ledger.term

        def fail() -> None:
            raise OSError("the network is cut")

        with monkeypatch.context() as patch:
            patch.setattr(first.ledger._writer, "_connect", fail)
            await wait_until(lambda: runs(second, name))
            with pytest.raises(LedgerDown):
                await lost.act(lambda table: table.close(HOUSE_ACTOR, "x"))
            await second.table(name).act(lambda table: table.close(HOUSE_ACTOR, "x"))
        await wait_until(lambda: first.ledger.term > term and len(first.own_tables) == 1)
        with pytest.raises(Elsewhere):
            await lost.act(lambda table: table.close(HOUSE_ACTOR, "x"))
    assert find_problems(url) == []
    with Ledger.open(url, writer=False) as ledger:
        assert len(list(ledger.events(name, kinds=("closed",)))) == 1


async def test_no_table_is_unknown_while_everything_is_read_again(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that has waited since before may ask at any moment; 'is not a table' would be wrong."""
    async with member_of(tmp_path, url) as first, member_of(tmp_path, url, "b") as second:
        await open_tables(first, "war-1", "war-2")
        await open_tables(second, "war-3")
        assert first.membership
        await first.membership.catch_up()  # as a forwarder does before it answers
        assert "war-3" in first.tables
        unknown: set[str] = set()

        def read_slowly(ledger: Ledger, vault: None, name: str) -> object:
            unknown.update({"war-1", "war-2", "war-3"} - first.tables.keys())
            return recover_table(ledger, vault, name)

        monkeypatch.setattr("feltlab.pit.sharing.membership.recover_table", read_slowly)
        term = first.ledger.term
        await asyncio.to_thread(first.ledger.writer._lose)
        await wait_until(lambda: first.ledger.term > term and first.is_ready)
    assert unknown == set()


async def test_limits_hold_over_servers(tmp_path: Path, url: str) -> None:
    """A player who sets a limit at one server and wagers at two can lose no more than it."""
    async with member_of(tmp_path, url) as first, member_of(tmp_path, url, "b") as second:
        await open_tables(first, "war-1", "war-2")
        await wait_until(lambda: len(first.own_tables) == len(second.own_tables) == 1)
        await first.give(lambda cage: cage.plan_welcome("ann"))
        places = [(pit, pit.own_tables[0]) for pit in (first, second)]
        for _, live in places:
            await live.act(lambda table: table.sit("ann", 0, 10_000))
        purse = first.books.find_purse("ann", "", 0)
        await first.books.note_limits(first.books.limits.plan_limits("ann", PlayerLimits(loss=3_000), purse))

        async def wager(pit: Pit, live: LiveTable) -> None:
            wagers = {"primary": 1_000}  # a war doubles it
            await live.act_within_limits("ann", 0, wagers, lambda table: table.wager("ann", 0, wagers))

        done = await asyncio.gather(*(wager(*place) for place in places), return_exceptions=True)
        refused = [one for one in done if isinstance(one, Refused)]
        assert len(refused) == 1, done
        assert "loss limit" in str(refused[0])
    assert find_problems(url) == []


async def test_a_server_alone_and_members_exclude_each_other(tmp_path: Path, url: str) -> None:
    async with member_of(tmp_path, url):
        with pytest.raises(InUse):
            await asyncio.to_thread(Ledger.open, url)
    with Ledger.open(url, signer=TipSigner(tmp_path)), pytest.raises(InUse):
        await asyncio.to_thread(Ledger.open, url, is_shared=True)
