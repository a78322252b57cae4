"""The process that writes a ledger for a server: a `Writer` whose entries come through a pipe.

The first message names the ledger, the next ones are entries, and an empty one ends the process. It ends at
once when the server does; nobody has heard of what was not answered. One thread reads the entries and
makes their texts, while the other one waits for the disk.
"""

import gc
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from feltlab.errors import Refused
from feltlab.ledger.database import Database, LedgerDown
from feltlab.ledger.signed_tip import TipSigner
from feltlab.ledger.writing.lines import LineReader, send_line
from feltlab.ledger.writing.packing import Packed, pack_failure, unpack_entry
from feltlab.ledger.writing.pending import PendingEntry, Then
from feltlab.ledger.writing.writer import Writer

GARBAGE_THRESHOLDS = (100_000, 20, 50)  # it makes many values, and cycles only where something fails


class Service:
    """Reads entries, has them written, and is the courier of what became of them."""

    def __init__(self, reader: LineReader, answers: int) -> None:
        self._reader, self._answers, self._gate = reader, answers, threading.Lock()
        self._writer: Writer

    def open(self, address: str, own_address: str, signing: tuple[str, bool, bool] | None) -> bool:
        """Open the ledger at an address for writing; whether it could be opened."""
        signer = TipSigner(Path(signing[0]), *signing[1:]) if signing else None
        try:
            self._writer = Writer(Database.at(address), own_address, signer=signer)
        except Refused as refused:
            send_line(self._answers, pack_failure(refused), 0, "")
            return False
        send_line(self._answers, pack_failure(None), self._writer.term, self._writer.last_moment)
        return True

    def serve(self) -> None:
        """Write what comes until the server closes the ledger."""
        while message := self._reader.read():
            self._put(*message)
        self._writer.close()

    def _put(self, number: int, wants_events: bool, packed: Packed) -> None:
        """Write the entry of a message; its number stands for what hears of it."""
        pending = PendingEntry(unpack_entry(packed), cast(Then, number), self, wants_events)
        try:
            self._writer.put(pending)
        except (Refused, LedgerDown, ValueError, TypeError) as error:
            pending.failure = error
            self.deliver([pending])

    def deliver(self, batch: Sequence[PendingEntry]) -> None:
        answers = [
            (pending.then, pack_failure(pending.failure), pending.written if pending.wants_events else ())
            for pending in batch
        ]
        try:
            with self._gate:
                send_line(self._answers, self._writer.down, self._writer.last_moment, answers)
        except OSError:  # the server has ended
            os._exit(0)
        if self._writer.is_lost:
            os._exit(0)  # a new process begins the next term


def main() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the server may have some seconds to end
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    reader = LineReader(int(sys.argv[1]))
    service = Service(reader, int(sys.argv[2]))
    try:
        if service.open(*reader.read()):
            service.serve()
    except EOFError:  # the server has ended
        os._exit(0)


if __name__ == "__main__":
    main()
