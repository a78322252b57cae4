"""Irregularities and corrections as they are on record."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from feltlab.ledger.event import Event
from feltlab.ledger.ledger import Ledger
from feltlab.pit.irregularities.hands import describe_count, describe_hand
from feltlab.pit.irregularities.kinds import irregularity_kind
from feltlab.text import signed_dollars

if TYPE_CHECKING:
    from feltlab.pit.table_state import TableState

IRREGULARITY, CORRECTED = "irregularity", "corrected"


@dataclass(frozen=True)
class RecordedIrregularity:
    """An irregularity on record."""

    kind: str
    hand: str  # 'seat 2', 'board' or 'dealer'
    player: str  # who held the hand; '' for the board and the dealer's
    decision: str
    by: str
    note: str
    clause: str  # the number in the rule sheet
    drill: bool
    found: int | None  # cards in the hand, where they were counted
    due: int | None  # cards by the rules
    choices: int  # made in the round before it
    stages: int | None  # settled at all seats before it; None once all cards were out
    settled: int  # wagers of the table before it
    phase: str  # of the table
    time: str
    number: int  # of its event
    digest: str

    @classmethod
    def from_event(cls, event: Event, choices: int, table: "TableState") -> "RecordedIrregularity":
        named: dict[str, Any] = {name: event.data[name] for name in _NOTED_FIELDS}
        named |= {name: event.data.get(name) for name in ("found", "due")}
        named |= {"choices": choices, "stages": table.stops}
        named |= {"settled": len(table.paid), "phase": table.phase.value}
        return cls(**named, time=event.at, number=event.number, digest=event.digest)

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))

    def __str__(self) -> str:
        return describe_irregularity(vars(self))


_NOTED_FIELDS = ("kind", "hand", "player", "decision", "by", "note", "clause", "drill")


def describe_irregularity(data: Any) -> str:
    """An irregularity in a sentence: the hand, what is wrong with it, and the supervisor's note."""
    wrong = f": {irregularity_kind(data['kind']).title.lower()}"
    if data.get("found") is not None:
        wrong = f" has {describe_count(data['found'])} instead of {data['due']}"
    note = f" {data['note'].rstrip('.')}." if data["note"] else ""
    return f"{'Drill: ' if data['drill'] else ''}{describe_hand(data['hand'])}{wrong}.{note}"


@dataclass(frozen=True)
class RecordedCorrection:
    """A correction on record."""

    corrects: int  # the round
    seat: int  # from 0, in that round
    player: str
    spot: str
    paid: int  # the net as it was paid, earlier corrections included
    due: int  # the net as it should have been
    cents: int  # that the player received; below zero, gave back
    at: str  # "account", or the seat where the chips were moved
    by: str
    reason: str
    rules: int | None  # the net by the rules, if the round could be dealt again
    drill: bool
    time: str
    number: int  # of its event
    digest: str

    @classmethod
    def from_event(cls, event: Event) -> "RecordedCorrection":
        data = event.data
        named = {name: data[name] for name in _PLAIN_FIELDS}
        return cls(seat=data["seat"] - 1, time=event.at, number=event.number, digest=event.digest, **named)

    def as_json(self) -> dict[str, object]:
        """Plain data, with seats numbered from 1."""
        return {**vars(self), "seat": self.seat + 1, "house": -self.cents}

    def __str__(self) -> str:
        """'seat 2 (ann), ante: paid +$5, due +$10: +$5 to ann, -$5 to the house'."""
        paid = f"paid {signed_dollars(self.paid)}, due {signed_dollars(self.due)}"
        moved = f"{signed_dollars(self.cents)} to {self.player}, {signed_dollars(-self.cents)} to the house"
        return f"seat {self.seat + 1} ({self.player}), {self.spot}: {paid}: {moved}"


_PLAIN_FIELDS = (
    *("corrects", "player", "spot", "paid", "due", "cents"),
    *("at", "by", "reason", "rules", "drill"),
)


def list_marks(irregularities: Iterable[bool], corrections: Iterable[bool]) -> list[str]:
    """The marks of a round in lists, from whether each of its irregularities and corrections was a drill."""
    noted, made = list(irregularities), list(corrections)
    marks = {"irregularity": not all(noted), "corrected": not all(made), "drill": any((*noted, *made))}
    return [mark for mark, is_due in marks.items() if is_due]


def load_corrections(ledger: Ledger, table: str) -> list[RecordedCorrection]:
    """The corrections at a table, in order."""
    return [RecordedCorrection.from_event(event) for event in ledger.events(table, kinds=(CORRECTED,))]
