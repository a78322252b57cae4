"""What several commands read from the command line."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.parallel.executor import Executor
from feltlab.parallel.progress import Progress, nobody_listens

if TYPE_CHECKING:
    from rich.console import Console

Command = TypeVar("Command", bound=Callable[..., Any])

# 1000000, 1,000,000, 2.5e6.
ROUNDS = re.compile(r"(\d+|\d{1,3}(,\d{3})+)(\.\d+)?([eE]\+?\d{1,3})?", re.ASCII)


class GameName(click.ParamType[Game]):
    """A game by its name, with completion."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        return value if isinstance(value, Game) else GAMES[value]

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in GAMES if name.startswith(incomplete)]


game_argument = click.argument("game", type=GameName())
option_flag = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="A house option, such as decks=8; repeatable.",
)
stake_flag = click.option(
    "--stake",
    "stakes",
    multiple=True,
    metavar="WAGER=UNITS",
    help="Units on a wager, such as trips=1; repeatable.",
)
strategy_flag = click.option(
    "--strategy", default="optimal", show_default=True, metavar="NAME", help="How the player chooses."
)
json_flag = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


cluster_flag = click.option(
    "--cluster", metavar="local[:N]|tcp://HOST:PORT", help="Let a Dask cluster do the work."
)


def on_cluster(address: str | None) -> Executor | None:
    """The cluster that was asked for, if any."""
    if address is None:
        return None
    from feltlab.parallel.cluster import Cluster

    return Cluster(address)


class Rounds(click.ParamType[int]):
    """A whole number as people write large ones: 1e9, 2.5e6, 1,000,000."""

    name = "rounds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        number = Decimal(value.replace(",", "")) if ROUNDS.fullmatch(value) else Decimal("0.5")
        if number != int(number):
            raise Refused(f"{value!r} is not a whole number of rounds, such as 1000000 or 1e9.")
        return int(number)


class Whole(click.IntRange):
    """A whole number in plain digits; Python itself would also read '1_000' and '٣'."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not re.fullmatch("-?[0-9]+", value):
            self.fail(f"{value!r} is not a whole number.", param, ctx)
        return super().convert(value, param, ctx)


def console() -> "Console":
    """rich's, for which a reader that leaves early is an error; for feltlab it is none."""
    from rich.console import Console

    if os.environ.get("COLUMNS") == "0":
        del os.environ["COLUMNS"]  # some terminals say so while they know no better

    class Patient(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Patient()


@contextmanager
def progress_bar(title: str) -> Iterator[Progress]:
    """A bar on a terminal for work that takes its time; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield nobody_listens
        return
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task(title, total=1.0)
        yield lambda done: bars.update(bar, completed=done)


class SpreadCommand(click.Command):
    """A command whose repeatable flags take several words: `--wager ante=10 trips=5`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        flags = {flag for param in self.params if param.multiple for flag in param.opts}
        return super().parse_args(ctx, list(_spread(args, flags)))


def _spread(args: Iterable[str], flags: set[str]) -> Iterator[str]:
    flag, fresh = "", False
    for word in args:
        if _is_flag(word):
            flag, fresh = (word, True) if word in flags else ("", False)
            yield word
        elif flag and not fresh and word not in GAMES:
            yield from (flag, word)
        else:
            fresh = False
            yield word


def _is_flag(word: str) -> bool:
    """Does it look like a flag, and not like a negative number?"""
    return word.startswith("-") and not word[1:2].isdigit()
