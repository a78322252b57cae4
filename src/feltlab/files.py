"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from feltlab.errors import Refused


def place_of(path: Path) -> Path:
    """Where a path leads, through links."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # links in a circle
        raise Refused(f"{path} cannot be written: its links lead nowhere.") from None


def write(path: Path, content: bytes) -> None:
    with writing(path) as stream:
        stream.write(content)


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """Written beside and moved into place, so that no half file is ever seen; a link stays a link."""
    place = place_of(path)
    if place.exists() and not place.is_file():
        raise Refused(f"{path} cannot be written: it is not an ordinary file.")
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        try:
            with beside.open("wb") as stream:
                yield stream
            os.replace(beside, place)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror or error}.") from None
