"""The key that signs heads, and its successors.

A key hands over to the next one by a *succession*, which both sign: so a witness who trusts either knows the
other. It is an event of the ledger and a line in the files of the witnesses; wherever it comes from, its
signatures are what makes it true.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import orjson
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.ledger.event import now
from feltlab.ledger.secret_files import load_or_create_secret, load_secret, sync_folder

KEY_FILE, NEXT_KEY_FILE = "heads.key", "heads.key.next"
PURPOSE = "feltlab head key"  # part of the message, so that no signature of a head can pose as this one
KEY_ROTATED, KEY_LOST = "key-rotated", "key-lost"  # kinds of the house's events


def is_signed(public: str, signature: str, message: bytes) -> bool:
    """Whether a key signed a message; raises ValueError if key or signature is no such thing."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), message)
    except InvalidSignature:
        return False
    return True


@dataclass(frozen=True)
class Succession:
    """A key that hands over to the next one."""

    old: str  # public keys
    new: str
    at: str
    signed: str  # by the old key
    accepted: str  # by the new key

    @property
    def message(self) -> bytes:
        """The bytes that both keys sign."""
        return canonical_json([PURPOSE, self.old, self.new, self.at])

    @property
    def line(self) -> bytes:
        return canonical_json(vars(self)) + b"\n"

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Succession | None":
        """The succession in data that have its fields and both signatures; None otherwise."""
        try:
            found = cls(*(str(data[field.name]) for field in fields(cls)))
            signed = is_signed(found.old, found.signed, found.message)
            return found if signed and is_signed(found.new, found.accepted, found.message) else None
        except (KeyError, ValueError, TypeError):
            return None

    @classmethod
    def parse(cls, line: bytes) -> "Succession | None":
        try:
            return cls.from_data(orjson.loads(line))
        except ValueError:
            return None


class HeadKey:
    """The key that signs heads, in a file that only its owner can read."""

    def __init__(self, path: Path, secret: bytes | None = None) -> None:
        """The key of a file, whose secret may have been read already; a missing file gets a new key."""
        if secret is None:
            secret = load_or_create_secret(path, lambda: Ed25519PrivateKey.generate().private_bytes_raw())
        try:
            self._private = Ed25519PrivateKey.from_private_bytes(secret)
        except ValueError:
            raise Refused(f"{path} holds no key.") from None
        self.path = path
        self.public = self._private.public_key().public_bytes_raw().hex()

    def sign_bytes(self, message: bytes) -> str:
        return self._private.sign(message).hex()

    def hand_over(self, successor: "HeadKey") -> Succession:
        """The statement with which this key hands over to another."""
        plain = Succession(self.public, successor.public, now(), "", "")
        signed, accepted = self.sign_bytes(plain.message), successor.sign_bytes(plain.message)
        return Succession(plain.old, plain.new, plain.at, signed, accepted)


def move_next_key(folder: Path) -> None:
    """Put the next key in the place of the present one."""
    os.replace(folder / NEXT_KEY_FILE, folder / KEY_FILE)
    sync_folder(folder)


def load_key(folder: Path, successors: Iterable[str], creates: bool = True) -> HeadKey:
    """The key that signs: the next one if it is among the successors on record."""
    path, next_path = folder / KEY_FILE, folder / NEXT_KEY_FILE
    with suppress(FileNotFoundError):  # of the next key; another process may just have moved it
        key = HeadKey(next_path, load_secret(next_path))
        if key.public in set(successors):
            return key
    if not creates and not path.exists():
        raise Refused(f"{folder} lacks the {KEY_FILE} of the pit; name its folder with --data.")
    return HeadKey(path)


class KeyTrust:
    """The keys whose heads are believed: those that are trusted, and all before and after them."""

    def __init__(self, keys: Iterable[str] = (), successions: Iterable[Succession] = ()) -> None:
        self._trusted, self._successions = set(keys), list(successions)
        self._known = self._find_keys()

    def learn(self, successions: Iterable[Succession]) -> None:
        self._successions += successions
        self._known = self._find_keys()

    def describe_doubt(self, key: str, at: str) -> str:
        """Why a head that a key signed at a moment is not believed, or ''; the first key of all is."""
        if not self._trusted:
            self._trusted.add(key)
            self._known = self._find_keys()
        if key not in self._known:
            return "it is signed with another key"
        if any(one.old == key and one.at < at for one in self._successions):
            return "it is signed with a key that had been replaced"
        return ""

    def _find_keys(self) -> set[str]:
        """All keys that are linked to a trusted one."""
        known, before = set(self._trusted), 0
        while len(known) > before:
            before = len(known)
            for one in self._successions:
                known |= {one.old, one.new} if {one.old, one.new} & known else set()
        return known
