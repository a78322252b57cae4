"""`feltlab strategy`: the best strategy on a card."""

import json
from typing import TYPE_CHECKING

import click

from feltlab.cli.console import make_console
from feltlab.cli.options import MultiValueCommand, game_argument, json_flag, option_flag, stake_flag
from feltlab.core.game import Game
from feltlab.core.solver import Chart, StrategyCard
from feltlab.core.stake import Stake, read_stake
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import strategy_card
from feltlab.text import parse_pairs

if TYPE_CHECKING:
    from rich.table import Table


@click.command("strategy", cls=MultiValueCommand)
@game_argument
@option_flag
@stake_flag
@json_flag
def command(game: Game, options: tuple[str, ...], stakes: tuple[str, ...], as_json: bool) -> None:
    """Print the best strategy for a stake on a card, with its exceptions and what the card costs.

    The card is made from the proof: another stake or pay table makes another card where it matters.
    """
    game = game.with_options(parse_pairs(options, "--option"))
    stake = read_stake(game, parse_pairs(stakes, "--stake"))
    card = strategy_card(game, stake)
    if as_json:
        staked = {bet: str(units) for bet, units in stake.items()}
        asked = {"game": game.name, "options": dict(game.options), "stake": staked}
        click.echo(json.dumps(asked | card.as_json() | {"cost": exact(card.cost)}, indent=2))
    else:
        _print(game, stake, card)


def _print(game: Game, stake: Stake, card: StrategyCard) -> None:
    paper = make_console()
    standing = ", ".join(f"{units} on {bet}" for bet, units in stake.items() if units)
    paper.print(f"[bold]{game.title}[/]  stake: {standing}", highlight=False)
    width = max(len(when) for when, _ in card.lines) if card.lines else 0
    for when, choice in card.lines:
        paper.print(f"  {when:<{width}}  [bold]{choice}[/]", highlight=False)
    for chart in card.charts:
        paper.print(_chart(chart))
    for exception in card.exceptions:
        paper.print(f"  except {exception}", highlight=False)
    cost = f"{float(card.cost):.8f} units a round" if card.cost else "nothing: it is complete"
    without = ", its exceptions left out," if card.exceptions else ""
    paper.print(f"following the card{without} costs {cost}", highlight=False)


def _chart(chart: Chart) -> "Table":
    from rich.table import Table

    table = Table("", *chart.columns, title=chart.title, title_justify="left")
    for row, cells in chart.rows.items():
        table.add_row(row, *cells)
    return table
