"""Must-hit-by meters at live tables: a committed secret amount, the bet that reaches it, the reveal."""

import asyncio
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_ACTOR, JACKPOT_CHAIN, Entry
from feltlab.ledger.event_tree import TILE_EVENTS
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.signed_tip import TipSigner
from feltlab.ledger.vault import KEY_FILE
from feltlab.pit.cage import Cage
from feltlab.pit.custody.archive import archive_events, open_whole_ledger
from feltlab.pit.jackpots.book import JackpotBook
from feltlab.pit.jackpots.must_hits import find_winning_bet
from feltlab.pit.jackpots.triggers import Trigger, Triggers, vault_name
from feltlab.pit.pit import Pit
from feltlab.pit.verify import verify
from feltlab.progressives.progressive import Meter, MustHit
from tests.pit.test_jackpots import NEVER, check_books, finish, lock, pit_with, play

MYSTERY = Meter("mystery", 1_000, Fraction(1, 5), Fraction(1, 10), must_hit=MustHit(1_000, 1_060))
RULES = replace(
    NEVER, name="mystery-link", meters=(*NEVER.meters, MYSTERY), house_rate=Fraction(3, 10)
)  # 20 cents of each dollar: won by the first, the second or the third bet


class Fixed(Triggers):
    """Secret amounts that a test chooses, in thousandths of a cent."""

    def __init__(self, *amounts: int) -> None:
        self._known, self._amounts = {}, list(amounts)

    def draw(self, meter: Meter) -> str:
        made = Trigger(self._amounts.pop(0), "00")
        self._known[made.digest] = made
        return made.digest


def open_book(secrets: Triggers, verifiers: int = 2) -> JackpotBook:
    book, drawn = JackpotBook(), secrets.draw_all(RULES)
    return book.after_drafts(book.plan_open(Cage(), RULES, HOUSE_ACTOR, verifiers, drawn))


def test_the_bet_that_carries_the_meter_to_the_amount_wins_what_it_shows_then() -> None:
    """Five bets of 20 cents on $10.00: the second of them reaches the amount $10.40."""
    secrets = Fixed(1_040_000, 1_050_000)
    book = open_book(secrets)
    bettors = {seat: f"p{seat}" for seat in (4, 1, 0, 2, 5)}  # in dealing order
    drafts = book.plan_feed(Cage(), book.find(RULES.name), "t-1", 7, bettors, secrets)
    (draft,) = drafts  # frozen, so that nothing is paid yet
    (hit,) = draft.data["hits"]
    assert (draft.kind, hit["seat"], hit["player"], hit["cents"]) == ("must-hit", 2, "p1", 1_040)
    link = book.after_drafts(drafts).find(RULES.name)
    (claim,) = link.claims
    assert (claim.cents, claim.level, claim.seat) == (1_040, "must hit by $10.60", 1)
    assert link.displayed()["mystery"] == 1_000 + 3 * 20  # the next seed, and the three bets after the win
    assert link.commitments["mystery"].digest == hit["commitment"] != Trigger(1_040_000, "00").digest


def test_a_meter_never_pays_more_than_its_upper_bound() -> None:
    """From $10.19999 the third bet shows $10.79999: the rest of it stays for the next jackpot."""
    secrets = Fixed(1_060_000, 1_050_000)
    link = open_book(secrets).find(RULES.name)
    odd = replace(link.balances["mystery"], displayed=1_019_999)
    link = replace(link, balances={**link.balances, "mystery": odd})
    (draft,) = JackpotBook().plan_feed(Cage(), link, "t-1", 1, dict.fromkeys(range(4), "a"), secrets)
    assert [(hit["seat"], hit["cents"]) for hit in draft.data["hits"]] == [(3, 1_060)]
    assert draft.data["displayed"]["mystery"] == 1_000_000 + 1_099_999 - 1_060_000
    assert find_winning_bet(link, MYSTERY, 1_059_999, 4) == 1
    assert find_winning_bet(link, MYSTERY, 1_100_000, 4) is None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"amount": 1_030_000}, "another secret amount"),
        ({"salt": "11"}, "another secret amount"),
        ({"cents": 1_041}, "another amount"),
        ({"seat": 1}, "Another bet"),
        ({"seat": 7}, "made no bet"),
        ({"claim": 0}, "another amount"),
    ],
)
def test_a_hit_that_is_not_the_committed_one_is_refused(change: dict[str, object], sentence: str) -> None:
    secrets = Fixed(1_040_000, 1_050_000)
    book = open_book(secrets)
    (draft,) = book.plan_feed(Cage(), book.find(RULES.name), "t-1", 1, {0: "a", 1: "b"}, secrets)
    forged = replace(draft, data={**draft.data, "hits": [{**draft.data["hits"][0], **change}]})
    with pytest.raises(Refused, match=sentence):
        book.after_drafts([forged])


def test_a_meter_that_was_due_earlier_is_not_won_later() -> None:
    """A house that keeps a hit back is found when the amount is revealed."""
    secrets = Fixed(1_010_000, 1_050_000)
    link = open_book(secrets).find(RULES.name)
    past = replace(link.balances["mystery"], displayed=1_015_000)
    late = JackpotBook({link.name: replace(link, bets=5, balances={**link.balances, "mystery": past},
                                           funded=link.funded + 15_000)})  # fmt: skip
    drafts = late.plan_feed(Cage(), late.find(RULES.name), "t-1", 2, {0: "a"}, secrets)
    with pytest.raises(Refused, match="was due at"):
        late.after_drafts(drafts)


def test_at_the_tables_the_amount_is_sealed_revealed_paid_and_verified(tmp_path: Path) -> None:
    async def run() -> None:
        async with pit_with(tmp_path) as pit:
            await pit.jackpots.open(RULES, HOUSE_ACTOR, 0)
            await pit.jackpots.join(RULES.name, "t-1", HOUSE_ACTOR)
            first = pit.jackpots.book.find(RULES.name).commitments["mystery"].digest
            assert pit.ledger.load_sealed(vault_name(RULES.name, first))
            for _ in range(2):  # four bets at most; the third at the latest wins
                await play(pit)
            (event, *_) = pit.ledger.events(JACKPOT_CHAIN, kinds=("must-hit",))
            (hit,) = event.data["hits"]
            assert Trigger(hit["amount"], hit["salt"]).digest == first
            assert pit.ledger.load_sealed(vault_name(RULES.name, first)) is None
            assert hit["cents"] in (1_020, 1_040, 1_060)
            link = pit.jackpots.book.find(RULES.name)
            assert link.paid >= 1000 * hit["cents"]
            check_books(pit)
            assert verify(pit.ledger, key=tmp_path / KEY_FILE).problems == []
        again = Pit(tmp_path)  # the next amount is read from the vault
        await again.start()
        await lock(again)
        await finish(again)
        check_books(again)
        await again.stop()

    asyncio.run(run())


def test_a_missing_or_exchanged_amount_stops_the_bets_and_is_found(tmp_path: Path) -> None:
    async def run() -> None:
        async with pit_with(tmp_path) as pit:
            await pit.jackpots.open(RULES, HOUSE_ACTOR, 2)
            await pit.jackpots.join(RULES.name, "t-1", HOUSE_ACTOR)
            digest = pit.jackpots.book.find(RULES.name).commitments["mystery"].digest
            name = vault_name(RULES.name, digest)
            other = pit.books.vault.seal(Trigger(1_000_001, "22").to_bytes())
            for sealed, word in ((other, "not the one"), (None, "missing")):
                changed = {} if sealed is None else {name: sealed}
                await pit.ledger.append(Entry((), changed, () if sealed else (name,)))
                (problem,) = verify(pit.ledger, key=tmp_path / KEY_FILE).problems
                assert word in str(problem)
                pit.books.secrets = Triggers(pit.ledger, pit.books.vault)
                with pytest.raises(Refused, match=word):
                    await pit.jackpots.bet(pit.table("t-1"), "ann-1", 0, True)

    asyncio.run(run())


def test_an_archive_keeps_the_secret_amounts(tmp_path: Path) -> None:
    """Hits on both sides of the cut; the amount that is sealed at the cut is revealed after it."""
    folder, path = tmp_path / "pit", tmp_path / "old.archive"

    async def play_old() -> str:
        async with pit_with(folder) as pit:
            await pit.jackpots.open(RULES, HOUSE_ACTOR, 0)
            await pit.jackpots.join(RULES.name, "t-1", HOUSE_ACTOR)
            while pit.ledger.last_sequence() < TILE_EVENTS + 200:
                await play(pit)
            return pit.ledger.last_moment

    async def play_on() -> None:
        pit = Pit(folder)
        await pit.start()
        sealed = pit.jackpots.book.find(RULES.name).commitments["mystery"].digest
        for _ in range(2):
            await play(pit)
        assert pit.ledger.load_sealed(vault_name(RULES.name, sealed)) is None
        await pit.stop()

    moment = asyncio.run(play_old())
    with Ledger.open(folder / "ledger.sqlite", signer=TipSigner(folder)) as ledger:
        before = sum(1 for _ in ledger.events(JACKPOT_CHAIN, kinds=("must-hit",)))
        assert archive_events(ledger, folder, moment, path).removed > TILE_EVENTS // 2
        assert verify(ledger, key=folder / KEY_FILE).problems == []
    asyncio.run(play_on())
    with Ledger.open(folder / "ledger.sqlite", writer=False) as live:
        assert verify(live, key=folder / KEY_FILE).problems == []
        with open_whole_ledger(live, [path]) as (whole, differences):
            assert sum(1 for _ in whole.events(JACKPOT_CHAIN, kinds=("must-hit",))) > before > 10
            report = verify(whole, key=folder / KEY_FILE)
            assert (report.problems, differences) == ([], [])
