"""Output that several commands share: the console, tables, progress bars and JSON."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import Progress as ProgressBars
from rich.segment import Segment
from rich.table import Table

from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.errors import Refused
from feltlab.ledger.plain_text import show_controls
from feltlab.parallel.progress import Progress, nobody_listens


class PlainConsole(Console):
    """A console that obeys no control character of a text.

    It leaves a broken pipe to `cli.main`; rich would exit with status 1.
    """

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Segments in which control characters of a name or a note are escapes, which no terminal obeys."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(show_controls(segment.text, keep="\n"), segment.style)


def make_console() -> Console:
    if os.environ.get("COLUMNS") == "0":
        del os.environ["COLUMNS"]  # set by terminals that do not know their width yet
    return PlainConsole()


@contextmanager
def progress_bar(title: str) -> Iterator[Progress]:
    """A bar on a terminal; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield nobody_listens
        return
    with ProgressBars(console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task(title, total=1.0)
        yield lambda share: bars.update(bar, completed=share)


@contextmanager
def must_be_printed() -> Iterator[None]:
    """Refuse to end well if nobody could read what was printed: exit status 0 would be a verdict."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise Refused("The verdict could not be printed: standard output was closed.") from None


def echo_line(text: str) -> None:
    """Print a line that may hold what others wrote: no character of it moves the cursor."""
    click.echo(show_controls(text))


def print_json(document: Any) -> None:
    click.echo(json.dumps(document, indent=2))


# -- Tables -----------------------------------------------------------------------------------------


def figures_table(*headings: str, title: str | None = None, text_columns: int = 1) -> Table:
    """A table whose columns hold numbers, aligned to the right, except the first `text_columns`."""
    table = Table(*headings, title=title, title_justify="left")
    for column in table.columns[text_columns:]:
        column.justify = "right"
    return table


def keep_digits(table: Table, text_columns: int = 1) -> None:
    """Never cut a number: on a narrow terminal only the text columns shrink."""
    for column in table.columns[text_columns:]:
        column.min_width = max(map(len, map(str, column.cells)))


# -- The game and the stake of a request ------------------------------------------------------------


def describe_game(game: Game) -> str:
    """'[bold]Casino War[/]  decks=6', in rich's markup."""
    return f"[bold]{game.title}[/]  {' '.join(f'{k}={v}' for k, v in game.options.items())}".rstrip()


def describe_stake(stake: Stake) -> str:
    """'1 on ante, 2 on trips'."""
    return ", ".join(f"{units} on {wager}" for wager, units in stake.items() if units)


def request_json(game: Game, stake: Stake | None = None) -> dict[str, Any]:
    """The game, its options and the stake, as every command's JSON begins."""
    document: dict[str, Any] = {"game": game.name, "options": dict(game.options)}
    return document | ({} if stake is None else {"stake": stake_json(stake)})


def stake_json(stake: Mapping[str, Any]) -> dict[str, str]:
    return {wager: str(units) for wager, units in stake.items()}
