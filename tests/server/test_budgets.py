"""Limits by address and by account: connections, guests, the ledger and the disk, over real sockets."""

import asyncio
import logging
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import pytest

from feltlab.errors import Refused
from feltlab.ledger.event import EVENT_BYTES
from feltlab.pit.roles import Role
from feltlab.server.clients.allowance import LIMITS, MB, Allowance
from feltlab.server.clients.budgets import Disk
from feltlab.server.clients.connection_counts import ConnectionCounts
from feltlab.server.network import Network
from feltlab.server.rate_limits import RateLimit
from feltlab.web.app import app as web_app
from feltlab.web.serve import uvicorn_config
from tests.support.running import (
    WAR,
    Client,
    QuietServer,
    ask_socket,
    generous,
    refused,
    running,
    watching,
)

ANTE = {"primary": 500}


@asynccontextmanager
async def serving(house, allowance, network=None):
    """The port of a house under these limits."""
    network = network or Network(port=0)
    with network.open_socket() as place:
        server = QuietServer(uvicorn_config(house.app, network, allowance))
        task = asyncio.create_task(server.serve(sockets=[place]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield place.getsockname()[1]
        finally:
            server.should_exit = True
            await task


async def request_health(port, source="127.0.0.1"):
    """The status of a request from one of this machine's addresses; 0 if it is not answered."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
        writer.write(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = await asyncio.wait_for(reader.read(), 20)
        writer.close()
        return int(answer.split()[1])
    except (OSError, IndexError):
        return 0


async def open_idle(stack, port, count, source="127.0.0.1"):
    """Open connections that say nothing, as a hostile client does."""
    for _ in range(count):
        _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
        stack.callback(lambda held: held.transport.abort(), writer)
    await asyncio.sleep(0.05)


# -- Connections ------------------------------------------------------------------------------------


async def test_an_address_without_a_session_has_few_connections_and_others_have_theirs(tmp_path):
    limits = generous(connections=8, strangers=3)
    async with running(tmp_path, allowance=limits) as house, serving(house, limits) as port:
        guest = await house.guest()
        async with AsyncExitStack() as stack:
            sockets = [await stack.enter_async_context(watching(port, f"{WAR}-1", guest.session))]
            await sockets[0].recv()  # its session is known, so it is no stranger's
            await open_idle(stack, port, 3)
            assert await request_health(port) == 429
            assert await request_health(port, "127.0.0.2") == 200
        await asyncio.sleep(0.1)
        assert await request_health(port) == 200


async def test_sessions_have_a_limit_by_address_too(tmp_path):
    limits = generous(connections=4, strangers=3)
    async with running(tmp_path, allowance=limits) as house, serving(house, limits) as port:
        guest = await house.guest()
        async with AsyncExitStack() as stack:
            for _ in range(4):
                web = await stack.enter_async_context(watching(port, f"{WAR}-1", guest.session))
                await web.recv()
            assert await request_health(port) == 429
            assert await request_health(port, "127.0.0.2") == 200


async def test_an_address_with_many_connections_gives_one_up_when_all_places_are_taken(tmp_path, monkeypatch):
    monkeypatch.setattr("feltlab.server.connection.MAX_CONNECTIONS", 10)
    async with running(tmp_path) as house, serving(house, generous()) as port, AsyncExitStack() as stack:
        await open_idle(stack, port, 10)
        for host in ("127.0.0.2", "127.0.0.3"):
            await open_idle(stack, port, 1, host)
        assert await request_health(port) == 0
        assert await request_health(port, "127.0.0.4") == 200


async def test_behind_a_proxy_the_forwarded_address_is_counted(tmp_path):
    limits, network = generous(connections=2, strangers=2), Network(port=0, proxies=("127.0.0.1",))
    async with running(tmp_path, allowance=limits) as house, serving(house, limits, network) as port:
        uri = f"http://127.0.0.1:{port}/api/health"
        async with AsyncExitStack() as stack, httpx.AsyncClient(trust_env=False) as http:
            for _ in range(2):  # sockets without a session, which wait for their first message
                web = watching(port, f"{WAR}-1", **{"X-Forwarded-For": "2001:db8::7"})
                await stack.enter_async_context(web)
            await open_idle(stack, port, 5)
            found = {
                name: (await http.get(uri, headers={"X-Forwarded-For": name})).status_code
                for name in ("2001:db8::7", "2001:db8::8", "2001:db8:0:1::7")
            }
    assert found == {"2001:db8::7": 429, "2001:db8::8": 429, "2001:db8:0:1::7": 200}


def test_counts_forget_what_has_left():
    counts = ConnectionCounts(5, 2)
    places = [counts.take("a") for _ in range(2)]
    assert counts.take("a") is None
    counts.mark_known(places[0])
    third = counts.take("a")
    assert third is not None
    for place in (*places, third, third):
        counts.leave(place)
    assert counts == ConnectionCounts(5, 2)


def test_only_an_address_with_fewer_connections_gets_room():
    counts, dropped = ConnectionCounts(9, 9), []
    known = counts.take("a", lambda: dropped.append("known"))
    counts.take("a", lambda: dropped.append("stranger"))
    newest = counts.take("a", lambda: dropped.append("newest"))
    counts.mark_known(known)
    counts.mark_known(newest)
    assert not counts.make_room("a")
    assert counts.make_room("b")
    assert dropped == ["stranger"]


# -- Guests and the ledger --------------------------------------------------------------------------


async def test_an_address_makes_so_many_guests_a_day(tmp_path):
    allowance = generous(guests_a_day=RateLimit(1e-6, 2, what="new players"))
    async with running(tmp_path, allowance=allowance) as house:
        await house.guest()
        await house.guest()
        async with httpx.AsyncClient(transport=httpx.ASGITransport(house.app)) as http:
            answer = await http.post("http://127.0.0.1/api/session/guest")
            refused(answer, 429, "Too many new players")
            assert int(answer.headers["retry-after"]) > 3600


async def sit_down(house, client):
    table = (await client.post("solo", game=WAR)).json()
    live = house.pit.tables[table["name"] if "name" in table else table["table"]]
    return live, 1 + next(i for i, place in enumerate(live.table.places) if place)


@pytest.mark.parametrize(("limit", "whose"), [("account_bytes", "account"), ("address_bytes", "address")])
async def test_a_client_that_has_written_enough_finishes_its_round_and_begins_no_other(
    tmp_path, limit, whose
):
    room = RateLimit(1e-3, 1e9)
    async with running(tmp_path, allowance=generous(**{limit: room})) as house:
        guest = await house.guest()
        live, seat = await sit_down(house, guest)
        key = guest.name if whose == "account" else "127.0.0.1"
        wagered = await guest.at(
            live.table.name, "wager", "k", seat=seat, round=live.table.round, wagers=ANTE
        )
        assert wagered.status_code == 200
        room.charge(key, 1e9)
        again = await guest.at(live.table.name, "wager", "k", seat=seat, round=live.table.round, wagers=ANTE)
        assert again.json()["repeated"]  # it was done, so it is not refused now
        played = live.table.round
        ready = await guest.at(live.table.name, "ready", seat=seat, round=played)
        assert ready.status_code == 200
        while live.table.round == played:
            choice = live.table.rounds[seat - 1].choices[0]
            answer = await guest.at(live.table.name, "choose", seat=seat, round=played, choice=choice)
            assert answer.status_code == 200
        answer = await guest.at(live.table.name, "wager", seat=seat, round=live.table.round, wagers=ANTE)
        refused(answer, 429, f"The room on the ledger for one {whose} is used up until ")
        assert int(answer.headers["retry-after"]) > 1000
        refused(await guest.post("refill"), 429)
        assert (await guest.at(live.table.name, "leave", seat=seat)).status_code == 200
        other = await house.guest() if whose == "account" else None
        assert other is None or (await other.post("solo", game=WAR)).status_code == 201
        assert (await (await house.as_(Role.SUPERVISOR)).post("tables", name="x")).status_code == 422


async def test_what_a_player_causes_is_charged_to_the_player_also_by_the_clock(tmp_path):
    accounts, addresses = RateLimit(1e-3, 1e9), RateLimit(1e-3, 1e9)
    allowance = generous(account_bytes=accounts, address_bytes=addresses)
    async with running(tmp_path, allowance=allowance) as house, serving(house, allowance) as port:
        guest = await house.guest()
        live, seat = await sit_down(house, guest)
        before = addresses.seconds_until("127.0.0.1", 1e9)
        events = sum(number for number, _ in house.pit.ledger.heads().values())
        played = live.table.round
        async with watching(port, live.table.name, guest.session) as web:
            round = {"seat": seat, "round": played}
            assert (await ask_socket(web, act="wager", wagers=ANTE, **round))["ok"]
            assert (await ask_socket(web, act="ready", **round))["ok"]
            while live.table.round == played:
                choice = live.table.rounds[seat - 1].choices[0]
                assert (await ask_socket(web, act="choose", choice=choice, **round))["ok"]
        written = sum(number for number, _ in house.pit.ledger.heads().values()) - events
        charged = (addresses.seconds_until("127.0.0.1", 1e9) - before) * addresses.rate
        assert written >= 5  # wager, shuffle, cards, settlement, the next round
        assert written * EVENT_BYTES < charged < written * 2000
        assert accounts.seconds_until(guest.name, 1e9) > 0


# -- The disk ---------------------------------------------------------------------------------------


async def test_on_a_disk_that_is_nearly_full_rounds_end_and_none_begins(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr("feltlab.server.clients.budgets.LOOK_SECONDS", 0.01)
    async with running(tmp_path) as house:
        auth, free = house.app.state.auth, [10 * MB]
        auth.disk = Disk(tmp_path, 20 * MB, lambda _: free[0])
        floor = await house.as_(Role.ADMINISTRATOR)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(house.app)) as http:
            answer = await http.post("http://127.0.0.1/api/session/guest")
            refused(answer, 503, "nearly full; no new rounds begin")
        with caplog.at_level(logging.WARNING):
            house.pit.run(auth.disk.watch(house.pit.note))
            async with asyncio.timeout(20):
                while not house.pit.ledger.last_events("house", ("disk-low",)):
                    await asyncio.sleep(0.01)
                free[0] = 30 * MB
                while not house.pit.ledger.last_events("house", ("disk-freed",)):
                    await asyncio.sleep(0.01)
        assert await house.guest()
        house.app = web_app(house.pit)
        house.app.state.auth.disk = Disk(tmp_path, 20 * MB, lambda _: 10 * MB)
        floor = Client(house).known(floor.session, floor.name)
        assert "The disk is nearly full" in (await floor.http.get("/floor")).text
        assert "10 MB are free on the ledger's disk, and 20 are needed" in caplog.text


# -- Options ----------------------------------------------------------------------------------------


def test_every_limit_can_be_changed():
    changed = Allowance.from_limits(dict.fromkeys(LIMITS, "7"))
    assert (changed.connections, changed.strangers, changed.sockets) == (7, 7, 7)
    assert changed.free_bytes == 7 * MB
    assert changed.guests_a_day.burst == 3.5
    for limit in (changed.account_bytes, changed.address_bytes):
        assert (limit.burst, limit.rate * 24 * 3600) == (3.5 * MB, pytest.approx(7 * MB))


@pytest.mark.parametrize(("name", "text"), [("sockets", "0"), ("sockets", "many"), ("pizzas", "1")])
def test_a_limit_that_is_none_is_refused(name, text):
    with pytest.raises(Refused, match="limit"):
        Allowance.from_limits({name: text})


def test_a_fast_player_never_meets_the_limit_of_an_account():
    """A round of 6 KB (4.5 KB measured over all games) every two seconds, sixteen hours a day."""
    clock = [0.0]
    usual = Allowance().account_bytes
    room = RateLimit(usual.rate, usual.burst, clock=lambda: clock[0])
    for day in range(3):
        for second in range(0, 16 * 3600, 2):
            clock[0] = day * 24 * 3600 + second
            assert not room.seconds_until("fast", 6_000)
            room.charge("fast", 6_000)
