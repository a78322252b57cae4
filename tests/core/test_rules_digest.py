"""The digest of a game's rules changes with a rule, and with nothing else."""

import shutil
from pathlib import Path

import pytest

from feltlab.core.rules_digest import PACKAGE, rule_sources, rules_digest, rules_text
from feltlab.games import FOLDERS, GAMES


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the sources that may be changed."""
    return Path(shutil.copytree(PACKAGE, tmp_path / "feltlab", ignore=shutil.ignore_patterns("__pycache__")))


def digests(package: Path = PACKAGE) -> dict[str, str]:
    return {
        name: rules_digest(package / "games" / folder / "rules.py", package)
        for name, folder in FOLDERS.items()
    }


def all_rule_sources(package: Path) -> set[Path]:
    games = (package / "games" / folder / "rules.py" for folder in FOLDERS.values())
    return {source for game in games for source in rule_sources(game, package)}


def test_it_does_not_depend_on_where_feltlab_is_installed(package):
    assert digests(package) == digests() == {name: GAMES[name].rules_digest for name in GAMES}


def test_comments_docstrings_blank_lines_and_imports_anywhere_change_no_digest(package):
    added = '\n\nimport this_changes_nothing  # nor does this\n"Nor this."\n'
    for source in package.rglob("*.py"):
        source.write_text(source.read_text(encoding="utf-8") + added)
    assert digests(package) == digests()


def test_a_changed_docstring_inside_a_rule_changes_no_digest(package):
    rules = package / "games/casino_war/rules.py"
    text = rules.read_text(encoding="utf-8")
    assert text.startswith('"""')
    rules.write_text('"""Other words."""\n\n\n' + text[text.index('"""', 3) + 3 :])
    assert digests(package) == digests()


def test_a_constant_of_an_evaluator_changes_the_games_that_use_it_and_no_other(package):
    rummy = next(path for path in all_rule_sources(package) if path.name == "rummy.py")
    rummy.write_text(rummy.read_text(encoding="utf-8") + "\nNEW_CONSTANT = 1\n")
    before, after = digests(), digests(package)
    assert {name for name in before if before[name] != after[name]} == {"triple-shot-rummy"}


def test_a_new_evaluator_changes_no_digest(package):
    poker = next(path for path in all_rule_sources(package) if path.name == "poker.py")
    poker.with_name("pinochle.py").write_text("TRICKS = 12\n")
    assert digests(package) == digests()


def test_every_constant_of_every_source_of_the_rules_counts(package):
    for source in sorted(all_rule_sources(package)):
        before, text = digests(package), source.read_text(encoding="utf-8")
        source.write_text(text + "\nCHANGED = 1\n")
        assert digests(package) != before, source
        source.write_text(text)


def test_the_rules_are_made_of_cards_layouts_pay_tables_and_hands_alone():
    names = {path.name for path in all_rule_sources(PACKAGE)} - {"__init__.py"}
    shared = {path.name for part in ("hands", "side_bets") for path in (PACKAGE / "core" / part).glob("*.py")}
    assert names == {"rules.py", "cards.py", "layout.py", "paytable.py", *shared} - {"__init__.py"}


def test_options_and_pays_are_part_of_what_is_approved():
    war = GAMES["casino-war"]
    assert war.with_options({"decks": "8"}).rules_digest == war.rules_digest
    assert war.with_options({"decks": "8"}).digest != war.digest
    assert war.with_pays("tie", {"tie": 11}).digest != war.digest


SOURCE = '''"""A module with two
lines of docstring."""

import os  # with a comment
from sys import (
    path,
    argv,
)

# a comment
LIMIT = 3  # of something
TEXT = """not a docstring
# and not a comment"""


def größe(x: int) -> int:
    """Says much."""

    return x + LIMIT


class Empty:
    "Nothing but this."
'''


def test_what_is_left_of_a_source():
    assert rules_text(SOURCE).split("\n") == [
        "LIMIT = 3",
        'TEXT = """not a docstring',
        '# and not a comment"""',
        "def größe(x: int) -> int:",
        "    return x + LIMIT",
        "class Empty:",
    ]
