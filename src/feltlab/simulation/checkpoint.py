"""Checkpoints: the state of a long run in one file that is complete at any moment.

A new state is written to a file beside it and moved into place, so a run that is killed leaves its last
complete state. The file in place is always locked by the run that owns it: a new file is locked before it
is moved. That is why `files.open_whole` is not used here.
"""

import fcntl
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from feltlab.digests import sha256_hex
from feltlab.errors import Refused
from feltlab.files import place_of
from feltlab.text import listing

MAX_CHECKPOINT_BYTES = 1 << 26  # checkpoints are far smaller


class Checkpoint:
    """The file of one run, and the state that it held when it was opened, if any."""

    def __init__(self, path: Path, run: Mapping[str, Any]) -> None:
        """Open or create the file; `run` holds the words that tell this run from others."""
        self.path, self.run = place_of(path), dict(run)
        self.state: Any = None
        if path.exists() and not path.is_file():
            raise Refused(f"The checkpoint {path} cannot be used: it is not an ordinary file.")
        try:
            self._file: IO[str] = open(self.path, encoding="utf-8")  # noqa: SIM115 open, so locked, until closed
        except FileNotFoundError:
            self._file = self._write(None)
        except OSError as error:
            raise _refusal(path, error) from None
        else:
            self._lock(self._file)
            self.state = self._read()

    def save(self, state: Any) -> None:
        """Replace the state in the file."""
        before, self._file = self._file, self._write(state)
        before.close()

    def close(self) -> None:
        self._file.close()

    def _write(self, state: Any) -> IO[str]:
        text = json.dumps({"run": self.run, "digest": _digest(self.run, state), "state": state})
        try:
            file = tempfile.NamedTemporaryFile(  # noqa: SIM115
                "w", dir=self.path.parent, prefix=f".{self.path.name}.", delete=False, encoding="utf-8"
            )
        except OSError as error:
            raise _refusal(self.path, error) from None
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            self._lock(file)
            os.replace(file.name, self.path)
        except OSError as error:
            os.unlink(file.name)
            raise _refusal(self.path, error) from None
        return file

    def _lock(self, file: Any) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(f"Another run is writing the checkpoint {self.path}.") from None

    def _read(self) -> Any:
        try:
            text = self._file.read(MAX_CHECKPOINT_BYTES + 1)
            entry = json.loads(text)
            run, state = entry["run"], entry["state"]
            whole = entry["digest"] == _digest(run, state)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            whole = False
        if not whole:
            raise Refused(f"{self.path} is not a checkpoint, or it is damaged; it was left as it is.")
        if run != self.run:
            raise Refused(f"{self.path} is the checkpoint of another run: {_difference(run, self.run)}.")
        return state


def recorded_value(path: Path, name: str) -> Any:
    """The value that a checkpoint's run has under a name; None without such a file or name."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))["run"].get(name)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _refusal(path: Path, error: OSError) -> Refused:
    return Refused(f"The checkpoint {path} cannot be used: {error.strerror or error}.")


def _digest(run: Any, state: Any) -> str:
    """Not `digest_json`: counts may exceed its 64 bits."""
    return sha256_hex(json.dumps([run, state], sort_keys=True).encode())


def _difference(found: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    """'seed 1, not 2'; of long values only the names."""
    names = [name for name in run if found.get(name) != run[name]]
    short = [name for name in names if len(f"{found.get(name)}{run[name]}") < 100]
    if short:
        return f"{short[0]} {found.get(short[0])}, not {run[short[0]]}"
    return f"it differs in {listing(names)}"
