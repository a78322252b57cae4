"""Entries on their way to the disk, and how what became of them reaches those who wait."""

import asyncio
import concurrent.futures
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from typing import Protocol

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.ledger.event import ANCHOR_CHAIN, EVENT_BYTES, PAYER, Entry, Event
from feltlab.values import build_unchecked

MAX_NAME_CHARS = 255
LOG = logging.getLogger(__name__)

Then = Callable[[Exception | None], object]  # hears that an entry is on the disk, or why it is not
Written = tuple[int, str, str]  # of an event: its number, its moment and its digest


class PendingEntry:
    """An entry on its way to the disk, and what hears of it then."""

    __slots__ = (
        "context",
        "courier",
        "entry",
        "failure",
        "sealed",
        "size",
        "texts",
        "then",
        "wants_events",
        "written",
    )

    def __init__(self, entry: Entry, then: Then, courier: "Courier", wants_events: bool = True) -> None:
        self.entry, self.then, self.courier, self.wants_events = entry, then, courier, wants_events
        self.context = copy_context()  # of the author, whose payer pays for what follows, too
        self.size = 0  # the bytes of its data, once they are known
        self.written: tuple[Written, ...] = ()  # for each of its events, once it is on the disk
        self.failure: Exception | None = None

    def prepare(self) -> None:
        """Make the texts that are stored. A mistake in the entry is found here, before it is queued."""
        _check_names(self.entry)
        self.texts = [canonical_json(draft.data).decode() for draft in self.entry.drafts]
        self.sealed = {name: secret.decode("ascii") for name, secret in self.entry.sealed.items()}
        self.size = sum(map(len, self.texts)) + sum(map(len, self.sealed.values()))

    @property
    def events(self) -> tuple[Event, ...]:
        """Its events as they are on the disk."""
        return tuple(
            build_unchecked(
                Event,
                chain=draft.chain,
                number=number,
                kind=draft.kind,
                round=draft.round,
                at=at,
                data=draft.data,
                digest=digest,
            )
            for draft, (number, at, digest) in zip(self.entry.drafts, self.written, strict=True)
        )

    def resolve(self) -> None:
        """Charge the payer, and tell what became of the entry."""
        try:
            self.context.run(self._resolve)
        except Exception:  # a mistake in one author's code is no reason to leave the others waiting
            LOG.exception("What follows an entry of the ledger failed.")

    def _resolve(self) -> None:
        payer = PAYER.get()
        try:
            if payer and not self.failure:
                payer.charge(self.size + EVENT_BYTES * len(self.entry.drafts))
        finally:
            self.then(self.failure)


def settle_future(
    future: "asyncio.Future[None] | concurrent.futures.Future[None]", failure: Exception | None
) -> None:
    """End the waiting for a future, unless nobody waits any more."""
    if future.done():
        return
    if failure:
        future.set_exception(failure)
    else:
        future.set_result(None)


def _check_names(entry: Entry) -> None:
    """Names may come from a client: one that a database cannot store must not fail other entries."""
    chains = {draft.chain for draft in entry.drafts}
    names = [*chains, *entry.sealed, *entry.unsealed, *entry.passwords]
    for draft in entry.drafts:
        names.append(draft.kind)
        names += [mention.account for mention in draft.mentions]
    if entry.key:
        names += (entry.key.account, entry.key.name, entry.key.request)
    fit = all(names) and len(max(names, key=len, default="")) <= MAX_NAME_CHARS
    if not (fit and "".join(names).isprintable()):
        raise Refused(f"A name has from 1 to {MAX_NAME_CHARS} printable characters.")
    if ANCHOR_CHAIN in chains:
        raise Refused(f"Only the ledger itself writes the chain {ANCHOR_CHAIN}.")


# -- Couriers ---------------------------------------------------------------------------------------


class Courier(Protocol):
    """Brings what became of entries to those who wait for them."""

    def deliver(self, batch: Sequence[PendingEntry]) -> None: ...


@dataclass(frozen=True, eq=False)
class ThreadCourier:
    """Tells it in the thread that has written, while others wait in threads of their own."""

    def deliver(self, batch: Sequence[PendingEntry]) -> None:
        for pending in batch:
            pending.resolve()


BLOCKING = ThreadCourier()


@dataclass(frozen=True, eq=False)
class LoopCourier:
    """Tells it in the thread of an event loop, with one call into it for all entries."""

    loop: asyncio.AbstractEventLoop

    def deliver(self, batch: Sequence[PendingEntry]) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile
            self.loop.call_soon_threadsafe(BLOCKING.deliver, batch)


def deliver_entries(batch: Sequence[PendingEntry]) -> None:
    """Bring what became of entries to those who wait for them."""
    for courier in {pending.courier for pending in batch}:
        courier.deliver([pending for pending in batch if pending.courier is courier])
