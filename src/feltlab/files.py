"""Files that are written whole or not at all, and read within a limit; the one place that says how.

A file is written beside its place under a temporary name and moved there when it is complete, so no reader
ever sees half a file, and a failure leaves the old one as it was. Two writers differ for a reason:
`ledger.secret_files` links its file instead of moving it, because the first of several servers must win;
`simulation.checkpoint` keeps its file open, because its lock is on the open file.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from feltlab.errors import Refused


def place_of(path: Path) -> Path:
    """The path without links."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # links in a circle
        raise Refused(f"{path} cannot be written: its links lead nowhere.") from None


def check_folder_place(place: Path) -> None:
    """Refuse a place where no folder can be made or replaced, before anything is computed for it."""
    above = next(folder for folder in place.parents if folder.exists())
    if not above.is_dir():
        raise Refused(f"{place} cannot be written: {above} is not a folder.")
    if not os.access(above, os.W_OK | os.X_OK):
        raise Refused(f"{place} cannot be written: nothing may be written in {above}.")
    if place.exists() and not place.is_dir():
        raise Refused(f"{place} is a file, not a folder.")
    if place in (Path.cwd(), *Path.cwd().parents):  # the user's shell would be in a folder that is gone
        raise Refused(f"{place} is the folder in which you are, or above it; name another.")


def read_limited(path: Path, most_bytes: int) -> bytes:
    """Read an ordinary file of at most this size for a user; a failure is one sentence."""
    try:
        if not path.exists():
            raise Refused(f"{path} does not exist.")
        if not path.is_file():
            raise Refused(f"{path} is not an ordinary file.")
        with path.open("rb") as stream:
            content = stream.read(most_bytes + 1)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror or error}.") from None
    if len(content) > most_bytes:
        raise Refused(f"{path} is too long: more than {most_bytes:,} bytes.")
    return content


def write_file(path: Path, content: bytes) -> None:
    with open_whole(path) as stream:
        stream.write(content)


@contextmanager
def open_whole(path: Path) -> Iterator[BinaryIO]:
    """Replace a file for a user: a link stays a link, and a failure is one sentence."""
    place = place_of(path)
    if place.exists() and not place.is_file():
        raise Refused(f"{path} cannot be written: it is not an ordinary file.")
    try:
        with replace_file(place) as stream:
            yield stream
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror or error}.") from None


@contextmanager
def replace_file(place: Path) -> Iterator[BinaryIO]:
    """Replace a file when everything is written; raises the system's errors."""
    with create_beside(place) as beside:
        with beside.open("wb") as stream:
            yield stream
        os.replace(beside, place)


@contextmanager
def create_beside(place: Path, mode: int = 0o666) -> Iterator[Path]:
    """A new, empty file in the folder of `place`, removed at the end unless it was moved."""
    beside = place.with_name(f".{place.name}.{secrets.token_hex(8)}.part")
    os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    try:
        yield beside
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def replace_folder(place: Path) -> Iterator[Path]:
    """Replace a folder by the new one that the caller fills; the old one comes back after a failure."""
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    new, old = beside / "new", beside / "old"
    new.mkdir()
    try:
        yield new
        if place.exists():
            place.rename(old)
        new.rename(place)
    except BaseException:
        if old.exists() and not place.exists():
            old.rename(place)
        raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
