"""`feltlab advise`: what each choice is worth, for one hand."""

import json
from collections import deque
from collections.abc import Iterable
from math import lcm

import click

from feltlab.cli.console import make_console
from feltlab.cli.options import MultiValueCommand, game_argument, json_flag, option_flag, stake_flag
from feltlab.core.cards import UNKNOWN, Cards, cards
from feltlab.core.game import Game
from feltlab.core.round import Round, seat_shoe, split_shoe
from feltlab.core.stake import Stake, read_stake
from feltlab.errors import Refused
from feltlab.proving.advice import Advice, advise
from feltlab.proving.exact_numbers import exact
from feltlab.text import parse_pairs


@click.command("advise", cls=MultiValueCommand)
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
    game = game.with_options(parse_pairs(options, "--option"))
    stake = read_stake(game, parse_pairs(stakes, "--stake"))
    chosen = " ".join(choices).lower().replace(",", " ").split()
    round = state(game, stake, cards(" ".join(held)), chosen)
    advice = advise(round, stake)
    _print_json(round, stake, advice) if as_json else _print(round, advice)


def state(game: Game, stake: Stake, dealt: Cards, choices: list[str]) -> Round:
    """The round in which these cards are seen and a choice is open."""
    first, up_cards = shown_first(game)
    if len(dealt) < first + up_cards:
        dealers = " and then the dealer's up-card" if up_cards else ""
        raise Refused(f"Too few cards: {first} of the player's{dealers} are needed.")
    player, up = Cards(dealt[: len(dealt) - up_cards]), Cards(dealt[len(dealt) - up_cards :])
    staked = [name for name, units in stake.items() if units]
    round = start(game, player, up, staked)
    if not round.choices:
        raise Refused("No choice is open.")
    return reach(round.choose(*choices), len(player))


def start(game: Game, player: Cards, up: Cards, wagers: Iterable[str]) -> Round:
    """The round with these cards, and wagers as small as they can be."""
    step = lcm(*(game.step(spot) for spot in game.wagers))
    return Round(game, seat_shoe(game, player, up), dict.fromkeys(wagers, step))


def shown_first(game: Game) -> tuple[int, int]:
    """How many cards the player and the dealer show when the first choice is due."""
    every = start(game, Cards(), Cards(), (spot.name for spot in game.wagers))
    player, dealer = split_shoe(game, every.seen)
    return player.count(UNKNOWN), dealer.count(UNKNOWN)


def reach(round: Round, count: int) -> Round:
    """The nearest state in which the player has so many cards, by choices that put nothing down."""
    states = deque([round])
    while states:
        at = states.popleft()
        if at.choices and sum(card >= 0 for card in at.view.player) == count:
            return at
        free = (choice for choice in at.choices if not at.cost(choice))
        states.extend(after for after in map(at.choose, free) if not after.missing)
    raise Refused(f"No choice is open to a player with these {count} cards.")


def _print_json(round: Round, stake: Stake, advice: list[Advice]) -> None:
    listed = [{"choice": a.choice, "expected": exact(a.expected), "cost": exact(a.cost)} for a in advice]
    document = {
        "game": round.game.name,
        "options": dict(round.game.options),
        "stake": {bet: str(units) for bet, units in stake.items()},
        "made": list(round.chosen),
        "player": str(round.view.player),
        "dealer": str(round.view.dealer),
        "choices": listed,
    }
    click.echo(json.dumps(document, indent=2))


def _print(round: Round, advice: list[Advice]) -> None:
    from rich.table import Table

    table = Table("choice", "expected net", "a mistake costs")
    table.columns[1].justify = table.columns[2].justify = "right"
    for line in advice:
        cost = f"{float(line.cost):.6f}" if line.cost else "best"
        style = "" if line.cost else "bold green"
        table.add_row(line.choice, f"{float(line.expected):+.6f}", cost, style=style)
    paper = make_console()
    made = f"\nafter   {', '.join(round.chosen)}" if round.chosen else ""
    paper.print(f"player  {round.view.player}\ndealer  {round.view.dealer}{made}", highlight=False)
    paper.print(table)
    paper.print("in units of the stake, for the whole stake together", style="dim")
