"""Backups: a ledger as it is at one moment, in one file that can be restored.

A backup is a zip file:

    ledger.sqlite   every table of the database, whichever kind of database it is
    heads.jsonl     the heads that were signed up to that moment
    keys.json       the keys, sealed with a passphrase; only if one was given
    school.sqlite   the school's ledger: its exams and certificates
    training.jsonl  what players have learnt in the trainer: the name and the text of each file
    backup.json     when and of what it was made, and the SHA-256 of the other members
"""

import hashlib
import os
import re
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import orjson

from feltlab import __version__
from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.files import create_beside, place_of
from feltlab.ledger.database import Database
from feltlab.ledger.event import now
from feltlab.ledger.head_keys import Succession
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.sealed_keys import seal_keys
from feltlab.ledger.table_copies import copy_to_file
from feltlab.ledger.witnesses import HEADS_FILE

FORMAT, FORMATS = 2, (1, 2)  # the first had neither the school nor the trainer
LEDGER, KEYS, MANIFEST = "ledger.sqlite", "keys.json", "backup.json"
SCHOOL_FILE = "school.sqlite"
TRAINING_FOLDER, TRAINING = "training", "training.jsonl"
RECORD_NAME = re.compile(r"[0-9a-f]{64}\.json")  # of a file in the folder of the trainer
MEMBERS = (LEDGER, HEADS_FILE, KEYS, SCHOOL_FILE, TRAINING)
CHUNK_BYTES = 1 << 20
MAX_MANIFEST_BYTES = 1 << 16


@dataclass(frozen=True)
class Manifest:
    """The description inside a backup."""

    format: int
    feltlab: str  # the version that made it
    made: str
    events: int
    last: str  # the moment of the last event
    members: dict[str, str]  # SHA-256 by name

    @property
    def has_keys(self) -> bool:
        return KEYS in self.members


# -- Write ------------------------------------------------------------------------------------------


def write_backup(database: Database, folder: Path, path: Path, passphrase: str | None = None) -> Manifest:
    """Back up a ledger and the heads of its pit's folder; the keys too, if there is a passphrase."""
    place = place_of(path)
    try:
        with (
            TemporaryDirectory(prefix=f".{place.name}.", dir=place.parent) as parts,
            create_beside(place, mode=0o600) as beside,
        ):
            manifest = _write_parts(database, folder, Path(parts), passphrase)
            with beside.open("wb") as stream:
                _write_zip(stream, Path(parts), manifest)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(beside, place)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror or error}.") from None
    return manifest


def _write_parts(database: Database, folder: Path, parts: Path, passphrase: str | None) -> Manifest:
    made = now()
    copy_to_file(database, parts / LEDGER)
    with Ledger.open(parts / LEDGER, writer=False) as ledger:
        events = ledger.last_sequence()
        last = next((event.at for event in ledger.stored_events(first=events)), "")
    _copy_heads(folder / HEADS_FILE, parts / HEADS_FILE, events)
    if passphrase is not None:
        (parts / KEYS).write_bytes(seal_keys(folder, passphrase))
    if (folder / SCHOOL_FILE).exists():
        copy_to_file(Database.at(folder / SCHOOL_FILE), parts / SCHOOL_FILE)
    if (folder / TRAINING_FOLDER).is_dir():
        _copy_records(folder / TRAINING_FOLDER, parts / TRAINING)
    names = [name for name in MEMBERS if (parts / name).exists()]
    digests = {name: _digest_file(parts / name) for name in names}
    return Manifest(FORMAT, __version__, made, events, last, digests)


def _copy_heads(path: Path, place: Path, events: int) -> None:
    """Copy the signed heads of at most so many events; later ones belong to events after the copy."""
    with place.open("wb") as copy:
        if not path.exists():
            return
        with path.open("rb") as heads:
            copy.writelines(line for line in heads if _is_head_within(line, events))


def _copy_records(folder: Path, place: Path) -> None:
    """Copy the files of the trainer, a line each; one that is removed meanwhile is left out."""
    with place.open("wb") as copy:
        for path in sorted(folder.iterdir()):
            if RECORD_NAME.fullmatch(path.name):
                with suppress(FileNotFoundError, UnicodeDecodeError):
                    copy.write(orjson.dumps([path.name, path.read_text("utf-8")]) + b"\n")


def _is_head_within(line: bytes, events: int) -> bool:
    try:
        return bool(0 < orjson.loads(line)["size"] <= events)
    except (ValueError, KeyError, TypeError):
        return Succession.parse(line) is not None


def _write_zip(stream: BinaryIO, parts: Path, manifest: Manifest) -> None:
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name in manifest.members:
            with (parts / name).open("rb") as source, archive.open(name, "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target, CHUNK_BYTES)
        archive.writestr(MANIFEST, canonical_json(asdict(manifest)))


def _digest_file(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_backup_place(path: Path) -> None:
    """Refuse to replace a file that holds anything but a backup."""
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return
    try:
        with open_backup(path):
            return
    except Refused:
        raise Refused(
            f"{path} exists and is not a backup of a ledger; name another file, or add --replace."
        ) from None


# -- Read -------------------------------------------------------------------------------------------


class Backup:
    """A backup that is open to be restored."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self.path, self._archive = path, archive
        self.manifest = self._read_manifest()

    def extract(self, folder: Path) -> None:
        """Unpack everything but the keys; refuses a member that is not what was backed up."""
        for name in self.manifest.members:
            if name != KEYS:
                self._extract(name, folder / name)
        if TRAINING in self.manifest.members:
            self._place_records(folder / TRAINING, folder / TRAINING_FOLDER)

    def _place_records(self, lines: Path, folder: Path) -> None:
        folder.mkdir(mode=0o700)
        with lines.open("rb") as stream:
            for line in stream:
                try:
                    name, text = orjson.loads(line)
                    is_record = bool(RECORD_NAME.fullmatch(name))
                except (ValueError, TypeError):
                    is_record = False
                if not is_record:
                    raise Refused(f"{self.path} is damaged: {TRAINING} has a line that is no record.")
                (folder / name).write_text(text, "utf-8")
        lines.unlink()

    def read_keys(self) -> bytes:
        """The sealed keys."""
        content = self._archive.read(KEYS)
        self._check(KEYS, hashlib.sha256(content).hexdigest())
        return content

    def _read_manifest(self) -> Manifest:
        try:
            with self._archive.open(MANIFEST) as stream:
                held = orjson.loads(stream.read(MAX_MANIFEST_BYTES))
            manifest = Manifest(**held) if held["format"] in FORMATS else None
            is_whole = manifest is not None and {LEDGER, HEADS_FILE} <= set(manifest.members)
        except (KeyError, ValueError, TypeError, AttributeError):
            is_whole = False
        if not is_whole or not set(manifest.members) <= set(MEMBERS):  # type: ignore[union-attr]
            raise Refused(f"{self.path} is not a backup of a ledger.")
        return manifest  # type: ignore[return-value]

    def _extract(self, name: str, place: Path) -> None:
        digest = hashlib.sha256()
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with self._archive.open(name) as source, os.fdopen(handle, "wb") as target:
            while part := source.read(CHUNK_BYTES):
                digest.update(part)
                target.write(part)
            target.flush()
            os.fsync(target.fileno())
        self._check(name, digest.hexdigest())

    def _check(self, name: str, digest: str) -> None:
        if digest != self.manifest.members[name]:
            raise Refused(f"{self.path} is damaged: {name} is not what was backed up.")


@contextmanager
def open_backup(path: Path) -> Iterator[Backup]:
    """Open a backup; a file that is none, or that is damaged, is refused in one sentence."""
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise Refused(f"{path} does not exist.") from None
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror or error}.") from None
    except zipfile.BadZipFile:
        raise Refused(f"{path} is not a backup of a ledger, or it is damaged.") from None
    with archive:
        try:
            yield Backup(path, archive)
        except (zipfile.BadZipFile, zlib.error, EOFError):
            raise Refused(f"{path} is damaged.") from None
