"""A pit whose ledger a process of its own writes: what is lost with it, and what goes on."""

import asyncio
import contextlib
import os
import signal

import pytest

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_ACTOR
from feltlab.ledger.ledger import LedgerDown
from feltlab.pit.approvals import approve_all
from feltlab.pit.pit import Pit, today
from feltlab.pit.players.limits import PlayerLimits
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.verify import verify

GAME = GAMES["casino-war"]


@pytest.fixture
async def pit(tmp_path):
    pit = Pit(tmp_path, own_writer=True)
    await pit.start()
    await pit.decide(lambda register: approve_all(register, pit.house, [GAME], today()))
    timers = Timers(betting=2, choosing=None)
    live = await pit.open_table("war-1", GAME, HOUSE_ACTOR, STANDARD_LIMITS, timers)
    for seat, player in enumerate(("ann", "bob")):
        await pit.give(lambda cage, player=player: cage.plan_welcome(player))
        await live.act(lambda table, seat=seat, player=player: table.sit(player, seat, 10_000))
    yield pit
    await pit.stop()


def wager(cents):
    return lambda table: table.wager("ann", 0, {"primary": cents})


async def wait_until(holds):
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.01)


def kill_writer(pit):
    os.kill(pit.ledger.writer.process, signal.SIGKILL)


async def test_the_clock_of_a_table_goes_on(pit):
    live = pit.table("war-1")
    await live.act(wager(500))
    assert live.seconds
    kill_writer(pit)
    await wait_until(lambda: pit.ledger.is_lost)
    await wait_until(lambda: pit.is_ready)
    assert live.table.phase == Phase.BETTING
    assert live.seconds
    await wait_until(lambda: live.table.round > 1 or live.table.phase == Phase.CHOOSING)


async def test_a_writer_that_is_killed_again_and_again(pit):
    live, killed = pit.table("war-1"), set()
    for number in range(6):
        await asyncio.sleep(0.05 * number)  # also while everything is read from the ledger
        with contextlib.suppress(ProcessLookupError):
            killed.add(pit.ledger.writer.process)
            kill_writer(pit)
    await wait_until(lambda: pit.is_ready and not pit.ledger.is_lost)
    async with asyncio.timeout(20):
        while True:
            with contextlib.suppress(LedgerDown, Refused):  # its end may not be noticed yet
                table = await live.act(wager(700))
                break
            await asyncio.sleep(0.05)
    assert table.places[0].wagers == {"primary": 700}
    assert pit.ledger.writer.process not in killed
    assert verify(pit.ledger).sound


async def test_a_mistake_after_a_write_does_not_hold_the_table(pit):
    class Broken:
        account = "cid"

        def notify(self):
            raise ValueError("a mistake")

    live = pit.table("war-1")
    live.watchers.add(Broken())
    async with asyncio.timeout(5):
        await live.act(wager(500))
        live.watchers.clear()
        assert (await live.act(wager(600))).places[0].wagers == {"primary": 600}


async def test_an_action_that_waits_for_the_ledger_is_done_without_its_caller(pit):
    live = pit.table("war-1")
    live.distrust()
    caller = asyncio.create_task(live.act(wager(500)))
    await asyncio.sleep(0)
    caller.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await caller
    await wait_until(lambda: live.table.places[0].wagers == {"primary": 500})


async def test_a_limit_that_is_being_set_holds_for_the_next_round(pit):
    live = pit.table("war-1")
    await live.act(wager(5_000))

    async def set_limit():
        async with pit.books.player_lock("ann"):
            purse = pit.books.find_purse("ann", "", 0)
            limits = PlayerLimits(1_000, None, None)
            await pit.books.note_limits(pit.books.limits.plan_limits("ann", limits, purse))

    setting = asyncio.create_task(set_limit())
    await asyncio.sleep(0)
    with pytest.raises(Refused):
        await live.act_within_limits("ann", 0, None, lambda table: table.ready("ann", 0))
    await setting
