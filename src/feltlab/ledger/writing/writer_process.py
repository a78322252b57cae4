"""A ledger that is written by a process of its own.

Python runs one thread of a process at a time. A writer in the server's process takes turns with the tables;
in its own process it digests, signs and stores their events on another core. The process is a `Writer` whose
queue is a pipe (`writer_service`). It ends with the server, even if that is killed.

A process that ended by itself is treated like a term that was lost: the server distrusts what it knows, and
a new process begins the next term.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from typing import NamedTuple

from feltlab.errors import Refused
from feltlab.ledger.database import Database, LedgerDown
from feltlab.ledger.signed_tip import TipSigner
from feltlab.ledger.writing.lines import LineReader, LineSender, open_pipe, write_line
from feltlab.ledger.writing.packing import PackedFailure, unpack_failure
from feltlab.ledger.writing.pending import LoopCourier, PendingEntry, Written, deliver_entries
from feltlab.ledger.writing.waiting import CLOSED, MAX_WAITING_ENTRIES, OVERLOADED, Renewal, take_turns_often

SERVICE = "feltlab.ledger.writing.writer_service"
ENDED = (
    "The process that writes the ledger has ended; it is not known whether the last entries were accepted."
)
MAX_UNSENT_ENTRIES = 32  # that wait until the tables have done what they can do now
Answer = tuple[int, PackedFailure, list[Written]]  # to the entry of a number


class WriterProcess:
    """The process, and the entries that it has not answered yet. It has the methods of a `Writer`."""

    def __init__(self, database: Database, address: str = "", signer: TipSigner | None = None) -> None:
        self.database, self.down = database, ""
        self.is_lost = False  # the process writes no more, and `renew_term` was not called yet
        self.when_lost: Callable[[], object] = lambda: None  # called in the thread
        self.term, self.last_moment = 0, ""
        self._opening = write_line(database.address, address, signer.options if signer else None)
        self._gate, self._closing = threading.Lock(), False
        self._renewing = threading.Lock()  # one process is started or ended at a time
        self._numbers = count(1)
        self._waiting: dict[int, PendingEntry] = {}
        self._unsent: list[bytes] = []
        self._start()
        take_turns_often()

    def _start(self) -> None:
        """Start the process and the thread that hears its answers; raises what opening the ledger raises."""
        try:
            service = RunningService.start()
        except OSError as error:
            reason = error.strerror or error
            raise Refused(f"{self.database} cannot be opened: no process can be started: {reason}.") from None
        try:
            service.sender.send(self._opening)
            self._hear_opened(*service.reader.read())
        except BaseException as error:
            service.end()
            if isinstance(error, (EOFError, OSError)):
                raise Refused(f"{self.database} cannot be opened: its process has ended.") from None
            raise
        self._service, self.is_lost, self.down = service, False, ""
        self._thread = threading.Thread(target=self._work, args=(service,), name="ledger", daemon=True)
        self._thread.start()

    def _hear_opened(self, failure: PackedFailure, term: int, moment: str) -> None:
        if refused := unpack_failure(failure):
            raise refused
        self.term, self.last_moment = term, moment

    @property
    def process(self) -> int:
        """The number of the process."""
        return self._service.process.pid

    # -- For those who write -------------------------------------------------------------------------

    def put(self, pending: PendingEntry) -> None:
        number = next(self._numbers)
        line = write_line(number, pending.wants_events, pending.entry)
        pending.size = len(line)
        with self._gate:
            self._check_open()
            self._waiting[number] = pending
            self._unsent.append(line)
            unsent = len(self._unsent)
        if not isinstance(pending.courier, LoopCourier) or unsent >= MAX_UNSENT_ENTRIES:
            self._send_unsent()
        elif unsent == 1:
            pending.courier.loop.call_soon(self._send_unsent)

    def _check_open(self) -> None:
        if self._closing:
            raise LedgerDown(CLOSED)
        if self.is_lost:
            raise LedgerDown(self.down)
        if len(self._waiting) >= MAX_WAITING_ENTRIES:
            raise LedgerDown(OVERLOADED)

    def _send_unsent(self) -> None:
        with self._gate:
            lines, self._unsent = b"".join(self._unsent), []
            if lines:
                with suppress(OSError):  # the process has ended, as the thread will hear
                    self._service.sender.send(lines)

    def renew_term(self) -> Renewal:
        """Start a process that begins another term after the last one was lost."""
        renewal: Renewal = Future()
        with self._renewing:
            if self._closing:
                raise LedgerDown(CLOSED)
            try:
                if self.is_lost:
                    self._thread.join()
                    self._start()
            except Refused as refused:
                renewal.set_exception(LedgerDown(f"The ledger cannot be written: {refused}"))
            else:
                renewal.set_result(self.term)
        return renewal

    def close(self) -> None:
        """Have the process write what waits, and wait for its end."""
        with self._renewing:
            self._send_unsent()
            with self._gate:
                if self._closing:
                    return
                self._closing = True
                with suppress(OSError):
                    self._service.sender.send(write_line())
            self._thread.join()

    # -- The thread ---------------------------------------------------------------------------------

    def _work(self, service: "RunningService") -> None:
        try:
            with suppress(EOFError, OSError):
                while True:
                    self._hear(*service.reader.read())
        finally:
            try:
                service.end()
            finally:
                self._fail_waiting()

    def _hear(self, down: str, moment: str, answers: list[Answer]) -> None:
        """Hear what became of the entries of a transaction."""
        self.down = down
        self.last_moment = moment or self.last_moment
        for number, failure, written in answers:
            pending = self._waiting[number]
            pending.failure, pending.written = unpack_failure(failure), tuple(written)
        deliver_entries([self._waiting.pop(number) for number, *_ in answers])

    def _fail_waiting(self) -> None:
        """Fail the entries that the process has not answered."""
        with self._gate:
            self.is_lost, self.term, self.down = True, 0, self.down or ENDED
            left, self._waiting, self._unsent = list(self._waiting.values()), {}, []
        for pending in left:
            pending.failure = LedgerDown(self.down)
        deliver_entries(left)
        if not self._closing:
            self.when_lost()


class RunningService(NamedTuple):
    """A process that writes, and the ends of its pipes."""

    process: "subprocess.Popen[bytes]"
    sender: LineSender
    reader: LineReader

    @classmethod
    def start(cls) -> "RunningService":
        """Start a process of a group of its own: an interrupt at the terminal is for the server."""
        ends: list[int] = []
        try:
            ends += open_pipe()
            ends += open_pipe()
            heard, to_service, from_service, answers = ends
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", SERVICE, str(heard), str(answers)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[heard, answers],
                process_group=0,
            )
        except OSError:
            for end in ends:
                os.close(end)
            raise
        os.close(heard)
        os.close(answers)
        return cls(process, LineSender(to_service), LineReader(from_service))

    def end(self) -> None:
        """Close the pipes, at which the process ends, and wait for that."""
        self.sender.close()
        self.reader.close()
        self.process.wait()
