"""Who may know what: the rules of imports, read off the sources."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import feltlab
from feltlab.games import FOLDERS
from feltlab.kernel import NO_KERNELS

PACKAGE = Path(feltlab.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
GAMES = PACKAGE / "games"
FLOOR = ("feltlab.kernel", "feltlab.core.cards", "feltlab.errors", "feltlab.core.hands")


def called(path):
    """The dotted name of a source file."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts)


def imports(text, name="feltlab.module"):
    """What a text imports, absolutely; `from a import b` may name the module a.b."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            above = name.split(".")[: -node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            found |= {f"{source}.{alias.name}" for alias in node.names}
    return found


def of_feltlab(path):
    return {found for found in imports(path.read_text(), called(path)) if within(found, "feltlab")}


def within(name, *modules):
    return any(name == module or name.startswith(module + ".") for module in modules)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import feltlab.core.game", {"feltlab.core.game"}),
        ("from feltlab import game", {"feltlab.game"}),
        ("from feltlab.core.game import Game", {"feltlab.core.game.Game"}),
        ("from . import game", {"feltlab.game"}),
        ("from .game import Game", {"feltlab.game.Game"}),
        ("def f():\n    import numba as n", {"numba"}),
    ],
)
def test_imports_are_seen_however_they_are_written(text, found):
    assert imports(text) == found


# -- The ground floor -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", [PACKAGE / "core/cards.py", *sorted((PACKAGE / "core/hands").glob("*.py"))], ids=called
)
def test_cards_and_hands_know_no_money(path):
    assert {found for found in of_feltlab(path) if not within(found, *FLOOR)} == set()


def test_only_the_kernel_imports_numba():
    known = [called(path) for path in SOURCES if any(within(n, "numba") for n in imports(path.read_text()))]
    assert known == ["feltlab.kernel"]


# -- Games ------------------------------------------------------------------------------------------


def test_every_folder_of_a_game_is_in_the_list():
    assert {path.parent.name for path in GAMES.glob("*/rules.py")} == set(FOLDERS.values())


@pytest.mark.parametrize("folder", FOLDERS.values())
def test_rules_import_only_what_rules_need(folder):
    path = GAMES / folder / "rules.py"
    ours = (
        "feltlab.kernel",
        "feltlab.core.cards",
        "feltlab.core.hands",
        "feltlab.core.paytable",
        "feltlab.core.layout",
    )
    named = imports(path.read_text(), called(path))
    allowed = {found for found in named if within(found, *ours, "numpy")}
    standard = {found for found in named if found.split(".")[0] in sys.stdlib_module_names}
    assert named - allowed - standard == set()


@pytest.mark.parametrize("folder", FOLDERS.values())
def test_no_game_imports_another(folder):
    own = f"feltlab.games.{folder}"
    for path in (GAMES / folder).rglob("*.py"):
        others = {
            found for found in of_feltlab(path) if within(found, "feltlab.games") and not within(found, own)
        }
        assert others == set(), called(path)


def words(text):
    """Every identifier and every string in a text."""
    for node in ast.walk(ast.parse(text)):
        for _, value in ast.iter_fields(node):
            for word in value if isinstance(value, list) else [value]:
                if isinstance(word, str):
                    yield word


def plain(word):
    return re.sub(r"[^a-z0-9]", "", word.lower())


def games_named(text):
    return {name for name in FOLDERS for word in words(text) if plain(name) in plain(word)}


def without_help(text):
    """A command's help may show examples; what runs may not name a game."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
            node.body[0] = ast.Pass()
    return ast.unparse(tree)


def test_only_help_is_left_out():
    assert "faro" not in without_help("def command():\n    'play faro'\n    return 1")
    assert "faro" in without_help("def command():\n    return 'play faro'")


@pytest.mark.parametrize("game", FOLDERS)
@pytest.mark.parametrize(
    "template", ["x = '{}'", "{}", "y.{}", "import {}", "def {}(): pass", "f({}=1)", "f'{} {{x}}'"]
)
def test_a_games_name_is_seen_wherever_it_stands(game, template):
    assert games_named(template.format(FOLDERS[game])) == {game}


@pytest.mark.parametrize("path", [path for path in SOURCES if not path.is_relative_to(GAMES)], ids=called)
def test_nothing_outside_the_games_names_a_game(path):
    assert games_named(without_help(path.read_text())) == set()


# -- The command line -------------------------------------------------------------------------------


def test_help_loads_nothing_heavy():
    code = """\
import sys
from feltlab.cli.main import main
main(['--help'], standalone_mode=False)
heavy = {'matplotlib', 'numba', 'numpy', 'rich', 'textual', 'typst'}
heavy |= {'argon2', 'fastapi', 'orjson', 'pydantic', 'sqlalchemy', 'starlette'}
heavy |= {'uvicorn', 'uvloop', 'websockets'}
print('loaded:', *sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Commands" in done.stdout
    assert done.stdout.splitlines()[-1].split() == ["loaded:"]


def test_folders_left_out_of_the_digest_of_kernels_define_none():
    makers = ("feltlab.kernel.kernel", "feltlab.kernel.lean", "feltlab.kernel.inlined")
    sources = [path for folder in NO_KERNELS for path in (PACKAGE / folder).rglob("*.py")]
    makes = [called(path) for path in sources if any(within(n, *makers) for n in of_feltlab(path))]
    assert sources
    assert makes == []
