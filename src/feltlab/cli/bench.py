"""`feltlab bench`: benchmarks, each with a peer library in the same run."""

import runpy
import sys
from collections.abc import Collection, Iterable
from importlib.util import find_spec
from pathlib import Path

import click

from feltlab.cli.shared.console import print_json
from feltlab.cli.shared.options import json_flag
from feltlab.errors import Refused
from feltlab.text import listing

FOLDER = Path(__file__).parents[3] / "bench"
WHAT_CHARS, FIGURE_CHARS = 56, 20  # of the columns that are printed
PEERS = {"hands": ("eval7", "phevaluator"), "simulate": ("blackjack21", "eval7"), "browser": ("playwright",)}


def benchmark_names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))


@click.command("bench")
@click.argument("name")
@click.option(
    "--part", "parts", multiple=True, metavar="NAME", help="Run only this part; may be given more than once."
)
@json_flag
def command(name: str, parts: tuple[str, ...], as_json: bool) -> None:
    """Run a benchmark, with peer libraries beside it.

    \b
      feltlab bench hands
      feltlab bench pit --part rounds --part pages
    """
    if not benchmark_names():
        raise Refused("The benchmarks are in the source tree; this is an installed package.")
    if name not in benchmark_names():
        raise Refused(f"{name!r} is not a benchmark; the benchmarks are {listing(benchmark_names())}.")
    for peer in PEERS.get(name, ()):
        if not find_spec(peer):
            click.echo(f"{peer} is not installed; ./felt test installs it.", err=True)
    sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]  # benchmarks share modules with each other and tests
    try:
        benchmark = runpy.run_path(str(FOLDER / f"{name}.py"))
    except ModuleNotFoundError as missing:
        wanted = f"The benchmark {name} needs {missing.name}"
        raise Refused(f"{wanted}; `./felt test --version` installs what tests and benchmarks need.") from None
    _check_parts(name, parts, benchmark.get("PARTS", {}))
    lines = benchmark["measure"](parts) if parts else benchmark["measure"]()
    if as_json:
        print_json([line._asdict() for line in lines])
        return
    for line in lines:  # as it is measured: some take a minute
        figure = f"{line.figure:,.2f} {line.unit}"
        click.echo(f"{line.what:{WHAT_CHARS}}  {figure:>{FIGURE_CHARS}}  {line.beside}".rstrip())


def _check_parts(name: str, parts: Iterable[str], known: Collection[str]) -> None:
    for part in parts:
        if part not in known:
            listed = f"its parts are {listing(known)}" if known else "it has none"
            raise Refused(f"{part!r} is not a part of the benchmark {name}; {listed}.")
