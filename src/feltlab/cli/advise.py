"""`feltlab advise`: the value of each choice for one hand."""

from collections import deque
from collections.abc import Iterable
from math import lcm

import click

from feltlab.cli.shared.console import figures_table, make_console, print_json, request_json
from feltlab.cli.shared.options import (
    MultiValueCommand,
    game_argument,
    json_flag,
    option_flag,
    read_game_and_stake,
    stake_flag,
)
from feltlab.core.cards import UNKNOWN, Cards, cards
from feltlab.core.game import Game
from feltlab.core.round import Round, seat_shoe, split_shoe
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.proving.advice import Advice, advise
from feltlab.proving.exact_numbers import exact


@click.command("advise", cls=MultiValueCommand)
@game_argument
@click.argument("held", nargs=-1, required=True, metavar="CARDS...")
@click.option(
    "--choose", "choices", multiple=True, metavar="CHOICE", help="An earlier choice, in order; repeatable."
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
    """Show what each choice is worth for one hand.

    The best choice comes first; the others show what the mistake costs. CARDS are the player's, followed
    by the dealer's up card in games that show one.

    \b
      feltlab advise rabbit-hunter "As Kd 9c 4h 2s"
      feltlab advise triple-shot-bonus "Ah 7d" "6c" --stake hat-trick=1
    """
    game, stake = read_game_and_stake(game, options, stakes)
    chosen = " ".join(choices).lower().replace(",", " ").split()
    round = open_round(game, stake, cards(" ".join(held)), chosen)
    advice = advise(round, stake)
    _print_json(round, stake, advice) if as_json else _print(round, advice)


def open_round(game: Game, stake: Stake, dealt: Cards, choices: list[str]) -> Round:
    """The round in which these cards are visible and a choice is open."""
    first, up_cards = cards_at_first_choice(game)
    if len(dealt) < first + up_cards:
        dealers = " and then the dealer's up card" if up_cards else ""
        raise Refused(f"Too few cards; give {first} of the player's{dealers}.")
    player, up = Cards(dealt[: len(dealt) - up_cards]), Cards(dealt[len(dealt) - up_cards :])
    staked = [name for name, units in stake.items() if units]
    round = start_round(game, player, up, staked)
    if not round.choices:
        raise Refused("No choice is open.")
    return advance_to(round.choose(*choices), len(player))


def start_round(game: Game, player: Cards, up: Cards, wagers: Iterable[str]) -> Round:
    """The round with these cards and the smallest possible wagers."""
    step = lcm(*(game.step(spot) for spot in game.wagers))
    return Round(game, seat_shoe(game, player, up), dict.fromkeys(wagers, step))


def cards_at_first_choice(game: Game) -> tuple[int, int]:
    """The number of cards that the player and the dealer show when the first choice opens."""
    every = start_round(game, Cards(), Cards(), (spot.name for spot in game.wagers))
    player, dealer = split_shoe(game, every.seen)
    return player.count(UNKNOWN), dealer.count(UNKNOWN)


def advance_to(round: Round, count: int) -> Round:
    """The first state with an open choice in which the player has `count` cards.

    The player reaches it by the fewest choices, none of which costs anything.
    """
    states = deque([round])
    while states:
        state = states.popleft()
        if state.choices and sum(card >= 0 for card in state.view.player) == count:
            return state
        free = (choice for choice in state.choices if not state.cost(choice))
        states.extend(after for after in map(state.choose, free) if not after.missing)
    raise Refused(f"No choice is open to a player with these {count} cards.")


def _print_json(round: Round, stake: Stake, advice: list[Advice]) -> None:
    listed = [{"choice": a.choice, "expected": exact(a.expected), "cost": exact(a.cost)} for a in advice]
    hand = {
        "made": list(round.chosen),
        "player": str(round.view.player),
        "dealer": str(round.view.dealer),
        "choices": listed,
    }
    print_json(request_json(round.game, stake) | hand)


def _print(round: Round, advice: list[Advice]) -> None:
    table = figures_table("choice", "expected net", "cost of the mistake")
    for line in advice:
        cost = f"{float(line.cost):.6f}" if line.cost else "best"
        style = "" if line.cost else "bold green"
        table.add_row(line.choice, f"{float(line.expected):+.6f}", cost, style=style)
    console = make_console()
    chosen = f"\nafter   {', '.join(round.chosen)}" if round.chosen else ""
    console.print(f"player  {round.view.player}\ndealer  {round.view.dealer}{chosen}", highlight=False)
    console.print(table)
    console.print("in units, for the whole stake", style="dim")
