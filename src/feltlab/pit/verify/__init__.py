"""Verification: is everything in a ledger as a sound server would have written it?

Digests show whether events were changed after they were written. Verification goes further: it follows
every table, the cage, the accounts and the approvals from event to event by the rules, and so finds events
that were wrong when they were written, even if all digests were made to match. It reads the ledger once in
the order of writing, and remembers each table's state and at most one shuffle of it, however long the
ledger is.
"""

from collections.abc import Iterable
from pathlib import Path

from feltlab.ledger.chains import LedgerProblem, verify_chains, verify_tip
from feltlab.ledger.heads import SignedHead, WitnessCheck
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.merkle import Frontier
from feltlab.parallel.progress import Progress, nobody_listens, part_of
from feltlab.pit.verify.follow import LedgerFollower
from feltlab.pit.verify.parts import verify_in_parts
from feltlab.pit.verify.report import COUNT_TITLES, LedgerReport, check_sums
from feltlab.pit.verify.resume import VerifiedRecord, load_archived_record, restore_follower

__all__ = ["COUNT_TITLES", "LedgerReport", "VerifiedRecord", "verify", "verify_since"]

CHAINS_SHARE = 0.2  # of the time of a full verification, roughly, goes to the digests
EVENTS_PER_REPORT = 1_000
EVENTS_FOR_CORES = 20_000  # fewer are verified before other processes have started


def verify(
    ledger: Ledger,
    progress: Progress = nobody_listens,
    fast: bool = False,
    heads: Iterable[SignedHead] = (),
    cores: int = 1,
    key: Path | None = None,
    is_recorded: bool = False,
    head_keys: Iterable[str] = (),
) -> LedgerReport:
    """Verify a whole ledger, even while it is written; `fast` does not play the rounds again.

    Events written after the start are left to the next verification. Signed heads of witnesses expose
    whatever was rewritten or taken out since they were signed. The last event is signed with a key of the
    heads or of `head_keys`; without any, with that which began. With the key of the vault, sealed cards are
    compared with their commitments. The report of one that is recorded has the frontier of the Merkle tree.
    """
    heads = tuple(heads)
    if record := load_archived_record(ledger):
        return verify_since(ledger, record, progress, fast, key, heads, head_keys)
    unsigned = _check_tip(ledger, heads, head_keys)
    last = ledger.last_sequence()  # after the heads were read, so that no head is of later events
    if cores > 1 and last >= EVENTS_FOR_CORES:
        whole = verify_in_parts(ledger, last, fast, heads, cores, progress, key, is_recorded)
        return whole.add_all(unsigned)
    report, witness = LedgerReport(last=last), WitnessCheck(heads, tracks_all=is_recorded)
    steps = part_of(progress, 0.0, 0.5 if fast else CHAINS_SHARE)

    def count(read: int) -> None:
        steps(min(1.0, read / max(1, last)))

    for problem in verify_chains(ledger, count, witness, last=last):
        report.add(problem)
    report.note_witness(witness, is_recorded)
    rest = part_of(progress, 0.5 if fast else CHAINS_SHARE, 1.0)
    follower = LedgerFollower(report, fast)
    follower.key = key
    return _follow(ledger, follower, 0, last, rest).add_all(unsigned)


def verify_since(
    ledger: Ledger,
    record: VerifiedRecord,
    progress: Progress = nobody_listens,
    fast: bool = False,
    key: Path | None = None,
    heads: Iterable[SignedHead] = (),
    head_keys: Iterable[str] = (),
) -> LedgerReport:
    """Verify what came after the record of an earlier verification, or of an archive.

    If the record has the frontier of its events, heads that were signed since are compared.
    """
    unsigned = _check_tip(ledger, heads := tuple(heads), head_keys)
    heads = heads if record.frontier else ()
    last = ledger.last_sequence()
    report = LedgerReport(last=last)
    for problem in record.find_differences(ledger):
        report.add(problem)
    if not report.sound:
        return report.add_all(unsigned)
    has_frontier = bool(record.frontier)
    witness = WitnessCheck(heads, Frontier.from_peaks(record.frontier), tracks_all=has_frontier)
    for problem in verify_chains(ledger, witness=witness, after=record.size, heads=record.heads, last=last):
        report.add(problem)
    report.note_witness(witness, has_frontier)
    follower = restore_follower(ledger, record, report, fast)
    follower.key = key
    return _follow(ledger, follower, record.size, last, progress).add_all(unsigned)


def _check_tip(ledger: Ledger, heads: Iterable[SignedHead], head_keys: Iterable[str]) -> list[LedgerProblem]:
    """The problems of the signature of the last event, read before the events that it covers."""
    return verify_tip(ledger, {*head_keys, *(head.key for head in heads)})


def _follow(
    ledger: Ledger, follower: LedgerFollower, after: int, last: int, progress: Progress
) -> LedgerReport:
    """Follow all events after a sequence up to another one; the report of the follower is complete then."""
    report = follower.report
    try:
        for stored in ledger.stored_events(after + 1, last):
            follower.follow(stored)
            if report.events % EVENTS_PER_REPORT == 0:
                progress((report.events - after) / (last - after))
        follower.finish(ledger)
        check_sums(report, follower.cage.cage.number)
    except LedgerDown as error:
        report.add(LedgerProblem("", report.events + 1, str(error)))
    progress(1.0)
    return report
