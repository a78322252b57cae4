"""A last look at players' own limits when the betting closes.

A limit may have become stricter while a wager was on the felt. The round then begins without that wager,
which goes back to its player.
"""

from collections.abc import Callable, Iterator

from feltlab.errors import Refused
from feltlab.pit.books import Books
from feltlab.pit.table import Table


def close_within_limits(
    books: Books, table: Table, change: Callable[[Table], Table], checked: str = ""
) -> tuple[Table, dict[str, str]]:
    """The table after a change, and why wagers of players were taken back before it closed the betting.

    The wagers of the account `checked` were checked just now.
    """
    after = change(table)
    if "no-more-bets" not in [draft.kind for draft in after.unwritten]:
        return after, {}
    beyond = list(_find_beyond(books, table, checked))
    for seat, _, why in beyond:
        table = table.take_back(seat, why)
    if beyond:
        try:
            after = change(table)
        except Refused:  # no wager is left
            after = table
    return after, {player: why for _, player, why in beyond}


def _find_beyond(books: Books, table: Table, checked: str) -> Iterator[tuple[int, str, str]]:
    """The seats whose wagers are beyond a limit of their player, with the player and the reason."""
    for seat in table.bettors:
        place = table.place(seat)
        if place.player == checked or not books.limits.has_limits(place.player):
            continue
        purse = books.find_purse(place.player, table.name, seat)
        if excess := books.limits.describe_excess(place.player, purse, table.game, place.wagers):
            yield seat, place.player, f"{excess}; your wager went back to you."
