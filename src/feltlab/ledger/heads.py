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

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.files import read_limited
from feltlab.ledger.event import now
from feltlab.ledger.head_keys import HeadKey, KeyTrust, Succession, is_signed
from feltlab.ledger.merkle import Frontier, leaf_hash

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
            holds = is_signed(head.key, head.signature, head.message)
        except (ValueError, TypeError):
            raise NoHead("it is no signed head") from None
        if not holds:
            raise Refused("its signature is wrong")
        return head

    def _check_types(self) -> None:
        texts = (self.root, self.at, self.key, self.signature)
        if type(self.size) is not int or self.size < 1 or not all(type(text) is str for text in texts):
            raise ValueError("not the fields of a head")


def sign_head(key: HeadKey, size: int, root: bytes) -> SignedHead:
    """The head of so many events, signed now."""
    unsigned = SignedHead(size, root.hex(), now(), key.public, "")
    return SignedHead(size, unsigned.root, unsigned.at, key.public, key.sign_bytes(unsigned.message))


# -- Witnesses --------------------------------------------------------------------------------------


def read_witness(path: Path, trust: KeyTrust | None = None) -> list[SignedHead]:
    """The heads of a witness's file, all signed with a trusted key, or one before or after it.

    Without a trusted key the first head's is believed. Lines that are neither heads nor successions are left
    out: a server may be writing the last one, or a full disk cut one short. Heads may be out of order, as
    they are where a server went on with an older copy of its ledger; the comparison with the ledger exposes
    that. A receipt of a player is such a file with one head.
    """
    content = read_limited(path, MAX_WITNESS_BYTES)
    *lines, _ = (_read_receipt(content) or content).split(b"\n")
    heads = parse_heads_file(lines, trust or KeyTrust(), str(path))
    if not heads:
        raise Refused(f"{path} holds no signed head.")
    return heads


def _read_receipt(content: bytes) -> bytes:
    """The line of the head in a player's receipt, which is a witness too; nothing if it is no receipt."""
    try:
        return SignedHead(**orjson.loads(content)["head"]).line
    except (ValueError, TypeError, KeyError):
        return b""


def parse_heads_file(lines: Iterable[bytes], trust: KeyTrust, name: str) -> list[SignedHead]:
    """The heads of lines; refuses a head that cannot be believed."""
    lines, heads = list(lines), list[SignedHead]()
    trust.learn(find_successions(lines))
    for number, line in enumerate(lines, 1):
        try:
            heads.append(_check_trust(SignedHead.parse(line), trust))
        except NoHead:
            continue
        except Refused as refused:
            raise Refused(f"Line {number} of {name} cannot be trusted: {refused}.") from None
    return heads


def find_successions(lines: Iterable[bytes]) -> list[Succession]:
    """The successions among lines of heads."""
    return [one for line in lines if b'"accepted"' in line and (one := Succession.parse(line))]


def _check_trust(head: SignedHead, trust: KeyTrust) -> SignedHead:
    if doubt := trust.describe_doubt(head.key, head.at):
        raise Refused(doubt)
    return head


def read_last_lines(path: Path) -> list[bytes]:
    """The last lines of a file of heads; none if it cannot be read."""
    with suppress(OSError), path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - TAIL_BYTES))
        return stream.read().split(b"\n")
    return []


def find_last_head(lines: Iterable[bytes], key: str, since: str = "") -> SignedHead | None:
    """The head of most events among lines that were signed after a moment.

    None if none is signed with the key, or with one that it follows.
    """
    lines, found = list(lines), []
    trust = KeyTrust([key], find_successions(lines))
    for line in lines:
        with suppress(Refused):
            found.append(_check_trust(SignedHead.parse(line), trust))
    return max((head for head in found if head.at > since), key=lambda head: head.size, default=None)


def parse_head_key(text: str) -> str:
    """A public key as heads name it."""
    if not re.fullmatch("[0-9a-f]{64}", text.lower()):
        raise Refused(f"{text!r} is not a public key of 64 hexadecimal digits.")
    return text.lower()


class WitnessCheck:
    """Compares the events of a ledger, as they are read in order, with signed heads."""

    def __init__(
        self, heads: Iterable[SignedHead], frontier: Frontier | None = None, tracks_all: bool = False
    ) -> None:
        """Compare from the first event on, or from a frontier on, if earlier events are not read.

        `tracks_all` keeps the frontier up to date after the last head too.
        """
        self.frontier, self._tracks_all = frontier or Frontier(), tracks_all
        known = self.frontier.size
        later = (head for head in set(heads) if head.size > known or (known and head.size == known))
        self._heads = sorted(later, key=lambda head: head.size)
        self._next = 0
        self.matched: SignedHead | None = None  # the last head that fits
        self._differs: SignedHead | None = None  # the first one that does not; later ones are not compared
        self.has_heads = bool(self._heads)
        self._lost: list[str] = []  # sentences about events that the ledger went back behind
        self._compare()

    def add(self, digest: object) -> None:
        """Follow the next event."""
        if self._next == len(self._heads) and not self._tracks_all:
            return
        try:
            self.frontier.add(leaf_hash(str(digest)))
        except ValueError:  # it has no digest at all; the head finds the difference
            self.frontier.add(b"\0")
        self._compare()

    def _compare(self) -> None:
        """Compare the heads of as many events as were read."""
        while self._next < len(self._heads) and self._heads[self._next].size == self.frontier.size:
            head, self._next = self._heads[self._next], self._next + 1
            if self._differs is None and self.frontier.root.hex() == head.root:
                self.matched = head
            else:
                self._differs = self._differs or head

    def go_back(self, at: str) -> None:
        """Note an event on record that says that the ledger went back to an earlier state.

        Heads signed before it that do not fit are of events that are lost; those signed since are compared.
        """
        later = self._heads[self._next :]
        gone = [head for head in (self._differs, *later) if head and head.at < at]
        if gone:
            self._heads, self._next = [head for head in later if head.at >= at], 0
            self._differs = None
            kept = self.matched.size if self.matched else 0
            self._lost.append(
                f"the ledger went back at {at}: events after {kept}, up to the {gone[-1].size} of the head"
                f" signed at {gone[-1].at}, are lost."
            )

    def finish(self) -> Iterator[str]:
        """Yield a sentence if the ledger went back, differs from a head, or ends before the last one."""
        yield from self._lost
        if self._differs:
            yield self._describe_difference(self._differs)
        elif self._next < len(self._heads):
            head, read = self._heads[-1], self.frontier.size
            yield (
                f"the ledger ends at event {read}, but a head of {head.size} events was signed at {head.at}:"
                f" the last {head.size - read} were taken out."
            )

    def _describe_difference(self, head: SignedHead) -> str:
        after = f"after event {self.matched.size}" if self.matched else "among the first events"
        return (
            f"something {after} was changed: the first {head.size} events are not those of the head"
            f" signed at {head.at}."
        )
