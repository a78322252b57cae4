"""The files of a game. A new game fails here first, with a sentence that names the next file to write."""

from pathlib import Path

import pytest

from feltlab.games import FOLDERS, GAMES, has_solver
from feltlab.games.catalogue import catalogue
from feltlab.submission.rule_sheet import parse_rule_sheet

ROOT = Path(__file__).parents[2]

# In the order in which CONTRIBUTING.md asks for them.
FILES = {
    "docs/rules/{name}.md": "the rule sheet, in numbered clauses",
    "src/feltlab/games/{folder}/__init__.py": "an empty file",
    "src/feltlab/games/{folder}/rules.py": "the names that feltlab.core.rules.Rules lists",
    "src/feltlab/games/{folder}/figures.toml": "the published figures, or a comment that there are none",
    "src/feltlab/games/{folder}/readings.toml": "what could be read otherwise, or a comment",
    "src/feltlab/games/{folder}/packet.toml": "the shuffler's mode, the rack card and an example of a deal",
    "src/feltlab/games/{folder}/rules_history.toml": "by python -m tests.support.rules_history --write",
    "tests/games/{folder}/__init__.py": "an empty file",
    "tests/games/{folder}/data.py": "DATA, a GameData as tests/support/game_data.py describes it",
    "tests/games/{folder}/referee.py": "REFEREE, a Referee as tests/support/referee.py describes it",
    "tests/games/{folder}/test_rules.py": "a test for each clause of the rule sheet, by its number",
    "tests/games/{folder}/test_solver.py": "tests that hold the proof to the rules",
    "tests/games/{folder}/perft.txt": "by python -m tests.support.perft --write",
    "tests/games/{folder}/playthrough.txt": "by python -m tests.contract.test_playthroughs --write",
    "docs/par/{name}.md": "by ./felt par {name} -o docs/par/{name}.md",
}
WITH_SOLVER = {"src/feltlab/games/{folder}/methods.md": "how the solver proves the game"}


def is_there(path: str) -> bool:
    """A module may be a file or a package."""
    return (ROOT / path).exists() or (ROOT / path.removesuffix(".py") / "__init__.py").exists()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_all_its_files(name: str) -> None:
    words = {"name": name, "folder": FOLDERS[name]}
    wanted = FILES | WITH_SOLVER if has_solver(GAMES[name]) else FILES
    files = {path.format(**words): content.format(**words) for path, content in wanted.items()}
    missing = [f"Write {path}: {content}." for path, content in files.items() if not is_there(path)]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("name", GAMES)
def test_a_rule_sheet_has_the_chapters_that_a_packet_needs(name: str) -> None:
    """Its refusals say which chapter or which paragraph is not as it must be."""
    assert parse_rule_sheet(GAMES[name]).title == GAMES[name].title


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_in_the_catalogue(name: str) -> None:
    entries = [entry for entry in catalogue() if entry.game == name]
    assert entries, f"Write {name} in the third column of its line in src/feltlab/games/catalogue.csv."
    assert all(entry.has_public_rules or entry.name == GAMES[name].title for entry in entries)
