"""A toy game that is dealt and has no solver: Casino War under another name."""

import sys
from pathlib import Path

import pytest

import feltlab.games
from feltlab.games import FOLDERS

NAME, TITLE = "toy-war", "Toy War"


def add_unsolved_game(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Make the toy one of the games until the patch is undone; its sources are written to a folder."""
    source = Path(feltlab.games.__file__).parent / "casino_war" / "rules.py"
    text = source.read_text(encoding="utf-8").replace('"casino-war"', f'"{NAME}"')
    (folder / "toy_war").mkdir()
    (folder / "toy_war" / "__init__.py").touch()
    (folder / "toy_war" / "rules.py").write_text(text.replace('"Casino War"', f'"{TITLE}"'), encoding="utf-8")
    patch.setattr(feltlab.games, "__path__", [*feltlab.games.__path__, str(folder)])
    patch.setitem(FOLDERS, NAME, "toy_war")
    for module in ("toy_war", "toy_war.rules"):
        patch.delitem(sys.modules, f"feltlab.games.{module}", raising=False)
    feltlab.games._load.cache_clear()
