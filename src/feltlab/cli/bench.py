"""`feltlab bench`: benchmarks, each with a peer library in the same run."""

import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

import click
from rich.table import Table

from feltlab.cli.shared.console import make_console, print_json
from feltlab.cli.shared.options import json_flag
from feltlab.errors import Refused
from feltlab.text import listing

FOLDER = Path(__file__).parents[3] / "bench"
PEERS = {"hands": ("eval7", "phevaluator"), "simulate": ("blackjack21", "eval7"), "browser": ("playwright",)}


def benchmark_names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))


@click.command("bench")
@click.argument("name")
@json_flag
def command(name: str, as_json: bool) -> None:
    """Run a benchmark, with peer libraries beside it.

    \b
      feltlab bench hands
      feltlab bench pit --json
    """
    if not benchmark_names():
        raise Refused("The benchmarks are in the source tree; this is an installed package.")
    if name not in benchmark_names():
        raise Refused(f"{name!r} is not a benchmark; the benchmarks are {listing(benchmark_names())}.")
    for peer in PEERS.get(name, ()):
        if not find_spec(peer):
            click.echo(f"{peer} is not installed; ./felt test installs it.", err=True)
    sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]  # benchmarks share modules with each other and tests
    lines = runpy.run_path(str(FOLDER / f"{name}.py"))["measure"]()
    if as_json:
        print_json([line._asdict() for line in lines])
        return
    table = Table("what", "figure", "unit", "beside")
    table.columns[1].justify = "right"
    for line in lines:
        table.add_row(line.what, f"{line.figure:,.2f}", line.unit, line.beside)
    make_console().print(table)
