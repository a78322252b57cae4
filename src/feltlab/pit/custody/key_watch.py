"""Keys that another server has changed: an event says so, and the files of this server's folder have them.

Servers that share a folder go on with the new key within seconds. A server with a folder of its own gets the
files from whoever changed the keys; until then it says so, signs no head, and seals with the key before.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_CHAIN, Event
from feltlab.ledger.head_keys import KEY_ROTATED
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.vault import Vault
from feltlab.pit.custody.keys import VAULT

WATCH_SECONDS = 2.0
LOG = logging.getLogger(__name__)


class KeyWatch:
    """Follows the changes of keys on record."""

    def __init__(self, ledger: Ledger, vault: Vault, wake_heads: Callable[[], None]) -> None:
        self._ledger, self._vault, self._wake_heads = ledger, vault, wake_heads
        self.followers: list[Callable[[], None]] = []  # called after a change, to read other keys again
        self.trouble = ""  # why this server has not got a key yet
        self._number = 0  # of the last change that was followed

    async def run(self) -> None:
        """Look for changes again and again, until it is cancelled."""
        await asyncio.to_thread(self.begin)
        while True:
            with suppress(LedgerDown):
                await asyncio.to_thread(self.follow)
            await asyncio.sleep(WATCH_SECONDS)

    def begin(self) -> None:
        """Begin after the changes on record: a server that starts has read the files."""
        last = self._ledger.last_events(HOUSE_CHAIN, (KEY_ROTATED,))
        self._number = last[0].number if last else 0

    def follow(self) -> None:
        """Go on with the keys that have been changed since the last look."""
        changes = self._ledger.events_of_kinds(HOUSE_CHAIN, (KEY_ROTATED,), self._number)
        if not changes:
            return
        trouble = self._take_keys(changes)
        if trouble and trouble != self.trouble:
            LOG.warning("%s", trouble)
        self.trouble = trouble
        if not trouble:
            self._number = changes[-1].number

    def _take_keys(self, changes: list[Event]) -> str:
        """Read the files again; why one of them is not the new one, or ''."""
        try:
            self._vault.reload()
            for reload in self.followers:
                reload()
        except Refused as refused:
            return str(refused)
        self._wake_heads()
        sealing = [change.data["fingerprint"] for change in changes if change.data["key"] == VAULT]
        if sealing and sealing[-1] != self._vault.fingerprint:
            return "Another server has changed the key of the vault; copy its vault.key here."
        return ""
