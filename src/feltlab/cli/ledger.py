"""`feltlab ledger`: a pit's ledger, verified, recalled, replayed, reported, exported or backed up."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

import click
from rich.table import Table
from rich.text import Text

from feltlab.cli.custody.archive import archive_command
from feltlab.cli.custody.backup import backup_command, restore_command
from feltlab.cli.custody.keys import rotate_key_command
from feltlab.cli.custody.receipt import receipt_command
from feltlab.cli.custody.requests import requests_command
from feltlab.cli.custody.verify import PROBLEM_FOUND, verify_command
from feltlab.cli.shared.console import echo_line, make_console, print_json
from feltlab.cli.shared.ledger_place import (
    RoundName,
    TableName,
    archive_flag,
    check_output,
    format_time,
    ledger_flags,
    ledger_path,
    open_ledger,
)
from feltlab.cli.shared.options import Whole, json_flag, paper_flag
from feltlab.core.seating import Seat
from feltlab.errors import Refused
from feltlab.files import open_whole
from feltlab.ledger.export import export_lines
from feltlab.ledger.plain_text import show_all_controls, show_controls
from feltlab.pit.custody.archive import open_whole_ledger
from feltlab.pit.irregularities.incident import load_incident
from feltlab.pit.recorded_round import RecordedRound, load_last_rounds, load_round
from feltlab.pit.replay import Replay, replay_round
from feltlab.pit.replay_steps import describe_steps
from feltlab.report.documents.incident import document as incident_document
from feltlab.report.renderers.pdf import Paper
from feltlab.report.renderers.text import print_document
from feltlab.report.write import Output
from feltlab.text import dollars, listing, signed_dollars

MAX_RECALLED_ROUNDS = 10_000
SEAT_COLUMNS = 5

INCIDENT_FILES = "Write a file: .pdf, .html, .md, .txt or .json."


@click.group("ledger")
def command() -> None:
    """Verify, recall, replay, export, back up, restore or archive a pit's ledger.

    Most of these commands only read the ledger, and a server may be using it; those that write say so. Exit
    status 3 means that a problem was found.
    """


command.add_command(verify_command)
command.add_command(backup_command)
command.add_command(restore_command)
command.add_command(archive_command)
command.add_command(rotate_key_command)
command.add_command(requests_command)
command.add_command(receipt_command)


# -- Recall -----------------------------------------------------------------------------------------


@command.command("recall")
@click.argument("table", type=TableName(), required=False)
@click.option(
    "--last", type=Whole(1, MAX_RECALLED_ROUNDS), default=10, show_default=True, help="The number of rounds."
)
@ledger_flags
@json_flag
def recall_command(
    table: str | None, last: int, data: Path | None, database: str | None, as_json: bool
) -> None:
    """Show the last rounds of a table, or of all tables."""
    with open_ledger(data, database) as ledger:
        last_rounds = load_last_rounds(ledger, table, last)
    if as_json:
        print_json([round.as_json() for round in last_rounds])
    else:
        _print_rounds(last_rounds)


def _print_rounds(last_rounds: list[RecordedRound]) -> None:
    console = make_console()
    for round in last_rounds:
        table = Table.grid(padding=(0, 2), pad_edge=True)
        for _ in range(SEAT_COLUMNS):
            table.add_column(overflow="fold")  # so that a long name is not cut
        for row in _seat_rows(round):
            table.add_row(*(Text(show_controls(cell)) for cell in row))
        console.print(Text(show_controls(_round_line(round))))
        console.print(table)
    if not last_rounds:
        click.echo("No round is over yet.")


def _round_line(round: RecordedRound) -> str:
    won = f"the house {'loses' if round.win < 0 else 'wins'} {dollars(abs(round.win))}"
    ended = f"void: {round.void}" if round.void else won
    marks = f"  ({', '.join(round.marks)})" if round.marks else ""
    return f"{round.name}  {format_time(round.ended)}  {ended}{marks}"


def _seat_rows(round: RecordedRound) -> Iterator[tuple[str, ...]]:
    """A row for each seat, with player, wagers, cards, result and net; and one for each shared area."""
    hands = _hands(round)
    for seat in round.seats:
        paid = [p for p in round.payments if p.seat == seat.position - 1]
        result = ", ".join(f"{p.spot} {p.outcome}" for p in paid)
        net = signed_dollars(round.net_of(seat.position - 1)) if paid else ""
        if round.void:
            result = f"takes back {dollars(round.returned.get(seat.position - 1, 0))}"
        cards = hands.get(str(seat.position), "")
        yield f"{seat.position} {seat.player}", _wagers(seat), cards, result, net
    for area in round.game.areas:
        if area.name in hands:
            yield area.name, "", hands[area.name], "", ""


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
    """Replay a recorded round step by step.

    Each step says whether it agrees with the record. Exit status 3 means that one does not.

    \b
      feltlab ledger replay casino-war-1:123
    """
    with open_ledger(data, database) as ledger:
        replay = replay_round(load_round(ledger, *round))
    print_json(_replay_json(replay)) if as_json else _print_replay(replay)
    if not replay.same:
        ctx.exit(PROBLEM_FOUND)


def _replay_json(replay: Replay) -> dict[str, Any]:
    listed = [{"step": step.text, "differs": step.differs} for step in describe_steps(replay)]
    return {
        **replay.recorded.as_json(),
        "same": replay.same,
        "differences": replay.sentences,
        "steps": listed,
    }


def _print_replay(replay: Replay) -> None:
    for line in _round_header(replay.recorded):
        echo_line(line)
    for step in describe_steps(replay):
        verdict = f"DIFFERS: {step.differs}" if step.differs else "as recorded"
        echo_line(f"  {step.text}  [{verdict}]")
    count = len(replay.differences)
    click.echo(f"{count} difference{'s' * (count != 1)}." if count else "Everything is as recorded.")


def _round_header(round: RecordedRound) -> Iterator[str]:
    yield f"{round.game.title} at {round.table}, round {round.round}, {format_time(round.ended)} UTC"
    if round.under_other_rules:
        yield "recorded under other rules: the rules' digest has changed since"
    yield f"commitment of shuffle {round.shuffle}: {round.commitment}"
    if round.order:
        yield f"its order is revealed, with salt {round.salt}; the round starts at card {round.start + 1}"
    elif round.laid_open:
        yield "its order is still secret; the round is replayed from the cards shown"
    for seat in round.seats:
        yield f"  Seat {seat.position} ({seat.player}) wagers {_wagers(seat)}"


# -- Incident reports -------------------------------------------------------------------------------


@command.command("incident")
@click.argument("round", type=RoundName())
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help=INCIDENT_FILES)
@paper_flag
@ledger_flags
@json_flag
def incident_command(
    round: tuple[str, int],
    output: Path | None,
    paper: Paper,
    data: Path | None,
    database: str | None,
    as_json: bool,
) -> None:
    """Report what went wrong in a round: irregularities, faults, a void, corrections since.

    \b
      feltlab ledger incident casino-war-1:123 -o incident.pdf
    """
    file = Output(output, kind="report", paper=paper) if output else None
    with open_ledger(data, database) as ledger:
        if output:
            check_output(output, ledger, ledger_path(data).parent)
        found = load_incident(ledger, *round).as_json()
    if file:
        file.write_document(lambda: incident_document(show_all_controls(found)), lambda: found)
        click.echo(f"Wrote {output}.", err=as_json)
    if as_json:
        print_json(found)
    elif not file:
        print_document(incident_document(show_all_controls(found)), make_console())


# -- Export -----------------------------------------------------------------------------------------


@command.command("export")
@click.option("--table", type=TableName(), help="Only the events of this table or other chain.")
@click.option(
    "--from", "first", type=Whole(1, 2**62), default=1, metavar="SEQUENCE", help="Start at this event."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv"]),
    default="jsonl",
    show_default=True,
    help="The format.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to a file.")
@archive_flag("An archive of this ledger; with all of them, everything since the first event is exported.")
@ledger_flags
def export_command(
    table: str | None,
    first: int,
    form: str,
    output: Path | None,
    archives: tuple[Path, ...],
    data: Path | None,
    database: str | None,
) -> None:
    """Export every event, one a line, in the order of writing.

    A line of JSON has everything that its digest covers. CSV has a column with the cents that an event moves.
    """
    with ExitStack() as stack:
        live = stack.enter_context(open_ledger(data, database))
        ledger, differences = stack.enter_context(open_whole_ledger(live, archives))
        if differences:
            raise Refused(differences[0])
        if table is not None and table not in ledger.chains():
            raise Refused(
                f"{table!r} is not a chain of this ledger; its chains are {listing(ledger.chains()[:20])}."
            )
        if output:
            check_output(output, live, ledger_path(data).parent)
        stream = stack.enter_context(open_whole(output)) if output else _standard_output()
        stream.writelines(export_lines(ledger, form, table, first))
    if output:
        click.echo(f"Wrote {output}.")


def _standard_output() -> BinaryIO:
    """Standard output, unless it was closed and `_open_streams` has put the null device in its place."""
    if getattr(sys.stdout, "name", "") == os.devnull:
        raise Refused("Standard output is closed; write to a file with -o.")
    return sys.stdout.buffer
