"""The documents' examples run, and the names in them exist."""

import doctest
import re
import shlex
from fractions import Fraction
from pathlib import Path

import click
import pytest

from feltlab.cli.main import COMMANDS, main
from feltlab.core.stake import default_stake
from feltlab.games import GAMES
from feltlab.games.catalogue import catalogue, public_games
from feltlab.simulation.plan import SimulationPlan
from feltlab.simulation.run import run_plan
from feltlab.simulation.user_strategy import UserStrategy
from tests.support.command_line import answer

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_in_the_readme_prints_what_it_shows() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    example = doctest.DocTestParser().get_doctest(code, {}, "README", "README.md", 0)
    said: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert results.attempted > 5
    assert not results.failed, "".join(said)


# -- The README's table of games --------------------------------------------------------------------

ROW = re.compile(
    r"^\| \[([^]]+)\]\(docs/rules/([a-z0-9-]+)\.md\) \| ([^|]+) \| `([^`]+)` \| (-?\d+\.\d{4}) \|$", re.M
)
ROWS = ROW.findall(README)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_line_in_the_readme(name: str) -> None:
    titles = {game: title for title, game, *_ in ROWS}
    sentence = (
        f"Write a line for {name} in the README's table of games: bet, the command that proves it, edge."
    )
    assert titles.get(name) == GAMES[name].title, sentence


@pytest.mark.slow
@pytest.mark.parametrize(("title", "name", "bet", "command", "edge"), ROWS)
def test_an_edge_in_the_readme_is_the_proof(title: str, name: str, bet: str, command: str, edge: str) -> None:
    """The line's own command proves it; a bet begins with its wager's title, or with 'Whole stake'."""
    proved = answer(*command.split())
    titles = {spot.title: spot.name for spot in GAMES[name].wagers}
    if bet.startswith("Whole stake"):
        net = -Fraction(proved["total"]["house_edge"]["exact"])
    else:
        (wager,) = (titles[known] for known in titles if re.match(rf"{re.escape(known)}\b", bet))
        net = Fraction(proved["bets"][wager]["expected"]["exact"])
    assert f"{float(-100 * net):.4f}" == edge


# -- Commands ---------------------------------------------------------------------------------------

COMMAND = re.compile(r"^\./felt ((?:.*\\\n)*.*)$", re.M)
SHELL = re.compile(r"```sh\n(.*?)```", re.S)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands_of(page: Path) -> list[list[str]]:
    """The command lines that a page shows for `./felt`, without their comments."""
    blocks = SHELL.findall(page.read_text(encoding="utf-8"))
    return [shlex.split(line, comments=True) for block in blocks for line in COMMAND.findall(block)]


SHOWN = [words for page in PAGES for words in commands_of(page) if words[:1] != ["test"]]


def parse(group: click.Group, words: list[str], context: click.Context) -> None:
    """Parse a command line without running it."""
    name, command, rest = group.resolve_command(context, words)
    if isinstance(command, click.Group):
        parse(command, rest, context)
    elif command:
        command.make_context(name, rest, parent=context)


@pytest.mark.parametrize("words", SHOWN, ids=" ".join)
def test_every_command_that_a_page_shows_is_understood(words: list[str]) -> None:
    parse(main, words, click.Context(main, **main.context_settings))


def test_the_page_of_commands_leaves_none_out() -> None:
    shown = {words[0] for words in commands_of(ROOT / "docs" / "commands.md")}
    assert shown == set(COMMANDS)


def test_the_catalogue_has_the_66_games_of_the_letter_and_marks_those_that_are_dealt() -> None:
    entries = catalogue()
    assert [entry.number for entry in entries] == list(range(1, 67))
    assert len({entry.name for entry in entries}) == 66
    approved = {entry.game: entry.name for entry in entries if entry.game and not entry.has_public_rules}
    public = set(public_games())
    assert approved == {name: game.title for name, game in GAMES.items() if name not in public}
    assert {entry.game for entry in entries if entry.game} == set(GAMES)


def test_constraints_pin_versions_and_record_no_address() -> None:
    lines = (ROOT / "constraints.txt").read_text().split()
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line) for line in lines)


def test_the_strategy_of_the_guide_runs_as_described() -> None:
    guide = (ROOT / "docs" / "strategies.md").read_text()
    source = re.search(r"```python\n(.*?)```", guide, re.S)
    assert source
    game = GAMES["rabbit-hunter"]
    plan = SimulationPlan.of(game, default_stake(game), UserStrategy("guide", source[1], "decide"), 20_000, 1)
    run = run_plan(plan)
    assert plan.is_compiled
    assert set(run.first_choices) == {"fold", "play", "buy"}
    buys = Fraction(run.first_choices["buy"], 20_000)
    assert abs(buys - 4 * Fraction(84480, 2598960)) < Fraction(
        1, 100
    )  # deuces to fives, 84,480 pairs of each
