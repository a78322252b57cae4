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
    """Print the rules of a game, clause by clause with sources and readings.

    On a terminal the sheet is laid out and paged; in a pipe it is Markdown.
    """
    sheet = read_rule_sheet(game.name)
    if not sys.stdout.isatty():
        click.echo(sheet)
        return
    from rich.markdown import Markdown

    os.environ.setdefault("LESS", "-FRX")  # colours as colours, and no pager for less than a page
    paper = make_console()
    with paper.pager(styles=True):
        paper.print(Markdown(sheet), width=min(paper.width, 100))
