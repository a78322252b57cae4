"""The office of a pit: it keeps the register of approvals and writes each decision before it holds.

Other servers may decide on the same ledger. So the office follows the ledger before each decision, and writes
only if nobody has decided anything since.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_CHAIN, Entry, LastSeen
from feltlab.ledger.ledger import Ledger, Overtaken
from feltlab.pit.approvals.register import KINDS, Approvals

MAX_TRIES = 10  # to write a decision, while other processes write others


class Office:
    """The register of a ledger; one decision at a time changes it."""

    def __init__(self, ledger: Ledger, wake: Callable[[], None]) -> None:
        self.register = Approvals()
        self._ledger, self._wake = ledger, wake
        self._number = 0  # of the last event that the register holds
        self._deciding = asyncio.Lock()

    def follow(self) -> None:
        """Fold the events that were written since the last look."""
        register, number = self.register, self._number
        for event in self._ledger.events_of_kinds(HOUSE_CHAIN, KINDS, number):
            register, number = register.after(event), event.number
        self.register, self._number = register, number

    async def refresh(self) -> None:
        """Learn what other servers have decided."""
        async with self._deciding:
            await asyncio.to_thread(self.follow)

    async def decide(self, change: Callable[[Approvals], Approvals]) -> Approvals:
        """Change the register; refuses before anything is written."""
        async with self._deciding:
            for _ in range(MAX_TRIES):
                await asyncio.to_thread(self.follow)
                drafts = change(self.register).unwritten
                if not drafts:
                    return self.register
                with suppress(Overtaken):
                    seen = LastSeen(HOUSE_CHAIN, self._number, KINDS)
                    await self._ledger.append(Entry(drafts, seen=(seen,)))
                    self._wake()
                    await asyncio.to_thread(self.follow)
                    return self.register
        raise Refused("Others decided at the same moment; try again.")
