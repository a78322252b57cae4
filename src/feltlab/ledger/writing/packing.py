"""Entries and failures as the process that writes a ledger gets and answers them.

An entry travels as JSON of its own fields, which is one call: the process makes the texts that are stored.
"""

from collections.abc import Callable
from typing import Any

from feltlab.errors import Refused
from feltlab.ledger.database import LedgerDown, Unreachable
from feltlab.ledger.event import (
    Assessment,
    Draft,
    Entry,
    EventRemoval,
    IndexPart,
    Key,
    LastSeen,
    Mention,
    MentionKey,
)
from feltlab.ledger.terms import InUse
from feltlab.ledger.writing.lines import read_bytes
from feltlab.ledger.writing.transaction import Overtaken, Repeated
from feltlab.values import build_unchecked

Packed = dict[str, Any]

# -- Entries ----------------------------------------------------------------------------------------


def unpack_entry(packed: Packed) -> Entry:
    """The entry of a packed one."""
    entry = packed | {
        "drafts": tuple([_unpack_draft(draft) for draft in packed["drafts"]]),
        "sealed": {name: read_bytes(secret) for name, secret in packed["sealed"].items()},
        "unsealed": tuple(packed["unsealed"]),
        "key": packed["key"] and Key(**packed["key"]),
        "seen": tuple([LastSeen(chain, number, tuple(kinds)) for chain, number, kinds in packed["seen"]]),
        "assessments": tuple(map(_unpack_assessment, packed["assessments"])),
        "indexed": packed["indexed"] and _unpack_index(packed["indexed"]),
        "resealed": {name: read_bytes(secret) for name, secret in packed["resealed"].items()},
        "removal": packed["removal"] and _unpack_removal(packed["removal"]),
    }
    return build_unchecked(Entry, **entry)


def _unpack_draft(packed: Packed) -> Draft:
    mentions = packed["mentions"]
    return build_unchecked(Draft, **packed | {"mentions": tuple([Mention(*one) for one in mentions])})


def _unpack_assessment(packed: Packed) -> Assessment:
    return Assessment(**packed | {"key": MentionKey(*packed["key"])})


def _unpack_index(packed: Packed) -> IndexPart:
    mentions = tuple((Mention(*mention), *event) for mention, *event in packed["mentions"])
    return IndexPart(mentions, packed["is_last"])


def _unpack_removal(packed: Packed) -> EventRemoval:
    chains = tuple((chain, number, tuple(kinds)) for chain, number, kinds in packed["chains"])
    tiles = tuple(map(read_bytes, packed["tiles"]))
    return EventRemoval(packed["last"], chains, tiles, packed["record"])


# -- Failures ---------------------------------------------------------------------------------------

PackedFailure = list[Any]  # the name of its kind and what makes it; empty for none
FAILURES: dict[str, Callable[..., Exception]] = {
    kind.__name__: kind
    for kind in (LedgerDown, Overtaken, Repeated, Refused, InUse, Unreachable, ValueError, TypeError)
}


def pack_failure(failure: Exception | None) -> PackedFailure:
    match failure:
        case None:
            return []
        case Overtaken():
            return ["Overtaken", failure.chain]
        case Repeated():
            return ["Repeated", failure.request, failure.sequence]
    known = (kind.__name__ for kind in type(failure).__mro__ if kind.__name__ in FAILURES)
    return [next(known, LedgerDown.__name__), str(failure)]


def unpack_failure(packed: PackedFailure) -> Exception | None:
    if not packed:
        return None
    name, *parts = packed
    return FAILURES[name](*parts)
