"""An insider: changes the record and makes every digest and anchor match again."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from feltlab.ledger.event import event_digest
from feltlab.ledger.head_keys import KEY_FILE, HeadKey
from feltlab.ledger.signed_tip import SignedTip

Events = list[dict[str, Any]]
FIELDS = ("sequence", "chain", "number", "kind", "round", "at", "data", "digest")


def read_events(folder: Path) -> Events:
    with sqlite3.connect(folder / "ledger.sqlite") as database:
        rows = database.execute(f"SELECT {', '.join(FIELDS)} FROM events ORDER BY sequence").fetchall()
    database.close()
    return [{**dict(zip(FIELDS, row, strict=True)), "data": json.loads(row[6])} for row in rows]


def rewrite_ledger(folder: Path, into: Path, change: Callable[[Events], None]) -> Path:
    """Copy a ledger with a change, as if it had been written so from the beginning.

    Its last event is signed too, as by somebody who has that key: other means have to find the change.
    """
    events = read_events(folder)
    change(events)
    shutil.copy(folder / "ledger.sqlite", into / "ledger.sqlite")
    with sqlite3.connect(into / "ledger.sqlite") as database:
        bind_events(events, read_linked_from(database))
        for action in ("UPDATE", "DELETE", "replace"):
            database.execute(f"DROP TRIGGER events_no_{action}")
        database.execute("DELETE FROM events")
        marks = ", ".join("?" * len(FIELDS))
        for event in events:
            data = json.dumps(event["data"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            database.execute(f"INSERT INTO events ({', '.join(FIELDS)}) VALUES ({marks})", _row(event, data))
        if (folder / KEY_FILE).exists():
            sign_tip(database, HeadKey(folder / KEY_FILE))
    database.close()
    return into / "ledger.sqlite"


def sign_tip(database: sqlite3.Connection, key: HeadKey) -> None:
    """Sign the last event of a ledger that has a signed one."""
    last = database.execute("SELECT sequence, digest FROM events ORDER BY sequence DESC LIMIT 1").fetchone()
    signed = json.dumps(vars(SignedTip.sign(key, *(last or (0, "")))))
    database.execute("UPDATE meta SET value = ? WHERE name = 'tip'", (signed,))


def _row(event: dict[str, Any], data: str) -> list[Any]:
    return [data if name == "data" else event[name] for name in FIELDS]


def read_linked_from(database: sqlite3.Connection) -> int:
    """The sequence from which digests bind the past; beyond every event in an old ledger."""
    row = database.execute("SELECT value FROM meta WHERE name = 'linked'").fetchone()
    return int(row[0]) if row else 1 << 60


def bind_events(events: Events, linked_from: int = 1) -> None:
    """Number all events again, and compute digests and anchors."""
    past, heads = "", dict[str, tuple[int, str]]()
    since: set[str] = set()
    for sequence, event in enumerate(events, 1):
        chain = event["chain"]
        number, before = heads.get(chain, (0, ""))
        if chain == "anchors":
            named = {name: list(heads[name]) for name in since}
            event["data"], since = {"heads": named, "sequence": sequence - 1}, set()
        fields = [chain, number + 1, event["kind"], event["round"], event["at"], event["data"]]
        fields += [past] if sequence >= linked_from else []
        event |= {"sequence": sequence, "number": number + 1, "digest": event_digest(before, *fields)}
        past, heads[chain] = event["digest"], (number + 1, event["digest"])
        since |= {chain} - {"anchors"}
