"""`feltlab settle`: what a hand should have paid."""

import re
from collections import Counter

import click
from rich.table import Table

from feltlab.cli.shared.console import make_console, print_json, request_json
from feltlab.cli.shared.options import MultiValueCommand, game_argument, json_flag, option_flag, read_game
from feltlab.core.card_counts import CountedHands
from feltlab.core.cards import Cards, cards
from feltlab.core.choices import parse_choice
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.errors import Refused
from feltlab.text import dollars, parse_dollars, parse_pairs, signed_dollars


@click.command("settle", cls=MultiValueCommand)
@game_argument
@click.option("--player", multiple=True, metavar="CARDS", help="The player's cards in the order received.")
@click.option("--board", multiple=True, metavar="CARDS", help="The board, in games that have one, likewise.")
@click.option("--dealer", multiple=True, metavar="CARDS", help="The dealer's cards in the order received.")
@click.option("--wager", "wagers", multiple=True, metavar="NAME=DOLLARS", help="A wager; repeatable.")
@click.option(
    "--choose",
    "choices",
    multiple=True,
    metavar="CHOICE",
    help="A choice, in order, such as hit or insure=2.50 (dollars); repeatable.",
)
@click.option("--counted", is_flag=True, help="These are all cards on the table: too few is a wrong number.")
@option_flag
@json_flag
def command(
    game: Game,
    player: tuple[str, ...],
    board: tuple[str, ...],
    dealer: tuple[str, ...],
    wagers: tuple[str, ...],
    choices: tuple[str, ...],
    counted: bool,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Settle a hand: show what each wager should have paid.

    Every wager comes with the reason. Give the cards in the order in which that side receives them;
    `feltlab games GAME` shows the order. A hand with too many cards makes the round void: every wager goes
    back. Cards that another choice would have dealt, or that the dealer draws for other seats, are not needed
    and are left out. A missing card is named; with --counted it is a card too few, and the round is void.
    Amounts in JSON are cents.

    \b
      feltlab settle casino-war --player Ks --dealer 9d --wager primary=10 tie=5
      feltlab settle high-five-poker --player "Ah Ad 4c 4s 9d Tc Jh" \\
        --dealer "Kh Kd 2c 7s 8d 3c Qh" --wager ante=10 --choose play
    """
    game = read_game(game, options)
    placed = {name: parse_dollars(amount) for name, amount in parse_pairs(wagers, "--wager").items()}
    given = CountedHands(game, read_areas(game, player=player, board=board, dealer=dealer), counted)
    typed = re.sub(r",(?!\d)", " ", " ".join(choices).lower()).split()
    round = given.play(placed, tuple(map(parse_choice, typed)))
    _print_json(round) if as_json else _print(round, given.areas)


def read_areas(game: Game, **typed: tuple[str, ...]) -> tuple[Cards, ...]:
    """The cards of each area of the game; cards of an area that it does not have are refused."""
    read = {name: cards(" ".join(words)) for name, words in typed.items()}
    for name, held in read.items():
        if held and name not in game.area_starts:
            raise Refused(f"{game.title} has no cards of the {name}.")
    return tuple(read.get(area.name, Cards()) for area in game.areas)


def _print_json(round: Round) -> None:
    settled = round.settlement.wagers
    result = {
        "choices": list(round.chosen),
        "wagers": {wager.spot.name: {"outcome": wager.outcome, "net": wager.net} for wager in settled},
        "net": round.settlement.net,
    }
    void = {"void": round.void} if round.void else {}
    print_json(request_json(round.game) | {"unit": "cents"} | void | result)


def _print(round: Round, given: tuple[Cards, ...]) -> None:
    table = Table("wager", "staked", "outcome", "net", "why", title=round.game.title, title_justify="left")
    table.columns[1].justify = table.columns[3].justify = "right"
    colours = {"win": "green", "lose": "red"}
    for wager in round.settlement.wagers:
        colour = colours.get(wager.result, "yellow")
        outcome = wager.outcome if wager.outcome == wager.result else f"{wager.outcome} ({wager.result})"
        net = f"[{colour}]{signed_dollars(wager.net)}[/]"
        table.add_row(wager.spot.title, dollars(wager.staked), outcome, net, wager.why)
    console = make_console()
    for (area, used), held in zip(round.view.areas.items(), given, strict=True):
        shown = held if round.void else f"{used}{_describe_unused(used, held)}"
        console.print(f"{area:<6}  {shown}", highlight=False)
    if round.void:
        console.print(f"void: {round.void} Every wager goes back.", highlight=False)
    console.print(table)
    console.print(f"net {signed_dollars(round.settlement.net)}", highlight=False)


def _describe_unused(used: Cards, given: Cards) -> str:
    """The given cards that the game did not need."""
    unused = Cards((Counter(given) - Counter(used)).elements())
    return f"   (not needed: {unused})" if unused else ""
