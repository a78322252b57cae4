"""Games of a user's own, in folders of a test."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from feltlab import games
from feltlab.game_folders import ENVIRONMENT, forget_folder, named_folders
from feltlab.games import figures
from tests.support.command_line import run


@contextmanager
def nothing_named() -> Iterator[None]:
    """Name no folder before, and forget afterwards what was named meanwhile."""
    before = os.environ.pop(ENVIRONMENT, None)
    try:
        yield
    finally:
        for folder in named_folders():
            forget_folder(folder)
        os.environ.pop(ENVIRONMENT, None)
        if before is not None:
            os.environ[ENVIRONMENT] = before
        for cached in (games._homes_outside, games._load, figures._load_published):
            cached.cache_clear()


def new_game(folder: Path, *changes: tuple[str, str], file: str = "rules.py") -> Path:
    """The game that `feltlab new` writes, with some text of a file replaced."""
    result = run("new", str(folder))
    assert result.exit_code == 0, result.stderr
    for old, new in changes:
        text = (folder / file).read_text()
        assert old in text, f"{old!r} is not in {file}"
        (folder / file).write_text(text.replace(old, new))
    return folder
