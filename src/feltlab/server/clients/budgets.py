"""The room on the ledger that a client has left: by account, by address, and on the disk.

A client that has none begins nothing new, and finishes what it has begun.
"""

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from feltlab.errors import Refused, TooOften
from feltlab.ledger.event import HOUSE_CHAIN, PAYER, Draft
from feltlab.server.clients.allowance import MB, Allowance

LOG = logging.getLogger(__name__)
LOOK_SECONDS = 5.0  # between two looks at the disk
ROUND_BYTES = 6_000  # that must be left before something begins


class OverBudget(TooOften):
    """A client has written as much as it may; `seconds` says how long to wait."""

    def __init__(self, whose: str, seconds: float) -> None:
        super().__init__("events", seconds)
        until = datetime.now(UTC) + timedelta(seconds=self.seconds)
        self.args = (
            f"The room on the ledger for {whose} is used up until {until:%H:%M:%S} UTC; rounds under way are"
            " finished, and new ones begin then.",
        )


class DiskLow(Refused):
    """The disk is nearly full."""


@dataclass(frozen=True)
class Client:
    """An account, or '' for none, at an address: the payer of the events that it causes."""

    allowance: Allowance
    account: str
    address: str

    def charge(self, bytes: int) -> None:
        self.allowance.address_bytes.charge(self.address, bytes)
        if self.account:
            self.allowance.account_bytes.charge(self.account, bytes)

    def check(self) -> None:
        """Refuse a client that has no room left."""
        wait = self.allowance.account_bytes.seconds_until(self.account, ROUND_BYTES) if self.account else 0
        if wait:
            raise OverBudget("one account", wait)
        wait = self.allowance.address_bytes.seconds_until(self.address, ROUND_BYTES)
        if wait:
            raise OverBudget("one address", wait)

    def pay(self) -> None:
        """Be charged for everything that the present task writes and starts."""
        PAYER.set(self)


def free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


class Disk:
    """The free space where the ledger is, looked at from time to time."""

    def __init__(self, folder: Path, margin: int, measure: Callable[[Path], int] = free_bytes) -> None:
        self._folder, self._margin, self._measure = folder, margin, measure
        self.free = measure(folder)

    @property
    def is_low(self) -> bool:
        return self.free < self._margin

    @property
    def warning(self) -> str:
        """A sentence for staff, or ''."""
        if not self.is_low:
            return ""
        need = f"{self.free // MB:,} MB are free on the ledger's disk, and {self._margin // MB:,} are needed"
        return f"{need}: no new rounds begin until there is room."

    def check(self) -> None:
        """Refuse to begin something while the disk is nearly full."""
        if self.is_low:
            raise DiskLow(
                "The disk of this house is nearly full; no new rounds begin until its staff has made room."
            )

    async def watch(self, note: Callable[[Draft], Awaitable[None]]) -> None:
        """Look at the disk again and again; a change is logged and noted."""
        told = False
        while True:
            if told != self.is_low:
                told = self.is_low
                await self._tell(note)
            await asyncio.sleep(LOOK_SECONDS)
            self.free = await asyncio.to_thread(self._measure, self._folder)

    async def _tell(self, note: Callable[[Draft], Awaitable[None]]) -> None:
        kind, free = ("disk-low" if self.is_low else "disk-freed"), self.free // MB
        LOG.warning("%s", self.warning or f"{free:,} MB are free on the ledger's disk: rounds begin again.")
        await note(Draft(HOUSE_CHAIN, kind, {"free_mb": free, "needed_mb": self._margin // MB}))
