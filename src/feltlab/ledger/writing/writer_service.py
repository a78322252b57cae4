"""The process that writes a ledger for a server: a `Writer` whose queue is a pipe.

The first message names the ledger, the next ones are entries, and an empty one ends the process. It ends at
once when the server does; nobody has heard of what was not answered.
"""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from queue import Empty

from feltlab.errors import Refused
from feltlab.ledger.database import Database
from feltlab.ledger.signed_tip import TipSigner
from feltlab.ledger.writing.lines import LineReader, send_line
from feltlab.ledger.writing.packing import Packed, pack_failure, unpack_entry
from feltlab.ledger.writing.pending import PendingEntry
from feltlab.ledger.writing.waiting import Waiting
from feltlab.ledger.writing.writer import Writer


class Service:
    """The source of what the writer has to do, and the courier of its entries."""

    def __init__(self, reader: LineReader, answers: int) -> None:
        self._reader, self._answers = reader, answers
        self._writer: Writer | None = None

    def serve(self, address: str, own_address: str, signing: tuple[str, bool, bool] | None) -> None:
        """Write the ledger at an address until the server closes it."""
        signer = TipSigner(Path(signing[0]), *signing[1:]) if signing else None
        try:
            writer = self._writer = Writer(Database.at(address), own_address, signer=signer, source=self)
        except Refused as refused:
            send_line(self._answers, pack_failure(refused), 0, "")
            return
        send_line(self._answers, pack_failure(None), writer.term, writer.last_moment)
        writer.join()

    # -- The source ----------------------------------------------------------------------------------

    def get(self, *, timeout: float | None) -> Waiting:
        try:
            return self._unpack(*self._reader.read())
        except EOFError:  # the server has ended
            os._exit(0)

    def get_nowait(self) -> Waiting:
        message = self._reader.read_ready()
        if message is None:
            raise Empty
        return self._unpack(*message)

    def _unpack(self, number: int = 0, wants_events: bool = False, packed: Packed | None = None) -> Waiting:
        """The pending entry of a message, whose number is in the place of a future."""
        if packed is None:
            return None
        pending = PendingEntry(unpack_entry(packed), number, self, wants_events)
        try:
            pending.prepare()
        except (Refused, ValueError, TypeError) as error:
            pending.failure = error
        return pending

    # -- The courier ---------------------------------------------------------------------------------

    def deliver(self, batch: Sequence[PendingEntry]) -> None:
        assert self._writer
        answers = [
            (pending.future, pack_failure(pending.failure), pending.written if pending.wants_events else ())
            for pending in batch
        ]
        try:
            send_line(self._answers, self._writer.down, self._writer.last_moment, answers)
        except OSError:  # the server has ended
            os._exit(0)
        if self._writer.is_lost:
            os._exit(0)  # a new process begins the next term


def main() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the server may have some seconds to end
    reader = LineReader(int(sys.argv[1]))
    Service(reader, int(sys.argv[2])).serve(*reader.read())


if __name__ == "__main__":
    main()
