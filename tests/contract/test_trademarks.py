"""Names that belong to others identify games and papers; they do not name parts of this project."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import feltlab
from feltlab.games import FOLDERS
from feltlab.games.catalogue import catalogue
from feltlab.games.letters import letters

PACKAGE = Path(feltlab.__file__).parent
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "TRADEMARKS.md").read_text(encoding="utf-8")
OWNERS = re.findall(r"^\| (.+?) \| (?:the letter|the notice)", PAGE, re.MULTILINE)
GAME_FOLDERS = {*FOLDERS.values()}


def letters_only(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())


def owners_named(text: str) -> set[str]:
    return {owner for owner in OWNERS if letters_only(owner) in letters_only(text)}


def identifiers(source: str) -> Iterator[str]:
    """Every name that a source defines or uses; no strings, docstrings and comments."""
    for node in ast.walk(ast.parse(source)):
        for key in ("name", "id", "attr", "arg", "asname", "module"):
            if isinstance(found := getattr(node, key, None), str):
                yield found


def is_general(path: Path) -> bool:
    """Is a file outside the folder of a game?"""
    return not GAME_FOLDERS.intersection(path.relative_to(PACKAGE).parts)


GENERAL = [
    path for path in sorted(PACKAGE.rglob("*")) if is_general(path) and "__pycache__" not in path.parts
]
SOURCES = [path for path in GENERAL if path.suffix == ".py"]


def test_the_owners_of_the_papers_are_listed() -> None:
    assert {letter.maker for letter in letters()} <= set(OWNERS)
    assert len(OWNERS) == 4


def test_every_name_of_the_catalogue_is_listed() -> None:
    listed = re.findall(r"^\| (\d+) \| (.+) \|$", PAGE, re.MULTILINE)
    assert listed == [(str(entry.number), entry.name) for entry in catalogue()]


def test_the_page_denies_an_affiliation() -> None:
    words = " ".join(PAGE.split())
    assert "used only to identify the games" in words
    assert "not made, sponsored, licensed or endorsed by any owner" in words


@pytest.mark.parametrize(
    "source",
    [
        "import shuffle_master",
        "from light_and_wonder import x",
        "class ShuffleMasterTable: pass",
        "def read_bally_technologies(): pass",
        "SCIENTIFIC_GAMES = 1",
        "f(shufflemaster=1)",
        "x.light_and_wonder",
        "def f(scientific_games): pass",
    ],
)
def test_an_owner_is_seen_wherever_code_names_it(source: str) -> None:
    assert any(map(owners_named, identifiers(source)))


def test_words_in_strings_are_no_names() -> None:
    assert not any(map(owners_named, identifiers("x = 'Light and Wonder'")))


def test_no_file_or_folder_of_a_general_part_bears_an_owners_name() -> None:
    assert len(SOURCES) > 100
    assert {str(path) for path in GENERAL if owners_named(path.relative_to(PACKAGE).as_posix())} == set()


def test_no_identifier_of_a_general_part_bears_an_owners_name() -> None:
    names = {(name, path) for path in SOURCES for name in identifiers(path.read_text(encoding="utf-8"))}
    owned = {name for name in {name for name, _ in names} if owners_named(name)}
    assert {(name, path) for name, path in names if name in owned} == set()


def test_the_names_under_which_the_project_is_published_are_its_own() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    published = [project["name"], project["description"], *project["keywords"], *project["scripts"]]
    assert not any(map(owners_named, published))
