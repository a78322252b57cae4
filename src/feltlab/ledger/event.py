"""Events: what happened, each bound by a digest to the one before it in its chain.

A chain is named after its table; what belongs to no table has chains of its own. Anyone can check a
chain with a JSON writer and SHA-256: the digest of an event is that of the line

    ["<digest before>", "<chain>", <number>, "<kind>", <round>, "<at>", {<data>}]

as JSON with sorted keys, no spaces, and nothing but UTF-8; the digest before the first event is empty.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from feltlab.digests import canonical_json

GENESIS = ""  # the digest before a chain's first event
HOUSE_ACTOR = "house"  # who acts where nobody did
HOUSE_CHAIN, CAGE_CHAIN, ANCHORS = NOT_TABLES = ("house", "cage", "anchors")  # every other is a table's


def now() -> str:
    """This moment as the ledger writes it: UTC, to the microsecond."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


@dataclass(frozen=True)
class Draft:
    """Something that is about to be written down."""

    chain: str
    kind: str
    data: Mapping[str, Any] = field(hash=False)
    round: int = 0  # of the table; 0 outside of rounds

    def after(self, number: int, digest: str, at: str) -> "Event":
        """The event that this becomes in its chain, after the event of that number and digest."""
        fields = (self.chain, number + 1, self.kind, self.round, at, self.data)
        return Event(*fields, digest=digest_of(digest, *fields))


@dataclass(frozen=True)
class Event:
    chain: str
    number: int  # from 1, without a gap
    kind: str
    round: int
    at: str
    data: Mapping[str, Any] = field(hash=False)
    digest: str = ""

    def follows(self, before: str) -> bool:
        """Is this exactly what was written after the event with that digest?"""
        fields = (self.chain, self.number, self.kind, self.round, self.at, self.data)
        return self.digest == digest_of(before, *fields)


def digest_of(before: str, *fields: Any) -> str:
    return hashlib.sha256(canonical_json([before, *fields])).hexdigest()


@dataclass(frozen=True)
class Entry:
    """What is written together or not at all: events, and the secrets that they make or spend."""

    drafts: tuple[Draft, ...]
    sealed: Mapping[str, bytes] = field(default_factory=dict, hash=False)  # for the vault, by name
    unsealed: tuple[str, ...] = ()  # names that leave the vault
    key: "Key | None" = None


@dataclass(frozen=True)
class Key:
    """A request that is acted on once, however often it is sent."""

    account: str
    name: str  # as the client chose it
    request: str  # a digest of what was asked for
