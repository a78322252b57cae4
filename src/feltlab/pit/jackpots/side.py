"""The side of a progressive in what a table writes: bets that lock, claims of a settled round, voids."""

from collections.abc import Iterator
from functools import lru_cache

from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.ledger.event import Draft
from feltlab.pit.cage import Cage
from feltlab.pit.jackpots.book import Beside, Drafts, JackpotBook
from feltlab.pit.jackpots.link import Link
from feltlab.pit.jackpots.sensors import JACKPOT_BET
from feltlab.pit.jackpots.triggers import Triggers
from feltlab.pit.table import Table
from feltlab.progressives.claims import JackpotHand, attach
from feltlab.progressives.payments import Claim
from feltlab.progressives.progressive import Progressive

ENDS = ("settled", "void")


def find_side(book: JackpotBook, table: Table, secrets: Triggers) -> Beside | None:
    """The plan of what a progressive writes with a table's drafts; None if they do not concern one.

    A round that ends without a claim writes nothing, and so waits for no other table.
    """
    if not book.links:
        return None
    kinds = [draft.kind for draft in table.unwritten if draft.kind == JACKPOT_BET or draft.kind in ENDS]
    if not kinds:
        return None
    if JACKPOT_BET not in kinds and not any(
        _ends_with_money(book, table, draft) for draft in table.unwritten
    ):
        return None
    return lambda current, cage: tuple(_plan(current, cage, table, secrets))


def _ends_with_money(book: JackpotBook, table: Table, end: Draft) -> bool:
    """Whether a draft ends a round with bets on a progressive that are won or returned."""
    locked = _locked_links(book, table.name, end.round) if end.kind in ENDS else []
    return any(end.kind == "void" or _claims_of(link, table) for link in locked)


def _plan(book: JackpotBook, cage: Cage, table: Table, secrets: Triggers) -> Iterator[Draft]:
    bets = [draft for draft in table.unwritten if draft.kind == JACKPOT_BET]
    for name in dict.fromkeys(draft.data["link"] for draft in bets):  # one, if no table changed its link
        mine = [draft for draft in bets if draft.data["link"] == name]
        bettors = {draft.data["seat"] - 1: draft.data["bettor"] for draft in mine}
        fed = book.plan_feed(cage, book.find(name), table.name, mine[0].round, bettors, secrets)
        yield from fed
        book = book.after_drafts(fed)
    for draft in table.unwritten:
        for locked in _locked_links(book, table.name, draft.round) if draft.kind in ENDS else ():
            yield from _end_round(book, cage, locked, table, draft)


def _locked_links(book: JackpotBook, table: str, round: int) -> list[Link]:
    """The links on which bets of a table's round are locked: one at most, unless a table changed its link."""
    locks = ((link, link.locks.get(table)) for link in book.links.values())
    return [link for link, lock in locks if lock and lock.round == round]


def _end_round(book: JackpotBook, cage: Cage, link: Link, table: Table, end: Draft) -> Drafts:
    players = _players_of(table, link.locks[table.name].seats)
    if end.kind == "void":
        return book.plan_return(cage, link, table.name, players)
    claims = _claims_of(link, table)
    return book.plan_win(cage, link, table.name, claims, players) if claims else ()


def _claims_of(link: Link, table: Table) -> list[Claim]:
    """The claims of the round of a table whose bets are locked."""
    rounds = table.rounds
    seats = {seat: rounds[seat] for seat in link.locks[table.name].seats}
    return find_claims(link.progressive, table.game, seats)


def _players_of(table: Table, seats: tuple[int, ...]) -> dict[int, str]:
    """The players of a round that has just ended, by seat."""
    deal = table.deal or table.last_deal
    assert deal is not None
    return {seat.position - 1: seat.player for seat in deal.seats if seat.position - 1 in seats}


def find_claims(progressive: Progressive, game: Game, rounds: dict[int, Round]) -> list[Claim]:
    """The claims of a round's seats with bets, in dealing order."""
    hand = attached_hand(progressive, game)
    found = ((seat, hand.claim(round.shoe, round.chosen_numbers)) for seat, round in rounds.items())
    return [Claim(seat, level.name) for seat, level in found if level]


@lru_cache(maxsize=64)
def attached_hand(progressive: Progressive, game: Game) -> JackpotHand:
    """The hand of a progressive at a game, made once."""
    return attach(progressive, game)
