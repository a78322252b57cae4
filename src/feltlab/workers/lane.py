"""A worker's loop: one piece of work after the other, and its end when there is none for some minutes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

IDLE_SECONDS = 300.0  # after which a worker without work is ended
T = TypeVar("T")


async def run_lane(
    choose: Callable[[], T | None],
    serve: Callable[[T], Awaitable[None]],
    more: asyncio.Event,
    close: Callable[[], Awaitable[object]],
) -> None:
    """Serve what is chosen until nothing is; then wait for `more`, and close when none comes for long."""
    try:
        while True:
            if (chosen := choose()) is not None:
                await serve(chosen)
                continue
            more.clear()
            try:
                async with asyncio.timeout(IDLE_SECONDS):
                    await more.wait()
            except TimeoutError:
                return
    finally:
        await close()
