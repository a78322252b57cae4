"""Acts of clients at a table: the same by HTTP and by WebSocket, each acted on once."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import orjson

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.ledger.event import Key
from feltlab.ledger.ledger import Ledger, Repeated
from feltlab.pit.live_table import LiveTable, TableChange
from feltlab.pit.roles import Forbidden, Permission
from feltlab.pit.table import Table
from feltlab.pit.view import view
from feltlab.server import models as ask
from feltlab.server.sessions import Session

# What each act asks for, and which role's act it is.
ACTS: Mapping[str, tuple[type[ask.Asked], Permission]] = {
    "sit": (ask.Sit, Permission.PLAY),
    "buy": (ask.Buy, Permission.PLAY),
    "leave": (ask.Leave, Permission.PLAY),
    "wager": (ask.Wager, Permission.PLAY),
    "ready": (ask.Ready, Permission.PLAY),
    "choose": (ask.Choose, Permission.PLAY),
    "no-more-bets": (ask.NoMoreBets, Permission.DEAL),
    "advance": (ask.Advance, Permission.DEAL),
}


def change_of(account: str, asked: ask.Asked) -> TableChange:
    """What an act makes of a table."""

    def changed(table: Table) -> Table:
        check_round(table, getattr(asked, "round", None))
        if not isinstance(asked, ask.Sit) and hasattr(asked, "seat"):
            _check_own(table, account, asked.seat - 1)
        return _changed(table, account, asked)

    return changed


def _changed(table: Table, account: str, asked: ask.Asked) -> Table:
    match asked:
        case ask.Sit():
            return table.sit(account, asked.seat - 1, asked.cents)
        case ask.Buy():
            return table.buy(account, asked.seat - 1, asked.cents)
        case ask.Leave():
            return table.leave(account, asked.seat - 1)
        case ask.Wager():
            return table.wager(account, asked.seat - 1, asked.wagers)
        case ask.Ready():
            return table.ready(account, asked.seat - 1)
        case ask.Choose():
            return table.choose(account, asked.seat - 1, asked.choice)
        case ask.NoMoreBets():
            return table.no_more_bets(account)
        case _:
            return _advanced(table)


def check_round(table: Table, round: int | None) -> None:
    """What is meant for one round is never done to another."""
    round = table.round if round is None else round
    if round < table.round:
        raise Refused(f"That was round {round}; round {table.round} is on.")
    if round > table.round:
        raise Refused(f"Round {round} is still to come; round {table.round} is on.")


def _check_own(table: Table, account: str, seat: int) -> None:
    place = table.places[seat] if seat < len(table.places) else None
    if place and place.player != account:
        raise Forbidden(f"Seat {seat + 1} is not yours.")


def _advanced(table: Table) -> Table:
    if not table.waits_for_dealer:
        raise Refused("The table does not wait for its dealer.")
    return table.time_is_up()


# -- Once -------------------------------------------------------------------------------------------


class Misused(Refused):
    """A key that was used for another request."""


def key_of(account: str, name: str | None, *request: Any) -> Key | None:
    if name is None:
        return None
    return Key(account, name, hashlib.sha256(canonical_json(request)).hexdigest())


async def once(ledger: Ledger, key: Key | None, work: Callable[[], Awaitable[Any]]) -> bool:
    """Do it, unless the same request was acted on before: whether it was.

    A repeat is usually refused for what the first one did, so a refusal asks for the key too.
    """
    try:
        await work()
        return False
    except Repeated as repeated:
        used = repeated.request
    except Refused:
        found = await asyncio.to_thread(ledger.used, key) if key else None
        if found is None:
            raise
        used = found
    if key and used != key.request:
        raise Misused("This key was used for another request.")
    return True


async def act(live: LiveTable, session: Session, name: str, asked: ask.Asked, key: str | None) -> bool:
    """Act at a table: whether it was a repeat of what was done before."""
    if name != "leave":  # whoever sits may leave, also with another role than before
        session.role.check(ACTS[name][1])
    bound = key_of(session.account, key, live.table.name, name, asked.model_dump())
    repeated = await once(
        live.books.ledger, bound, lambda: live.act(change_of(session.account, asked), bound)
    )
    if hasattr(asked, "seat"):
        live.touch(asked.seat - 1)
    return repeated


# -- What is seen after it --------------------------------------------------------------------------


class Views:
    """Views as JSON, each made once for a table and a viewer; who has no seat sees what all see."""

    def __init__(self) -> None:
        self._made: WeakKeyDictionary[LiveTable, tuple[Table, dict[str, bytes]]] = WeakKeyDictionary()

    def of(self, live: LiveTable, account: str, **more: Any) -> bytes:
        first = orjson.dumps({"version": live.version, "seconds": live.seconds, **more})
        return first[:-1] + b"," + self._seen(live, account)[1:]

    def _seen(self, live: LiveTable, account: str) -> bytes:
        table, seen = self._made.get(live, (None, {}))
        if table is not live.table:
            seen = {}
            self._made[live] = live.table, seen
        viewer = account if any(place and place.player == account for place in live.table.places) else ""
        if viewer not in seen:
            seen[viewer] = orjson.dumps(view(live.table, viewer))
        return seen[viewer]
