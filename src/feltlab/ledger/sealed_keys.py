"""The keys of a pit, sealed with a passphrase so that a backup may hold them.

scrypt turns the passphrase into a key, slowly on purpose; ChaCha20-Poly1305 seals with it, so that a wrong
passphrase or a changed byte is found.
"""

import base64
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.ledger.secret_files import load_secret

SCRYPT_COST = 2**17  # with blocks of 8: 128 MiB, some tenths of a second
SCRYPT_BLOCK = 8
MAX_SCRYPT_COST = 2**20
SALT_BYTES, NONCE_BYTES, KEY_BYTES = 16, 12, 32
MIN_PASSPHRASE_CHARS = 12
PURPOSE = b"feltlab keys"
OTHER_SECRETS = ("access.token",)
SESSIONS_KEY = "sessions.key"  # is in no backup: sessions that were signed out since would be valid again


def find_key_files(folder: Path) -> list[Path]:
    """The files of a pit's folder that hold keys, but for the key of the sessions."""
    found = {*folder.glob("*.key"), *(folder / name for name in OTHER_SECRETS)}
    return sorted(path for path in found if path.is_file() and path.name != SESSIONS_KEY)


def check_passphrase(passphrase: str) -> str:
    """The passphrase; refuses one that is quickly found by trying."""
    if len(passphrase) < MIN_PASSPHRASE_CHARS:
        raise Refused(f"A passphrase has at least {MIN_PASSPHRASE_CHARS} characters.")
    return passphrase


def seal_keys(folder: Path, passphrase: str) -> bytes:
    """All keys of a folder in one sealed text."""
    plain = {path.name: _encode(load_secret(path)) for path in find_key_files(folder)}
    salt, nonce = secrets.token_bytes(SALT_BYTES), secrets.token_bytes(NONCE_BYTES)
    cipher = ChaCha20Poly1305(_derive_key(passphrase, salt, SCRYPT_COST))
    return canonical_json(
        {
            "kdf": "scrypt",
            "cost": SCRYPT_COST,
            "salt": _encode(salt),
            "cipher": "ChaCha20-Poly1305",
            "nonce": _encode(nonce),
            "sealed": _encode(cipher.encrypt(nonce, canonical_json(plain), PURPOSE)),
        }
    )


def unseal_keys(text: bytes, passphrase: str) -> dict[str, bytes]:
    """The keys of a sealed text, by the names of their files."""
    try:
        held = orjson.loads(text)
        salt, nonce, sealed = (base64.b64decode(held[name]) for name in ("salt", "nonce", "sealed"))
        key = _derive_key(passphrase, salt, min(int(held["cost"]), MAX_SCRYPT_COST))
        plain: Mapping[str, str] = orjson.loads(ChaCha20Poly1305(key).decrypt(nonce, sealed, PURPOSE))
    except InvalidTag:
        raise Refused("The keys do not open: the passphrase is wrong.") from None
    except (ValueError, KeyError, TypeError):
        raise Refused("The sealed keys cannot be read.") from None
    return {name: base64.b64decode(key) for name, key in plain.items()}


def place_keys(folder: Path, keys: Mapping[str, bytes]) -> None:
    """Write keys into a new folder, each for its owner alone."""
    for name, key in keys.items():
        handle = os.open(folder / Path(name).name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(key)
            stream.flush()
            os.fsync(stream.fileno())


def _derive_key(passphrase: str, salt: bytes, cost: int) -> bytes:
    return Scrypt(salt=salt, length=KEY_BYTES, n=cost, r=SCRYPT_BLOCK, p=1).derive(passphrase.encode())


def _encode(content: bytes) -> str:
    return base64.b64encode(content).decode()
