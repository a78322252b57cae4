"""A small pit in which much happens, with a witness that confirms all of it, on a clock of its own."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import orjson
from argon2 import PasswordHasher

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger import heads
from feltlab.ledger.event import Draft, write_moment
from feltlab.ledger.writing import transaction
from feltlab.pit import history
from feltlab.pit.accounts import ADMIN, Accounts, SignInRefused
from feltlab.pit.approvals import approve_all
from feltlab.pit.pit import PUBLIC_TIMERS, Pit, today
from feltlab.pit.roles import Role
from feltlab.shuffling.machine import JAM

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
SECRET = "correct horse battery"
STEP_SECONDS = 7  # of the clock, from one transaction or head to the next
TABLE, OTHER = "casino-war-1", "high-five-poker-1"


@contextmanager
def stepping_clock() -> Iterator[None]:
    """A clock that goes on by some seconds whenever the ledger looks at it."""
    began, steps = datetime.now(UTC), iter(range(10**9))

    def look() -> str:
        return write_moment(began + timedelta(seconds=STEP_SECONDS * next(steps)))

    with patch.object(transaction, "now", look), patch.object(heads, "now", look):
        yield


async def run_witnessed_pit(folder: Path, witness: Path, receipt: Path) -> None:
    """Two days of a pit: the first is copied as `old.sqlite`, and `torn.sqlite` lacks its write-ahead log."""
    with stepping_clock():
        pit = await open_pit(folder, witness)
        await keep_accounts(pit)
        await open_tables(pit)
        for _ in range(3):
            await play_war(pit)
        await pit.stop()
        (folder / "old.sqlite").write_bytes((folder / "ledger.sqlite").read_bytes())
        pit = await open_pit(folder, witness)
        await _do_more(pit)
        (folder / "torn.sqlite").write_bytes((folder / "ledger.sqlite").read_bytes())
        last = pit.table(TABLE).table.round - 1
        receipt.write_bytes(orjson.dumps(history.write_receipt(pit.heads, TABLE, last)))
        await pit.stop()


async def open_pit(folder: Path, witness: Path) -> Pit:
    pit = Pit(folder, witnesses=[witness])
    pit.accounts = Accounts(pit.ledger, QUICK)
    await pit.start()
    return pit


async def keep_accounts(pit: Pit) -> None:
    accounts = pit.accounts
    made = accounts.ensure_administrator()
    assert made
    for name, role in (("sue", Role.SUPERVISOR), ("dan", Role.DEALER)):
        accounts.create(name, SECRET, role, by=ADMIN)
        pit.heads.sign()
    accounts.create("ann", SECRET)
    await pit.note(*accounts.sign_in(ADMIN, made.password).drafts)
    try:
        accounts.sign_in("sue", "a wrong password")
    except SignInRefused as refused:
        await pit.note(*refused.drafts)
    await pit.note(*accounts.sign_in("sue", SECRET).drafts)
    accounts.set_role("dan", Role.SUPERVISOR, by=ADMIN)
    accounts.disable("dan", by=ADMIN)
    accounts.enable("dan", by=ADMIN)
    accounts.change_password("ann", SECRET, "another horse battery")
    await pit.note(Draft("house", "signed-out", {"account": "sue", "session": "00" * 32, "ends": 0}))
    pit.heads.sign()


async def open_tables(pit: Pit) -> None:
    await pit.decide(lambda register: approve_all(register, pit.house, GAMES.values(), today()))
    for name in (TABLE, OTHER):
        game = GAMES[name.removesuffix("-1")]
        await pit.open_table(name, game, "sue", STANDARD_LIMITS, PUBLIC_TIMERS)
        pit.heads.sign()
    for player in ("ann", "bob"):
        await pit.give(lambda cage, player=player: cage.plan_welcome(player))  # type: ignore[misc]
    await pit.table(TABLE).act(lambda table: table.sit("ann", 0, 10_000))
    await pit.table(OTHER).act(lambda table: table.sit("bob", 0, 10_000))
    await pit.table(TABLE).act(lambda table: table.buy("ann", 0, 5_000))


async def play_war(pit: Pit) -> None:
    live = pit.table(TABLE)
    await live.act(lambda table: table.wager("ann", 0, {"primary": 500}))
    await live.act(lambda table: table.ready("ann", 0))
    if live.table.turn is not None:
        await live.act(lambda table: table.choose("ann", 0, "surrender"))
    pit.heads.sign()


async def _do_more(pit: Pit) -> None:
    live = pit.table(OTHER)
    await live.act(lambda table: table.drill("sue", JAM))
    with suppress(Refused):
        await live.act(lambda table: table.consult_guide("sue"))
    pit.heads.sign()
    await pit.table(TABLE).act(lambda table: table.wager("ann", 0, {"primary": 500}))
    await pit.table(TABLE).act(lambda table: table.void("sue", "A card fell."))
    for _ in range(3):
        await play_war(pit)
    await live.act(lambda table: table.leave("bob", 0))
    await live.act(lambda table: table.close("sue", "For the night."))
    for _ in range(9):  # the end is more than a minute behind every event before
        await play_war(pit)
