"""Where a ledger is, and the names in it, as options and arguments of commands."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from feltlab.cli.shared.options import games_flag
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.pit.recorded_round import table_names

ROUND = re.compile(r"([a-z0-9-]+):([0-9]{1,15})", re.ASCII)
Command = TypeVar("Command", bound=Callable[..., Any])


def ledger_flags(command: Command) -> Command:
    """Add --data and --database, which say where the ledger is, and --games, which it may name."""
    data = click.option(
        "--data",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The pit's folder; by default, your own.",
    )
    database = click.option("--database", metavar="URL", help="A ledger in another database.")
    return data(database(games_flag(command)))


@contextmanager
def open_ledger(data: Path | None, database: str | None) -> Iterator[Ledger]:
    """The ledger, to read; a server may be writing it."""
    try:
        with Ledger.open(database or ledger_path(data), writer=False) as ledger:
            yield ledger
    except LedgerDown as down:
        raise Refused(str(down)) from None


def ledger_path(data: Path | None) -> Path:
    from platformdirs import user_data_dir

    return (data or Path(user_data_dir("feltlab"))) / "ledger.sqlite"


class TableName(click.ParamType[str]):
    """A table in the ledger, with completion."""

    name = "table"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        try:
            with open_ledger(ctx.params.get("data"), ctx.params.get("database")) as ledger:
                return [CompletionItem(name) for name in table_names(ledger) if name.startswith(incomplete)]
        except Refused:
            return []


class RoundName(TableName):
    """A round as TABLE:NUMBER, with completion of the table."""

    name = "round"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        read = ROUND.fullmatch(value)
        if not read:
            raise Refused(f"{value!r} is not a round; write a round like {next(iter(GAMES))}-1:123.")
        return read[1], int(read[2])
