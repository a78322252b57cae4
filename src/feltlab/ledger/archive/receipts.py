"""Receipts: the events of a finished round, and the path from the last of them to a signed head."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import IN_ARCHIVE, StoredEvent
from feltlab.ledger.head_keys import Succession
from feltlab.ledger.heads import SignedHead
from feltlab.ledger.ledger import Ledger


class FinishedRound(NamedTuple):
    """The events of a round up to the one that ended it, each with its past."""

    table: str
    round: int
    before: str  # the digest of the table's event before the round
    events: Sequence[tuple[StoredEvent, str | None]]

    @property
    def sequence(self) -> int:
        """The sequence of the event that ended it."""
        return self.events[-1][0].sequence

    def write_receipt(
        self, head: SignedHead, path: Iterable[bytes], successions: Iterable[Succession]
    ) -> dict[str, Any]:
        """The receipt, as JSON; the path leads from the last event to the head."""
        return {
            "table": self.table,
            "round": self.round,
            "before": self.before,
            "events": [event.write_text(past) for event, past in self.events],
            "sequence": self.sequence,
            "path": [node.hex() for node in path],
            "head": vars(head),
            "successions": [vars(one) for one in successions],
        }


def find_round(ledgers: Iterable[Ledger], table: str, round: int, ends: Collection[str]) -> FinishedRound:
    """A finished round in a ledger and its archives; `ends` are the kinds of events that end a round.

    One of them may have some of its events only, or an event without the one before it.
    """
    known: dict[int, tuple[StoredEvent, str | None]] = {}
    before = ""
    for ledger in ledgers:
        for event, past in ledger.linked_events(chain=table, round=round):
            if past != IN_ARCHIVE or event.sequence not in known:
                known[event.sequence] = event, past
        if known:
            before = before or ledger.digest_of(table, known[min(known)][0].number - 1)
    events = [known[sequence] for sequence in sorted(known)]
    ended = [place for place, (event, _) in enumerate(events, 1) if event.kind in ends]
    if not ended:
        raise Unknown(f"{table} has finished no round {round}.")
    events = events[: ended[0]]
    if any(past == IN_ARCHIVE for _, past in events) or (events[0][0].number > 1 and not before):
        raise Refused(f"Round {round} of {table} is partly in an archive, without which it has no receipt.")
    return FinishedRound(table, round, before, events)
