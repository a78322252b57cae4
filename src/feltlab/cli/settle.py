"""`feltlab settle`: what should this hand have paid?"""

import json
from collections import Counter

import click

from feltlab.cli.console import make_console
from feltlab.cli.options import MultiValueCommand, game_argument, json_flag, option_flag
from feltlab.core.cards import Cards, cards
from feltlab.core.game import Game
from feltlab.core.round import Round, seat_shoe
from feltlab.errors import Refused
from feltlab.text import dollars, parse_dollars, parse_pairs


@click.command("settle", cls=MultiValueCommand)
@game_argument
@click.option("--player", multiple=True, metavar="CARDS", help="The player's cards in the order received.")
@click.option("--dealer", multiple=True, metavar="CARDS", help="The dealer's cards in the order received.")
@click.option("--wager", "wagers", multiple=True, metavar="NAME=DOLLARS", help="A wager; repeatable.")
@click.option("--choose", "choices", multiple=True, metavar="CHOICE", help="A choice, in order; repeatable.")
@option_flag
@json_flag
def command(
    game: Game,
    player: tuple[str, ...],
    dealer: tuple[str, ...],
    wagers: tuple[str, ...],
    choices: tuple[str, ...],
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Say what a hand should have paid, wager by wager, with the reason.

    Cards stand in the order in which that side receives them (`feltlab games GAME` tells it). Cards not
    needed are not used; a card that is needed and missing is named. Amounts in JSON are cents.

    \b
      feltlab settle casino-war --player "Ks" --dealer "9d" --wager primary=10 tie=5
      feltlab settle high-five-poker --player "Ah Ad 4c 4s 9d Tc Jh" \\
        --dealer "Kh Kd 2c 7s 8d 3c Qh" --wager ante=10 --choose play
    """
    game = game.with_options(parse_pairs(options, "--option"))
    placed = {name: parse_dollars(amount) for name, amount in parse_pairs(wagers, "--wager").items()}
    given = cards(" ".join(player)), cards(" ".join(dealer))
    round = Round(game, seat_shoe(game, *given), placed)
    for choice in " ".join(choices).lower().replace(",", " ").split():
        round = _complete(round).choose(choice)
    _print_json(_complete(round)) if as_json else _print(_complete(round), given)


def _complete(round: Round) -> Round:
    if round.missing:
        raise Refused(f"{round.missing.capitalize()} is missing.")
    return round


def _print_json(round: Round) -> None:
    settled = round.settlement.wagers
    document = {
        "game": round.game.name,
        "options": dict(round.game.options),
        "choices": list(round.chosen),
        "wagers": {wager.spot.name: {"outcome": wager.outcome, "net": wager.net} for wager in settled},
        "net": round.settlement.net,
    }
    click.echo(json.dumps(document, indent=2))


def _print(round: Round, given: tuple[Cards, Cards]) -> None:
    from rich.table import Table

    table = Table("wager", "staked", "outcome", "net", "why", title=round.game.title, title_justify="left")
    table.columns[1].justify = table.columns[3].justify = "right"
    colours = {"win": "green", "lose": "red"}
    for wager in round.settlement.wagers:
        colour = colours.get(wager.result, "yellow")
        outcome = wager.outcome if wager.outcome == wager.result else f"{wager.outcome} ({wager.result})"
        net = f"[{colour}]{_signed(wager.net)}[/]"
        table.add_row(wager.spot.title, dollars(wager.staked), outcome, net, wager.why)
    paper = make_console()
    for side, shown, told in zip(
        ("player", "dealer"), (round.view.player, round.view.dealer), given, strict=True
    ):
        paper.print(f"{side}  {shown}{_unused(shown, told)}", highlight=False)
    paper.print(table)
    paper.print(f"net {_signed(round.settlement.net)}", highlight=False)


def _unused(shown: Cards, told: Cards) -> str:
    """What of the cards told was not used; a card that was not told and not needed is '??'."""
    unused = Cards((Counter(told) - Counter(shown)).elements())
    return f"   (not used: {unused})" if unused else ""


def _signed(parse_dollars: int) -> str:
    return f"+{dollars(parse_dollars)}" if parse_dollars > 0 else dollars(parse_dollars)
