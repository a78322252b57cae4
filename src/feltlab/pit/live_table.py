"""A table at work: one action at a time, each on record before anyone hears of it.

An action is a function from a table to the table after it, called under the table's lock. The table in
memory is trusted only as long as every write succeeds. After a failed write it is read back from the
ledger before it goes on, because the write may have happened though its answer was lost.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from feltlab.errors import Refused
from feltlab.ledger.event import Entry, Key, LastSeen
from feltlab.ledger.ledger import LedgerDown, Overtaken
from feltlab.ledger.sharing.leases import Elsewhere
from feltlab.ledger.writing.pending import settle_future
from feltlab.pit.books import Books
from feltlab.pit.expectation import Expectation
from feltlab.pit.jackpots.side import find_side
from feltlab.pit.players.limit_recheck import close_within_limits
from feltlab.pit.players.presence import EVERYBODY, PHRASES, Presence, Watcher
from feltlab.pit.recovery import recover_table
from feltlab.pit.seats import Phase, Wagers
from feltlab.pit.table import Table
from feltlab.values import replace_unchecked

TableChange = Callable[[Table], Table]
RETRY_SECONDS = 1.0  # until a timer that could not act tries again
MAX_DECISIONS = 20  # of one action, while others keep writing first
SEAT_MOVES = frozenset(("seated", "left"))  # kinds of events after which other players are at the table
NO_ENTRY = Entry(())
GRACE_SECONDS = 30.0  # a player whose connection is lost has at least this long to choose


class LiveTable:
    def __init__(self, books: Books, table: Table) -> None:
        self.books, self.table = books, table
        self.is_ours = True  # this server runs it; otherwise another one does, or nobody
        self.watchers: set[Watcher] = set()
        self.presence = Presence()
        self.company = EVERYBODY  # who is away, and what was just said
        self.invited: set[str] = set()  # accounts that have shown the code of its invitation
        self.taken_back: dict[str, str] = {}  # why the last wager of an account was, as the betting closed
        self.expectation: Expectation | None = None  # of the house's win, once it is proved
        self.why_unexpected = "It is not proved yet."  # the reason while there is no expectation
        self.version = 0  # counts changes since the server started
        self.ends: float | None = None  # when the phase ends, by the monotonic clock
        self._lock = asyncio.Lock()
        self._in_sync = True  # false after a write that may have failed
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = False
        self._moment: tuple[object, ...] = ()  # round, phase and choices that the timer is for
        self._tasks: set[asyncio.Task[Table]] = set()  # held, so that none is garbage collected
        self._graced: tuple[object, ...] = ()  # the moment whose clock was lengthened for a lost connection
        self._looks_again: asyncio.TimerHandle | None = None  # at the company

    # -- Actions -------------------------------------------------------------------------------------

    async def act(self, change: TableChange, key: Key | None = None, is_repeatable: bool = True) -> Table:
        """The table after an action that is on record. A caller that stops waiting does not stop it.

        An action whose chain or cage has moved on is decided again, unless it rests on more than the table.
        """
        if self._in_sync and not (self._tasks or self._lock.locked()):
            try:
                return await self._act_once(change, key, is_repeatable)
            except Overtaken:
                if not is_repeatable:
                    raise
        return await asyncio.shield(self._start_task(self._act(change, key, is_repeatable)))

    async def act_within_limits(
        self, account: str, seat: int, wagers: Wagers | None, change: TableChange, key: Key | None = None
    ) -> Table:
        """Act on a player's wagers, within the limits that the player set; None is for those on the felt.

        No other wager of the player comes between the check and the act, at any table.
        """
        is_free = self.books.is_free(account) and not self.books.is_shared
        if is_free and not self.books.limits.has_limits(account):
            self.taken_back.pop(account, None)
            return await self.act(change, key)
        work = self._act_within_limits(account, seat, wagers, change, key)
        return await asyncio.shield(self._start_task(work))

    async def _act_within_limits(
        self, account: str, seat: int, wagers: Wagers | None, change: TableChange, key: Key | None
    ) -> Table:
        async with self.books.player_lock(account):
            table, is_on_felt = self.table, wagers is None
            self.taken_back.pop(account, None)
            wagers = self._find_wagers(account, seat) if wagers is None else wagers
            terms = (account, table.name, seat, table.game, wagers, is_on_felt)
            if wagers and self.books.is_shared:
                change = self.books.check_when_decided(change, *terms)
            if not wagers or not self.books.limits.has_limits(account):
                return await self._act(change, key)
            cents = self.books.check_wager(*terms)
            after = await self._act(change, key, checked=account)
            await self.books.note_wager(account, cents)
            return after

    def _find_wagers(self, account: str, seat: int) -> Wagers:
        """The wagers that a player has on the felt at a seat."""
        places = self.table.places
        place = places[seat] if 0 <= seat < len(places) else None
        return place.wagers if place and place.player == account else {}

    def _start_task(self, work: Coroutine[Any, Any, Table]) -> asyncio.Task[Table]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _act(
        self, change: TableChange, key: Key | None, is_repeatable: bool = True, checked: str = ""
    ) -> Table:
        """Act, and decide again where others have written first; see `_act_once`."""
        for _ in range(MAX_DECISIONS - 1 if is_repeatable else 0):
            with suppress(Overtaken):
                return await self._act_once(change, key, is_repeatable, checked)
        return await self._act_once(change, key, is_repeatable, checked)

    async def _act_once(
        self, change: TableChange, key: Key | None, is_repeatable: bool, checked: str = ""
    ) -> Table:
        """Act under the lock, which the writing holds until its end, whether or not somebody waits for it.

        The limits of the account `checked` were looked at just now.
        """
        await self._lock.acquire()
        try:
            if not self.is_ours:
                raise Elsewhere(self.table.name)
            if not self._in_sync:
                await self._reload()
                if not is_repeatable:
                    raise Overtaken(self.table.name)
            written = self._decide(change, key, checked)
        except BaseException:
            self._lock.release()
            raise
        if written is None:
            self._lock.release()
        else:
            await written
        return self.table

    def _decide(self, change: TableChange, key: Key | None, checked: str) -> "asyncio.Future[None] | None":
        """Begin to write what an action changes; None if that is nothing."""
        after, taken_back = close_within_limits(self.books, self.table, change, checked)
        after = self._with_alarm(after)
        return self._write(after, taken_back, key) if after.unwritten else None

    def _with_alarm(self, table: Table) -> Table:
        """The table with an alarm, if its win has left the expected band."""
        known = self.expectation
        if known is None or known.digest != table.digest or table.meters.rounds == self.table.meters.rounds:
            return table
        return table.with_alarm(known.describe_alarm(table.meters))

    def _write(self, table: Table, taken_back: dict[str, str], key: Key | None) -> "asyncio.Future[None]":
        own = [draft.chain for draft in table.unwritten].count(table.name)  # not a second person's answer
        seen = (LastSeen(table.name, table.number - own), *self.books.list_seen(table))
        sealed = {shuffle.name: self.books.vault.seal(shuffle.to_bytes()) for shuffle in table.sealed}
        changes = {"drafts": table.unwritten, "sealed": sealed, "unsealed": table.unsealed}
        entry = replace_unchecked(NO_ENTRY, **changes, key=key, seen=seen)
        published = asyncio.get_running_loop().create_future()
        then = partial(self._end_write, table, taken_back, published)
        try:
            self.books.write(entry, then, find_side(self.books.jackpots, table, self.books.secrets))
        except LedgerDown as error:
            self._doubt(error)
            raise
        return published

    def _end_write(
        self,
        table: Table,
        taken_back: dict[str, str],
        published: "asyncio.Future[None]",
        failure: Exception | None,
    ) -> None:
        """Go on with a table that is on record, and release the lock."""
        try:
            if failure:
                self._doubt(failure)
            else:
                self.taken_back |= taken_back
                has_moves = not SEAT_MOVES.isdisjoint([draft.kind for draft in table.unwritten])
                self._publish(table.without_drafts(), has_moves)
        finally:
            self._lock.release()
            settle_future(published, failure)

    def _doubt(self, failure: Exception) -> None:
        """Read the table back before it is used again, if more may be on record than is known here."""
        is_of_others = isinstance(failure, Overtaken) and failure.chain != self.table.name
        if isinstance(failure, LedgerDown) and not is_of_others:
            self._in_sync = False

    def _publish(self, table: Table, has_moves: bool = True) -> None:
        """Go on with a table. The company is the same while nobody takes a seat or leaves one."""
        self.table = table
        self.version += 1
        self._set_timer()
        if has_moves or self.company is not EVERYBODY:
            self._look_at_company()
        self.notify_watchers()

    def notify_watchers(self) -> None:
        """Have everybody who watches look at the table again."""
        for watcher in self.watchers:
            watcher.notify()

    def distrust(self) -> None:
        """Read the table back from the ledger before it is used again: another server may have run it."""
        self._in_sync = False
        self._cancel_timer()
        self.notify_watchers()

    async def hand_over(self, release: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Stop to run the table, once the action under way is done: another server goes on with it."""
        async with self._lock:
            self.is_ours = False
            self.stop()
            await release()
        self.notify_watchers()

    async def replace(self, table: Table) -> None:
        """Go on with the table as it was read back, unless the one in memory is trusted."""
        async with self._lock:
            if not self._in_sync:
                self._in_sync = True
                self._publish(table)

    async def _reload(self) -> None:
        """Read the table back from the ledger, which may hold more than the table in memory."""
        table = await asyncio.to_thread(recover_table, self.books.ledger, self.books.vault, self.table.name)
        self._in_sync = True
        self._publish(table)

    # -- Company -------------------------------------------------------------------------------------

    def add_watcher(self, watcher: Watcher) -> None:
        self.watchers.add(watcher)
        self.presence.connect(watcher.account)
        self._look_at_company()

    def remove_watcher(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)
        self.presence.disconnect(watcher.account)
        self._lengthen_clock()
        self._look_at_company()

    def note_request(self, account: str) -> None:
        """Note that a player asked for the table."""
        self.presence.note_request(account)
        self._look_at_company()

    def note_action(self, account: str) -> None:
        """Note that a player acted here."""
        self.presence.note_action(account)
        if not self.presence.is_connected(account):  # or the player was there before, too
            self._look_at_company()

    def say(self, account: str, phrase: str) -> None:
        """Show a polite phrase at a player's seat for some seconds."""
        if phrase not in PHRASES:
            raise Refused(f"{phrase!r} is not one of the phrases of this house.")
        if not any(place and place.player == account for place in self.table.places):
            raise Refused("Only players at the table say something.")
        self.presence.say(account, phrase)
        self._look_at_company()

    def _look_at_company(self) -> None:
        """See who is there; publish a change, and look again when the next one is due."""
        company = self.presence.describe(self.table.places)
        if company is not self.company and company != self.company:
            self.company = company
            self.notify_watchers()
        self._deal_without_absent()
        self._look_again_in(self.presence.seconds_to_change(self.table.places))

    def _look_again_in(self, due: float | None) -> None:
        """Look at the company when it may change; a look that comes before, and looks again, stays."""
        if due is None or self._stopped:
            return
        loop = asyncio.get_running_loop()
        at, planned = loop.time() + due + 0.01, self._looks_again
        if planned:
            if loop.time() < planned.when() <= at:
                return
            planned.cancel()
        self._looks_again = loop.call_at(at, self._look_at_company)

    def _deal_without_absent(self) -> None:
        """Close the betting if only absent players without a wager are not ready."""
        absent = self.company.absent

        def deal(table: Table) -> Table:
            is_due = table.phase == Phase.BETTING and table.is_ready_without(absent)
            return table.no_more_bets() if is_due and not table.machines.why_waiting else table

        if absent and self.table.phase == Phase.BETTING and self.table.is_ready_without(absent):
            self._start_task(self._try(deal))

    async def _try(self, change: TableChange) -> Table:
        with suppress(Refused, LedgerDown):  # the clock ends the betting anyway
            return await self._act(change, None)
        return self.table

    def _lengthen_clock(self) -> None:
        """Give the player in turn, whose connection is lost, the time of grace; once for each choice."""
        table = self.table
        if table.phase != Phase.CHOOSING or table.turn is None or table.hold or self.ends is None:
            return
        away = self.presence.seconds_away(table.place(table.turn).player)
        ends = time.monotonic() + GRACE_SECONDS
        if away and self._graced != self._moment and self.ends < ends:
            moment = self._graced = self._moment
            self._cancel_timer()
            self._moment = moment
            self._call_in(GRACE_SECONDS)
            self.notify_watchers()

    # -- The clock -----------------------------------------------------------------------------------

    @property
    def seconds(self) -> float | None:
        """Seconds until the phase ends; None where no clock runs."""
        return None if self.ends is None else max(0.0, round(self.ends - time.monotonic(), 1))

    def start(self) -> None:
        self._set_timer()

    def stop(self) -> None:
        """Stop the clock; actions that have begun are finished."""
        self._stopped = True
        self._cancel_timer()
        if self._looks_again:
            self._looks_again.cancel()

    def _cancel_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        self.ends, self._timer, self._moment = None, None, ()

    def _set_timer(self) -> None:
        """Start the timer of a new phase; actions within a phase do not make it longer."""
        table, seconds = self.table, self.table.phase_seconds
        if seconds is not None and not self._is_timed(table):
            seconds = None
        moment = () if seconds is None else self._describe_moment(table, seconds)
        if moment == self._moment:
            return
        self._cancel_timer()
        self._moment = moment
        if seconds is not None:
            self._call_in(seconds)

    @staticmethod
    def _describe_moment(table: Table, seconds: float) -> tuple[object, ...]:
        chosen = sum([len(place.chosen) for place in table.places if place])
        return (table.round, table.phase, chosen, table.stages, seconds, table.hold)

    @staticmethod
    def _is_timed(table: Table) -> bool:
        """Whether a clock may run: not before a wager is placed, and not for a player alone at a table."""
        if table.hold:
            return True
        if table.is_solo and table.phase in (Phase.BETTING, Phase.CHOOSING):
            return False
        return table.phase != Phase.BETTING or bool(table.bettors)

    def _call_in(self, seconds: float) -> None:
        if self._stopped:
            return
        self.ends = time.monotonic() + seconds
        self._timer = asyncio.get_running_loop().call_later(seconds, self._time_is_up, self._moment)

    def _time_is_up(self, moment: tuple[object, ...]) -> None:
        self._start_task(self._end_phase(moment))

    async def _end_phase(self, moment: tuple[object, ...]) -> Table:
        def change(table: Table) -> Table:
            return table.time_is_up() if self._moment == moment else table

        try:
            return await self._act(change, None)
        except (Refused, LedgerDown):  # the ledger is down: nothing happened, and time goes on
            if self._moment == moment:
                self._call_in(RETRY_SECONDS)
            return self.table
