"""The vault: secrets are sealed before they are stored, with a key that is never in the database.

A copy of the database reveals no card to come. The file of the key holds a line for each key: the last one
seals, and the earlier ones, from before the key was changed, only open.
"""

import hmac
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from feltlab.digests import sha256_hex
from feltlab.errors import Refused
from feltlab.ledger.secret_files import MAX_SECRET_BYTES, load_or_create_secret, load_secret, replace_secret

KEY_FILE = "vault.key"
BLOCK_BYTES = 16
FERNET_VERSION = b"\x80"


class CannotUnseal(Refused):
    """A secret that the vault's key does not open."""


class Vault:
    """Seals secrets with its last key, and unseals them with any of its keys."""

    def __init__(self, *keys: bytes, path: Path | None = None) -> None:
        self._path = path
        self._use(keys)

    @classmethod
    def open(cls, path: Path) -> "Vault":
        """Open the vault of a key file; the first use creates the file."""
        keys = load_or_create_secret(path, Fernet.generate_key).split()
        try:
            return cls(*keys, path=path)
        except ValueError:
            raise Refused(f"{path} holds no key.") from None

    def _use(self, keys: tuple[bytes, ...]) -> None:
        self._keys = keys
        self._fernet = MultiFernet([Fernet(key) for key in reversed(keys)])
        last = urlsafe_b64decode(keys[-1])  # the first half signs, the second one encrypts
        self._cipher = algorithms.AES(last[BLOCK_BYTES:])
        self._signing = hmac.new(last[:BLOCK_BYTES], digestmod="sha256")  # each message continues a copy

    @property
    def fingerprint(self) -> str:
        """Names the key that seals, and reveals nothing of it."""
        return sha256_hex(self._keys[-1])

    def add_key(self) -> None:
        """Seal with a new key from now on; it is in the file before it is used."""
        keys = (*self._keys, Fernet.generate_key())
        content = b"\n".join(keys)
        if self._path is None or len(content) > MAX_SECRET_BYTES:
            raise Refused("The vault has had too many keys; remove the first lines of its file.")
        replace_secret(self._path, content)
        self._use(keys)

    def reload(self) -> bool:
        """Read the keys from the file again, where another server may have put a new one; whether it did."""
        keys = tuple(load_secret(self._path).split()) if self._path and self._path.exists() else self._keys
        if keys == self._keys:
            return False
        self._use(keys)
        return True

    def seal(self, secret: bytes) -> bytes:
        """A secret as Fernet seals it, in a third of its time: a live table seals every shuffle."""
        iv, padding = secrets.token_bytes(BLOCK_BYTES), BLOCK_BYTES - len(secret) % BLOCK_BYTES
        encryptor = Cipher(self._cipher, modes.CBC(iv)).encryptor()
        sealed = encryptor.update(secret + bytes([padding]) * padding) + encryptor.finalize()
        signed = FERNET_VERSION + int(time.time()).to_bytes(8, "big") + iv + sealed
        return urlsafe_b64encode(signed + self._sign(signed))

    def _sign(self, message: bytes) -> bytes:
        """The HMAC of a message."""
        signing = self._signing.copy()
        signing.update(message)
        return signing.digest()

    def reseal(self, sealed: bytes) -> bytes:
        """A sealed secret under the last key; one that no key opens stays as it is."""
        try:
            return self._fernet.rotate(sealed)
        except InvalidToken:
            return sealed

    def opens(self, sealed: bytes) -> bool:
        """Whether a key opens a sealed secret."""
        try:
            return bool(self.unseal(sealed))
        except CannotUnseal:
            return False

    def unseal(self, sealed: bytes) -> bytes:
        try:
            return self._fernet.decrypt(sealed)
        except InvalidToken:
            if self.reload():
                return self.unseal(sealed)
            raise CannotUnseal("A sealed secret does not open: the key or the secret was changed.") from None
