"""A server that comes back after another has run its ledger writes nothing that it decided before.

The pits share a folder and a real PostgreSQL; a cut connection is one that PostgreSQL has ended and that
cannot be made again for a while.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import text

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_ACTOR, Draft, Entry, LastSeen
from feltlab.ledger.ledger import Ledger, LedgerDown, Overtaken
from feltlab.ledger.terms import InUse
from feltlab.pit.approvals import approve_all
from feltlab.pit.pit import Pit, today
from feltlab.pit.seats import Phase
from feltlab.pit.verify import verify
from tests.support.databases import raw, schema
from tests.support.felt import BY_HAND
from tests.support.running import wait_until

TABLE = "war-1"


@pytest.fixture
def url(postgres: str) -> Iterator[str]:
    with schema(postgres) as found:
        yield found


@asynccontextmanager
async def pit_on(folder: Path, url: str) -> AsyncIterator[Pit]:
    pit = Pit(folder, url)
    await pit.start()
    try:
        yield pit
    finally:
        await pit.stop()


async def open_with_wager(pit: Pit) -> None:
    """A table at which ann has a wager, before the round is settled."""
    await pit.decide(lambda register: approve_all(register, pit.house, GAMES.values(), today()))
    live = await pit.open_table(TABLE, GAMES["casino-war"], HOUSE_ACTOR, STANDARD_LIMITS, BY_HAND)
    await pit.give(lambda cage: cage.plan_welcome("ann"))
    await live.act(lambda table: table.sit("ann", 0, 10_000))
    await live.act(lambda table: table.wager("ann", 0, {"primary": 500}))


async def play_round(pit: Pit) -> None:
    """Deal the round and settle it; the next one waits for bets."""
    live = pit.table(TABLE)
    round = live.table.round
    await live.act(lambda table: table.no_more_bets())
    while live.table.round == round:
        await live.act(lambda table: table.time_is_up())


def cut(pit: Pit, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """End the connection by which a pit writes, and let it make no other."""

    def fail() -> None:
        raise OSError("the network is cut")

    monkeypatch.setattr(pit.ledger._writer, "_connect", fail)
    lock = "locktype = 'advisory' AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid"
    with raw(url) as connection:
        connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE {lock}"))


def find_problems(url: str) -> list[str]:
    with Ledger.open(url, writer=False) as ledger:
        return [problem.sentence for problem in verify(ledger).problems]


async def test_a_cut_off_server_pays_no_seat_a_second_time(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with pit_on(tmp_path, url) as first:
        await open_with_wager(first)
        with monkeypatch.context() as patch:
            cut(first, url, patch)
            async with pit_on(tmp_path, url) as second:
                await play_round(second)
                left = await second.table(TABLE).act(lambda table: table.leave("ann", 0))
                paid = second.cage.balance("ann")
        assert left.places[0] is None
        with pytest.raises(LedgerDown, match="nothing was accepted"):
            await play_round(first)
        with suppress(Refused):  # the first failure may be that of the connection only
            await play_round(first)
        await wait_until(lambda: first.ledger.term == 3 and not first.ledger.is_lost)
        await wait_until(lambda: first.table(TABLE).table.places[0] is None)
        with pytest.raises(Refused, match="Seat 1 is empty"):
            await first.table(TABLE).act(lambda table: table.leave("ann", 0))
        await first.give(lambda cage: cage.plan_welcome("bob"))
        assert first.cage.balance("ann") == paid
        await first.table(TABLE).act(lambda table: table.sit("ann", 0, 1_000))
    assert find_problems(url) == []
    with Ledger.open(url, writer=False) as ledger:
        assert [event.data["term"] for event in ledger.events("house", kinds=("started",))] == [1, 2, 3]
        assert len(list(ledger.events(TABLE, kinds=("settled",)))) == 1


async def test_a_server_waits_while_the_one_that_took_over_lives(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with pit_on(tmp_path, url) as first:
        await open_with_wager(first)
        with monkeypatch.context() as patch:
            cut(first, url, patch)
            second = Pit(tmp_path, url)
            await second.start()
        with pytest.raises(LedgerDown):
            await first.table(TABLE).act(lambda table: table.no_more_bets())
        await asyncio.sleep(1.5)  # it has tried to begin another term
        with pytest.raises(LedgerDown, match="nothing was accepted"):
            await first.table(TABLE).act(lambda table: table.no_more_bets())
        await second.stop()
        await wait_until(lambda: first.ledger.term == 3 and not first.ledger.down)
        await play_round(first)
        assert first.table(TABLE).table.phase is Phase.BETTING
    assert find_problems(url) == []


async def test_a_decision_on_a_cage_that_moved_on_is_made_again(tmp_path: Path) -> None:
    """The cage in memory is behind, as after a commit whose answer was lost: the money is counted once."""
    async with pit_on(tmp_path, str(tmp_path / "ledger.sqlite")) as pit:
        await open_with_wager(pit)
        behind = pit.cage.number
        spent = Draft("cage", "to-table", {"account": "ann", "table": "x", "seat": 0, "cents": 90_000})
        await pit.ledger.append(Entry((spent,)))
        with pytest.raises(Overtaken):
            await pit.ledger.append(Entry((spent,), seen=(LastSeen("cage", behind),)))
        with pytest.raises(Refused, match="is more than the"):
            await pit.table(TABLE).act(lambda table: table.buy("ann", 0, 100))
        assert pit.cage.balance("ann") == 0
        assert pit.table(TABLE).table.place(0).bankroll == 9_500


PAUSED = """
import sys
from feltlab.ledger.event import Draft, Entry
from feltlab.ledger.ledger import Ledger, LedgerDown

with Ledger.open(sys.argv[1]) as ledger:
    for line in sys.stdin:
        try:
            print(ledger.append_blocking(Entry((Draft("one", "bet", {"cents": 1}),)))[0].number, flush=True)
        except LedgerDown as down:
            print(down, flush=True)
"""


def test_a_paused_server_writes_nothing_after_it_comes_back(url: str) -> None:
    def ask() -> str:
        child.stdin.write("go\n")
        child.stdin.flush()
        return child.stdout.readline()

    command = [sys.executable, "-c", PAUSED, url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin
        assert child.stdout
        assert ask() == "1\n"
        os.kill(child.pid, signal.SIGSTOP)
        with pytest.raises(InUse):  # its lease holds for some seconds
            Ledger.open(url)
        with wait_for_lease(url) as ledger:
            assert ledger.append_blocking(Entry((Draft("one", "bet", {"cents": 1}),)))[0].number == 2
            os.kill(child.pid, signal.SIGCONT)
            assert "nothing was accepted" in ask()
            assert ledger.append_blocking(Entry((Draft("one", "bet", {"cents": 1}),)))[0].number == 3
        assert "nothing was accepted" in ask()
        child.stdin.close()


def wait_for_lease(url: str) -> Ledger:
    for _ in range(10):
        try:
            return Ledger.open(url)
        except InUse:
            pass
    return Ledger.open(url)


@pytest.mark.parametrize("other", ["link", "folder"])
def test_another_name_of_a_file_starts_no_second_server(tmp_path: Path, other: str) -> None:
    """SQLite names its log after the path, so two servers on two names would destroy the ledger."""
    place, name = tmp_path / "ledger.sqlite", tmp_path / "other" / "ledger.sqlite"
    with Ledger.open(place) as ledger:
        if other == "link":
            name.parent.mkdir()
            os.link(place, name)
        else:
            name.parent.symlink_to(tmp_path)
        done = subprocess.run([sys.executable, "-c", PAUSED, name], input="", capture_output=True, text=True)
        assert "in use by another server" in done.stderr
        with pytest.raises(InUse):
            Ledger.open(name)
        ledger.append_blocking(Entry((Draft("one", "bet", {"cents": 1}),)))
    with Ledger.open(name) as ledger:
        assert ledger.heads()["one"][0] == 1
