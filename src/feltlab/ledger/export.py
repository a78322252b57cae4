"""The ledger for other programs: every event as a line of JSON or CSV, in the order of writing.

A line of JSON has everything that its event's digest is made of, so that anyone can check the chains with
a JSON writer and SHA-256 (`event.py` says how).
"""

import csv
from collections.abc import Iterator
from typing import Any

import orjson

from feltlab.digests import canonical_json
from feltlab.ledger.event import StoredEvent
from feltlab.ledger.ledger import Ledger

COLUMNS = ("sequence", "chain", "number", "kind", "round", "at", "cents", "data", "digest")


def export_lines(ledger: Ledger, form: str, chain: str | None = None, first: int = 1) -> Iterator[bytes]:
    """The lines of an export from a sequence on, of one chain or of all; form is jsonl or csv."""
    events = ledger.stored_events(first, chain=chain)
    return map(_json_line, events) if form == "jsonl" else _csv_lines(events)


def _json_line(event: StoredEvent) -> bytes:
    return canonical_json({**event._asdict(), "data": orjson.Fragment(event.data)}) + b"\n"


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
        yield str(lines.writerow(row[name] for name in COLUMNS)).encode()


def cents_moved(data: dict[str, Any]) -> int | None:
    """The amount that an event moves: bought, wagered, put down, paid, or returned from the felt."""
    for moved in (data.get("wagers"), data.get("returned")):
        if isinstance(moved, dict):
            return sum(moved.values())
    return data.get("cents")
