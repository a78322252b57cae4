"""Messages between a server and the process that writes its ledger: one JSON text a line, over two pipes."""

import fcntl
import os
import select
import threading
from collections import deque
from contextlib import suppress
from typing import Any

import orjson

PIPE_BYTES = 1 << 20  # as much as Linux gives to everybody
Message = list[Any]


def open_pipe() -> tuple[int, int]:
    """A pipe with room for the entries of hundreds of tables: the end that is read, and the other one."""
    ends = os.pipe()
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):  # this account has too many large pipes
            fcntl.fcntl(ends[1], fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    return ends


def write_line(*parts: object) -> bytes:
    """A message as a line. Tuples and lists become lists, and bytes become texts (`read_bytes`)."""
    return orjson.dumps(parts, default=_write_other, option=orjson.OPT_APPEND_NEWLINE)


def _write_other(value: Any) -> object:
    if isinstance(value, bytes):
        return value.decode("latin-1")  # in which each byte is a character
    if isinstance(value, tuple):
        return tuple(value)  # a named one
    raise TypeError


def read_bytes(text: str) -> bytes:
    return text.encode("latin-1")


class LineReader:
    """Reads messages from a pipe."""

    def __init__(self, end: int) -> None:
        self._end, self._rest = end, b""
        self._lines: deque[bytes] = deque()

    def read(self) -> Message:
        """The next message. Raises an `EOFError` once the other end is closed."""
        while not self._lines:
            self._fill()
        return self._take()

    def read_ready(self) -> Message | None:
        """The next message, if it is there already."""
        if not self._lines and self._has_more:
            self._fill()
        return self._take() if self._lines else None

    def _take(self) -> Message:
        message: Message = orjson.loads(self._lines.popleft())
        return message

    @property
    def _has_more(self) -> bool:
        asked = select.poll()  # a busy server has descriptors that `select` does not take
        asked.register(self._end, select.POLLIN)
        return bool(asked.poll(0))

    def _fill(self) -> None:
        more = os.read(self._end, PIPE_BYTES)
        if not more:
            raise EOFError
        *lines, self._rest = (self._rest + more).split(b"\n")
        self._lines.extend(lines)

    def close(self) -> None:
        os.close(self._end)


def send_line(end: int, *parts: object) -> None:
    """Send a message, however long that takes. Raises an `OSError` once the other end is closed."""
    left = memoryview(write_line(*parts))
    while left:
        left = left[os.write(end, left) :]


class LineSender:
    """Sends lines and never waits: a thread sends what does not fit into the pipe."""

    def __init__(self, end: int) -> None:
        os.set_blocking(end, False)
        self._end, self._unsent, self._lock = end, bytearray(), threading.Lock()

    def send(self, lines: bytes) -> None:
        """Send whole lines. Raises an `OSError` once the other end is closed."""
        with self._lock:
            sent = 0 if self._unsent else self._write(lines)
            if sent == len(lines):
                return
            is_sending = bool(self._unsent)
            self._unsent += memoryview(lines)[sent:]  # before the thread, which ends when nothing is left
            if not is_sending:
                threading.Thread(target=self._send_rest, name="ledger entries", daemon=True).start()

    def _write(self, content: bytes | bytearray) -> int:
        try:
            return os.write(self._end, content)
        except BlockingIOError:
            return 0

    def _send_rest(self) -> None:
        asked = select.poll()
        asked.register(self._end, select.POLLOUT)
        with suppress(OSError):  # the other end is closed, as the thread that hears the answers finds
            while self._unsent:
                asked.poll()
                with self._lock:
                    del self._unsent[: self._write(self._unsent)]

    def close(self) -> None:
        with self._lock:
            os.close(self._end)
            self._end = -1
