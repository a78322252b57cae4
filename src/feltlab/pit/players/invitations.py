"""Invitations to private tables: a code for each time that a table is shared.

The code follows from a key of the server and a random salt that the ledger records, so the ledger holds no
code, and the same link works until the table closes.
"""

import base64
import hashlib
import hmac
import secrets
from pathlib import Path

from feltlab.ledger.secret_files import load_or_create_secret
from feltlab.pit.table_state import TableState

KEY_BYTES = 32
CODE_CHARS = 22  # of six bits


def new_salt() -> str:
    return secrets.token_hex(16)


class Invitations:
    def __init__(self, key: bytes) -> None:
        self._key = key

    @classmethod
    def load(cls, path: Path) -> "Invitations":
        """Invitations with the key of a file; a missing file is made."""
        return cls(load_or_create_secret(path, lambda: secrets.token_bytes(KEY_BYTES)))

    def code(self, table: TableState) -> str:
        """The code of a shared table."""
        digest = hmac.digest(self._key, f"{table.name} {table.salt}".encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).decode()[:CODE_CHARS]

    def admits(self, table: TableState, code: str) -> bool:
        """Whether a code is that of this table, as it is shared now."""
        known, given = self.code(table).encode(), code.encode("utf-8", "replace")
        return table.is_shared and hmac.compare_digest(known, given)
