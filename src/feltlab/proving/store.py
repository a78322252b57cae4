"""The proof store: laws that were proved, in the user's cache directory.

A law is stored under a digest of its key, in a folder named by the digest of all sources, so results of other
sources are never found. An entry that is damaged, or that belongs to another key, is proved again. Pays that
do not change the best choice are not in the key, so a proof with such a new pay needs no solver.

One process at a time computes the value of a key; others that want it wait, and read it.
"""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltlab.byte_locks import one_process
from feltlab.core.solver import Law
from feltlab.digests import sha256_hex
from feltlab.files import replace_file
from feltlab.games import GAMES, home_of
from feltlab.kernel import cache_folder

MAX_ENTRY_BYTES = 1 << 25  # entries are far smaller


def cached_law(
    key: Any, solve: Callable[[], Law], is_plausible: Callable[[Law], bool] = bool, fresh: bool = False
) -> Law:
    """The law of this key: from the store if that law is plausible, or solved and stored."""

    def is_plausible_entry(data: Any) -> bool:
        with suppress(KeyError, ValueError, TypeError, AttributeError, OverflowError):
            return is_plausible(_law_from_json(data))
        return False

    return _law_from_json(cached_json(key, lambda: _law_to_json(solve()), is_plausible_entry, fresh))


def _is_there(data: Any) -> bool:
    return data is not None


def cached_json(
    key: Any,
    compute: Callable[[], Any],
    is_plausible: Callable[[Any], bool] = _is_there,
    fresh: bool = False,
) -> Any:
    """The JSON value of this key: from the store, or computed and stored."""
    if not fresh and is_plausible(data := _read_entry(key)):
        return data
    with one_process(_locks(), _name(key)):
        if not fresh and is_plausible(data := _read_entry(key)):  # another process computed it meanwhile
            return data
        data = compute()
        _save(key, data)
    return data


def _locks() -> Path | None:
    folder = cache_folder("proofs")
    return folder and folder.with_suffix(".locks")


def stored_json(key: Any) -> Any:
    """The JSON value of this key, or None if the store has none."""
    return _read_entry(key)


def cached_array(key: Any, compute: Callable[[], NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """An array of bytes under this key: from the store, or computed and stored."""

    def compress() -> dict[str, Any]:
        table = compute()
        return {"shape": table.shape, "bytes": b64encode(zlib.compress(table.tobytes(), 1)).decode()}

    data = cached_json(key, compress)
    flat = np.frombuffer(zlib.decompress(b64decode(data["bytes"])), np.uint8)
    return flat.reshape(data["shape"])


def _read_entry(key: Any) -> Any:
    """The stored value of a key; None unless the entry is whole and belongs to this key."""
    folder, name = cache_folder("proofs"), _name(key)
    if folder is None:
        return None
    path = folder / f"{_digest(name)}.json"
    try:
        if not path.is_file() or path.stat().st_size > MAX_ENTRY_BYTES:
            return None
        entry = json.loads(path.read_text(encoding="utf-8"))
        whole = entry["key"] == name and entry["digest"] == _digest(name + json.dumps(entry["data"]))
        return entry["data"] if whole else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _save(key: Any, data: Any) -> None:
    """Save an entry; a full disk is no error."""
    folder, name = cache_folder("proofs"), _name(key)
    if folder is None:
        return
    entry = {"key": name, "digest": _digest(name + json.dumps(data)), "data": data}
    with suppress(OSError), replace_file(folder / f"{_digest(name)}.json") as file:
        file.write(json.dumps(entry).encode())


def _name(key: Any) -> str:
    """A key as text; with the digest of the game's sources if it is from outside the package."""
    name = str(key[0]).partition(" ")[0] if isinstance(key, list) and key else ""
    digest = home_of(name).digest if name in GAMES else ""
    return json.dumps([key, digest] if digest else key, sort_keys=True)


def _digest(text: str) -> str:
    return sha256_hex(text.encode())


# -- Laws as JSON -----------------------------------------------------------------------------------


def _law_to_json(law: Law) -> dict[str, Any]:
    """A law as JSON; counts are text, since other readers of JSON round long numbers."""
    return {
        "counts": [[list(outcomes), str(count)] for outcomes, count in sorted(law.counts.items())],
        "first_choices": {choice: str(count) for choice, count in law.first_choices.items()},
        "method": law.method,
        "seconds": law.seconds,
        "streets": {
            street: {choice: str(count) for choice, count in made.items()}
            for street, made in law.streets.items()
        },
        "equal_positions": law.equal_positions,
    }


def _law_from_json(data: dict[str, Any]) -> Law:
    counts = {tuple(outcomes): int(count) for outcomes, count in data["counts"]}
    first_choices = _counts_from_json(data["first_choices"])
    streets = {street: _counts_from_json(made) for street, made in data["streets"].items()}
    return Law(counts, first_choices, data["method"], data["seconds"], streets, data["equal_positions"])


def _counts_from_json(data: dict[str, str]) -> dict[str, int]:
    return {choice: int(count) for choice, count in data.items()}
