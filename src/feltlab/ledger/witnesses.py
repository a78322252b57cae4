"""Witnesses: the head of the ledger, signed every few seconds and written to files that others keep.

Each head goes to `heads.jsonl` beside the ledger, and to every file that the server is told: on another disk,
on a share of another machine, or of the regulator.
"""

import asyncio
import logging
import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import StoredEvent
from feltlab.ledger.event_tree import EventTree
from feltlab.ledger.heads import HeadKey, SignedHead, find_last_head
from feltlab.ledger.ledger import Ledger, LedgerDown

HEAD_SECONDS = 5.0  # between two heads, while something happens
HEADS_FILE, KEY_FILE, CACHE_FILE = "heads.jsonl", "heads.key", "heads.tiles"
LOG = logging.getLogger(__name__)


class HeadSigner:
    """Signs the head of a ledger, and hands it to the witnesses."""

    def __init__(self, ledger: Ledger, folder: Path, witnesses: Iterable[Path] = ()) -> None:
        self._ledger = ledger
        self._key = HeadKey(folder / KEY_FILE)
        self._tree = EventTree(ledger, folder / CACHE_FILE)
        self.troubles = dict.fromkeys((folder / HEADS_FILE, *witnesses), "")  # why a file lacks heads, or ""
        self.last: SignedHead | None = None
        self._waiting: dict[Path, bytes] = dict.fromkeys(self.troubles, b"")  # heads that a file lacks
        self._woken = asyncio.Event()
        self._lock = Lock()
        for path in self.troubles:
            check_place(path)

    def wake(self) -> None:
        """Sign soon: a member of staff has acted."""
        self._woken.set()

    async def run(self) -> None:
        """Sign again and again, until it is cancelled."""
        while True:
            with suppress(LedgerDown):
                await asyncio.to_thread(self.sign)
            with suppress(TimeoutError):
                async with asyncio.timeout(HEAD_SECONDS):
                    await self._woken.wait()
            self._woken.clear()

    def sign(self) -> SignedHead:
        """The head of all events on record by now; a new one goes to the witnesses."""
        with self._lock:
            return self._sign()

    def _sign(self) -> SignedHead:
        self._tree.catch_up()
        if self.last is None or self.last.size < self._tree.size:
            self.last = self._key.sign(self._tree.size, self._tree.root)
            for path in self.troubles:
                self._write(path, self.last.line)
        return self.last

    def _write(self, path: Path, line: bytes) -> None:
        """Append a head to a file, after those that it could not take before."""
        self._waiting[path] += line
        try:
            with path.open("a+b") as stream:
                stream.write(_end_torn_line(stream) + self._waiting[path])
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            if not self.troubles[path]:
                LOG.warning("The witness %s cannot be written: %s", path, error.strerror or error)
            self.troubles[path] = f"It cannot be written: {error.strerror or error}."
        else:
            self._waiting[path], self.troubles[path] = b"", ""

    def describe_rollback(self) -> str:
        """How the ledger differs from the heads that were signed for it before, or ''.

        It differs if it was replaced by an older copy, or if events were changed.
        """
        before = find_last_head(next(iter(self.troubles)), self._key.public)
        if before is None:
            return ""
        with self._lock:
            self._tree.catch_up()
            root, gone = self._tree.root_at(before.size), before.size - self._tree.size
        if root is None:
            return f"The last {gone} events are gone that the head signed at {before.at} covers."
        if root.hex() != before.root:
            return f"The first {before.size} events are not those of the head signed at {before.at}."
        return ""

    # -- Receipts ------------------------------------------------------------------------------------

    def write_receipt(self, table: str, round: int, ends: Collection[str]) -> dict[str, Any]:
        """A round with the path from the event that ends it to a signed head.

        It can be checked without the house. `ends` are the kinds of events that end a round.
        """
        events = _round_events(self._ledger, table, round, ends)
        if not events:
            raise Unknown(f"{table} has finished no round {round}.")
        with self._lock:
            head, path = self._sign(), self._tree.find_path(events[-1].sequence)
        return {
            "table": table,
            "round": round,
            "before": self._ledger.digest_of(table, events[0].number - 1),
            "events": [event.text for event in events],
            "sequence": events[-1].sequence,
            "path": [node.hex() for node in path],
            "head": vars(head),
        }


def _round_events(ledger: Ledger, table: str, round: int, kinds: Collection[str]) -> list[StoredEvent]:
    """The events of a finished round from its first to the one that ended it; none while it goes on."""
    events = list(ledger.stored_events(chain=table, round=round))
    ends = [place for place, event in enumerate(events, 1) if event.kind in kinds]
    return events[: ends[0]] if ends else []


def check_place(path: Path) -> None:
    """Refuse a file that cannot be appended to, before the pit opens."""
    try:
        if path.exists() and not path.is_file():
            raise Refused(f"The witness {path} is not an ordinary file.")
        with path.open("ab"):
            pass
    except OSError as error:
        raise Refused(f"The witness {path} cannot be written: {error.strerror or error}.") from None


def _end_torn_line(stream: BinaryIO) -> bytes:
    """The end of a line that a full disk or a kill cut short; nothing if the file ends with a whole line."""
    if stream.seek(0, os.SEEK_END) == 0:
        return b""
    stream.seek(-1, os.SEEK_END)
    return b"" if stream.read(1) == b"\n" else b"\n"
