"""Verification of chains: a ledger is read once, and every event that no server wrote so is reported."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from feltlab.ledger.event import ANCHOR_CHAIN, StoredEvent, event_digest
from feltlab.ledger.heads import WitnessCheck
from feltlab.ledger.ledger import Head, Ledger, LedgerDown
from feltlab.ledger.writer import EVENTS_PER_ANCHOR, NO_HEAD, parse_heads

EVENTS_PER_REPORT = 10_000


@dataclass(frozen=True)
class LedgerProblem:
    """A fault in a ledger, at an event of a chain."""

    chain: str
    number: int
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def verify_chains(
    ledger: Ledger,
    progress: Callable[[int], None] = lambda _: None,
    witness: WitnessCheck | None = None,
) -> Iterator[LedgerProblem]:
    """Find every event that the server did not write so; `progress` receives the number of events read.

    With a witness, the events are also compared with its signed heads.
    """
    reader, witness = _ChainReader(), witness or WitnessCheck(())
    try:
        for stored in ledger.stored_events():
            yield from reader.check(stored)
            for sentence in witness.add(stored.digest):
                yield LedgerProblem("", stored.sequence, f"The witness: {sentence}")
            if reader.read % EVENTS_PER_REPORT == 0:
                progress(reader.read)
    except LedgerDown as error:
        yield LedgerProblem("", reader.read + 1, str(error))
    for sentence in witness.finish():
        yield LedgerProblem("", reader.read, f"The witness: {sentence}")
    progress(reader.read)


class _ChainReader:
    """Reads events in the order of writing, and remembers the head of each chain only."""

    def __init__(self) -> None:
        self.read = 0
        self.sequence = 0
        self.heads: dict[str, Head] = {}
        self.at = ""  # of the last event
        self.unanchored = 0  # events since the last anchor

    def check(self, stored: StoredEvent) -> Iterable[LedgerProblem]:
        """The problems of the next event. A sound event takes as little time as possible."""
        sequence, chain, number, kind, round, at, data, digest = stored
        self.read += 1
        problems = self._check_anchored(chain, number) if at != self.at else ()
        self.at, self.unanchored = at, 0 if chain == ANCHOR_CHAIN else self.unanchored + 1
        before = self.heads.get(chain, NO_HEAD)
        is_next = sequence == self.sequence + 1 and number == before[0] + 1
        is_intact = digest == _stored_digest(before[1], chain, number, kind, round, at, data)
        place = number if isinstance(number, int) else before[0] + 1  # SQLite stores any type anywhere
        after, self.sequence, self.heads[chain] = self.sequence, sequence, (place, digest)
        if not (is_next and is_intact):
            problems = [*problems, *self._describe_faults(stored, after, before[0], is_intact)]
        if chain == ANCHOR_CHAIN and is_intact:
            problems = [*problems, *self._check_anchor(number, sequence, data)]
        return problems

    def _describe_faults(
        self, stored: StoredEvent, after: int, last: int, is_intact: bool
    ) -> Iterator[LedgerProblem]:
        sequence, chain, number, *_ = stored
        if sequence != after + 1:
            gap = f"sequence {after + 1} to {sequence - 1}" if sequence > after + 1 else f"{sequence}"
            yield _problem(chain, number, f"the events before it are missing ({gap})")
        if number != last + 1:
            yield _problem(chain, number, f"it is in the place of {chain} {last + 1}")
        elif not is_intact:
            changed = "it or an event before it was changed"
            yield _problem(chain, number, f"{changed}; its digest does not match")

    def _check_anchored(self, chain: str, number: int) -> Iterable[LedgerProblem]:
        """Has every full span of events its anchor?

        A transaction writes all its events with one moment, and ends with an anchor as soon as enough
        events lack one. So this is checked whenever the moment changes.
        """
        if self.unanchored < EVENTS_PER_ANCHOR:
            return ()
        sentence = f"{self.unanchored:,} events before it have no anchor"
        self.unanchored = 0
        return [_problem(chain, number, f"{sentence}; every {EVENTS_PER_ANCHOR:,} events have one")]

    def _check_anchor(self, anchor: int, sequence: int, data: str) -> Iterator[LedgerProblem]:
        """Does the anchor name the chains as they were read up to here?"""
        heads = parse_heads(data)
        if not heads or orjson.loads(data).get("sequence") != sequence - 1:
            yield _problem(ANCHOR_CHAIN, anchor, f"it was not written after sequence {sequence - 1}")
        for chain, number, digest in heads:
            last, found = self.heads.get(chain, NO_HEAD)
            if last != number:
                yield _problem(chain, number, f"the chain ends at {last}, but anchor {anchor} names {number}")
            elif found != digest:
                yield _problem(chain, number, f"it is not the event that anchor {anchor} names")


def _problem(chain: str, number: int, sentence: str) -> LedgerProblem:
    return LedgerProblem(chain, number, f"{chain} {number}: {sentence}.")


def _stored_digest(before: str, *fields: Any) -> str:
    """The digest of an event as stored, or '' if no server can have stored it."""
    try:
        return event_digest(before, *fields[:-1], orjson.Fragment(fields[-1]))
    except TypeError:
        return ""
