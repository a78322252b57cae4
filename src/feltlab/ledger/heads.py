"""Signed heads: the root of all events up to one of them, signed with a key that is not in the database.

A head in the hands of a witness (another disk, another machine, a regulator) fixes every event before it: no
event can be changed, removed, added or moved without another root, and no other root can be signed without
the key. A file of heads has one JSON object a line.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import orjson
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.files import read_limited
from feltlab.ledger.event import now
from feltlab.ledger.merkle import Frontier, leaf_hash
from feltlab.ledger.secret_files import load_or_create_secret

MAX_WITNESS_BYTES = 1 << 30
TAIL_BYTES = 1 << 14  # some forty heads
PURPOSE = "feltlab head"  # part of the message, so that no other signature can pose as one of a head


class NoHead(Refused):
    """A line that is no signed head."""


@dataclass(frozen=True)
class SignedHead:
    size: int  # events
    root: str
    at: str
    key: str  # public
    signature: str

    @property
    def message(self) -> bytes:
        """The bytes that are signed."""
        return canonical_json([PURPOSE, self.size, self.root, self.at])

    @property
    def line(self) -> bytes:
        return canonical_json(vars(self)) + b"\n"

    @classmethod
    def parse(cls, line: bytes) -> "SignedHead":
        """The head of a line; refuses one that is no head, or whose signature is wrong."""
        try:
            head = cls(**orjson.loads(line))
            head._check_types()
            public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(head.key))
            public.verify(bytes.fromhex(head.signature), head.message)
        except InvalidSignature:
            raise Refused("its signature is wrong") from None
        except (ValueError, TypeError):
            raise NoHead("it is no signed head") from None
        return head

    def _check_types(self) -> None:
        texts = (self.root, self.at, self.key, self.signature)
        if type(self.size) is not int or self.size < 1 or not all(type(text) is str for text in texts):
            raise ValueError("not the fields of a head")


class HeadKey:
    """The key that signs heads, in a file that only its owner can read."""

    def __init__(self, path: Path) -> None:
        secret = load_or_create_secret(path, lambda: Ed25519PrivateKey.generate().private_bytes_raw())
        try:
            self._private = Ed25519PrivateKey.from_private_bytes(secret)
        except ValueError:
            raise Refused(f"{path} holds no key.") from None
        self.public = self._private.public_key().public_bytes_raw().hex()

    def sign(self, size: int, root: bytes) -> SignedHead:
        unsigned = SignedHead(size, root.hex(), now(), self.public, "")
        signature = self._private.sign(unsigned.message).hex()
        return SignedHead(size, unsigned.root, unsigned.at, self.public, signature)


# -- Witnesses --------------------------------------------------------------------------------------


def read_witness(path: Path, key: str | None = None) -> list[SignedHead]:
    """The heads of a witness's file, all signed with one key: with this one, if it is named.

    Lines that are no heads are left out: a server may be writing the last one, or a full disk cut one short.
    Heads may be out of order, as they are where a server went on with an older copy of its ledger; the
    comparison with the ledger exposes that.
    """
    *lines, _ = read_limited(path, MAX_WITNESS_BYTES).split(b"\n")
    heads: list[SignedHead] = []
    for number, line in enumerate(lines, 1):
        try:
            heads.append(_check_key(SignedHead.parse(line), key or (heads[0].key if heads else None)))
        except NoHead:
            continue
        except Refused as refused:
            raise Refused(f"Line {number} of {path} cannot be trusted: {refused}.") from None
    if not heads:
        raise Refused(f"{path} holds no signed head.")
    return heads


def find_last_head(path: Path, key: str) -> SignedHead | None:
    """The head of most events among the last lines of a file; None if none is signed with the key."""
    found = []
    with suppress(OSError), path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - TAIL_BYTES))
        for line in stream.read().split(b"\n"):
            with suppress(Refused):
                found.append(_check_key(SignedHead.parse(line), key))
    return max(found, key=lambda head: head.size, default=None)


def _check_key(head: SignedHead, key: str | None) -> SignedHead:
    if key is not None and head.key != key:
        raise Refused("it is signed with another key")
    return head


def parse_head_key(text: str) -> str:
    """A public key as heads name it."""
    if not re.fullmatch("[0-9a-f]{64}", text.lower()):
        raise Refused(f"{text!r} is not a public key of 64 hexadecimal digits.")
    return text.lower()


class WitnessCheck:
    """Compares the events of a ledger, as they are read in order, with signed heads."""

    def __init__(self, heads: Iterable[SignedHead]) -> None:
        self._heads = sorted(set(heads), key=lambda head: head.size)
        self._frontier = Frontier()
        self._next = 0
        self.matched: SignedHead | None = None  # the last head that fits

    def add(self, digest: object) -> Iterator[str]:
        """Follow the next event; yield a sentence at the first head that does not fit."""
        if self._next == len(self._heads):
            return
        try:
            self._frontier.add(leaf_hash(str(digest)))
        except ValueError:  # it has no digest at all; the head finds the difference
            self._frontier.add(b"\0")
        while self._next < len(self._heads) and self._heads[self._next].size == self._frontier.size:
            head, self._next = self._heads[self._next], self._next + 1
            if self._frontier.root.hex() != head.root:
                self._next = len(self._heads)  # every later head differs for the same reason
                yield self._describe_difference(head)
                return
            self.matched = head

    def _describe_difference(self, head: SignedHead) -> str:
        after = f"after event {self.matched.size}" if self.matched else "among the first events"
        return (
            f"something {after} was changed: the first {head.size} events are not those of the head"
            f" signed at {head.at}."
        )

    def finish(self) -> Iterator[str]:
        """Yield a sentence if the ledger ends before the last head."""
        if self._next < len(self._heads):
            head, read = self._heads[-1], self._frontier.size
            yield (
                f"the ledger ends at event {read}, but a head of {head.size} events was signed at {head.at}:"
                f" the last {head.size - read} were taken out."
            )
