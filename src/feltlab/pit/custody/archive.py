"""Archiving: old months of a ledger move to a file that verifies by itself, and the live ledger goes on.

The house's chain stays whole: accounts, roles, approvals, limits and requests are folds of it. Of the cage,
the last snapshot before the cut and all since stays; of a table, the round before its last shuffle and all
since, and every event that is no part of a round: openings, corrections, faults. So a server starts, and a
verification goes on, from what stays. Whoever has the archive too verifies everything from the first event.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from feltlab.errors import Refused
from feltlab.files import create_beside, place_of
from feltlab.ledger.archive import (
    ARCHIVED,
    count_events,
    find_last_before,
    join_archives,
    keep_archive,
    write_archive,
)
from feltlab.ledger.event import (
    ANCHOR_CHAIN,
    CAGE_CHAIN,
    HOUSE_ACTOR,
    HOUSE_CHAIN,
    OTHER_CHAINS,
    Draft,
    Entry,
    EventRemoval,
    StoredEvent,
)
from feltlab.ledger.event_tree import TILE_EVENTS, EventTree
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.witnesses import CACHE_FILE, HeadSigner
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.pit.verify import VerifiedRecord, verify
from feltlab.pit.verify.resume import digest_rows

# The kinds of a table's events that leave the live ledger: those of which rounds and shuffles are made.
ROUND_KINDS = (
    *("standing", "wagered", "ready", "seeded", "no-more-bets", "dealt", "choosing", "chose", "paid"),
    *("revealed", "settled", "void", "order", "shuffled", "seated", "bought", "leaving", "left"),
)


class ArchiveMade(NamedTuple):
    """An archive that was written, and what it took over."""

    events: int  # in the archive
    removed: int  # of those, from the live ledger
    digest: str  # SHA-256 of the file


def archive_events(
    ledger: Ledger, folder: Path, before: str, path: Path, progress: Progress = nobody_listens
) -> ArchiveMade:
    """Move the events before a moment to a new file; nothing leaves the ledger until the file is verified.

    The ledger is open for writing, so no server runs. A kill leaves a ledger that has everything, or one
    whose last event names the archive.
    """
    with ledger.reading() as connection:
        last = find_last_before(connection, before)
    known = ledger.load_removal()
    if last < TILE_EVENTS or (known and last // TILE_EVENTS * TILE_EVENTS <= known.last):
        raise Refused(f"There is too little before {before[:10]} for an archive.")
    HeadSigner(ledger, folder).sign()
    with create_beside(place_of(path), mode=0o600) as made:
        write_archive(ledger.database, last, made)
        record = _verify_archive(ledger, made, last, progress)
        digest = _digest_file(made)
        entry = _plan_removal(ledger, folder, last, record, before, path.name, digest)
        keep_archive(made, path)
    with ledger.reading() as connection:
        count = count_events(connection)
    ledger.append_blocking(entry)
    with ledger.reading() as connection:
        return ArchiveMade(last, count + 1 - count_events(connection), digest)


def _verify_archive(ledger: Ledger, made: Path, last: int, progress: Progress) -> VerifiedRecord:
    """Verify what was written, as anybody would who has the file alone."""
    with Ledger.open(made, writer=False) as archive:
        report = verify(archive, progress)
        if not report.sound:
            raise Refused(f"The ledger is not sound, so nothing is archived: {report.problems[0]}")
        mine = list(ledger.digests(last - 1, last))
        if report.last != last or mine != list(archive.digests(last - 1, last)):
            raise Refused("The archive is not what the ledger holds; nothing was changed.")
        return VerifiedRecord.make(archive, report)


def _digest_file(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


# -- Everything together -----------------------------------------------------------------------------


@contextmanager
def open_whole_ledger(live: Ledger, archives: Sequence[Path]) -> Iterator[tuple[Ledger, list[str]]]:
    """A ledger with the events of its archives put back, to be read, and sentences about what does not fit.

    It is a copy in the folder for temporary files; without archives it is the live ledger itself.
    """
    if not archives:
        yield live, []
        return
    with TemporaryDirectory(prefix="feltlab-") as folder:
        place = Path(folder, "ledger.sqlite")
        differences = join_archives(live.database, archives, place)
        known = {event.data["sha256"] for event in live.events(HOUSE_CHAIN, kinds=(ARCHIVED,))}
        strange = [path for path in archives if _digest_file(path) not in known]
        differences += [f"{path.name} is not an archive that this ledger names." for path in strange]
        with Ledger.open(place, writer=False) as whole:
            yield whole, differences


# -- What leaves the ledger --------------------------------------------------------------------------


def _plan_removal(
    ledger: Ledger, folder: Path, last: int, record: VerifiedRecord, before: str, name: str, digest: str
) -> Entry:
    tree = EventTree(ledger, folder / CACHE_FILE)
    tree.catch_up()
    frontier = tree.frontier_at(last)
    tiles, chains = tree.first_tiles(last), tuple(_chains_to_cut(ledger, record))
    bound: dict[str, Any] = {**vars(record), "frontier": frontier.peaks}
    removal = EventRemoval(last // TILE_EVENTS * TILE_EVENTS, chains, tiles, bound)
    bound["kept"] = digest_rows(_list_staying(ledger, removal, last))
    data = {
        "by": HOUSE_ACTOR,
        "before": before,
        "file": name,
        "sha256": digest,
        "root": frontier.root.hex(),
        "rounds": _last_rounds(ledger, removal),
        "record": bound,
    }
    return Entry((Draft(HOUSE_CHAIN, ARCHIVED, data),), removal=removal)


def _chains_to_cut(ledger: Ledger, record: VerifiedRecord) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """By chain, the number of the first event that stays, and the kinds before it that do not."""
    for chain, (number, _) in record.heads.items():
        if chain == ANCHOR_CHAIN:
            yield chain, number, ()
        elif chain == CAGE_CHAIN:
            for snapshot in ledger.last_events(chain, ("standing",), 1, number + 1):
                yield chain, snapshot.number, ()
        elif chain not in OTHER_CHAINS:
            for shuffled in ledger.last_events(chain, ("shuffled",), 1, number + 1):
                for standing in ledger.last_events(chain, ("standing",), 1, shuffled.number):
                    if "machines" in standing.data:  # older ones need all events before them
                        yield chain, standing.number, ROUND_KINDS


def _list_staying(ledger: Ledger, removal: EventRemoval, last: int) -> Iterator[StoredEvent]:
    """The events up to a sequence that stay; the first of all does, as the ledger is known by it."""
    cuts = {chain: (number, frozenset(kinds)) for chain, number, kinds in removal.chains}
    for event in ledger.stored_events(last=last):
        number, kinds = cuts.get(event.chain, (0, frozenset()))
        is_early = 1 < event.sequence <= removal.last and event.number < number
        if not (is_early and (not kinds or event.kind in kinds)):
            yield event


def _last_rounds(ledger: Ledger, removal: EventRemoval) -> dict[str, int]:
    """By table, the last round of which an event leaves the ledger; all before it leave it whole."""
    rounds = {}
    for chain, number, kinds in removal.chains:
        for newest in ledger.newest_events(kinds, 1, removal.last + 1, chain):
            before = min(number, newest.number + 1)
            for event in ledger.last_events(chain, kinds, 1, before):
                rounds[chain] = event.round
    return rounds
