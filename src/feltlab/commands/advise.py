"""`feltlab advise`: what each choice is worth, for one hand."""

import json
from collections import deque
from math import lcm

import click

from feltlab.advice import Advice, advise
from feltlab.cards import UNKNOWN, Cards, cards
from feltlab.commands.common import SpreadCommand, game_argument, json_flag, option_flag, pairs, stake_flag
from feltlab.errors import Refused
from feltlab.game import Game
from feltlab.proof import exact, read_stake
from feltlab.round import Round, seat_shoe, split_shoe


@click.command("advise", cls=SpreadCommand)
@game_argument
@click.argument("held", nargs=-1, required=True, metavar="CARDS...")
@click.option(
    "--choose", "choices", multiple=True, metavar="CHOICE", help="A choice made before, in order; repeatable."
)
@option_flag
@stake_flag
@json_flag
def command(
    game: Game,
    held: tuple[str, ...],
    choices: tuple[str, ...],
    options: tuple[str, ...],
    stakes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Say what each open choice is worth for this very hand, best first, and what a mistake costs.

    CARDS are the player's and then, where the game shows one, the dealer's up-card.

    \b
      feltlab advise rabbit-hunter "As Kd 9c 4h 2s"
      feltlab advise triple-shot-bonus "Ah 7d" "6c" --stake hat-trick=1
    """
    game = game.with_options(pairs(options, "--option"))
    stake = read_stake(game, pairs(stakes, "--stake"))
    round = state(game, cards(" ".join(held)), " ".join(choices).replace(",", " ").split())
    advice = advise(round, stake)
    _print_json(round, advice) if as_json else _print(round, advice)


def state(game: Game, dealt: Cards, choices: list[str]) -> Round:
    """The round in which these cards are seen and a choice is open."""
    shown = len(dealt) - up_cards(game)
    player, up = Cards(dealt[: max(shown, 0)]), Cards(dealt[max(shown, 0) :])
    round = start(game, player, up)
    round = reach(round.choose(*choices), len(player))
    if round.missing:
        raise Refused(f"{round.missing.capitalize()} is missing.")
    if len(round.view.player) < len(player):
        raise Refused(
            f"The player has {len(round.view.player)} cards when this choice is open, not {len(player)}."
        )
    return round


def start(game: Game, player: Cards, up: Cards) -> Round:
    """The round with these cards, and wagers as small as they can be on every spot."""
    step = lcm(*(game.step(spot) for spot in game.wagers))
    return Round(game, seat_shoe(game, player, up), dict.fromkeys((spot.name for spot in game.wagers), step))


def up_cards(game: Game) -> int:
    """How many cards the dealer shows before the first choice."""
    _, dealer = split_shoe(game, start(game, Cards(), Cards()).seen)
    return dealer.count(UNKNOWN)


def reach(round: Round, count: int) -> Round:
    """The nearest state in which the player has so many cards, by choices that put nothing down."""
    states = deque([round])
    while states:
        at = states.popleft()
        if at.choices and len([card for card in at.view.player if card != UNKNOWN]) == count:
            return at
        free = (choice for choice in at.choices if not at.cost(choice))
        states.extend(after for after in map(at.choose, free) if not after.missing)
    return round


def _print_json(round: Round, advice: list[Advice]) -> None:
    listed = [{"choice": a.choice, "expected": exact(a.expected), "cost": exact(a.cost)} for a in advice]
    document = {
        "game": round.game.name,
        "player": str(round.view.player),
        "dealer": str(round.view.dealer),
        "choices": listed,
    }
    click.echo(json.dumps(document, indent=2))


def _print(round: Round, advice: list[Advice]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("choice", "expected net", "a mistake costs")
    table.columns[1].justify = table.columns[2].justify = "right"
    for line in advice:
        cost = f"{float(line.cost):.6f}" if line.cost else "best"
        style = "" if line.cost else "bold green"
        table.add_row(line.choice, f"{float(line.expected):+.6f}", cost, style=style)
    console = Console()
    console.print(f"player  {round.view.player}\ndealer  {round.view.dealer}", highlight=False)
    console.print(table)
    console.print("in units of the stake, for the whole stake together", style="dim")
