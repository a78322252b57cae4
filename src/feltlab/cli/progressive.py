"""`feltlab progressive`: progressive jackpots as data, their proof and their proposal."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from feltlab.analysis.progressives.checklists import JURISDICTIONS
from feltlab.analysis.progressives.progressive_proof import HitClock, prove_progressive
from feltlab.analysis.progressives.proposal import make_proposal
from feltlab.cli.shared.console import figures_table, make_console, print_json
from feltlab.cli.shared.options import (
    GameName,
    MultiValueCommand,
    Whole,
    json_flag,
    option_flag,
    paper_flag,
    read_game_and_stake,
    stake_flag,
)
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games import find_game
from feltlab.progressives.catalogue import all_progressives, find_progressive
from feltlab.progressives.progressive import Progressive
from feltlab.progressives.progressive_file import digest_progressive, progressive_text
from feltlab.report.document import Document
from feltlab.report.documents.progressive import proof_document, proposal_document
from feltlab.report.renderers.text import print_document
from feltlab.report.write import Output
from feltlab.text import dollars, parse_dollars

if TYPE_CHECKING:
    from feltlab.report.renderers.pdf import Paper


@click.group("progressive")
def command() -> None:
    """Prove progressive jackpots, and check proposals of them.

    \b
      feltlab progressive list
      feltlab progressive prove five-aces-jackpot
      feltlab progressive propose ./mine.toml --game caribbean-stud
    """


progressive_argument = click.argument("name", metavar="NAME|FILE")
game_flag = click.option("--game", type=GameName(), help="The game, where several carry it.")
path_flag = click.option(
    "-o", "path", type=Path, metavar="FILE", help="Write .pdf, .html, .md, .txt or .json."
)


@command.command("list")
@json_flag
def list_command(as_json: bool) -> None:
    """List the progressives that come with games."""
    known = all_progressives()
    if as_json:
        print_json([*map(_describe, known.values())])
        return
    table = figures_table("name", "games", "bet", "status", text_columns=4)
    for each in known.values():
        games = ", ".join(attached.game for attached in each.attached)
        table.add_row(each.name, games, dollars(each.bet_cents), each.status)
    make_console().print(table)


def _describe(progressive: Progressive) -> dict[str, Any]:
    games = [attached.game for attached in progressive.attached]
    told = {"name": progressive.name, "title": progressive.title, "status": progressive.status}
    return {**told, "games": games, "digest": digest_progressive(progressive)}


@command.command("show")
@progressive_argument
def show_command(name: str) -> None:
    """Print a progressive as the TOML file that describes it."""
    click.echo(progressive_text(find_progressive(name)), nl=False)


@command.command("prove", cls=MultiValueCommand)
@progressive_argument
@game_flag
@option_flag
@stake_flag
@click.option(
    "--bet", default="5", metavar="DOLLARS", show_default=True, help="What one unit of the stake costs."
)
@click.option(
    "--tables", type=Whole(1, 10_000), default=1, show_default=True, help="Tables, for the hit clock."
)
@click.option("--seats", type=Whole(1, 7), default=5, show_default=True, help="Bettors at a table.")
@click.option("--rounds", type=Whole(1, 1_000), default=40, show_default=True, help="Rounds an hour.")
@click.option("--hours", type=Whole(1, 24), default=16, show_default=True, help="Hours a day.")
@path_flag
@paper_flag
@json_flag
def prove_command(
    name: str,
    game: Game | None,
    options: tuple[str, ...],
    stakes: tuple[str, ...],
    bet: str,
    tables: int,
    seats: int,
    rounds: int,
    hours: int,
    path: Path | None,
    paper: "Paper",
    as_json: bool,
) -> None:
    """Prove a progressive: chances, returns, break-even, the law of its wins, joint play.

    Where a choice of the main game matters to the jackpot, the best play of both together is solved for the
    stake, one unit of which is worth --bet.

    \b
      feltlab progressive prove rabbit-jackpot --stake tens-up=1
      feltlab progressive prove ./mine.toml --tables 12 --json
    """
    progressive, output = find_progressive(name), Output(path, paper=paper) if path else None
    found, stake = read_game_and_stake(_game_of(progressive, game), options, stakes)
    proof = prove_progressive(
        progressive, found, HitClock(tables, seats, rounds, hours), stake, parse_dollars(bet)
    )
    _show(output, as_json, proof.as_json, lambda: proof_document(proof))


def _game_of(progressive: Progressive, game: Game | None) -> Game:
    """The game that was asked for, or the only one that carries the progressive."""
    if game is None and progressive.is_linked:
        known = ", ".join(attached.game for attached in progressive.attached)
        raise Refused(f"{progressive.title} is carried by {known}; name one with --game.")
    return game or find_game(progressive.attached[0].game)


@command.command("propose")
@progressive_argument
@game_flag
@click.option(
    "--law", "laws", multiple=True, metavar="NAME", help=f"Only this checklist: {' or '.join(JURISDICTIONS)}."
)
@click.option(
    "--on", "day", metavar="YYYY-MM-DD", help="The day whose law holds, if not the progressive's date."
)
@click.option(
    "--several-from", metavar="YYYY-MM-DD", help="The day from which Washington allows several on one game."
)
@path_flag
@paper_flag
@json_flag
def propose_command(
    name: str,
    game: Game | None,
    laws: tuple[str, ...],
    day: str | None,
    several_from: str | None,
    path: Path | None,
    paper: "Paper",
    as_json: bool,
) -> None:
    """Check a proposal: conservation, solvency, reserves, links, and the law's checklists.

    The exit status is 2 if a check fails.

    \b
      feltlab progressive propose ./mine.toml --game caribbean-stud
    """
    progressive, output = find_progressive(name), Output(path, paper=paper) if path else None
    on = _parse_day(progressive.date if day is None else day)
    several = None if several_from is None else _parse_day(several_from)
    proposal = make_proposal(progressive, on, game.name if game else None, laws or JURISDICTIONS, several)
    _show(output, as_json, proposal.as_json, lambda: proposal_document(proposal))
    if not proposal.is_sound:
        failed = next(item for item in proposal.items if item.passes is False)
        raise Refused(f"{progressive.title} fails {failed.name}: {failed.sentence}")


def _parse_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(f"{text!r} is not a date, such as 2026-11-17.") from None


def _show(
    output: Output | None, as_json: bool, data: Callable[[], Any], document: Callable[[], Document]
) -> None:
    """Print a proof or a proposal, or write it to a file."""
    if output:
        output.write_document(document, data)
        click.echo(f"Wrote {output.path}.")
    elif as_json:
        print_json(data())
    else:
        print_document(document(), make_console())
