"""Requests with a key are acted on once, however often they are sent."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from feltlab.digests import digest_json
from feltlab.errors import Refused
from feltlab.ledger.event import Key
from feltlab.ledger.ledger import Ledger, Repeated


class KeyReused(Refused):
    """A key that was used for another request."""


def bind_key(account: str, name: str | None, *request: Any) -> Key | None:
    """The key of an account's request, bound to its content; None for a request without a key."""
    if name is None:
        return None
    return Key(account, name, digest_json(request))


async def do_once(ledger: Ledger, key: Key | None, work: Callable[[], Awaitable[Any]]) -> bool:
    """Do the work unless the same request was acted on before; returns whether it was.

    A repeat is usually refused because of what the first request changed, so a refusal looks up the key too.
    """
    try:
        await work()
        return False
    except Repeated as repeated:
        used = repeated.request
    except Refused:
        found = await asyncio.to_thread(ledger.find_request, key) if key else None
        if found is None:
            raise
        used = found
    _check_same(key, used)
    return True


async def was_done(ledger: Ledger, key: Key | None) -> bool:
    """Whether this request was acted on before."""
    used = await asyncio.to_thread(ledger.find_request, key) if key else None
    if used is None:
        return False
    _check_same(key, used)
    return True


def _check_same(key: Key | None, used: str) -> None:
    if key and used != key.request:
        raise KeyReused("This key was used for another request.")
