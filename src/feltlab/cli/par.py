"""`feltlab par`: the PAR sheet of a game."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from feltlab.analysis.par_sheet import par_sheet
from feltlab.cli.console import make_console, progress_bar
from feltlab.cli.options import (
    MultiValueCommand,
    RoundCount,
    game_argument,
    json_flag,
    option_flag,
    stake_flag,
    strategy_flag,
)
from feltlab.core.game import Game
from feltlab.core.stake import read_stake
from feltlab.proving.proof import prove
from feltlab.report.documents.par_sheet import document
from feltlab.report.renderers.text import show
from feltlab.report.write import Output, as_text
from feltlab.text import parse_dollars, parse_pairs

if TYPE_CHECKING:
    from feltlab.core.stake import Stake
    from feltlab.simulation.comparison import Comparison

SEED = 1  # of the simulation


@click.command("par", cls=MultiValueCommand)
@game_argument
@option_flag
@stake_flag
@strategy_flag
@click.option("--bet", default="10", metavar="DOLLARS", show_default=True, help="A unit on the house's side.")
@click.option(
    "--simulate",
    "rounds",
    type=RoundCount(),
    metavar="ROUNDS",
    help="Hold the sheet to so many random rounds.",
)
@click.option("-o", "path", type=Path, metavar="FILE", help="Write .pdf, .html, .md, .txt or .json.")
@json_flag
def command(
    game: Game,
    options: tuple[str, ...],
    stakes: tuple[str, ...],
    strategy: str,
    bet: str,
    rounds: int | None,
    path: Path | None,
    as_json: bool,
) -> None:
    """Write the PAR sheet of a game: every outcome, measure, strategy, sensitivity, and the house's side.

    The same proof makes the same sheet, byte for byte.

    \b
      feltlab par casino-war -o casino-war.pdf
      feltlab par rabbit-hunter --stake tens-up=1 -o rabbit-hunter.html
    """
    output = Output(path) if path else None
    game = game.with_options(parse_pairs(options, "--option"))
    stake = read_stake(game, parse_pairs(stakes, "--stake"))
    with progress_bar(f"The PAR sheet of {game.title}") as progress:
        simulated = _simulated(game, stake, strategy, rounds) if rounds is not None else None
        sheet = par_sheet(game, stake, strategy, progress, parse_dollars(bet), simulated)
    if output:
        output.write_document(lambda: document(sheet), sheet.as_json)
    if as_json:
        click.echo(as_text(sheet.as_json()), nl=False)
    elif path:
        click.echo(f"{path} is written.")
    else:
        show(document(sheet), make_console())


def _simulated(game: Game, stake: "Stake", strategy: str, rounds: int) -> "Comparison":
    from feltlab.simulation.run import simulate

    return simulate(game, stake, strategy, rounds, SEED).compare(prove(game, stake, strategy))
