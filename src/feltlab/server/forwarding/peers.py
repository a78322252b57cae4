"""Requests to the other servers of a ledger, over connections that are kept for the next request.

An address is `http://10.0.0.1:8700`, `https://...`, or `unix:/path` for a process of the same server.
"""

import asyncio
import ssl
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httptools

CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 30.0
KEPT_SECONDS = 2.0  # a server ends connections that are idle for longer than five seconds
READ_BYTES = 64 * 1024

Headers = list[tuple[bytes, bytes]]
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class PeerLost(Exception):
    """A server that could not be reached, or that ended before it had answered."""

    def __init__(self, was_sent: bool) -> None:
        super().__init__("The server that runs the table does not answer.")
        self.was_sent = was_sent  # whether the request may have been acted on


@dataclass
class PeerAnswer:
    """An answer as it is read; httptools calls the `on_` methods."""

    status: int = 0
    headers: Headers = field(default_factory=list)
    body: bytes = b""
    is_complete: bool = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.lower(), value))

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.is_complete = True


@dataclass(frozen=True)
class PeerAddress:
    """Where a server listens."""

    host: str = ""
    port: int = 0
    path: str = ""  # of a socket of this machine
    is_secure: bool = False

    @classmethod
    def parse(cls, address: str) -> "PeerAddress":
        if address.startswith("unix:"):
            return cls(path=address.removeprefix("unix:"))
        parts = urlsplit(address)
        is_secure = parts.scheme == "https"
        return cls(parts.hostname or "", parts.port or (443 if is_secure else 80), "", is_secure)

    async def connect(self) -> Connection:
        if self.path:
            return await asyncio.open_unix_connection(self.path)
        context = ssl.create_default_context() if self.is_secure else None
        return await asyncio.open_connection(self.host, self.port, ssl=context)


class Peers:
    """The connections to other servers."""

    def __init__(self) -> None:
        self._idle: dict[str, list[tuple[float, Connection]]] = {}  # with the moment of the last answer

    async def ask(
        self, address: str, method: str, target: bytes, headers: Iterable[tuple[bytes, bytes]], body: bytes
    ) -> PeerAnswer:
        """The answer to a request; raises `PeerLost`."""
        connection = await self._connect(address)
        lines = [method.encode() + b" " + target + b" HTTP/1.1"]
        lines += [name + b": " + value for name, value in headers]
        lines += [b"content-length: %d" % len(body), b"", body]
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await _exchange(connection, b"\r\n".join(lines))
        except (OSError, TimeoutError, httptools.HttpParserError):
            connection[1].close()
            raise PeerLost(was_sent=True) from None
        except asyncio.CancelledError:
            connection[1].close()
            raise
        if (b"connection", b"close") in answer.headers:
            connection[1].close()
        else:
            self._idle.setdefault(address, []).append((time.monotonic(), connection))
        return answer

    async def _connect(self, address: str) -> Connection:
        idle = self._idle.get(address, [])
        while idle:
            answered, (reader, writer) = idle.pop()
            if time.monotonic() - answered < KEPT_SECONDS and not reader.at_eof() and not writer.is_closing():
                return reader, writer
            writer.close()
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await PeerAddress.parse(address).connect()
        except (OSError, TimeoutError):
            raise PeerLost(was_sent=False) from None

    def close(self) -> None:
        for idle in self._idle.values():
            for _, (_, writer) in idle:
                with suppress(RuntimeError):  # its loop has ended
                    writer.close()
        self._idle.clear()


async def _exchange(connection: Connection, request: bytes) -> PeerAnswer:
    reader, writer = connection
    writer.write(request)
    await writer.drain()
    answer = PeerAnswer()
    parser = httptools.HttpResponseParser(answer)
    while not answer.is_complete:
        data = await reader.read(READ_BYTES)
        if not data:
            raise ConnectionError
        parser.feed_data(data)
    answer.status = parser.get_status_code()
    return answer
