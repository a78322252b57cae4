"""The ledger: acknowledged events survive every failure, and every change of them is found."""

import asyncio
import hashlib
import json
import os
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event as listening
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.ledger.chains import verify_chains
from feltlab.ledger.database import EVENTS, Database
from feltlab.ledger.event import Draft, Entry, Key, StoredEvent
from feltlab.ledger.ledger import Ledger, LedgerDown, Repeated
from feltlab.ledger.vault import Vault
from feltlab.ledger.writing import transaction, writer
from tests.support.chains import follows
from tests.support.databases import raw, schema

DATA = {"seat": 3, "spot": "ante", "cents": 2500}
REQUEST = "a" * 64


def entry(*chains, key=None, **more):
    return Entry(tuple(Draft(chain, "wagered", DATA, 1) for chain in chains), key=key, **more)


def fill_ledger(database, n=10):
    """Write a ledger of two chains with n events each, and close it, which adds an anchor."""
    with Ledger.open(database) as ledger:
        for _ in range(n):
            ledger.append_blocking(entry("one", "two"))


def find_problems(database):
    with Ledger.open(database, writer=False) as ledger:
        return [str(problem) for problem in verify_chains(ledger)]


def count_commits(ledger):
    """A list that grows with each commit from now on."""
    counted = []
    listening.listen(ledger.database.writing, "commit", counted.append)
    return counted


# -- Events as JSON ---------------------------------------------------------------------------------

WORDS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | WORDS,
    lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner),
)


@given(VALUES)
def test_any_json_writer_writes_the_same_text(value):
    plain = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert canonical_json(value).decode() == plain
    assert json.loads(canonical_json(value)) == value


# -- Writing and reading ----------------------------------------------------------------------------


def test_appended_events_are_read_back_in_order(database):
    with Ledger.open(database) as ledger:
        first = ledger.append_blocking(Entry((Draft("one", "opened", {"ä": "\0♠", "n": [1, None]}),)))
        second = ledger.append_blocking(entry("one", "two", "one"))
        assert [event.number for event in first + second] == [1, 2, 1, 3]
        assert tuple(ledger.events()) == first + second
        assert list(ledger.events("one")) == [first[0], second[0], second[2]]
        assert list(ledger.events("one", round=0)) == [first[0]]
        assert list(ledger.events("one", after=2)) == [second[2]]
        assert list(ledger.events(after=3)) == [second[2]]
        assert list(ledger.events(kinds=["opened", "closed"])) == [first[0]]
        assert ledger.chains() == ["one", "two"]
        assert ledger.heads() == {"one": (3, second[2].digest), "two": (1, second[1].digest)}
    assert find_problems(database) == []


def test_stored_events_have_the_columns_of_the_database():
    assert tuple(EVENTS.columns.keys()) == StoredEvent._fields


def test_events_are_read_by_rounds_by_age_and_as_they_are_stored(database):
    with Ledger.open(database) as ledger:
        drafts = [Draft("one", kind, {}, round) for round in (1, 2, 3) for kind in ("dealt", "settled")]
        ledger.append_blocking(Entry(tuple(drafts)))
        ledger.append_blocking(Entry((Draft("two", "settled", {}, 2),)))
        assert [event.round for event in ledger.events_in_rounds("one", ("settled",), 2, 9)] == [3, 2]
        assert [event.sequence for event in ledger.newest_events(("settled",), 2, 7)] == [6, 4]
        assert [event.sequence for event in ledger.newest_events(("settled",), 9, 99, "two")] == [7]
        assert [event.sequence for event in ledger.stored_events(5, 6)] == [5, 6]
        assert [event.data for event in ledger.stored_events(chain="two")] == ["{}"]
        assert ledger.last_sequence() == 7
        assert [ledger.round_of_event("one", number) for number in (1, 6, 7)] == [1, 3, 0]
        assert ledger.round_of_event("three", 1) == 0


def test_every_event_follows_the_one_before_it(database):
    fill_ledger(database)
    with Ledger.open(database, writer=False) as ledger:
        past = {stored.digest: before for stored, before in ledger.linked_events()}
        for chain in ("one", "two", "anchors"):
            before = ""
            for number, event in enumerate(ledger.events(chain), start=1):
                assert (event.number, follows(event, before, past[event.digest])) == (number, True)
                before = event.digest


def test_a_digest_can_be_checked_without_feltlab(database):
    fill_ledger(database, 1)
    with raw(database) as connection:
        chain, number, kind, round_, at, data, digest = connection.execute(
            text("SELECT chain, number, kind, round, at, data, digest FROM events WHERE chain = 'one'")
        ).one()
    line = f'["","{chain}",{number},"{kind}",{round_},"{at}",{data},""]'
    assert digest == hashlib.sha256(line.encode()).hexdigest()


def test_recovery_reads_from_the_last_event_of_a_kind_on(database):
    kinds = ["opened", "standing", "wagered", "standing", "wagered", "dealt"]
    with Ledger.open(database) as ledger:
        ledger.append_blocking(Entry(tuple(Draft("one", kind, {}) for kind in kinds)))
        ledger.append_blocking(Entry((Draft("two", "standing", {}),)))
        assert [event.number for event in ledger.events_from_last("one", "standing")] == [4, 5, 6]
        assert [event.number for event in ledger.events_from_last("one", "void")] == [1, 2, 3, 4, 5, 6]
        assert ledger.events_from_last("three", "standing") == []
        assert [event.number for event in ledger.last_events("one", ["standing", "wagered"], 3)] == [3, 4, 5]
        assert [event.number for event in ledger.last_events("one", ["dealt"])] == [6]
        assert ledger.last_events("one", ["dealt"], 0) == []


def test_a_reopened_ledger_continues_its_chains(database):
    fill_ledger(database, 2)
    with Ledger.open(database) as ledger:
        assert ledger.append_blocking(entry("one"))[0].number == 3
    assert find_problems(database) == []


def test_secrets_come_and_go_with_their_entry(database):
    with Ledger.open(database) as ledger:
        ledger.append_blocking(entry("one", sealed={"a": b"first", "b": b""}))
        assert [ledger.load_sealed(name) for name in "abc"] == [b"first", b"", None]
        ledger.append_blocking(entry("one", sealed={"a": b"second"}, unsealed=("b", "c")))
        assert [ledger.load_sealed(name) for name in "ab"] == [b"second", None]


def test_a_secret_that_is_no_ascii_text_is_refused_before_it_is_queued(database):
    with Ledger.open(database) as ledger:
        with pytest.raises(UnicodeDecodeError):
            ledger.append_blocking(entry("one", sealed={"a": b"\xff"}))
        assert ledger.append_blocking(entry("one"))[0].number == 1


async def test_many_entries_share_a_commit(database):
    with Ledger.open(database) as ledger:
        counted = count_commits(ledger)
        told = await asyncio.gather(*(ledger.append(entry("one", "two")) for _ in range(100)))
        assert len(counted) <= 10
        assert [events[0].number for events in told] == list(range(1, 101))
    assert find_problems(database) == []


async def test_a_cancelled_append_is_written(database):
    with Ledger.open(database) as ledger:
        waiting = asyncio.create_task(ledger.append(entry("one")))
        await asyncio.sleep(0)
        waiting.cancel()
        await ledger.append(entry("one"))
        assert len(list(ledger.events("one"))) == 2


def test_loops_in_several_threads_append_at_once(database):
    async def many(ledger):
        await asyncio.gather(*(ledger.append(entry("one")) for _ in range(50)))

    with Ledger.open(database) as ledger:
        threads = [threading.Thread(target=lambda: asyncio.run(many(ledger))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert ledger.heads()["one"][0] == 150
    assert find_problems(database) == []


@pytest.mark.parametrize(
    "wrong",
    [
        entry("anchors"),
        entry(""),
        entry("o\0ne"),
        entry("one", key=Key("ann", "x" * 256, REQUEST)),
        entry("one", key=Key("ann", "\udc80", REQUEST)),
        entry("one", sealed={"\n": b""}),
    ],
)
def test_an_entry_that_cannot_be_stored_is_refused_alone(database, wrong):
    with Ledger.open(database) as ledger:
        with pytest.raises(Refused):
            ledger.append_blocking(wrong)
        with pytest.raises(TypeError):
            ledger.append_blocking(Entry((Draft("one", "wagered", {"cents": 1 << 70}),)))
        assert ledger.append_blocking(entry("one"))[0].number == 1


def test_a_closed_ledger_accepts_nothing(database):
    ledger = Ledger.open(database)
    ledger.close()
    ledger.close()
    with pytest.raises(LedgerDown, match="closed"):
        ledger.append_blocking(entry("one"))


# -- One writer, many readers -----------------------------------------------------------------------


def test_a_second_writer_is_refused(database):
    with Ledger.open(database), pytest.raises(Refused, match=r"is in use by another server\.$"):
        Ledger.open(database)
    Ledger.open(database).close()


def test_a_link_leads_to_the_same_lock(tmp_path):
    os.symlink(tmp_path / "ledger.db", tmp_path / "link.db")
    with Ledger.open(tmp_path / "ledger.db"), pytest.raises(Refused, match="in use"):
        Ledger.open(f"sqlite:///{tmp_path}/link.db")


def test_readers_read_while_a_server_writes(database):
    with Ledger.open(database) as ledger, Ledger.open(database, writer=False) as reader:
        ledger.append_blocking(entry("one"))
        reading = reader.events("one")
        first = next(reading)
        ledger.append_blocking(entry("one"))
        assert first.number == 1
        assert len(list(reader.events("one"))) == 2
        assert list(verify_chains(reader)) == []
        with pytest.raises(Refused, match="open for reading only"):
            reader.append_blocking(entry("one"))
        assert list(reading) == []  # as it stood when the reading began


def test_a_reader_cannot_write(database):
    fill_ledger(database, 1)
    with (
        Ledger.open(database, writer=False) as reader,
        reader.database.reading.connect() as connection,
        pytest.raises(DBAPIError, match=r"read.?only"),
    ):
        connection.execute(text("DELETE FROM keys"))


def test_only_the_owner_may_read_a_new_ledger(tmp_path):
    with Ledger.open(tmp_path / "ledger.db") as ledger:
        ledger.append_blocking(entry("one"))
        assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


def test_a_ledger_in_a_read_only_folder_can_be_read(tmp_path, monkeypatch):
    fill_ledger(tmp_path / "ledger.db")
    (tmp_path / "ledger.db.lock").unlink()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with Ledger.open(tmp_path / "ledger.db", writer=False) as ledger:
        assert list(verify_chains(ledger)) == []
        assert [path.name for path in tmp_path.iterdir()] == ["ledger.db"]


def test_a_place_without_a_ledger_is_refused(tmp_path):
    for place, told in {
        tmp_path / "none.db": "There is no ledger at",
        "mysql://host/name": "neither a SQLite file nor a PostgreSQL server",
        "sqlite://": "neither",
        "://": "cannot be read",
    }.items():
        with pytest.raises(Refused, match=told):
            Ledger.open(place, writer=False)
    with pytest.raises(Refused, match="No such file"):
        Ledger.open(tmp_path / "no" / "ledger.db")


@pytest.mark.parametrize("writes", [True, False])
def test_a_file_that_is_no_ledger_is_refused_and_unchanged(tmp_path, writes):
    (tmp_path / "text").write_bytes(b"not a database" * 100)
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE events (x)").connection.close()
    for name in ("text", "other.db"):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(Refused):
            Ledger.open(tmp_path / name, writer=writes)
        assert (tmp_path / name).read_bytes()[100:] == before[100:]


def test_a_ledger_of_another_version_is_refused(database):
    fill_ledger(database, 1)
    with raw(database) as connection:
        connection.execute(text("UPDATE meta SET value = '99'"))
    for writes in (True, False):
        with pytest.raises(Refused, match="another version of feltlab: 99, not 3"):
            Ledger.open(database, writer=writes)


def test_a_password_is_never_shown():
    assert "secret" not in str(Database.at("postgresql://ann:secret@host/name"))


# -- Only ever added to -----------------------------------------------------------------------------


@pytest.mark.parametrize("change", ["UPDATE events SET round = 2", "DELETE FROM events"])
def test_the_database_refuses_to_change_events(database, change):
    with Ledger.open(database) as ledger:
        ledger.append_blocking(entry("one"))
        with (
            ledger.database.writing.connect() as connection,
            pytest.raises(DBAPIError, match="only ever added to"),
        ):
            connection.execute(text(change))
        assert len(list(ledger.events())) == 1


def test_sqlite_refuses_to_replace_events(tmp_path):
    fill_ledger(tmp_path / "ledger.db", 1)
    with (
        sqlite3.connect(tmp_path / "ledger.db") as connection,
        pytest.raises(sqlite3.IntegrityError, match="only ever added to"),
    ):
        connection.execute("INSERT OR REPLACE INTO events VALUES (9, 'one', 1, 'x', 1, '', '{}', '')")


def fail_at_vault(connection, cursor, statement, *_):
    if statement.startswith("INSERT INTO vault"):
        raise OSError("the last statement of the transaction fails")


def test_an_entry_is_written_whole_or_not_at_all(database):
    with Ledger.open(database) as ledger:
        ledger.append_blocking(entry("one"))
        listening.listen(ledger.database.writing, "before_cursor_execute", fail_at_vault)
        with pytest.raises(LedgerDown, match="nothing was accepted"):
            ledger.append_blocking(entry("one", "two", sealed={"a": b"x"}, key=Key("ann", "k", REQUEST)))
        assert "the last statement" in ledger.down
        assert ledger.chains() == ["one"]
        ledger.append_blocking(entry("one", key=Key("ann", "k", REQUEST)))
        assert ledger.down == ""
    assert find_problems(database) == []


# -- Keys -------------------------------------------------------------------------------------------


def expect_repeated(ledger, key):
    with pytest.raises(Repeated) as told:
        ledger.append_blocking(entry("one", key=key))
    return told.value.request, told.value.sequence


def test_a_key_takes_effect_once_even_after_a_restart(database):
    key = Key("ann", "bet-1", REQUEST)
    with Ledger.open(database) as ledger:
        ledger.append_blocking(entry("one", "one", key=key))
        assert expect_repeated(ledger, Key("ann", "bet-1", "b" * 64)) == (REQUEST, 2)
        ledger.append_blocking(entry("two", key=Key("bob", "bet-1", REQUEST)))
    with Ledger.open(database) as ledger:
        assert expect_repeated(ledger, key) == (REQUEST, 2)
        assert ledger.heads()["one"][0] == 2


async def test_a_key_sent_many_times_at_once_takes_effect_once(database):
    with Ledger.open(database) as ledger:
        sent = (ledger.append(entry("one", key=Key("ann", "bet", REQUEST))) for _ in range(50))
        answers = await asyncio.gather(*sent, return_exceptions=True)
        assert sum(isinstance(answer, Repeated) for answer in answers) == 49
        assert ledger.heads()["one"][0] == 1


def test_keys_beyond_the_cache_take_effect_once(database, monkeypatch):
    monkeypatch.setattr(transaction, "MAX_CACHED_KEYS", 3)
    keys = [Key("ann", str(number), REQUEST) for number in range(6)]
    with Ledger.open(database) as ledger:
        for key in keys:
            ledger.append_blocking(entry("one", key=key))
        assert [expect_repeated(ledger, key)[1] for key in keys] == [1, 2, 3, 4, 5, 6]
    with Ledger.open(database) as ledger:
        assert [expect_repeated(ledger, key)[1] for key in keys] == [1, 2, 3, 4, 5, 6]


def test_keys_older_than_a_day_are_forgotten(database):
    with Ledger.open(database) as ledger:
        for name in ("old", "new"):
            ledger.append_blocking(entry("one", key=Key("ann", name, REQUEST)))
    with raw(database) as connection:
        old = (datetime.now(UTC) - timedelta(hours=25)).isoformat(timespec="microseconds")
        connection.execute(text("UPDATE keys SET at = :old WHERE name = 'old'"), {"old": old})
    with Ledger.open(database) as ledger:
        expect_repeated(ledger, Key("ann", "new", REQUEST))
        ledger.append_blocking(entry("one", key=Key("ann", "old", REQUEST)))


def test_keys_are_forgotten_daily_while_a_server_runs(database):
    with Ledger.open(database) as ledger:
        ledger.append_blocking(entry("one", key=Key("ann", "bet", REQUEST)))
        with raw(database) as connection:
            connection.execute(text("UPDATE keys SET at = '2026-01-01'"))
        expect_repeated(ledger, Key("ann", "bet", REQUEST))
        ledger._writer._keys.day -= timedelta(days=1)
        ledger.append_blocking(entry("one", key=Key("ann", "bet", REQUEST)))


# -- Anchors and verifying --------------------------------------------------------------------------


def test_anchors_name_the_chains_that_changed(database, monkeypatch):
    monkeypatch.setattr(writer, "EVENTS_PER_ANCHOR", 4)
    with Ledger.open(database) as ledger:
        first = ledger.append_blocking(entry("one", "one", "one"))
        second = ledger.append_blocking(entry("two"))
        third = ledger.append_blocking(entry("one"))
    with Ledger.open(database) as ledger:  # nothing changed: no anchor
        anchors = [event.data for event in ledger.events("anchors")]
    assert anchors == [
        {"heads": {"one": [3, first[2].digest], "two": [1, second[0].digest]}, "sequence": 4},
        {"heads": {"one": [4, third[0].digest]}, "sequence": 6},
    ]


def run_statement(statement):
    return lambda connection: connection.execute(text(statement))


def forge_events(connection):
    """Change event 5 of a chain, and compute every digest after it by the rule."""
    past, heads = "", {"one": "", "two": "", "anchors": ""}
    for row in connection.execute(select(EVENTS).order_by(EVENTS.c.sequence)).all():
        data = json.loads(row.data) | ({"cents": 999_999} if (row.chain, row.number) == ("one", 5) else {})
        fields = [heads[row.chain], row.chain, row.number, row.kind, row.round, row.at, data, past]
        past = heads[row.chain] = hashlib.sha256(canonical_json(fields)).hexdigest()
        values = {"data": canonical_json(data).decode(), "digest": past}
        connection.execute(EVENTS.update().where(EVENTS.c.sequence == row.sequence).values(values))


def forge_anchor(connection):
    """Empty an anchor, with a matching digest."""
    row = connection.execute(select(EVENTS).where(EVENTS.c.chain == "anchors")).one()
    past = connection.execute(select(EVENTS.c.digest).where(EVENTS.c.sequence == row.sequence - 1)).scalar()
    digest = hashlib.sha256(canonical_json(["", row.chain, 1, row.kind, 0, row.at, {}, past])).hexdigest()
    connection.execute(EVENTS.update().where(EVENTS.c.chain == "anchors").values(data="{}", digest=digest))


def swap_events(connection):
    """Swap events 4 and 6 of a chain, which have the sequences 7 and 11."""
    for old, new in ((7, 99), (11, 7), (99, 11)):
        connection.execute(text(f"UPDATE events SET sequence = {new} WHERE sequence = {old}"))


INSERTED = "INSERT INTO events VALUES ({}, 'one', {}, 'wagered', 1, '2026', '{{}}', '" + "f" * 64 + "')"
CHANGED = "it or an event before it was changed"
OF_ONE = "DELETE FROM events WHERE chain = 'one' AND number"


@pytest.mark.parametrize(
    ("tamper", "found"),
    [
        (forge_anchor, "anchors 1: it was not written after sequence 20"),
        (
            run_statement("UPDATE events SET data = '{}' WHERE sequence = 9"),
            f"one 5: {CHANGED}",
        ),
        (
            run_statement("UPDATE events SET at = '' WHERE sequence = 9"),
            f"one 5: {CHANGED}",
        ),
        (
            run_statement("UPDATE events SET kind = 'x' WHERE sequence = 9"),
            f"one 5: {CHANGED}",
        ),
        (
            run_statement("UPDATE events SET round = 7 WHERE sequence = 9"),
            f"one 5: {CHANGED}",
        ),
        (
            run_statement("UPDATE events SET digest = '' WHERE sequence = 9"),
            f"one 5: {CHANGED}",
        ),
        (
            run_statement("UPDATE events SET chain = 'three' WHERE sequence = 9"),
            "three 5: it is in the place of three 1",
        ),
        (
            run_statement("UPDATE events SET data = '{}' WHERE chain = 'anchors'"),
            f"anchors 1: {CHANGED}",
        ),
        (swap_events, "one 6: it is in the place of one 4"),
        (run_statement(f"{OF_ONE} = 5"), "one 6: it is in the place of one 5"),
        (run_statement(f"{OF_ONE} = 5"), "two 5: the events before it are missing (sequence 9 to 9)"),
        (run_statement(f"{OF_ONE} = 10"), "one 10: the chain ends at 9, but anchor 1 names 10"),
        (run_statement(f"{OF_ONE} > 0"), "one 10: the chain ends at 0, but anchor 1 names 10"),
        (
            run_statement("DELETE FROM events WHERE sequence = 20"),
            "two 10: the chain ends at 9, but anchor 1 names 10",
        ),
        (forge_events, "one 10: it is not the event that anchor 1 names"),
        (run_statement(INSERTED.format(22, 11)), f"one 11: {CHANGED}"),
        (run_statement(INSERTED.format(0, 11)), "one 11: it is in the place of one 1"),
        (
            run_statement("UPDATE events SET sequence = 30 WHERE sequence = 21"),
            "anchors 1: it was not written after",
        ),
    ],
)
def test_tampering_is_found_and_named(database, tamper, found):
    fill_ledger(database)
    with raw(database) as connection:
        tamper(connection)
    told = find_problems(database)
    assert [sentence for sentence in told if found in sentence], told
    assert len(told) <= 11


def test_values_of_a_wrong_type_are_found(tmp_path):
    for value in ("'x'", "x'00'", "1.5"):
        path = str(tmp_path / f"{value}.db")
        fill_ledger(path)
        for column in ("chain", "number", "kind", "round", "at", "data", "digest"):
            with raw(path) as connection:
                connection.execute(text(f"UPDATE events SET {column} = {value} WHERE sequence = 9"))
            assert find_problems(path), (column, value)


def test_text_that_is_not_utf8_is_found(tmp_path):
    fill_ledger(tmp_path / "ledger.db")
    with raw(str(tmp_path / "ledger.db")) as connection:
        connection.execute(text("UPDATE events SET data = CAST(x'ff' AS TEXT) WHERE sequence = 9"))
    assert "cannot be read" in find_problems(tmp_path / "ledger.db")[0]


def test_a_server_refuses_a_ledger_that_was_cut_short(database):
    fill_ledger(database)
    with raw(database) as connection:
        connection.execute(text(f"{OF_ONE} > 8"))
    with pytest.raises(Refused, match="was changed: it lacks event 10 of one, which anchor 1 names"):
        Ledger.open(database)


def test_verification_reports_its_progress(database, monkeypatch):
    fill_ledger(database)
    heard = []
    with Ledger.open(database, writer=False) as ledger:
        assert list(verify_chains(ledger, heard.append)) == []
    assert heard == [21]


# -- Failures ---------------------------------------------------------------------------------------

KILLED = """\
import asyncio, sys
from feltlab.ledger.event import Draft, Entry
from feltlab.ledger.ledger import Ledger

async def player(ledger, chain):
    while True:
        events = await ledger.append(Entry(tuple(Draft(chain, "wagered", {"cents": 1}) for _ in range(3))))
        sys.stdout.write("".join(f"{e.chain} {e.number} {e.digest}\\n" for e in events))
        sys.stdout.flush()

async def main():
    ledger = Ledger.open(sys.argv[1])
    await asyncio.gather(*(player(ledger, f"table-{n % 5}") for n in range(20)))

asyncio.run(main())
"""


@pytest.mark.parametrize("lines", [1, 400, 3000])
def test_acknowledged_events_survive_a_kill(database, lines):
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, database], stdout=subprocess.PIPE, text=True
    ) as child:
        told = [child.stdout.readline() for _ in range(lines)]
        child.send_signal(signal.SIGKILL)
        told += [line for line in child.stdout if line.endswith("\n")]
    with reopen(database) as ledger:
        found = {f"{event.chain} {event.number} {event.digest}\n" for event in ledger.events()}
        assert len(told) >= lines
        assert set(told) <= found
        assert list(verify_chains(ledger)) == []


def reopen(database):
    """PostgreSQL takes a moment to see that a client is gone."""
    for _ in range(100):
        try:
            return Ledger.open(database)
        except Refused:
            time.sleep(0.1)
    return Ledger.open(database)


def append_forever(ledger, accepted):
    while len(accepted) < 100_000:
        accepted += ledger.append_blocking(entry("one", "two"))


def test_a_full_disk_is_reported_and_nothing_is_lost(tmp_path):
    pages = [1 << 30]

    def limit(connection, _):
        connection.execute(f"PRAGMA max_page_count = {pages[0]}")

    with Ledger.open(tmp_path / "ledger.db") as ledger:
        listening.listen(ledger.database.writing, "connect", limit)
        accepted = list(ledger.append_blocking(entry("one")))
        pages[0] = 1  # no more than there are
        ledger._writer._disconnect()
        with pytest.raises(LedgerDown, match="database or disk is full; nothing was accepted"):
            append_forever(ledger, accepted)
        assert "full" in ledger.down
        assert [event for event in ledger.events() if event.chain != "anchors"] == accepted
        pages[0] = 1 << 30
        accepted += ledger.append_blocking(entry("one", "two"))
        assert ledger.down == ""
        assert [event for event in ledger.events() if event.chain != "anchors"] == accepted
    assert find_problems(tmp_path / "ledger.db") == []


def test_a_file_that_may_not_grow_is_reported_and_nothing_is_lost(tmp_path):
    """The operating system refuses, in whichever call comes first."""
    accepted = []
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Ledger.open(tmp_path / "ledger.db") as ledger:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
            with pytest.raises(LedgerDown, match="The ledger cannot be written"):
                append_forever(ledger, accepted)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        accepted += ledger.append_blocking(entry("one", "two"))
        written = [event for event in ledger.events() if event.chain != "anchors"]
        assert [event for event in written if event in accepted] == accepted
        assert len(written) - len(accepted) in (0, 2)  # a commit whose answer was lost
    assert find_problems(tmp_path / "ledger.db") == []


def test_a_database_that_lost_events_is_not_written(database):
    with Ledger.open(database) as ledger:
        for _ in range(3):
            ledger.append_blocking(entry("one"))
        with raw(database) as connection:
            connection.execute(text("DELETE FROM events WHERE number > 1"))
        ledger._writer._disconnect()
        for _ in range(2):
            with pytest.raises(LedgerDown, match="lacks events that it held before; nothing was accepted"):
                ledger.append_blocking(entry("one"))


def test_a_ledger_that_cannot_keep_up_refuses_at_once(database, monkeypatch):
    monkeypatch.setattr(writer, "MAX_WAITING_ENTRIES", 3)
    writing, release = threading.Event(), threading.Event()

    def hold_commit(_connection):
        writing.set()
        release.wait()

    async def crowd(ledger):
        first = asyncio.create_task(ledger.append(entry("one")))
        await asyncio.to_thread(writing.wait)
        rest = [asyncio.create_task(ledger.append(entry("one"))) for _ in range(19)]
        await asyncio.wait(rest, return_when=asyncio.FIRST_COMPLETED)
        release.set()
        return await asyncio.gather(first, *rest, return_exceptions=True)

    with Ledger.open(database) as ledger:
        listening.listen(ledger.database.writing, "commit", hold_commit)
        answers = asyncio.run(crowd(ledger))
        refused = [answer for answer in answers if isinstance(answer, LedgerDown)]
        assert len(refused) == 16  # one is being written and three wait
        assert "cannot keep up" in str(refused[0])
        assert ledger.heads()["one"][0] == 4


def end_connection(connection):
    """End the writer's connection to this schema."""
    lock = "locktype = 'advisory' AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid"
    connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE {lock}"))


async def test_a_lost_connection_loses_no_acknowledged_event(postgres):
    with schema(postgres) as url, Ledger.open(url) as ledger:
        accepted, failed, stop = [], [], asyncio.Event()

        async def player(chain):
            while not stop.is_set():
                try:
                    accepted.extend(await ledger.append(entry(chain, chain)))
                except LedgerDown as error:
                    failed.append(str(error))

        players = [asyncio.create_task(player(f"table-{n}")) for n in range(10)]
        for _ in range(5):
            await asyncio.sleep(0.1)
            with raw(url) as connection:
                end_connection(connection)
        await asyncio.sleep(0.2)
        stop.set()
        await asyncio.gather(*players)
        accepted += ledger.append_blocking(entry("last"))
        written = {(event.chain, event.number, event.digest) for event in ledger.events()}
        assert failed
        assert {(event.chain, event.number, event.digest) for event in accepted} <= written
        assert list(verify_chains(ledger)) == []
        assert ledger.down == ""


def test_a_commit_whose_answer_is_lost_is_read_again(database):
    """The database committed, but the server does not know: the next event follows the committed one."""
    lose = [False]

    def lost(connection):
        if lose[0]:
            lose[0] = False
            connection.connection.driver_connection.commit()
            raise OSError("the answer is lost")

    key = Key("ann", "bet", REQUEST)
    with Ledger.open(database) as ledger:
        listening.listen(ledger.database.writing, "commit", lost)
        ledger.append_blocking(entry("one"))
        lose[0] = True
        with pytest.raises(LedgerDown, match="the answer is lost; it is not known whether it was accepted"):
            ledger.append_blocking(entry("one", key=key))
        assert expect_repeated(ledger, key) == (REQUEST, 2)
        assert ledger.append_blocking(entry("one"))[0].number == 3
    assert find_problems(database) == []


# -- The vault --------------------------------------------------------------------------------------


def test_a_vault_unseals_its_own_secrets(tmp_path):
    sealed = Vault.open(tmp_path / "key").seal(b"7h As")
    assert b"7h" not in sealed
    assert Vault.open(tmp_path / "key").unseal(sealed) == b"7h As"
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_another_key_opens_nothing(tmp_path):
    sealed = Vault.open(tmp_path / "key").seal(b"secret")
    with pytest.raises(Refused, match="the key or the secret was changed"):
        Vault.open(tmp_path / "other").unseal(sealed)


def test_a_key_that_others_may_read_is_refused(tmp_path):
    Vault.open(tmp_path / "key")
    (tmp_path / "key").chmod(0o640)
    with pytest.raises(Refused, match="Others can read"):
        Vault.open(tmp_path / "key")


def test_a_file_without_a_key_is_refused(tmp_path):
    (tmp_path / "key").touch(0o600)
    with pytest.raises(Refused, match="holds no secret"):
        Vault.open(tmp_path / "key")
    (tmp_path / "key").write_text("not a key")
    with pytest.raises(Refused, match="holds no key"):
        Vault.open(tmp_path / "key")
    with pytest.raises(Refused, match="cannot be kept"):
        Vault.open(tmp_path)
    with pytest.raises(Refused, match="No such file"):
        Vault.open(tmp_path / "no" / "key")


def test_servers_that_start_at_once_share_one_key(tmp_path):
    vaults = []
    threads = [threading.Thread(target=lambda: vaults.append(Vault.open(tmp_path / "key"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {vault.unseal(vaults[0].seal(b"x")) for vault in vaults} == {b"x"}
