"""A WebSocket that another server serves: messages are passed on both ways until one side ends."""

import asyncio
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect, unix_connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from feltlab.server.forwarding.peers import Headers, PeerAddress

OPEN_SECONDS = 5.0
LOOK_SECONDS = 0.5
TRY_LATER = 1013  # after which a client connects again
MOVED_HEADER = "x-feltlab-moved"
NOT_SENT = (1005, 1006, 1015)  # codes that no socket may be closed with


async def forward_socket(
    address: str,
    scope: Scope,
    headers: Headers,
    receive: Receive,
    send: Send,
    is_there: Callable[[], bool],  # whether the table is still run at this address
) -> bool:
    """Serve a socket through another server until it ends; returns False if another one may be asked."""
    try:
        other = await _connect(address, scope, headers)
    except InvalidStatus as refused:
        if MOVED_HEADER in refused.response.headers:
            return False
        await _deny(send, receive, refused.response.status_code, bytes(refused.response.body or b""))
        return True
    except (OSError, TimeoutError, InvalidHandshake):
        return False
    async with other:
        await receive()  # the client's wish to connect
        await send({"type": "websocket.accept"})
        works = (_pass_in(receive, other), _pass_out(other, send), _watch(is_there, send))
        tasks = [asyncio.create_task(work) for work in works]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    return True


async def _connect(address: str, scope: Scope, headers: Headers) -> ClientConnection:
    place = PeerAddress.parse(address)
    named = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]
    host = next((value for name, value in named if name == "host"), "localhost")
    # The guard of this server has compared the origin with the host already.
    left_out = ("host", "origin", "pragma", "cache-control")
    kept = [pair for pair in named if pair[0] not in left_out and not pair[0].startswith("sec-websocket-")]
    query = f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""
    uri = f"{'wss' if place.is_secure else 'ws'}://{host}{scope['raw_path'].decode('latin-1')}{query}"
    options: dict[str, Any] = {
        "additional_headers": kept,
        "compression": None,
        "open_timeout": OPEN_SECONDS,
        "max_size": None,
        "proxy": None,
    }
    if place.path:
        return await unix_connect(place.path, uri, **options)
    secure: dict[str, Any] = {}
    if place.is_secure:
        secure = {"ssl": ssl.create_default_context(), "server_hostname": place.host}
    return await connect(uri, host=place.host, port=place.port, **options, **secure)


async def _pass_in(receive: Receive, other: ClientConnection) -> None:
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        try:
            await other.send(message.get("bytes", b"") if text is None else text)
        except ConnectionClosed:
            await asyncio.Event().wait()  # the other task closes the socket with the right code


async def _pass_out(other: ClientConnection, send: Send) -> None:
    code, why = TRY_LATER, ""
    try:
        async for message in other:
            kind = "text" if isinstance(message, str) else "bytes"
            await send({"type": "websocket.send", kind: message})
    except ConnectionClosed:
        pass
    closed = other.close_code
    if closed is not None and closed not in NOT_SENT and closed != 1001:
        code, why = closed, other.close_reason or ""
    with suppress(RuntimeError):  # the client has closed it
        await send({"type": "websocket.close", "code": code, "reason": why})


async def _watch(is_there: Callable[[], bool], send: Send) -> None:
    """Close the socket once another server runs the table: the one before may be paused, and silent."""
    while is_there():
        await asyncio.sleep(LOOK_SECONDS)
    with suppress(RuntimeError):
        await send({"type": "websocket.close", "code": TRY_LATER, "reason": "The table has moved."})


async def _deny(send: Send, receive: Receive, status: int, body: bytes) -> None:
    await receive()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})
