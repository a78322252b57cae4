"""`feltlab strategy`: the optimal strategy as a card."""

import click
from rich.table import Table

from feltlab.cli.shared.console import describe_stake, make_console, print_json, request_json
from feltlab.cli.shared.options import (
    MultiValueCommand,
    game_argument,
    json_flag,
    option_flag,
    read_game_and_stake,
    stake_flag,
)
from feltlab.core.game import Game
from feltlab.core.solver import Chart, StrategyCard
from feltlab.core.stake import Stake
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import strategy_card


@click.command("strategy", cls=MultiValueCommand)
@game_argument
@option_flag
@stake_flag
@json_flag
def command(game: Game, options: tuple[str, ...], stakes: tuple[str, ...], as_json: bool) -> None:
    """Print the optimal strategy of a game as a card.

    The card lists its exceptions and what a player loses by following it without them. It is made from the
    proof, so another stake or pay table may make another card.
    """
    game, stake = read_game_and_stake(game, options, stakes)
    card = strategy_card(game, stake)
    if as_json:
        print_json(request_json(game, stake) | card.as_json() | {"cost": exact(card.cost)})
    else:
        _print(game, stake, card)


def _print(game: Game, stake: Stake, card: StrategyCard) -> None:
    console = make_console()
    console.print(f"[bold]{game.title}[/]  stake: {describe_stake(stake)}", highlight=False)
    width = max(len(when) for when, _ in card.lines) if card.lines else 0
    for when, choice in card.lines:
        console.print(f"  {when:<{width}}  [bold]{choice}[/]", highlight=False)
    for chart in card.charts:
        console.print(_chart_table(chart))
    for exception in card.exceptions:
        console.print(f"  except {exception}", highlight=False)
    cost = f"{float(card.cost):.8f} units a round" if card.cost else "nothing: the card is complete"
    without = " without its exceptions" if card.exceptions else ""
    console.print(f"following the card{without} costs {cost}", highlight=False)


def _chart_table(chart: Chart) -> Table:
    table = Table("", *chart.columns, title=chart.title, title_justify="left")
    for row, cells in chart.rows.items():
        table.add_row(row, *cells)
    return table
