"""The wheel that users install: it has every file that feltlab reads, and its commands run."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

import feltlab
from feltlab.games import GAMES

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "feltlab"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with the wheel; the dependencies are those of this one."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    install = ("-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile", str(wheel))
    subprocess.run([python, *install], check=True, capture_output=True)
    (packages,) = (folder / "lib").glob("python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return python


def run(python: Path, *words: str) -> str:
    """The output of a command in another folder, where the source tree cannot be imported."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [python, "-P", *words]
    done = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_has_every_file_of_the_package_and_the_rule_sheets(wheel: Path) -> None:
    packed = {name for name in ZipFile(wheel).namelist() if name.startswith("feltlab/")}
    files = [path for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    sheets = {f"feltlab/docs/rules/{path.name}" for path in (ROOT / "docs" / "rules").iterdir()}
    assert packed == {f"feltlab/{path.relative_to(SOURCE)}" for path in files} | sheets
    assert {Path(name).suffix for name in packed} >= {
        ".py",
        ".typed",
        ".toml",
        ".csv",
        ".typ",
        ".html",
        ".js",
    }


def test_the_wheel_has_the_version_of_the_package(wheel: Path) -> None:
    assert wheel.name.startswith(f"feltlab-{feltlab.__version__}-")


def test_the_installed_package_is_the_wheel(python: Path) -> None:
    place = run(python, "-c", "import feltlab; print(feltlab.__file__)")
    assert Path(place).is_relative_to(python.parents[1])


def test_the_installed_command_runs(python: Path) -> None:
    script = python.with_name("feltlab")
    done = subprocess.run([script, "--version"], cwd="/", capture_output=True, text=True, check=True)
    assert feltlab.__version__ in done.stdout


def test_the_installed_package_finds_the_rules_of_every_game(python: Path) -> None:
    """In one process, since a start takes longer than the rules."""
    code = (
        "from feltlab.games import GAMES; from feltlab.submission.rule_sheet import render_rule_sheet as read"
    )
    code += "; print(*(read(game).splitlines()[0] for game in GAMES.values()), sep='\\n')"
    assert run(python, "-c", code).splitlines() == [f"# {game.title}" for game in GAMES.values()]
    (first, *_) = GAMES
    assert run(python, "-m", "feltlab", "rules", first).startswith(f"# {GAMES[first].title}\n")


def test_the_installed_package_reads_its_data_files(python: Path) -> None:
    entries = json.loads(run(python, "-m", "feltlab", "games", "--json"))
    assert {entry["game"] for entry in entries if entry["implemented"]} == set(GAMES)
    hand = run(python, "-m", "feltlab", "hand", "As", "Ks", "Qs", "Js", "Ts")
    assert "Royal Flush" in hand


def test_the_installed_package_has_its_pages(python: Path) -> None:
    code = "from importlib import resources as r; web = r.files('feltlab.web')"
    code += "; print((web / 'templates').is_dir(), (web / 'static').is_dir())"
    assert run(python, "-c", code) == "True True\n"
