"""`feltlab games`: the catalogue."""

import json
from dataclasses import asdict

import click

from feltlab.commands.common import json_flag
from feltlab.games.catalogue import Entry, catalogue


@click.command("games")
@click.option("--implemented", is_flag=True, help="Only the games that feltlab deals.")
@json_flag
def command(implemented: bool, as_json: bool) -> None:
    """List the 66 games of the approval letter, and which of them feltlab deals."""
    entries = [entry for entry in catalogue() if entry.game or not implemented]
    if as_json:
        click.echo(
            json.dumps([asdict(entry) | {"implemented": bool(entry.game)} for entry in entries], indent=2)
        )
    else:
        _print(entries)


def _print(entries: list[Entry]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("no.", "game", "play it as")
    table.columns[0].justify = "right"
    for entry in entries:
        table.add_row(str(entry.number), entry.name, f"[bold]{entry.game}[/]" if entry.game else "")
    Console().print(table)
