"""The sensors of a table: each seat's bet on a progressive, and their lock when the betting closes."""

from typing import TypeVar

from feltlab.pit.jackpots.account import account_of
from feltlab.pit.shufflers.table_cards import TableCards

JACKPOT_BET = "jackpot-bet"  # the event of a bet that is locked
State = TypeVar("State", bound=TableCards)


def lit_sensors(table: TableCards) -> list[int]:
    """The seats whose bet on a progressive counts in the next round: they have wagered, and can pay it."""
    seats = ((seat, table.place(seat)) for seat in table.bettors)
    return [seat for seat, place in seats if place.jackpot and place.bankroll >= place.jackpot_cents]


def lock_sensors(table: State) -> State:
    """Take the bets of all lit sensors."""
    for seat in lit_sensors(table):
        place = table.place(seat)
        bet = {"seat": seat, "player": account_of(place.jackpot), "bettor": place.player}
        table = table._record(JACKPOT_BET, bet | {"link": place.jackpot, "cents": place.jackpot_cents})
    return table
