"""`feltlab games`: the catalogue of games, and one game in detail."""

from dataclasses import asdict
from typing import Any

import click
from rich.table import Table

from feltlab.cli.shared.console import make_console, print_json
from feltlab.cli.shared.options import GameName, json_flag
from feltlab.core.game import Game
from feltlab.games import solver_of
from feltlab.games.catalogue import PUBLIC_RULES, CatalogueEntry, catalogue, has_public_rules
from feltlab.games.letters import ApprovalLetter, letters, letters_of
from feltlab.text import listing


@click.command("games")
@click.argument("game", type=GameName(), required=False)
@click.option("--implemented", is_flag=True, help="Only list the games that feltlab deals.")
@json_flag
def command(game: Game | None, implemented: bool, as_json: bool) -> None:
    """List the games, or describe one.

    The list has every game of the approval letter. With GAME: its wagers, choices, house options and
    strategies, the order in which `settle` takes the cards, and the letters that approve it.
    """
    if game:
        print_json(_game_json(game)) if as_json else _print_game(game)
        return
    entries = [entry for entry in catalogue() if entry.game or not implemented]
    if as_json:
        listed = [asdict(entry) | {"implemented": bool(entry.game)} for entry in entries]
        print_json(listed)
    else:
        _print(entries)


def _game_json(game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "title": game.title,
        "seats": game.seats,
        "wagers": {spot.name: "required" if game.is_required(spot) else "optional" for spot in game.wagers},
        "choices": {choice.name: choice.help for choice in game.choices},
        "options": {option.name: list(option.values) for option in game.rules.OPTIONS},
        "strategies": _strategies(game),
        "areas": {area.name: {"cards": area.cards, "order": area.order} for area in game.areas},
        "streets": list(game.streets),
        "public rules": has_public_rules(game),
        "letters": [letter.as_json(game) for letter in letters_of(game)],
    }


def _print_game(game: Game) -> None:
    click.echo(f"{game.title}: {game.rules.SUMMARY}\nup to {game.seats} seats\n")
    if has_public_rules(game):
        click.echo(f"{PUBLIC_RULES}\n")
    sections = {
        "wagers": [(s.name, "required" if game.is_required(s) else "optional") for s in game.wagers],
        "choices": [(choice.name, choice.help) for choice in game.choices],
        "options": [
            (o.name, f"{listing(o.values, 'or')}: {o.help} (default {o.default})") for o in game.rules.OPTIONS
        ],
        "strategies": list(_strategies(game).items()),
        "order of cards": [(area.name, area.order) for area in game.areas],
    }
    for title, lines in sections.items():
        if lines:
            click.echo(title)
        for name, text in lines:
            click.echo(f"  {name:<19} {text}")
    for letter in letters_of(game):
        _print_letter(letter, letter.describe_rules(game))


def _print_letter(letter: ApprovalLetter, says: str) -> None:
    click.echo(f"{letter.title}\n  {says}")
    for sentence in filter(None, (letter.amendments_in_words, *letter.notices)):
        click.echo(f"  {sentence}")


def _print(entries: list[CatalogueEntry]) -> None:
    table = Table("no.", "game", "name in commands")
    table.columns[0].justify = "right"
    for entry in entries:
        table.add_row(str(entry.number), entry.name, f"[bold]{entry.game}[/]" if entry.game else "")
    make_console().print(table)
    public = [entry.game for entry in entries if entry.game and entry.has_public_rules]
    if public:
        click.echo(f"{listing(dict.fromkeys(public))}: {PUBLIC_RULES[0].lower()}{PUBLIC_RULES[1:]}")
    for letter in letters():
        if letter.lists_catalogue:
            click.echo(f"The list is that of the {letter.title}. {letter.amendments_in_words}")


def _strategies(game: Game) -> dict[str, str]:
    """The named strategies of a game."""
    return dict(solver_of(game).strategies)
