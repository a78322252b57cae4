"""Private tables: which one a visitor gets, how many there may be, and who may see one.

A closed private table is opened again for the next visitor of its game, so that ledgers and starts do not
grow with visits. Its chain holds the rounds of all its owners.
"""

import re
from collections.abc import Collection, Iterable, Mapping

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.ledger.ledger import Ledger
from feltlab.pit.live_table import LiveTable
from feltlab.pit.roles import Permission, Role
from feltlab.pit.seats import Phase
from feltlab.pit.table import Table

BUY_IN_CENTS = 20_000
MAX_OWN_TABLES = 4  # private tables of an account that are open
MAX_SOLO_TABLES = 500  # of the house
SOLO_NAME = re.compile(r"-solo-[0-9]+\Z")
PRACTICE = "Practice table: no approval covers its options and pays. It is played for play money only."
FLOOR = (Permission.DEAL, Permission.SUPERVISE, Permission.AUDIT)


def may_see(live: LiveTable, account: str, role: Role | None) -> bool:
    """Whether an account may see a table without an invitation that it has yet to show."""
    table = live.table
    if not table.is_private or (role and any(map(role.may, FLOOR))):
        return True
    seated = any(place and place.player == account for place in table.places)
    return bool(account) and (seated or account == table.owner or account in live.invited)


def first_round(ledger: Ledger, name: str) -> int:
    """The first round since a table was opened."""
    return sum(event.round + 1 for event in ledger.last_events(name, ("opened",), 1))


def has_played(ledger: Ledger, name: str, round: int, accounts: Collection[str]) -> bool:
    """Whether one of these accounts had a wager in a round."""
    wagered = ledger.events(name, round=round, kinds=("wagered",))
    return any(event.data["player"] in accounts for event in wagered)


def find_own_table(lives: Iterable[LiveTable], account: str, game: Game) -> LiveTable | None:
    """The open private table that an account has of this game under these options and pays."""
    own = (live for live in lives if _is_own(live, account))
    return next((live for live in own if live.table.game.digest == game.digest), None)


def _is_own(live: LiveTable, account: str) -> bool:
    return live.table.owner == account and live.table.phase != Phase.CLOSED


def choose_solo_name(tables: Mapping[str, LiveTable], account: str, game: Game) -> str:
    """The name of a table to open for an account: one that is closed, or a new one; refuses one too many."""
    if sum(_is_own(live, account) for live in tables.values()) >= MAX_OWN_TABLES:
        raise Refused(f"You have {MAX_OWN_TABLES} tables of your own already; leave one of them first.")
    solo = [live.table for live in tables.values() if live.table.is_private]
    pool = [table for table in solo if table.game.name == game.name]
    closed = [table for table in pool if table.phase == Phase.CLOSED]
    if closed:  # those that this server runs come first
        own = [table for table in closed if tables[table.name].is_ours]
        return _choose_closed(own or closed, game).name
    if len(solo) >= MAX_SOLO_TABLES:
        raise Refused(f"All {MAX_SOLO_TABLES} private tables are taken; the public tables have free seats.")
    return next(name for n in range(1, len(pool) + 2) if (name := f"{game.name}-solo-{n}") not in tables)


def _choose_closed(closed: list[Table], game: Game) -> Table:
    """A closed table that had the same options and pays, if there is one: its shuffler is set for them."""
    return next((table for table in closed if table.game.digest == game.digest), closed[0])


def free_seat(table: Table) -> int:
    """The free seat that is nearest to the middle."""
    middle = (len(table.places) - 1) / 2
    free = [seat for seat, place in enumerate(table.places) if place is None]
    if not free:
        raise Refused(f"All seats of {table.name} are taken.")
    return min(free, key=lambda seat: abs(seat - middle))
