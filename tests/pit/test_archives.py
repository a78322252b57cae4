"""Old months move to archives: the live ledger goes on without them, and nothing becomes unverifiable."""

import shutil
import sqlite3
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import pytest

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.digests import digest_json
from feltlab.errors import Refused, Unknown
from feltlab.ledger.archive import ARCHIVED, find_last_before
from feltlab.ledger.event_tree import EventTree
from feltlab.ledger.export import export_lines
from feltlab.ledger.heads import read_witness
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.merkle import follow_path, leaf_hash
from feltlab.ledger.signed_tip import TipSigner
from feltlab.ledger.witnesses import HeadSigner
from feltlab.pit.accounts import create_guest
from feltlab.pit.cage import WELCOME_CENTS
from feltlab.pit.custody.archive import ArchiveMade, archive_events, open_whole_ledger
from feltlab.pit.custody.archived_rounds import describe_archived
from feltlab.pit.custody.receipts import write_old_receipt
from feltlab.pit.history import write_receipt
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit
from feltlab.pit.recorded_round import load_last_rounds, load_round
from feltlab.pit.replay import replay_round
from feltlab.pit.seats import Phase
from feltlab.pit.verify import LedgerReport, verify
from tests.support import aged_ledger
from tests.support.aged_ledger import Aged, make_aged_ledger
from tests.support.databases import schema

ROUNDS, TABLES = 900, 3


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> Aged:
    with patch.object(aged_ledger, "STEPS_AT_ONCE", 20):
        return make_aged_ledger(tmp_path_factory.mktemp("aged"), ROUNDS, TABLES, days=90)


@pytest.fixture
def folder(aged: Aged, tmp_path: Path) -> Path:
    shutil.copytree(aged.folder, tmp_path / "pit")
    return tmp_path / "pit"


def moment_at(folder: Path, share: float) -> str:
    """The day at about this share of a ledger's events."""
    with Ledger.open(folder / "ledger.sqlite", writer=False) as ledger:
        sequence = int(share * ledger.last_sequence())
        *_, event = ledger.stored_events(last=sequence)
        return event.at[:10]


def archive(folder: Path, share: float, path: Path) -> ArchiveMade:
    before = moment_at(folder, share)
    with Ledger.open(folder / "ledger.sqlite", signer=TipSigner(folder)) as ledger:
        return archive_events(ledger, folder, before, path)


def verify_folder(folder: Path, *archives: Path) -> LedgerReport:
    """Verify with all heads that were ever signed."""
    heads = read_witness(folder / "heads.jsonl")
    with (
        Ledger.open(folder / "ledger.sqlite", writer=False) as live,
        open_whole_ledger(live, archives) as (ledger, differences),
    ):
        report = verify(ledger, heads=heads, key=folder / "vault.key")
        assert differences == []
        return report


async def play_on(folder: Path) -> None:
    """Start a pit, play two rounds at a table, and stop."""
    pit = Pit(folder)
    await pit.start()
    live: LiveTable = pit.public_tables[0]
    guest, spots = create_guest().name, live.table.game.wagers
    await pit.give(lambda cage: cage.plan_welcome(guest))
    await live.act(lambda table: table.sit(guest, 0, WELCOME_CENTS))
    for _ in range(2):
        wagers = {spot.name: STANDARD_LIMITS.minimum for spot in spots}
        await live.act(lambda table, wagers=wagers: table.wager(guest, 0, wagers))
        await live.act(lambda table: table.ready(guest, 0))
        while live.table.phase == Phase.CHOOSING:
            await live.act(lambda table: table.choose(guest, 0, table.rounds[0].choices[0]))
    await live.act(lambda table: table.leave(guest, 0))
    pit.heads.sign()
    await pit.stop()


@pytest.mark.slow
async def test_the_live_ledger_goes_on_and_all_parts_verify(aged: Aged, folder: Path, tmp_path: Path) -> None:
    before = verify_folder(folder)
    first, second = tmp_path / "first.archive", tmp_path / "second.archive"
    made = archive(folder, 0.5, first)
    assert made.removed > 0.6 * made.events
    assert verify_folder(folder).problems == []
    await play_on(folder)
    live = verify_folder(folder)
    assert live.problems == []
    assert live.resumed == made.events
    assert live.witnessed > made.events
    again = archive(folder, 0.9, second)
    assert again.events > made.events
    await play_on(folder)
    assert verify_folder(folder).problems == []
    whole = verify_folder(folder, first, second)
    assert whole.problems == []
    assert whole.replayed == whole.settled == before.settled + 4
    assert whole.issued == whole.balances + whole.at_tables + whole.won
    (folder / "heads.tiles").unlink()
    await play_on(folder)  # the tree is computed from what is kept of it
    assert verify_folder(folder, first, second).problems == []
    for path, events in ((first, made.events), (second, again.events)):
        with Ledger.open(path, writer=False) as old:
            report = verify(old)
            assert (report.problems, report.last) == ([], events)
        with pytest.raises(Refused, match="is an archive"):
            Ledger.open(path)


def test_an_archived_round_is_replayed_from_the_archive(aged: Aged, folder: Path, tmp_path: Path) -> None:
    path, table = tmp_path / "old.archive", aged.tables[0]
    archive(folder, 0.6, path)
    with Ledger.open(folder / "ledger.sqlite", writer=False) as live:
        with pytest.raises(Unknown, match=r"Round 3 of .* is in the archive old\.archive"):
            load_round(live, table, 3)
        rounds = load_last_rounds(live, None, 10)
        assert all(replay_round(round).same for round in rounds)
        assert all(not describe_archived(live, round.table, round.round) for round in rounds)
        (archived,) = live.events("house", kinds=(ARCHIVED,))
        last = archived.data["rounds"][table]
        assert load_round(live, table, last + 1).round == last + 1
        signer, newest = HeadSigner(live, folder), rounds[-1]
        assert write_receipt(signer, newest.table, newest.round)["round"] == newest.round
        with pytest.raises(Unknown, match="in the archive"):
            write_receipt(signer, table, last)
        with pytest.raises(Unknown, match="has played no round"):
            load_round(live, table, 10**6)
    with Ledger.open(path, writer=False) as old:
        assert replay_round(load_round(old, table, 3)).same


@pytest.mark.parametrize("content", [b"PK\x03\x04 another file", b"", b"SQLite format 3\0"])
def test_a_file_that_is_no_archive_is_refused(folder: Path, tmp_path: Path, content: bytes) -> None:
    other = tmp_path / "other.archive"
    other.write_bytes(content)
    with (
        Ledger.open(folder / "ledger.sqlite", writer=False) as live,
        pytest.raises(Refused, match="cannot be read as an archive"),
        open_whole_ledger(live, [other]),
    ):
        pass


def test_what_does_not_fit_is_found(folder: Path, tmp_path: Path) -> None:
    path, other = tmp_path / "old.archive", tmp_path / "changed.archive"
    archive(folder, 0.5, path)
    shutil.copy(path, other)
    with sqlite3.connect(other) as changed:
        changed.execute("DROP TRIGGER events_no_UPDATE")
        changed.execute("UPDATE events SET data = replace(data, 'a', 'b') WHERE kind = 'settled'")
    changed.close()
    with (
        Ledger.open(folder / "ledger.sqlite", writer=False) as live,
        open_whole_ledger(live, [other]) as (whole, differences),
    ):
        assert any("is not an archive that this ledger names" in one for one in differences)
        assert any(
            "its digest does not match" in str(problem) for problem in verify(whole, fast=True).problems
        )


REWRITINGS = {
    "the event is gone": "DELETE FROM events WHERE kind = 'archived'",
    "a role that stayed is changed": "UPDATE events SET data = replace(data, 'approve', 'reject')"
    " WHERE chain = 'house' AND sequence < 200",
    "a snapshot that stayed is changed": "UPDATE events SET data = replace(data, '5', '6') WHERE sequence ="
    " (SELECT min(sequence) FROM events WHERE kind = 'standing' AND chain <> 'cage')",
    "an event that stayed is taken out": "DELETE FROM events WHERE sequence ="
    " (SELECT max(sequence) FROM events WHERE kind = 'opened')",
}


@pytest.mark.parametrize("how", REWRITINGS)
def test_a_change_of_what_stayed_is_found(folder: Path, tmp_path: Path, how: str) -> None:
    archive(folder, 0.5, tmp_path / "old.archive")
    with sqlite3.connect(folder / "ledger.sqlite") as rewritten:
        for action in ("UPDATE", "DELETE"):
            rewritten.execute(f"DROP TRIGGER events_no_{action}")
        assert rewritten.execute(REWRITINGS[how]).rowcount
    rewritten.close()
    assert verify_folder(folder).problems


@pytest.mark.slow
def test_a_kill_before_the_last_step_loses_nothing(folder: Path, tmp_path: Path) -> None:
    before = verify_folder(folder)
    with (
        patch.object(Ledger, "append_blocking", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        archive(folder, 0.5, tmp_path / "killed.archive")
    assert verify_folder(folder).settled == before.settled
    with pytest.raises(Refused, match="exists"):
        archive(folder, 0.5, tmp_path / "killed.archive")
    archive(folder, 0.5, tmp_path / "again.archive")
    assert verify_folder(folder, tmp_path / "again.archive").settled == before.settled
    with pytest.raises(Refused, match="too little"):
        archive(folder, 0.3, tmp_path / "earlier.archive")


def test_an_unsound_ledger_is_not_archived(folder: Path, tmp_path: Path) -> None:
    with sqlite3.connect(folder / "ledger.sqlite") as changed:
        changed.execute("DROP TRIGGER events_no_UPDATE")
        changed.execute("UPDATE events SET round = round + 1 WHERE sequence = 1500")
    changed.close()
    with pytest.raises(Refused, match="not sound"):
        archive(folder, 0.5, tmp_path / "old.archive")
    assert not (tmp_path / "old.archive").exists()


def test_archives_of_a_ledger_on_postgresql(postgres, tmp_path: Path) -> None:
    with schema(postgres) as url:
        with patch.object(aged_ledger, "STEPS_AT_ONCE", 20):
            made = make_aged_ledger(tmp_path / "pit", 400, 2, database=url, days=60)
        with Ledger.open(url, signer=TipSigner(made.folder)) as ledger:
            before = next(ledger.stored_events(2000, 2000)).at[:10]
            with ledger.reading() as connection:
                last, settled = find_last_before(connection, before), verify(ledger).settled
            done = archive_events(ledger, made.folder, before, tmp_path / "old.archive")
            assert done.events == last
            tree = EventTree(ledger, tmp_path / "no-cache")
            tree.catch_up()
            assert tree.root_at(last).hex() == ledger.last_events("house", (ARCHIVED,))[0].data["root"]
        with Ledger.open(url, writer=False) as live:
            assert verify(live).problems == []
            with open_whole_ledger(live, [tmp_path / "old.archive"]) as (whole, differences):
                report = verify(whole)
                assert (differences, report.problems, report.settled) == ([], [], settled)


# -- Receipts and exports ------------------------------------------------------------------------------


def check_offline(receipt: dict[str, Any]) -> None:
    """Check a receipt with hashes alone: events lead to the last one, and its path to the signed root."""
    digest = receipt["before"]
    for text in receipt["events"]:
        digest = digest_json([digest, *orjson.loads(text)])
    path, head = map(bytes.fromhex, receipt["path"]), receipt["head"]
    root = follow_path(leaf_hash(digest), receipt["sequence"] - 1, head["size"], path)
    assert root == bytes.fromhex(head["root"])


def test_an_archived_round_has_a_receipt(aged: Aged, folder: Path, tmp_path: Path) -> None:
    """Also one that stayed though its time was archived, and one of the second archive."""
    paths = tmp_path / "first.archive", tmp_path / "second.archive"
    archive(folder, 0.4, paths[0])
    archive(folder, 0.8, paths[1])
    with ExitStack() as stack:
        live, *old = (
            stack.enter_context(Ledger.open(path, writer=False))
            for path in (folder / "ledger.sqlite", *paths)
        )
        first, second = (event.data["rounds"] for event in live.events("house", kinds=(ARCHIVED,)))
        for table in aged.tables:
            ends = first.get(table, 1), second[table]  # no round leaves before the order of its shoe is shown
            for round in (3, *ends, *(end + 1 for end in ends)):
                receipt = write_old_receipt(live, old, folder, table, round)
                assert (receipt["table"], receipt["round"]) == (table, round)
                check_offline(receipt)
        for archives in ([], old[1:]):
            with pytest.raises(Unknown, match=r"in the archive first\.archive .* needs --archive FILE"):
                write_old_receipt(live, archives, folder, table, 3)
        with pytest.raises(Unknown, match="has finished no round 1000000"):
            write_old_receipt(live, old, folder, table, 10**6)


def test_a_cut_ledger_is_exported_with_its_archives_only(folder: Path, tmp_path: Path) -> None:
    with Ledger.open(folder / "ledger.sqlite", writer=False) as live:
        before = list(export_lines(live, "jsonl"))
    archive(folder, 0.5, tmp_path / "old.archive")
    with Ledger.open(folder / "ledger.sqlite", writer=False) as live:
        removal = live.load_removal()
        assert removal is not None
        for first in (1, removal.last + 1):
            with pytest.raises(Refused, match=r"name every archive by --archive FILE, or --from \d+"):
                export_lines(live, "jsonl", first=first)
        rest = list(export_lines(live, "jsonl", first=removal.last + 2))
        assert rest[: len(before) - removal.last - 1] == before[removal.last + 1 :]
        with open_whole_ledger(live, [tmp_path / "old.archive"]) as (whole, _):
            assert list(export_lines(whole, "jsonl"))[: len(before)] == before
