"""What several commands read from the command line."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from feltlab.errors import Refused
from feltlab.game import Game
from feltlab.games import GAMES

Command = TypeVar("Command", bound=Callable[..., Any])


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
json_flag = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def pairs(given: Sequence[str], flag: str) -> dict[str, str]:
    """NAME=VALUE words as a dictionary; a name may stand once."""
    found: dict[str, str] = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise Refused(f"{flag} takes NAME=VALUE, not {word!r}.")
        if name in found:
            raise Refused(f"{flag} names {name} twice.")
        found[name] = value
    return found


def cents(text: str) -> int:
    """Dollars as people write them, in cents: '5', '$2.50'."""
    try:
        amount = Decimal(text.strip().removeprefix("$").replace(",", "")) * 100
        exact = amount.is_finite() and amount == amount.to_integral_value()
    except ArithmeticError:
        exact = False
    if not exact:
        raise Refused(f"{text!r} is not an amount of dollars and whole cents.")
    if amount.adjusted() > 40:
        raise Refused(f"{text!r} is more than there is.")
    return int(amount)


class SpreadCommand(click.Command):
    """A command whose repeatable flags take several words: `--wager ante=10 trips=5`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        flags = {flag for param in self.params if param.multiple for flag in param.opts}
        return super().parse_args(ctx, list(_spread(args, flags)))


def _spread(args: Iterable[str], flags: set[str]) -> Iterator[str]:
    flag, fresh = "", False
    for word in args:
        if word.startswith("--"):
            flag, fresh = (word, True) if word in flags else ("", False)
            yield word
        elif flag and not fresh and word not in GAMES:
            yield from (flag, word)
        else:
            fresh = False
            yield word
