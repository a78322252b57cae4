"""Hostile connections: clients that send too much, too slowly or without reading."""

import asyncio
import socket
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace

import pytest
import uvloop

from feltlab.server import connection
from tests.support.running import listening

pytestmark = pytest.mark.filterwarnings("ignore:Overriding the .event_loop_policy. fixture")
START = b"GET / HTTP/1.1\r\nHost: x\r\n"
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
PING = b"\x89\xfd" + bytes(4) + b"x" * 125
CHUNK = b"400\r\n" + b"x" * 1024 + b"\r\n"


@pytest.fixture(params=[asyncio.DefaultEventLoopPolicy, uvloop.EventLoopPolicy])
def event_loop_policy(request):
    """Both event loops; the server runs on the second."""
    return request.param()


class App:
    """An app that answers requests and serves sockets as a test sets it."""

    def __init__(self):
        self.ended = asyncio.Event()
        self.serve = self.wait

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            while (await receive()).get("more_body"):
                pass
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
            await send({"type": "http.response.body", "body": b"ok"})
            return
        await receive()
        await send({"type": "websocket.accept"})
        with suppress(OSError):
            await self.serve(receive, send)
        self.ended.set()

    async def wait(self, receive, send):
        while (await receive())["type"] != "websocket.disconnect":
            pass

    async def close(self, receive, send):
        await send({"type": "websocket.close", "code": 1000})

    async def flood(self, receive, send):
        while True:
            await send({"type": "websocket.send", "text": "x" * 100_000})


@pytest.fixture
async def app(event_loop_policy):
    return App()


@pytest.fixture
async def port(app):
    async with listening(SimpleNamespace(app=app)) as port:
        yield port


@asynccontextmanager
async def connected(port, first=b""):
    """A connection of a client with small buffers."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.connect(("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=plain, limit=4096)
    writer.write(first)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def rest(reader, seconds=60.0):
    """Everything that the server sends until it ends the connection."""
    found = b""
    async with asyncio.timeout(seconds):
        with suppress(ConnectionError):
            while piece := await reader.read(4096):
                found += piece
    return found


async def poured(writer, piece, most):
    """The number of bytes that the server took of an endless stream."""
    taken = 0
    with suppress(ConnectionError, TimeoutError):
        while taken < most:
            writer.write(piece)
            await asyncio.wait_for(writer.drain(), 1.0)
            taken += len(piece)
    return taken


# -- Size -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "more"),
    [(START, b"a: b\r\n"), (START + b"a: ", b"x"), (b"GET /", b"x")],
    ids=["lines", "line", "address"],
)
async def test_a_head_that_is_too_large_is_refused(port, first, more):
    async with connected(port, first) as (reader, writer):
        writer.write(more * (connection.MAX_HEAD_BYTES // len(more)))
        assert (await rest(reader)).startswith(b"HTTP/1.1 431 ")


async def test_a_smaller_head_is_read_and_the_next_one_too(port):
    async with connected(port) as (reader, writer):
        for _ in range(3):
            writer.write(START + (b"a: %s\r\n" % (b"x" * 1000)) * 60 + b"\r\n")
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200 ")


async def test_an_endless_body_is_not_read_for_ever(port):
    async with connected(port, b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n") as (reader, writer):
        asked = asyncio.create_task(rest(reader, 20))
        await poured(writer, CHUNK * 100, 30 * connection.MAX_BODY_BYTES)
        assert await asked == b""


async def test_endless_requests_before_the_first_answer_are_not_read(port):
    async with connected(port, b"GET / HTTP/1.1\r\n\r\n" * 2000) as (reader, _):
        assert (await rest(reader)).count(b"ok") < 2000


async def test_connections_beyond_the_limit_are_closed_at_once(port, monkeypatch):
    monkeypatch.setattr(connection, "MAX_CONNECTIONS", 2)
    async with connected(port) as one, connected(port, UPGRADE + b"\r\n") as two:
        await two[0].readuntil(b"\r\n\r\n")
        async with connected(port) as (reader, _):
            assert await rest(reader, 8) == b""
        one[1].write(START + b"\r\n")
        assert await one[0].readuntil(b"ok")


def test_few_open_files_mean_few_connections(monkeypatch):
    monkeypatch.setattr("resource.getrlimit", lambda _: (256, 256))
    assert connection.max_connections() == 156


# -- Time -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent",
    [b"", b"\r\n", b"GET", START, START + b"Content-Length: 5\r\n\r\nab", START + b"\r\n" + START],
    ids=["nothing", "empty", "word", "head", "body", "second"],
)
async def test_a_request_must_arrive_in_time(port, monkeypatch, sent):
    monkeypatch.setattr(connection, "ARRIVAL_SECONDS", 0.2)
    async with connected(port, sent) as (reader, _):
        await rest(reader, 8)


async def test_a_trickle_does_not_arrive_in_time(port, monkeypatch):
    monkeypatch.setattr(connection, "ARRIVAL_SECONDS", 0.3)
    async with connected(port, START) as (reader, writer):
        asked = asyncio.create_task(rest(reader, 8))
        while not asked.done():
            writer.write(b"a")
            await asyncio.sleep(0.05)
        await asked


# -- WebSockets -------------------------------------------------------------------------------------


async def test_a_client_that_sends_pings_and_does_not_read_is_not_read(port):
    async with connected(port, UPGRADE + b"\r\n") as (reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        assert await poured(writer, PING * 500, 40_000_000) < 30_000_000


async def test_pings_are_answered_again_when_they_are_read(port):
    async with connected(port, UPGRADE + b"\r\n") as (reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(PING * 30_000)
        await asyncio.sleep(0.3)
        async with asyncio.timeout(60):
            await reader.readexactly(127 * 30_000)


async def test_a_close_that_is_not_answered_ends_the_connection(app, port, monkeypatch):
    monkeypatch.setattr(connection, "LINGER_SECONDS", 0.2)
    app.serve = app.close
    async with connected(port, UPGRADE + b"\r\n") as (reader, _):
        assert (await rest(reader, 8)).endswith(b"\x88\x02\x03\xe8")


async def test_a_client_that_does_not_read_at_all_is_cut_off(app, port, monkeypatch):
    monkeypatch.setattr(connection, "STALL_SECONDS", 0.2)
    app.serve = app.flood
    async with connected(port, UPGRADE + b"\r\n"):
        await asyncio.wait_for(app.ended.wait(), 60)


async def test_a_message_of_too_many_parts_ends_the_connection(app, port):
    async with connected(port, UPGRADE + b"\r\n") as (reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"\x01\x80" + bytes(4) + (b"\x00\x80" + bytes(4)) * 2000)
        await rest(reader, 8)


async def test_a_handshake_that_is_too_large_is_answered(port):
    async with connected(port, UPGRADE + b"a: " + b"x" * 10_000 + b"\r\n\r\n") as (reader, _):
        await rest(reader, 8)


async def test_a_socket_does_not_open_while_answers_are_sent(app, port):
    async with connected(port, START + b"\r\n" + UPGRADE + b"\r\n") as (reader, _):
        assert b" 101 " not in await rest(reader, 8)
