"""The command line as people use it: good input, and bad input answered by one sentence."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

import pytest

from feltlab.cli import bench
from feltlab.cli.main import COMMANDS, MAX_SENTENCE_CHARS
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.text import listing, parse_dollars
from tests.support.command_line import answer, refusal, run


def test_help_lists_every_command_and_every_command_has_help() -> None:
    shown = run("--help").stdout
    for name in COMMANDS:
        assert name in shown
        assert run(name, "--help").exit_code == 0


def test_the_list_of_commands_has_the_first_sentence_of_each_commands_help() -> None:
    for name, line in COMMANDS.items():
        assert f"\n  {line}\n" in run(name, "--help").stdout, name


WAR = ("settle", "casino-war", "--player", "Ks 9d", "--dealer", "Kd 9h", "--wager", "primary=10", "tie=5")
SHOT = ("settle", "triple-shot-bonus", "--wager", "war=10", "blackjack=10", "poker=10")


def test_settle_json_has_the_promised_shape() -> None:
    assert answer(*WAR, "--choose", "war") == {
        "game": "casino-war",
        "options": {"decks": "6", "war": "one", "settling": "pick-and-pay"},
        "unit": "cents",
        "choices": ["war"],
        "wagers": {  # a war that ties wins two units; the Tie wager pays 10 to 1
            "primary": {"outcome": "war tied", "net": 2000},
            "tie": {"outcome": "tie", "net": 5000},
        },
        "net": 7000,
    }


def test_settle_prints_each_wager_with_its_reason() -> None:
    shown = run(*WAR, "--choose", "surrender").stdout
    assert "surrender" in shown
    assert "King against King" in shown
    assert "net +$45" in shown  # half of ten lost, 10 to 1 on five won


def test_settle_takes_cards_and_wagers_as_several_words_or_several_flags() -> None:
    flags = ("--player", "Ks", "--player", "9d", "--dealer", "Kd", "--dealer", "9h")
    wagers = ("--wager", "primary=10", "--wager", "tie=5")
    again = answer("settle", "casino-war", *flags, *wagers, "--choose", "war")
    assert again == answer(*WAR, "--choose", "war")


RUMMY = ("settle", "triple-shot-rummy", "--wager", "ante=10", "--choose", "play")
HUNT = ("settle", "rabbit-hunter", "--wager", "ante=10", "--choose", "play")


@pytest.mark.parametrize(
    ("words", "net"),
    [
        ((*WAR, "--choose", "surrender"), 4500),  # the cards of the war that the player declined
        (("settle", "casino-war", "--player", "Ks", "--dealer", "9d 4c", "--wager", "primary=10"), 1000),
        # Dealer's card for another seat at war, above; for a seat that has not busted, below.
        ((*SHOT, "--player", "Kc 6c Ts 3s 4s 5h", "--dealer", "9h 7d 5c", "--choose", "hit"), -1000),
        ((*HUNT, "--player", "Ks Kd 3c 4c 5c 9d", "--dealer", "Ah 2d 4d 7c 9c"), 2000),  # not bought
        ((*HUNT, "--player", "Ks Kd 3c 4c 5c", "--dealer", "Ah 2d 4d 7c 9c"), 2000),  # nor shown
    ],
)
def test_settle_does_not_use_cards_that_are_not_needed(words: tuple[str, ...], net: int) -> None:
    found = answer(*words)
    assert (found["net"], "void" in found) == (net, False)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((*RUMMY, "--player", "5s 6s 7s 8c", "--dealer", "2c 9d 4h"), "player has 4 cards instead of 3"),
        ((*RUMMY, "--player", "5s 6s 7s", "--dealer", "2c 9d 4h 8c"), "dealer has 4 cards instead of 3"),
        ((*RUMMY, "--player", "5s 6s 7s 8c", "--dealer", ""), "player has 4 cards instead of 3"),
        (
            (*RUMMY, "--player", "5s 6s", "--dealer", "2c 9d 4h", "--counted"),
            "player has 2 cards instead of 3",
        ),
        ((*RUMMY, "--player", "5s 6s 7s", "--dealer", "2c", "--counted"), "dealer has 1 card instead of 3"),
        (
            ("settle", "casino-war", "--player", "Ks 2d", "--dealer", "9d 4c", "--wager", "primary=10"),
            "player has 2 cards instead of 1",  # without a tie nobody goes to war
        ),
        ((*WAR, "--player", "2c", "--choose", "war"), "player has 3 cards instead of 2"),
        ((*WAR, "--dealer", "2c", "--choose", "surrender"), "dealer has 3 cards instead of 1"),
        (
            (*HUNT, "--player", "Ks Kd 3c 4c 5c 9d 2h", "--dealer", "Ah 2d 4d 7c 9c"),
            "has 7 cards instead of 5",  # the sixth was not bought
        ),
        ((*HUNT, "--player", "Ks Kd 3c 4c 5c", "--dealer", "Ah 2d 4d 7c 9c 9h"), "has 6 cards instead of 5"),
        (
            (*SHOT, "--player", "Kc 9c 2s 3s 4s 5h", "--dealer", "Th 9d 5c", "--choose", "stand"),
            "dealer has 3 cards instead of 2",  # who stands on nineteen
        ),
        (
            (*SHOT, "--player", "Kc 9c 2s 3s 4s 5h 6h", "--dealer", "Th 9d", "--choose", "stand"),
            "player has 7 cards instead of 6",
        ),
        (
            (
                *("settle", "high-five-poker", "--player", "Ah Ad 4c 4s 9d Tc Jh 2d", "--wager", "ante=10"),
                *("--dealer", "Kh Kd 2c 7s 8d 3c Qh", "--choose", "play"),
            ),
            "player has 8 cards instead of 7",
        ),
    ],
)
def test_settle_voids_a_wrong_number_of_cards_and_never_pays(words: tuple[str, ...], reason: str) -> None:
    found = answer(*words)
    assert reason in found["void"]
    assert (found["net"], {wager["outcome"] for wager in found["wagers"].values()}) == (0, {"void"})
    shown = run(*words)
    assert shown.exit_code == 0
    assert f"{reason}. Every wager goes back." in " ".join(shown.stdout.split())


def test_settle_refuses_a_surplus_card_that_the_deck_does_not_hold() -> None:
    words = ("--player", "5s 6s 7s 5s", "--dealer", "2c 9d 4h")
    assert refusal(*RUMMY, *words) == "5s is given 2 times; the deck holds it once."


def test_settle_refuses_the_cards_of_a_board_that_the_game_does_not_have() -> None:
    words = ("--player", "5s 6s 7s", "--board", "8s", "--dealer", "2c 9d 4h")
    assert refusal(*RUMMY, *words) == "Triple Shot Rummy has no cards of the board."


def test_settle_needs_no_dealer_for_a_wager_on_the_players_cards_alone() -> None:
    found = answer("settle", "triple-shot-rummy", "--player", "9c 9d 4h", "--wager", "pair-plus=5")
    assert found["net"] == 500


def test_settle_takes_the_amount_of_insurance_in_dollars() -> None:
    dealt = (*SHOT, "--player", "8h Kd Qs 8c 2d Ks", "--dealer", "As Kh", "--choose")
    assert answer(*dealt, "insure=2.50")["wagers"]["insurance"]["net"] == 500
    assert answer(*dealt, "insure")["wagers"]["insurance"]["net"] == 1000
    assert refusal(*dealt, "insure=6") == "You may insure for more than $0 and at most $5, not $6."
    assert refusal(*dealt, "insure=-1") == "'-1' is less than $0."
    assert refusal(*dealt, "insure=half") == "'half' is not an amount of dollars and whole cents."


def test_settle_reads_options() -> None:
    words = ("--player", "Ah Kd 2c 3c 4d 9s", "--dealer", "9c 7d", "--option", "blackjack-pays=6:5")
    assert answer(*SHOT, *words)["wagers"]["blackjack"] == {"outcome": "blackjack", "net": 1200}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (WAR, "The round is not over; open are war and surrender."),
        ((*WAR, "--choose", "hit"), "'hit' cannot be chosen here; open are war and surrender."),
        ((*WAR, "--choose", "war", "war"), "'war' cannot be chosen: no choice is open."),
        ((*SHOT, "--dealer", "9c 7d Th", "--player", "2c"), "The player's second card is missing."),
        (
            (*SHOT, "--dealer", "9c 7d", "--player", "2c Tc 8c 2d 3d 4d", "--choose", "hit", "stand"),
            "The dealer's third card is missing.",
        ),
        ((*WAR, "--option", "decks=9"), "decks=9 is not possible; decks is 1, 2, 3, 4, 5, 6, 7 or 8."),
        (
            (*WAR, "--option", "moon=full"),
            "'moon' is not an option of Casino War; its options are decks, war and settling.",
        ),
        ((*WAR, "--option", "decks"), "--option takes NAME=VALUE, not 'decks'."),
        ((*WAR, "--wager", "tie=6"), "--wager names tie twice."),
        ((*WAR, "--wager", "pair=6"), "'pair' is not a wager of Casino War; its wagers are primary and tie."),
        (
            ("settle", "casino-war", "--wager", "primary=ten"),
            "'ten' is not an amount of dollars and whole cents.",
        ),
        (
            ("settle", "casino-war", "--wager", "primary=1.005"),
            "'1.005' is not an amount of dollars and whole cents.",
        ),
        (
            ("settle", "casino-war", "--wager", "primary=nan"),
            "'nan' is not an amount of dollars and whole cents.",
        ),
        (
            ("settle", "casino-war", "--wager", "primary=-5"),
            "The Primary wager must be more than $0, not -$5.",
        ),
        (
            ("settle", "casino-war", "--wager", "primary=0"),
            "The Primary wager must be more than $0, not $0.",
        ),
        (
            ("settle", "casino-war", "--wager", f"primary={10**30}"),
            "The Primary wager may be at most $10,000,000,000.",
        ),
        (("settle", "casino-war", "--wager", f"primary={10**50}"), f"'{10**50}' is too large an amount."),
        (("settle", "casino-war", "--wager", "tie=5"), "Casino War requires the Primary wager."),
        (
            ("settle", "rabbit-hunter", "--wager", "ante=5", "tens-up=6"),
            "The Tens Up wager may not be more than the Ante.",
        ),
        (
            ("settle", "high-five-poker", "--player", "As As", "--wager", "ante=5"),
            "As is given 2 times; the deck holds it once.",
        ),
        (
            ("settle", "casino-war", "--player", "Jk", "--wager", "primary=5"),
            "Jk is not in this game's deck.",
        ),
        (
            ("settle", "casino-war", "--player", "Zz", "--wager", "primary=5"),
            "'Zz' is not a card; cards are written like As, Td, 9h or Jk.",
        ),
        (("hand", "9c", "9c"), "9c is given 2 times; the deck holds it once."),
        (("hand", "9c"), "1 card is not a hand."),
        (("hand", "9c", "8c", "--game", "high-five-poker"), "2 cards are not a hand of High Five Poker."),
        (
            ("bench", "nothing"),
            f"'nothing' is not a benchmark; the benchmarks are {listing(bench.benchmark_names())}.",
        ),
        (
            ("bench", "shuffle", "--part", "rounds"),
            "'rounds' is not a part of the benchmark shuffle; it has none.",
        ),
    ],
)
def test_a_mistake_is_answered_by_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    assert refusal(*words) == sentence


def test_unknown_games_and_commands_are_named() -> None:
    assert refusal("settle", "faro").startswith("'faro' is not a game; the games are casino-war,")
    assert refusal("rules", "faro").startswith("'faro' is not a game")
    assert "'prove-it'" in refusal("prove-it")


def test_hand_names_the_hand_its_cards_and_its_kickers() -> None:
    found = answer("hand", "Kh Kd 4c 4s As")
    assert found["readings"]["poker"] == "Two Pair, Kings and Fours"
    assert (found["made"], found["kickers"]) == ("Kh Kd 4c 4s", "As")


def test_hand_names_the_hand_as_a_game_reads_it() -> None:
    found = answer("hand", "9c", "9d", "4h", "--game", "triple-shot-rummy")
    assert found["readings"] == {"rummy": "pair of Nines, 4 points", "Pair Plus": "Pair of Nines"}


def test_games_lists_every_game_of_the_letter() -> None:
    result = run("games", "--json")
    entries = json.loads(result.stdout)
    assert [entry["number"] for entry in entries] == list(range(1, 67))
    # Five entries, no. 57 to 61, are the one game of Three Card Poker.
    assert sum(entry["implemented"] for entry in entries) == len(GAMES) + 4
    assert json.loads(run("games", "--implemented", "--json").stdout) == [
        e for e in entries if e["implemented"]
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_tells_its_areas_and_streets(name: str) -> None:
    found, game = answer("games", name), GAMES[name]
    assert sum(area["cards"] for area in found["areas"].values()) == game.places
    assert list(found["areas"]) == [area.name for area in game.areas]
    assert found["streets"] == list(game.streets)
    shown = run("games", name).stdout
    assert all(f"{area.name:<19} {area.order}" in shown for area in game.areas)


def test_rules_prints_the_sheet_as_markdown_in_a_pipe() -> None:
    assert run("rules", "casino-war").stdout.startswith("# Casino War\n")


def test_rules_are_those_of_the_options_in_words_or_flags() -> None:
    sheet = run("rules", "triple-shot-bonus", "soft-17=stand", "--option", "six-card-rule=off").stdout
    assert "stands on soft 17" in sheet
    assert "**9.2**" not in sheet
    assert "**8.11**" not in sheet


def test_rules_writes_a_training_manual(tmp_path: Path) -> None:
    written = run("rules", "triple-shot-bonus", "soft-17=stand", "--manual", str(tmp_path / "manual.md"))
    assert written.exit_code == 0, written.stderr
    manual = (tmp_path / "manual.md").read_text(encoding="utf-8")
    for part in ("The table", "Overview of the rules", "Dealing procedure", "Irregularities", "Payouts"):
        assert f" {part}\n" in manual
    assert "stands on soft 17" in manual
    assert "hits soft 17" not in manual
    assert "not as 'manual.doc'" in refusal("rules", "casino-war", "--manual", str(tmp_path / "manual.doc"))
    both = ("rules", "casino-war", "--procedure", "--manual", str(tmp_path / "both.md"))
    assert "ask for one of them" in refusal(*both)
    assert not (tmp_path / "both.md").exists()


def test_rules_prints_the_dealing_procedure() -> None:
    steps = run("rules", "rabbit-hunter", "--procedure", "--venue", "tribal").stdout
    assert steps.startswith("# Rabbit Hunter Stud Poker: dealing procedure\n")
    assert "marked area" in steps
    assert 'Says: "No more bets." [4.1]' in steps


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("casino-war", "decks=9"), "decks=9 is not possible; decks is 1, 2, 3, 4, 5, 6, 7 or 8."),
        (("casino-war", "decks=8", "--option", "decks=7"), "--option names decks twice."),
        (("casino-war", "eight"), "--option takes NAME=VALUE, not 'eight'."),
        (("casino-war", "--venue", "moon"), "'moon' is not a venue; the venues are commercial and tribal."),
    ],
)
def test_options_of_rules_that_are_not_possible(words: tuple[str, ...], sentence: str) -> None:
    assert refusal("rules", *words) == sentence


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    assert "_FELTLAB_COMPLETE" in run("completion", shell).stdout


def test_completion_knows_the_games() -> None:
    script = "import os; os.environ.update(_FELTLAB_COMPLETE='bash_complete', COMP_WORDS='feltlab play tri', "
    script += "COMP_CWORD='2'); from feltlab.cli.main import main; main(prog_name='feltlab')"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False).stdout
    assert "triple-shot-rummy" in shown
    assert "casino-war" not in shown


def test_feltlab_alone_shows_its_help() -> None:
    assert run().exit_code == 0
    assert run().stdout == run("--help").stdout


def test_help_is_shown_after_an_option_of_several_values() -> None:
    assert run(*WAR, "-h").stdout == run("settle", "--help").stdout
    assert "'-5' cannot be chosen" in refusal(*WAR, "--choose", "war", "-5")  # a number is no flag


def test_bench_names_a_missing_package_and_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_path(path: str) -> NoReturn:
        raise ModuleNotFoundError("No module named 'pytest'", name="pytest")

    monkeypatch.setattr("runpy.run_path", run_path)
    result = run("bench", "pit")
    assert result.exit_code == 2
    assert "The benchmark pit needs pytest; `./felt test --version` installs" in result.stderr


@pytest.mark.parametrize("shown", [True, False])
def test_bench_says_which_peer_is_missing(monkeypatch: pytest.MonkeyPatch, shown: bool) -> None:
    monkeypatch.setattr(bench, "find_spec", lambda name: shown or None)
    monkeypatch.setattr("runpy.run_path", lambda path: {"measure": list})
    said = "" if shown else "eval7 is not installed; ./felt test installs it."
    assert run("bench", "hands", "--json").stderr.partition("\n")[0] == said


# -- Amounts and numbers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("5", 500),
        ("$2.50", 250),
        ("2.5", 250),
        ("1000", 100_000),
        ("1,000", 100_000),
        ("$12,345,678.09", 1_234_567_809),
        ("-$5", -500),
        ("007", 700),
    ],
)
def test_dollars_as_people_write_them(text: str, amount: int) -> None:
    assert parse_dollars(text) == amount


@pytest.mark.parametrize(
    "text",
    [
        "10.0000000000000000000000000000000001",
        "1.000",
        "5.",
        ".5",
        ".",
        "$",
        "1e30",
        "1e99999999",
        "inf",
        "0x10",
        "1_000",
        "٥",
        "５",
        "+5",
        "--5",
        "$-5",
        "1,00",
        "1,0000",
        ",100",
        "1,,000",
        "1000,000",
        "1,000,",
    ],
)
def test_what_is_not_exactly_dollars_and_cents_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="is not an amount of dollars and whole cents"):
        parse_dollars(text)


@pytest.mark.parametrize("seed", ["1_000", "٣", "1e3", "+1", "", " 1"])
def test_a_seed_is_written_in_plain_digits(seed: str) -> None:
    assert "is not a whole number" in refusal("play", "casino-war", "--seed", seed)


def test_a_seed_of_any_length_is_answered() -> None:
    assert len(refusal("play", "casino-war", "--seed", "9" * 10_000)) < 600


# -- What is said about input -----------------------------------------------------------------------


def test_control_characters_are_shown_and_not_sent() -> None:
    said = refusal("settle", "casino-war", "--option", "decks=\x1b[2J\r\n\x07\udcff")
    assert said.startswith(r"decks=\x1b[2J \x07\udcff is not possible")


def test_a_long_mistake_is_cut() -> None:
    assert len(refusal("hand", "x" * 100_000)) == MAX_SENTENCE_CHARS + len(" ...")


# -- Streams ----------------------------------------------------------------------------------------


def shell(script: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    folder = os.path.dirname(sys.executable)
    return subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


# One of each way of printing: rich's, click's, a table of lines and the help.
PRINTING = ["games", "hand As Kd", "rules casino-war", "settle casino-war --player Ks --dealer 9d", "--help"]
PRINTING[3] += " --wager primary=10"


@pytest.mark.parametrize("words", PRINTING)
def test_a_reader_that_leaves_early_is_no_error(words: str) -> None:
    left = shell(f"(sleep 0.1; feltlab {words}; echo $? >&2) | true")
    assert left.stderr == "0\n"


@pytest.mark.parametrize("pause", [0, 0.02, 0.1])
def test_a_second_interrupt_is_quiet(pause: float) -> None:
    """The second one meets the first one's report, or the end of the program."""
    script = "import atexit, time, feltlab.cli.main as program; atexit.register(time.sleep, 0.5)\n"
    script += "program.main.get_command = lambda *_: print(flush=True) or time.sleep(60)\nprogram.main()"
    command = [sys.executable, "-c", script, "hand", "As"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        time.sleep(pause)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert said in ("feltlab: Interrupted.\n", "")
    assert process.returncode in (130, -signal.SIGINT)


@pytest.mark.parametrize("words", [*PRINTING, "play casino-war </dev/null"])
def test_a_full_disk_is_one_sentence(words: str) -> None:
    full = shell(f"feltlab {words} >/dev/full")
    assert (full.returncode, full.stderr) == (1, "feltlab: No space left on device.\n")


@pytest.mark.parametrize("words", [*PRINTING, "play casino-war"])
@pytest.mark.parametrize("closed", ["<&-", ">&- </dev/null", "2>&- </dev/null", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(words: str, closed: str) -> None:
    left = shell(f"feltlab {words} {closed}")
    assert (left.returncode, left.stderr) == (0, "")


def test_a_mistake_that_cannot_be_printed_keeps_its_status() -> None:
    assert shell("feltlab rules faro 2>&-").returncode == 2


@pytest.mark.parametrize("words", PRINTING)
def test_an_encoding_without_suits_and_dashes_stops_nothing(words: str) -> None:
    plain = shell(f"feltlab {words}", PYTHONIOENCODING="ascii")
    assert (plain.returncode, plain.stderr) == (0, "")
    assert plain.stdout.isascii()
