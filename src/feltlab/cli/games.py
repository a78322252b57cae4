"""`feltlab games`: the catalogue."""

import json
from dataclasses import asdict
from typing import Any

import click

from feltlab.cli.console import make_console
from feltlab.cli.options import GameName, json_flag
from feltlab.core.game import Game
from feltlab.games import has_solver, solver_of
from feltlab.games.catalogue import CatalogueEntry, catalogue
from feltlab.text import listing


@click.command("games")
@click.argument("game", type=GameName(), required=False)
@click.option("--implemented", is_flag=True, help="Only the games that feltlab deals.")
@json_flag
def command(game: Game | None, implemented: bool, as_json: bool) -> None:
    """List the 66 games of the approval letter, or tell the wagers, choices and options of one.

    With a game: what can be wagered, chosen and opted for, and the order in which `settle` takes cards.
    """
    if game:
        click.echo(json.dumps(_described(game), indent=2)) if as_json else _print_game(game)
        return
    entries = [entry for entry in catalogue() if entry.game or not implemented]
    if as_json:
        listed = [asdict(entry) | {"implemented": bool(entry.game)} for entry in entries]
        click.echo(json.dumps(listed, indent=2))
    else:
        _print(entries)


def _described(game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "title": game.title,
        "seats": game.seats,
        "wagers": {spot.name: "required" if game.requires(spot) else "optional" for spot in game.wagers},
        "choices": {choice.name: choice.help for choice in game.choices},
        "options": {option.name: list(option.values) for option in game.rules.OPTIONS},
        "strategies": _strategies(game),
        "player's cards": game.rules.PLAYER_ORDER,
        "dealer's cards": game.rules.DEALER_ORDER,
    }


def _print_game(game: Game) -> None:
    click.echo(f"{game.title}: {game.rules.SUMMARY}\nup to {game.seats} seats\n")
    sections = {
        "wagers": [(s.name, "required" if game.requires(s) else "optional") for s in game.wagers],
        "choices": [(choice.name, choice.help) for choice in game.choices],
        "options": [
            (o.name, f"{listing(o.values, 'or')}: {o.help} (default {o.default})") for o in game.rules.OPTIONS
        ],
        "strategies": list(_strategies(game).items()),
        "order of cards": [("player", game.rules.PLAYER_ORDER), ("dealer", game.rules.DEALER_ORDER)],
    }
    for title, lines in sections.items():
        if lines:
            click.echo(title)
        for name, told in lines:
            click.echo(f"  {name:<19} {told}")


def _print(entries: list[CatalogueEntry]) -> None:
    from rich.table import Table

    table = Table("no.", "game", "play it as")
    table.columns[0].justify = "right"
    for entry in entries:
        table.add_row(str(entry.number), entry.name, f"[bold]{entry.game}[/]" if entry.game else "")
    make_console().print(table)


def _strategies(game: Game) -> dict[str, str]:
    """The named strategies of a game; a game without a solver has none."""
    return dict(solver_of(game).strategies) if has_solver(game) else {}
