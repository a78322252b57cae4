"""The progressives that come with games: TOML files in the folder `progressives` beside a game's rules."""

from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

from feltlab.errors import Unknown
from feltlab.game_folders import is_path
from feltlab.games import GAMES, home_of
from feltlab.progressives.progressive import Progressive
from feltlab.progressives.progressive_file import parse_progressive, read_progressive
from feltlab.text import listing

FOLDER, SUFFIX = "progressives", ".toml"


def progressives_of(game: str) -> Iterator[Progressive]:
    """The progressives that come with a game, by its name."""
    for file in sorted(_files_of(game), key=lambda file: file.name):
        yield parse_progressive(file.read_text(encoding="utf-8"), f"{game}/{FOLDER}/{file.name}")


def _files_of(game: str) -> Iterator[Traversable]:
    folder = home_of(game).file(FOLDER)
    if folder.is_dir():
        yield from (file for file in folder.iterdir() if file.name.endswith(SUFFIX))


def all_progressives() -> dict[str, Progressive]:
    """All progressives that come with games, by name."""
    found = (progressive for game in GAMES for progressive in progressives_of(game))
    return {progressive.name: progressive for progressive in found}


def find_progressive(text: str) -> Progressive:
    """The progressive in a file, or of this name."""
    if is_path(text) or text.endswith(SUFFIX):
        return read_progressive(Path(text).expanduser())
    known = all_progressives()
    if text not in known:
        raise Unknown(
            f"{text!r} is not a progressive; those that come with games are {listing(known)}, and your own"
            f" are named by their file, such as ./mine{SUFFIX}."
        )
    return known[text]
