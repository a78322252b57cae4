"""The report of a verification."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from feltlab.ledger.chains import LedgerProblem
from feltlab.ledger.event import CAGE_CHAIN
from feltlab.ledger.heads import SignedHead, WitnessCheck
from feltlab.text import dollars

MAX_PROBLEMS = 1_000  # that are listed; the others are only counted

COUNT_TITLES = {
    "events": "events",
    "resumed": "of those, verified before and not read again",
    "chains": "chains",
    "settled": "rounds settled",
    "voids": "rounds void",
    "replayed": "rounds played again",
    "under_other_rules": "of those, recorded under other rules",
    "irregularities": "irregularities recorded",
    "corrections": "payments corrected",
    "private": "private tables opened",
    "practice": "of those, practice tables without an approval",
    "commitments": "commitments checked",
    "secret": "shuffles still secret",
    "witnessed": "events under a witness's head",
}


# Counts that a later verification goes on with; it computes all other figures itself.
COUNTED = (
    *("events", "settled", "voids", "replayed", "under_other_rules", "irregularities", "corrections"),
    *("private", "practice", "commitments", "anchors"),
)


INTERNAL_FIELDS = ("won_at", "frontier", "head")  # for the record of the verification


@dataclass
class LedgerReport:
    """The counts, sums and problems of a ledger."""

    last: int = 0  # the sequence up to which events were verified
    events: int = 0
    resumed: int = 0  # of those, from before the record of an earlier verification
    chains: int = 0
    settled: int = 0  # rounds
    voids: int = 0
    replayed: int = 0
    under_other_rules: int = 0  # of those
    irregularities: int = 0
    corrections: int = 0  # of payments
    private: int = 0  # openings of private tables
    practice: int = 0  # of those, without an approval
    commitments: int = 0  # that were compared with the order revealed
    secret: int = 0  # shuffles still in use
    witnessed: int = 0  # events that a witness's signed head confirms
    issued: int = 0  # cents
    balances: int = 0
    at_tables: int = 0
    won: int = 0  # by the house
    anchor: str = ""  # the digest of the last one
    anchors: int = 0
    problems: list[LedgerProblem] = field(default_factory=list)
    more: int = 0  # problems beyond those listed
    won_at: dict[str, int] = field(default_factory=dict)  # by the house, at each table
    frontier: list[list[int | str]] = field(default_factory=list)  # of the Merkle tree, if it was asked for
    head: SignedHead | None = None  # the last one of a witness that fits

    @property
    def sound(self) -> bool:
        return not self.problems

    def note_witness(self, witness: WitnessCheck, tracks_all: bool) -> None:
        """Note the last head that fits, and the frontier if it covers all events."""
        self.head = witness.matched
        self.witnessed = witness.matched.size if witness.matched else 0
        self.frontier = witness.frontier.peaks if tracks_all else []

    def add(self, problem: LedgerProblem) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)
        else:
            self.more += 1

    def add_all(self, problems: Iterable[LedgerProblem]) -> "LedgerReport":
        """The report with these problems too."""
        for problem in problems:
            self.add(problem)
        return self

    def merge(self, other: "LedgerReport") -> None:
        """Add the counts, sums and problems of another part of the ledger."""
        for name, value in vars(other).items():
            if isinstance(value, int):
                setattr(self, name, getattr(self, name) + value)
        self.anchor = self.anchor or other.anchor
        self.frontier, self.head = self.frontier or other.frontier, self.head or other.head
        self.won_at |= other.won_at
        for problem in other.problems:
            self.add(problem)

    def as_json(self) -> dict[str, Any]:
        problems = [{"chain": p.chain, "number": p.number, "problem": p.sentence} for p in self.problems]
        plain = {name: value for name, value in vars(self).items() if name not in INTERNAL_FIELDS}
        return {**plain, "problems": problems, "sound": self.sound}


def check_sums(report: LedgerReport, cage_events: int) -> None:
    """Report money that is neither in accounts nor at tables nor won by the house."""
    total = report.balances + report.at_tables + report.won
    if total != report.issued:
        parts = f"accounts hold {dollars(report.balances)}, tables hold {dollars(report.at_tables)}"
        parts += f" and the house won {dollars(report.won)}: together {dollars(total)}"
        sentence = f"{dollars(report.issued)} was issued, but {parts}."
        report.add(LedgerProblem(CAGE_CHAIN, cage_events, f"{CAGE_CHAIN} {cage_events}: {sentence}"))
