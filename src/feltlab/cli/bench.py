"""`feltlab bench`: measurements, each beside a peer in the same run."""

import json
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from feltlab.cli.console import make_console
from feltlab.cli.options import json_flag
from feltlab.errors import Refused
from feltlab.text import listing

FOLDER = Path(__file__).parents[3] / "bench"
PEERS = {"hands": ("eval7", "phevaluator"), "simulate": ("blackjack21", "eval7"), "browser": ("playwright",)}


def _names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))


@click.command("bench")
@click.argument("name")
@json_flag
def command(name: str, as_json: bool) -> None:
    """Measure feltlab beside its peers on this machine: `feltlab bench hands`."""
    if not _names():
        raise Refused("Benchmarks come with the source tree; this is an installed package.")
    if name not in _names():
        raise Refused(f"{name!r} is not a benchmark; the benchmarks are {listing(_names())}.")
    for peer in PEERS.get(name, ()):
        if not find_spec(peer):
            click.echo(f"{peer} is not installed; ./felt test brings it.", err=True)
    sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]  # for what benchmarks share among them and with tests
    lines = runpy.run_path(str(FOLDER / f"{name}.py"))["measure"]()
    if as_json:
        click.echo(json.dumps([line._asdict() for line in lines], indent=2))
        return
    from rich.table import Table

    table = Table("what", "figure", "unit", "beside")
    table.columns[1].justify = "right"
    for line in lines:
        table.add_row(line.what, f"{line.figure:,.2f}", line.unit, line.beside)
    make_console().print(table)
