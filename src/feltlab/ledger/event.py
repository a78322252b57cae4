"""Events, each bound by a digest to the event before it in its chain.

A table has a chain of its own name; the house, the cage and the anchors have theirs. Anyone can check a
chain with a JSON writer and SHA-256: the digest of an event is the digest of the line

    ["<digest before>", "<chain>", <number>, "<kind>", <round>, "<at>", {<data>}]

as JSON with sorted keys, no spaces, in UTF-8. The digest before the first event is empty.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

import orjson

from feltlab.digests import canonical_json, digest_json

GENESIS = ""  # the digest before a chain's first event
HOUSE_ACTOR = "house"  # the actor of automatic actions
HOUSE_CHAIN, CAGE_CHAIN, ANCHOR_CHAIN = OTHER_CHAINS = ("house", "cage", "anchors")  # all others are tables


def now() -> str:
    """The present moment as the ledger writes it: UTC, to the microsecond."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


@dataclass(frozen=True)
class Mention:
    """An account that an event concerns. The index of accounts finds the event by it; no digest covers it."""

    account: str
    place: int = 0  # tells several mentions of one account in one event apart
    label: str = ""  # by which an account's events are told apart
    cents: int = 0
    state: str = ""  # '' until it is assessed
    round: int = 0  # if it is about another round than the event's own


@dataclass(frozen=True)
class Draft:
    """An event before it is written."""

    chain: str
    kind: str
    data: Mapping[str, Any] = field(hash=False)
    round: int = 0  # of the table; 0 outside of rounds
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True)
class Event:
    chain: str
    number: int  # from 1, without a gap
    kind: str
    round: int
    at: str
    data: Mapping[str, Any] = field(hash=False)
    digest: str = ""


class StoredEvent(NamedTuple):
    """An event as the database stores it; `data` is JSON text."""

    sequence: int  # over all chains, from 1
    chain: str
    number: int
    kind: str
    round: int
    at: str
    data: str
    digest: str

    @property
    def text(self) -> str:
        """The JSON text that its digest binds to the digest before it: all of the line but that digest."""
        fields = (self.chain, self.number, self.kind, self.round, self.at)
        return canonical_json([*fields, orjson.Fragment(self.data)]).decode()


def event_digest(before: str, *fields: Any) -> str:
    """The digest of an event from the digest before it, and from the fields of `Event` but its digest."""
    return digest_json([before, *fields])


@dataclass(frozen=True)
class Key:
    """Identifies a request that takes effect once, however often it is sent."""

    account: str
    name: str  # chosen by the client
    request: str  # a digest of the request


class MentionKey(NamedTuple):
    """The place of a mention in the index of accounts."""

    account: str
    sequence: int  # of its event
    place: int


@dataclass(frozen=True)
class Assessment:
    """What was worked out about a mention after its event: beside the record, and never part of it."""

    key: MentionKey
    state: str
    expected: float | None = None  # cents
    cost: float = 0.0  # cents
    decisions: int = 0
    mistakes: int = 0
    note: str = ""  # JSON


@dataclass(frozen=True)
class IndexPart:
    """Mentions in events from before the index, each with its event's sequence, chain, round and time."""

    mentions: tuple[tuple[Mention, int, str, int, str], ...]
    is_last: bool  # the index is complete with it


@dataclass(frozen=True)
class Entry:
    """Events and the secrets that they make or spend, written together or not at all."""

    drafts: tuple[Draft, ...]
    sealed: Mapping[str, bytes] = field(default_factory=dict, hash=False)  # for the vault, by name
    unsealed: tuple[str, ...] = ()  # names that leave the vault
    key: Key | None = None
    assessments: tuple[Assessment, ...] = ()
    indexed: IndexPart | None = None
