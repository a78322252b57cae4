"""Arguments and options that several commands share, and how their values are parsed."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from feltlab.core.game import Game
from feltlab.core.stake import Stake, read_stake
from feltlab.errors import Refused
from feltlab.game_folders import games_below, is_path
from feltlab.games import GAMES
from feltlab.parallel.executor import Executor
from feltlab.text import parse_pairs

Command = TypeVar("Command", bound=Callable[..., Any])

# 1000000, 1,000,000 or 2.5e6
ROUNDS = re.compile(r"(\d+|\d{1,3}(,\d{3})+)(\.\d+)?([eE]\+?\d{1,3})?", re.ASCII)


# -- Types of parameters ----------------------------------------------------------------------------


class GameName(click.ParamType[Game]):
    """A game by its name or by the path of its folder, with completion of names."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        return value if isinstance(value, Game) else GAMES[value]

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        if is_path(incomplete):
            return [CompletionItem(incomplete, type="dir")]  # the shell completes the path
        return [CompletionItem(name) for name in GAMES if name.startswith(incomplete)]


class RoundCount(click.ParamType[int]):
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
    """A whole number in plain digits; `int` would also accept '1_000' and '٣'."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not re.fullmatch("-?[0-9]+", value):
            self.fail(f"{value!r} is not a whole number.", param, ctx)
        return super().convert(value, param, ctx)


# -- Shared parameters ------------------------------------------------------------------------------


def _name_games(ctx: click.Context, param: click.Parameter, folders: tuple[str, ...]) -> None:
    for folder in folders:
        for game in games_below(folder):
            _ = GAMES[f"{game}/"]  # refuses a game that breaks the contract before anything starts


games_flag = click.option(
    "--games",
    multiple=True,
    metavar="FOLDER",
    expose_value=False,
    callback=_name_games,
    help="A folder with games of your own, which join the list.",
)


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
    "--strategy", default="optimal", show_default=True, metavar="NAME", help="The player's strategy."
)
cluster_flag = click.option(
    "--cluster", metavar="local[:N]|tcp://HOST:PORT", help="Compute on a Dask cluster."
)
paper_flag = click.option(
    "--paper",
    type=click.Choice(["letter", "a4"]),
    default="letter",
    show_default=True,
    help="The paper of a PDF.",
)
proof_date_flag = click.option(
    "--date", default="", metavar="YYYY-MM-DD", help="The date of the proof, for the sign-off page."
)
author_flag = click.option("--author", default="", metavar="NAME", help="The author, for the sign-off page.")
reviewer_flag = click.option(
    "--reviewer", default="", metavar="NAME", help="The reviewer, for the sign-off page."
)
json_flag = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def witness_flag(help: str) -> Callable[[Command], Command]:
    """The option --witness, of any number of files with signed heads."""
    path = click.Path(path_type=Path)
    return click.option("--witness", "witnesses", type=path, metavar="FILE", multiple=True, help=help)


def read_game(game: Game, options: Sequence[str]) -> Game:
    """The game under the values of --option."""
    return game.with_options(parse_pairs(options, "--option"))


def read_game_and_stake(game: Game, options: Sequence[str], stakes: Sequence[str]) -> tuple[Game, Stake]:
    """The game under the values of --option, and the stake of --stake."""
    game = read_game(game, options)
    return game, read_stake(game, parse_pairs(stakes, "--stake"))


def cluster_at(address: str | None) -> Executor | None:
    """The cluster of --cluster; None without that option."""
    if address is None:
        return None
    from feltlab.parallel.cluster import Cluster

    return Cluster(address)


# -- Options of several values ----------------------------------------------------------------------


class MultiValueCommand(click.Command):
    """A command whose repeatable options take several values at once: `--wager ante=10 trips=5`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = {name for param in self.params if param.multiple for name in param.opts}
        return super().parse_args(ctx, list(_repeat_options(args, options)))


def _repeat_options(args: Iterable[str], options: set[str]) -> Iterator[str]:
    """`--wager a b` becomes `--wager a --wager b`."""
    option, needs_value = "", False
    for word in args:
        if _is_option(word):
            option, needs_value = (word, True) if word in options else ("", False)
            yield word
        elif option and not needs_value and word not in GAMES and not is_path(word):
            yield from (option, word)
        else:
            needs_value = False
            yield word


def _is_option(word: str) -> bool:
    """Does the word begin with a dash without being a negative number?"""
    return word.startswith("-") and not word[1:2].isdigit()
