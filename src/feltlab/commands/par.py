"""`feltlab par`: the PAR sheet of a game."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from feltlab.commands.common import (
    Rounds,
    SpreadCommand,
    cents,
    console,
    game_argument,
    json_flag,
    option_flag,
    pairs,
    progress_bar,
    stake_flag,
    strategy_flag,
)
from feltlab.game import Game
from feltlab.par import par_sheet
from feltlab.proof import prove, read_stake
from feltlab.report.par import document
from feltlab.report.terminal import show
from feltlab.report.write import as_text, check, is_data, write

if TYPE_CHECKING:
    from feltlab.compare import Comparison
    from feltlab.exact.law import Stake

SEED = 1  # of the simulation


@click.command("par", cls=SpreadCommand)
@game_argument
@option_flag
@stake_flag
@strategy_flag
@click.option("--bet", default="10", metavar="DOLLARS", show_default=True, help="A unit on the house's side.")
@click.option(
    "--simulate", "rounds", type=Rounds(), metavar="ROUNDS", help="Hold the sheet to so many random rounds."
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
    if path:
        check(path)
    game = game.with_options(pairs(options, "--option"))
    stake = read_stake(game, pairs(stakes, "--stake"))
    with progress_bar(f"The PAR sheet of {game.title}") as progress:
        simulated = _simulated(game, stake, strategy, rounds) if rounds is not None else None
        sheet = par_sheet(game, stake, strategy, progress, cents(bet), simulated)
    data = sheet.as_json() if as_json or (path and is_data(path)) else None
    if path:
        write(path, document(sheet), data)
    if as_json:
        click.echo(as_text(data), nl=False)
    elif path:
        click.echo(f"{path} is written.")
    else:
        show(document(sheet), console())


def _simulated(game: Game, stake: "Stake", strategy: str, rounds: int) -> "Comparison":
    from feltlab.compare import compare
    from feltlab.simulate import plan_of, simulate

    run = simulate(plan_of(game, stake, strategy, rounds, SEED))
    return compare(run.tally, run.first_choices, prove(game, stake, strategy))
