"""A process beside the server that is spoken with by lines.

uvloop starts a process by a fork, which copies the page tables of the whole server: every table waits for
some twenty to a hundred milliseconds. `Popen` lends its memory until the new program runs, which takes a few.
"""

import asyncio
from asyncio import StreamReader, StreamReaderProtocol, WriteTransport
from subprocess import PIPE, Popen


class Child:
    """A process, and its pipes as the loop reads and writes them."""

    def __init__(self, process: "Popen[bytes]", said: StreamReader, asks: WriteTransport) -> None:
        self._process, self._said, self._asks = process, said, asks

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def write(self, line: bytes) -> None:
        self._asks.write(line + b"\n")

    async def readline(self) -> bytes:
        """The next line; nothing where the process has ended."""
        return await self._said.readline()

    def kill(self) -> None:
        self._process.kill()

    async def wait(self) -> None:
        await asyncio.to_thread(self._process.wait)
        self._asks.close()


async def started(*words: str, longest: int) -> Child:
    """A process that runs these words; a line that it says may have so many bytes."""
    process = await asyncio.to_thread(Popen, words, bufsize=0, stdin=PIPE, stdout=PIPE)
    loop, said = asyncio.get_running_loop(), StreamReader(longest)
    await loop.connect_read_pipe(lambda: StreamReaderProtocol(said), process.stdout)
    asks, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, process.stdin)
    return Child(process, said, asks)
