"""Names and notes that would move a cursor, turn text round or compute: every output shows them harmless."""

import asyncio
import csv
import io
import json
import logging
import unicodedata
from pathlib import Path

import pytest

from feltlab.cli.custody.verify import PROBLEM_FOUND
from feltlab.core.limits import STANDARD_LIMITS
from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_CHAIN, Draft, Entry
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.plain_text import escape_json, guard_cell, show_controls
from feltlab.pit.pit import Pit
from feltlab.pit.seats import Timers
from feltlab.server.clients.logs import PlainFormatter
from feltlab.web.pages.hands import AREAS, CENTS, CSV_FIELDS, _write_csv
from tests.support.command_line import run

# Colour, title of the window, clear screen by one byte, right to left, a line of its own, invisible letters.
EVIL = "=HYPERLINK(1)\x1b[31m\x1b]0;owned\x07\x9b2J\u202eraw\r\nNo problem found.\u2028\u200b\U000e0041"
SLOW = Timers(no_more_bets=None, dealing=None, reveal=None, settling=None)


async def play(folder: Path) -> None:
    """A round that is void for a hostile reason, and hostile events of the house."""
    pit = Pit(folder)
    await pit.start()
    await pit.demo()
    live = await pit.open_table("evil", GAMES["casino-war"], "house", STANDARD_LIMITS, SLOW)
    await pit.give(lambda cage: cage.plan_issue("ann", 100_000, EVIL))
    await live.act(lambda table: table.sit("ann", 0, 50_000))
    await live.act(lambda table: table.wager("ann", 0, {"primary": 1_000}))
    await live.act(lambda table: table.void("bob", EVIL))
    await pit.note(Draft(HOUSE_CHAIN, "sign-in-refused", {"account": EVIL, "why": EVIL}))
    await pit.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evil")
    asyncio.run(play(folder))
    return folder


def find_controls(text: str) -> set[str]:
    return {char for char in text if unicodedata.category(char)[0] in "CZ" and char not in " \n\xa0"}


@pytest.mark.parametrize(
    "words",
    [
        ("verify",),
        ("recall", "evil"),
        ("recall", "evil", "--json"),
        ("replay", "evil:1"),
        ("replay", "evil:1", "--json"),
        ("incident", "evil:1"),
        ("incident", "evil:1", "--json"),
        ("export",),
        ("export", "--format", "csv"),
    ],
    ids=" ".join,
)
def test_no_control_code_reaches_a_terminal(folder: Path, words: tuple[str, ...]) -> None:
    result = run("ledger", *words, "--data", str(folder))
    assert result.exit_code in (0, PROBLEM_FOUND), result.output
    assert find_controls(result.stdout + result.stderr) == set()
    assert "\nNo problem found.\\u2028" not in result.stdout  # no line is forged
    assert "[31m" in result.stdout  # the note is there, as text


@pytest.mark.parametrize("suffix", ["md", "txt", "html"])
def test_no_control_code_is_in_a_report(folder: Path, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"incident.{suffix}"
    result = run("ledger", "incident", "evil:1", "-o", str(path), "--data", str(folder))
    assert result.exit_code == 0, result.output
    text = path.read_text(encoding="utf-8")
    assert "[31m" in text
    assert not find_controls(text) & {"\x1b", "\x9b", "\u202e", "\u2028", "\u200b"}


def test_an_export_still_has_what_was_written(folder: Path) -> None:
    lines = run("ledger", "export", "--data", str(folder)).stdout.splitlines()
    events = [json.loads(line) for line in lines]
    assert [event["data"]["reason"] for event in events if event["kind"] == "void"] == [EVIL]


def test_no_cell_of_a_spreadsheet_is_a_formula(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        ledger.append_blocking(Entry((Draft("=1+1", "@SUM(A1)", {"cents": -5, "note": EVIL}),)))
    out = run("ledger", "export", "--format", "csv", "--data", str(tmp_path)).stdout
    rows = list(csv.DictReader(io.StringIO(out)))
    assert rows[0]["chain"] == "'=1+1"
    assert (rows[0]["kind"], rows[0]["cents"]) == ("'@SUM(A1)", "-5")
    assert json.loads(rows[0]["data"])["note"] == EVIL


def test_no_cell_of_a_player_is_a_formula() -> None:
    evil = dict.fromkeys(CSV_FIELDS, "=1+1") | dict.fromkeys(CENTS, -150)
    evil |= {"cards": {area: ["@x"] for area in AREAS}, "choices": [{"choice": "+1+cmd|' /C calc'!A0"}]}
    (row,) = csv.DictReader(io.StringIO(_write_csv([evil])))
    assert row["table"] == "'=1+1"
    assert row["result"] == "-1.5000"
    assert row["board_cards"] == "'@x"
    assert row["choices"].startswith("'+")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("-7/15", "-7/15"),
        ("+1.5%", "+1.5%"),
        ("-1,000", "-1,000"),
        (-3, -3),
        (None, None),
        ("-1+1", "'-1+1"),
        ("\t=1", "'\\t=1"),
        ("\r=1", "'\\r=1"),
        ("＝1", "'＝1"),
        ("plain", "plain"),
    ],
)
def test_a_cell_is_guarded_unless_it_is_a_number(text: object, shown: object) -> None:
    assert guard_cell(text) == shown


def test_shown_text_is_printable_and_json_stays_the_same() -> None:
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    assert find_controls(show_controls(every) + escape_json(every)) <= {
        char for char in every if unicodedata.category(char) == "Zs"
    }
    assert json.loads(escape_json(json.dumps(every, ensure_ascii=False))) == every


def test_a_log_has_no_control_codes() -> None:
    record = logging.LogRecord("x", logging.ERROR, "", 0, "GET %s failed", ("/\x1b[2J",), None)
    assert PlainFormatter().format(record) == "GET /\\x1b[2J failed"
