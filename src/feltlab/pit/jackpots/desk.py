"""The desk of the progressives: every act of staff on a link, and the bets of players."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from functools import partial
from typing import Any

from feltlab.errors import Refused
from feltlab.games import find_game
from feltlab.ledger.event import HOUSE_ACTOR, Key
from feltlab.ledger.ledger import LedgerDown
from feltlab.pit.approvals.houses import check_progressive
from feltlab.pit.books import Books
from feltlab.pit.jackpots.bets import has_open_bets, place_bet, return_open_bets, take_bet_back
from feltlab.pit.jackpots.book import JackpotBook, describe_frozen
from feltlab.pit.jackpots.link import Link
from feltlab.pit.jackpots.must_hits import describe_secret
from feltlab.pit.live_table import LiveTable, TableChange
from feltlab.pit.seats import ROUND_PHASES
from feltlab.pit.table import Table
from feltlab.progressives.progressive import Progressive
from feltlab.submission.venues import Venue


class JackpotDesk:
    """Acts on links. Each is on record, with the money that it moves, before it returns."""

    def __init__(
        self, books: Books, tables: Mapping[str, LiveTable], find_venue: Callable[[], Venue]
    ) -> None:
        self._books, self._tables, self._find_venue = books, tables, find_venue

    @property
    def book(self) -> JackpotBook:
        return self._books.jackpots

    # -- Links ----------------------------------------------------------------------------------------

    async def open(self, progressive: Progressive, by: str, verifiers: int) -> Link:
        """Open a link; `verifiers` persons verify a jackpot before it is paid."""
        self.check_new(progressive)
        secrets = self._books.secrets.draw_all(progressive)
        await self._books.change_jackpots(
            lambda book, cage: book.plan_open(cage, progressive, by, verifiers, secrets)
        )
        return self.book.find(progressive.name)

    def check_new(self, progressive: Progressive) -> None:
        """Refuse a progressive that was opened before, or that the venue does not allow on its games."""
        self.book.check_new(progressive)
        for attached in progressive.attached:
            check_progressive(self._find_venue(), find_game(attached.game))

    async def join(self, name: str, table: str, by: str) -> None:
        """Let a table feed a link."""
        game = self._table(table).table.game
        check_progressive(self._find_venue(), game)
        await self._books.change_jackpots(lambda book, _: book.plan_join(name, table, game, by))
        self._tables[table].notify_watchers()

    async def leave(self, name: str, table: str, by: str) -> None:
        """End that a table feeds a link, between its rounds."""
        if self._table(table).table.phase in ROUND_PHASES:
            raise Refused(f"{table} plays a round; it leaves the progressive between rounds.")
        await self._books.change_jackpots(lambda book, _: book.plan_leave(name, table, by))
        await self.return_ended_bets()
        self._tables[table].notify_watchers()

    async def close(self, name: str, by: str) -> None:
        """Close a link; rounds whose bets are locked still win what its meters showed."""
        await self._books.change_jackpots(lambda book, _: book.plan_close(name, by))
        await self.return_ended_bets()

    async def return_ended_bets(self, *tables: LiveTable) -> None:
        """Turn off sensors whose link the table no longer feeds: at these tables, or at all that run here."""
        for live in tables or tuple(self._tables.values()):
            fed = self.book.link_of(live.table.name) if live.is_ours else None
            lit = {place.jackpot for place in live.table.places if place} if live.is_ours else set()
            for name in lit - {"", fed.name if fed else ""}:
                if has_open_bets(live.table, name):
                    with suppress(Refused, LedgerDown):  # "no more bets" came first: the bet is locked
                        await live.act(partial(return_open_bets, link=name))

    async def fund(self, name: str, cents: int, by: str, note: str = "") -> None:
        """The house pays in."""
        await self._books.change_jackpots(lambda book, cage: book.plan_fund(cage, name, cents, by, note))

    async def deposit(self, name: str, cents: int, by: str, reference: str) -> None:
        """Record a deposit of accrued money."""
        await self._books.change_jackpots(lambda book, _: book.plan_deposit(name, cents, by, reference))

    async def decrease(self, name: str, meter: str, cents: int, reason: str, by: str, note: str) -> None:
        """Lower a meter for one of the five reasons of the law."""
        await self._books.change_jackpots(
            lambda book, _: book.plan_decrease(name, meter, cents, reason, by, note)
        )

    # -- Claims ---------------------------------------------------------------------------------------

    async def verify(self, name: str, claim: int, by: str) -> None:
        """Verify a claim as one person; the last person who has to pays it."""
        await self._books.change_jackpots(lambda book, cage: book.plan_verify(cage, name, claim, by))

    async def refuse(self, name: str, claim: int, by: str, why: str) -> None:
        """Refuse a claim as one person; the last person who has to sends its amount back to the meter."""
        await self._books.change_jackpots(lambda book, _: book.plan_refuse(name, claim, by, why))

    # -- Players --------------------------------------------------------------------------------------

    async def bet(self, live: LiveTable, player: str, seat: int, on: bool, key: Key | None = None) -> Table:
        """Put the bet of a seat on the progressive of its table, or take it back."""
        return await act_on_links(live, build_bet(self._books, player, seat, on), key)

    def _table(self, name: str) -> LiveTable:
        if name not in self._tables:
            raise Refused(f"{name!r} is not a table of this pit.")
        return self._tables[name]

    # -- The demonstration ----------------------------------------------------------------------------

    async def demonstrate(self, progressives: Iterable[Progressive]) -> None:
        """Open these progressives with play money at the tables of their games."""
        for progressive in progressives:
            with self._unless_faster():
                if progressive.name not in self.book.links:
                    await self.open(progressive, HOUSE_ACTOR, verifiers=0)
            for attached in progressive.attached:
                table = f"{find_game(attached.game).name}-1"
                with self._unless_faster():
                    if table in self._tables and self.book.link_of(table) is None:
                        await self.join(progressive.name, table, HOUSE_ACTOR)
        await self.keep_demonstration()

    def _unless_faster(self) -> AbstractContextManager[None]:
        """Beside other servers, let one of them be faster."""
        return suppress(*((Refused, LedgerDown) if self._books.is_shared else ()))

    async def admit_private(self, live: LiveTable) -> None:
        """Let a private table feed the progressive of its game in a demonstration, if there is one."""
        table = live.table
        for link in self.book.links.values() if self.book.link_of(table.name) is None else ():
            if not (link.verifiers or link.closed) and table.game.name in link.games:
                with suppress(Refused, LedgerDown):  # the table is open; it can do without
                    await self.join(link.name, table.name, HOUSE_ACTOR)
                break

    async def keep_demonstration(self) -> None:
        """Pay in and deposit play money where no person verifies anything."""
        for name, link in self.book.links.items():
            if not link.verifiers and not link.closed and link.why_stopped(self._books.moment):
                await self._keep(name)

    async def _keep(self, name: str) -> None:
        moment = self._books.moment
        await self._books.change_jackpots(lambda book, cage: book.plan_upkeep(cage, name, moment))


async def act_on_links(live: LiveTable, change: TableChange, key: Key | None = None) -> Table:
    """Act on a table and its progressive; a refusal counts only if it rests on what all servers wrote."""
    try:
        return await live.act(change, key)
    except Refused:
        if not live.books.is_shared:
            raise
    await live.books.catch_up()
    return await live.act(change, key)


def build_bet(books: Books, player: str, seat: int, on: bool) -> TableChange:
    """The change of a table by which a seat puts its bet on the progressive, or takes it back."""

    def change(table: Table) -> Table:
        if not on:
            return take_bet_back(table, player, seat)
        link = books.jackpots.check_bet(table.name, books.moment)
        for committed in link.commitments.values():
            books.secrets.find(link.name, committed.digest)
        return place_bet(table, player, seat, link)

    return change


def describe_link(link: Link, moment: datetime) -> dict[str, Any]:
    """The public view of a link: the rules in short, the meters in cents, and what waits."""
    rules, shown = link.progressive, link.displayed()
    return {
        "name": link.name,
        "title": rules.title,
        "status": rules.status,
        "bet_cents": rules.bet_cents,
        "meters": [
            {
                "name": meter.name,
                "cents": shown[meter.name],
                "must_hit": describe_secret(meter) if meter.must_hit else "",
            }
            for meter in rules.meters
        ],
        "stopped": link.why_stopped(moment),
        "pending": describe_frozen(link),
    }
