"""The report of a verification."""

from dataclasses import dataclass, field
from typing import Any

from feltlab.ledger.chains import LedgerProblem

MAX_PROBLEMS = 1_000  # that are listed; the others are only counted

COUNT_TITLES = {
    "events": "events",
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


@dataclass
class LedgerReport:
    """The counts, sums and problems of a ledger."""

    events: int = 0
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

    @property
    def sound(self) -> bool:
        return not self.problems

    def add(self, problem: LedgerProblem) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)
        else:
            self.more += 1

    def as_json(self) -> dict[str, Any]:
        problems = [{"chain": p.chain, "number": p.number, "problem": p.sentence} for p in self.problems]
        return {**vars(self), "problems": problems, "sound": self.sound}
