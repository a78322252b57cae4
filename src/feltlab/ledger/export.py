"""The ledger for other programs: every event as a line of JSON or CSV, in the order of writing.

A line of JSON has everything that its event's digest is made of, so that anyone can check the chains with
a JSON writer and SHA-256 (`event.py` says how). Characters that a terminal would obey are escapes in both,
and no cell of CSV begins like a formula.
"""

import csv
from collections.abc import Iterator
from typing import Any

import orjson

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.ledger.event import StoredEvent
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.plain_text import escape_json, guard_cell

COLUMNS = ("sequence", "chain", "number", "kind", "round", "at", "cents", "data", "digest")


def export_lines(ledger: Ledger, form: str, chain: str | None = None, first: int = 1) -> Iterator[bytes]:
    """The lines of an export from a sequence on, of one chain or of all; form is jsonl or csv."""
    if form != "jsonl":
        return _csv_lines(ledger.stored_events(first, chain=chain))
    removal = ledger.load_removal()
    if removal and first <= removal.last + 1:
        raise Refused(
            f"Some of the first {removal.last:,} events are in an archive, and a line of JSON has the digest"
            f" of the event before it; name every archive by --archive FILE, or --from {removal.last + 2}."
        )
    return (_json_line(event, past) for event, past in ledger.linked_events(first, chain))


def _json_line(event: StoredEvent, past: str | None) -> bytes:
    bound = {} if past is None else {"past": past}
    line = canonical_json({**event._asdict(), "data": orjson.Fragment(event.data), **bound}).decode()
    return f"{escape_json(line)}\n".encode()


class _TextReturner:
    """A file whose `write` returns the text, for a CSV writer that writes to no file."""

    @staticmethod
    def write(text: str) -> str:
        return text


def _csv_lines(events: Iterator[StoredEvent]) -> Iterator[bytes]:
    lines = csv.writer(_TextReturner(), lineterminator="\n")
    yield str(lines.writerow(COLUMNS)).encode()
    for event in events:
        row = event._asdict() | {"cents": cents_moved(orjson.loads(event.data))}
        row["data"] = escape_json(event.data)
        yield str(lines.writerow(guard_cell(row[name]) for name in COLUMNS)).encode()


def cents_moved(data: dict[str, Any]) -> int | None:
    """The amount that an event moves: bought, wagered, put down, paid, or returned from the felt."""
    for moved in (data.get("wagers"), data.get("returned")):
        if isinstance(moved, dict):
            return sum(moved.values())
    return data.get("cents")
