"""`feltlab rules`: the rule sheet of a game."""

import os
import sys

import click

from feltlab.cli.console import make_console, print_json, progress_bar
from feltlab.cli.options import game_argument, json_flag
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.submission.rule_sheet import read_rule_sheet


@click.command("rules")
@game_argument
@click.option("--readings", is_flag=True, help="Instead, list what could be read otherwise, with its edges.")
@json_flag
def command(game: Game, readings: bool, as_json: bool) -> None:
    """Print the rules of a game.

    The sheet lists clause by clause, with sources and interpretations. On a terminal it is formatted and
    paged; in a pipe it is Markdown.

    With --readings, the questions that the documents leave open are listed instead: how we read each, how it
    could be read otherwise, and what that would do to the house edges, proved.
    """
    if as_json and not readings:
        raise Refused("--json belongs to --readings; the rules themselves are Markdown.")
    if readings:
        _print_readings(game, as_json)
        return
    sheet = read_rule_sheet(game.name)
    if not sys.stdout.isatty():
        click.echo(sheet)
        return
    from rich.markdown import Markdown

    os.environ.setdefault("LESS", "-FRX")  # keep colours; do not page a sheet that fits the screen
    console = make_console()
    with console.pager(styles=True):
        console.print(Markdown(sheet), width=min(console.width, 100))


def _print_readings(game: Game, as_json: bool) -> None:
    from feltlab.analysis.readings import prove_readings
    from feltlab.report.documents.readings import document
    from feltlab.report.renderers.text import print_document

    with progress_bar(f"Proving other readings of {game.title}") as progress:
        found = prove_readings(game, progress)
    if as_json:
        print_json({"game": game.name, "readings": [proved.as_json() for proved in found]})
    else:
        print_document(document(game, found), make_console())
