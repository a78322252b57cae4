"""A WebSocket client that takes little processor time: it shares the cores of the server that it measures."""

import asyncio
import base64
import os
from collections.abc import Callable
from urllib.parse import urlsplit

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10  # opcodes of RFC 6455
LAST_FRAME = 0x80
MASKED = 0x80
NO_MASK = bytes(4)  # a client must mask its frames; this mask leaves them as they are
CONNECT_SECONDS = 60.0  # a busy machine may need


class SocketClosed(ConnectionError):
    """The server has ended the connection, or has never opened it."""


class LightSocket(asyncio.Protocol):
    """One connection. Messages wait until somebody listens."""

    def __init__(self, url: str, session: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 80
        self._path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        self._session, self._buffer = session, bytearray()
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._unheard: list[bytes] = []
        self._hear: Callable[[bytes], object] = self._unheard.append
        self._end: Callable[[Exception], object] = lambda _: None
        self._transport: asyncio.WriteTransport

    @classmethod
    async def open(cls, url: str, session: str) -> "LightSocket":
        socket = cls(url, session)
        async with asyncio.timeout(CONNECT_SECONDS):
            await asyncio.get_running_loop().create_connection(lambda: socket, socket.host, socket.port)
            await socket._opened
        return socket

    def listen(self, hear: Callable[[bytes], object], end: Callable[[Exception], object]) -> None:
        """Have `hear` called with each message, and `end` when the server ends the connection."""
        self._hear, self._end = hear, end
        for message in self._unheard:
            hear(message)

    def send(self, text: bytes) -> None:
        self._write_frame(TEXT, text)

    def close(self) -> None:
        self._end = lambda _: None
        self._transport.close()

    # -- The connection ---------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.WriteTransport) -> None:  # type: ignore[override]
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        head = (
            f"GET {self._path} HTTP/1.1",
            f"Host: {self.host}:{self.port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            f"Authorization: Bearer {self._session}",
        )
        transport.write("".join(f"{line}\r\n" for line in (*head, "")).encode())

    def connection_lost(self, exc: Exception | None) -> None:
        lost = SocketClosed("The server has ended the connection.")
        if not self._opened.done():
            self._opened.set_exception(lost)
        self._end(lost)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._opened.done() and not self._read_head():
            return
        while frame := self._take_frame():
            opcode, content = frame
            if opcode == TEXT:
                self._hear(content)
            elif opcode == PING:
                self._write_frame(PONG, content)
            elif opcode == CLOSE:
                self._transport.close()

    def _read_head(self) -> bool:
        """Read the answer to the handshake; false until all of it is there."""
        head, end, rest = self._buffer.partition(b"\r\n\r\n")
        if not end:
            return False
        if b" 101 " not in head[:16]:
            status, why = head.partition(b"\r\n")[0].decode(), rest.decode(errors="replace")
            self._opened.set_exception(SocketClosed(f"The server answered {status}: {why}"))
            self._transport.close()
            return False
        self._buffer = rest
        self._opened.set_result(None)
        return True

    # -- Frames -----------------------------------------------------------------------------------------

    def _take_frame(self) -> tuple[int, bytes] | None:
        """Take the next frame from the buffer: the server sends each message in one, without a mask."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        size, start = buffer[1], 2
        if size >= 126:
            start += 2 if size == 126 else 8
            if len(buffer) < start:
                return None
            size = int.from_bytes(buffer[2:start], "big")
        end = start + size
        if len(buffer) < end:
            return None
        opcode, content = buffer[0] & 15, bytes(buffer[start:end])
        del buffer[:end]
        return opcode, content

    def _write_frame(self, opcode: int, content: bytes) -> None:
        size = len(content)
        assert size < 1 << 16
        if size < 126:
            head = bytes((LAST_FRAME | opcode, MASKED | size))
        else:
            head = bytes((LAST_FRAME | opcode, MASKED | 126)) + size.to_bytes(2, "big")
        self._transport.write(head + NO_MASK + content)
