"""A verification that goes on where an earlier one ended.

Whoever verifies keeps a record of it: how many events were found sound, and the last event of each chain at
that time. The next verification checks that the ledger still has those events, folds the state of that moment
from the snapshots before it, and reads only what came later: the digests bind it to the events on record.

Nothing in a record is signed. It is as good as the place where it is kept, so it is kept by the person who
verifies, and never beside the ledger. Events from before it that were changed since are not found, because
they are not read. A verification of everything finds them.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.files import read_limited, write_file
from feltlab.ledger.archive import ARCHIVED
from feltlab.ledger.chains import LedgerProblem
from feltlab.ledger.event import (
    ANCHOR_CHAIN,
    CAGE_CHAIN,
    HOUSE_CHAIN,
    JACKPOT_CHAIN,
    OTHER_CHAINS,
    Event,
    StoredEvent,
    now,
)
from feltlab.ledger.heads import SignedHead
from feltlab.ledger.ledger import Head, Ledger
from feltlab.ledger.merkle import Frontier
from feltlab.pit.cage import Cage
from feltlab.pit.irregularities.recorded import CORRECTED
from feltlab.pit.jackpots.book import JackpotBook
from feltlab.pit.jackpots.sensors import JACKPOT_BET
from feltlab.pit.recorded_round import RecordedRound, load_opened_table
from feltlab.pit.shufflers.old_ledgers import count_machines
from feltlab.pit.verify.follow import LedgerFollower
from feltlab.pit.verify.report import COUNTED, LedgerReport
from feltlab.pit.verify.table_follower import CommittedShuffle, TableFollower

MAX_RECORD_BYTES = 1 << 24
FORM = 1


@dataclass(frozen=True)
class VerifiedRecord:
    """The result of a verification without problems."""

    first: str  # the digest of the ledger's first event, by which it is known
    size: int  # events
    at: str  # when it was verified
    heads: Mapping[str, Head]  # the last event of each chain
    won: Mapping[str, int]  # cents, by table
    counts: Mapping[str, int]
    form: int = FORM
    frontier: Sequence[Sequence[int | str]] = ()  # of the Merkle tree of those events, if it is known
    head: Mapping[str, Any] | None = None  # the last signed head that covers some or all of them
    kept: str = ""  # of an archive: the digest of the events that stayed in the live ledger

    @classmethod
    def make(cls, ledger: Ledger, report: LedgerReport) -> "VerifiedRecord":
        """The record of a report that found no problem."""
        counts, last = {name: getattr(report, name) for name in COUNTED}, report.last
        record = cls(_first_digest(ledger), last, now(), ledger.heads_at(last), report.won_at, counts)
        head = vars(report.head) if report.head else None
        return replace(record, frontier=report.frontier, head=head)

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "VerifiedRecord":
        """A record as it was written; raises errors of data if it is none."""
        heads = {chain: (int(number), str(digest)) for chain, (number, digest) in data["heads"].items()}
        return cls(**{**data, "heads": heads})

    @classmethod
    def load(cls, path: Path) -> "VerifiedRecord":
        try:
            record = cls.parse(orjson.loads(read_limited(path, MAX_RECORD_BYTES)))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise Refused(f"{path} is not the record of a verification.") from None
        if record.form != FORM:
            raise Refused(f"{path} is a record of another version of feltlab; verify everything again.")
        return record

    def save(self, path: Path) -> None:
        write_file(path, canonical_json(vars(self)) + b"\n")

    def check_heads(self, heads: Iterable[SignedHead]) -> None:
        """Refuse to go on if the record's head is not signed, or a witness has another one of that size."""
        if self.frontier and Frontier.from_peaks(self.frontier).size != self.size:
            raise Refused("The record is damaged: its tree has another size; verify everything again.")
        if self.head is None:
            return
        try:
            mine = SignedHead.parse(canonical_json(dict(self.head)))
        except Refused as refused:
            raise Refused(f"The head of the record cannot be trusted: {refused}.") from None
        others = [head for head in heads if head.size == mine.size and head.root != mine.root]
        if others:
            raise Refused(
                f"The witness's head of {mine.size} events, signed at {others[0].at}, is not the one that was"
                " verified; verify everything, without the record."
            )

    def find_differences(self, ledger: Ledger) -> Iterator[LedgerProblem]:
        """The events of the record that the ledger does not have any more."""
        if _first_digest(ledger) != self.first:
            raise Refused("The record is about another ledger.")
        for chain, (number, digest) in self.heads.items():
            if ledger.digest_of(chain, number) != digest:
                sentence = f"it is not the event that was verified at {self.at}."
                yield LedgerProblem(chain, number, f"{chain} {number}: {sentence}")
        if self.kept and digest_rows(ledger.stored_events(last=self.size)) != self.kept:
            stayed = "the events that stayed when older ones were archived are not those of that time"
            yield LedgerProblem(HOUSE_CHAIN, 0, f"{HOUSE_CHAIN}: {stayed}; verify with the archive.")


def digest_rows(events: Iterable[StoredEvent]) -> str:
    """The SHA-256 of events as they are stored, a line of JSON each."""
    digest = hashlib.sha256()
    for event in events:
        digest.update(canonical_json(list(event)) + b"\n")
    return digest.hexdigest()


def load_archived_record(ledger: Ledger) -> VerifiedRecord | None:
    """The record of the last archive, from which a verification of the live ledger goes on.

    The event on record counts. An archive that was cut before that event has it beside the events. A ledger
    that lacks events and has no such event is read from its beginning, where they are missed.
    """
    removal = ledger.load_removal()
    if removal is None:
        return None
    if ledger.is_archive:
        return VerifiedRecord.parse(removal.record)
    noted = ledger.last_events(HOUSE_CHAIN, (ARCHIVED,))
    return VerifiedRecord.parse(noted[0].data["record"]) if noted else None


def _first_digest(ledger: Ledger) -> str:
    return next(ledger.digests(0, 1), "")


# -- The state at the end of a record ----------------------------------------------------------------


def restore_follower(
    ledger: Ledger, record: VerifiedRecord, report: LedgerReport, fast: bool
) -> LedgerFollower:
    """A follower as it was at the end of a record, which goes on with a report."""
    follower = LedgerFollower(LedgerReport(), fast=True)
    for stored in ledger.stored_events(chain=HOUSE_CHAIN, last=record.size):
        follower.follow(stored)
    follower.cage.cage = Cage.from_events(_events_from_snapshot(ledger, record, CAGE_CHAIN))
    follower.jackpots.book = JackpotBook.from_events(_events_from_snapshot(ledger, record, JACKPOT_CHAIN))
    numbers = {chain: number for chain, (number, _) in record.heads.items()}
    made = ledger.events(kinds=(CORRECTED,))
    follower.corrections = [event for event in made if event.number <= numbers.get(event.chain, 0)]
    for table in numbers.keys() - set(OTHER_CHAINS):
        restored = _restore_table(ledger, table, numbers[table], follower)
        restored.report, restored.fast, restored.won = report, fast, record.won.get(table, 0)
        follower.tables[table] = restored
    for _ in follower.jackpots.end_moment():
        pass
    follower.report, follower.fast, follower.chains = report, fast, set(record.heads)
    follower.verified = numbers
    for name, count in record.counts.items():
        setattr(report, name, count)
    report.resumed, report.anchor = record.size, record.heads.get(ANCHOR_CHAIN, (0, ""))[1]
    return follower


def _events_from_snapshot(ledger: Ledger, record: VerifiedRecord, chain: str) -> Iterator[Event]:
    """The events of a chain from its last snapshot up to the end of a record."""
    last, _ = record.heads.get(chain, (0, ""))
    snapshots = ledger.last_events(chain, ("standing",), 1, last + 1)
    return _events_between(ledger, chain, snapshots[0].number if snapshots else 1, last)


def _events_between(ledger: Ledger, chain: str, first: int, last: int) -> Iterator[Event]:
    for event in ledger.events(chain, after=first - 1):
        if event.number > last:
            return
        yield event


def _restore_table(ledger: Ledger, name: str, last: int, of: LedgerFollower) -> TableFollower:
    """Follow a table again from the beginning of the round before its last shuffle."""
    follower = TableFollower(LedgerReport(), fast=True, jackpots=of.jackpots)
    shuffled = ledger.last_events(name, ("shuffled",), 1, last + 1)
    standing = ledger.last_events(name, ("standing",), 1, shuffled[0].number) if shuffled else []
    if standing:
        _begin_round(ledger, follower, standing[0])
    for event in _events_between(ledger, name, standing[0].number + 1 if standing else 1, last):
        for _ in follower.follow(event, of.register):
            pass  # it was verified before
        if event.kind == JACKPOT_BET:
            of.jackpots.follow_bet(event)
    if follower.round and follower.round.ended:  # it was replayed at the end of that verification
        follower.round = None
    return follower


def _begin_round(ledger: Ledger, follower: TableFollower, standing: Event) -> None:
    """Put a follower at the event that begins a round and holds the whole table."""
    table = load_opened_table(ledger, standing)
    if "machines" not in standing.data:
        table = replace(table, machines=count_machines(ledger, table, standing.number))
    data: Mapping[str, Any] = standing.data
    begun = RecordedRound(table.name, 0, table.game, table.digest)
    follower.round, follower.table = begun.after(standing, table), table.after(standing)
    follower.shuffle = CommittedShuffle(data["shuffle"], data["commitment"], may_be_odd=False)
    follower.last_number = standing.number
