"""A submission packet: all that a regulator is given to approve a game at a venue.

Its record, `packet.json`, holds what an approval is bound to: the options, the pay tables, the clauses and
the digest of the rules. The change log of the next packet is made from the record of the one before.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from feltlab.core.game import Game
from feltlab.core.paytable import PayTable
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.report.document import Document
from feltlab.report.documents import packet as parts
from feltlab.report.documents.packet import Change
from feltlab.submission.rule_sheet import sheet
from feltlab.submission.sheets import paid
from feltlab.submission.venues import Venue

RECORD = "packet.json"
FORMAT = 1  # of the record
MOST_BYTES = 1 << 22  # records are far smaller

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Packet:
    """A game under its options, the venue that it is submitted for, and what was submitted before."""

    game: Game
    venue: Venue
    previous: Record | None = None

    @cached_property
    def record(self) -> Record:
        told = _told(self.game, self.venue)
        return {**told, "digest": _digest(told)}

    def as_json(self) -> dict[str, Any]:
        before = {"previous": self.previous["digest"]} if self.previous else {}
        return {**self.record, **before}

    @cached_property
    def changes(self) -> tuple[Change, ...] | None:
        """What is not as in the packet before; none if there was none."""
        return None if self.previous is None else tuple(changes(self.previous, self.record))

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """The parts, in order."""
        before = self.previous["digest"] if self.previous else ""
        return parts.documents(self.game, self.venue, self.record["digest"], before, self.changes)

    @property
    def whole(self) -> Document:
        """All parts as one document."""
        return parts.joined(self.game, self.venue, self.record["digest"], self.documents)


def packet(game: Game, venue: Venue, previous: Record | None = None) -> Packet:
    """The packet of a game for a venue; refuses a previous one of another game."""
    if previous is not None and previous["game"] != game.name:
        before = GAMES[previous["game"]].title if previous["game"] in GAMES else previous["game"]
        raise Refused(f"The previous packet is of {before}, not of {game.title}.")
    return Packet(game, venue, previous)


def _told(game: Game, venue: Venue) -> dict[str, Any]:
    tables = {spot.name: game.pay_table(spot) for spot in game.spots}
    return {
        "feltlab": "packet",
        "format": FORMAT,
        "game": game.name,
        "venue": venue.name,
        "options": dict(game.options),
        "rules_digest": game.digest,
        "pay_tables": {name: {"id": table.name, "pays": _pays(table)} for name, table in tables.items()},
        "clauses": {c.number: {"text": c.text, "digest": _digest(c.text)} for c in sheet(game.name).clauses},
    }


def _pays(table: PayTable) -> dict[str, str]:
    return {line.outcome: paid(line) for line in table.lines}


def _digest(told: Any) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


# -- The packet before ------------------------------------------------------------------------------


def read_record(path: Path) -> Record:
    """The record of a packet, from its folder or from the file itself; refuses one that was altered."""
    file = path / RECORD if path.is_dir() else path
    try:
        if file.stat().st_size > MOST_BYTES:
            raise ValueError("too long")
        record = json.loads(file.read_text(encoding="utf-8"))
        told = {name: value for name, value in record.items() if name not in ("digest", "previous")}
        _check(told)
        whole = record["digest"] == _digest(told)
    except OSError as error:
        raise Refused(f"{file} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Refused(f"{file} is not the record of a packet.") from None
    if not whole:
        raise Refused(f"{file} was altered after it was written.")
    found: Record = record
    return found


def _check(told: dict[str, Any]) -> None:
    """Raise what a reader of damaged data raises unless this has the shape of a record."""
    if told["feltlab"] != "packet" or told["format"] != FORMAT:
        raise ValueError("another kind of record")
    tables, clauses = told["pay_tables"].values(), told["clauses"].values()
    words = [told["game"], told["venue"], told["rules_digest"], *told["options"].values()]
    words += [word for table in tables for word in (table["id"], *table["pays"].values())]
    words += [clause["text"] for clause in clauses]
    if not all(isinstance(word, str) for word in words):
        raise TypeError("words are expected")


def changes(before: Record, now: Record) -> Iterator[Change]:
    """What differs between two records; if it is nothing that is listed, whether the sources do."""
    found = list(_listed_changes(before, now))
    sources = _differences("sources of the rules", {"": before["rules_digest"]}, {"": now["rules_digest"]})
    yield from found or sources


def _listed_changes(before: Record, now: Record) -> Iterator[Change]:
    yield from _differences("venue", {"": before["venue"]}, {"": now["venue"]})
    yield from _differences("option", before["options"], now["options"])
    for spot in dict.fromkeys([*before["pay_tables"], *now["pay_tables"]]):
        yield from _table_changes(spot, before["pay_tables"].get(spot, {}), now["pay_tables"].get(spot, {}))
    yield from _differences("clause", _texts(before), _texts(now))


def _table_changes(spot: str, before: Record, now: Record) -> Iterator[Change]:
    yield from _differences("pay table", {spot: before.get("id", "")}, {spot: now.get("id", "")})
    yield from _differences(f"pay table {spot}:", before.get("pays", {}), now.get("pays", {}))


def _texts(record: Record) -> dict[str, str]:
    return {number: clause["text"] for number, clause in record["clauses"].items()}


def _differences(kind: str, before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[Change]:
    for name in dict.fromkeys([*before, *now]):
        if before.get(name) != now.get(name):
            yield Change(f"{kind} {name}".strip(), before.get(name, ""), now.get(name, ""))
