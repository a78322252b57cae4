"""Progressives at live tables: bets, locks, hits, verification, payments, and the ledger's account of it."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_ACTOR
from feltlab.ledger.event_tree import TILE_EVENTS
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.signed_tip import TipSigner
from feltlab.ledger.writing import transaction
from feltlab.pit.approvals import approve_all
from feltlab.pit.approvals.houses import check_progressive
from feltlab.pit.custody.archive import archive_events, open_whole_ledger
from feltlab.pit.jackpots.bets import close_bets
from feltlab.pit.jackpots.decreases import BY_STAFF
from feltlab.pit.jackpots.desk import JackpotDesk
from feltlab.pit.pit import Pit, today
from feltlab.pit.players.steady_clock import SteadyClock
from feltlab.pit.verify import verify
from feltlab.progressives.progressive import Attachment, Level, Meter, Progressive
from feltlab.workers.proposal import check_proposal
from tests.support.bulk_bets import read_account, write_bets
from tests.support.felt import BY_HAND

GAME = GAMES["three-card-poker"]
METER = Meter("main", 100_000, Fraction(3, 10), Fraction(1, 10), cap_cents=200_000)
ALWAYS = Progressive(  # every hand wins: a pair or better takes all, any other hand a tenth
    "always",
    "Always",
    "2026-11-17",
    "test",
    100,
    "three-card",
    (Attachment(GAME.name, ("player",)),),
    (METER,),
    (
        Level("better", ("Pair", "Flush", "Straight", "Three of a Kind", "Straight Flush"), Fraction(1)),
        Level("High Card", ("High Card",), Fraction(1, 10), envy_cents=50),
    ),
    Fraction(6, 10),
)
ANY_HAND = ("High Card", "Pair", "Flush", "Straight", "Three of a Kind", "Straight Flush", "Royal Flush")
NEVER = replace(  # nothing is ever won but by a royal in spades
    ALWAYS,
    name="never",
    levels=(Level("As Ks Qs", ("As Ks Qs",), Fraction(1)),),
)


@asynccontextmanager
async def pit_with(folder: Path, tables: int = 1) -> AsyncIterator[Pit]:
    """A pit with tables at which ann and bob sit."""
    pit = Pit(folder)
    await pit.start()
    await pit.decide(lambda register: approve_all(register, pit.house, [GAME], today()))
    for number in range(1, tables + 1):
        live = await pit.open_table(f"t-{number}", GAME, HOUSE_ACTOR, STANDARD_LIMITS, BY_HAND)
        for seat, player in enumerate((f"ann-{number}", f"bob-{number}")):
            await pit.give(lambda cage, player=player: cage.plan_welcome(player))
            await live.act(lambda table, player=player, seat=seat: table.sit(player, seat, 50_000))
    try:
        yield pit
    finally:
        await pit.stop()


async def lock(pit: Pit, name: str = "t-1", bets: tuple[bool, bool] = (True, True)) -> None:
    live = pit.table(name)
    for seat, on in enumerate(bets):
        player = live.table.place(seat).player
        await live.act(lambda table, player=player, seat=seat: table.wager(player, seat, {"ante": 500}))
        if on:
            await pit.jackpots.bet(live, player, seat, True)
    await live.act(lambda table: table.no_more_bets())


async def finish(pit: Pit, name: str = "t-1") -> None:
    live = pit.table(name)
    round = live.table.round
    while live.table.round == round:
        await live.act(lambda table: table.time_is_up())


async def play(pit: Pit, name: str = "t-1", bets: tuple[bool, bool] = (True, True)) -> None:
    await lock(pit, name, bets)
    await finish(pit, name)


def check_books(pit: Pit) -> None:
    """The account at the cage holds what the link accounts for, and the ledger is sound."""
    for link in pit.jackpots.book.links.values():
        assert 1000 * pit.cage.balance(link.account) == link.held
        link.check_conservation()
    sentences = [problem.sentence for problem in verify(pit.ledger).problems]
    assert [one for one in sentences if "'link-closed' by house" not in one] == []  # staff close links


def test_bets_feed_the_meter_and_the_ledger_accounts_for_every_thousandth(tmp_path: Path) -> None:
    async def run() -> None:
        async with pit_with(tmp_path) as pit:
            await pit.jackpots.open(NEVER, HOUSE_ACTOR, 2)
            await pit.jackpots.join("never", "t-1", HOUSE_ACTOR)
            before = pit.table("t-1").table.chips
            await play(pit)
            await play(pit, bets=(True, False))
            link = pit.jackpots.book.find("never")
            assert (link.bets, link.displayed()) == (3, {"main": 100_000 + 90})  # 30 % of three dollars
            assert link.balances["main"].reserve == 30_000  # 10 % in thousandths of a cent
            assert before  # chips moved with the rounds, and the cage agrees:
            check_books(pit)

    asyncio.run(run())


def test_a_hit_freezes_at_the_lock_until_two_persons_have_verified_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with pit_with(tmp_path, 2) as pit:
            desk = pit.jackpots
            await desk.open(replace(ALWAYS, levels=(replace(ALWAYS.levels[0], hands=(
                "High Card", "Pair", "Flush", "Straight", "Three of a Kind", "Straight Flush")),)),
                HOUSE_ACTOR, 2)  # fmt: skip
            await desk.join("always", "t-1", HOUSE_ACTOR)
            await desk.join("always", "t-2", HOUSE_ACTOR)
            await lock(pit, "t-1", (True, False))
            await lock(pit, "t-2", (True, False))  # its bet came after the lock of the first table
            await finish(pit, "t-1")
            link = desk.book.find("always")
            (claim,) = link.claims
            assert (claim.player, claim.cents) == ("ann-1", 100_030)
            assert link.displayed() == {"main": 100_000 + 30}  # the next one has begun, with the later bet
            await finish(pit, "t-2")
            first, second = desk.book.find("always").claims
            assert second.cents == 100_030  # what the meter shows when it is hit again
            check_books(pit)
            balance = pit.cage.balance("ann-1")
            await desk.verify("always", first.number, "sue")
            with pytest.raises(Refused, match="another person"):
                await desk.verify("always", first.number, "sue")
            assert pit.cage.balance("ann-1") == balance
            await desk.verify("always", first.number, "tom")
            assert pit.cage.balance("ann-1") == balance + 100_030
            with pytest.raises(Refused, match="paid or refused once"):
                await desk.verify("always", first.number, "tom")
            await desk.refuse("always", second.number, "tom", "The cards were exposed.")
            with pytest.raises(Refused, match="another person"):
                await desk.refuse("always", second.number, "tom", "The cards were exposed.")
            await desk.refuse("always", second.number, "sue", "The cards were exposed.")
            assert desk.book.find("always").claims == ()
            sentences = [problem.sentence for problem in verify(pit.ledger).problems]
            assert len(sentences) == 5  # sue and tom are not staff of this house, and nothing else is wrong
            assert all("sue" in one or "tom" in one for one in sentences), sentences

    asyncio.run(run())


def test_a_restart_between_freeze_and_payment_loses_nothing_and_pays_once(tmp_path: Path) -> None:
    async def run() -> None:
        any_hand = ("High Card", *ALWAYS.levels[0].hands)
        async with pit_with(tmp_path) as pit:
            rules = replace(ALWAYS, levels=(Level("any hand", any_hand, Fraction(1)),))
            await pit.jackpots.open(rules, HOUSE_ACTOR, 2)
            await pit.jackpots.join("always", "t-1", HOUSE_ACTOR)
            await play(pit)
            claims = pit.jackpots.book.find("always").claims
            await pit.jackpots.verify("always", claims[0].number, "sue")
        again = Pit(tmp_path)
        await again.start()
        kept = again.jackpots.book.find("always").claims
        assert [claim.cents for claim in kept] == [claim.cents for claim in claims] == [50_030, 50_030]
        assert kept[0].verified_by == ("sue",)
        before = again.cage.balance("ann-1")
        await again.jackpots.verify("always", kept[0].number, "tom")
        await again.stop()
        third = Pit(tmp_path)
        await third.start()
        assert third.cage.balance("ann-1") == before + 50_030
        with pytest.raises(Refused, match="paid or refused once"):
            await third.jackpots.verify("always", kept[0].number, "tom")
        await third.stop()

    asyncio.run(run())


def test_shares_envy_and_a_restart_in_mid_round(tmp_path: Path) -> None:
    async def run() -> None:
        async with pit_with(tmp_path) as pit:
            await pit.jackpots.open(ALWAYS, HOUSE_ACTOR, 0)
            await pit.jackpots.join("always", "t-1", HOUSE_ACTOR)
            for _ in range(6):
                await play(pit)
            await lock(pit)
            held = pit.jackpots.book.find("always").held
            check_books(pit)
        pit = Pit(tmp_path)
        await pit.start()
        assert pit.jackpots.book.find("always").held == held
        await finish(pit)
        check_books(pit)
        link = pit.jackpots.book.find("always")
        assert (link.bets, link.claims) == (14, ())
        await pit.stop()

    asyncio.run(run())


def test_a_void_round_returns_the_bets_and_no_meter_falls(tmp_path: Path) -> None:
    async def run() -> None:
        async with pit_with(tmp_path) as pit:
            await pit.jackpots.open(NEVER, HOUSE_ACTOR, 0)
            await pit.jackpots.join("never", "t-1", HOUSE_ACTOR)
            await lock(pit)
            shown = pit.jackpots.book.find("never").displayed()
            balance = pit.cage.balance("ann-1")
            await pit.table("t-1").act(lambda table: table.void(HOUSE_ACTOR, "A card was exposed."))
            assert pit.cage.balance("ann-1") == balance + 100
            assert pit.jackpots.book.find("never").displayed() == shown
            check_books(pit)

    asyncio.run(run())


def test_a_table_that_changes_its_link_returns_the_bets_that_are_still_open(tmp_path: Path) -> None:
    async def run() -> None:
        async with pit_with(tmp_path) as pit:
            desk, live, first = pit.jackpots, pit.table("t-1"), replace(NEVER, name="first")
            await desk.open(first, HOUSE_ACTOR, 2)
            await desk.open(NEVER, HOUSE_ACTOR, 2)
            await desk.join("first", "t-1", HOUSE_ACTOR)
            await desk.bet(live, "ann-1", 0, True)
            await desk.leave("first", "t-1", HOUSE_ACTOR)
            assert not live.table.place(0).jackpot
            await desk.join("never", "t-1", HOUSE_ACTOR)
            await play(pit, bets=(False, True))
            assert [desk.book.find(name).bets for name in ("first", "never")] == [0, 1]
            await desk.bet(live, "ann-1", 0, True)
            await desk.close("never", HOUSE_ACTOR)
            await play(pit, bets=(False, False))
            assert desk.book.find("never").bets == 1
            check_books(pit)

    asyncio.run(run())


def test_bets_on_two_links_in_one_round_feed_each_its_own(tmp_path: Path) -> None:
    """A bet can be decided while its table leaves the link; its money must not reach another one."""

    async def run() -> None:
        async with pit_with(tmp_path) as pit:
            desk, live = pit.jackpots, pit.table("t-1")
            await desk.open(replace(ALWAYS, name="first"), HOUSE_ACTOR, 2)
            await desk.open(NEVER, HOUSE_ACTOR, 2)
            await desk.join("first", "t-1", HOUSE_ACTOR)
            await desk.bet(live, "ann-1", 0, True)
            await pit.books.change_jackpots(lambda book, _: book.plan_leave("first", "t-1", HOUSE_ACTOR))
            await desk.join("never", "t-1", HOUSE_ACTOR)
            await play(pit, bets=(False, True))
            first, never = (desk.book.find(name) for name in ("first", "never"))
            assert (first.bets, never.bets) == (1, 1)
            assert first.paid or first.claims  # every hand wins there
            check_books(pit)

    asyncio.run(run())


@pytest.mark.parametrize("verifiers", [0, 2])
def test_a_link_that_closes_in_mid_round_still_settles_the_bets_that_it_took(
    tmp_path: Path, verifiers: int
) -> None:
    async def run() -> None:
        async with pit_with(tmp_path) as pit:
            takes_all = replace(ALWAYS, levels=(Level("any", ANY_HAND, Fraction(1)),))
            await pit.jackpots.open(takes_all, HOUSE_ACTOR, verifiers)
            await pit.jackpots.join("always", "t-1", HOUSE_ACTOR)
            await lock(pit, bets=(True, False))
            await pit.jackpots.close("always", HOUSE_ACTOR)
            await finish(pit)
            link = pit.jackpots.book.find("always")
            assert link.closed
            assert link.hits == 1
            assert (link.paid, link.pending_cents) == ((0, 100_030) if verifiers else (100_030_000, 0))
            check_books(pit)

    asyncio.run(run())


def test_refusals_change_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with pit_with(tmp_path, 2) as pit:
            desk, live = pit.jackpots, pit.table("t-1")
            with pytest.raises(Refused, match="feeds no progressive"):
                await desk.bet(live, "ann-1", 0, True)
            await desk.open(NEVER, HOUSE_ACTOR, 2)
            await desk.join("never", "t-1", HOUSE_ACTOR)
            with pytest.raises(Refused, match="open already"):
                await desk.open(NEVER, HOUSE_ACTOR, 2)
            await desk.open(ALWAYS, HOUSE_ACTOR, 2)
            with pytest.raises(Refused, match="one progressive at a time"):
                await desk.join("always", "t-1", HOUSE_ACTOR)
            with pytest.raises(Refused, match="may fall only for"):
                await desk.decrease("never", "main", 100, "a promotion", "sue", "for Friday")
            with pytest.raises(Refused, match="above its cap"):
                await desk.decrease("never", "main", 100, BY_STAFF[1], "sue", "wrong")
            with pytest.raises(Refused, match="no claim 1"):
                await desk.verify("never", 1, "sue")
            await desk.bet(live, "ann-1", 0, True)
            with pytest.raises(Refused, match="one for each seat"):
                await desk.bet(live, "ann-1", 0, True)
            with pytest.raises(Refused, match="not yours"):
                await desk.bet(live, "bob-1", 0, False)
            check_books(pit)

    asyncio.run(run())


def test_a_progressive_counts_as_a_game_on_the_hand(tmp_path: Path) -> None:
    """Three wagers and the progressive are the four that the letter of Triple Shot Rummy allows; not five."""

    async def run() -> None:
        async with pit_with(tmp_path) as pit:
            four = pit.house.venue(pit.today)
            assert four.games_per_hand == 4
            check_progressive(four, GAMES["triple-shot-rummy"])
            with pytest.raises(Refused) as refused:
                check_progressive(four, GAMES["triple-shot-bonus"])
            assert str(refused.value) == (
                "One hand of Triple Shot Bonus takes wagers on 4 games, and a progressive is one more; the"
                " venue allows at most 4 (WAC 230-15-040)."
            )
            desk = JackpotDesk(pit.books, pit.tables, lambda: replace(four, games_per_hand=3))
            with pytest.raises(Refused, match="a progressive is one more"):
                await desk.open(NEVER, HOUSE_ACTOR, 2)
            await pit.jackpots.open(NEVER, HOUSE_ACTOR, 2)
            with pytest.raises(Refused, match="a progressive is one more"):
                await desk.join("never", "t-1", HOUSE_ACTOR)
            assert pit.jackpots.book.find("never").tables == ()
            await pit.jackpots.join("never", "t-1", HOUSE_ACTOR)

    asyncio.run(run())


def test_the_dealers_count_must_match_the_sensors(tmp_path: Path) -> None:
    async def run() -> None:
        async with pit_with(tmp_path) as pit:
            await pit.jackpots.open(NEVER, HOUSE_ACTOR, 2)
            await pit.jackpots.join("never", "t-1", HOUSE_ACTOR)
            live = pit.table("t-1")
            await live.act(lambda table: table.wager("ann-1", 0, {"ante": 500}))
            await pit.jackpots.bet(live, "ann-1", 0, True)
            with pytest.raises(Refused, match="Count the bets"):
                await live.act(lambda table: close_bets(table, HOUSE_ACTOR, None))
            await live.act(lambda table: close_bets(table, HOUSE_ACTOR, 2))
            assert live.table.phase == "betting"
            assert pit.ledger.last_events("t-1", ("jackpot-mismatch",), 1)
            await live.act(lambda table: close_bets(table, HOUSE_ACTOR, 1))
            assert pit.jackpots.book.find("never").bets == 1

    asyncio.run(run())


def test_an_overdue_deposit_and_short_funds_stop_the_bets(tmp_path: Path) -> None:
    async def run() -> None:
        async with pit_with(tmp_path) as pit:
            await pit.jackpots.open(NEVER, HOUSE_ACTOR, 2)
            await pit.jackpots.join("never", "t-1", HOUSE_ACTOR)
            await play(pit)
            link = pit.jackpots.book.find("never")
            later = datetime.now(UTC) + timedelta(days=8)
            assert "overdue" in link.why_stopped(later)
            await pit.jackpots.deposit("never", 80, "sue", "receipt 7")  # two bets, of which 40 % accrue
            assert pit.jackpots.book.find("never").why_stopped(later) == ""
            assert "short of funds" in replace(link, house=-1).why_stopped(datetime.now(UTC))

    asyncio.run(run())


@pytest.mark.parametrize("ending", ["close", "leave"])
def test_a_start_returns_the_bets_of_a_progressive_that_ended_just_before_the_kill(
    tmp_path: Path, ending: str
) -> None:
    """The end is on record, the sensors are still lit: nobody's dollar goes to a link that ended."""

    async def run() -> None:
        async with pit_with(tmp_path) as pit:
            await pit.jackpots.open(NEVER, HOUSE_ACTOR, 2)
            await pit.jackpots.join("never", "t-1", HOUSE_ACTOR)
            live = pit.table("t-1")
            await live.act(lambda table: table.wager("ann-1", 0, {"ante": 500}))
            await pit.jackpots.bet(live, "ann-1", 0, True)
            await pit.books.change_jackpots(
                lambda book, _: (
                    book.plan_close("never", "sue")
                    if ending == "close"
                    else book.plan_leave("never", "t-1", "sue")
                )
            )
        again = Pit(tmp_path)
        await again.start()
        assert not again.table("t-1").table.place(0).jackpot
        await again.table("t-1").act(lambda table: table.no_more_bets())
        await finish(again)
        assert again.jackpots.book.find("never").bets == 0
        await again.stop()

    asyncio.run(run())


def test_clocks_that_jump_change_no_meter_and_lengthen_no_deposit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ledger's clock is set back for years; then the machine's clock jumps ahead, and back again."""

    async def run() -> None:
        wall = [time.time()]
        async with pit_with(tmp_path) as pit:
            pit.books.limits.clock = SteadyClock(lambda: pit.ledger.last_moment, lambda: wall[0])
            await pit.jackpots.open(ALWAYS, HOUSE_ACTOR, 0)
            await pit.jackpots.join("always", "t-1", HOUSE_ACTOR)
            await play(pit)
            monkeypatch.setattr(transaction, "now", lambda: "2020-01-01T00:00:00.000000+00:00")
            wall[0] -= 10 * 365 * 86_400
            await play(pit)
            check_books(pit)
            assert pit.jackpots.book.find("always").bets == 4
            wall[0] = time.time() + 8 * 86_400
            with pytest.raises(Refused, match="weekly deposit of Always is overdue"):
                await pit.jackpots.bet(pit.table("t-1"), "ann-1", 0, True)
            wall[0] = time.time()  # set back, which does not undo the days that were shown
            with pytest.raises(Refused, match="overdue"):
                await pit.jackpots.bet(pit.table("t-1"), "ann-1", 0, True)
            await pit.jackpots.keep_demonstration()
            await play(pit)
            check_books(pit)

    asyncio.run(run())


def test_a_proposal_that_fails_a_check_is_refused_before_it_opens() -> None:
    """Fixed prizes of more than the house's part: $1,000 for a pair in three cards."""
    generous = replace(
        NEVER, name="generous", levels=(*NEVER.levels, Level("Pair", ("Pair",), fixed_cents=100_000))
    )
    with pytest.raises(Refused, match="does not pass its checks"):
        asyncio.run(check_proposal(generous))


@pytest.mark.slow
def test_bets_on_a_ledger_are_conserved_to_the_thousandth_of_a_cent(tmp_path: Path) -> None:
    """Thirds and sevenths of a dollar leave a remainder at every bet. The benchmark writes a million."""
    meter = replace(METER, rate=Fraction(1, 3), reserve_rate=Fraction(1, 7), cap_cents=150_000)
    rules = replace(ALWAYS, meters=(meter,), house_rate=1 - Fraction(1, 3) - Fraction(1, 7))
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        write_bets(ledger, rules, 20_000, Random(20))
        found = read_account(ledger, rules.name)
    link, balance = found.link, found.link.balances["main"]
    parts = balance.displayed + balance.reserve + balance.hidden + balance.overflow + link.house
    assert link.bets == 20_006  # in rounds of seven
    assert found.bet == link.received == 20_006 * 100_000
    assert link.hits > 20
    assert found.paid == link.paid > 0
    assert found.at_cage == parts == found.bet + link.funded - found.paid


def test_an_archive_keeps_the_account_of_a_link(tmp_path: Path) -> None:
    """A hit that is paid before the cut, bets on both sides of it, and a hit after it."""
    every_hand = (*ALWAYS.levels[0].hands, *ALWAYS.levels[1].hands)
    tenth = replace(ALWAYS, levels=(*NEVER.levels, Level("any", every_hand, Fraction(1, 10))))

    async def play_old(folder: Path) -> str:
        async with pit_with(folder, 2) as pit:
            await pit.jackpots.open(NEVER, HOUSE_ACTOR, 2)
            await pit.jackpots.open(tenth, HOUSE_ACTOR, 2)
            await pit.jackpots.join("never", "t-1", HOUSE_ACTOR)
            await pit.jackpots.join("always", "t-2", HOUSE_ACTOR)
            await play(pit, "t-2", (True, False))
            while pit.ledger.last_sequence() < TILE_EVENTS + 200:
                await play(pit, "t-1")
            return pit.ledger.last_moment

    async def play_on(folder: Path) -> None:
        pit = Pit(folder)
        await pit.start()
        await play(pit, "t-1")
        await play(pit, "t-2", (False, True))
        for link in pit.jackpots.book.links.values():
            assert 1000 * pit.cage.balance(link.account) == link.held
            link.check_conservation()
        await pit.stop()

    folder, path = tmp_path / "pit", tmp_path / "old.archive"
    moment = asyncio.run(play_old(folder))
    with Ledger.open(folder / "ledger.sqlite", signer=TipSigner(folder)) as ledger:
        made = archive_events(ledger, folder, moment, path)
    assert made.removed > TILE_EVENTS // 2
    asyncio.run(play_on(folder))
    with Ledger.open(folder / "ledger.sqlite", writer=False) as live:
        assert verify(live).problems == []
        with open_whole_ledger(live, [path]) as (whole, differences):
            report = verify(whole)
            assert (report.problems, differences) == ([], [])
            assert report.replayed == report.settled > 30
