"""Limits of size and time for every connection, before any request is looked at.

uvicorn reads the head of a request without limit of size or time, and goes on reading from a client that
reads nothing. These limits are for hostile clients; others never notice them.
"""

import asyncio
import json
import resource
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from feltlab.server.clients.connection_counts import MAX_REFUSED, ConnectionCounts, ConnectionPlace
from feltlab.server.rate_limits import client_key

MAX_HEAD_BYTES = 64 * 1024
MAX_BODY_BYTES = 1024 * 1024  # larger than a request may be, so that its sender still gets an answer
CHUNK_BYTES = 16 * 1024  # read between two checks of these limits
ARRIVAL_SECONDS = 10.0  # from a request's first byte to its last
STALL_SECONDS = 30.0  # a client must have read something of its answer by then
LINGER_SECONDS = 2.0  # a client that is refused may still read the reason
MAX_PIPELINED = 100  # requests that wait for the answer to an earlier one
MAX_FRAGMENTS = 1000  # of a message; empty ones have no size to count
MAX_CONNECTIONS = 4000
SPARE_FILES = 100  # for the ledger and the rest of the server

WRITE_TEXTS = "write_texts"  # in the state of a scope: a function that writes messages at once
MARK_KNOWN = "mark_known"  # in the state of a scope: a function that notes a valid session

TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
TOO_MANY_SENTENCE = "Your address has too many connections; close some, or try again later."
_TOO_MANY_BODY = json.dumps({"error": TOO_MANY_SENTENCE}).encode()
TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 5\r\n"
    b"connection: close\r\ncontent-length: %d\r\n\r\n%b" % (len(_TOO_MANY_BODY), _TOO_MANY_BODY)
)


def max_connections() -> int:
    """The limit of connections; lower where the system allows few open files, which the ledger needs too."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MAX_CONNECTIONS if files == resource.RLIM_INFINITY else min(MAX_CONNECTIONS, files - SPARE_FILES)


class StallGuard(asyncio.Protocol):
    """Ends a connection whose client stopped reading, so that its answers are not kept for ever."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    counts: ConnectionCounts | None = None
    place: ConnectionPlace | None = None  # among the connections of its address; None for a proxy
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
        if self.counts and self.place:
            self.counts.leave(self.place)
        super().connection_lost(exc)

    def mark_known(self) -> None:
        """A request on this connection has shown a session."""
        if self.counts and self.place:
            self.counts.mark_known(self.place)

    def watch(self) -> None:
        """Check from time to time that less is left to send."""
        self.unwatch()
        left = self.transport.get_write_buffer_size()
        if left:
            self._watch = self.loop.call_later(STALL_SECONDS, self._check_progress, left)

    def unwatch(self) -> None:
        if self._watch:
            self._watch.cancel()
            self._watch = None

    def _check_progress(self, before: int) -> None:
        if self.transport.get_write_buffer_size() < before:
            self.watch()
        else:
            self.transport.abort()

    def abort_soon(self) -> None:
        """Abort the connection soon; a closing one would stay open while its client does not read."""
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)


class LimitedHttp(StallGuard, HttpToolsProtocol):
    """HTTP with limits of size and time, and of the number of connections."""

    def __init__(self, *arguments: Any, counts: ConnectionCounts | None = None, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.app_state = {**self.app_state, MARK_KNOWN: self.mark_known}
        self.counts = counts
        self._taken, self._limit = 0, MAX_HEAD_BYTES  # bytes of the head, or of the body
        self._deadline: asyncio.TimerHandle | None = None
        self._is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if self._is_full(host):
            transport.abort()
        elif self._take_place(host):
            self._start_deadline()
        else:
            self._refuse_soon()

    def _is_full(self, host: str) -> bool:
        """Whether all places are taken, and none can be taken from an address that has more."""
        if len(self.connections) <= max_connections():
            return False
        return not (self.counts and self.counts.make_room(client_key(host)))

    def _take_place(self, host: str) -> bool:
        if self.counts and host and not self.counts.is_proxy(host):  # a process of this server has none
            self.place = self.counts.take(client_key(host), self.transport.abort)
            return self.place is not None
        return True

    def _refuse_soon(self) -> None:
        """Refuse with a sentence when the request has come: a client that still sends would not read it."""
        assert self.counts
        if self.counts.refused >= MAX_REFUSED:
            self.transport.abort()
            return
        self.counts.refused += 1
        self._is_refused = True
        self.abort_soon()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        if self.counts and self._is_refused:
            self.counts.refused -= 1
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            self.transport.write(TOO_MANY)
            self.transport.close()
            return
        self._start_deadline()
        for start in range(0, len(data), CHUNK_BYTES):
            chunk = data[start : start + CHUNK_BYTES]
            self._taken += len(chunk)
            super().data_received(chunk)
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            if self._taken > self._limit or len(self.pipeline) > MAX_PIPELINED:
                self._refuse()
                return

    # -- The request ----------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        self._start_deadline()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._taken, self._limit = 0, MAX_BODY_BYTES
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._cancel_deadline()
        self._taken, self._limit = 0, MAX_HEAD_BYTES
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Refuse an upgrade while answers are being sent: they would mix with the messages."""
        self._cancel_deadline()
        if self._is_answering() or self.flow.write_paused:
            self._end()
        else:
            super().handle_websocket_upgrade()
            self._hand_over(self.transport.get_protocol())

    def _hand_over(self, protocol: asyncio.BaseProtocol) -> None:
        if isinstance(protocol, LimitedWebSocket):
            protocol.counts, protocol.place = self.counts, self.place

    def _start_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(ARRIVAL_SECONDS, self._end)

    def _cancel_deadline(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    # -- The answer -----------------------------------------------------------------------------------

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.watch()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self.watch()

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _refuse(self) -> None:
        if self._limit == MAX_HEAD_BYTES and not self._is_answering():
            self.transport.write(TOO_LARGE)
        self._end()

    def _end(self) -> None:
        self.transport.close()
        self.abort_soon()


class LimitedWebSocket(StallGuard, WebSocketsSansIOProtocol):
    """A WebSocket that stops reading from a client that does not read, and closes without waiting."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.app_state = {**self.app_state, MARK_KNOWN: self.mark_known, WRITE_TEXTS: self.write_texts}

    def write_texts(self, messages: Iterable[bytes]) -> bool:
        """Write messages at once, with one call to the system; false if that is not possible now."""
        is_open = self.handshake_complete and not (self.close_sent or self.disconnected)
        if not is_open or self.initial_response or self.transport.is_closing() or not self.writable.is_set():
            return False
        try:
            for message in messages:
                self.conn.send_text(message)
        except InvalidState:
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        self._pause_if_stuck()
        return True

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc and not self.handshake_initiated:
            self._reject_handshake()
        elif len(self.frames) > MAX_FRAGMENTS:
            self.transport.abort()

    def _reject_handshake(self) -> None:
        """Answer a head that is too large for the WebSocket reader, which would never send the answer."""
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()
        self.abort_soon()

    # -- Reading stops while sending is stuck -----------------------------------------------------------

    def pause_writing(self) -> None:
        super().pause_writing()
        self._pause_if_stuck()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def _pause_if_stuck(self) -> None:
        if not self.writable.is_set() and not self.transport.is_closing():
            self.transport.pause_reading()

    async def receive(self) -> Any:
        message = await super().receive()  # which may have started to read again
        self._pause_if_stuck()
        return message

    # -- The end --------------------------------------------------------------------------------------

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.close":
            self.abort_soon()  # first, as sending may not be possible any more
        await super().send(message)
        self._pause_if_stuck()
        if self.initial_response and self.close_sent:
            self.handshake_complete = True  # by a refusal, which uvicorn does not count

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.abort_soon()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.abort_soon()
