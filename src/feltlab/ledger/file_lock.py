"""The lock of a SQLite file: one server at a time.

It is a lock on the file itself, so a hard link, a bind mount or another folder leads to the same lock. That
matters because SQLite names its log after the path: two servers on two links of one file would each write a
log of their own and destroy the ledger. For the same reason a row in the database cannot be the lock: it
would be in the log of the first path, where the second server does not look. The kernel releases the lock
of a killed server.
"""

import fcntl
import os
import time
from dataclasses import dataclass
from pathlib import Path

from feltlab.errors import Refused

# Files that this process has locked. Closing a file drops SQLite's own locks on it in the whole process, so
# it is never opened a second time.
_LOCKED: set[tuple[int, int]] = set()
RETRY_SECONDS = 0.05


class Turns:
    """Turns of processes that write one file: SQLite's own way to wait is to look again after a while."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(f"{path}.turns", os.O_RDWR | os.O_CREAT, 0o600)

    def __enter__(self) -> None:
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)


@dataclass
class FileLock:
    """The lock of one file, held until it is released."""

    descriptors: list[int]
    identity: tuple[int, int]

    @classmethod
    def acquire(cls, path: Path, wait_seconds: float = 0.0) -> "FileLock | None":
        """Lock a file, which is made if it is missing; None if another server has locked it.

        Another process may still be ending: it is waited for, but a lock of this process is not.
        """
        lock, ends = cls([], (0, 0)), time.monotonic() + wait_seconds
        try:
            path.touch(0o600)  # only its owner may read a new ledger
            status = os.stat(path)
            lock.identity = status.st_dev, status.st_ino
            if lock.identity in _LOCKED:
                return None
            # The file beside it is for servers of earlier versions, which lock nothing else.
            is_held = lock._lock(path, ends) and lock._lock(Path(f"{path}.lock"), ends)
        except OSError as error:
            lock._close()
            raise Refused(f"{path} cannot be written: {error.strerror or error}.") from None
        if is_held:
            _LOCKED.add(lock.identity)
            return lock
        lock._close()
        return None

    def _lock(self, path: Path, ends: float) -> bool:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self.descriptors.append(descriptor)
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= ends:
                    return False
                time.sleep(RETRY_SECONDS)
            else:
                return True

    def release(self) -> None:
        self._close()
        _LOCKED.discard(self.identity)

    def _close(self) -> None:
        while self.descriptors:
            os.close(self.descriptors.pop())
