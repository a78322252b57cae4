"""`feltlab play` in a pipe."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

import pytest
from click.testing import CliRunner, Result

from feltlab.cli.main import main
from feltlab.core.game import Game
from feltlab.core.layout import Choice
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.submission.rule_sheet import read_rule_sheet, render_rule_sheet
from feltlab.terminal import lines
from feltlab.terminal.help_text import describe_pay_tables, without_markup
from tests.support.solo_tables import SUMMARY, WAR, every_game, path_to, seated, seed_of, wagered


def piped(*args: str, typed: str | bytes) -> Result:
    return CliRunner().invoke(main, ["play", *args], input=typed)


def wager_line(game: Game) -> str:
    return " ".join(f"{spot.name}=5" for spot in game.wagers)


@pytest.mark.parametrize(
    ("game", "choice"),
    [(game, choice) for game in GAMES.values() for choice in game.choices],
    ids=lambda value: value.name,
)
def test_every_choice_of_every_game_by_name_and_by_key(game: Game, choice: Choice) -> None:
    seed, before = path_to(game, choice.name)
    rest = ("decline", "stand", "fold", "surrender", "check", "check", "fold", "pull", "quit")
    typed = (
        "\n".join([wager_line(game), *before, word, *rest, ""]) for word in (choice.name, choice.key.upper())
    )
    by_name, by_key = (piped(game.name, "--seed", str(seed), typed=lines) for lines in typed)
    assert by_name.exit_code == 0
    assert by_name.output == by_key.output
    assert by_name.output.splitlines()[-1].startswith(f"{game.title}: 1 round, ")
    assert by_name.output.isascii()


@every_game
def test_the_end_of_input_in_mid_round_voids_it(game: Game) -> None:
    table = wagered(seated(game, seed_of(game, game.choices[0].name))).deal_round().void("The player left.")
    result = piped(game.name, "--seed", str(seed_of(game, game.choices[0].name)), typed=wager_line(game))
    assert result.exit_code == 0
    assert result.output.splitlines()[-2:] == [
        "The round is void; the wagers on the felt are returned.",
        table.summary,
    ]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "Type your wagers, or help."),
        ("rebet", "There is no earlier round to repeat."),
        ("nonsense", "A wager takes NAME=VALUE, not 'nonsense'."),
        ("ante=5", "'ante' is not a wager of Casino War; its wagers are primary and tie."),
        ("primary=5 primary=6", "A wager names primary twice."),
        ("primary=much", "'much' is not an amount of dollars and whole cents."),
        ("primary=0", "A wager must be more than $0."),
        ("primary=401", "The Primary wager may be at most $400, not $401."),
        ("primary=max tie=max", ""),
        ("tie=5", "Casino War requires the Primary wager."),
    ],
)
def test_a_line_that_means_nothing_repeats_the_question(line: str, sentence: str) -> None:
    result = piped("casino-war", "--seed", "1", typed=f"{line}\n")
    assert result.exit_code == 0
    assert sentence in result.output.splitlines() or not sentence
    assert result.output.count("Your wagers on primary and tie") == 2


def test_bytes_that_are_no_text_are_refused_like_any_nonsense() -> None:
    result = piped("casino-war", typed=b"\xff\xfe\x00=5\nquit\n")
    assert result.exit_code == 0
    assert "is not a wager of Casino War" in result.output


def test_a_line_that_is_too_long_is_refused_and_not_cut() -> None:
    result = piped(
        "casino-war", typed=f"primary=5 {' ' * 300} tie=5\n{'x' * 20_000}\nquit{' ' * 5_000}x\nquit\n"
    )
    assert result.output.count("A line may have at most 200 characters.") == 3
    assert SUMMARY.decode() in result.output


def test_control_characters_are_not_sent_back() -> None:
    assert "\x1b" not in piped("casino-war", typed="\x1b=5 \x1b=6\n\x1b[2J=5\nprimary=\x1b\n").output


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_the_lines_like_the_end_of_input(number: signal.Signals) -> None:
    seed = str(seed_of(WAR, "war"))
    command = [sys.executable, "-u", "-m", "feltlab", "play", "casino-war", "--seed", seed]
    heed = partial(signal.signal, number, signal.SIG_DFL)  # also under nohup, which ignores SIGHUP
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, preexec_fn=heed) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"primary=5\n")
        process.stdin.flush()
        while b"Your choice" not in process.stdout.readline():
            pass
        process.send_signal(number)
        void, summary = process.stdout.read().splitlines()
        assert process.wait(30) == 0
    assert (void, summary) == (b"The round is void; the wagers on the felt are returned.", SUMMARY)


def test_rebet_and_double_in_lines() -> None:
    result = piped("casino-war", "--seed", "3", typed="primary=min\nrebet\ndouble\nhelp\n")
    assert "3 rounds" in result.output.splitlines()[-1]
    assert "Primary $10 " in result.output
    assert describe_pay_tables(WAR) in result.output
    assert without_markup(render_rule_sheet(WAR)).strip() in result.output


def test_a_lost_bankroll_ends_the_game() -> None:
    for seed in range(20):
        result = piped(
            "casino-war", "--seed", str(seed), "--bankroll", "5", typed="primary=5\nsurrender\n" * 50
        )
        if "Your bankroll is less than the minimum wager." in result.output:
            assert result.output.splitlines()[-1].endswith("$5 down; you leave with $0.")
            return
    raise AssertionError("nobody ever lost")


def test_an_interrupt_leaves_the_lines_cleanly() -> None:
    def typed() -> Iterator[str]:
        yield "primary=5"
        raise KeyboardInterrupt

    heard: list[str] = []
    table = lines.play(seated(WAR), typed(), heard.append)
    assert heard[-1] == table.summary


def test_the_same_seed_plays_the_same_in_a_real_pipe() -> None:
    command = [sys.executable, "-m", "feltlab", "play", "casino-war", "--seed", "9"]
    runs = [subprocess.run(command, input=b"primary=5\nprimary=5\n", capture_output=True) for _ in range(2)]
    assert runs[0].returncode == 0
    assert runs[0].stdout == runs[1].stdout
    assert not runs[0].stderr


@pytest.mark.parametrize(
    "args",
    [
        ["no-such-game"],
        ["casino-war", "--option", "decks=9"],
        ["casino-war", "--seed", "-1"],
        ["casino-war", "--minimum", "0"],
        ["casino-war", "--minimum", "50", "--maximum", "10"],
        ["casino-war", "--bankroll", "3"],
        ["casino-war", "--bankroll", "-3"],
        ["casino-war", "--bankroll", "1e12"],
        ["casino-war", "--minimum", "5", "--maximum", "400.50"],
        ["casino-war", "--minimum", "5.01"],
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_is_one_sentence_and_status_2(args: list[str]) -> None:
    result = CliRunner().invoke(main, ["play", *args], input="")
    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1


# -- Help --


@every_game
def test_pay_tables_list_what_the_table_prints(game: Game) -> None:
    text = describe_pay_tables(game)
    for spot in game.spots:
        for line in game.pay_table(spot).lines:
            assert (f"  {line.outcome} " in text) >= line.listed


@pytest.mark.parametrize("name", ["no-such-game", "../rules/casino-war", "", "casino-war.md"])
def test_a_sheet_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="no rule sheet"):
        read_rule_sheet(name)


def test_the_rules_in_the_help_have_no_marks() -> None:
    for game in GAMES.values():
        text = lines.help_text(seated(game))
        assert not re.search(r"\*\*|^#|^>|\]\(|^\|", text, re.M)
        assert re.search("^1 .*\n\n1.1 ", text, re.M)
