"""A backup of a running pit, restored and played on; and backups that are refused."""

import json
import shutil
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest
from sqlalchemy import make_url

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.games import GAMES
from feltlab.ledger.backup import SCHOOL_FILE, TRAINING_FOLDER
from feltlab.ledger.event import Draft, Entry
from feltlab.ledger.heads import read_witness
from feltlab.ledger.ledger import Ledger
from feltlab.pit.approvals import approve_all
from feltlab.pit.pit import Pit, today
from feltlab.pit.players.training_records import TrainingRecords
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.table import Table
from feltlab.pit.verify import verify
from tests.support.command_line import answer, refusal, run
from tests.support.databases import schema

SHOE, DECK = "casino-war-1", "rabbit-hunter-1"  # an order of many rounds, and one of a single round
SLOW = Timers(*(None,) * 6)
PASSPHRASE = "correct horse battery"


async def open_pit(folder: Path, database: str | None = None) -> Pit:
    """A pit with two tables, at each of which a round is under way: bets are closed, cards are out."""
    pit = Pit(folder, database)
    await pit.start()
    await pit.decide(lambda register: approve_all(register, pit.house, GAMES.values(), today()))
    await pit.give(lambda cage: cage.plan_welcome("ann"))
    for name in (SHOE, DECK):
        game = GAMES[name.removesuffix("-1")]
        live = await pit.open_table(name, game, "house", STANDARD_LIMITS, SLOW)
        wagers = {spot.name: 500 for spot in game.wagers if game.is_required(spot)}
        await live.act(lambda table: table.sit("ann", 0, 10_000))
        await live.act(lambda table, wagers=wagers: table.wager("ann", 0, wagers))  # type: ignore[misc]
        await live.act(lambda table: table.no_more_bets("house"))
        await live.act(Table.time_is_up)
    return pit


async def play_out(pit: Pit, name: str) -> None:
    """End the round under way; the house rule chooses."""
    live = pit.table(name)
    for _ in range(20):
        if live.table.phase == Phase.BETTING:
            return
        await live.act(Table.time_is_up)
    raise AssertionError("the round does not end")


def server_of(url: str) -> str:
    """The URL of a server without the schema of a test."""
    known = make_url(url)
    return known.difference_update_query(["options"]).render_as_string(False)


@pytest.fixture
def secret(tmp_path: Path) -> str:
    path = tmp_path / "secret.txt"
    path.write_text(f"{PASSPHRASE}\n")
    return str(path)


async def test_a_backup_of_a_running_pit_is_restored_and_played_on(
    database: str, tmp_path: Path, secret: str
) -> None:
    old, new, backup = tmp_path / "old", tmp_path / "new", str(tmp_path / "pit.backup")
    pit = await open_pit(old, database)
    seen = {name: pit.table(name).table.commitment for name in (SHOE, DECK)}
    made = answer(
        "ledger", "backup", backup, "--data", str(old), "--database", database, *("--passphrase-file", secret)
    )
    for name in (SHOE, DECK):
        await play_out(pit, name)
    pit.heads.sign()
    lost = pit.ledger.last_sequence() - made["events"]
    await pit.stop()

    with nullcontext("") if "://" not in database else schema(server_of(database)) as empty:
        to = ["--data", str(new), *(["--database", empty] if empty else [])]
        witness = ["--witness", str(old / "heads.jsonl"), "--passphrase-file", secret]
        told = answer("ledger", "restore", backup, *to, *witness)
        assert told["lost"]["events"] >= lost > 0
        assert told["lost"]["since"] == made["last"]
        assert {round["table"]: round["cents"] for round in told["void"]} == {SHOE: 500, DECK: 500}
        assert told["verified"]["sound"]
        assert (new / "vault.key").read_bytes() == (old / "vault.key").read_bytes()
        assert not (new / "sessions.key").exists()

        again = Pit(new, empty or None)
        await again.start()
        for name in (SHOE, DECK):
            table = again.table(name).table
            assert table.phase == Phase.BETTING
            assert table.last_void_reason
            assert table.commitment != seen[name]  # what was seen after the backup is not dealt again
            assert table.place(0).bankroll == 10_000
            assert table.place(0).on_felt == 0
        await again.table(SHOE).act(lambda table: table.wager("ann", 0, {"primary": 500}))
        await again.table(SHOE).act(lambda table: table.no_more_bets("house"))
        await play_out(again, SHOE)
        await again.stop()
        again = Pit(new, empty or None)  # it goes back once, not at every start
        await again.start()
        assert again.table(SHOE).table.round == 3
        await again.stop()
        with Ledger.open(empty or new / "ledger.sqlite", writer=False) as ledger:
            assert verify(ledger, heads=read_witness(new / "heads.jsonl")).problems == []
            (problem,) = verify(ledger, heads=read_witness(old / "heads.jsonl")).problems
    assert "The witness: the ledger went back at" in str(problem)


@pytest.mark.parametrize("is_key_put_back", [True, False])
async def test_a_restoration_without_keys_is_recorded_at_the_next_start(
    tmp_path: Path, is_key_put_back: bool
) -> None:
    """Nobody can sign it before. A new key is made if the old one does not come back."""
    old, new, backup = tmp_path / "old", tmp_path / "new", str(tmp_path / "pit.backup")
    pit = await open_pit(old)
    pit.heads.sign()
    key = pit.heads.public_key
    await pit.stop()
    answer("ledger", "backup", backup, "--data", str(old))
    answer("ledger", "restore", backup, "--data", str(new))
    assert (new / "restored.json").exists()
    names = ("vault.key", "heads.key") if is_key_put_back else ("vault.key",)
    for name in names:
        shutil.copy(old / name, new / name)
    for _ in range(2):
        again = Pit(new)
        await again.start()
        await again.stop()
    assert not (new / "restored.json").exists()
    with Ledger.open(new / "ledger.sqlite", writer=False) as ledger:
        assert len(ledger.events_of_kinds("house", ("restored",))) == 1
        assert verify(ledger, head_keys=[key, again.heads.public_key]).problems == []
        assert verify(ledger).sound == is_key_put_back  # nobody handed over to the new key


def test_the_school_and_the_trainer_are_restored(tmp_path: Path) -> None:
    old, new, backup = tmp_path / "old", tmp_path / "new", tmp_path / "pit.backup"
    old.mkdir()
    with Ledger.open(old / "ledger.sqlite"), Ledger.open(old / SCHOOL_FILE) as school:
        school.append_blocking(Entry((Draft("exams", "passed", {"dealer": "dan"}),)))
        records = TrainingRecords(old / TRAINING_FOLDER)
        records.save("ann", "casino-war", 1, {"boxes": [1, 2]})
        records.save("bob", "casino-war", 1, {"boxes": []})
        (old / TRAINING_FOLDER / "notes.txt").write_text("not a record")
        answer("ledger", "backup", str(backup), "--data", str(old))
        learnt = records.load("ann")
    answer("ledger", "restore", str(backup), "--data", str(new))
    assert TrainingRecords(new / TRAINING_FOLDER).load("ann") == learnt
    assert len([*(new / TRAINING_FOLDER).iterdir()]) == 2
    assert not (new / "training.jsonl").exists()
    with Ledger.open(new / SCHOOL_FILE, writer=False) as school:
        assert [event.data for event in school.events("exams")] == [{"dealer": "dan"}]


async def test_heads_after_a_rollback_on_record_are_compared(tmp_path: Path) -> None:
    """The witness's file goes on; a change after the rollback is still found by it."""
    pit = await open_pit(tmp_path)
    await pit.stop()
    old = (tmp_path / "ledger.sqlite").read_bytes()
    pit = Pit(tmp_path)
    await pit.start()
    await play_out(pit, DECK)
    await pit.stop()
    (tmp_path / "ledger.sqlite").write_bytes(old)
    for _ in range(2):
        pit = Pit(tmp_path)
        await pit.start()
        await pit.stop()
    heads = read_witness(tmp_path / "heads.jsonl")
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        assert len(list(ledger.events("house", kinds=("rolled-back",)))) == 1
        report = verify(ledger, heads=heads)
        assert len(report.problems) == 1
        assert report.witnessed == ledger.last_sequence() - 1  # an anchor follows the last head


async def test_without_keys_the_tables_go_on_with_other_cards(tmp_path: Path) -> None:
    pit = await open_pit(tmp_path / "old")
    said = run("ledger", "backup", str(tmp_path / "b"), "--data", str(tmp_path / "old")).stdout
    assert "heads.key and vault.key" in said or "vault.key" in said
    await pit.stop()
    told = run("ledger", "restore", str(tmp_path / "b"), "--data", str(tmp_path / "new"), "--fast")
    assert told.exit_code == 0, told.output
    assert "without --witness nobody can say" in told.stdout
    again = Pit(tmp_path / "new")
    await again.start()
    assert all(again.table(name).table.phase == Phase.BETTING for name in (SHOE, DECK))
    await again.stop()


async def test_a_bad_backup_is_refused_and_leaves_nothing(tmp_path: Path, secret: str) -> None:
    pit = await open_pit(tmp_path / "old")
    await pit.stop()
    backup, new = tmp_path / "pit.backup", str(tmp_path / "new")
    made = run("ledger", "backup", str(backup), "--data", str(tmp_path / "old"), "--passphrase-file", secret)
    assert made.exit_code == 0, made.output
    assert backup.stat().st_mode & 0o077 == 0
    restore = ("ledger", "restore", str(backup), "--data", new)

    assert "give --passphrase-file, or --without-keys" in refusal(*restore)
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("correct horse batterz")
    assert "the passphrase is wrong" in refusal(*restore, "--passphrase-file", str(wrong))
    wrong.write_text("short")
    assert "at least 12" in refusal(
        "ledger", "backup", str(backup), "--data", str(tmp_path / "old"), "--passphrase-file", str(wrong)
    )
    assert "is not empty" in refusal(
        "ledger", "restore", str(backup), "--data", str(tmp_path / "old"), "--without-keys"
    )
    assert "not a backup" in refusal("ledger", "restore", secret, "--data", new)
    assert "does not exist" in refusal("ledger", "restore", str(tmp_path / "none"), "--data", new)
    assert "belongs to the pit" in refusal(
        "ledger", "backup", str(tmp_path / "old" / "vault.key"), "--data", str(tmp_path / "old")
    )
    nowhere = f"postgresql://felt@/felt?host={tmp_path}/nowhere"
    assert "cannot be written" in refusal(*restore, "--without-keys", "--database", nowhere)
    again = ("ledger", "backup", str(wrong), "--data", str(tmp_path / "old"))
    assert "wrong.txt exists and is not a backup of a ledger; name another" in refusal(*again)
    assert wrong.read_text() == "short"
    older = backup.read_bytes()
    assert run("ledger", "backup", str(backup), "--data", str(tmp_path / "old")).exit_code == 0
    backup.write_bytes(older)
    assert run(*again, "--replace").exit_code == 0
    wrong.write_bytes(b"")  # as mktemp makes one
    assert run(*again).exit_code == 0
    _change_member(backup, "heads.jsonl")
    assert "heads.jsonl is not what was backed up" in refusal(*restore, "--without-keys")
    assert not Path(new).exists()
    assert not list(tmp_path.glob(".*"))


async def test_a_backup_whose_ledger_was_changed_is_not_restored(tmp_path: Path) -> None:
    pit = await open_pit(tmp_path / "old")
    await pit.stop()
    heads = read_witness(tmp_path / "old" / "heads.jsonl")
    other = await open_pit(tmp_path / "other")  # another ledger under the same heads
    await other.stop()
    (tmp_path / "other" / "heads.jsonl").write_bytes(b"".join(head.line for head in heads))
    backup = str(tmp_path / "b")
    assert run("ledger", "backup", backup, "--data", str(tmp_path / "other")).exit_code == 0
    told = run("ledger", "restore", backup, "--data", str(tmp_path / "new"), "--fast")
    assert told.exit_code == 3
    assert "The witness: something" in told.stdout
    assert not (tmp_path / "new").exists()


def _change_member(path: Path, name: str) -> None:
    """Put another text into a member of a backup; the zip file itself stays sound."""
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    members[name] += json.dumps({}).encode() + b"\n"
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in members.items():
            archive.writestr(member, content)
