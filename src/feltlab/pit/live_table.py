"""A table at work: one act at a time, each on record before anyone hears of it.

What is in memory is believed only as long as every write succeeds. After one that failed, the table is
folded anew from the ledger before it goes on: the write may have happened though its answer was lost.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from feltlab.core.cards import cards
from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_ACTOR, Entry, Event, Key
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.vault import Vault
from feltlab.pit.expectation import Expectation
from feltlab.pit.table import Phase, Table
from feltlab.shuffling.machine import Shuffle

if TYPE_CHECKING:
    from feltlab.pit.pit import Pit

Change = Callable[[Table], Table]
MOVES = ("seated", "bought", "left")  # acts that move money between the cage and a table
RETRY = 1.0  # seconds until a timer that could not act tries again


class Watcher:
    """Somebody who wants to see a table; told that it changed, not how."""

    def __init__(self, account: str) -> None:
        self.account = account
        self._changed = asyncio.Event()

    def tell(self) -> None:
        self._changed.set()

    async def changed(self) -> None:
        await self._changed.wait()
        self._changed.clear()


class LiveTable:
    def __init__(self, pit: "Pit", table: Table) -> None:
        self.pit, self.table = pit, table
        self.watchers: set[Watcher] = set()
        self.expectation: Expectation | None = None  # of the house, once it is proved
        self.unexpected = "It is not proved yet."  # why there is none
        self.version = 0  # counts what happened since the start of the server
        self.ends: float | None = None  # when the phase ends, by the monotonic clock
        self._turn = asyncio.Lock()
        self._believed = True
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = False
        self._moment: tuple[object, ...] = ()  # what the timer waits for
        self._acts: set[asyncio.Task[Table]] = set()  # held, or they could be collected in mid-act
        self._seen: dict[int, float] = {}  # when each seat last acted

    # -- Acts ----------------------------------------------------------------------------------------

    async def act(self, change: Change, key: Key | None = None) -> Table:
        """The table after an act that is on record. Who stops waiting for it does not stop it."""
        return await asyncio.shield(self._begun(self._act(change, key)))

    def _begun(self, act: Coroutine[Any, Any, Table]) -> asyncio.Task[Table]:
        task = asyncio.create_task(act)
        self._acts.add(task)
        task.add_done_callback(self._acts.discard)
        return task

    async def _act(self, change: Change, key: Key | None) -> Table:
        async with self._turn:
            if not self._believed:
                await self._recover()
            after = self._watched(change(self.table))
            if after.unwritten:
                await self._write(after, key)
                self._went_on(after.written())
        return self.table

    def _watched(self, table: Table) -> Table:
        """With an alarm, if the result has left what the theory expects."""
        known = self.expectation
        if known is None or known.digest != table.digest or table.meters.rounds == self.table.meters.rounds:
            return table
        return table.alarmed(known.describe_alarm(table.meters))

    async def _write(self, table: Table, key: Key | None) -> None:
        sealed = {shuffle.name: self.pit.vault.seal(shuffle.to_bytes()) for shuffle in table.sealed}
        entry = Entry(table.unwritten, sealed, table.unsealed, key)
        try:
            if any(draft.kind in MOVES for draft in table.unwritten):
                await self.pit.write_with_cage(entry)
            else:
                await self.pit.ledger.append(entry)
        except LedgerDown:
            self._believed = False
            raise

    def _went_on(self, table: Table) -> None:
        self.table = table
        self.version += 1
        self._set_timer()
        for watcher in self.watchers:
            watcher.tell()

    async def _recover(self) -> None:
        """Go on from what is on record, which may be more than this table knew of."""
        table = await asyncio.to_thread(recovered, self.pit.ledger, self.pit.vault, self.table.name)
        self._believed = True
        self._went_on(table)

    def touch(self, seat: int) -> None:
        """Somebody acts for this seat."""
        self._seen[seat] = time.monotonic()

    def idle(self, seconds: float) -> list[int]:
        """The occupied seats for which nobody acted so long, between rounds."""
        now, places = time.monotonic(), self.table.places
        for seat, place in enumerate(places):
            if place is None:
                self._seen.pop(seat, None)
            else:
                self._seen.setdefault(seat, now)
        return [seat for seat, seen in self._seen.items() if now - seen > seconds]

    # -- The clock -----------------------------------------------------------------------------------

    @property
    def seconds(self) -> float | None:
        """Until the phase ends; None where no clock runs."""
        return None if self.ends is None else max(0.0, round(self.ends - time.monotonic(), 1))

    def start(self) -> None:
        self._set_timer()

    def stop(self) -> None:
        """No clock runs any more; acts that are on their way arrive."""
        self._stopped = True
        self._cancel_timer()

    def _cancel_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        self.ends, self._timer = None, None

    def _set_timer(self) -> None:
        """A timer for the phase; acts that leave the phase as it is do not make it longer."""
        table = self.table
        chosen = sum(len(place.chosen) for place in table.places if place)
        moment = (table.round, table.phase, chosen) if self._is_timed(table) else ()
        if moment == self._moment:
            return
        self._cancel_timer()
        self._moment = moment
        seconds = table.timers.of(table.phase)
        if moment and seconds is not None:
            self._call_in(seconds)

    @staticmethod
    def _is_timed(table: Table) -> bool:
        return table.phase != Phase.BETTING or bool(table.bettors)

    def _call_in(self, seconds: float) -> None:
        if self._stopped:
            return
        self.ends = time.monotonic() + seconds
        self._timer = asyncio.get_running_loop().call_later(seconds, self._time_is_up, self._moment)

    def _time_is_up(self, moment: tuple[object, ...]) -> None:
        self._begun(self._passed(moment))

    async def _passed(self, moment: tuple[object, ...]) -> Table:
        def change(table: Table) -> Table:
            return table.time_is_up() if self._moment == moment else table

        try:
            return await self._act(change, None)
        except (Refused, LedgerDown):  # the ledger is down: nothing happened, and time goes on
            if self._moment == moment:
                self._call_in(RETRY)
            return self.table


# -- After a crash ----------------------------------------------------------------------------------


def recovered(ledger: Ledger, vault: Vault | None, name: str) -> Table:
    """The table as its events leave it, in the same round with the same cards to come.

    Without a vault the cards are lost, and the money is not.
    """
    (opened,) = ledger.last(name, ("opened",), 1)
    events = ledger.since(name, "standing")
    table = replace(Table.of(opened), shuffle=_shuffle(ledger, vault, events))
    for event in events:
        table = table.after(event)
    return table


def _shuffle(ledger: Ledger, vault: Vault | None, events: Sequence[Event]) -> Shuffle | None:
    """The cards in play: sealed in the vault, or on record once they are revealed."""
    named = [event.data["shuffle"] for event in events if event.kind in ("standing", "shuffled")]
    for event in reversed(events):
        if event.kind == "order" and event.data["shuffle"] == named[-1]:
            return revealed(event)
    sealed = ledger.sealed(named[-1]) if named and vault else None
    return Shuffle.from_bytes(vault.unseal(sealed)) if vault and sealed else None


def revealed(event: Event) -> Shuffle:
    """A shuffle from the event that revealed it."""
    data = event.data
    return Shuffle(data["shuffle"], cards(data["order"]), data["salt"], data["deck"], data["shuffler"])


def after_upgrade(table: Table) -> Table:
    """Closed, with all wagers given back, if its rules are no longer those under which it was opened."""
    if table.phase == Phase.CLOSED or table.digest == table.game.digest:
        return table
    return table.stop(HOUSE_ACTOR, "The rules have changed since the table was opened.")
