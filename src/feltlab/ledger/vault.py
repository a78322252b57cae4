"""The vault: secrets are sealed before they are stored, by a key that is never in the database.

A copy of the database shows no card to come.
"""

from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

from feltlab.errors import Refused
from feltlab.ledger.secret_files import kept


class Sealed(Refused):
    """A secret that does not open."""


class Vault:
    """Seals and unseals with one key."""

    def __init__(self, key: bytes) -> None:
        self._fernet = Fernet(key)

    @classmethod
    def open(cls, path: Path) -> "Vault":
        """The vault of a key file; the first use makes the file."""
        key = kept(path, Fernet.generate_key)
        try:
            return cls(key)
        except ValueError:
            raise Refused(f"{path} holds no key.") from None

    def seal(self, secret: bytes) -> bytes:
        return self._fernet.encrypt(secret)

    def unseal(self, sealed: bytes) -> bytes:
        try:
            return self._fernet.decrypt(sealed)
        except InvalidToken:
            raise Sealed("A sealed secret does not open: the key is another, or it was changed.") from None
