"""`feltlab prove`: the exact law of a game."""

import json
from typing import TYPE_CHECKING

import click

from feltlab.cli.console import make_console, progress_bar
from feltlab.cli.options import (
    MultiValueCommand,
    game_argument,
    json_flag,
    option_flag,
    stake_flag,
    strategy_flag,
)
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.stake import read_stake
from feltlab.proving.exact_numbers import root
from feltlab.proving.proof import Proof, prove
from feltlab.text import parse_pairs, percent

if TYPE_CHECKING:
    from rich.table import Table


@click.command("prove", cls=MultiValueCommand)
@game_argument
@option_flag
@stake_flag
@strategy_flag
@click.option("--fresh", is_flag=True, help="Prove anew, whatever is in the proof store.")
@json_flag
def command(
    game: Game, options: tuple[str, ...], stakes: tuple[str, ...], strategy: str, fresh: bool, as_json: bool
) -> None:
    """Prove the law of every wager of a game: edge, frequencies, deviation, as exact fractions.

    The stake is one unit on each required wager; the optimal player plays best for the whole stake.

    \b
      feltlab prove casino-war --option decks=8
      feltlab prove rabbit-hunter --stake ante=1 tens-up=1 --json
    """
    game = game.with_options(parse_pairs(options, "--option"))
    stake = read_stake(game, parse_pairs(stakes, "--stake"))
    with progress_bar(f"Proving {game.title}") as progress:
        proof = prove(game, stake, strategy, progress, fresh)
    click.echo(json.dumps(proof.as_json(), indent=2)) if as_json else _print(proof)


def _print(proof: Proof) -> None:
    paper = make_console()
    options = " ".join(f"{name}={value}" for name, value in proof.game.options.items())
    paper.print(f"[bold]{proof.game.title}[/]  {options}", highlight=False)
    took = f"proved in {proof.law.seconds:.2f} s"
    paper.print(f"strategy {proof.strategy}; {proof.tally.deals:,} deals, {took}", highlight=False)
    paper.print(f"method: {proof.law.method}\n", highlight=False)
    paper.print(_bets(proof))
    for bet in proof.game.wagers:
        paper.print(_outcomes(proof, bet))
    if len(proof.first_choices) > 1:
        shares = ", ".join(f"{name} {percent(share, 2)}" for name, share in proof.first_choices.items())
        paper.print(f"first choice: {shares}", highlight=False)
    total = float(proof.tally.total_expected(proof.stake))
    stake = ", ".join(f"{units} on {bet}" for bet, units in proof.stake.items() if units)
    paper.print(f"the stake ({stake}) nets {total:+.6f} units a round, {_total_risk(proof)}", highlight=False)
    paper.print(
        "edge: expected loss per unit of the first wager; risk: per unit put down, raises included; "
        "play is best for the stake, so bets without a stake would be played for otherwise",
        style="dim",
    )


def _total_risk(proof: Proof) -> str:
    deviation = root(proof.tally.total_variance(proof.stake))
    average = float(proof.average_wager)
    return f"with {average:.4f} units put down and a standard deviation of {deviation:.4f}"


def _bets(proof: Proof) -> "Table":
    from rich.table import Table

    table = Table("bet", "edge", "risk", "wins", "pushes", "average", "deviation")
    for column in table.columns[1:]:
        column.justify = "right"
    tally = proof.tally
    for bet in proof.game.wagers:
        shares = [percent(-tally.expected(bet)), percent(tally.element_of_risk(bet))]
        shares += [percent(tally.hit_frequency(bet), 2), percent(tally.push_frequency(bet), 2)]
        units = [float(tally.average_wager(bet)), root(tally.variance(bet))]
        table.add_row(_titled(proof, bet), *shares, *(f"{number:.4f}" for number in units))
    return table


def _titled(proof: Proof, bet: Spot) -> str:
    return bet.title if proof.stake.get(bet.name) else f"{bet.title} (no stake)"


def _outcomes(proof: Proof, bet: Spot) -> "Table":
    from rich.table import Table

    title = f"{_titled(proof, bet)}: edge {-proof.tally.expected(bet)}"
    table = Table("outcome", "net", "deals", "probability", "return", title=title, title_justify="left")
    for outcome in proof.outcomes(bet):
        share, gain = float(outcome.probability), float(outcome.returned)
        numbers = (f"{float(outcome.net):+g}", _count(outcome.count), f"{share:.8f}", f"{gain:+.6f}")
        table.add_row(outcome.name, *numbers)
    for column in table.columns[1:]:
        column.justify = "right"
        column.min_width = max(map(len, map(str, column.cells)))  # digits are never cut
    return table


def _count(count: int) -> str:
    """All digits while they fit a column; JSON has them always."""
    return f"{count:,}" if count < 10**16 else f"{count:.6e}"
