"""Verifying: a ledger is read once, from first event to last, and whatever no server wrote is named."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import select

from feltlab.ledger.database import EVENTS
from feltlab.ledger.event import ANCHORS, digest_of
from feltlab.ledger.ledger import Head, Ledger, LedgerDown
from feltlab.ledger.writer import ANCHOR_EVERY, NO_HEAD, heads_named


@dataclass(frozen=True)
class Problem:
    """Something in a ledger that no server wrote."""

    chain: str
    number: int
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def verify_chains(ledger: Ledger, progress: Callable[[int], None] = lambda _: None) -> Iterator[Problem]:
    """Everything in a ledger that its server did not write so; `progress` hears how many events were read."""
    reader = _Reader()
    try:
        for row in ledger.rows(select(EVENTS).order_by(EVENTS.c.sequence)):
            yield from reader.problems(row)
            if reader.read % 10_000 == 0:
                progress(reader.read)
    except LedgerDown as error:
        yield Problem("", reader.read + 1, str(error))
    progress(reader.read)


class _Reader:
    """Reads events as they were written, and remembers no more than where each chain stands."""

    def __init__(self) -> None:
        self.read = 0
        self.sequence = 0
        self.heads: dict[str, Head] = {}
        self.at, self.free = "", 0  # the moment of the last event, and how many no anchor names yet

    def problems(self, row: Any) -> Iterable[Problem]:
        """What is wrong with the next event; nothing, as fast as can be, when it is as it should be."""
        sequence, chain, number, kind, round, at, data, digest = row
        self.read += 1
        lacking = self._lacking(chain, number) if at != self.at else ()
        self.at, self.free = at, 0 if chain == ANCHORS else self.free + 1
        before = self.heads.get(chain, NO_HEAD)
        is_next = sequence == self.sequence + 1 and number == before[0] + 1
        is_own = digest == _digest(before[1], chain, number, kind, round, at, data)
        stands = number if isinstance(number, int) else before[0] + 1  # SQLite stores any type anywhere
        after, self.sequence, self.heads[chain] = self.sequence, sequence, (stands, digest)
        found: Iterable[Problem] = lacking
        if not (is_next and is_own):
            found = [*lacking, *self._faults(row, after, before[0], is_own)]
        return [*found, *self._anchored(number, sequence, data)] if chain == ANCHORS and is_own else found

    def _faults(self, row: Any, after: int, last: int, is_own: bool) -> Iterator[Problem]:
        sequence, chain, number, *_ = row
        if sequence != after + 1:
            gap = f"sequence {after + 1} to {sequence - 1}" if sequence > after + 1 else f"{sequence}"
            yield Problem(chain, number, f"{chain} {number}: what was written before it is missing ({gap}).")
        if number != last + 1:
            yield Problem(chain, number, f"{chain} {number}: it stands where {chain} {last + 1} belongs.")
        elif not is_own:
            told = "it was changed, or what was written before it was"
            yield Problem(chain, number, f"{chain} {number}: {told}; its digest does not fit.")

    def _lacking(self, chain: str, number: int) -> Iterable[Problem]:
        """A transaction, all of one moment, ends with an anchor as soon as so many events have none."""
        if self.free < ANCHOR_EVERY:
            return ()
        told = f"{self.free:,} events before it have no anchor, and there is one every {ANCHOR_EVERY:,}"
        self.free = 0
        return [Problem(chain, number, f"{chain} {number}: {told}.")]

    def _anchored(self, anchor: int, sequence: int, data: str) -> Iterator[Problem]:
        """Does the anchor name the chains as they were read up to here?"""
        heads = heads_named(data)
        if not heads or orjson.loads(data).get("sequence") != sequence - 1:
            told = f"it was not written after sequence {sequence - 1}, where it stands"
            yield Problem(ANCHORS, anchor, f"{ANCHORS} {anchor}: {told}.")
        for chain, number, digest in heads:
            last, found = self.heads.get(chain, NO_HEAD)
            if last != number:
                told = f"the chain ends at {last}, and anchor {anchor} names {number}"
                yield Problem(chain, number, f"{chain} {number}: {told}.")
            elif found != digest:
                told = f"it is not the event that anchor {anchor} names"
                yield Problem(chain, number, f"{chain} {number}: {told}.")


def _digest(before: str, *fields: Any) -> str:
    """The digest of an event as stored; none for what no server could have stored."""
    try:
        return digest_of(before, *fields[:-1], orjson.Fragment(fields[-1]))
    except TypeError:
        return ""
