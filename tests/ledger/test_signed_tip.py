"""The signed tip: an insider with the database, but without the key, adds or takes out nothing at its end."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, insert, select, text, update

from feltlab.errors import Refused
from feltlab.ledger import head_keys
from feltlab.ledger.chains import verify_chains, verify_tip
from feltlab.ledger.database import EVENTS, META, LedgerDown
from feltlab.ledger.event import Draft, Entry, event_digest, now
from feltlab.ledger.head_keys import HeadKey
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.signed_tip import SignedTip, TipSigner
from feltlab.ledger.witnesses import HeadSigner
from tests.support.databases import raw, schema


def open_signed(place: str, folder: Path, accepts_unsigned: bool = False, is_shared: bool = False) -> Ledger:
    """A ledger as a server opens it."""
    signer = TipSigner(folder, may_renew=True, accepts_unsigned=accepts_unsigned)
    return Ledger.open(place, signer=signer, is_shared=is_shared)


def write(ledger: Ledger, count: int, chain: str = "table") -> None:
    for n in range(count):
        ledger.append_blocking(Entry((Draft(chain, "noted", {"n": n}),)))


def find_problems(place: str, *keys: str) -> list[str]:
    with Ledger.open(place, writer=False) as ledger:
        return [str(problem) for problem in (*verify_chains(ledger), *verify_tip(ledger, keys))]


def read_kinds(place: str, chain: str = "house") -> list[str]:
    with Ledger.open(place, writer=False) as ledger:
        return [event.kind for event in ledger.events(chain)]


def read_tip(connection: Connection) -> str:
    value = connection.execute(select(META.c.value).where(META.c.name == "tip")).scalar()
    assert value
    return str(value)


@pytest.fixture
def closed(database: str, tmp_path: Path) -> str:
    """A ledger of two starts, which has ended; the key is in the folder of the test."""
    for _ in range(2):
        with open_signed(database, tmp_path) as ledger:
            write(ledger, 5)
    assert find_problems(database) == []
    return database


# -- An insider ---------------------------------------------------------------------------------------


def append_event(connection: Connection, chain: str = "table", kind: str = "noted", data: str = "{}") -> None:
    """Append an event that fits, as whoever has the database can."""
    past = connection.execute(select(EVENTS).order_by(EVENTS.c.sequence.desc()).limit(1)).one()
    of_chain = select(EVENTS).where(EVENTS.c.chain == chain).order_by(EVENTS.c.number.desc()).limit(1)
    before = connection.execute(of_chain).one_or_none()
    fields = (chain, before.number + 1 if before else 1, kind, 0, now())
    digest = event_digest(before.digest if before else "", *fields, json.loads(data), past.digest)
    names = ("sequence", "chain", "number", "kind", "round", "at", "data", "digest")
    row = (past.sequence + 1, *fields, data, digest)
    connection.execute(insert(EVENTS), dict(zip(names, row, strict=True)))


def append_two(connection: Connection, folder: Path) -> None:
    append_event(connection)
    append_event(connection)


def append_and_move_the_tip(connection: Connection, folder: Path) -> None:
    append_event(connection)
    last = connection.execute(select(EVENTS).order_by(EVENTS.c.sequence.desc()).limit(1)).one()
    tip = json.loads(read_tip(connection)) | {"sequence": last.sequence, "digest": last.digest}
    set_tip(connection, json.dumps(tip))


def set_tip(connection: Connection, value: str) -> None:
    connection.execute(update(META).where(META.c.name == "tip").values(value=value))


def sign_with(connection: Connection, key: HeadKey) -> None:
    last = connection.execute(select(EVENTS).order_by(EVENTS.c.sequence.desc()).limit(1)).one()
    set_tip(connection, json.dumps(vars(SignedTip.sign(key, last.sequence, last.digest))))


def append_and_sign_with_own_key(connection: Connection, folder: Path) -> None:
    append_event(connection)
    sign_with(connection, HeadKey(folder / "insider.key"))


def append_and_name_own_key(connection: Connection, folder: Path) -> None:
    """The record itself says that another key signs from now on."""
    key = HeadKey(folder / "insider.key")
    append_event(connection, "house", "tip-signed", json.dumps({"key": key.public}, separators=(",", ":")))
    sign_with(connection, key)


def remove_tip(connection: Connection, folder: Path) -> None:
    connection.execute(delete(META).where(META.c.name == "tip"))


def append_and_remove_tip(connection: Connection, folder: Path) -> None:
    append_event(connection)
    remove_tip(connection, folder)


def pose_as_an_old_ledger(connection: Connection, folder: Path) -> None:
    append_and_remove_tip(connection, folder)
    connection.execute(update(META).where(META.c.name == "schema").values(value="2"))


def cut_the_end(connection: Connection, folder: Path) -> None:
    """Back to the last anchor but one: everything that is left fits."""
    anchors = select(EVENTS.c.sequence).where(EVENTS.c.chain == "anchors").order_by(EVENTS.c.sequence.desc())
    last = connection.execute(anchors.offset(1).limit(1)).scalar_one()
    connection.execute(delete(EVENTS).where(EVENTS.c.sequence > last))


def cut_and_append(connection: Connection, folder: Path) -> None:
    count = len(connection.execute(select(EVENTS.c.sequence)).all())
    cut_the_end(connection, folder)
    while len(connection.execute(select(EVENTS.c.sequence)).all()) < count:
        append_event(connection)


CHANGES: dict[Callable[[Connection, Path], None], str] = {
    append_two: "the last 2 events were not signed, after event",
    append_and_move_the_tip: "the signature of its last event is wrong",
    append_and_sign_with_own_key: "signed with another key",
    append_and_name_own_key: "signed with another key",
    remove_tip: "the signature of its last event is missing",
    append_and_remove_tip: "the signature of its last event is missing",
    pose_as_an_old_ledger: "the signature of its last event is missing",
    cut_the_end: "was signed as its last: the last 6 events were taken out",
    cut_and_append: "is not the one that was signed as its last",
}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_changed_end_is_found_and_refused(
    closed: str, tmp_path: Path, change: Callable[[Connection, Path], None]
) -> None:
    with raw(closed) as connection:
        change(connection, tmp_path)
    (problem,) = find_problems(closed)
    assert CHANGES[change] in problem
    with pytest.raises(Refused, match=CHANGES[change]):
        open_signed(closed, tmp_path)
    assert find_problems(closed) == [problem]  # the start has changed nothing


def test_an_earlier_signature_is_found_and_refused(database: str, tmp_path: Path) -> None:
    with open_signed(database, tmp_path) as ledger:
        write(ledger, 3)
        with ledger.reading() as connection:
            earlier = read_tip(connection)
        write(ledger, 2)
    with raw(database) as connection:
        set_tip(connection, earlier)
    (problem,) = find_problems(database)
    assert "the last 3 events were not signed" in problem  # two, and the last anchor
    with pytest.raises(Refused, match="the last 3 events were not signed"):
        open_signed(database, tmp_path)


def test_what_an_operator_accepts_is_reported_from_then_on(closed: str, tmp_path: Path) -> None:
    with raw(closed) as connection:
        append_two(connection, tmp_path)
    with open_signed(closed, tmp_path, accepts_unsigned=True) as ledger:
        write(ledger, 1)
        (event,) = ledger.events("house", kinds=("unsigned-accepted",))
    assert event.data["last"] == event.data["signed"] + 2
    for _ in range(2):
        (problem,) = find_problems(closed)
        assert "the ledger was accepted as it was: the last 2 events were not signed" in problem
        with open_signed(closed, tmp_path, accepts_unsigned=True) as ledger:  # nothing is wrong any more
            write(ledger, 1)
    assert read_kinds(closed).count("unsigned-accepted") == 1


def test_a_running_server_does_not_sign_what_another_hand_adds(database: str, tmp_path: Path) -> None:
    ledger = open_signed(database, tmp_path)
    write(ledger, 3)
    with raw(database) as connection:
        append_event(connection)
    with pytest.raises(LedgerDown, match="somebody changed it: the last event was not signed"):
        write(ledger, 1)
    ledger.close()
    assert any("not signed" in problem for problem in find_problems(database))


# -- Writers with and without a key -------------------------------------------------------------------


def test_a_signed_ledger_is_never_written_without_a_key(closed: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"it is written only with the heads\.key of its pit"):
        Ledger.open(closed)
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(Refused, match=r"lacks the heads\.key of the pit"):
        Ledger.open(closed, signer=TipSigner(tmp_path / "elsewhere"))
    assert not (tmp_path / "elsewhere" / "heads.key").exists()
    assert find_problems(closed) == []


def test_an_old_ledger_is_signed_from_its_next_start_on(database: str, tmp_path: Path) -> None:
    with Ledger.open(database) as ledger:
        write(ledger, 3)
    for _ in range(2):
        with open_signed(database, tmp_path) as ledger:
            write(ledger, 1)
    assert read_kinds(database) == ["tip-signed"]
    assert find_problems(database) == []
    with raw(database) as connection:  # which an earlier version of feltlab does not know
        assert connection.execute(text("SELECT value FROM meta WHERE name = 'schema'")).scalar() == "3"


def test_a_lost_key_is_replaced_and_the_record_names_both(closed: str, tmp_path: Path) -> None:
    old = HeadKey(tmp_path / "heads.key").public
    (tmp_path / "heads.key").unlink()
    with open_signed(closed, tmp_path) as ledger:
        write(ledger, 1)
    new = HeadKey(tmp_path / "heads.key").public
    assert read_kinds(closed) == ["tip-signed", "tip-signed"]
    (problem,) = find_problems(closed)  # nobody can tell it from a key of an insider
    assert f"it is signed with another key, {new}" in problem
    assert find_problems(closed, old, new) == []
    with open_signed(closed, tmp_path) as ledger:
        write(ledger, 1)


def test_events_at_the_end_are_not_hidden_by_taking_the_key_away(closed: str, tmp_path: Path) -> None:
    with raw(closed) as connection:
        append_and_sign_with_own_key(connection, tmp_path)
    (tmp_path / "heads.key").unlink()
    with pytest.raises(Refused, match="signed with another key"):
        open_signed(closed, tmp_path)


# -- Rotation -----------------------------------------------------------------------------------------


def test_the_next_key_signs_from_its_succession_on(closed: str, tmp_path: Path) -> None:
    stolen = tmp_path / "stolen.key"
    shutil.copy(tmp_path / "heads.key", stolen)
    with open_signed(closed, tmp_path) as ledger:
        HeadSigner(ledger, tmp_path).rotate_key({"by": "house"})
        write(ledger, 2)
        new = HeadKey(tmp_path / "heads.key").public
        with ledger.reading() as connection:
            assert json.loads(read_tip(connection))["key"] == new
    assert find_problems(closed) == []
    with open_signed(closed, tmp_path) as ledger:
        write(ledger, 1)
    with raw(closed) as connection:
        append_event(connection)
        sign_with(connection, HeadKey(stolen))
    (problem,) = find_problems(closed)
    assert "a key that had been replaced" in problem
    with pytest.raises(Refused, match="a key that had been replaced"):
        open_signed(closed, tmp_path)


def test_a_folder_with_a_replaced_key_is_refused(closed: str, tmp_path: Path) -> None:
    (tmp_path / "apart").mkdir()
    shutil.copy(tmp_path / "heads.key", tmp_path / "apart")
    with open_signed(closed, tmp_path) as ledger:
        HeadSigner(ledger, tmp_path).rotate_key({"by": "house"})
    with pytest.raises(Refused, match=r"was replaced; copy the newer heads\.key there"):
        open_signed(closed, tmp_path / "apart")


def test_a_kill_before_the_next_key_is_in_its_place(
    closed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The succession is on record and signed with the next key, whose file still waits."""
    with open_signed(closed, tmp_path) as ledger:
        signer = HeadSigner(ledger, tmp_path)
        monkeypatch.setattr(signer, "_settle_key", lambda: pytest.fail("killed"))
        with pytest.raises(pytest.fail.Exception, match="killed"):
            signer.rotate_key({"by": "house"})
    assert (tmp_path / head_keys.NEXT_KEY_FILE).exists()
    assert find_problems(closed) == []
    with open_signed(closed, tmp_path) as ledger:
        write(ledger, 1)
    assert find_problems(closed) == []


# -- Several servers ----------------------------------------------------------------------------------


def test_every_member_signs_what_it_writes(postgres_ledger: str, tmp_path: Path) -> None:
    members = [open_signed(postgres_ledger, tmp_path, is_shared=True) for _ in range(2)]
    for n in range(6):
        write(members[n % 2], 2, "house")
    HeadSigner(members[0], tmp_path).rotate_key({"by": "house"})
    for n in range(6):
        write(members[n % 2], 2, "house")
    assert find_problems(postgres_ledger) == []
    (tmp_path / "apart").mkdir()
    with pytest.raises(Refused, match="signed with another key"):  # the keys were not copied
        open_signed(postgres_ledger, tmp_path / "apart", is_shared=True)
    for member in members:
        write(member, 1, "house")
        member.close()
    assert find_problems(postgres_ledger) == []


@pytest.fixture
def postgres_ledger(postgres: str) -> Iterator[str]:
    with schema(postgres) as url:
        yield url


# -- A kill -------------------------------------------------------------------------------------------

WRITE = """
import sys
from pathlib import Path
from feltlab.ledger.event import Draft, Entry
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.signed_tip import TipSigner
ledger = Ledger.open(sys.argv[1], signer=TipSigner(Path(sys.argv[2]), may_renew=True))
print("open", flush=True)
while True:
    ledger.append_blocking(Entry((Draft("table", "noted", {}), Draft("cage", "noted", {}))))
"""
KILLS = 6


def test_a_kill_at_any_moment_is_no_alarm(database: str, tmp_path: Path) -> None:
    for kill in range(KILLS):
        command = [sys.executable, "-c", WRITE, database, str(tmp_path)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout
        if kill % 2:
            process.stdout.readline()
        time.sleep(0.35 if not kill % 2 else 0.02 * kill)  # while it starts, or while it writes
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        if kill:
            assert find_problems(database) == []
    with open_signed(database, tmp_path) as ledger:
        write(ledger, 1)
    assert read_kinds(database) == ["tip-signed"]
    assert find_problems(database) == []
