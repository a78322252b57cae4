"""Records of the trainer: a small file for each account, beside the ledger.

Nothing here concerns money or cards, so nothing of it is on the ledger: the newest record of a game replaces
the one before. The files that were changed longest ago make room for new ones.
"""

import hashlib
import logging
import time
from pathlib import Path
from typing import Any

import orjson

from feltlab.errors import Refused
from feltlab.files import replace_file

MAX_GAME_BYTES = 24_000  # of the record of one game
MAX_FILES = 5_000
LOG = logging.getLogger(__name__)
Data = dict[str, Any]


class TrainingRecords:
    """The records of all accounts, by game: `at`, in milliseconds since 1970, and `stored`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, account: str) -> dict[str, Data]:
        """The records of an account, by game; nothing for a file that is missing or damaged."""
        try:
            found = orjson.loads(self._path(account).read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def save(self, account: str, game: str, at: int, stored: Data) -> Data:
        """Keep the later of two records of a game; returns the one that is kept."""
        records = self.load(account)
        record = {"at": min(at, int(1000 * time.time())), "stored": stored}
        known = records.get(game)
        if known and known["at"] > record["at"]:
            return known
        if len(orjson.dumps(record)) > MAX_GAME_BYTES:
            raise Refused(f"This is more than the {MAX_GAME_BYTES:,} bytes that are kept of a game.")
        self._write(self._path(account), orjson.dumps(records | {game: record}))
        return record

    def _path(self, account: str) -> Path:
        return self._folder / f"{hashlib.sha256(account.encode()).hexdigest()}.json"

    def _write(self, path: Path, content: bytes) -> None:
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            if not path.exists():
                self._make_room()
            with replace_file(path) as stream:
                stream.write(content)
        except OSError as error:
            LOG.warning("The training records cannot be written: %s.", error.strerror or error)
            raise Refused("Your progress cannot be kept on the server now; this browser keeps it.") from None

    def _make_room(self) -> None:
        """Remove the files that were changed longest ago, until there is room for one more."""
        files = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        for path in files[: max(0, len(files) - MAX_FILES + 1)]:
            path.unlink(missing_ok=True)
