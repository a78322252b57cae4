"""Verification: is everything in a ledger as a sound server would have written it?

Digests show whether events were changed after they were written. Verification goes further: it follows
every table, the cage, the accounts and the approvals from event to event by the rules, and so finds events
that were wrong when they were written, even if all digests were made to match. It reads the ledger once in
the order of writing, and remembers each table's state and at most one shuffle of it, however long the
ledger is.
"""

from collections.abc import Iterable

from feltlab.ledger.chains import LedgerProblem, verify_chains
from feltlab.ledger.heads import SignedHead, WitnessCheck
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.pit.verify.follow import LedgerFollower
from feltlab.pit.verify.report import COUNT_TITLES, LedgerReport

__all__ = ["COUNT_TITLES", "LedgerReport", "verify"]

CHAINS_SHARE = 0.2  # of the time of a full verification, roughly, goes to the digests
EVENTS_PER_REPORT = 1_000


def verify(
    ledger: Ledger,
    progress: Progress = nobody_listens,
    fast: bool = False,
    heads: Iterable[SignedHead] = (),
) -> LedgerReport:
    """Verify a whole ledger, even while it is written; `fast` does not play the rounds again.

    Events written after the start are left to the next verification. Signed heads of witnesses expose
    whatever was rewritten or taken out since they were signed.
    """
    report, witness = LedgerReport(), WitnessCheck(heads)
    last, share = ledger.last_sequence(), 0.5 if fast else CHAINS_SHARE
    chains = verify_chains(ledger, lambda read: progress(share * min(1.0, read / max(1, last))), witness)
    for problem in chains:
        report.add(problem)
    report.witnessed = witness.matched.size if witness.matched else 0
    follower = LedgerFollower(report, fast)
    try:
        for stored in ledger.stored_events(last=last):
            follower.follow(stored)
            if report.events % EVENTS_PER_REPORT == 0:
                progress(share + (1 - share) * report.events / last)
        follower.finish(ledger)
    except LedgerDown as error:
        report.add(LedgerProblem("", report.events + 1, str(error)))
    progress(1.0)
    return report
