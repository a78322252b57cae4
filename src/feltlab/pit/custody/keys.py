"""Keys that change: the vault's, the one that signs heads, and the one that signs sessions.

Whatever an old key has sealed or signed stays readable and verifiable. Each change is an event of the house,
and a server that is killed in the middle of one goes on with the old key or with the new one.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_CHAIN, Draft, Entry
from feltlab.ledger.head_keys import KEY_ROTATED
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.vault import Vault
from feltlab.ledger.witnesses import HeadSigner
from feltlab.text import listing

VAULT, HEADS, SESSIONS = ROTATED_KEYS = ("vault", "heads", "sessions")


def check_key_name(name: str) -> str:
    if name not in ROTATED_KEYS:
        raise Refused(f"{name!r} is not a key of a pit; possible are {listing(ROTATED_KEYS)}.")
    return name


class KeyRing:
    """The keys of a pit, each with the way in which it is changed; every way waits for the disk."""

    def __init__(
        self, ledger: Ledger, vault: Vault, heads: HeadSigner, rotate_sessions: Callable[[], None]
    ) -> None:
        self._ledger, self._vault, self._heads = ledger, vault, heads
        self._rotate_sessions = rotate_sessions

    def rotate(self, name: str, by: str, request: int = 0) -> None:
        """Change a key for an account that may, under a request that a second person confirmed."""
        named = {"by": by, **({"request": request} if request else {})}
        match check_key_name(name):
            case "vault":
                self._rotate_vault(named)
            case "heads":
                self._heads.rotate_key(named)
            case "sessions":
                self._rotate_sessions()
                self._record({"key": SESSIONS, **named})

    def _rotate_vault(self, named: dict[str, Any]) -> None:
        """Seal everything again with a new key: the event and all sealed cards are one entry."""
        self._vault.add_key()
        sealed = self._ledger.sealed_by_name().items()
        resealed = {name: self._vault.reseal(secret) for name, secret in sealed}
        self._record({"key": VAULT, **named, "fingerprint": self._vault.fingerprint}, resealed)

    def _record(self, data: dict[str, Any], resealed: dict[str, bytes] | None = None) -> None:
        drafts = (Draft(HOUSE_CHAIN, KEY_ROTATED, data),)
        self._ledger.append_blocking(Entry(drafts, resealed=resealed or {}))


def open_key_ring(ledger: Ledger, folder: Path, rotate_sessions: Callable[[], None]) -> KeyRing:
    """The keys of a pit that does not run."""
    vault = Vault.open(folder / "vault.key")
    return KeyRing(ledger, vault, HeadSigner(ledger, folder), rotate_sessions)
