"""The wire: how much a connection may send, and how long it may take, before anybody is asked who it is.

uvicorn reads the head of a request without limit of size or time, and goes on reading from a client that
reads nothing. What is here stands before the door: it is for clients that mean harm, and others never see it.
"""

import asyncio
import resource
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

LARGEST_HEAD = 64 * 1024  # bytes
LARGEST_BODY = 1024 * 1024  # bytes that are read at all, so that who sends too much can still be told so
PIECE = 16 * 1024  # bytes that are read between two looks at these limits
ARRIVAL = 10.0  # seconds in which a request must have come, from its first byte
STALLED = 30.0  # seconds in which a client must have read something of what is sent to it
LINGER = 2.0  # seconds in which a client may answer that it is sent away
MOST_AHEAD = 100  # requests that wait for the answer to the first
MOST_FRAGMENTS = 1000  # of a message; empty ones have no size that could be counted
MOST_CONNECTIONS = 4000
SPARE_FILES = 100  # that the ledger and the rest of the server may have open

TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


def most_connections() -> int:
    """Fewer where the system gives few files: without one the ledger could not be opened."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_CONNECTIONS if files == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, files - SPARE_FILES)


class Impatient(asyncio.Protocol):
    """Ends a connection whose client stopped reading: what is kept for it would be kept for ever."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _watch: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self.watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self.unwatch()

    def connection_lost(self, exc: Exception | None) -> None:
        self.unwatch()
        super().connection_lost(exc)

    def watch(self) -> None:
        """Look from time to time whether less is left to send."""
        self.unwatch()
        left = self.transport.get_write_buffer_size()
        if left:
            self._watch = self.loop.call_later(STALLED, self._look, left)

    def unwatch(self) -> None:
        if self._watch:
            self._watch.cancel()
            self._watch = None

    def _look(self, before: int) -> None:
        if self.transport.get_write_buffer_size() < before:
            self.watch()
        else:
            self.transport.abort()

    def cut_soon(self) -> None:
        """A connection that is being closed stays open while its client does not read: not this one."""
        self.loop.call_later(LINGER, self.transport.abort)


class Http(Impatient, HttpToolsProtocol):
    """Requests with limits of size and time, on not too many connections."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._taken, self._most = 0, LARGEST_HEAD  # bytes of the head, or of the body
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > most_connections():
            transport.abort()
        else:
            self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._expect()
        for begin in range(0, len(data), PIECE):
            piece = data[begin : begin + PIECE]
            self._taken += len(piece)
            super().data_received(piece)
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            if self._taken > self._most or len(self.pipeline) > MOST_AHEAD:
                self._refuse()
                return

    # -- As a request comes ---------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        self._expect()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._taken, self._most = 0, LARGEST_BODY
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._arrived()
        self._taken, self._most = 0, LARGEST_HEAD
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Not while answers are on their way: they would come between the messages."""
        self._arrived()
        if self._answering() or self.flow.write_paused:
            self._end()
        else:
            super().handle_websocket_upgrade()

    def _expect(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(ARRIVAL, self._end)

    def _arrived(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    # -- As it is answered ----------------------------------------------------------------------------

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.watch()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self.watch()

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _refuse(self) -> None:
        if self._most == LARGEST_HEAD and not self._answering():
            self.transport.write(TOO_LARGE)
        self._end()

    def _end(self) -> None:
        self.transport.close()
        self.cut_soon()


class WebSocket(Impatient, WebSocketsSansIOProtocol):
    """Does not read from a client that does not read, and does not wait for one that is sent away."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc and not self.handshake_initiated:
            self._turn_away()
        elif len(self.frames) > MOST_FRAGMENTS:
            self.transport.abort()

    def _turn_away(self) -> None:
        """A head that the reader of WebSockets finds too large: its answer would wait for ever."""
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()
        self.cut_soon()

    # -- Reading stops while sending does -------------------------------------------------------------

    def pause_writing(self) -> None:
        super().pause_writing()
        self._hold()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def _hold(self) -> None:
        if not self.writable.is_set() and not self.transport.is_closing():
            self.transport.pause_reading()

    async def receive(self) -> Any:
        message = await super().receive()  # which may have begun to read again
        self._hold()
        return message

    # -- Ends -----------------------------------------------------------------------------------------

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.close":
            self.cut_soon()  # at first: it may be that nothing can be sent any more
        await super().send(message)
        self._hold()
        if self.initial_response and self.close_sent:
            self.handshake_complete = True  # by a refusal, which uvicorn takes for none

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.cut_soon()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.cut_soon()
