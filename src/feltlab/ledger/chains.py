"""Verification of chains: a ledger is read once, and every event that no server wrote so is reported."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from feltlab.ledger.event import (
    ANCHOR_CHAIN,
    GENESIS,
    HOUSE_CHAIN,
    LEDGER_UPGRADED,
    ROLLBACK_KINDS,
    StoredEvent,
    event_digest,
)
from feltlab.ledger.heads import WitnessCheck
from feltlab.ledger.ledger import Head, Ledger, LedgerDown
from feltlab.ledger.signed_tip import find_tip_faults
from feltlab.ledger.writing.transaction import NO_HEAD, parse_heads
from feltlab.ledger.writing.writer import EVENTS_PER_ANCHOR

EVENTS_PER_REPORT = 10_000
MAX_UNSIGNED_SECONDS = 60.0  # of events at the end that no head confirms; heads are signed every five


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
    after: int = 0,
    heads: Mapping[str, Head] | None = None,
    last: int | None = None,
) -> Iterator[LedgerProblem]:
    """Find every event that the server did not write so; `progress` receives the number of events read.

    Events after the sequence `last` are not read. With a witness, the events are also compared with its
    signed heads. With heads, those of all chains at a sequence, only the events after it are read.
    """
    witness, reader = witness or WitnessCheck(()), _ChainReader()
    try:
        reader.linked_from = ledger.linked_from()
        if after:
            reader.begin_after(ledger, after, heads or {})
        for stored in ledger.stored_events(after + 1 if after else None, last):
            yield from reader.check(stored)
            if stored.kind in ROLLBACK_KINDS and stored.chain == HOUSE_CHAIN:
                witness.go_back(stored.at)
            witness.add(stored.digest)
            reader.note_head(witness.matched.size if witness.matched else 0)
            if reader.read % EVENTS_PER_REPORT == 0:
                progress(reader.read)
    except LedgerDown as error:
        yield LedgerProblem("", reader.read + 1, str(error))
    found = [*witness.finish()] or ([*reader.describe_unsigned()] if witness.has_heads else [])
    for sentence in found:
        yield LedgerProblem("", reader.read, f"The witness: {sentence}")
    progress(reader.read)


def verify_tip(ledger: Ledger, keys: Collection[str] = ()) -> list[LedgerProblem]:
    """The problems of the signature of the last event, by trusted keys; nobody writes an archive any more."""
    if ledger.is_archive:
        return []
    try:
        with ledger.reading() as connection:
            return [LedgerProblem("", 0, sentence) for sentence in find_tip_faults(connection, keys)]
    except LedgerDown as error:
        return [LedgerProblem("", 0, str(error))]


class _ChainReader:
    """Reads events in the order of writing, and remembers the head of each chain only."""

    def __init__(self) -> None:
        self.read = 0
        self.sequence = 0
        self.heads: dict[str, Head] = {}
        self.at, self.past = "", GENESIS  # the moment and the digest of the last event
        self.linked_from: int | None = None  # the sequence of the first event that binds the past
        self.unanchored = 0  # events since the last anchor
        self.signed = 0  # the last sequence that a head confirms
        self.unsigned_at = ""  # the moment of the event after it

    def begin_after(self, ledger: Ledger, sequence: int, heads: Mapping[str, Head]) -> None:
        """Go on after an event, given the heads of all chains at that time."""
        self.read = self.sequence = sequence
        self.heads = dict(heads)
        for last in ledger.stored_events(sequence, sequence):
            self.at, self.past = last.at, last.digest
        anchored = next(ledger.newest_events(("anchor",), 1, sequence + 1, ANCHOR_CHAIN), None)
        self.unanchored = sequence - (anchored.sequence if anchored else 0)

    def check(self, stored: StoredEvent) -> Iterable[LedgerProblem]:
        """The problems of the next event. A sound event takes as little time as possible."""
        sequence, chain, number, kind, round, at, data, digest = stored
        self.read += 1
        problems, late = self._check_moment(stored) if at != self.at else ((), ())
        past, self.past = self.past, digest
        self.at, self.unanchored = at, 0 if chain == ANCHOR_CHAIN else self.unanchored + 1
        before = self.heads.get(chain, NO_HEAD)
        is_next = sequence == self.sequence + 1 and number == before[0] + 1
        links = (past,) if self._is_linked(sequence) else ()
        is_intact = digest == _stored_digest(before[1], (chain, number, kind, round, at), data, *links)
        if kind == LEDGER_UPGRADED or sequence == self.linked_from:
            problems = [*problems, *self._check_upgrade(stored)]
        place = number if isinstance(number, int) else before[0] + 1  # SQLite stores any type anywhere
        after, self.sequence, self.heads[chain] = self.sequence, sequence, (place, digest)
        if not (is_next and is_intact):
            problems = [*problems, *self._describe_faults(stored, after, before[0], is_intact)]
        if chain == ANCHOR_CHAIN and (is_intact or sequence != after + 1):
            problems = [*problems, *self._check_anchor(number, sequence, data)]
        return [*problems, *late] if late else problems

    def _describe_faults(
        self, stored: StoredEvent, after: int, last: int, is_intact: bool
    ) -> Iterator[LedgerProblem]:
        sequence, chain, number, *_ = stored
        if sequence != after + 1:
            gap = f"sequence {after + 1} to {sequence - 1}" if sequence > after + 1 else f"{sequence}"
            yield _problem(chain, number, f"the events before it are missing ({gap})")
        if number != last + 1:
            yield _problem(chain, number, f"it is in the place of {chain} {last + 1}")
        elif not is_intact and sequence == after + 1:  # its past is unknown after a gap
            changed = "it or an event before it was changed"
            yield _problem(chain, number, f"{changed}; its digest does not match")

    def note_head(self, signed: int) -> None:
        """Note the sequence of the last event that a head confirms, after the event that was just read."""
        if signed != self.signed or not self.unsigned_at:
            self.signed, self.unsigned_at = signed, "" if signed == self.sequence else self.at

    def describe_unsigned(self) -> Iterator[str]:
        """Report that heads are missing, if a server went on for longer than it ever waits to sign."""
        with suppress(ValueError, TypeError):  # the moments are none, which is reported already
            began, ended = map(datetime.fromisoformat, (self.unsigned_at, self.at))
            if (ended - began).total_seconds() > MAX_UNSIGNED_SECONDS:
                count = self.read - self.signed
                yield f"no head confirms the last {count} events, since {began}; use a newer copy of it."

    def _is_linked(self, sequence: int) -> bool:
        return self.linked_from is not None and sequence >= self.linked_from

    def _check_upgrade(self, stored: StoredEvent) -> Iterator[LedgerProblem]:
        """Are events linked from the first one on, or from the one event that says so?"""
        sequence, chain, number, kind, *_ = stored
        is_due = sequence == self.linked_from and sequence != 1
        if is_due != (chain == HOUSE_CHAIN and kind == LEDGER_UPGRADED):
            yield _problem(chain, number, f"the events are not linked from here on (from {self.linked_from})")

    def _check_moment(self, stored: StoredEvent) -> tuple[Iterable[LedgerProblem], Iterable[LedgerProblem]]:
        """The problems of a new moment: events before it without an anchor, and one that runs backwards."""
        unanchored = self._check_anchored(stored.chain, stored.number)
        if str(stored.at) >= str(self.at) or not self._is_linked(stored.sequence):
            return unanchored, ()
        sentence = f"its moment {stored.at} is before that of the event before it, {self.at}"
        return unanchored, [_problem(stored.chain, stored.number, sentence)]

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


def _stored_digest(before: str, fields: tuple[Any, ...], data: str, *past: str) -> str:
    """The digest of an event as stored, or '' if no server can have stored it."""
    try:
        return event_digest(before, *fields, orjson.Fragment(data), *past)
    except TypeError:
        return ""
