"""Child processes: the loop reads and writes them without waiting, ends them, and leaves no pipe open."""

import asyncio
import os
import sys

import pytest
import uvloop

from feltlab.workers.process import Child

ECHO = "import sys\nfor line in sys.stdin: print(line.strip().upper(), flush=True)"
FAILS = "import sys; print('so far'); sys.exit(3)"


async def start(code):
    return await Child.start(sys.executable, "-c", code)


def count_descriptors():
    return len(os.listdir("/proc/self/fd"))


async def test_a_process_answers_line_by_line():
    child = await start(ECHO)
    for word in (b"one", b"two"):
        child.write_line(word)
        assert await child.read_line() == word.upper() + b"\n"
    assert child.is_alive
    assert await child.stop() == -9
    assert not child.is_alive
    assert await child.read_line() == b""


async def test_a_process_that_ended_by_itself_has_its_own_status():
    child = await start(FAILS)
    assert await child.read_line() == b"so far\n"
    assert await child.read_line() == b""
    assert await child.stop() == 3


async def test_a_start_that_is_cancelled_kills_the_process(tmp_path):
    path = tmp_path / "still-there"
    starting = asyncio.create_task(start(f"import time; time.sleep(2); open({str(path)!r}, 'w')"))
    await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await asyncio.sleep(3)
    assert not path.exists()


async def test_ctrl_c_at_the_terminal_does_not_reach_a_process():
    child = await start("import os; print(os.getpgrp(), flush=True)")
    assert int(await child.read_line()) != os.getpgrp()
    await child.stop()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="descriptors are counted on Linux")
def test_no_pipe_stays_open_in_the_servers_loop():
    counts = uvloop.run(_descriptors_after_each_round())
    assert counts[1:] == counts[:1] * 3


async def _descriptors_after_each_round():
    counts = []
    for _ in range(4):
        for code in (FAILS, ECHO):
            await (await start(code)).stop()
        await asyncio.sleep(0.05)
        counts.append(count_descriptors())
    return counts
