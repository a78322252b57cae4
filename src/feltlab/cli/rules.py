"""`feltlab rules`: the rule sheet of a game under its options, its dealing procedure, or other readings."""

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feltlab.cli.shared.console import make_console, print_json, progress_bar
from feltlab.cli.shared.options import game_argument, json_flag, option_flag, paper_flag, read_game
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.submission.procedure import ProcedureStep, procedure
from feltlab.submission.rule_sheet import render_rule_sheet
from feltlab.submission.venues import Venue, venue

if TYPE_CHECKING:
    from feltlab.report.renderers.pdf import Paper


@click.command("rules")
@game_argument
@click.argument("words", nargs=-1, metavar="[NAME=VALUE]...")
@option_flag
@click.option("--venue", "where", metavar="VENUE", help="A kind of venue: commercial or tribal.")
@click.option("--procedure", "steps", is_flag=True, help="Instead, print the dealing procedure step by step.")
@click.option(
    "--manual",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Instead, write a training manual for dealers: .pdf, .html, .md or .txt.",
)
@click.option("--readings", is_flag=True, help="Instead, list what could be read otherwise, with its edges.")
@paper_flag
@json_flag
def command(
    game: Game,
    words: tuple[str, ...],
    options: tuple[str, ...],
    where: str | None,
    steps: bool,
    manual: Path | None,
    readings: bool,
    paper: "Paper",
    as_json: bool,
) -> None:
    """Print the rules of a game.

    The sheet lists the clauses that hold under the options, with sources and interpretations. On a terminal
    it is formatted and paged; in a pipe it is Markdown.

    With --readings, the questions that the documents leave open are listed instead: how we read each, how it
    could be read otherwise, and what that would do to the house edges, proved.

    \b
      feltlab rules casino-war decks=8
      feltlab rules triple-shot-bonus soft-17=stand --procedure
      feltlab rules triple-shot-bonus --manual manual.pdf
    """
    game, at = read_game(game, (*words, *options)), venue(where) if where else None
    if steps + readings + bool(manual) > 1:
        raise Refused("--procedure, --manual and --readings are different things; ask for one of them.")
    if readings and (game.chosen or at):
        raise Refused("--readings takes no options and no venue: each reading says what it is proved for.")
    if manual:
        _write_manual(game, at, manual, paper)
    elif readings:
        _print_readings(game, as_json)
    elif steps:
        _print_procedure(game, at, as_json)
    elif as_json:
        raise Refused("--json belongs to --readings and --procedure; the rules themselves are Markdown.")
    else:
        _show(render_rule_sheet(game, at))


def _show(text: str) -> None:
    """Print Markdown: as it is in a pipe, formatted and paged on a terminal."""
    if not sys.stdout.isatty():
        click.echo(text)
        return
    from rich.markdown import Markdown

    os.environ.setdefault("LESS", "-FRX")  # keep colours; do not page a sheet that fits the screen
    console = make_console()
    with console.pager(styles=True):
        console.print(Markdown(text), width=min(console.width, 100))


# -- The dealing procedure --------------------------------------------------------------------------


def _print_procedure(game: Game, at: Venue | None, as_json: bool) -> None:
    steps = procedure(game, at)
    if as_json:
        print_json({"game": game.name, "steps": [asdict(step) for step in steps]})
    else:
        _show("\n".join(_procedure_lines(game, steps)))


def _procedure_lines(game: Game, steps: tuple[ProcedureStep, ...]) -> Iterator[str]:
    """The steps as Markdown, below the moments of the round."""
    yield f"# {game.title}: dealing procedure"
    for moment, of_moment in groupby(steps, key=lambda step: step.moment):
        yield f"\n## {moment}\n"
        yield from map(_step_line, of_moment)


def _step_line(step: ProcedureStep) -> str:
    full_stop = "" if step.says.endswith('"') else "."
    says = f" Says: {step.says}{full_stop}" if step.says else ""
    who = "" if step.actor == "dealer" else f"({step.actor}) "
    return f"{step.number}. {who}{step.does}{says} [{', '.join(step.clauses)}]"


# -- The training manual ----------------------------------------------------------------------------


def _write_manual(game: Game, at: Venue | None, path: Path, paper: "Paper") -> None:
    from feltlab.report.documents.training_manual import training_manual
    from feltlab.report.write import RENDERED_SUFFIXES, Output

    output = Output(path, RENDERED_SUFFIXES, "training manual", paper)
    output.write_document(lambda: training_manual(game, at))
    click.echo(f"Wrote {path}, the training manual of {game.title}.")


# -- Readings ---------------------------------------------------------------------------------------


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
