"""Progressives over servers that share a ledger: one book of meters, secret amounts that all can find."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.ledger.event import HOUSE_ACTOR, JACKPOT_CHAIN, Entry, Event, StoredEvent
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.vault import KEY_FILE
from feltlab.pit.approvals import approve_all
from feltlab.pit.pit import Pit, today
from feltlab.pit.verify import verify
from feltlab.progressives.catalogue import all_progressives
from tests.pit.test_jackpots import GAME, finish, play
from tests.pit.test_members import member_of
from tests.pit.test_must_hits import RULES
from tests.support.databases import schema
from tests.support.felt import BY_HAND
from tests.support.running import wait_until

LINK = RULES.name


@pytest.fixture
def url(postgres: str) -> Iterator[str]:
    with schema(postgres) as found:
        yield found


async def open_seated(pit: Pit, *numbers: int) -> None:
    """Open tables at which ann and bob sit."""
    await pit.decide(lambda register: approve_all(register, pit.house, [GAME], today()))
    for number in numbers:
        live = await pit.open_table(f"t-{number}", GAME, HOUSE_ACTOR, STANDARD_LIMITS, BY_HAND)
        for seat, player in enumerate((f"ann-{number}", f"bob-{number}")):
            await pit.give(lambda cage, player=player: cage.plan_welcome(player))
            await live.act(lambda table, player=player, seat=seat: table.sit(player, seat, 50_000))


@asynccontextmanager
async def two_members(folder: Path, url: str) -> AsyncIterator[tuple[Pit, Pit, str, str]]:
    """Two servers with the link open, and a table of each of them that feeds it."""
    async with member_of(folder, url) as first, member_of(folder, url, "b") as second:
        await open_seated(first, 1, 2)
        await wait_until(lambda: len(first.own_tables) == len(second.own_tables) == 1)
        await first.jackpots.open(RULES, HOUSE_ACTOR, 2)
        await first.jackpots.fund(LINK, 100_000, HOUSE_ACTOR)  # for the seeds of many jackpots
        mine, theirs = first.own_tables[0].table.name, second.own_tables[0].table.name
        for name in (mine, theirs):
            await first.jackpots.join(LINK, name, HOUSE_ACTOR)
        await wait_until(lambda: LINK in second.jackpots.book.links)
        yield first, second, mine, theirs


def find_problems(url: str, folder: Path) -> list[str]:
    with Ledger.open(url, writer=False) as ledger:
        return [problem.sentence for problem in verify(ledger, key=folder / KEY_FILE).problems]


async def test_secret_amounts_are_drawn_revealed_and_paid_by_any_server(tmp_path: Path, url: str) -> None:
    """Ten rounds at each of two servers at the same time; a jackpot lasts three bets at most."""
    async with two_members(tmp_path, url) as (first, second, mine, theirs):

        async def play_ten(pit: Pit, table: str) -> None:
            for _ in range(10):
                await play(pit, table)

        await asyncio.gather(play_ten(first, mine), play_ten(second, theirs))
        hits = list(first.ledger.events(JACKPOT_CHAIN, kinds=("must-hit",)))
        assert len(hits) >= 40 // 3
        assert {event.data["table"] for event in hits} == {mine, theirs}
        await wait_until(lambda: second.jackpots.book.number == first.jackpots.book.number)
        assert second.jackpots.book.to_json() == first.jackpots.book.to_json()
    assert find_problems(url, tmp_path) == []


async def test_a_secret_amount_that_another_server_has_just_revealed_is_not_missing(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second server learns of the hits of the first one only with the answer to its own next write."""
    async with two_members(tmp_path, url) as (first, second, mine, theirs):
        held: list[StoredEvent] = []
        append, membership, live = second.ledger.append, second.membership, second.table(theirs)
        assert membership
        follow, player = membership.follow, live.table.place(0).player

        async def append_and_follow(entry: Entry) -> tuple[Event, ...]:
            try:
                return await append(entry)
            finally:
                await asyncio.sleep(0.2)  # what the writer's thread passes on
                follow(held[:])
                held.clear()

        async def fall_behind() -> None:
            """The first server reveals the amount to which the link is committed, and the next one."""
            for _ in range(2):
                await play(first, mine)
            known, current = (pit.jackpots.book.find(LINK).commitments["mystery"] for pit in (second, first))
            assert known != current

        await live.act(lambda table: table.wager(player, 0, {"ante": 500}))
        monkeypatch.setattr(membership, "follow", held.extend)
        monkeypatch.setattr(second.ledger, "append", append_and_follow)
        await fall_behind()
        await second.jackpots.bet(live, player, 0, True)
        await fall_behind()
        await live.act(lambda table: table.no_more_bets())
        await finish(second, theirs)
        assert second.jackpots.book.find(LINK).bets == 4 * 2 + 1
    assert find_problems(url, tmp_path) == []


async def test_sensors_go_out_at_the_tables_of_every_server(tmp_path: Path, url: str) -> None:
    async with two_members(tmp_path, url) as (first, second, mine, theirs):
        for pit, table in ((first, mine), (second, theirs)):
            live = pit.table(table)
            player = live.table.place(0).player
            await live.act(lambda table, player=player: table.wager(player, 0, {"ante": 500}))
            await pit.jackpots.bet(live, player, 0, True)
        await first.jackpots.leave(LINK, theirs, "sue")
        await wait_until(lambda: not second.table(theirs).table.place(0).jackpot)
        assert first.table(mine).table.place(0).jackpot == LINK
        await second.jackpots.close(LINK, "sue")
        await wait_until(lambda: not first.table(mine).table.place(0).jackpot)
        await wait_until(lambda: first.jackpots.book.find(LINK).closed)
        assert first.jackpots.book.find(LINK).bets == 0
    assert [one for one in find_problems(url, tmp_path) if "by sue" not in one] == []


async def test_servers_that_start_together_open_each_demonstration_once(tmp_path: Path, url: str) -> None:
    async with member_of(tmp_path, url) as first, member_of(tmp_path, url, "b") as second:
        await first.demo()
        known = all_progressives().values()
        await asyncio.gather(*(pit.jackpots.demonstrate(known) for pit in (first, second)))
        opened = [event.data["link"] for event in first.ledger.events(JACKPOT_CHAIN, kinds=("link-opened",))]
        assert sorted(opened) == sorted(all_progressives())
        joined = list(first.ledger.events(JACKPOT_CHAIN, kinds=("table-joined",)))
        assert len(joined) == len(known)
    assert find_problems(url, tmp_path) == []
