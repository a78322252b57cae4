"""Processes beside the server: they are heard, end when they are told to, and leave no pipe open."""

import asyncio
import os
import sys

import pytest
import uvloop

from feltlab.workers.process import started

ECHO = "import sys\nfor line in sys.stdin: print(line.strip().upper(), flush=True)"
FAILS = "import sys; print('so far'); sys.exit('no further')"
SLEEPS = "import time; print('up', flush=True); time.sleep(600)"


async def begun(code, **more):
    return await started(sys.executable, "-c", code, **more)


def descriptors():
    return len(os.listdir("/proc/self/fd"))


async def test_a_process_answers_line_by_line():
    child = await begun(ECHO)
    for word in (b"one", b"two"):
        child.write(word)
        assert await child.readline() == word.upper() + b"\n"
    assert child.alive
    await child.stop()
    assert not child.alive
    assert await child.readline() == b""


async def test_its_status_and_both_streams_are_heard():
    assert await (await begun(FAILS, complaints=True)).ended() == (1, b"so far\n", b"no further\n")


async def test_who_stops_waiting_stops_it():
    child = await begun(SLEEPS, complaints=True)
    assert await child.readline() == b"up\n"
    waiting = asyncio.create_task(child.ended())
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not child.alive


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="descriptors are counted on Linux")
def test_no_pipe_stays_open_in_the_servers_loop():
    counts = uvloop.run(_counted())
    assert counts[1:] == counts[:1] * 3


async def _counted():
    counts = []
    for _ in range(4):
        await (await begun(FAILS, complaints=True)).ended()
        child = await begun(ECHO)
        await child.stop()
        await asyncio.sleep(0.05)
        counts.append(descriptors())
    return counts
