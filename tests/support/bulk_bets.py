"""Bets on a progressive in bulk: the events of links and cage that tables would write, without the tables.

Every event goes through the plans and folds of a live server and through the chains of a real ledger. Which
seats win is drawn from a seeded generator, because no cards are dealt.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from feltlab.ledger.event import CAGE_CHAIN, HOUSE_ACTOR, JACKPOT_CHAIN, Draft, Entry
from feltlab.ledger.ledger import Ledger
from feltlab.pit.cage import Cage
from feltlab.pit.jackpots.book import JackpotBook
from feltlab.pit.jackpots.link import Link
from feltlab.pit.jackpots.triggers import Triggers
from feltlab.pit.money import Money
from feltlab.progressives.payments import Claim
from feltlab.progressives.progressive import Progressive

SEATS, TABLES = 7, 100
ROUNDS_PER_ENTRY = 500
WINNERS_PER_BET = 1 / 200
PLAYERS = {seat: f"player-{seat + 1}" for seat in range(SEATS)}


def write_bets(ledger: Ledger, rules: Progressive, bets: int, random: Random) -> None:
    """Write rounds with seven bets each, at least so many in all, with their wins and payments."""
    money = Money(Cage(), JackpotBook())
    secrets = Triggers(ledger, None)  # type: ignore[arg-type]  # no meter has any
    drafts = [
        *(draft for player in PLAYERS.values() for draft in money.cage.plan_welcome(player)),
        *money.jackpots.plan_open(money.cage, rules, HOUSE_ACTOR, 0),
    ]
    money.expect(tuple(drafts))
    for round in range(-(-bets // SEATS)):
        drafts += _play_round(money, rules, f"t-{round % TABLES}", round, secrets, random)
        if len(drafts) >= ROUNDS_PER_ENTRY * SEATS:
            ledger.append_blocking(Entry(tuple(drafts)))
            drafts.clear()
    ledger.append_blocking(Entry(tuple(drafts)))


def _play_round(
    money: Money, rules: Progressive, table: str, round: int, secrets: Triggers, random: Random
) -> Iterator[Draft]:
    link = money.jackpots.find(rules.name)
    bet = money.cage.plan_pay_out(link.account, table, 1, rules.bet_cents)
    fed = [*bet * len(PLAYERS)]
    fed += money.jackpots.plan_feed(money.cage, link, table, round, PLAYERS, secrets)
    money.expect(tuple(fed))
    yield from fed
    winners = [seat for seat in PLAYERS if random.random() < WINNERS_PER_BET]
    claims = [Claim(seat, random.choice(rules.levels).name) for seat in winners]
    if claims:
        link = money.jackpots.find(rules.name)
        won = money.jackpots.plan_win(money.cage, link, table, claims, PLAYERS)
        money.expect(won)
        yield from won


@dataclass(frozen=True)
class Account:
    """What a ledger says about a link, added up from events of several kinds; thousandths of a cent."""

    link: Link
    at_cage: int  # the balance of its account
    bet: int  # by the bets of all rounds
    paid: int  # by the cage, to players


def read_account(ledger: Ledger, name: str) -> Account:
    """Fold the chains of the ledger as `ledger verify` does; every event is checked on the way."""
    book, bet = JackpotBook(), 0
    for event in ledger.events(JACKPOT_CHAIN):
        book = book.after(event)
        if event.kind == "fed":
            bet += 1000 * event.data["cents"] * len(event.data["seats"])
    cage, paid = Cage(), 0
    for event in ledger.events(CAGE_CHAIN):
        cage.after(event)
        paid += 1000 * event.data["cents"] if event.kind == "jackpot-paid" else 0
    link = book.find(name)
    return Account(link, 1000 * cage.balance(link.account), bet, paid)
