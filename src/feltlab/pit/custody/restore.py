"""Restoring a backup: it is checked first, and what is lost by going back to it is said.

The rounds that were under way when the backup was made have been played on since, so their cards may have
been seen. The event `restored` is why the next start voids those rounds and has every table shuffled.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from feltlab.errors import Refused
from feltlab.files import replace_folder
from feltlab.ledger.backup import LEDGER, SCHOOL_FILE, Backup, Manifest
from feltlab.ledger.chains import LedgerProblem, verify_chains, verify_tip
from feltlab.ledger.database import Database
from feltlab.ledger.event import OTHER_CHAINS
from feltlab.ledger.head_keys import KeyTrust
from feltlab.ledger.heads import SignedHead, parse_heads_file, read_witness
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.sealed_keys import place_keys, unseal_keys
from feltlab.ledger.table_copies import copy_tables, write_empty
from feltlab.ledger.witnesses import HEADS_FILE, load_successions
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.pit.custody.signed_ledger import record_restoration
from feltlab.pit.recovery import recover_table
from feltlab.pit.verify import LedgerReport, verify


@dataclass(frozen=True)
class Loss:
    """The events after a backup that witnesses know of."""

    events: int  # at least
    since: str  # the last event of the backup
    until: str  # the last head that a witness has

    @classmethod
    def measure(cls, manifest: Manifest, heads: Iterable[SignedHead]) -> "Loss | None":
        """The loss by the heads of witnesses; None without a head."""
        last = max(heads, key=lambda head: head.size, default=None)
        if last is None:
            return None
        return cls(max(0, last.size - manifest.events), manifest.last, max(last.at, manifest.last))


@dataclass(frozen=True)
class RoundUnderWay:
    """A round with wagers that was not over when the backup was made."""

    table: str
    round: int
    cents: int  # on the felt, which go back


@dataclass(frozen=True)
class Restoration:
    """The contents of a backup, and the events that are lost by restoring it."""

    manifest: Manifest
    report: LedgerReport
    loss: Loss | None
    rounds: tuple[RoundUnderWay, ...]
    has_keys: bool

    def as_json(self) -> dict[str, Any]:
        return {
            "made": self.manifest.made,
            "events": self.manifest.events,
            "last": self.manifest.last,
            "lost": vars(self.loss) if self.loss else None,
            "void": [vars(round) for round in self.rounds],
            "keys": self.has_keys,
            "verified": self.report.as_json(),
        }


def check_restore_place(folder: Path, database: str | None) -> None:
    """Refuse a place that holds something or cannot be reached, before anything is unpacked."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder} is not empty; name a new folder with --data.")
    if database is None:
        return
    if Database.at(database).is_file:
        raise Refused("A SQLite ledger is restored into the folder; --database is for PostgreSQL.")
    with write_empty(Database.at(database)):
        pass


def restore_backup(
    backup: Backup,
    folder: Path,
    database: str | None = None,
    passphrase: str | None = None,
    witnesses: Iterable[Path] = (),
    head_keys: Iterable[str] = (),
    fast: bool = False,
    accepts_problems: bool = False,
    progress: Progress = nobody_listens,
) -> Restoration:
    """Restore a backup into a new folder, and into an empty database if one is named.

    Nothing is there at the end if the backup is damaged, or if its ledger has problems that were not
    accepted.
    """
    keys = unseal_keys(backup.read_keys(), passphrase) if passphrase is not None else {}
    with replace_folder(folder) as new:
        new.chmod(0o700)
        backup.extract(new)
        place_keys(new, keys)
        with Ledger.open(new / LEDGER, writer=False) as ledger:
            found = _examine(backup.manifest, ledger, new, witnesses, head_keys, fast, progress, bool(keys))
        if found.report.sound or accepts_problems:
            _record_restoration(new, found)
            if database is not None:
                _move_ledger(new / LEDGER, Database.at(database))
            return found
        raise DamagedLedger(found)


class DamagedLedger(Refused):
    """A backup whose ledger does not verify."""

    def __init__(self, found: Restoration) -> None:
        super().__init__("The ledger of the backup has problems; --with-problems restores it as it is.")
        self.found = found


def _examine(
    manifest: Manifest,
    ledger: Ledger,
    new: Path,
    witnesses: Iterable[Path],
    head_keys: Iterable[str],
    fast: bool,
    progress: Progress,
    has_keys: bool,
) -> Restoration:
    head_keys = tuple(head_keys)
    trust = KeyTrust(head_keys, load_successions(ledger))
    own = parse_heads_file((new / HEADS_FILE).read_bytes().splitlines(), trust, HEADS_FILE)
    heads = [head for path in witnesses for head in read_witness(path, trust)]
    covered = [*own, *(head for head in heads if head.size <= manifest.events)]
    report = verify(ledger, progress, fast, covered, head_keys=head_keys)
    for problem in _check_school(new / SCHOOL_FILE, {*head_keys, *(head.key for head in own)}):
        report.add(problem)
    rounds = tuple(_find_rounds_under_way(ledger))
    return Restoration(manifest, report, Loss.measure(manifest, heads), rounds, has_keys)


def _check_school(path: Path, keys: set[str]) -> Iterator[LedgerProblem]:
    """Check the digests and the signature of the school's ledger, if there is one."""
    if path.exists():
        with Ledger.open(path, writer=False) as school:
            for problem in (*verify_chains(school), *verify_tip(school, keys)):
                yield replace(problem, sentence=f"The school's ledger: {problem}")


def _find_rounds_under_way(ledger: Ledger) -> Iterable[RoundUnderWay]:
    for name in ledger.chains():
        if name not in OTHER_CHAINS:
            table = recover_table(ledger, None, name)
            cents = sum(table.place(seat).on_felt for seat in table.bettors)
            if cents:
                yield RoundUnderWay(name, table.round, cents)


def _record_restoration(folder: Path, found: Restoration) -> None:
    lost = {"lost": found.loss.events, "until": found.loss.until} if found.loss else {}
    record_restoration(folder, {"made": found.manifest.made, "events": found.manifest.events, **lost})


def _move_ledger(path: Path, database: Database) -> None:
    """Move a restored ledger from its file to a server."""
    with Database.at(path).reading.connect() as source, write_empty(database) as target:
        copy_tables(source, target)
    for left in path.parent.glob(f"{path.name}*"):
        left.unlink()
