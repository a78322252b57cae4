"""`feltlab serve --workers N`: several processes of one machine that serve one address.

The first process binds the address, holds the lock of a SQLite ledger, and serves nothing itself. Each worker
accepts connections of the same socket and is a member of the ledger (`pit.sharing`): it runs the tables whose
leases it holds. What another worker runs it forwards through that worker's own socket, which is in a
folder that only this user can enter. A worker that dies is started again.
"""

import logging
import multiprocessing
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from feltlab.errors import Refused
from feltlab.ledger.database import Database
from feltlab.ledger.file_lock import FileLock
from feltlab.ledger.terms import InUse, end_all_terms
from feltlab.web.server_options import ServerOptions

SPAWN = multiprocessing.get_context("spawn")  # a fork would copy threads that do not run in the copy
LOOK_SECONDS = 0.5
SHORT_LIFE_SECONDS = 20.0  # a worker that dies sooner has a fault that a restart does not mend
MAX_SHORT_LIVES = 5
END_SECONDS = 20.0  # until workers that do not end are killed
# Messages of a worker: that it is open, something to say, a secret to say, or why it cannot start.
OPENED, SAY, MUST_SAY, REFUSED = "opened", "say", "must say", "refused"
OPEN = "The pit is open at"
LOG = logging.getLogger(__name__)

Serve = Callable[..., None]
Say = Callable[[str], None]


@dataclass
class ServingProcess:
    """One process, seen from the first."""

    place: int  # from 0; the first worker opens tables, makes accounts and speaks
    process: BaseProcess
    messages: Connection
    began: float
    is_open: bool = False


class WorkerProcesses:
    """Starts workers, passes on what they say, and starts those again that die."""

    def __init__(
        self, serve: Serve, opened: socket.socket, options: ServerOptions, say: Say, must_say: Say
    ) -> None:
        self._serve, self._opened, self._options = serve, opened, options
        self._sayings = {SAY: say, MUST_SAY: must_say}
        self._workers: dict[int, ServingProcess] = {}
        self._folder = ""
        self._count, self._was_open, self._sentence = options.workers, False, ""
        self._ends = 0.0  # when workers are killed; 0 while they shall run
        self._short_lives = 0
        self._why = ""  # the last worker that was refused could not start

    def run(self) -> None:
        """Run until a signal arrives."""
        before = {sign: signal.signal(sign, self._stop) for sign in (signal.SIGINT, signal.SIGTERM)}
        try:
            with tempfile.TemporaryDirectory(prefix="felt") as self._folder:
                self._start(0, is_first=True)
                while self._workers:
                    self._look()
        finally:
            for worker in self._workers.values():
                worker.process.kill()
            for sign, handler in before.items():
                signal.signal(sign, handler)
        if self._why and not self._ends:
            raise Refused(self._why)

    def _stop(self, *_: object) -> None:
        """End all workers; a second signal ends them at once."""
        self._ends = time.monotonic() if self._ends else time.monotonic() + END_SECONDS
        for worker in list(self._workers.values()):
            with suppress(OSError):
                worker.process.terminate()

    def _start(self, place: int, is_first: bool = False) -> None:
        here, there = SPAWN.Pipe()
        path = f"{self._folder}/{place}-{time.monotonic_ns()}"
        terms = (self._serve, self._opened, path, self._options, there, place == 0, is_first)
        process = SPAWN.Process(target=run_worker, args=terms, name=f"worker {place}")
        process.start()
        there.close()
        self._workers[place] = ServingProcess(place, process, here, time.monotonic())

    def _look(self) -> None:
        """Wait for something to happen, and see to it."""
        workers = list(self._workers.values())
        ready = wait([worker.messages for worker in workers], LOOK_SECONDS)
        for worker in workers:
            if worker.messages in ready:
                self._read(worker)
        if self._ends and time.monotonic() > self._ends:
            for worker in self._workers.values():
                worker.process.kill()
        first = self._workers.get(0)
        if first and first.is_open and not self._ends:
            for place in set(range(self._count)) - set(self._workers):
                self._start(place)

    def _read(self, worker: ServingProcess) -> None:
        try:
            kind, text = worker.messages.recv()
        except (EOFError, OSError):
            self._note_end(worker)
            return
        if kind == OPENED:
            worker.is_open, self._sentence = True, text
            self._say_open()
        elif kind == REFUSED:
            self._why = text
        elif worker.place == 0:
            self._sayings[kind](text)

    def _say_open(self) -> None:
        """Say once that the pit is open, when all workers are."""
        if not self._was_open and sum(worker.is_open for worker in self._workers.values()) == self._count:
            self._was_open = True
            self._sayings[SAY](self._sentence)

    def _note_end(self, worker: ServingProcess) -> None:
        """A worker has ended: start it again, unless all shall end or it never lives for long."""
        worker.process.join()
        worker.messages.close()
        del self._workers[worker.place]
        if self._ends:
            return
        is_short = time.monotonic() - worker.began < SHORT_LIFE_SECONDS
        self._short_lives = self._short_lives + 1 if is_short else 0
        if self._short_lives > MAX_SHORT_LIVES or (self._why and not worker.is_open):
            self._why = self._why or "The workers end as soon as they are started; the log has the reason."
            for other in self._workers.values():
                other.process.terminate()
            return
        LOG.warning("Worker %s ended with %s and is started again.", worker.place, worker.process.exitcode)
        self._start(worker.place)


def serve_workers(
    serve: Serve, opened: socket.socket, options: ServerOptions, say: Say, must_say: Say
) -> None:
    """Serve with several workers until a signal arrives; each of them calls `serve`."""
    database = Database.at(options.ledger)
    lock = FileLock.acquire(database.path) if database.is_file else None
    if database.is_file and lock is None:
        raise InUse(f"{database} is in use by another server.")
    try:
        if database.is_file:
            end_all_terms(database)
        WorkerProcesses(serve, opened, options, say, must_say).run()
    finally:
        if lock:
            lock.release()


# -- In a worker ------------------------------------------------------------------------------------


def run_worker(
    serve: Serve,
    opened: socket.socket,
    path: str,
    options: ServerOptions,
    messages: Connection,
    speaks: bool,
    is_first: bool,
) -> None:
    """Serve as one of several processes."""
    os.setsid()  # Ctrl-C is for the first process, which ends the others
    threading.Thread(target=_end_with_parent, args=(messages,), daemon=True).start()
    lock = threading.Lock()

    def tell(kind: str, text: str = "") -> None:
        with lock, suppress(OSError):
            messages.send((kind, text))

    def say(text: str) -> None:
        tell(OPENED if text.startswith(OPEN) else SAY, text)

    own = replace(options, prepare=options.prepare and speaks, shared=True, address=f"unix:{path}")
    if not is_first:
        own = replace(own, demo=False, new_password=False)
    with socket.socket(socket.AF_UNIX) as inner:
        inner.bind(path)
        try:
            serve(opened, own, say, lambda text: tell(MUST_SAY, text), inner)
        except Refused as refused:
            tell(REFUSED, str(refused))
    Path(path).unlink(missing_ok=True)


def _end_with_parent(messages: Connection) -> None:
    """End when the first process ends, however it ends: it closes the pipe, on which it sends nothing."""
    with suppress(EOFError, OSError):
        messages.recv()
    os.kill(os.getpid(), signal.SIGTERM)
