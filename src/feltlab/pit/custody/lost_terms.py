"""Another term after the last one was lost: one attempt at a time, however often a term is lost meanwhile."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from feltlab.ledger.ledger import Ledger, LedgerDown

LOG = logging.getLogger(__name__)
RETRY_SECONDS = 1.0  # until the next attempt


class LostTerms:
    """The losses of a server's term after which it has not read everything again."""

    def __init__(
        self, ledger: Ledger, distrust: Callable[[], None], load: Callable[[], Awaitable[None]]
    ) -> None:
        """`distrust` forgets what is in memory, and `load` reads it from the ledger."""
        self._ledger, self._distrust, self._load = ledger, distrust, load
        self._count = 0

    def note(self) -> bool:
        """Distrust everything; whether nobody begins again yet after an earlier loss."""
        LOG.warning("%s Everything is read from the ledger again.", self._ledger.down)
        self._distrust()
        self._count += 1
        return self._count == 1

    async def begin_again(self) -> None:
        """Begin another term once the ledger is free, and go on with it as a new server does."""
        while self._count:
            count = self._count
            try:
                await asyncio.to_thread(self._ledger.renew_term)
                await self._load()
            except LedgerDown:  # another server lives, or the database is down
                await asyncio.sleep(RETRY_SECONDS)
                continue
            self._count -= count
            if self._count:  # the term was lost once more meanwhile
                self._distrust()
            else:
                LOG.warning("Everything is read, and play goes on.")
