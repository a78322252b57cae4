"""Secrets in files that only their owner can read, created at random on first use."""

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from feltlab.errors import Refused
from feltlab.files import create_beside

MAX_SECRET_BYTES = 4096
OTHERS_MODE = 0o077  # the permissions of the group and of everyone else


def load_or_create_secret(path: Path, create: Callable[[], bytes]) -> bytes:
    """The secret in a file; `create` makes one if there is no such file."""
    try:
        with suppress(FileNotFoundError):
            return load_secret(path)
        _place(path, create())
        return load_secret(path)
    except OSError as error:
        raise Refused(f"The secret {path} cannot be kept: {error.strerror or error}.") from None


def load_secret(path: Path) -> bytes:
    """The secret in a file; refuses one that others can read."""
    with path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode):
            raise Refused(f"The secret {path} cannot be kept: it is not an ordinary file.")
        if mode & OTHERS_MODE:
            raise Refused(f"Others can read the secret {path}; make it yours alone with chmod 600.")
        secret = file.read(MAX_SECRET_BYTES + 1)
    if not 0 < len(secret) <= MAX_SECRET_BYTES:
        raise Refused(f"{path} holds no secret; remove it, and the next start creates a new one.")
    return secret


def replace_secret(path: Path, secret: bytes) -> None:
    """Put another secret into a file, whole or not at all."""
    try:
        with create_beside(path, mode=0o600) as beside:
            _write(beside, secret)
            os.replace(beside, path)
        sync_folder(path.parent)
    except OSError as error:
        raise Refused(f"The secret {path} cannot be kept: {error.strerror or error}.") from None


def _place(path: Path, secret: bytes) -> None:
    """Link a complete file into place: of several processes that do so at once the first wins, for all."""
    with create_beside(path, mode=0o600) as beside:
        _write(beside, secret)
        with suppress(FileExistsError):
            os.link(beside, path)
        sync_folder(path.parent)


def _write(path: Path, secret: bytes) -> None:
    with path.open("wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Force a folder to the disk: only then is a new name in it safe."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
