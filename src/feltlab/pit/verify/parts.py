"""A verification on several cores: the digests are one part, and the tables are divided into others.

Tables are independent of each other: their rounds need the house's approvals and roles, which each part folds
for itself. The cage needs the moves of money at all tables, which are few.
"""

from pathlib import Path
from typing import NamedTuple

from feltlab.ledger.chains import LedgerProblem, verify_chains
from feltlab.ledger.event import CAGE_CHAIN, OTHER_CHAINS
from feltlab.ledger.heads import SignedHead, WitnessCheck
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.parallel.progress import Progress
from feltlab.pit.verify.follow import LedgerFollower, Share
from feltlab.pit.verify.processes import count_done, map_in_processes
from feltlab.pit.verify.report import LedgerReport, check_sums

DIGEST_WEIGHT = 0.1  # of the time of an event that is followed and replayed
EVENTS_PER_COUNT = 1_000


class Part(NamedTuple):
    """A part of the work, as a process receives it; without a share it is the digests of all events."""

    address: str  # of the database
    last: int  # sequence
    fast: bool
    share: Share | None
    heads: tuple[SignedHead, ...] = ()
    key: Path | None = None  # of the vault
    is_recorded: bool = False


def verify_in_parts(
    ledger: Ledger,
    last: int,
    fast: bool,
    heads: tuple[SignedHead, ...],
    cores: int,
    progress: Progress,
    key: Path | None = None,
    is_recorded: bool = False,
) -> LedgerReport:
    """Verify a whole ledger on several cores."""
    chains = {chain: number for chain, (number, _) in ledger.heads().items()}
    address = ledger.database.address
    parts = [Part(address, last, fast, None, heads, is_recorded=is_recorded)]
    parts += [Part(address, last, fast, share, key=key) for share in divide_tables(chains, cores)]
    total = max(1.0, (1 + DIGEST_WEIGHT) * last)
    reports = map_in_processes(verify_part, parts, cores, lambda done: progress(min(1.0, done / total)))
    return add_reports(reports, chains, last)


def add_reports(reports: list[LedgerReport], chains: dict[str, int], last: int) -> LedgerReport:
    """One report from those of all parts, up to a sequence."""
    whole = LedgerReport(last=last)
    for report in reports:
        whole.merge(report)
    check_sums(whole, chains.get(CAGE_CHAIN, 0))
    return whole


def divide_tables(chains: dict[str, int], count: int) -> list[Share]:
    """Divide the tables into shares, one for each core, which take about as long; the largest comes first.

    The last share is smaller, for the core that has computed the digests before it. Each share reads the
    whole ledger, so there are no more of them than cores.
    """
    tables = sorted((chain for chain in chains if chain not in OTHER_CHAINS), key=lambda name: -chains[name])
    shares: list[list[str]] = [[] for _ in range(max(1, min(count, len(tables))))]
    sizes = [0.0] * len(shares)
    sizes[-1] = chains.get(CAGE_CHAIN, 0) + DIGEST_WEIGHT * sum(chains.values())
    for table in tables:
        smallest = sizes.index(min(sizes))
        shares[smallest].append(table)
        sizes[smallest] += chains[table]
    return [Share(frozenset(share), has_rest=n == len(shares)) for n, share in enumerate(shares, 1)]


# -- In a process -----------------------------------------------------------------------------------


def verify_part(part: Part) -> LedgerReport:
    """The report on one part."""
    report = LedgerReport()
    with Ledger.open(part.address, writer=False) as ledger:
        try:
            _verify_digests(ledger, part, report) if part.share is None else _follow(ledger, part, report)
        except LedgerDown as error:
            report.add(LedgerProblem("", report.events + 1, str(error)))
    return report


def _verify_digests(ledger: Ledger, part: Part, report: LedgerReport) -> None:
    witness, counted = WitnessCheck(part.heads, tracks_all=part.is_recorded), 0

    def count(read: int) -> None:
        nonlocal counted
        count_done(int(DIGEST_WEIGHT * (read - counted)))
        counted = read

    for problem in verify_chains(ledger, count, witness, last=part.last):
        report.add(problem)
    report.note_witness(witness, part.is_recorded)


def _follow(ledger: Ledger, part: Part, report: LedgerReport) -> None:
    assert part.share
    follower, counted = LedgerFollower(report, part.fast, part.share), 0
    follower.key = part.key
    for stored in ledger.events_of_chains(part.share.chains, part.share.kinds, last=part.last):
        follower.follow(stored)
        if report.events >= counted + EVENTS_PER_COUNT:
            count_done(report.events - counted)
            counted = report.events
    follower.finish(ledger)
