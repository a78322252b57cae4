"""A player's money: at the cage, in front of the seats, and on the felt."""

from collections.abc import Mapping

from feltlab.pit.books import Books
from feltlab.pit.live_table import LiveTable
from feltlab.pit.players.limits import Purse, most_lost


def money_at_tables(lives: Mapping[str, LiveTable], account: str) -> dict[str, int]:
    """The cents of a player at each table, in front of the seats and on the felt."""
    found: dict[str, int] = {}
    for name, live in lives.items():
        for place in live.table.places:
            if place and place.player == account:
                found[name] = found.get(name, 0) + place.payout["cents"]
    return found


def find_purse(lives: Mapping[str, LiveTable], books: Books, account: str, table: str, seat: int) -> Purse:
    """All money of a player, and what rounds at seats other than this one can still lose."""
    seats = [
        ((live.table.name, number), live.table.game, place)
        for live in lives.values()
        for number, place in enumerate(live.table.places)
        if place and place.player == account
    ]
    money = books.cage.balances.get(account, 0) + sum(place.payout["cents"] for _, _, place in seats)
    risks = (most_lost(game, place.wagers) for at, game, place in seats if at != (table, seat))
    return Purse(money, sum(risks))
