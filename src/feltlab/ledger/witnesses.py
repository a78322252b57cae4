"""Witnesses: the head of the ledger, signed every few seconds and written to files that others keep.

Each head goes to `heads.jsonl` beside the ledger, and to every file that the server is told: on another disk,
on a share of another machine, or of the regulator.
"""

import asyncio
import logging
import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

from feltlab.errors import Refused
from feltlab.ledger.archive.receipts import find_round
from feltlab.ledger.event import HOUSE_CHAIN, ROLLBACK_KINDS, ROLLED_BACK, Draft, Entry
from feltlab.ledger.event_tree import EventTree
from feltlab.ledger.head_keys import (
    KEY_FILE,
    KEY_LOST,
    KEY_ROTATED,
    NEXT_KEY_FILE,
    HeadKey,
    Succession,
    move_next_key,
)
from feltlab.ledger.heads import SignedHead, find_last_head, read_last_lines, sign_head
from feltlab.ledger.ledger import Ledger, LedgerDown

HEAD_SECONDS = 5.0  # between two heads, while something happens
HEADS_FILE, CACHE_FILE = "heads.jsonl", "heads.tiles"
LOG = logging.getLogger(__name__)


class HeadSigner:
    """Signs the head of a ledger, and hands it to the witnesses."""

    def __init__(self, ledger: Ledger, folder: Path, witnesses: Iterable[Path] = ()) -> None:
        self.ledger, self._folder = ledger, folder
        self._tree = EventTree(ledger, folder / CACHE_FILE)
        self.troubles = dict.fromkeys((folder / HEADS_FILE, *witnesses), "")  # why a file lacks heads, or ""
        self.last: SignedHead | None = None
        self._waiting: dict[Path, bytes] = dict.fromkeys(self.troubles, b"")  # heads that a file lacks
        self._woken = asyncio.Event()
        self._lock = Lock()
        for path in self.troubles:
            check_place(path)
        self._is_unsettled = False  # whether another key is about to take over
        self._followed = 0  # the number of the last event about keys
        self._key = self._settle_key()

    def wake(self) -> None:
        """Sign soon: a member of staff has acted."""
        self._woken.set()

    async def run(self) -> None:
        """Sign again and again, until it is cancelled."""
        while True:
            with suppress(LedgerDown):
                if not self.ledger.is_lost:  # the server at work signs
                    await asyncio.to_thread(self._try_to_sign)
            with suppress(TimeoutError):
                async with asyncio.timeout(HEAD_SECONDS):
                    await self._woken.wait()
            self._woken.clear()

    def _try_to_sign(self) -> None:
        try:
            self.sign()
        except Refused as refused:
            self.troubles[self._path] = str(refused)

    def sign(self) -> SignedHead:
        """The head of all events on record by now; a new one goes to the witnesses."""
        with self._lock:
            return self._sign()

    def _sign(self) -> SignedHead:
        if self._is_unsettled:
            self._key = self._settle_key()
        self._follow_key()
        self._tree.catch_up()
        if self.last is None or self.last.size < self._tree.size:
            self.last = sign_head(self._key, self._tree.size, self._tree.root)
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

    # -- At a start ----------------------------------------------------------------------------------

    def plan_notes(self) -> tuple[Draft, ...]:
        """Events about what a start finds: a ledger that went back, or a key that nobody handed over."""
        back, lost = self.describe_rollback(), self._describe_lost_key()
        rolled = (Draft(HOUSE_CHAIN, ROLLED_BACK, {"why": back}),) if back else ()
        return rolled + ((Draft(HOUSE_CHAIN, KEY_LOST, {"key": "heads", "why": lost}),) if lost else ())

    def _describe_lost_key(self) -> str:
        """Why the key is not the one that signed before, if that one did not hand over; or ''."""
        lines = read_last_lines(self._path)
        if not any(_has_head(line) for line in lines) or find_last_head(lines, self._key.public):
            return ""
        return f"Heads are signed with the new key {self._key.public}; the key before is not there any more."

    def describe_rollback(self) -> str:
        """The difference between the ledger and the heads that were signed for it before, or ''.

        It differs if it was replaced by an older copy, or if events were changed. Heads from before a
        rollback that is on record are not looked at again.
        """
        known = self.ledger.last_events(HOUSE_CHAIN, ROLLBACK_KINDS)
        since = known[0].at if known else ""
        before = find_last_head(read_last_lines(self._path), self._key.public, since)
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

    @property
    def _path(self) -> Path:
        """The file of heads beside the ledger."""
        return next(iter(self.troubles))

    # -- Another key ---------------------------------------------------------------------------------

    @property
    def public_key(self) -> str:
        return self._key.public

    def rotate_key(self, named: Mapping[str, Any]) -> None:
        """Sign with a new key from now on; the old one hands over to it, in the name of somebody.

        The new key is in a file of its own until the succession is on record. A server that is killed in
        between finishes at its next start, or goes on with the old key.
        """
        with self._lock:
            self._sign()
            (self._folder / NEXT_KEY_FILE).unlink(missing_ok=True)
            self._is_unsettled = True
            succession = self._key.hand_over(HeadKey(self._folder / NEXT_KEY_FILE))
            data = {"key": "heads", **named, **vars(succession)}
            self.ledger.append_blocking(Entry((Draft(HOUSE_CHAIN, KEY_ROTATED, data),)))
            self._sign()

    def _settle_key(self) -> HeadKey:
        """The key that signs: the next one if its succession is on record, which then is the only one."""
        path = self._folder / NEXT_KEY_FILE
        if path.exists():
            public = HeadKey(path).public
            handed = [one for one in load_successions(self.ledger) if one.new == public]
            for place in self.troubles if handed else ():
                self._write(place, handed[0].line)
            move_next_key(self._folder) if handed else path.unlink()
        self._is_unsettled = False
        return HeadKey(self._folder / KEY_FILE)

    def _follow_key(self) -> None:
        """Sign with the key to which another server has changed; refuse to sign with a replaced one."""
        events = self.ledger.events_of_kinds(HOUSE_CHAIN, (KEY_ROTATED,), self._followed)
        replaced = {event.data.get("old") for event in events}
        if self._key.public in replaced:
            self._key = HeadKey(self._folder / KEY_FILE)
        if self._key.public in replaced:
            raise Refused(f"Another server changed the key that signs heads; {KEY_FILE} is an old one here.")
        self._followed = max([self._followed, *(event.number for event in events)])

    # -- Receipts ------------------------------------------------------------------------------------

    def write_receipt(self, table: str, round: int, ends: Collection[str]) -> dict[str, Any]:
        """A round with the path from the event that ends it to a signed head.

        It can be checked without the house. `ends` are the kinds of events that end a round.
        """
        found = find_round([self.ledger], table, round, ends)
        with self._lock:
            head, path = self._sign(), self._tree.find_path(found.sequence)
        return found.write_receipt(head, path, load_successions(self.ledger))


def load_successions(ledger: Ledger) -> list[Succession]:
    """The successions of the keys that sign heads, as far as they are on record and rightly signed."""
    events = ledger.events(HOUSE_CHAIN, kinds=(KEY_ROTATED,))
    return [one for event in events if (one := Succession.from_data(event.data))]


def _has_head(line: bytes) -> bool:
    with suppress(Refused):
        return bool(SignedHead.parse(line))
    return False


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
