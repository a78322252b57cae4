"""The layers: which package may import which, read off the sources, lazy and typing imports included."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import feltlab
from feltlab.games import FOLDERS
from feltlab.kernel import NO_KERNELS

PACKAGE = Path(feltlab.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
GAMES = PACKAGE / "games"
CHECKER = PACKAGE / "certifying" / "check_certificate.py"  # has its own reading of the rules of all games

# A package imports only what stands above it, and itself.
STACK = (
    ("errors", "game_folders", "kernel", "files", "digests", "byte_locks", "values", "text"),
    ("parallel",),
    ("signing",),
    ("core",),
    ("counting",),
    ("games",),
    ("progressives",),
    ("shuffling",),
    ("proving",),
    ("simulation",),
    ("analysis",),
    ("submission",),
    ("certifying",),
    ("report",),
    ("ledger",),
    ("pit",),
    ("workers",),
    ("school",),
    ("server",),
    ("web",),
    ("terminal",),
    ("cli",),
)
LEVEL = {name: level for level, names in enumerate(STACK) for name in names}
# By package, the packages above it that it must not import all the same.
APART = {
    "shuffling": {"parallel", "counting"},
    "ledger": {name for name, level in LEVEL.items() if 1 <= level < LEVEL["ledger"]},
    "pit": {"counting", "proving", "simulation", "analysis", "report"},
    "server": {"counting", "proving", "simulation", "analysis", "report"},
    "terminal": {"shuffling", "ledger", "pit", "workers", "server", "web"},
}
# Libraries that only some modules or packages import.
ONLY_IN = {
    "numba": ("kernel",),
    "cryptography": ("signing", "cli.sign", "ledger.vault", "ledger.head_keys", "ledger.sealed_keys"),
    "sqlalchemy": ("ledger",),
    "fido2": ("pit.custody.passkeys",),
    "fastapi": ("server", "web"),
    "starlette": ("server", "web"),
    "uvicorn": ("server", "web"),
    "rich": ("terminal", "cli", "report.renderers.text", "report.documents.session_plot"),
    "textual": ("terminal", "cli"),
    "typst": ("report.renderers.pdf",),
    "distributed": ("parallel.cluster",),
}


ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"


def test_the_table_of_layers_in_the_architecture_is_the_stack():
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", ARCHITECTURE.read_text(encoding="utf-8"), re.M)
    assert [int(number) for number, _ in rows] == [*range(1, len(STACK) + 1)]
    assert tuple(tuple(re.findall(r"`(\w+)`", names)) for _, names in rows) == STACK


def called(path):
    """The dotted name of a source file, without the package's own."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imports(text, name="module"):
    """The absolute names that a text imports; `from a import b` may name the module a.b."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            above = f"feltlab.{name}".split(".")[: -node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            found |= {f"{source}.{alias.name}" for alias in node.names}
    return found


@cache
def imports_of(path):
    return imports(path.read_text(encoding="utf-8"), called(path))


def own_imports(path):
    """The names that a source imports from feltlab, without the prefix."""
    return {name.removeprefix("feltlab.") for name in imports_of(path) if name.startswith("feltlab.")}


def within(name, *modules):
    return any(name == module or name.startswith(module + ".") for module in modules)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import feltlab.core.game", {"feltlab.core.game"}),
        ("from feltlab import core", {"feltlab.core"}),
        ("from feltlab.core.game import Game", {"feltlab.core.game.Game"}),
        ("from . import game", {"feltlab.game"}),
        ("from .game import Game", {"feltlab.game.Game"}),
        ("def f():\n    import numba as n", {"numba"}),
        ("if TYPE_CHECKING:\n    from feltlab.pit import pit", {"feltlab.pit.pit"}),
    ],
)
def test_imports_are_seen_however_they_are_written(text, found):
    assert imports(text) == found


# -- The stack --------------------------------------------------------------------------------------


def test_every_package_and_every_module_has_its_layer():
    packages = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert packages | modules == LEVEL.keys()


def test_a_package_imports_only_packages_above_it():
    below, apart = {}, {}  # by module
    for path in SOURCES:
        if (module := called(path)) in ("", "__main__"):
            continue
        package = module.split(".")[0]
        known = {name.split(".")[0] for name in own_imports(path)} & LEVEL.keys()
        below[module] = {name for name in known if LEVEL[name] > LEVEL[package]}
        apart[module] = known & APART.get(package, set())
    assert {module: found for module, found in below.items() if found} == {}
    assert {module: found for module, found in apart.items() if found} == {}


def module_graph():
    """By module, the modules of feltlab that it imports."""
    modules = {called(path) for path in SOURCES}
    graph = {}
    for path in SOURCES:
        names = own_imports(path)
        graph[called(path)] = {
            module for name in names for module in (name, name.rpartition(".")[0]) if module in modules
        } - {called(path), ""}
    return graph


def test_no_module_imports_itself_through_others():
    graph, done = module_graph(), set()

    def visit(module, path):
        assert module not in path, " -> ".join([*path, module])
        if module not in done:
            for other in graph[module]:
                visit(other, [*path, module])
            done.add(module)

    for module in graph:
        visit(module, [])


@pytest.mark.parametrize("library", ONLY_IN)
def test_only_these_import(library):
    users = {called(path) for path in SOURCES if any(within(n, library) for n in imports_of(path))}
    assert users, "nobody imports it"
    assert {user for user in users if not within(user, *ONLY_IN[library])} == set()


FLOOR = ("kernel", "errors", "core.cards", "core.hands")


@pytest.mark.parametrize(
    "path", [PACKAGE / "core/cards.py", *sorted((PACKAGE / "core/hands").glob("*.py"))], ids=called
)
def test_cards_and_hands_know_no_money(path):
    assert {found for found in own_imports(path) if not within(found, *FLOOR)} == set()


# -- Shape ------------------------------------------------------------------------------------------

LONG = (
    "core.hands.poker",
    "counting.showdown",
    "games.triple_shot_bonus.rules",  # the rules of a game are one text
    "certifying.check_certificate",  # a file that is taken alone, without feltlab
)
MAX_LINES, MAX_MODULES = 400, 25


def test_no_module_is_long():
    lines = {called(path): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {name: count for name, count in lines.items() if count > MAX_LINES and name not in LONG} == {}


def test_no_package_has_many_modules():
    crowded = {
        folder for folder in {path.parent for path in SOURCES} if len([*folder.glob("*.py")]) > MAX_MODULES
    }
    assert crowded == set()


def test_no_two_public_classes_have_one_name():
    classes = [
        (node.name, called(path))
        for path in SOURCES
        if path != CHECKER  # shares no code with feltlab
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    names = [name for name, _ in classes]
    assert [(name, where) for name, where in classes if names.count(name) > 1] == []


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
        "feltlab.core.side_bets",
    )
    named = imports_of(path)
    allowed = {found for found in named if within(found, *ours, "numpy")}
    standard = {found for found in named if found.split(".")[0] in sys.stdlib_module_names}
    assert named - allowed - standard == set()


@pytest.mark.parametrize("folder", FOLDERS.values())
def test_no_game_imports_another(folder):
    own = f"games.{folder}"
    for path in (GAMES / folder).rglob("*.py"):
        others = {found for found in own_imports(path) if within(found, "games") and not within(found, own)}
        assert others == set(), called(path)


def words(text):
    """Every identifier and every string in a text."""
    for node in ast.walk(ast.parse(text)):
        for _, value in ast.iter_fields(node):
            for word in value if isinstance(value, list) else [value]:
                if isinstance(word, str):
                    yield word


def spellings(game):
    """A game's name as code may spell it. A family of hands, "three-card poker", is not the game."""
    folder = FOLDERS[game]
    return game, folder, folder.upper(), *(folder.title().replace("_", gap) for gap in ("", " "))


def games_named(text):
    every_word = "\n".join(words(text))
    return {name for name in FOLDERS if any(each in every_word for each in spellings(name))}


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def without_docstrings(text):
    """A docstring and a command's help may show examples; what runs may not name a game."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            node.body[0] = ast.Pass()
    return ast.unparse(tree)


def test_only_docstrings_are_left_out():
    assert "faro" not in without_docstrings("def command():\n    'play faro'\n    return 1")
    assert "faro" not in without_docstrings("'faro'\nclass Card:\n    'A card of faro.'")
    assert "faro" in without_docstrings("def command():\n    return 'play faro'")


@pytest.mark.parametrize("game", FOLDERS)
@pytest.mark.parametrize(
    "template", ["x = '{}'", "{}", "y.{}", "import {}", "def {}(): pass", "f({}=1)", "f'{} {{x}}'"]
)
def test_a_games_name_is_seen_wherever_it_stands(game, template):
    for spelling in spellings(game)[1:-1]:
        assert games_named(template.format(spelling)) == {game}
    for spelling in spellings(game):
        assert games_named(f"x = {spelling!r}") == {game}


OUTSIDE = [path for path in SOURCES if not path.is_relative_to(GAMES) and path != CHECKER]


def test_the_checker_of_certificates_imports_only_the_standard_library_and_numpy():
    roots = {name.split(".")[0] for name in imports_of(CHECKER)}
    assert roots - sys.stdlib_module_names == {"numpy"}


def test_nothing_outside_the_games_names_a_game():
    named = {called(path): games_named(without_docstrings(path.read_text())) for path in OUTSIDE}
    assert {module: games for module, games in named.items() if games} == {}


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
    makers = ("kernel.kernel", "kernel.lean", "kernel.inlined")
    sources = [path for folder in NO_KERNELS for path in (PACKAGE / folder).rglob("*.py")]
    makes = [called(path) for path in sources if any(within(n, *makers) for n in own_imports(path))]
    assert sources
    assert makes == []
