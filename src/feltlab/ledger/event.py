"""Events, each bound by a digest to the event before it in its chain, and to the one before it in the ledger.

A table has a chain of its own name; the house, the cage, the anchors and the jackpots have theirs. Anyone can
check a chain with a JSON writer and SHA-256: the digest of an event is the digest of the line

    ["<digest before>", "<chain>", <number>, "<kind>", <round>, "<at>", {<data>}, "<past>"]

as JSON with sorted keys, no spaces, in UTF-8. The past is the digest of the event that was written before it,
in whichever chain. The digests before the first event are empty. In a ledger from before links, lines have no
past up to the event `ledger-upgraded`.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, Protocol

import orjson

from feltlab.digests import canonical_json, digest_json

GENESIS = ""  # the digest before a chain's first event
HOUSE_ACTOR = "house"  # the actor of automatic actions
HOUSE_CHAIN, CAGE_CHAIN, ANCHOR_CHAIN, JACKPOT_CHAIN = ("house", "cage", "anchors", "jackpots")
OTHER_CHAINS = (HOUSE_CHAIN, CAGE_CHAIN, ANCHOR_CHAIN, JACKPOT_CHAIN)  # all others are tables

IN_ARCHIVE = "in an archive"  # in place of the digest of an event that has left the ledger

# Kinds of the house's events that say that the ledger went back to an earlier state.
ROLLED_BACK, RESTORED = ROLLBACK_KINDS = ("rolled-back", "restored")


LEDGER_UPGRADED = "ledger-upgraded"  # from this event of the house on, an old ledger's events are linked
TIP_SIGNED = "tip-signed"  # from this event of the house on, a key signs the last event
UNSIGNED_ACCEPTED = "unsigned-accepted"  # an event of the house: the operator went on without a signature
CLOCK_SET_BACK = "clock-set-back"  # an event of the house
SET_BACK_SECONDS = 1.0  # by which a clock may be behind the last event before that is recorded


def now() -> str:
    """The present moment as the ledger writes it: UTC, to the microsecond."""
    return write_moment(datetime.now(UTC))


def write_moment(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def next_moment(present: str, last: str) -> str:
    """The present moment, or the one after the last event's if the clock was set back."""
    if present > last:
        return present
    return write_moment(datetime.fromisoformat(last) + timedelta(microseconds=1))


def is_set_back(present: str, last: str) -> bool:
    """Whether the clock is behind the last event by more than clocks differ."""
    if present > last:
        return False
    behind = datetime.fromisoformat(last) - datetime.fromisoformat(present)
    return behind.total_seconds() > SET_BACK_SECONDS


class Mention(NamedTuple):
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

    def write_text(self, past: str | None) -> str:
        """The JSON text that its digest binds to the digest before it: all of the line but that digest."""
        fields = (self.chain, self.number, self.kind, self.round, self.at, orjson.Fragment(self.data))
        return canonical_json([*fields, *(() if past is None else (past,))]).decode()


def event_digest(before: str, *fields: Any) -> str:
    """The digest of an event from the digest before it, its fields without the digest, and the past."""
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
    """A later judgement of a mention: it is kept beside the record and is never part of it."""

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


class LastSeen(NamedTuple):
    """The last event of a chain, or of some of its kinds, that the author of an entry has seen."""

    chain: str
    number: int
    kinds: tuple[str, ...] = ()  # all, if none is named


@dataclass(frozen=True)
class EventRemoval:
    """Events that an archive holds and that leave the live ledger."""

    last: int  # the sequence up to which events leave it: the end of a tile of the Merkle tree
    chains: tuple[tuple[str, int, tuple[str, ...]], ...]  # events before a number, of these kinds or of all
    tiles: tuple[bytes, ...]  # the roots of all tiles of the tree up to there
    record: Mapping[str, Any] = field(hash=False)  # of the verification of the archive


@dataclass(frozen=True)
class Entry:
    """Events and the secrets that they make or spend, written together or not at all."""

    drafts: tuple[Draft, ...]
    sealed: Mapping[str, bytes] = field(default_factory=dict, hash=False)  # for the vault, by name
    unsealed: tuple[str, ...] = ()  # names that leave the vault
    key: Key | None = None
    seen: tuple[LastSeen, ...] = ()  # the entry is refused if one of these chains has gone on
    assessments: tuple[Assessment, ...] = ()
    indexed: IndexPart | None = None
    passwords: Mapping[str, str] = field(default_factory=dict, hash=False, repr=False)  # hashes, by account
    resealed: Mapping[str, bytes] = field(default_factory=dict, hash=False)  # of the vault, under another key
    removal: EventRemoval | None = None
    claims: tuple[str, ...] = ()  # tables that this server wants to run; those that another one runs are not
    releases: tuple[str, ...] = ()  # tables that this server stops to run


# -- Payers: the clients for whom the server works ---------------------------------------------------

# A task inherits the payer of the code that started it, and so does a timer: what the clock does after a
# player's act is charged to that player. Work that no client asked for has no payer.
EVENT_BYTES = 250  # of a row beside its data: digest, moment, names and indexes; 234 measured


class Payer(Protocol):
    def charge(self, bytes: int) -> None:
        """Count bytes that are on the disk."""


PAYER: ContextVar[Payer | None] = ContextVar("payer", default=None)
