"""The vault: secrets are sealed before they are stored, with a key that is never in the database.

A copy of the database reveals no card to come.
"""

from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

from feltlab.errors import Refused
from feltlab.ledger.secret_files import load_or_create_secret


class CannotUnseal(Refused):
    """A secret that the vault's key does not open."""


class Vault:
    """Seals and unseals secrets with one key."""

    def __init__(self, key: bytes) -> None:
        self._fernet = Fernet(key)

    @classmethod
    def open(cls, path: Path) -> "Vault":
        """Open the vault of a key file; the first use creates the file."""
        key = load_or_create_secret(path, Fernet.generate_key)
        try:
            return cls(key)
        except ValueError:
            raise Refused(f"{path} holds no key.") from None

    def seal(self, secret: bytes) -> bytes:
        return self._fernet.encrypt(secret)

    def opens(self, sealed: bytes) -> bool:
        """Whether the key opens a sealed secret."""
        try:
            return bool(self.unseal(sealed))
        except CannotUnseal:
            return False

    def unseal(self, sealed: bytes) -> bytes:
        try:
            return self._fernet.decrypt(sealed)
        except InvalidToken:
            raise CannotUnseal("A sealed secret does not open: the key or the secret was changed.") from None
