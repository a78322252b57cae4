"""`feltlab new`: the folder of a game of your own, which runs as it is."""

from datetime import date
from importlib import resources
from pathlib import Path

import click

from feltlab.errors import Refused
from feltlab.files import check_folder_place
from feltlab.games import FOLDERS, GAME_NAME

TEMPLATES = "feltlab.cli.own_game.templates"
SUFFIX = ".txt"  # of the templates, so that no tool takes them for modules


@click.command("new")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--title", metavar="TEXT", help="The name as people read it; by default made from the folder's."
)
def command(folder: Path, title: str | None) -> None:
    """Begin a game of your own.

    Writes a folder with a small game that can be played, proved and printed at once: its rules, a rule sheet,
    an empty list of published figures, packet text and tests. Change it step by step.

    \b
      feltlab new my-game
      feltlab check ./my-game
      feltlab prove ./my-game
      feltlab play ./my-game
    """
    name = folder.name
    if not GAME_NAME.fullmatch(name):
        raise Refused(f"{name!r} is not a name for a game; use small letters, digits and hyphens: my-game.")
    if name in FOLDERS:
        raise Refused(f"{name!r} is a game of feltlab; choose another name.")
    check_folder_place(folder)
    if folder.exists():
        raise Refused(f"{folder} exists already; nothing was written.")
    words = {
        "@NAME@": name,
        "@TITLE@": title or _title(name),
        "@DATE@": date.today().isoformat(),
        "@HOUSE@": f"HouseOf{_title(name).replace(' ', '')}",  # kernels need a class name of their own
    }
    written = write_game(folder, words)
    click.echo("\n".join(f"{folder}/{file}" for file in written))
    click.echo(
        f"Next: feltlab check ./{folder}" if not folder.is_absolute() else f"Next: feltlab check {folder}"
    )


def _title(name: str) -> str:
    return " ".join(word.capitalize() for word in name.split("-"))


def write_game(folder: Path, words: dict[str, str]) -> list[str]:
    """Write every template with its words replaced; return the names of the files."""
    folder.mkdir(parents=True)
    files = sorted(file.name for file in resources.files(TEMPLATES).iterdir() if file.name.endswith(SUFFIX))
    for file in files:
        text = (resources.files(TEMPLATES) / file).read_text(encoding="utf-8")
        for word, value in words.items():
            text = text.replace(word, value)
        (folder / file.removesuffix(SUFFIX)).write_text(text, encoding="utf-8")
    return [file.removesuffix(SUFFIX) for file in files]
