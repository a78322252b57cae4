"""A child process with non-blocking pipes.

uvloop starts a process by a fork, which copies the page tables of the whole server: every table waits for
some twenty to a hundred milliseconds. `Popen` lends its memory until the new program runs, which takes a few.
"""

import asyncio
import os
import signal
from asyncio import BaseTransport, StreamReader, StreamReaderProtocol, WriteTransport
from collections.abc import Sequence
from contextlib import suppress
from subprocess import PIPE, Popen

from feltlab.game_folders import worker_environment
from feltlab.workers.lifeline import Lifeline

MAX_LINE_BYTES = 128 << 20


class Child:
    """A process whose standard input and output the event loop writes and reads, line by line.

    Its standard error is the server's. It leads a process group, which ends with it.
    """

    def __init__(self, process: "Popen[bytes]", lifeline: Lifeline) -> None:
        self._process, self._lifeline = process, lifeline
        self._output = StreamReader(MAX_LINE_BYTES)
        self._input: WriteTransport
        self._pipes: list[BaseTransport] = []

    @classmethod
    async def start(cls, *command: str) -> "Child":
        child = cls(*await _start_process(command))
        try:
            await child._connect()
        except BaseException:
            _kill_group(child._process)
            child._close()
            raise
        return child

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        read = await loop.connect_read_pipe(lambda: StreamReaderProtocol(self._output), self._process.stdout)
        self._pipes.append(read[0])
        self._input, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, self._process.stdin)
        self._pipes.append(self._input)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def write_line(self, line: bytes) -> None:
        self._input.write(line + b"\n")

    async def read_line(self) -> bytes:
        """The next line; b"" once the process has ended."""
        return await self._output.readline()

    async def stop(self) -> int:
        """Kill the process and those that it started, unless it has ended, and return its status."""
        _kill_group(self._process)
        status = await asyncio.to_thread(self._process.wait)
        self._close()
        return status

    def _close(self) -> None:
        """Close the pipes now; the garbage collector might take long."""
        for pipe in self._pipes:
            pipe.close()
        self._lifeline.close()


Started = tuple["Popen[bytes]", Lifeline]


async def _start_process(command: Sequence[str]) -> Started:
    """Start a process in a thread; if the caller is cancelled meanwhile, it is killed.

    It leaves the terminal's process group: Ctrl-C is for the server, which ends its workers.
    """
    starting = asyncio.ensure_future(asyncio.to_thread(_start_group, command))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        starting.add_done_callback(_kill_started)
        raise


def _start_group(command: Sequence[str]) -> Started:
    lifeline = Lifeline()
    try:
        process = Popen(
            command,
            bufsize=0,
            stdin=PIPE,
            stdout=PIPE,
            process_group=0,
            pass_fds=[lifeline.watched],
            env={**worker_environment(), **lifeline.environment},
        )
    except BaseException:
        lifeline.close()
        raise
    finally:
        lifeline.hand_over()
    return process, lifeline


def _kill_started(started: "asyncio.Future[Started]") -> None:
    if not started.exception():
        process, lifeline = started.result()
        _kill_group(process)
        lifeline.close()


def _kill_group(process: "Popen[bytes]") -> None:
    """Kill a process and those that it started. Leave one that has ended alone: its number may be reused."""
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
