"""`feltlab par`: the PAR sheet of a game."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from feltlab.analysis.par_sheet import par_sheet
from feltlab.cli.shared.console import make_console, progress_bar
from feltlab.cli.shared.options import (
    MultiValueCommand,
    RoundCount,
    game_argument,
    json_flag,
    option_flag,
    paper_flag,
    read_game_and_stake,
    stake_flag,
    strategy_flag,
)
from feltlab.core.game import Game
from feltlab.proving.proof import prove
from feltlab.report.documents.par_sheet import document
from feltlab.report.renderers.text import print_document
from feltlab.report.write import Output, as_text
from feltlab.text import parse_dollars

if TYPE_CHECKING:
    from feltlab.core.stake import Stake
    from feltlab.report.renderers.pdf import Paper
    from feltlab.simulation.comparison import Comparison

SEED = 1  # of the simulated rounds


@click.command("par", cls=MultiValueCommand)
@game_argument
@option_flag
@stake_flag
@strategy_flag
@click.option(
    "--bet",
    default="10",
    metavar="DOLLARS",
    show_default=True,
    help="One unit, in the section about the house.",
)
@click.option(
    "--simulate",
    "rounds",
    type=RoundCount(),
    metavar="ROUNDS",
    help="Compare the sheet with this many random rounds.",
)
@click.option("-o", "path", type=Path, metavar="FILE", help="Write .pdf, .html, .md, .txt or .json.")
@paper_flag
@json_flag
def command(
    game: Game,
    options: tuple[str, ...],
    stakes: tuple[str, ...],
    strategy: str,
    bet: str,
    rounds: int | None,
    path: Path | None,
    paper: "Paper",
    as_json: bool,
) -> None:
    """Write the PAR sheet of a game.

    The sheet has every outcome and measure, the strategy, sensitivities and the house's expected win. Equal
    proofs make equal sheets, byte for byte.

    \b
      feltlab par casino-war -o casino-war.pdf
      feltlab par rabbit-hunter --stake tens-up=1 -o rabbit-hunter.html
    """
    output = Output(path, paper=paper) if path else None
    game, stake = read_game_and_stake(game, options, stakes)
    with progress_bar(f"Proving {game.title}") as progress:
        simulated = _simulate(game, stake, strategy, rounds) if rounds is not None else None
        sheet = par_sheet(game, stake, strategy, progress, parse_dollars(bet), simulated)
    if output:
        output.write_document(lambda: document(sheet), sheet.as_json)
    if as_json:
        click.echo(as_text(sheet.as_json()), nl=False)
    elif path:
        click.echo(f"Wrote {path}.")
    else:
        print_document(document(sheet), make_console())


def _simulate(game: Game, stake: "Stake", strategy: str, rounds: int) -> "Comparison":
    from feltlab.simulation.run import simulate

    return simulate(game, stake, strategy, rounds, SEED).compare(prove(game, stake, strategy))
