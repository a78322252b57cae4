"""`feltlab rules`: the rule sheet of a game."""

import os
import sys

import click

from feltlab.cli.console import make_console
from feltlab.cli.options import game_argument
from feltlab.core.game import Game
from feltlab.submission.rule_sheet import read_rule_sheet


@click.command("rules")
@game_argument
def command(game: Game) -> None:
    """Print the rules of a game.

    The sheet lists clause by clause, with sources and interpretations. On a terminal it is formatted and
    paged; in a pipe it is Markdown.
    """
    sheet = read_rule_sheet(game.name)
    if not sys.stdout.isatty():
        click.echo(sheet)
        return
    from rich.markdown import Markdown

    os.environ.setdefault("LESS", "-FRX")  # keep colours; do not page a sheet that fits the screen
    console = make_console()
    with console.pager(styles=True):
        console.print(Markdown(sheet), width=min(console.width, 100))
