"""A verification on several cores: the digests are one part, and the tables are divided into others.

Tables are independent of each other: their rounds need the house's approvals and roles, which each part folds
for itself. The cage needs the moves of money at all tables, which are few.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
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
LOAD_EVENTS = 7_000  # are followed and replayed while a process loads the rules of one game
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
    shares = divide_tables(chains, cores, find_games(ledger, chains))
    parts += [Part(address, last, fast, share, key=key) for share in shares]
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


def find_games(ledger: Ledger, chains: Mapping[str, int]) -> dict[str, str]:
    """The name of the game with which each table was last opened, where the record says it."""
    games = {}
    for table in chains:
        with suppress(ValueError, LookupError, TypeError):  # data that the verification will report
            games[table] = str(ledger.last_events(table, ("opened",))[0].data["game"])
    return games


def divide_tables(chains: Mapping[str, int], count: int, games: Mapping[str, str]) -> list[Share]:
    """Divide the tables into shares, one for each core, which take about as long.

    Tables of one game stay together if they fit, since each process loads the rules of its games. The last
    share is smaller, for the core that has computed the digests before it. Each share reads the whole
    ledger, so there are no more of them than cores.
    """
    events = {chain: number for chain, number in chains.items() if chain not in OTHER_CHAINS}
    shares: list[list[str]] = [[] for _ in range(max(1, min(count, len(events))))]
    sizes = [0.0] * len(shares)
    sizes[-1] = chains.get(CAGE_CHAIN, 0) + DIGEST_WEIGHT * sum(chains.values())
    for tables in _group_tables(events, games, sum(events.values()) / len(shares)):
        smallest = sizes.index(min(sizes))
        shares[smallest] += tables
        sizes[smallest] += LOAD_EVENTS + sum(events[table] for table in tables)
    return [Share(frozenset(share), has_rest=n == len(shares)) for n, share in enumerate(shares, 1)]


def _group_tables(events: Mapping[str, int], games: Mapping[str, str], most: float) -> Iterator[list[str]]:
    """The tables of each game, or each of them alone if they have more than `most` events; largest first."""
    by_game: dict[str, list[str]] = {}
    for table in events:
        by_game.setdefault(games.get(table, table), []).append(table)
    groups: list[list[str]] = []
    for tables in by_game.values():
        fit = sum(events[table] for table in tables) <= most
        groups += [tables] if fit else [[table] for table in tables]
    yield from sorted(groups, key=lambda tables: -sum(events[table] for table in tables))


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
