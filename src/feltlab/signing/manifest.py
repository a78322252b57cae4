"""A manifest: the list of a folder's files with their digests, so that one signature binds all of them."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from feltlab.digests import canonical_json, sha256_hex
from feltlab.errors import Refused
from feltlab.files import read_limited
from feltlab.signing.roles import match_signature

MANIFEST_FILE = "manifest.json"
MAX_MANIFEST_BYTES = 1 << 25
MAX_FILE_BYTES = 1 << 30
MAX_NAME_CHARS = 200
SAFE_NAME = re.compile(r"[\w][\w.-]*(/[\w][\w.-]*)*", re.ASCII)


def list_files(files: Mapping[str, bytes]) -> dict[str, Any]:
    """The entries of a manifest for these files."""
    return {name: {"bytes": len(content), "sha256": sha256_hex(content)} for name, content in files.items()}


def write_manifest(folder: Path, contents: Mapping[str, Any]) -> None:
    """Write the manifest of a folder that is complete otherwise; `contents` is what else it binds."""
    files = {name: (folder / name).read_bytes() for name in names_in(folder)}
    manifest = {**contents, "files": list_files(files)}
    (folder / MANIFEST_FILE).write_bytes(canonical_json(manifest))


def find_damage(folder: Path) -> Iterator[str]:
    """Sentences about files that the manifest does not list, or that are not as it lists them."""
    listed = _read_files(folder)
    for name, entry in listed.items():
        path = folder / name
        if _is_behind_link(folder, path):
            yield f"{name} is a link."
        elif not path.is_file():
            yield f"{name} is missing."
        elif path.stat().st_size != entry["bytes"] or _digest_of(path) != entry["sha256"]:
            yield f"{name} is not as the manifest has it."
    for name in names_in(folder):
        if name not in listed and name != MANIFEST_FILE and not match_signature(name, MANIFEST_FILE):
            yield f"{_one_line(name)} is not in the manifest."


def _is_behind_link(folder: Path, path: Path) -> bool:
    """Is the file, or a folder on the way to it, a link?"""
    way = (each for each in (path, *path.parents) if each.is_relative_to(folder) and each != folder)
    return any(each.is_symlink() for each in way)


def is_signed(folder: Path) -> bool:
    return any(match_signature(path.name, MANIFEST_FILE) for path in folder.glob(f"{MANIFEST_FILE}.*"))


def _one_line(name: str) -> str:
    """A file name for a sentence; one with odd characters is quoted, so that it cannot pose as a sentence."""
    return name if name.isprintable() else repr(name)


def list_manifest(folder: Path) -> set[str]:
    """The names of the files that a folder's manifest lists; none where it has no manifest."""
    try:
        return {*_read_files(folder), MANIFEST_FILE}
    except Refused:
        return set()


def names_in(folder: Path) -> list[str]:
    """The files of a folder and of the folders in it, links included."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_symlink() or not path.is_dir())
    return [path.relative_to(folder).as_posix() for path in found]


def _digest_of(path: Path) -> str:
    return sha256_hex(read_limited(path, MAX_FILE_BYTES))


def _read_files(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST_FILE
    try:
        files: dict[str, Any] = orjson.loads(read_limited(path, MAX_MANIFEST_BYTES))["files"]
        plain = all(
            SAFE_NAME.fullmatch(name)
            and len(name) <= MAX_NAME_CHARS
            and type(entry["bytes"]) is int
            and re.fullmatch("[0-9a-f]{64}", entry["sha256"])
            for name, entry in files.items()
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, Refused):
            raise
        plain = False
    if not plain:
        raise Refused(f"{path} is not a manifest.")
    return files
