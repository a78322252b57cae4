"""The vault: secrets are sealed before they are stored, by a key that is never in the database.

A copy of the database shows no card to come.
"""

import os
import stat
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

from feltlab.errors import Refused
from feltlab.files import place_of


class Vault:
    """Seals and unseals with one key."""

    def __init__(self, key: bytes) -> None:
        self._fernet = Fernet(key)

    @classmethod
    def open(cls, path: Path) -> "Vault":
        """The vault of a key file; the first use makes the file."""
        place = place_of(path)
        try:
            if not place.exists():
                _make(place)
            return cls(_read(place))
        except OSError as error:
            raise Refused(f"The key {path} cannot be used: {error.strerror or error}.") from None
        except ValueError as error:
            raise error if isinstance(error, Refused) else Refused(f"{path} holds no key.") from None

    def seal(self, secret: bytes) -> bytes:
        return self._fernet.encrypt(secret)

    def unseal(self, sealed: bytes) -> bytes:
        try:
            return self._fernet.decrypt(sealed)
        except InvalidToken:
            raise Refused(
                "A sealed secret does not open: the key is another one, or it was changed."
            ) from None


def _make(place: Path) -> None:
    """A new key, whole on the disk before it has its name; where two start at once, the first one's stays."""
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(Fernet.generate_key())
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(beside, place)
        except FileExistsError:
            return
        _sync(place.parent)
    finally:
        beside.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """A name is on the disk when its folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read(place: Path) -> bytes:
    with open(place, "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode):
            raise Refused(f"The key {place} cannot be used: it is not an ordinary file.")
        if mode & 0o077:
            raise Refused(f"The key {place} cannot be used: others may read it (chmod 600 {place}).")
        return file.read(1000)
