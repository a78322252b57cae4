"""The pit by WebSocket: views of every change, actions as messages, and sockets that are closed."""

import asyncio

import orjson
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.pit.roles import Role
from feltlab.server import websocket as sockets
from feltlab.server.rate_limits import RateLimit
from tests.support.running import (
    WAR,
    Client,
    House,
    ask_socket,
    generous,
    listening,
    wait_for_view,
    wait_until,
    watching,
)

TABLE = f"{WAR}-1"


@pytest.fixture
async def port(house):
    async with listening(house) as port:
        yield port


async def test_the_first_message_is_the_view_and_actions_are_answered(house, port):
    ann = await house.guest()
    async with watching(port, TABLE, ann.session) as web:
        first = orjson.loads(await web.recv())
        assert (first["table"], first["phase"], first["round"]) == (TABLE, "betting", 1)
        assert (await ask_socket(web, act="sit", seat=1, cents=20_000))["ok"] is True
        wagered = await ask_socket(web, id="w", act="wager", seat=1, round=1, wagers={"primary": 1000})
        assert wagered == {"id": "w", "ok": True, "version": wagered["version"]}
        await ask_socket(web, act="ready", seat=1, round=1)
        view = (await Client(house).known(ann.session, ann.name).get(f"tables/{TABLE}")).json()
        assert view["version"] >= 4


async def test_everybody_at_the_table_sees_a_change(house, port):
    ann, bob = await house.guest(), await house.guest()
    async with watching(port, TABLE, ann.session) as hers, watching(port, TABLE, bob.session) as his:
        await ask_socket(hers, act="sit", seat=1, cents=20_000)
        view = await wait_for_view(his, lambda view: view["seats"][0]["player"])
        assert (view["seats"][0]["player"], view["seats"][0]["yours"]) == (ann.name, False)
        await ann.at(TABLE, "leave", seat=1)
        await wait_for_view(his, lambda view: not view["seats"][0]["player"])


REFUSED = [
    ({"act": "wager", "seat": 1, "round": 0, "wagers": {}}, 409, "Round 0 is over; round 1 is in play."),
    ({"act": "wager", "seat": 1, "round": 1, "wagers": {"primary": -5}}, 422, "wagers.primary"),
    ({"act": "wager", "seat": 2, "round": 1, "wagers": {}}, 403, "not yours"),
    ({"act": "dance"}, 422, "act must be one of"),
    ({"act": None}, 422, "act must be one of"),
    ({"act": ["sit"]}, 422, "act must be one of"),
    ({}, 422, "act must be one of"),
    ({"act": "no-more-bets"}, 403, "guest may not deal"),
    ({"act": "ready", "seat": 1, "round": 1, "key": 7}, 422, "key"),
    ({"act": "ready", "seat": 1, "round": 1, "key": ""}, 422, "key"),
    ({"act": "ready", "seat": True, "round": 1}, 422, "whole number"),
    ({"id": 1.5, "act": "ready"}, 422, "id"),
    ({"id": [[]], "act": "ready"}, 422, "id"),
]


async def test_a_refusal_is_one_sentence_and_changes_nothing(house, port):
    ann, bob = await house.guest(), await house.guest()
    await ann.at(TABLE, "sit", seat=1, cents=20_000)
    await bob.at(TABLE, "sit", seat=2, cents=20_000)
    before = house.state()
    async with watching(port, TABLE, ann.session) as web:
        for message, status, words in REFUSED:
            found = await ask_socket(web, **message)
            assert (found["ok"], found["status"]) == (False, status), message
            assert words in found["error"]
        for text in ("", "{", "[]", "NaN", '{"id":1,"id":2}', "[" * 5000):
            await web.send(text)
            found = orjson.loads(await web.recv())
            while "ok" not in found:
                found = orjson.loads(await web.recv())
            assert found["status"] == 422
        await web.send(b"\x00\x01")
        assert orjson.loads(await web.recv())["status"] == 422
    assert house.state() == before


async def test_a_repeated_message_with_a_key_acts_once_and_by_http_too(house, port):
    ann = await house.guest()
    async with watching(port, TABLE, ann.session) as web:
        await ask_socket(web, act="sit", seat=1, cents=20_000)
        bought = {"act": "buy", "seat": 1, "cents": 500, "key": "k"}
        assert "repeated" not in await ask_socket(web, **bought)
        assert (await ask_socket(web, **bought))["repeated"] is True
        assert (await ask_socket(web, **bought | {"cents": 600}))["status"] == 409
        assert (await ann.at(TABLE, "buy", key="k", seat=1, cents=500)).json()["repeated"] is True
    assert house.pit.tables[TABLE].table.places[0].bankroll == 20_500


async def test_of_two_sockets_that_act_for_one_seat_one_succeeds(house, port):
    ann = await house.guest()
    await ann.at(TABLE, "sit", seat=1, cents=20_000)
    await ann.at(TABLE, "wager", seat=1, round=1, wagers={"primary": 1000})
    async with watching(port, TABLE, ann.session) as one, watching(port, TABLE, ann.session) as two:
        found = await asyncio.gather(*(ask_socket(web, act="ready", seat=1, round=1) for web in (one, two)))
    assert sorted(answer["ok"] for answer in found) == [False, True]


async def test_a_ledger_that_is_down_is_reported_and_the_socket_goes_on(house, port, monkeypatch):
    async def down(self, entry):
        raise LedgerDown("The ledger cannot be written: disk full; nothing was accepted.")

    ann = await house.guest()
    async with watching(port, TABLE, ann.session) as web:
        before = house.state()
        with monkeypatch.context() as patched:
            patched.setattr(Ledger, "append", down)
            found = await ask_socket(web, act="sit", seat=1, cents=1000)
        assert (found["status"], "disk full" in found["error"]) == (503, True)
        assert house.state() == before
        assert (await ask_socket(web, act="sit", seat=1, cents=1000))["ok"] is True


# -- Admission --------------------------------------------------------------------------------------


async def test_a_session_can_come_in_the_first_message(house, port):
    ann = await house.guest()
    async with watching(port, TABLE) as web:
        await web.send(orjson.dumps({"session": ann.session}).decode())
        assert orjson.loads(await web.recv())["table"] == TABLE
    async with watching(port, TABLE, Cookie=f"feltlab-session={ann.session}") as web:
        assert orjson.loads(await web.recv())["table"] == TABLE


@pytest.mark.parametrize("first", ['{"session":"wrong"}', '{"session":7}', "[]", "{", '{"act":"sit"}'])
async def test_a_first_message_without_a_session_closes_the_socket(port, first):
    async with watching(port, TABLE) as web:
        await web.send(first)
        with pytest.raises(ConnectionClosed) as closed:
            await web.recv()
    assert closed.value.rcvd.code == 4401


async def test_silence_closes_the_socket(port, monkeypatch):
    monkeypatch.setattr(sockets, "FIRST_MESSAGE_SECONDS", 0.05)
    async with watching(port, TABLE) as web:
        with pytest.raises(ConnectionClosed) as closed:
            await web.recv()
    assert closed.value.rcvd.code == 4401


@pytest.mark.parametrize(
    ("table", "headers", "status"),
    [
        (TABLE, {"Authorization": "Bearer wrong"}, 401),
        (TABLE, {"Cookie": "feltlab-session=wrong"}, 401),
        ("nothing", {}, 404),
        (TABLE, {"Origin": "http://evil.example"}, 403),
    ],
)
async def test_a_refused_client_is_answered_before_the_socket_opens(port, table, headers, status, caplog):
    with pytest.raises(InvalidStatus) as refused:
        await watching(port, table, **headers)
    assert refused.value.response.status_code == status
    assert list(orjson.loads(refused.value.response.body)) == ["error"]
    await asyncio.sleep(0.05)
    assert [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")] == []


async def test_a_page_of_ours_may_open_a_socket(house, port):
    ann = await house.guest()
    async with watching(port, TABLE, ann.session, Origin=f"http://127.0.0.1:{port}") as web:
        assert orjson.loads(await web.recv())["table"] == TABLE


async def test_sockets_need_the_access_token_too(house):
    async with listening(House(house.pit, token="secret-token")) as port:
        ann = await house.guest()
        with pytest.raises(InvalidStatus):
            await watching(port, TABLE, ann.session)
        async with watching(port, TABLE, ann.session, **{"X-Access-Token": "secret-token"}) as web:
            assert orjson.loads(await web.recv())["table"] == TABLE


async def test_the_number_of_an_accounts_sockets_is_limited(house):
    house = House(house.pit, allowance=generous(sockets=2))
    async with listening(house) as port:
        ann = await house.guest()
        async with watching(port, TABLE, ann.session), watching(port, TABLE, ann.session) as second:
            async with watching(port, TABLE, ann.session) as third:
                with pytest.raises(ConnectionClosed) as closed:
                    await third.recv()
            assert closed.value.rcvd.code == 1008
            await second.close()
            await wait_until(lambda: house.app.state.auth._sockets[ann.name] < 2)
            async with watching(port, TABLE, ann.session) as again:
                assert orjson.loads(await again.recv())["table"] == TABLE


async def test_the_rate_of_messages_is_limited(house):
    async with listening(House(house.pit, allowance=generous(requests=RateLimit(0.1, 2)))) as port:
        ann = await house.guest()
        async with watching(port, TABLE, ann.session) as web:
            found = [(await ask_socket(web, act="ready", seat=1, round=1))["status"] for _ in range(4)]
    assert found == [409, 409, 429, 429]


async def test_a_disabled_account_loses_its_socket(house, port, monkeypatch):
    monkeypatch.setattr(sockets, "SESSION_TRUST_SECONDS", 0.0)
    bea = await house.as_(Role.PLAYER)
    async with watching(port, TABLE, bea.session) as web:
        await web.recv()
        house.pit.accounts.disable(bea.name, by="test")
        await web.send('{"act":"sit","seat":1,"cents":1000}')
        with pytest.raises(ConnectionClosed) as closed:
            await web.recv()
    assert closed.value.rcvd.code == 4401
    assert house.pit.tables[TABLE].table.places[0] is None


async def test_a_disabled_account_loses_its_socket_at_a_quiet_table_too(house, port, monkeypatch):
    monkeypatch.setattr(sockets, "SESSION_TRUST_SECONDS", 0.2)
    bea = await house.as_(Role.PLAYER)
    async with watching(port, TABLE, bea.session) as web:
        await web.recv()
        house.pit.accounts.disable(bea.name, by="test")
        with pytest.raises(ConnectionClosed) as closed:
            await asyncio.wait_for(web.recv(), 60)
    assert closed.value.rcvd.code == 4401


async def test_a_message_that_is_too_large_ends_the_socket(house, port):
    ann = await house.guest()
    async with watching(port, TABLE, ann.session) as web:
        await web.recv()
        await web.send("x" * 100_000)
        with pytest.raises(ConnectionClosed) as closed:
            await web.recv()
    assert closed.value.rcvd.code == 1009


async def test_a_client_that_does_not_read_holds_nobody_up(house, port):
    """A client that never reads; the others see every change meanwhile."""
    ann, bob = await house.guest(), await house.guest()
    await ann.at(TABLE, "sit", seat=1, cents=20_000)
    _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
    writer.write(
        f"GET /api/tables/{TABLE}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Authorization: Bearer {bob.session}\r\n\r\n".encode()
    )
    await writer.drain()
    async with watching(port, TABLE, ann.session) as web:
        for cents in range(500, 30_500, 100):
            wagers = {"primary": cents} if cents <= 20_000 else {}
            assert (await ask_socket(web, act="wager", seat=1, round=1, wagers=wagers))["ok"]
    writer.close()
    assert house.pit.tables[TABLE].version > 300


async def test_a_client_that_comes_and_goes_leaves_nothing_behind(house, port):
    ann = await house.guest()
    for _ in range(10):
        async with watching(port, TABLE, ann.session) as web:
            await web.recv()
    await wait_until(lambda: house.pit.tables[TABLE].watchers == set())
