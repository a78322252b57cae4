"""`feltlab ledger`: what a pit has recorded, verified, recalled, played again or handed on."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click
from click.shell_completion import CompletionItem

from feltlab.cli.console import make_console, progress_bar
from feltlab.cli.options import Whole, json_flag
from feltlab.core.deal import Seat
from feltlab.errors import Refused
from feltlab.files import place_of, writing
from feltlab.games import GAMES
from feltlab.ledger.export import exported
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.pit.recorded_round import RecordedRound, load_last_rounds, load_round, table_names
from feltlab.pit.replay import Replay, replay_round
from feltlab.pit.replay_steps import describe_steps
from feltlab.pit.verify import COUNTS, Report, verify
from feltlab.text import dollars, listing, signed_dollars

FOUND = 3  # the exit status when something is not as it should be
ROUND = re.compile(r"([a-z0-9-]+):([0-9]{1,15})", re.ASCII)
MOST_RECALLED = 10_000
COLUMNS = 5  # of a seat's row
BESIDE = ("", "-wal", "-shm", ".lock")  # what SQLite and the server keep, by the end of the name
SECRETS = ("vault.key", "sessions.key", "access.token")

Command = TypeVar("Command", bound=Callable[..., Any])


def ledger_flags(command: Command) -> Command:
    """Where the ledger is."""
    data = click.option(
        "--data",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The folder of the pit; without it, that of this account.",
    )
    database = click.option("--database", metavar="URL", help="The ledger in another database.")
    return data(database(command))


@contextmanager
def opened(data: Path | None, database: str | None) -> Iterator[Ledger]:
    """The ledger to be read, while a server may write it."""
    try:
        with Ledger.open(database or place(data), writer=False) as ledger:
            yield ledger
    except LedgerDown as down:
        raise Refused(str(down)) from None


def place(data: Path | None) -> Path:
    from platformdirs import user_data_dir

    return (data or Path(user_data_dir("feltlab"))) / "ledger.sqlite"


class TableName(click.ParamType[str]):
    """A table of the ledger, with completion."""

    name = "table"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        try:
            with opened(ctx.params.get("data"), ctx.params.get("database")) as ledger:
                return [CompletionItem(name) for name in table_names(ledger) if name.startswith(incomplete)]
        except Refused:
            return []


class RoundName(TableName):
    """A round of a table."""

    name = "round"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        read = ROUND.fullmatch(value)
        if not read:
            raise Refused(f"{value!r} is not a round; rounds are written like {next(iter(GAMES))}-1:123.")
        return read[1], int(read[2])


@click.group("ledger")
def command() -> None:
    """Verify, recall, replay or export what a pit has recorded.

    A ledger is read only, and may be in use meanwhile. Exit status 3 says that something in it is not as it
    should be.
    """


# -- Verify -----------------------------------------------------------------------------------------


@command.command("verify")
@click.option("--fast", is_flag=True, help="Do not play the rounds again.")
@ledger_flags
@json_flag
@click.pass_context
def verify_command(
    ctx: click.Context, fast: bool, data: Path | None, database: str | None, as_json: bool
) -> None:
    """Verify digests, commitments, payments, standings, money, turns and approvals.

    Every round is played again by the rules. Problems are listed, and exit status 3 says that there are
    some. Note the digest of the last anchor elsewhere: nothing before it can be changed unseen any more.
    """
    with progress_bar("Verifying") as progress, opened(data, database) as ledger:
        report = verify(ledger, progress, fast)
    click.echo(json.dumps(report.as_json(), indent=2)) if as_json else _print_report(report, fast)
    if not report.sound:
        ctx.exit(FOUND)


def _print_report(report: Report, fast: bool) -> None:
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    for row in _counted(report):
        table.add_row(*row)
    paper = make_console()
    paper.print(table, highlight=False)
    click.echo(f"last anchor: {report.anchors} {report.anchor}" if report.anchor else "no anchor so far")
    if fast:
        click.echo("No round was played again.")
    for problem in report.problems:
        click.echo(str(problem))
    if report.more:
        click.echo(f"and {report.more:,} more")
    found = len(report.problems) + report.more
    click.echo(f"{found:,} problem{'s' * (found != 1)} found." if found else "Nothing is wrong.")


def _counted(report: Report) -> Iterator[tuple[str, str]]:
    for name, word in COUNTS.items():
        yield word, f"{getattr(report, name):,}"
    yield "money issued", dollars(report.issued)
    yield "in accounts", dollars(report.balances)
    yield "at tables", dollars(report.at_tables)
    yield "won by the house", dollars(report.won)


# -- Recall -----------------------------------------------------------------------------------------


@command.command("recall")
@click.argument("table", type=TableName(), required=False)
@click.option("--last", type=Whole(1, MOST_RECALLED), default=10, show_default=True, help="How many rounds.")
@ledger_flags
@json_flag
def recall_command(
    table: str | None, last: int, data: Path | None, database: str | None, as_json: bool
) -> None:
    """Recall the last rounds of a table, or of all tables."""
    with opened(data, database) as ledger:
        found = load_last_rounds(ledger, table, last)
    if as_json:
        click.echo(json.dumps([round.as_json() for round in found], indent=2))
    else:
        _print_rounds(found)


def _print_rounds(found: list[RecordedRound]) -> None:
    from rich.table import Table
    from rich.text import Text

    paper = make_console()
    for round in found:
        table = Table.grid(padding=(0, 2), pad_edge=True)
        for _ in range(COLUMNS):
            table.add_column(overflow="fold")  # or a long name would lose its end
        for row in _rows(round):
            table.add_row(*map(Text, row))
        paper.print(Text(_line(round)))
        paper.print(table)
    if not found:
        click.echo("No round is over yet.")


def _line(round: RecordedRound) -> str:
    won = f"the house {'loses' if round.win < 0 else 'wins'} {dollars(abs(round.win))}"
    return f"{round.name}  {when(round.ended)}  {f'void: {round.void}' if round.void else won}"


def _rows(round: RecordedRound) -> Iterator[tuple[str, ...]]:
    """A row a seat: player, wagers, cards, result, and what was won; and one for the dealer."""
    hands = _hands(round)
    for seat in round.seats:
        paid = [p for p in round.payments if p.seat == seat.position - 1]
        result = ", ".join(f"{p.spot} {p.outcome}" for p in paid)
        net = signed_dollars(sum(p.net for p in paid)) if paid else ""
        if round.void:
            result = f"takes back {dollars(round.returned.get(seat.position - 1, 0))}"
        cards = hands.get(str(seat.position), "")
        yield f"{seat.position} {seat.player}", _wagers(seat), cards, result, net
    if "dealer" in hands:
        yield "dealer", "", hands["dealer"], "", ""


def when(at: str) -> str:
    """To the second, by universal time."""
    return at[:19].replace("T", " ")


def _wagers(seat: Seat) -> str:
    return ", ".join(f"{spot} {dollars(cents)}" for spot, cents in seat.wagers.items())


def _hands(round: RecordedRound) -> dict[str, str]:
    hands: dict[str, list[str]] = {}
    for text in round.laid_open.split():
        to, _, card = text.partition(":")
        hands.setdefault(to, []).append(card)
    return {to: " ".join(cards) for to, cards in hands.items()}


# -- Replay -----------------------------------------------------------------------------------------


@command.command("replay")
@click.argument("round", type=RoundName())
@ledger_flags
@json_flag
@click.pass_context
def replay_command(
    ctx: click.Context, round: tuple[str, int], data: Path | None, database: str | None, as_json: bool
) -> None:
    """Play a recorded round again, step by step: `feltlab ledger replay casino-war-1:123`.

    Each step says whether it is as recorded. Exit status 3 says that something is not.
    """
    with opened(data, database) as ledger:
        replay = replay_round(load_round(ledger, *round))
    click.echo(json.dumps(_replay_json(replay), indent=2)) if as_json else _print_replay(replay)
    if not replay.same:
        ctx.exit(FOUND)


def _replay_json(replay: Replay) -> dict[str, Any]:
    told = [{"step": step.text, "differs": step.differs} for step in describe_steps(replay)]
    return {**replay.recorded.as_json(), "same": replay.same, "differences": replay.sentences, "steps": told}


def _print_replay(replay: Replay) -> None:
    for line in _headed(replay.recorded):
        click.echo(line)
    for step in describe_steps(replay):
        verdict = f"DIFFERS: {step.differs}" if step.differs else "as recorded"
        click.echo(f"  {step.text}  [{verdict}]")
    count = len(replay.differences)
    click.echo(f"{count} difference{'s' * (count != 1)}." if count else "Everything is as recorded.")


def _headed(round: RecordedRound) -> Iterator[str]:
    yield f"{round.game.title} at {round.table}, round {round.round}, {when(round.ended)} UTC"
    if round.under_other_rules:
        yield "recorded under other rules: their digest is no longer the recorded one"
    yield f"commitment of shuffle {round.shuffle}: {round.commitment}"
    if round.order:
        yield f"its order is revealed, with the salt {round.salt}; the round begins at card {round.start + 1}"
    elif round.laid_open:
        yield "its order is still secret; the round is dealt from the cards laid open"
    for seat in round.seats:
        yield f"  Seat {seat.position} ({seat.player}) wagers {_wagers(seat)}"


# -- Export -----------------------------------------------------------------------------------------


@command.command("export")
@click.option("--table", type=TableName(), help="Only the events of this table, or of another chain.")
@click.option("--from", "first", type=Whole(1, 2**62), default=1, metavar="SEQUENCE", help="Begin there.")
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True, help="How."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to a file.")
@ledger_flags
def export_command(
    table: str | None, first: int, form: str, output: Path | None, data: Path | None, database: str | None
) -> None:
    """Export every event, one a line, in the order of writing.

    A line of JSON has all that its digest is made of. CSV has a column of the cents that an event moves.
    """
    with ExitStack() as stack:
        ledger = stack.enter_context(opened(data, database))
        if table is not None and table not in ledger.chains():
            raise Refused(f"{table!r} is no chain of this ledger; it has {listing(ledger.chains()[:20])}.")
        if output:
            _check_output(output, ledger, place(data).parent)
        stream = stack.enter_context(writing(output)) if output else _standard_output()
        stream.writelines(exported(ledger, form, table, first))
    if output:
        click.echo(f"{output} is written.")


def _check_output(output: Path, ledger: Ledger, folder: Path) -> None:
    """Refuse to write over what the export is of, or over a key without which it is lost."""
    kept = [folder / name for name in SECRETS]
    if ledger.database.is_file:
        path = ledger.database.path
        kept += [path.with_name(path.name + end) for end in BESIDE]
        kept += [path.with_name(name) for name in SECRETS]
    if any(_same(output, path) for path in kept):
        raise Refused(f"{output} cannot be written: it is a file of the pit itself.")


def _same(one: Path, other: Path) -> bool:
    """By their place, or as two names of one file."""
    if place_of(one) == place_of(other):
        return True
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there
        return False


def _standard_output() -> BinaryIO:
    """What is exported must go somewhere; a closed stream was opened to nowhere, under that name."""
    if getattr(sys.stdout, "name", "") == os.devnull:
        raise Refused("Standard output is closed; name a file with -o.")
    return sys.stdout.buffer
