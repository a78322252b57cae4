"""What the documents show is run, and what they name exists."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from feltlab.cli.main import COMMANDS
from feltlab.core.stake import default_stake, read_stake
from feltlab.games import GAMES
from feltlab.games.catalogue import catalogue
from feltlab.proving.proof import prove
from feltlab.simulation.plan import SimulationPlan
from feltlab.simulation.run import run_plan
from feltlab.simulation.user_strategy import UserStrategy

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_round_in_the_readme_runs_and_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    exec(code, {})
    printed = capsys.readouterr().out.splitlines()
    shown = re.findall(r"print\(.*?\)  # (.*)", code)
    assert len(shown) == 3
    for line in shown:
        assert line.split(" cents")[0] in printed


@pytest.mark.slow
def test_the_edges_in_the_readme_are_the_proofs() -> None:
    told = re.findall(r"^\| [^|]+ \| [^|]+ \| (-?\d+\.\d{4}) \|$", README, re.M)
    asked: list[tuple[str, dict[str, str], str, str]] = [
        ("high-five-poker", {}, "optimal", "ante"),
        ("rabbit-hunter", {}, "optimal", "ante"),
        ("rabbit-hunter", {"tens-up": "1"}, "optimal", ""),  # the whole stake
        ("triple-shot-rummy", {}, "optimal", "ante"),
        ("casino-war", {}, "optimal", "primary"),
        ("triple-shot-bonus", {}, "blackjack-optimal", "blackjack"),
        ("triple-shot-bonus", {}, "blackjack-optimal", "hat-trick"),
    ]
    for edge, (name, stakes, strategy, bet) in zip(told, asked, strict=True):
        game = GAMES[name]
        proof = prove(game, read_stake(game, stakes), strategy)
        net = proof.tally.expected(game.spot(bet)) if bet else proof.tally.total_expected(proof.stake)
        assert f"{float(-100 * net):.4f}" == edge


def test_every_command_in_the_readme_exists() -> None:
    named = set(re.findall(r"\./felt ([a-z]+)", README))
    assert named == {*COMMANDS, "test"}


def test_every_option_in_the_readme_exists_and_none_is_left_out() -> None:
    options = {option.name for game in GAMES.values() for option in game.rules.OPTIONS}
    section = README[README.index("House options") : README.index("## What the proofs say")]
    assert set(re.findall(r"`([a-z0-9-]+)`", section)) == options


def test_the_catalogue_has_the_66_games_of_the_letter_and_marks_those_that_are_dealt() -> None:
    entries = catalogue()
    assert [entry.number for entry in entries] == list(range(1, 67))
    assert len({entry.name for entry in entries}) == 66
    assert {entry.game: entry.name for entry in entries if entry.game} == {
        name: game.title for name, game in GAMES.items()
    }


def test_constraints_pin_versions_and_record_no_address() -> None:
    lines = (ROOT / "constraints.txt").read_text().split()
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line) for line in lines)


def test_the_strategy_of_the_guide_plays_as_it_is_told() -> None:
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
