"""A submission packet: everything that a regulator is given to approve a game at a venue.

Its record, `packet.json`, holds what an approval is bound to: the options, the pay tables, the clauses and
the digest of the rules. The change log of the next packet is computed from the record of this one.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from feltlab.core.game import Game
from feltlab.core.paytable import PayTable
from feltlab.digests import sha256_hex
from feltlab.errors import Refused
from feltlab.files import read_limited
from feltlab.games import GAMES
from feltlab.games.rules_history import renamed_outcomes
from feltlab.submission.rule_sheet import has_rule_sheet, parse_rule_sheet
from feltlab.submission.submitter import NOBODY, Submitter
from feltlab.submission.venues import DEFAULT_VENUE, Venue, venue
from feltlab.text import dollars

RECORD_FILE = "packet.json"
RECORD_FORMAT = 1
BESIDE_CONTENTS = ("digest", "previous", "demonstration")  # of a record: what its digest does not cover
DEMONSTRATION_MARK = "DEMONSTRATION: made by a house for play money; no regulator has seen it."
MAX_RECORD_BYTES = 1 << 22  # records are far smaller

UNITS_STAKED = re.compile(r" on \d+ units$")

Record = Mapping[str, Any]


@dataclass(frozen=True)
class PacketChange:
    """A difference from the previous packet."""

    what: str
    before: str  # '' where it is new
    now: str  # '' where it is gone


@dataclass(frozen=True)
class Packet:
    """A game under its options, the venue that it is submitted for, the record submitted before, and the
    submitter, who is no part of the record."""

    game: Game
    venue: Venue
    previous: Record | None = None
    submitter: Submitter = NOBODY
    aggregate_limits: Mapping[str, int] = field(default_factory=dict)  # in cents, by spot: those posted
    demonstration: bool = False  # made by a house that plays for nothing and has no regulator

    @cached_property
    def record(self) -> Record:
        contents = _contents(self.game, self.venue) | _limits(self.aggregate_limits)
        return {**contents, "digest": _digest(contents)}

    @property
    def digest(self) -> str:
        digest: str = self.record["digest"]
        return digest

    def as_json(self) -> dict[str, Any]:
        before = {"previous": self.previous["digest"]} if self.previous else {}
        return {**self.record, **before, **self.mark}

    @property
    def mark(self) -> dict[str, str]:
        """The notice on every file of a demonstration's packet; no part of the record."""
        return {"demonstration": DEMONSTRATION_MARK} if self.demonstration else {}

    @cached_property
    def changes(self) -> tuple[PacketChange, ...] | None:
        """The differences from the previous packet; None if there was no previous packet."""
        return None if self.previous is None else tuple(changes(self.previous, self.record))


def packet(
    game: Game,
    venue: Venue,
    previous: Record | None = None,
    submitter: Submitter = NOBODY,
    aggregate_limits: Mapping[str, int] = MappingProxyType({}),
    demonstration: bool = False,
) -> Packet:
    """The packet of a game for a venue; refuses the record of another game as the previous one."""
    if previous is not None and previous["game"] != game.name:
        before = GAMES[previous["game"]].title if previous["game"] in GAMES else previous["game"]
        raise Refused(f"The previous packet is of {before}, not of {game.title}.")
    return Packet(game, venue, previous, submitter, aggregate_limits, demonstration)


def describe_version(game: Game) -> Record:
    """The record of a version of a game: its options, pay tables and clauses, whatever the venue.

    A game from outside may have no rule sheet, and then has no clauses.
    """
    return Packet(game, venue(DEFAULT_VENUE)).record


def _contents(game: Game, venue: Venue) -> dict[str, Any]:
    tables = {spot.name: game.pay_table(spot) for spot in game.spots}
    clauses = parse_rule_sheet(game, venue).clauses if has_rule_sheet(game.name) else ()
    return {
        "feltlab": "packet",
        "format": RECORD_FORMAT,
        "game": game.name,
        "venue": venue.name,
        "options": dict(game.options),
        "rules_digest": game.digest,
        "pay_tables": {name: {"id": table.name, "pays": _pays(table)} for name, table in tables.items()},
        "clauses": {c.number: {"text": c.text, "digest": _digest(c.text)} for c in clauses},
    }


def _limits(aggregate_limits: Mapping[str, int]) -> dict[str, Any]:
    """The limits as text; nothing where there are none, as in records from before there were any."""
    texts = {spot: dollars(cents) for spot, cents in aggregate_limits.items()}
    return {"aggregate_limits": texts} if texts else {}


def _pays(table: PayTable) -> dict[str, str]:
    return {line.outcome: line.odds for line in table.lines}


def _digest(contents: Any) -> str:
    """Not `canonical_json`: packets that were submitted have this digest and must still be readable."""
    return sha256_hex(json.dumps(contents, sort_keys=True).encode())


# -- The previous packet ----------------------------------------------------------------------------


def read_record(path: Path) -> Record:
    """The record of a packet, from its folder or from the file itself; refuses one that was altered."""
    file = path / RECORD_FILE if path.is_dir() else path
    try:
        content = read_limited(file, MAX_RECORD_BYTES)
        record: Record = json.loads(content)
        contents = {name: value for name, value in record.items() if name not in BESIDE_CONTENTS}
        _check_contents(contents)
        unaltered = record["digest"] == _digest(contents)
    except Refused:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Refused(f"{file} is not the record of a packet.") from None
    if not unaltered:
        raise Refused(f"{file} was altered after it was written.")
    return record


def _check_contents(contents: dict[str, Any]) -> None:
    """Raise ValueError, KeyError, TypeError or AttributeError unless this has the shape of a record."""
    if contents["feltlab"] != "packet" or contents["format"] != RECORD_FORMAT:
        raise ValueError("another kind of record")
    tables, clauses = contents["pay_tables"].values(), contents["clauses"].values()
    words = [contents["game"], contents["venue"], contents["rules_digest"], *contents["options"].values()]
    words += [word for table in tables for word in (table["id"], *table["pays"].values())]
    words += [clause["text"] for clause in clauses]
    words += contents.get("aggregate_limits", {}).values()
    words += contents["clauses"]
    if not all(isinstance(word, str) for word in words):
        raise TypeError("text is expected")
    "".join(words).encode()  # half of a surrogate pair is no text


def changes(before: Record, now: Record) -> Iterator[PacketChange]:
    """The listed differences between two records, or that only the source of the rules differs."""
    listed = list(_listed_changes(before, now))
    source = _differences("source of the rules", {"": before["rules_digest"]}, {"": now["rules_digest"]})
    yield from listed or source


def _listed_changes(before: Record, now: Record) -> Iterator[PacketChange]:
    yield from _differences("venue", {"": before["venue"]}, {"": now["venue"]})
    yield from _differences("option", before["options"], now["options"])
    for spot in dict.fromkeys([*before["pay_tables"], *now["pay_tables"]]):
        was, is_now = (record["pay_tables"].get(spot, {}) for record in (before, now))
        yield from _table_changes(spot, was, is_now, renamed_outcomes(now["game"], spot))
    limits = (record.get("aggregate_limits", {}) for record in (before, now))
    yield from _differences("aggregate payout limit", *limits)
    yield from _differences("clause", _clause_texts(before), _clause_texts(now))


def _table_changes(
    spot: str, before: Record, now: Record, renamed: Mapping[str, str]
) -> Iterator[PacketChange]:
    yield from _differences("pay table", {spot: before.get("id", "")}, {spot: now.get("id", "")})
    pays = now.get("pays", {})
    yield from _differences(f"pay table {spot}:", _as_today(before.get("pays", {}), pays, renamed), pays)


def _as_today(
    before: Mapping[str, str], now: Mapping[str, str], renamed: Mapping[str, str]
) -> dict[str, str]:
    """The pays of a record without the units staked, and without outcomes that have another name today.

    The first records named the units of a wager that a choice had doubled.
    """
    pays = {name: UNITS_STAKED.sub("", pay) for name, pay in before.items()}
    return {name: pay for name, pay in pays.items() if now.get(renamed.get(name, "")) != pay}


def _clause_texts(record: Record) -> dict[str, str]:
    return {number: clause["text"] for number, clause in record["clauses"].items()}


def _differences(kind: str, before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[PacketChange]:
    for name in dict.fromkeys([*before, *now]):
        if before.get(name) != now.get(name):
            yield PacketChange(f"{kind} {name}".strip(), before.get(name, ""), now.get(name, ""))
