"""Files that are written whole or not at all."""

import os
from pathlib import Path

from feltlab.errors import Refused


def write(path: Path, content: bytes) -> None:
    """Written beside and moved into place, so that no half file is ever seen; a link stays a link."""
    place = path.resolve()
    if place.exists() and not place.is_file():
        raise Refused(f"{path} cannot be written: it is not an ordinary file.")
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        try:
            beside.write_bytes(content)
            os.replace(beside, place)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror or error}.") from None
