"""`feltlab par`: the PAR sheet of a game."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from feltlab.analysis.par_sheet import par_sheet
from feltlab.analysis.session import wagers_in_cents
from feltlab.analysis.simulation_check import CHECK_SEED, SimulationCheck, check_by_simulation
from feltlab.analysis.strategy_annex import strategy_table
from feltlab.cli.shared.console import make_console, progress_bar
from feltlab.cli.shared.options import (
    MultiValueCommand,
    RoundCount,
    Whole,
    author_flag,
    game_argument,
    json_flag,
    option_flag,
    paper_flag,
    proof_date_flag,
    read_game_and_stake,
    reviewer_flag,
    stake_flag,
    strategy_flag,
)
from feltlab.cli.shared.signals import treat_end_as_interrupt
from feltlab.core.game import Game
from feltlab.core.strategy.table import StrategyTable
from feltlab.errors import Refused
from feltlab.files import place_of
from feltlab.parallel.progress import Progress
from feltlab.progressives.catalogue import find_progressive
from feltlab.progressives.claims import attach
from feltlab.proving.proof import prove
from feltlab.report.annex import AnnexFile
from feltlab.report.documents.par_sheet import document
from feltlab.report.documents.sign_off import SignOff
from feltlab.report.renderers.text import print_document
from feltlab.report.write import Output, as_text
from feltlab.submission.venues import DEFAULT_VENUE, venue
from feltlab.text import parse_dollars

if TYPE_CHECKING:
    from feltlab.core.stake import Stake
    from feltlab.report.renderers.pdf import Paper


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
@click.option(
    "--venue",
    "where",
    default=DEFAULT_VENUE,
    metavar="VENUE",
    show_default=True,
    help="The kind of venue whose highest wager the largest payouts are for: commercial or tribal.",
)
@click.option(
    "--seed",
    type=Whole(min=0),
    default=CHECK_SEED,
    show_default=True,
    metavar="NUMBER",
    help="The seed of --simulate.",
)
@click.option(
    "--annex",
    type=Path,
    metavar="FILE",
    help="Write the complete strategy, every class of hands, as .csv or .csv.gz.",
)
@click.option(
    "--progressive",
    "jackpots",
    multiple=True,
    metavar="NAME|FILE",
    help="Add a section about a progressive of the game; may be given several times.",
)
@proof_date_flag
@author_flag
@reviewer_flag
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
    where: str,
    seed: int,
    annex: Path | None,
    jackpots: tuple[str, ...],
    date: str,
    author: str,
    reviewer: str,
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
      feltlab par triple-shot-rummy --annex strategy.csv -o rummy.pdf
      feltlab par triple-shot-rummy --progressive six-card-jackpot -o rummy.pdf
    """
    output, annex_file = Output(path, paper=paper) if path else None, AnnexFile(annex) if annex else None
    if path and annex and place_of(path) == place_of(annex):
        raise Refused("-o and --annex name the same file.")
    signed = SignOff(date, author, reviewer)
    game, stake = read_game_and_stake(game, options, stakes)
    highest, unit = venue(where).highest_wager, parse_dollars(bet)
    carried = [find_progressive(name) for name in jackpots]
    for each in carried:
        attach(each, game)  # refuses one of another game before anything is proved
    wagers_in_cents(game, stake, unit)  # refuses amounts that are no whole cents
    with treat_end_as_interrupt(), progress_bar(f"Proving {game.title}") as progress:
        simulated = _simulate(game, stake, strategy, rounds, seed) if rounds is not None else None
        sheet = par_sheet(game, stake, strategy, progress, unit, simulated, highest, carried)
        table = _strategy_table(game, stake, annex_file, progress) if annex_file else None
        data = {**sheet.as_json(), "sign_off": signed.as_json()}
        if output:
            output.write_document(lambda: document(sheet, signed), lambda: data)
        if annex_file and table:
            annex_file.write(game, table)
    if as_json:
        click.echo(as_text(data), nl=False)
    elif path:
        click.echo(f"Wrote {path}.")
    elif not annex_file:
        print_document(document(sheet, signed), make_console())
    if annex_file and table:
        click.echo(f"Wrote {annex_file.path}, {table.count:,} rows. {table.note}".rstrip(), err=True)


def _strategy_table(game: Game, stake: "Stake", file: AnnexFile, progress: Progress) -> StrategyTable:
    table = strategy_table(game, stake, progress)
    file.check_size(table)
    return table


def _simulate(game: Game, stake: "Stake", strategy: str, rounds: int, seed: int) -> SimulationCheck:
    return check_by_simulation(prove(game, stake, strategy), rounds, seed)
