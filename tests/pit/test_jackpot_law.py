"""What the law and the rules of a progressive allow, on the book of links alone; a refusal is a sentence."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import orjson
import pytest

from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import HOUSE_ACTOR, JACKPOT_CHAIN, Draft
from feltlab.pit.cage import Cage
from feltlab.pit.jackpots.book import MAX_OPEN_LINKS, JackpotBook, describe_frozen
from feltlab.pit.jackpots.decreases import BY_STAFF, Decrease
from feltlab.pit.jackpots.link import Link, add_accrued, deduct_deposit
from feltlab.pit.jackpots.triggers import Triggers
from feltlab.progressives.payments import Claim
from tests.pit.test_jackpots import ALWAYS, METER

NO_SECRETS = Triggers(None, None)  # type: ignore[arg-type]  # no meter has any
PLAYERS = {0: "ann", 3: "bob"}
RULES = replace(ALWAYS, meters=(replace(METER, hidden_rate=Fraction(1, 10)),), house_rate=Fraction(1, 2))


def cage_with(*accounts: str) -> Cage:
    cage = Cage()
    for account in accounts:
        cage._add(account, 1_000_000)
    return cage


CAGE = cage_with("ann", "bob", "jackpot:always")


def open_book(verifiers: int = 2, rounds: int = 10) -> JackpotBook:
    """A link that some rounds with two bets have fed."""
    book = JackpotBook()
    book = book.after_drafts(book.plan_open(CAGE, RULES, HOUSE_ACTOR, verifiers))
    for round in range(1, rounds + 1):
        book = book.after_drafts(book.plan_feed(CAGE, link_of(book), "t-1", round, PLAYERS, NO_SECRETS))
    return book


def link_of(book: JackpotBook) -> Link:
    return book.find(RULES.name)


def win(book: JackpotBook, *claims: Claim) -> JackpotBook:
    return book.after_drafts(book.plan_win(CAGE, link_of(book), "t-1", claims, PLAYERS))


# -- The five reasons of WAC 230-15-695 -------------------------------------------------------------


def test_a_win_lowers_the_meter_by_itself_and_staff_cannot_give_it_as_a_reason() -> None:
    won = link_of(win(open_book(), Claim(0, "better")))
    assert won.claims[0].cents == 100_600  # the seed, and 30 % of twenty dollars
    assert won.displayed() == {"main": 100_200}  # the next seed, and the hidden tenth of them
    with pytest.raises(Refused, match=r"may fall only for .* \(WAC 230-15-695\), not for 'a win'"):
        open_book().plan_decrease(RULES.name, "main", 1, "a win", "sue", "paid by hand")


@pytest.mark.parametrize(
    ("reason", "source", "sink"),
    [
        (Decrease.DISPLAY_FAULT, "displayed", "reserve"),
        (Decrease.RECEIPTS, "reserve", "house"),
        (Decrease.SEED_RECOVERY, "displayed", "house"),
    ],
)
def test_each_other_reason_moves_the_money_where_it_says(reason: Decrease, source: str, sink: str) -> None:
    book = open_book()
    link = link_of(book)
    after = link_of(book.after_drafts(book.plan_decrease(RULES.name, "main", 150, reason, "sue", "as filed")))

    def amounts(link: Link) -> dict[str, int]:
        balance = link.balances["main"]
        return {"displayed": balance.displayed, "reserve": balance.reserve, "house": link.house}

    before, now = amounts(link), amounts(after)
    assert now == before | {source: before[source] - 150_000, sink: before[sink] + 150_000}
    after.check_conservation()


def test_a_display_above_the_cap_falls_to_the_cap_and_not_below() -> None:
    book = open_book()
    link = link_of(book)
    above = replace(link.balances["main"], displayed=200_000_000 + 7_000)  # a display that ran on by 7 cents
    grown = replace(link, balances={"main": above}, funded=link.funded + above.displayed
                    - link.balances["main"].displayed)  # fmt: skip
    book = JackpotBook({RULES.name: grown})
    reason = Decrease.ABOVE_CAP
    after = link_of(book.after_drafts(book.plan_decrease(RULES.name, "main", 7, reason, "sue", "fault 12")))
    assert after.balances["main"].displayed == 200_000_000
    assert after.balances["main"].overflow == 7_000
    with pytest.raises(Refused, match="Only what 'main' shows above its cap"):
        book.plan_decrease(RULES.name, "main", 8, reason, "sue", "fault 12")


@pytest.mark.parametrize(
    ("cents", "reason", "note", "sentence"),
    [
        (1, "a promotion", "x", "may fall only for"),
        (0, BY_STAFF[0], "x", "a whole number of cents above nothing"),
        (-5, BY_STAFF[0], "x", "a whole number of cents above nothing"),
        (10**9, BY_STAFF[0], "x", "less than the decrease"),
        (100_001, Decrease.SEED_RECOVERY, "x", "more is not recovered"),
        (10_000, Decrease.RECEIPTS, "x", "less than the decrease"),
        (1, BY_STAFF[0], "  ", "needs a note"),
    ],
)
def test_every_other_decrease_is_refused(cents: int, reason: str, note: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        open_book().plan_decrease(RULES.name, "main", cents, reason, "sue", note)


# -- Deposits and funds, WAC 230-15-455 ---------------------------------------------------------------


def test_accrued_money_is_deposited_within_seven_days_or_the_bets_stop() -> None:
    book = open_book()
    link = link_of(book)
    week = datetime.now(UTC) + timedelta(days=7, minutes=1)
    told = "The weekly deposit of Always is overdue (WAC 230-15-455)."
    assert link.undeposited == 20 * 50_000  # the half of each dollar that is the players'
    assert (link.why_stopped(week - timedelta(days=1)), link.why_stopped(week)) == ("", told)
    part = link_of(book.after_drafts(book.plan_deposit(RULES.name, 400, "sue", "slip 1")))
    assert (part.undeposited, part.why_stopped(week)) == (600_000, told)  # a part does not restart the week
    all_of_it = book.after_drafts(book.plan_deposit(RULES.name, 1_000, "sue", "slip 2"))
    assert link_of(all_of_it).why_stopped(week) == ""
    for cents, reference, sentence in ((0, "x", "above nothing"), (5, " ", "names its receipt"),
                                       (1_001, "x", r"has \$10 to deposit; \$10.01 is more")):  # fmt: skip
        with pytest.raises(Refused, match=sentence):
            book.plan_deposit(RULES.name, cents, "sue", reference)
    with pytest.raises(Refused, match=r"has nothing to deposit; \$0.01 is more"):
        all_of_it.plan_deposit(RULES.name, 1, "sue", "slip 3")


def test_a_deposit_is_of_the_oldest_money() -> None:
    """Each day's money has its own week, so a deposit of an older day's leaves the newer days their time."""
    first, same_day, second = (
        f"2026-11-{moment}:00.000000+00:00" for moment in ("01T09:00", "01T21:00", "02T09:00")
    )
    accrued = add_accrued(add_accrued(add_accrued((), first, 300), same_day, 200), second, 400)
    assert accrued == ((first, 500), (second, 400))
    assert deduct_deposit(accrued, 499) == ((first, 1), (second, 400))
    assert deduct_deposit(accrued, 600) == ((second, 300),)
    assert deduct_deposit(accrued, 900) == () == add_accrued((), first, 0)
    link = replace(link_of(open_book()), accrued=deduct_deposit(accrued, 600))
    eighth = datetime.fromisoformat(second) + timedelta(days=7)
    assert not link.is_deposit_overdue(eighth)
    assert link.is_deposit_overdue(eighth + timedelta(seconds=1))
    assert Link.from_json(orjson.loads(orjson.dumps(link.to_json()))) == link


def test_a_part_of_a_cent_is_deposited_as_a_cent() -> None:
    book = open_book()
    link = replace(link_of(book), accrued=(("2026-11-01T12:00:00.000000+00:00", 1_000_001),))
    book = JackpotBook({RULES.name: link}, book.number)
    (draft,) = book.plan_deposit(RULES.name, 1_001, "sue", "slip 1")
    assert link_of(book.after_drafts([draft])).undeposited == 0


def test_a_pit_has_a_limited_number_of_open_progressives() -> None:
    book = open_book()
    link = link_of(book)
    many = {f"link-{n}": replace(link, closed=n % 2 == 1) for n in range(2 * MAX_OPEN_LINKS - 2)}
    new = replace(RULES, name="one-more")
    JackpotBook(many).check_new(new)  # one less, beside as many that are closed
    with pytest.raises(Refused, match=f"{MAX_OPEN_LINKS} progressives are open already; close one first"):
        JackpotBook(many | {RULES.name: link}).check_new(new)


def test_a_house_that_owes_a_seed_stops_the_bets_until_it_pays_in() -> None:
    """The reserve has $2 of the next seed of $1,000; the float and the house's half pay a part of it."""
    book = win(open_book(), Claim(0, "better"))
    link = link_of(book)
    owed = -(link.house // 1000)
    assert owed > 0
    assert "is short of funds: the house owes it $" in link.why_stopped(datetime.now(UTC))
    joined = Draft(JACKPOT_CHAIN, "table-joined", {"link": RULES.name, "table": "t-1"})
    book = book.after_drafts([joined])
    with pytest.raises(Refused, match="short of funds"):
        book.check_bet("t-1")
    book = book.after_drafts(book.plan_fund(CAGE, RULES.name, owed, "sue"))
    assert book.check_bet("t-1").house >= 0


# -- Claims -------------------------------------------------------------------------------------------


def test_a_claim_without_a_bet_is_refused() -> None:
    with pytest.raises(Refused, match="Seat 2 made no bet on the progressive in this round"):
        win(open_book(), Claim(1, "better"))


def test_one_hand_does_not_claim_twice_in_a_round() -> None:
    with pytest.raises(Refused, match="one hand claims its highest level only"):
        win(open_book(), Claim(0, "better"), Claim(0, "High Card"))


def test_the_wall_calls_a_winner_as_the_tables_do() -> None:
    """Never by the account of a guest, which only its owner and staff know."""
    book, players = open_book(), {0: "guest-quiet-heron-4k2mp9x3", 3: "bob"}
    link = link_of(book)
    drafts = book.plan_win(
        cage_with(*players.values(), link.account), link, "t-1", [Claim(0, "better")], players
    )
    said = describe_frozen(link_of(book.after_drafts(drafts)))
    assert said == "Waiting for verification: $1,006 to Quiet Heron at t-1."


def test_a_hit_is_won_once() -> None:
    book = open_book()
    won = book.plan_win(CAGE, link_of(book), "t-1", [Claim(0, "better")], PLAYERS)
    after = book.after_drafts(won)
    with pytest.raises(Refused, match="No bets on always are locked in round 10 of t-1"):
        after.after_drafts(won)


def test_two_persons_verify_and_the_second_one_pays_once() -> None:
    book = win(open_book(), Claim(0, "better"))

    def verify(book: JackpotBook, by: str) -> JackpotBook:
        return book.after_drafts(book.plan_verify(CAGE, RULES.name, 1, by))

    once = verify(book, "sue")
    assert link_of(once).claims[0].verified_by == ("sue",)
    with pytest.raises(Refused, match="another person has to"):
        verify(once, "sue")
    paid: dict[str, Any] = {"link": RULES.name, "claim": 1, "cents": 100_600, "player": "ann", "by": "sue"}
    with pytest.raises(Refused, match="needs 2 persons"):
        once.after_drafts([Draft(JACKPOT_CHAIN, "claim-paid", paid)])
    done = verify(once, "tom")
    assert (link_of(done).claims, link_of(done).paid) == ((), 100_600_000)
    with pytest.raises(Unknown, match="paid or refused once"):
        verify(done, "una")


def test_play_money_is_paid_at_once_even_if_the_house_is_short() -> None:
    """Six jackpots in a row take more than the seeds and the float of the house."""
    book = open_book(verifiers=0, rounds=0)
    for round in range(1, 7):
        book = book.after_drafts(book.plan_feed(CAGE, link_of(book), "t-1", round, PLAYERS, NO_SECRETS))
        book = win(book, Claim(0, "better"), Claim(3, "High Card"))
    link = link_of(book)
    assert (link.claims, link.hits) == ((), 6)
    assert link.paid > 6 * 90_000_000
    assert link.house >= 0


def test_two_persons_refuse_a_claim_and_its_amount_goes_back() -> None:
    book = win(open_book(), Claim(0, "better"))
    shown = link_of(book).displayed()["main"]
    for by in ("sue", "tom"):
        book = book.after_drafts(book.plan_refuse(RULES.name, 1, by, "a marked card"))
    assert (link_of(book).claims, link_of(book).displayed()["main"]) == ((), shown + 100_600)
    with pytest.raises(Refused, match="with a reason"):
        win(open_book(), Claim(0, "better")).plan_refuse(RULES.name, 1, "sue", " ")
