"""The ledger for other programs: every event as a line of JSON or CSV, in the order of writing.

A line of JSON has all that the digest of its event is made of, so that anyone can check the chains with
nothing but a JSON writer and SHA-256 (`event.py` says how).
"""

import csv
from collections.abc import Iterator
from typing import Any

import orjson
from sqlalchemy import Row, select

from feltlab.digests import canonical_json
from feltlab.ledger.database import EVENTS
from feltlab.ledger.ledger import Ledger

FIELDS = tuple(str(column.name) for column in EVENTS.columns)
COLUMNS = ("sequence", "chain", "number", "kind", "round", "at", "cents", "data", "digest")


def exported(ledger: Ledger, form: str, chain: str | None = None, first: int = 1) -> Iterator[bytes]:
    """The lines of an export from a sequence on, of all chains or of one; form is jsonl or csv."""
    asked = select(EVENTS).where(EVENTS.c.sequence >= first).order_by(EVENTS.c.sequence)
    rows = ledger.rows(asked if chain is None else asked.where(EVENTS.c.chain == chain))
    return map(_json, rows) if form == "jsonl" else _csv(rows)


def _json(row: Row[Any]) -> bytes:
    event = dict(zip(FIELDS, row, strict=True))
    return canonical_json({**event, "data": orjson.Fragment(event["data"])}) + b"\n"


class _Text:
    """A file that hands back what is written to it."""

    @staticmethod
    def write(text: str) -> str:
        return text


def _csv(rows: Iterator[Row[Any]]) -> Iterator[bytes]:
    lines = csv.writer(_Text(), lineterminator="\n")
    yield str(lines.writerow(COLUMNS)).encode()
    for row in rows:
        event = dict(zip(FIELDS, row, strict=True))
        event["cents"] = cents_of(orjson.loads(event["data"]))
        yield str(lines.writerow(event[name] for name in COLUMNS)).encode()


def cents_of(data: dict[str, Any]) -> int | None:
    """What an event moves: bought, wagered, put down, paid in or out, or taken back from the felt."""
    for moved in (data.get("wagers"), data.get("returned")):
        if isinstance(moved, dict):
            return sum(moved.values())
    return data.get("cents")
