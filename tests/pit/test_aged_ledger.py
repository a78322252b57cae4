"""An old ledger: pages walk indexes, and a verification in parts finds what one pass finds."""

import sqlite3
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import pytest
from sqlalchemy import event

from feltlab.ledger.head_keys import HeadKey
from feltlab.ledger.indexes import old_indexes
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.mentions import find_rounds_beside, find_sequence
from feltlab.ledger.signed_tip import TipSigner
from feltlab.pit.event_kinds import ROUND_ENDS, SIGNIFICANT_KINDS
from feltlab.pit.history import list_rounds, list_rounds_between, list_significant_events
from feltlab.pit.recorded_round import load_last_rounds, load_round
from feltlab.pit.verify import VerifiedRecord, parts, verify, verify_since
from feltlab.pit.verify.follow import Share
from tests.support import aged_ledger
from tests.support.aged_ledger import Aged, make_aged_ledger
from tests.support.insider import sign_tip

TABLES, ROUNDS = 3, 600


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> Aged:
    with patch.object(aged_ledger, "STEPS_AT_ONCE", 20):
        return make_aged_ledger(tmp_path_factory.mktemp("aged"), ROUNDS, TABLES, days=90)


@pytest.fixture
def ledger(aged: Aged):
    with Ledger.open(aged.folder / "ledger.sqlite", writer=False) as ledger:
        yield ledger


def test_a_made_ledger_is_sound_and_spread_over_its_days(aged: Aged, ledger: Ledger) -> None:
    report = verify(ledger)
    assert report.problems == []
    assert report.settled == report.replayed == aged.rounds >= 0.8 * ROUNDS
    (first,), (last,) = ledger.stored_events(1, 1), ledger.newest_events(("settled",), 1, 2**40)
    assert first.at[:7] < last.at[:7]


# -- Queries ------------------------------------------------------------------------------------------


def explain(ledger: Ledger, work) -> list[str]:
    """How SQLite carries out every query of some work, but for those of one row."""
    asked: list[tuple[str, object]] = []

    def note(connection, cursor, statement, parameters, context, many) -> None:
        if parameters[-2:] != (1, 0):  # LIMIT and OFFSET
            asked.append((statement, parameters))

    event.listen(ledger.database.reading, "before_cursor_execute", note)
    try:
        work()
    finally:
        event.remove(ledger.database.reading, "before_cursor_execute", note)
    with sqlite3.connect(ledger.database.path) as connection:
        plans = [connection.execute(f"EXPLAIN QUERY PLAN {text}", given).fetchall() for text, given in asked]
    return [row[3] for plan in plans for row in plan]


def queries(aged: Aged, ledger: Ledger):
    name, number = aged.tables[0], aged.rounds // TABLES // 2
    return {
        "recall": lambda: load_last_rounds(ledger, None, 10),
        "a round": lambda: load_round(ledger, name, number),
        "its neighbours": lambda: find_rounds_beside(ledger, name, number, ROUND_ENDS),
        "its end": lambda: find_sequence(ledger, name, number, ROUND_ENDS),
        "last rounds": lambda: list_rounds(ledger, name, 10),
        "old rounds": lambda: list_rounds_between(ledger, name, number - 15, number),
        "events": lambda: list_significant_events(ledger, 40, 2**40),
        "events of a table": lambda: list_significant_events(ledger, 40, 2**40, chain=name),
        "slips": lambda: list(ledger.events(name, kinds=("opened", "carried-over", "closed"))),
        "a chain": lambda: list(ledger.stored_events(chain=name)),
        "a house": lambda: list(ledger.events("house", kinds=("account-created", "signed-out"))),
    }


@pytest.mark.parametrize("what", queries(Aged(Path(), 1, "", ("",)), None))  # type: ignore[arg-type]
def test_a_page_of_an_old_ledger_scans_and_sorts_nothing(aged: Aged, ledger: Ledger, what: str) -> None:
    for step in explain(ledger, queries(aged, ledger)[what]):
        assert not step.startswith("SCAN events"), step
        assert "TEMP B-TREE" not in step, step
        # In a chain, the index of numbers alone means that the whole chain is read.
        whole = "sqlite_autoindex_events_1 (chain=?)"
        assert what == "a chain" or whole not in step, step


def test_the_neighbours_of_a_round_are_found(aged: Aged, ledger: Ledger) -> None:
    name, last = aged.tables[0], ledger.last_events(aged.tables[0], ROUND_ENDS)[0].round
    assert find_rounds_beside(ledger, name, 1, ROUND_ENDS) == (None, 2)
    assert find_rounds_beside(ledger, name, 7, ROUND_ENDS) == (6, 8)
    assert find_rounds_beside(ledger, name, last, ROUND_ENDS) == (last - 1, None)


def test_events_of_several_kinds_come_in_order(aged: Aged, ledger: Ledger) -> None:
    """As one pass over all events finds them."""
    name, kinds = aged.tables[1], ("settled", "seated", "standing")
    every = list(ledger.events(name))
    assert list(ledger.events(name, kinds=kinds)) == [one for one in every if one.kind in kinds]
    assert list(ledger.events(name, after=90, kinds=kinds)) == [
        one for one in every if one.kind in kinds and one.number > 90
    ]
    assert list(ledger.events(name, kinds=())) == []
    newest = [one for one in ledger.stored_events() if one.kind in SIGNIFICANT_KINDS][::-1]
    assert list(ledger.newest_events(tuple(SIGNIFICANT_KINDS), 5, 2**40)) == newest[:5]
    below = newest[4].sequence
    assert list(ledger.newest_events(tuple(SIGNIFICANT_KINDS), 5, below)) == newest[5:10]
    assert ledger.last_events(name, ("standing",), 1, 90) == [
        [one for one in every if one.kind == "standing" and one.number < 90][-1]
    ]


def test_a_ledger_from_before_an_index_gets_it_and_says_so(tmp_path, monkeypatch, caplog) -> None:
    made = make_aged_ledger(tmp_path, 100, 1)
    with sqlite3.connect(made.folder / "ledger.sqlite") as connection:
        connection.execute("DROP INDEX events_by_kind")
    for name, value in (("MANY_EVENTS", 10), ("STEPS_PER_REPORT", 100), ("REPORT_SECONDS", 0.0)):
        monkeypatch.setattr(old_indexes, name, value)
    with Ledger.open(made.folder / "ledger.sqlite", signer=TipSigner(tmp_path)) as ledger:
        said = [record.getMessage() for record in caplog.records]
        assert "gets the index events_by_kind, once." in said[0]
        assert any("complete by about" in line for line in said)
        assert explain(ledger, lambda: list(ledger.newest_events(("settled",), 2, 2**40))) == [
            "SEARCH events USING INDEX events_by_kind (kind=? AND sequence<?)"
        ]
    caplog.clear()
    Ledger.open(made.folder / "ledger.sqlite", signer=TipSigner(tmp_path)).close()
    assert not caplog.records


# -- Verification in parts ----------------------------------------------------------------------------


def verify_all_parts(ledger: Ledger, count: int):
    chains = {chain: number for chain, (number, _) in ledger.heads().items()}
    last, address = ledger.last_sequence(), ledger.database.address
    shares = [None, *parts.divide_tables(chains, count, parts.find_games(ledger, chains))]
    found = [parts.verify_part(parts.Part(address, last, False, share)) for share in shares]
    return parts.add_reports(found, chains, last)


def test_parts_add_up_to_the_whole(ledger: Ledger) -> None:
    assert vars(verify_all_parts(ledger, 2)) == vars(verify(ledger))


def test_tables_are_divided_by_their_events() -> None:
    chains = {"house": 9, "cage": 30, "anchors": 3, "a": 100, "b": 60, "c": 50, "d": 1}
    shares = parts.divide_tables(chains, 2, {})
    assert shares == [Share(frozenset("ac")), Share(frozenset("bd"), has_rest=True)]  # and the digests
    assert parts.divide_tables({}, 4, {}) == [Share(has_rest=True)]


def test_tables_of_one_game_are_in_one_share_if_they_fit() -> None:
    """Each process loads the rules of its games, which takes longer than a short ledger."""
    chains = {"a": 40, "b": 40, "c": 30, "d": 30}
    shares = parts.divide_tables(chains, 2, {"a": "war", "b": "rummy", "c": "war", "d": "rummy"})
    assert shares == [Share(frozenset("ac")), Share(frozenset("bd"), has_rest=True)]
    shares = parts.divide_tables({"a": 40, "b": 40, "c": 30}, 2, dict.fromkeys("abc", "war"))
    assert shares == [Share(frozenset("ac")), Share(frozenset("b"), has_rest=True)]  # too many for one


def test_an_opening_that_cannot_be_read_divides_tables_without_it(aged: Aged, tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    path.write_bytes((aged.folder / "ledger.sqlite").read_bytes())
    with sqlite3.connect(path) as database:
        database.execute("DROP TRIGGER events_no_UPDATE")
        database.execute("UPDATE events SET data = '[' WHERE kind = 'opened'")
    with Ledger.open(path, writer=False) as changed:
        chains = {chain: number for chain, (number, _) in changed.heads().items()}
        assert parts.find_games(changed, chains) == {}


def test_parts_find_what_one_pass_finds(aged: Aged, tmp_path: Path) -> None:
    """A payment, a move of money, an approval and a digest, each changed in another chain."""
    path = tmp_path / "ledger.sqlite"
    with sqlite3.connect(aged.folder / "ledger.sqlite") as source, sqlite3.connect(path) as copy:
        source.backup(copy)
        copy.execute("DROP TRIGGER events_no_UPDATE")
        change(copy, "settled", aged.tables[0], '"returned"', '"returned" ')
        change(copy, "left", aged.tables[1], '"cents":', '"cents":1')
        change(copy, "to-table", "cage", '"cents":', '"cents":2')
        change(copy, "approval-step", "house", '"approve"', '"reject"')
    with Ledger.open(path, writer=False) as ledger:
        found, whole = verify_all_parts(ledger, 2), verify(ledger)
    assert {problem.chain for problem in whole.problems} >= {*aged.tables[:2], "cage", "house"}
    assert sorted(map(str, found.problems)) == sorted(map(str, whole.problems))


def change(connection: sqlite3.Connection, kind: str, chain: str, old: str, new: str) -> None:
    """Change the text of an event; its digest does not fit any more."""
    query = "SELECT sequence, data FROM events WHERE kind = ? AND chain = ? ORDER BY sequence DESC LIMIT 1"
    sequence, data = connection.execute(query, (kind, chain)).fetchone()
    assert old in data
    update = "UPDATE events SET data = ? WHERE sequence = ?"
    connection.execute(update, (data.replace(old, new, 1), sequence))


# -- Verification that goes on ------------------------------------------------------------------------


@pytest.fixture
def halves(aged: Aged, tmp_path: Path):
    """A ledger up to the middle of its rounds, and the whole of it."""
    path = tmp_path / "ledger.sqlite"
    with sqlite3.connect(aged.folder / "ledger.sqlite") as source, sqlite3.connect(path) as copy:
        source.backup(copy)
        for trigger in ("UPDATE", "DELETE"):
            copy.execute(f"DROP TRIGGER events_no_{trigger}")
    live = aged.folder / "ledger.sqlite"
    with Ledger.open(path, writer=False) as half, Ledger.open(live, signer=TipSigner(aged.folder)) as whole:
        yield half, whole, path


def cut(path: Path, last: int, key: HeadKey) -> None:
    """Leave the first events of a ledger, as it was signed then; its vault is that of a later moment."""
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM events WHERE sequence > ?", (last,))
        sign_tip(connection, key)


def find_moment(ledger: Ledger, share: float) -> int:
    """The sequence at the end of a transaction, after about this share of all of them."""
    events = list(ledger.stored_events())
    ends = [one.sequence for one, more in pairwise(events) if one.at != more.at]
    return ends[int(share * len(ends))]


def make_record(ledger: Ledger) -> VerifiedRecord:
    report = verify(ledger)
    assert all("the sealed cards of" in str(problem) for problem in report.problems)
    return VerifiedRecord.make(ledger, report)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_verification_goes_on_where_one_ended(aged: Aged, halves, tmp_path: Path, share: float) -> None:
    half, whole, path = halves
    cut(path, find_moment(whole, share), HeadKey(aged.folder / "heads.key"))
    make_record(half).save(tmp_path / "mine.json")
    record = VerifiedRecord.load(tmp_path / "mine.json")
    resumed = verify_since(whole, record)
    assert resumed.resumed == record.size
    everything = verify(whole)
    assert vars(resumed) | {"resumed": 0} == vars(everything)
