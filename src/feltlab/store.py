"""The proof store: laws that were proved, in the user's cache directory.

A law is kept under a digest of what it depends on, in a folder named by the digest of all sources, so
nothing proved by other sources is ever found. An entry that is damaged, or that belongs to another
key, is proved again. Pay tables that do not change the best choice are no part of a key: a new pay
answers at once.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from feltlab.exact.law import Law
from feltlab.kernel import cache_folder


def kept(key: Any, solve: Callable[[], Law], fresh: bool = False) -> Law:
    """The law of this key: from the store, or solved and stored."""
    folder = cache_folder("proofs")
    if folder is None:
        return solve()
    name = json.dumps(key, sort_keys=True)
    path = folder / f"{_digest(name)}.json"
    found = None if fresh else _load(path, name)
    if found is None:
        found = solve()
        _save(path, name, found)
    return found


def _load(path: Path, name: str) -> Law | None:
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))
        body = entry["law"]
        if entry["key"] != name or entry["digest"] != _digest(name + json.dumps(body)):
            return None
        counts = {tuple(outcomes): int(count) for outcomes, count in body["counts"]}
        return Law(counts, {choice: int(n) for choice, n in body["first_choices"].items()}, body["method"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _save(path: Path, name: str, law: Law) -> None:
    """Written beside and moved into place, so that no half entry is ever found; a full disk is no error."""
    body = {
        "counts": [[list(outcomes), str(count)] for outcomes, count in sorted(law.counts.items())],
        "first_choices": {choice: str(count) for choice, count in law.first_choices.items()},
        "method": law.method,
    }
    entry = {"key": name, "digest": _digest(name + json.dumps(body)), "law": body}
    with suppress(OSError):
        handle, beside = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(entry, file)
            os.replace(beside, path)
        except BaseException:
            os.unlink(beside)
            raise


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
