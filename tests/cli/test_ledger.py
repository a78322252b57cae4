"""`feltlab ledger` as people use it, and an export that anyone can check."""

import csv
import hashlib
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from feltlab.cli.custody.verify import PROBLEM_FOUND
from feltlab.cli.ledger import command
from feltlab.cli.shared.ledger_place import RoundName, TableName, ledger_path
from feltlab.ledger.head_keys import HeadKey
from feltlab.ledger.heads import sign_head
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.merkle import Frontier, leaf_hash
from feltlab.pit.recorded_round import load_last_rounds
from feltlab.text import dollars
from tests.conftest import ROUNDS
from tests.pit.test_verify import pays_more
from tests.support.command_line import answer, refusal, run
from tests.support.insider import Events, read_events, rewrite_ledger

ROOT = Path(__file__).parents[2]


@pytest.fixture
def at(played_folder: Path) -> tuple[str, str]:
    return "--data", str(played_folder)


@pytest.fixture(scope="module")
def tampered(played_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tampered")
    rewrite_ledger(played_folder, folder, pays_more)
    return folder


# -- Verify ------------------------------------------------------------------------------------------


def test_verify_prints_what_it_read_and_the_last_anchor(at: tuple[str, str], played_ledger: Ledger) -> None:
    result = run("ledger", "verify", *at)
    assert (result.exit_code, result.stderr) == (0, "")
    (anchor,) = played_ledger.last_events("anchors", ("anchor",))
    assert f"last anchor: {anchor.number} {anchor.digest}" in result.stdout
    assert f"{sum(ROUNDS.values()):,}" in result.stdout
    assert result.stdout.endswith("No problem found.\n")


def test_verify_says_when_no_round_was_replayed(at: tuple[str, str]) -> None:
    assert "No round was replayed." in run("ledger", "verify", "--fast", *at).stdout


def test_verify_goes_on_from_a_record(at: tuple[str, str], tampered: Path, tmp_path: Path) -> None:
    record = tmp_path / "mine.json"
    first = answer("ledger", "verify", "--resume", str(record), *at)
    again = answer("ledger", "verify", "--resume", str(record), *at)
    assert (first["resumed"], again["resumed"]) == (0, first["events"])
    assert again | {"resumed": 0} == first
    kept = record.read_bytes()
    other = run("ledger", "verify", "--resume", str(record), "--data", str(tampered))
    assert other.exit_code == PROBLEM_FOUND
    assert "it is not the event that was verified at" in other.stdout
    assert record.read_bytes() == kept  # only a sound ledger advances it


def test_a_record_goes_on_from_a_signed_head(
    at: tuple[str, str], played_folder: Path, tmp_path: Path
) -> None:
    """The record names the last head; another head of that size, signed by the same key, is refused."""
    record, witness = tmp_path / "mine.json", tmp_path / "heads.jsonl"
    with Ledger.open(played_folder / "ledger.sqlite", writer=False) as ledger:
        tree = Frontier(map(leaf_hash, ledger.digests(0)))
    key = HeadKey(played_folder / "heads.key")  # the last event is signed with it too
    witness.write_bytes(sign_head(key, tree.size, tree.root).line)
    words = ("ledger", "verify", "--resume", str(record), "--witness", str(witness), *at)
    first, again = answer(*words), answer(*words)
    assert first["witnessed"] == again["witnessed"] == again["resumed"] == tree.size
    kept = json.loads(record.read_text())
    assert (kept["head"]["size"], kept["head"]["root"]) == (tree.size, tree.root.hex())
    witness.write_bytes(sign_head(key, tree.size, b"\0" * 32).line)
    assert "is not the one that was verified" in refusal(*words)
    record.write_text(json.dumps(kept | {"head": kept["head"] | {"root": "00" * 32}}))
    assert "signature is wrong" in refusal(*words)


def test_a_record_covers_everything(at: tuple[str, str], tmp_path: Path) -> None:
    sentence = "A record says that the rounds were replayed; leave out --fast."
    assert refusal("ledger", "verify", "--resume", str(tmp_path / "mine.json"), "--fast", *at) == sentence


def test_a_record_beside_the_ledger_is_refused(at: tuple[str, str], played_folder: Path) -> None:
    sentence = "Keep the record elsewhere: whoever can write beside the ledger could change it."
    assert refusal("ledger", "verify", "--resume", str(played_folder / "mine.json"), *at) == sentence


def test_a_file_that_is_no_record_is_refused(at: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text('{"heads": []}')
    assert refusal("ledger", "verify", "--resume", str(file), *at) == (
        f"{file} is not the record of a verification."
    )
    assert file.read_text() == '{"heads": []}'


def test_verify_in_json(at: tuple[str, str]) -> None:
    found = answer("ledger", "verify", *at)
    assert (found["sound"], found["problems"]) == (True, [])
    assert found["issued"] == found["balances"] + found["at_tables"] + found["won"]


def test_verify_ends_with_status_3_when_something_is_wrong(tampered: Path) -> None:
    result = run("ledger", "verify", "--data", str(tampered))
    assert result.exit_code == PROBLEM_FOUND
    assert "by the rules it is" in result.stdout
    assert "problems found." in result.stdout
    as_json = run("ledger", "verify", "--json", "--data", str(tampered))
    assert as_json.exit_code == PROBLEM_FOUND
    assert {"chain", "number", "problem"} == set(json.loads(as_json.stdout)["problems"][0])


def test_a_ledger_in_another_database_is_read_by_its_url(played_folder: Path) -> None:
    url = f"sqlite:///{played_folder / 'ledger.sqlite'}"
    assert answer("ledger", "verify", "--fast", "--database", url)["sound"]


@pytest.mark.parametrize("words", [("verify",), ("recall",), ("replay", "casino-war-1:1"), ("export",)])
def test_where_there_is_no_ledger_one_sentence_says_so(words: tuple[str, ...], tmp_path: Path) -> None:
    assert refusal("ledger", *words, "--data", str(tmp_path)).startswith("There is no ledger at ")


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    folder = tmp_path / "ledger.sqlite"
    folder.mkdir()
    assert refusal("ledger", "verify", "--data", str(tmp_path)) == f"{folder} is a folder, not a ledger."


def test_without_a_folder_the_ledger_is_that_of_the_account() -> None:
    assert ledger_path(None).name == "ledger.sqlite"
    assert ledger_path(None).parent.name == "feltlab"


def test_a_ledger_is_read_while_a_server_writes_it(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "ledger.sqlite"):
        assert answer("ledger", "verify", "--data", str(tmp_path))["sound"]


# -- Recall ------------------------------------------------------------------------------------------


def test_recall_shows_the_last_rounds_of_a_table(at: tuple[str, str], played_ledger: Ledger) -> None:
    shown = run("ledger", "recall", "high-five-poker-1", "--last", "2", *at).stdout
    for round in load_last_rounds(played_ledger, "high-five-poker-1", 2):
        assert round.name in shown
        assert all(seat.player in shown for seat in round.seats)


def test_recall_has_ten_rounds_of_all_tables(at: tuple[str, str], played_ledger: Ledger) -> None:
    found = answer("ledger", "recall", *at)
    assert [f"{r['table']}:{r['round']}" for r in found] == [r.name for r in load_last_rounds(played_ledger)]
    assert len(found) == 10
    assert "void: " in run("ledger", "recall", "--last", "100", *at).stdout


def test_recall_shows_what_a_void_round_returned(at: tuple[str, str], played_ledger: Ledger) -> None:
    void = next(r for r in reversed(load_last_rounds(played_ledger, "casino-war-1", 100)) if r.void)
    shown = run("ledger", "recall", "casino-war-1", "--last", "100", *at).stdout
    told = shown.split(f"{void.name} ")[1].split("casino-war-1:")[0]
    for cents in void.returned.values():
        assert f"takes back {dollars(cents)}" in told


def test_recall_does_not_cut_long_names(played_folder: Path, tmp_path: Path) -> None:
    long = "ann-" + "0123456789" * 2 + "-to-the-end"

    def renamed(events: Events) -> None:
        for event in events:
            event["data"] = json.loads(json.dumps(event["data"]).replace('"ann"', f'"{long}"'))

    rewrite_ledger(played_folder, tmp_path, renamed)
    shown = run("ledger", "recall", "--last", "100", "--data", str(tmp_path)).stdout
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_recall_refuses_what_is_not_there(at: tuple[str, str]) -> None:
    assert refusal("ledger", "recall", "moon-1", *at).startswith("'moon-1' is not a table of this ledger")
    assert "0 is not in the range" in refusal("ledger", "recall", "--last", "0", *at)


def test_recall_of_an_empty_ledger_says_that_no_round_is_over(tmp_path: Path) -> None:
    Ledger.open(tmp_path / "ledger.sqlite").close()
    assert run("ledger", "recall", "--data", str(tmp_path)).stdout == "No round is over yet.\n"


# -- Replay ------------------------------------------------------------------------------------------


def test_replay_shows_a_round_step_by_step(at: tuple[str, str], played_ledger: Ledger) -> None:
    for table in ROUNDS:
        (round,) = (r for r in load_last_rounds(played_ledger, f"{table}-1", 500)[-1:])
        result = run("ledger", "replay", round.name, *at)
        assert result.exit_code == 0
        assert result.stdout.endswith("Everything is as recorded.\n")
        assert result.stdout.count("[as recorded]") >= len(round.returned)


def test_replay_in_json(at: tuple[str, str], played_ledger: Ledger) -> None:
    (round,) = load_last_rounds(played_ledger, "rabbit-hunter-1", 1)
    found = answer("ledger", "replay", round.name, *at)
    assert (found["same"], found["differences"]) == (True, [])
    assert found["commitment"] == round.commitment
    assert {step["differs"] for step in found["steps"]} == {""}


def test_replay_ends_with_status_3_where_the_record_differs(played_folder: Path, tampered: Path) -> None:
    pairs = zip(read_events(played_folder), read_events(tampered), strict=True)
    changed = next(new for old, new in pairs if old["data"] != new["data"])
    name = f"{changed['chain']}:{changed['round']}"
    result = run("ledger", "replay", name, "--data", str(tampered))
    assert result.exit_code == PROBLEM_FOUND
    assert "[DIFFERS: Payment 1 is seat " in result.stdout
    assert "2 differences." in result.stdout  # the payment, and what the seat took back
    assert run("ledger", "replay", name, "--json", "--data", str(tampered)).exit_code == PROBLEM_FOUND


@pytest.mark.parametrize("name", ["casino-war-1", "casino-war-1:x", ":5", "casino-war-1:-1", "a:1:2"])
def test_replay_says_how_rounds_are_written(at: tuple[str, str], name: str) -> None:
    told = refusal("ledger", "replay", name, *at)
    assert told == f"{name!r} is not a round; write a round like casino-war-1:123."


def test_replay_refuses_a_round_that_was_not_played(at: tuple[str, str]) -> None:
    assert refusal("ledger", "replay", "casino-war-1:9999", *at) == "casino-war-1 has played no round 9999."


# -- Incidents ---------------------------------------------------------------------------------------


def void_round(ledger: Ledger) -> str:
    event = next(ledger.events(kinds=("irregularity",)))
    return f"{event.chain}:{event.round}"


def test_an_incident_is_printed_written_and_given_as_json(
    at: tuple[str, str], played_ledger: Ledger, tmp_path: Path
) -> None:
    round = void_round(played_ledger)
    found = answer("ledger", "incident", round, *at)
    shown = run("ledger", "incident", round, *at).stdout
    assert found["entries"][0]["title"] in shown
    assert "Signatures" in shown
    for suffix, begins in ((".pdf", b"%PDF-"), (".json", b"{"), (".txt", b"")):
        path = tmp_path / f"incident{suffix}"
        assert run("ledger", "incident", round, "-o", str(path), *at).stdout == f"Wrote {path}.\n"
        assert path.read_bytes().startswith(begins)
    both = run("ledger", "incident", round, "-o", str(path), "--json", *at)
    assert (json.loads(both.stdout), both.stderr) == (found, f"Wrote {path}.\n")


def test_bad_incidents_are_refused(at: tuple[str, str], played_ledger: Ledger, tmp_path: Path) -> None:
    kinds = ("irregularity", "fault", "void")
    odd = {(e.chain, e.round) for e in played_ledger.events(kinds=kinds)}
    odd |= {(e.chain, e.data["corrects"]) for e in played_ledger.events(kinds=("corrected",))}
    fine = next(e for e in played_ledger.events(kinds=("settled",)) if (e.chain, e.round) not in odd)
    round = f"{fine.chain}:{fine.round}"
    sentence = f"Nothing irregular is on record about round {fine.round} of {fine.chain}."
    assert refusal("ledger", "incident", round, *at) == sentence
    assert "is not a round" in refusal("ledger", "incident", "war", *at)
    assert "is written as" in refusal("ledger", "incident", round, "-o", str(tmp_path / "x.doc"), *at)


# -- Export ------------------------------------------------------------------------------------------

PITS_OWN = [f"ledger.sqlite{end}" for end in ("", "-wal", "-shm", ".lock")]
PITS_OWN += ["vault.key", "sessions.key", "access.token", "../pit/ledger.sqlite", "soft", "hard"]
BROKEN = {"changed": lambda line: line.replace('"round":1', '"round":2', 1), "cut out": lambda line: ""}


def checked(lines: list[str]) -> int:
    """The program of the document: nothing but JSON and SHA-256."""
    document = (ROOT / "docs" / "pit" / "ledger.md").read_text(encoding="utf-8")
    (source,) = (part for part in document.split("```python\n")[1:] if "hashlib" in part)
    space: dict[str, Any] = {}
    exec(source.split("```")[0], space)
    count: int = space["check"](lines)
    return count


def test_a_line_of_json_has_all_that_its_digest_is_made_of(at: tuple[str, str], played_folder: Path) -> None:
    heads: dict[str, str] = {}
    lines = run("ledger", "export", *at).stdout.splitlines()
    for line in lines:
        event = json.loads(line)
        fields = [event[name] for name in ("chain", "number", "kind", "round", "at", "data", "past")]
        text = [heads.get(event["chain"], ""), *fields]
        said = json.dumps(text, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        heads[event["chain"]] = hashlib.sha256(said.encode()).hexdigest()
        assert event["digest"] == heads[event["chain"]]
    assert list(map(stored_part, lines)) == read_events(played_folder)


def stored_part(line: str) -> dict[str, Any]:
    """An event of an export without its past, which is the digest of another event."""
    event: dict[str, Any] = json.loads(line)
    assert len(event.pop("past")) in (0, 64)
    return event


def test_the_program_of_the_document_checks_an_export(at: tuple[str, str]) -> None:
    lines = run("ledger", "export", *at).stdout.splitlines()
    assert checked(lines) == len(lines)


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_the_program_of_the_document_finds_a_change(
    at: tuple[str, str], broken: Callable[[str], str]
) -> None:
    lines = run("ledger", "export", "--table", "casino-war-1", *at).stdout.splitlines()
    at_round_1 = next(n for n, line in enumerate(lines) if '"round":1' in line)
    lines[at_round_1] = broken(lines[at_round_1])
    with pytest.raises(SystemExit, match="casino-war-1"):
        checked([line for line in lines if line])


def test_export_takes_a_chain_and_a_beginning(at: tuple[str, str], played_folder: Path) -> None:
    everything: Events = read_events(played_folder)
    lines = run("ledger", "export", "--table", "cage", "--from", "100", *at).stdout.splitlines()
    due = [e for e in everything if e["chain"] == "cage" and e["sequence"] >= 100]
    assert list(map(stored_part, lines)) == due


def test_csv_has_a_column_of_the_cents_that_an_event_moves(at: tuple[str, str], played_folder: Path) -> None:
    text = run("ledger", "export", "--format", "csv", *at).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [json.loads(row["data"]) for row in rows] == [e["data"] for e in read_events(played_folder)]
    for row in rows:
        data = json.loads(row["data"])
        if row["kind"] == "wagered":
            assert int(row["cents"]) == sum(data["wagers"].values())
        elif row["kind"] in ("settled", "void"):
            assert int(row["cents"]) == sum(data["returned"].values())
        else:
            assert row["cents"] == str(data.get("cents", ""))


def test_export_writes_a_file_whole(at: tuple[str, str], tmp_path: Path) -> None:
    written = tmp_path / "events.jsonl"
    assert run("ledger", "export", "-o", str(written), *at).stdout == f"Wrote {written}.\n"
    assert written.read_text() == run("ledger", "export", *at).stdout
    assert [path.name for path in tmp_path.iterdir()] == ["events.jsonl"]


@pytest.mark.parametrize("name", PITS_OWN)
def test_export_does_not_write_over_the_pit(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "pit"
    folder.mkdir()
    Ledger.open(folder / "ledger.sqlite").close()
    (folder / "vault.key").write_bytes(b"secret")
    (folder / "soft").symlink_to(folder / "vault.key")
    (folder / "hard").hardlink_to(folder / "ledger.sqlite")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    told = refusal("ledger", "export", "-o", str(folder / name), "--data", str(folder))
    assert told == f"{folder / name} cannot be written: it belongs to the pit."
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    reading = ("ledger.sqlite-wal", "ledger.sqlite-shm")  # SQLite's own, for as long as it reads
    assert {key: after[key] for key in after if key not in reading or key in before} == before


def test_export_of_a_ledger_elsewhere_spares_the_keys_of_the_pit(played_folder: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{played_folder / 'ledger.sqlite'}"
    key = tmp_path / "vault.key"
    told = refusal("ledger", "export", "-o", str(key), "--data", str(tmp_path), "--database", url)
    assert "it belongs to the pit" in told
    assert not key.exists()


def test_export_to_a_closed_stream_says_so(played_folder: Path) -> None:
    command = f"exec {sys.executable} -m feltlab ledger export --data '{played_folder}' >&-"
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "feltlab: Standard output is closed; write to a file with -o.\n"


def test_export_refuses_what_is_not_there(at: tuple[str, str], tmp_path: Path) -> None:
    assert refusal("ledger", "export", "--table", "moon", *at).startswith(
        "'moon' is not a chain of this ledger"
    )
    missing = tmp_path / "no" / "folder"
    assert "cannot be written" in refusal("ledger", "export", "-o", str(missing), *at)


def test_tables_are_completed(at: tuple[str, str], played_folder: Path) -> None:
    recall = command.get_command(None, "recall")  # type: ignore[arg-type]
    assert recall
    context = recall.make_context("recall", [*at])
    table = next(param for param in recall.params if param.name == "table")
    found = [item.value for item in TableName().shell_complete(context, table, "casino")]
    assert found == ["casino-war-1"]
    elsewhere = recall.make_context("recall", ["--data", str(played_folder / "nowhere")])
    assert RoundName().shell_complete(elsewhere, table, "") == []


def test_a_receipt_is_written_under_the_last_signed_head(at: tuple[str, str], tmp_path: Path) -> None:
    written = tmp_path / "receipt.json"
    assert run("ledger", "receipt", "casino-war-1:1", "-o", str(written), *at).stdout == f"Wrote {written}.\n"
    receipt = json.loads(written.read_text())
    assert (receipt["table"], receipt["round"]) == ("casino-war-1", 1)
    assert receipt == json.loads(run("ledger", "receipt", "casino-war-1:1", *at).stdout)
    assert "no round 999999" in refusal("ledger", "receipt", "casino-war-1:999999", *at)
