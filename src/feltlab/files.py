"""Files that are written whole or not at all."""

import os
from pathlib import Path

from feltlab.errors import Refused


def write(path: Path, content: bytes) -> None:
    """Written beside and moved into place, so that no half file is ever seen."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            beside.write_bytes(content)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror or error}.") from None
