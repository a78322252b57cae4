"""Meters by WebSocket: told to every table of a link and to the wall, together, and only to those who ask."""

import asyncio

import orjson
import pytest
from websockets.asyncio.client import connect

from feltlab.ledger.event import HOUSE_ACTOR
from feltlab.server.api import meter_board
from tests.pit.test_jackpots import GAME, NEVER
from tests.support.running import listening, open_waiting_table, watching

BETS = 12


@pytest.fixture
async def linked(house):
    """Two tables on one link, and the port of the server."""
    await house.pit.jackpots.open(NEVER, HOUSE_ACTOR, 2)
    for name in ("t-1", "t-2"):
        await open_waiting_table(house, GAME.name, name)
        await house.pit.jackpots.join(NEVER.name, name, HOUSE_ACTOR)
    async with listening(house) as port:
        yield port


def listen(port, path, session=""):
    headers = {"Authorization": f"Bearer {session}"} if session else {}
    return connect(
        f"ws://127.0.0.1:{port}/api/{path}", additional_headers=headers, proxy=None, close_timeout=1
    )


async def wait_for_cents(web, cents):
    """Read until a meter shows this much; the number of messages about meters."""
    told = 0
    while True:
        said = orjson.loads(await asyncio.wait_for(web.recv(), 60))
        links = said.get("jackpots") or [said["jackpot"]] if {"jackpots", "jackpot"} & said.keys() else []
        told += bool(links)
        if any(meter["cents"] == cents for link in links for meter in link["meters"]):
            return told


async def bet(house, player, name, round):
    live = house.pit.table(name)
    await live.act(lambda table: table.wager(player, 0, {"ante": 500}))
    await house.pit.jackpots.bet(live, player, 0, True)
    await live.act(lambda table: table.no_more_bets())
    while live.table.round == round:
        await live.act(lambda table: table.time_is_up())


async def test_a_bet_at_one_table_is_told_at_the_other_and_on_the_wall(house, linked, monkeypatch):
    """A dozen bets one after the other are told together; 30 cents of each dollar are displayed."""
    monkeypatch.setattr(meter_board, "LEAST_SECONDS", 0.5)
    ann, bob = await house.guest(), await house.guest()
    await ann.at("t-1", "sit", seat=1, cents=50_000)
    async with (
        listen(linked, "tables/t-2/live?meters", bob.session) as other,
        listen(linked, "jackpots/live") as wall,  # which needs no session
    ):
        assert await wait_for_cents(other, 100_000) == await wait_for_cents(wall, 100_000) == 1
        first = asyncio.gather(*(wait_for_cents(web, 100_000 + 30 * BETS) for web in (other, wall)))
        for round in range(1, BETS + 1):
            await bet(house, ann.name, "t-1", round)
        for told in await first:
            assert 1 <= told <= BETS


async def test_a_socket_that_does_not_ask_gets_views_only(house, linked):
    ann = await house.guest()
    await ann.at("t-1", "sit", seat=1, cents=50_000)
    async with watching(linked, "t-1", ann.session) as web:
        await bet(house, ann.name, "t-1", 1)
        async with listen(linked, "tables/t-1/live?meters", ann.session) as asking:
            await wait_for_cents(asking, 100_030)
        await house.pit.jackpots.leave(NEVER.name, "t-1", HOUSE_ACTOR)
        await ann.at("t-1", "leave", seat=1)
        while True:
            said = orjson.loads(await asyncio.wait_for(web.recv(), 60))
            assert "table" in said
            if said["seats"][0]["player"] == "":
                break


async def test_a_table_that_leaves_its_link_is_told_that_it_feeds_none(house, linked):
    ann = await house.guest()
    async with listen(linked, "tables/t-1/live?meters", ann.session) as web:
        await wait_for_cents(web, 100_000)
        await house.pit.jackpots.leave(NEVER.name, "t-1", HOUSE_ACTOR)
        while orjson.loads(await asyncio.wait_for(web.recv(), 60)).get("jackpot", "") is not None:
            pass
