"""`feltlab advise`: the value of each choice for one hand."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
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
from feltlab.core.round import Round, seat_shoe
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.proving.advice import Advice, advise
from feltlab.proving.exact_numbers import exact
from feltlab.text import listing


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
    by those of the board that are turned and by the dealer's up cards, in games that show some.

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
    staked = [name for name, units in stake.items() if units]
    due = cards_due(game, choices if game.streets else [])
    if len(dealt) < sum(due.values()):
        raise Refused(f"Too few cards; give {_describe_due(due)}.")
    if game.streets and len(dealt) > sum(due.values()):
        raise Refused(f"Too many cards; give {_describe_due(due)}, or name earlier choices with --choose.")
    shared = {name: count for name, count in due.items() if name != "player"}
    own = len(dealt) - sum(shared.values())
    areas, at = [Cards(dealt[:own])], own
    for count in shared.values():
        areas.append(Cards(dealt[at : at + count]))
        at += count
    round = start_round(game, areas, staked)
    if not round.choices:
        raise Refused("No choice is open.")
    chosen = round.choose(*choices)
    return chosen if game.streets else advance_to(chosen, own)


def start_round(game: Game, areas: Sequence[Cards], wagers: Iterable[str]) -> Round:
    """The round with these cards and the smallest possible wagers."""
    step = lcm(*(game.step(spot) for spot in game.wagers))
    placed = {name: game.spot(name).fixed_cents or step for name in wagers}
    return Round(game, seat_shoe(game, *areas), placed)


def cards_due(game: Game, choices: Sequence[str]) -> dict[str, int]:
    """By area, the number of cards that the player sees when the choice after these ones opens."""
    every = start_round(game, (), (spot.name for spot in game.wagers)).choose(*choices)
    if choices and not every.choices:
        raise Refused(f"No choice is open after {listing(choices)}.")
    return {name: seen.count(UNKNOWN) for name, seen in game.split_areas(every.seen).items()}


def _describe_due(due: Mapping[str, int]) -> str:
    """'2 of the player's, then 3 of the board's and then the dealer's up card'."""
    words = [f"{count} of the {name}'s" for name, count in due.items() if name != "dealer" and count]
    ups = due.get("dealer", 0)
    words += [f"the dealer's {f'{ups} up cards' if ups > 1 else 'up card'}"] * bool(ups)
    return " and then ".join(words)


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
        **{area: str(held) for area, held in round.view.areas.items()},
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
    shown = "\n".join(f"{area:<7} {held}" for area, held in round.view.areas.items())
    console.print(f"{shown}{chosen}", highlight=False)
    console.print(table)
    console.print("in units, for the whole stake", style="dim")
