"""The place of a ledger and the names in it, as options and arguments of commands."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from feltlab.cli.shared.options import Command, games_flag
from feltlab.errors import Refused
from feltlab.files import place_of
from feltlab.games import GAMES
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.pit.recorded_round import table_names

ROUND = re.compile(r"([a-z0-9-]+):([0-9]{1,15})", re.ASCII)
LEDGER_SUFFIXES = ("", "-wal", "-shm", ".lock")  # the ledger, and files of SQLite and the server beside it
SECRET_FILES = ("vault.key", "heads.key", "invitations.key", "sessions.key", "access.token")


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


head_key_flag = click.option(
    "--head-key",
    "head_keys",
    metavar="HEX",
    multiple=True,
    help="A public key that you trust; signatures must be by it, or by a key before or after it.",
)


def archive_flag(help: str) -> Callable[[Any], Any]:
    """An option for the archives of a ledger, any number of them."""
    path = click.Path(path_type=Path, dir_okay=False)
    return click.option("--archive", "archives", type=path, metavar="FILE", multiple=True, help=help)


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


def check_output(output: Path, ledger: Ledger, folder: Path) -> None:
    """Refuse to overwrite the ledger or a key of the pit."""
    protected = [folder / name for name in SECRET_FILES]
    if ledger.database.is_file:
        path = ledger.database.path
        protected += [path.with_name(path.name + end) for end in LEDGER_SUFFIXES]
        protected += [path.with_name(name) for name in SECRET_FILES]
    if any(_is_same_file(output, path) for path in protected):
        raise Refused(f"{output} cannot be written: it belongs to the pit.")


def _is_same_file(one: Path, other: Path) -> bool:
    """Are they the same path, or two names of one file?"""
    if place_of(one) == place_of(other):
        return True
    try:
        return one.samefile(other)
    except OSError:  # one of them does not exist
        return False


def format_time(at: str) -> str:
    """'2026-01-31 12:00:00', in universal time."""
    return at[:19].replace("T", " ")


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
