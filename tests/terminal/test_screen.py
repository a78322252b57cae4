"""The screen: keys, help, sizes, signals and errors."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from feltlab.core.game import Game
from feltlab.core.layout import Choice
from feltlab.games import GAMES
from feltlab.terminal.screen import HelpScreen, TableApp
from feltlab.terminal.solo_table import SoloTable
from tests.support.solo_tables import (
    SUMMARY,
    WAR,
    at_choice,
    every_game,
    finished,
    path_to,
    seated,
    seed_of,
    wagered,
)


def screen_text(app: TableApp) -> str:
    return "\n".join("".join(part.text for part in strip) for strip in app.screen._compositor.render_strips())


async def ready(app: TableApp, pilot: Pilot[SoloTable]) -> None:
    while not app.felt.kernels_ready:
        await pilot.pause(0.05)


@pytest.mark.parametrize(
    ("game", "choice"),
    [(game, choice) for game in GAMES.values() for choice in game.choices],
    ids=lambda value: value.name,
)
async def test_every_choice_of_every_game_by_its_key(game: Game, choice: Choice) -> None:
    seed, before = path_to(game, choice.name)
    app = TableApp(seated(game, seed))
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(app, pilot)
        for number in range(len(game.wagers)):
            await pilot.press(str(number + 1), "m")
        assert game.title in screen_text(app)
        await pilot.press("enter", *(game.choice(name).key for name in before))
        assert choice.help in screen_text(app)
        await pilot.press(choice.key)
        while app.felt.table.is_playing:
            await pilot.press(app.felt.table.choices[-1].key)
        text = screen_text(app)
        assert app.felt.table.result in text
        assert app.felt.table.round
        assert choice.name in app.felt.table.round.chosen
        assert app.felt.table.settlement
        at = text.index("outcome and why")
        for wager in app.felt.table.settlement.wagers:  # in the order of settling
            at = text.index(f" {wager.spot.title} ", at)
            assert wager.result in text[at : at + 80]
        assert len(text.splitlines()) == 24
        assert {len(line) for line in text.splitlines()} == {80}


async def test_the_keys_that_place_wagers() -> None:
    app = TableApp(seated(WAR))
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(app, pilot)
        await pilot.press(*"zxcv")
        assert app.felt.table.placed == {"primary": 13_100}
        await pilot.press(*"ZXCV")
        assert app.felt.table.placed == {}
        await pilot.press("m", "tab", "x", "d")
        assert app.felt.table.placed == {"primary": 1_000, "tie": 1_000}
        await pilot.press("backspace", "up", "M")
        assert app.felt.table.placed == {"primary": 40_000}
        await pilot.press("v")
        assert "at most $400, not $500" in screen_text(app)
        await pilot.press("0", "enter")
        assert "requires the Primary wager" in screen_text(app)
        await pilot.press("m", "space")
        assert app.felt.table.deal
        app.felt.table = finished(app.felt.table)
        await pilot.press("r")
        assert app.felt.table.placed == {"primary": 500}


async def test_keys_change_the_amount_of_insurance() -> None:
    game = GAMES["triple-shot-bonus"]
    app = TableApp(seated(game, seed_of(game, "insure")))
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(app, pilot)
        for number in range(len(game.wagers)):
            await pilot.press(str(number + 1), "m")
        await pilot.press("enter")
        assert "- + insure for less, for more (at most $2.50)" in screen_text(app)
        for key, amount in (("+", "$2.50"), ("-", "$2"), ("left", "$1"), ("-", "$1"), ("right", "$2")):
            await pilot.press(key)
            row = next(line for line in screen_text(app).splitlines() if " insure " in line)
            assert row.split()[:3] == ["i", "insure", amount]
        await pilot.press("i")
        assert app.felt.table.round
        assert app.felt.table.round.chosen[0] == "insure=200"
        assert app.felt.cents is None


async def test_only_legal_choices_are_offered() -> None:
    app = TableApp(replace(at_choice(WAR, "war"), bankroll=100))
    async with app.run_test(size=(80, 24)) as pilot:
        text = screen_text(app)
        assert "give up half your wager" in text
        assert "match your wager" not in text
        assert "To war you need $4 more than your bankroll." in text
        await pilot.press("w")
        assert app.felt.table.is_playing


@every_game
async def test_help_shows_keys_pay_tables_and_rules(game: Game) -> None:
    app = TableApp(seated(game))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("?")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        assert "leave the table" in screen_text(app)
        await pilot.press("pagedown", "down", "pageup")
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is app.felt


async def test_a_terminal_that_is_too_small_says_so_and_comes_back() -> None:
    app = TableApp(seated(WAR))
    async with app.run_test(size=(30, 8)) as pilot:
        assert " ".join(screen_text(app).split()) == "The table needs a terminal of 80x24; this one is 30x8."
        await pilot.press("m", "enter")
        assert app.felt.table.placed == {}
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "bankroll $1,000" in screen_text(app)
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert "bankroll $1,000" in screen_text(app)


async def test_one_q_in_mid_round_only_asks_and_another_key_takes_it_back() -> None:
    app = TableApp(at_choice(WAR, "war"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("q")
        assert "void" in app.felt.message
        await pilot.press("question_mark", "escape", "q")
        assert app.felt.table.is_playing
        assert "again to leave" in app.felt.message


async def test_help_leaves_the_message_as_it_was() -> None:
    app = TableApp(at_choice(WAR, "war"))
    async with app.run_test(size=(80, 24)) as pilot:
        before = app.felt.message
        await pilot.press("question_mark", "escape")
        assert app.felt.message == before


@pytest.mark.parametrize("keys", ["q q", "ctrl+c", "ctrl+d", "ctrl+q"])
async def test_leaving_in_mid_round_by_key(keys: str) -> None:
    table = at_choice(WAR, "war")
    app = TableApp(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*keys.split())
        await pilot.pause()
    assert app.return_value
    assert app.return_value.bankroll == 100_000 + sum(wager.net for wager in table.payments)


async def test_no_colour_is_used_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = TableApp(wagered(seated(WAR)).deal_round())
    async with app.run_test(size=(80, 24)):
        strips = app.screen._compositor.render_strips()
        styles = [part.style for strip in strips for part in strip if part.style]
    assert all(style.color is None or style.color.is_default for style in styles)
    assert all(style.bgcolor is None or style.bgcolor.is_default for style in styles)


def until(terminal: int, words: bytes) -> bytes:
    """The output of a terminal up to these words or to its end."""
    seen = b""
    with suppress(OSError):
        while words not in seen and (part := os.read(terminal, 4096)):
            seen += part
    return seen


@contextmanager
def at_terminal(
    *python: str, stdin: int | None = None, stdout: int | None = None, stderr: int | None = None, **env: str
) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """`feltlab play` on a terminal of its own, the only place where the real driver runs."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, *(python or ("-m", "feltlab")), "play", "casino-war"],
        stdin=stdin or theirs,
        stdout=stdout or theirs,
        stderr=stderr or theirs,
        env={**os.environ, "TERM": "xterm-256color", **env},
    )
    os.close(theirs)
    with process:
        try:
            yield ours, process
        finally:
            process.kill()
            os.close(ours)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_the_screen_cleanly(number: signal.Signals) -> None:
    with at_terminal() as (terminal, process):
        until(terminal, b"limits $5 to $400")
        process.send_signal(number)
        assert SUMMARY in until(terminal, SUMMARY)
        assert process.wait(30) == 0


def test_bytes_that_are_no_text_do_not_end_the_screen() -> None:
    with at_terminal() as (terminal, process):
        until(terminal, b"limits $5 to $400")
        os.write(terminal, b"\xff\xfe\x80")
        time.sleep(0.5)  # so that it is read alone, as from a keyboard
        os.write(terminal, b"q")
        assert SUMMARY in until(terminal, SUMMARY)
        assert process.wait(30) == 0


BREAKING = """
from feltlab.terminal.solo_table import SoloTable
from feltlab.cli.main import main
def double(table):
    unseen = "the queen of hearts"
    raise ZeroDivisionError(unseen)
SoloTable.double = double
main()
"""


def test_a_table_that_breaks_says_so_without_showing_anything() -> None:
    with at_terminal("-c", BREAKING) as (terminal, process):
        until(terminal, b"limits $5 to $400")
        os.write(terminal, b"d")
        seen = until(terminal, b"returned.")
        assert process.wait(30) == 1
    assert SUMMARY in seen
    assert b"feltlab: The table stopped: ZeroDivisionError in <string>, line 6;" in seen
    assert b"queen" not in seen
    assert b"Traceback" not in seen


@pytest.mark.parametrize("other", ["stdin", "stdout", "stderr"])
def test_one_stream_that_is_no_terminal_means_plain_lines(other: str) -> None:
    with at_terminal(**{other: subprocess.PIPE}) as (terminal, process):
        typed = process.stdin.fileno() if process.stdin else terminal
        os.write(typed, b"quit\n")
        seen = process.stdout.read() if process.stdout else until(terminal, SUMMARY)
        assert process.wait(30) == 0
    assert SUMMARY in seen
    assert b"\x1b" not in seen


def test_an_encoding_without_suits_means_plain_lines() -> None:
    with at_terminal(PYTHONIOENCODING="latin-1") as (terminal, process):
        os.write(terminal, b"quit\n")
        seen = until(terminal, SUMMARY)
        assert process.wait(30) == 0
    assert b"\x1b" not in seen
