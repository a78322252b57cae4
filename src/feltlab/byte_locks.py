"""Locks by name between processes: a name has a byte of a file, and a process locks only that byte.

A lock ends with its process, even if that is killed. Where files cannot be locked, nobody waits.
"""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import BinaryIO

from feltlab.digests import sha256_hex

BYTE_DIGITS = 15  # of a name's digest, which number its byte
RETRY_SECONDS = 0.02


@contextmanager
def one_process(place: Path | None, name: str, most_seconds: float | None = None) -> Iterator[None]:
    """Let one process at a time go on with this name; after `most_seconds` of waiting, this one too."""
    byte = int(sha256_hex(name.encode())[:BYTE_DIGITS], 16)
    try:
        file = _open_file(place)
        _lock(file, byte, most_seconds)
    except OSError:
        yield
        return
    try:
        yield
    finally:
        fcntl.lockf(file, fcntl.LOCK_UN, 1, byte)


def _lock(file: BinaryIO, byte: int, most_seconds: float | None) -> None:
    """Raises an `OSError` if the byte cannot be locked in time."""
    if most_seconds is None:
        fcntl.lockf(file, fcntl.LOCK_EX, 1, byte)
        return
    until = time.monotonic() + most_seconds
    while True:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
            return
        except (BlockingIOError, PermissionError):  # another process has it
            if time.monotonic() > until:
                raise
            time.sleep(RETRY_SECONDS)


@cache
def _open_file(place: Path | None) -> BinaryIO:
    """The file of locks. It stays open: closing it would end all locks of this process."""
    if place is None:
        raise FileNotFoundError
    return place.open("wb")
