"""Work in a daemon thread: its result, its error, and a process that does not wait for it."""

import subprocess
import sys
import time

import pytest

from feltlab.parallel.daemon import run_in_daemon

LEAVES = """
import asyncio, time
from feltlab.parallel.daemon import run_in_daemon

async def main():
    task = asyncio.create_task(run_in_daemon(time.sleep, 600))
    await asyncio.sleep(0.1)
    task.cancel()

asyncio.run(main())
"""


async def test_the_result_comes_back():
    assert await run_in_daemon(divmod, 7, 2) == (3, 1)


async def test_an_error_is_raised_here():
    with pytest.raises(ZeroDivisionError):
        await run_in_daemon(divmod, 7, 0)


def test_a_process_that_ends_does_not_wait():
    started = time.monotonic()
    done = subprocess.run([sys.executable, "-c", LEAVES], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - started < 100
