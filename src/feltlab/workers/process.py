"""A process beside the server, which reads and writes it without waiting.

uvloop starts a process by a fork, which copies the page tables of the whole server: every table waits for
some twenty to a hundred milliseconds. `Popen` lends its memory until the new program runs, which takes a few.
"""

import asyncio
from asyncio import BaseTransport, StreamReader, StreamReaderProtocol, WriteTransport
from collections.abc import Mapping, Sequence
from subprocess import PIPE, Popen
from typing import IO, Any

LINE = 1 << 20  # bytes


class Child:
    """A process, and its pipes as the loop reads and writes them."""

    def __init__(self, process: "Popen[bytes]", longest: int) -> None:
        self._process = process
        self._said, self._complained = StreamReader(longest), StreamReader(longest)
        self._asks: WriteTransport
        self._pipes: list[BaseTransport] = []

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        await self._hear(self._process.stdout, self._said)
        await self._hear(self._process.stderr, self._complained)
        self._asks, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, self._process.stdin)
        self._pipes.append(self._asks)

    async def _hear(self, pipe: IO[bytes] | None, reader: StreamReader) -> None:
        if pipe is None:
            reader.feed_eof()
            return
        loop = asyncio.get_running_loop()
        heard, _ = await loop.connect_read_pipe(lambda: StreamReaderProtocol(reader), pipe)
        self._pipes.append(heard)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def write(self, line: bytes) -> None:
        self._asks.write(line + b"\n")

    async def readline(self) -> bytes:
        """The next line; nothing where the process has ended."""
        return await self._said.readline()

    async def ended(self) -> tuple[int, bytes, bytes]:
        """Its status, and all that it said on both streams; who stops waiting for it stops it."""
        try:
            said, complained = await asyncio.gather(self._said.read(), self._complained.read())
        except asyncio.CancelledError:
            self._process.kill()
            raise
        finally:
            await self._wait()
        return self._process.returncode, said, complained

    async def stop(self) -> None:
        self._process.kill()
        await self._wait()

    async def _wait(self) -> None:
        """For the end of a process that has closed its streams or was killed: it is there at once."""
        await asyncio.to_thread(self._process.wait)
        self.close()

    def close(self) -> None:
        """No pipe stays open until somebody collects garbage."""
        for pipe in self._pipes:
            pipe.close()


async def started(
    *words: str, longest: int = LINE, complaints: bool = False, env: Mapping[str, str] | None = None
) -> Child:
    """A process that runs these words; a line that it says may have so many bytes.

    Its complaints are kept where they are asked for, and otherwise stand among those of the server.
    """
    process = await _begun(words, stderr=PIPE if complaints else None, env=env)
    child = Child(process, longest)
    try:
        await child.connect()
    except BaseException:
        process.kill()
        child.close()
        raise
    return child


async def _begun(words: Sequence[str], **more: Any) -> "Popen[bytes]":
    """A new process; who stops waiting for its start stops it."""

    def begin() -> "Popen[bytes]":
        return Popen(words, bufsize=0, stdin=PIPE, stdout=PIPE, **more)

    starting = asyncio.ensure_future(asyncio.to_thread(begin))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        starting.add_done_callback(_stopped)
        raise


def _stopped(begun: "asyncio.Future[Popen[bytes]]") -> None:
    if not begun.exception():
        begun.result().kill()
