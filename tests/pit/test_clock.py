"""A clock that is set back: no table closes, no session ends, and the jump is on record once."""

from datetime import date
from pathlib import Path

import pytest

from feltlab.ledger.ledger import Ledger
from feltlab.ledger.writing import transaction
from feltlab.pit import pit as pit_module
from feltlab.pit.players.steady_clock import SteadyClock
from feltlab.pit.seats import Phase
from feltlab.pit.verify import verify
from tests.support.witnessed_pit import TABLE, keep_accounts, open_pit, open_tables, play_war

EARLY = "2020-01-01T00:00:00.000000+00:00"  # before every approval


async def test_a_clock_that_is_set_back_for_years_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pit = await open_pit(tmp_path, tmp_path / "witness")
    await keep_accounts(pit)
    await open_tables(pit)
    begins, table = pit.accounts.sessions_from("ann"), pit.table(TABLE)
    monkeypatch.setattr(transaction, "now", lambda: EARLY)
    monkeypatch.setattr(pit_module, "today", lambda: date(2020, 1, 1))
    await pit._close_unapproved()
    await play_war(pit)
    assert (table.table.phase, table.table.closes) == (Phase.BETTING, "")
    assert pit.accounts.sessions_from("ann") == begins
    assert len(list(pit.ledger.events("house", kinds=("clock-set-back",)))) == 1
    await pit.stop()
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        assert [str(problem) for problem in verify(ledger).problems] == []


def test_a_players_day_is_neither_longer_nor_shorter_by_a_clock_that_is_set_back() -> None:
    wall, steady, recorded = 1_000_000.0, 50.0, ""
    clock = SteadyClock(lambda: recorded, lambda: wall, lambda: steady)
    assert clock() == 1_000_000
    wall, steady = 1_000_060.0, 110.0
    assert clock() == 1_000_060
    wall, steady = 900_000.0, 170.0  # set back, and a minute passes
    assert clock() == 1_000_120
    steady = 230.0
    assert clock() == 1_000_180  # time goes on, so that minutes played are counted
    wall, steady = 1_000_300.0, 350.0  # the clock is right again
    assert clock() == 1_000_300
    wall = 1_500_000.0  # the machine slept
    assert clock() == 1_500_000
    restarted = SteadyClock(lambda: "1970-01-20T00:00:00+00:00", lambda: 1000.0, lambda: 0.0)
    assert restarted() == 19 * 24 * 3600  # not before what is on record
