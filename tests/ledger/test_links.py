"""Links between chains and moments: the order of all events is bound, and time never runs backwards."""

import json
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text

from feltlab.ledger.chains import verify_chains
from feltlab.ledger.event import Draft, Entry, now
from feltlab.ledger.export import export_lines
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.writing import transaction
from tests.support.databases import raw
from tests.support.insider import Events, rewrite_ledger

EARLY = "2020-01-01T00:00:00.000000+00:00"


def write(ledger: Ledger, count: int = 6) -> None:
    for n in range(count):
        ledger.append_blocking(Entry((Draft(f"chain-{n % 2}", "noted", {"n": n}),)))


def find_problems(place: Path | str) -> list[str]:
    with Ledger.open(place, writer=False) as ledger:
        return [str(problem) for problem in verify_chains(ledger)]


def forget_links(place: Path) -> None:
    with sqlite3.connect(place) as database:
        database.execute("DELETE FROM meta WHERE name = 'linked'")
        database.execute("UPDATE meta SET value = '1' WHERE name = 'schema'")
    database.close()


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A ledger whose digests do not bind the past, as they were before links."""
    (tmp_path / "new").mkdir()
    (tmp_path / "old").mkdir()
    with Ledger.open(tmp_path / "new" / "ledger.sqlite") as ledger:
        write(ledger)
    forget_links(tmp_path / "new" / "ledger.sqlite")
    return rewrite_ledger(tmp_path / "new", tmp_path / "old", lambda _: None)


def test_an_export_has_the_past_of_every_event(database: str) -> None:
    with Ledger.open(database) as ledger:
        write(ledger)
        events = [json.loads(line) for line in export_lines(ledger, "jsonl")]
        one = [json.loads(line) for line in export_lines(ledger, "jsonl", "chain-1")]
    assert [event["past"] for event in events] == ["", *(event["digest"] for event in events[:-1])]
    assert one == [event for event in events if event["chain"] == "chain-1"]


def test_neighbours_of_two_chains_do_not_change_places(database: str) -> None:
    """Each keeps its number, its digest and its moment: only the past of both is another."""
    with Ledger.open(database) as ledger:
        ledger.append_blocking(Entry((Draft("one", "noted", {}), Draft("two", "noted", {}))))
    assert find_problems(database) == []
    with raw(database) as connection:
        for old, new in ((1, 99), (2, 1), (99, 2)):
            connection.execute(text(f"UPDATE events SET sequence = {new} WHERE sequence = {old}"))
    assert len(find_problems(database)) >= 2


def test_an_old_ledger_is_linked_from_its_first_start_on(old: Path) -> None:
    assert find_problems(old) == []
    for _ in range(2):
        with Ledger.open(old) as ledger:
            write(ledger, 2)
            assert [event.kind for event in ledger.events("house")] == ["ledger-upgraded"]
            (upgraded,) = (stored for stored in ledger.stored_events(chain="house"))
            assert ledger.linked_from() == upgraded.sequence
            past = [before for _, before in ledger.linked_events()]
        assert past[: upgraded.sequence - 1] == [None] * (upgraded.sequence - 1)
        assert None not in past[upgraded.sequence - 1 :]
        assert find_problems(old) == []


def test_a_ledger_that_poses_as_an_old_one_is_found(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        write(ledger)
    forget_links(tmp_path / "ledger.sqlite")
    assert "does not match" in find_problems(tmp_path / "ledger.sqlite")[0]


def test_an_upgrade_that_did_not_happen_is_found(old: Path) -> None:
    with Ledger.open(old) as ledger:
        write(ledger)
        linked = ledger.linked_from() or 0
    with raw(str(old)) as connection:
        connection.execute(text(f"UPDATE meta SET value = '{linked - 1}' WHERE name = 'linked'"))
    assert any("not linked from here on" in problem for problem in find_problems(old))


# -- Moments ----------------------------------------------------------------------------------------


def test_a_clock_that_is_set_back_moves_no_moment_back(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    present = now
    with Ledger.open(database) as ledger:
        write(ledger, 2)
        for _ in range(2):
            monkeypatch.setattr(transaction, "now", lambda: EARLY)
            write(ledger, 3)
            monkeypatch.setattr(transaction, "now", present)
            write(ledger, 1)
        moments = [event.at for event in ledger.events()]
        noted = list(ledger.events("house", kinds=("clock-set-back",)))
    assert moments == sorted(moments)
    assert [event.data["clock"] for event in noted] == [EARLY, EARLY]  # once for each jump
    assert find_problems(database) == []


def test_a_moment_that_runs_backwards_is_found(tmp_path: Path) -> None:
    (tmp_path / "forged").mkdir()
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        write(ledger)

    def move_moment(events: Events) -> None:
        events[3]["at"] = EARLY

    forged = rewrite_ledger(tmp_path, tmp_path / "forged", move_moment)
    (problem,) = find_problems(forged)
    assert "is before that of the event before it" in problem
