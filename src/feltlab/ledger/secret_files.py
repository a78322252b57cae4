"""Secrets in files that only their owner can read: made at random on first use, and kept."""

import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from feltlab.errors import Refused

MOST_BYTES = 4096
OTHERS = 0o077  # what the group and the world may do


def kept(path: Path, make: Callable[[], bytes]) -> bytes:
    """The secret in a file; made first, if there is no such file."""
    try:
        with suppress(FileNotFoundError):
            return _read(path)
        _place(path, make())
        return _read(path)
    except OSError as error:
        raise Refused(f"The secret {path} cannot be kept: {error.strerror or error}.") from None


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode):
            raise Refused(f"The secret {path} cannot be kept: it is not an ordinary file.")
        if mode & OTHERS:
            raise Refused(f"Others can read the secret {path}; make it yours alone with chmod 600.")
        secret = file.read(MOST_BYTES + 1)
    if not 0 < len(secret) <= MOST_BYTES:
        raise Refused(f"{path} holds no secret; remove it, and a new one is made.")
    return secret


def _place(path: Path, secret: bytes) -> None:
    """Linked into place when it is whole: of several who make it at once, one wins, and all read that."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(beside, path)
        _sync(path.parent)
    finally:
        beside.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """A name is on the disk when its folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
