"""`feltlab shuffler`: the log of a pit's shufflers, the modes that fit a game, and the fault guide."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from feltlab.cli.shared.console import echo_line, make_console, print_json
from feltlab.cli.shared.ledger_place import TableName, format_time, ledger_flags, open_ledger
from feltlab.cli.shared.options import GameName, Whole, json_flag
from feltlab.core.game import Game
from feltlab.errors import Unknown
from feltlab.games.data import packet_data
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.plain_text import show_controls
from feltlab.pit.recorded_round import table_names
from feltlab.pit.recovery import recover_table
from feltlab.pit.shufflers.log import check_machine_name, describe_shufflers, read_log
from feltlab.shuffling.guide import (
    CONTINUAL,
    LOCAL_PROCEDURE,
    FaultGuide,
    fault_guides,
    find_guide,
    replacement_steps,
)
from feltlab.shuffling.models import fitting_models, load_models, mode_of, model_to_json
from feltlab.text import capitalised, listing

MAX_CYCLES_LISTED = 10_000
Log = dict[str, Any]


@click.group("shuffler")
def command() -> None:
    """Show shufflers: their log, their modes and the fault guide.

    \b
      feltlab shuffler log casino-war-1 --machine main
      feltlab shuffler modes rabbit-hunter
      feltlab shuffler guide jam
    """


# -- The log ----------------------------------------------------------------------------------------


@command.command("log")
@click.argument("table", type=TableName(), required=False)
@click.option("--machine", default="", metavar="NAME", help="Only main, backup or hand.")
@click.option(
    "--last", type=Whole(1, MAX_CYCLES_LISTED), default=10, show_default=True, help="The number of cycles."
)
@ledger_flags
@json_flag
def log_command(
    table: str | None, machine: str, last: int, data: Path | None, database: str | None, as_json: bool
) -> None:
    """Show the log of the shufflers of a table, or of all tables.

    For each machine: its cycles, the hands that it delivered and its faults; then its last cycles, and what
    was done at it. A shuffle by hand is a cycle without a machine.
    """
    chosen = check_machine_name(machine)
    with open_ledger(data, database) as ledger:
        logs = [_load_log(ledger, name, last, chosen) for name in _chosen_tables(ledger, table)]
    if as_json:
        print_json(logs)
        return
    for log in logs:
        _print_log(log)
    if not logs:
        click.echo("No table has been opened yet.")


def _chosen_tables(ledger: Ledger, table: str | None) -> list[str]:
    known = table_names(ledger)
    if table is None:
        return known
    if table not in known:
        raise Unknown(f"{table!r} is not a table of this ledger; its tables are {listing(known[:20])}.")
    return [table]


def _load_log(ledger: Ledger, name: str, last: int, machine: str) -> Log:
    machines = recover_table(ledger, None, name).machines
    now = describe_shufflers(machines)
    log = read_log(ledger, name, machines, last, machine)
    return log | {"now": {key: now[key] for key in ("in_use", "message", "waits")}}


def _print_log(log: Log) -> None:
    console, now = make_console(), log["now"]
    shows = f"shows {now['message']!r}" if now["message"] else "shows nothing"
    echo_line(f"{log['table']}: {_describe_use(now['in_use'])}, {shows}")
    if now["waits"]:
        echo_line(now["waits"])
    for part in (_machines_table(log["machines"]), _cycles_table(log["cycles"]), _acts_table(log["acts"])):
        if part.row_count:
            console.print(part, highlight=False)
            click.echo("")


def _describe_use(name: str) -> str:
    return "dealt by hand" if name == "hand" else f"the {name} shuffler is in use"


def _plain_table(*headings: str, numbers: tuple[int, ...] = ()) -> Table:
    """A table without lines, which leaves more room for text; `numbers` are aligned to the right."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place in numbers else "left", overflow="fold")
    return table


def _machines_table(machines: list[Log]) -> Table:
    table = _plain_table("shuffler", "model", "mode", "state", "cycles", "hands", "faults", numbers=(4, 5, 6))
    for row in machines:
        model = f"{row['model']} {row['serial']}".strip()
        counts = (f"{row[name]:,}" for name in ("cycles", "hands", "faults"))
        table.add_row(row["shuffler"], Text(show_controls(model)), row["mode"], row["state"], *counts)
    return table


def _cycles_table(cycles: list[Log]) -> Table:
    headings = ("cycle", "time", "shuffler", "cards", "round", "hands", "fault")
    table = _plain_table(*headings, numbers=(0, 4, 5))
    for row in cycles:
        numbers = (str(row["round"]), str(row["hands"]), row["fault"])
        table.add_row(str(row["cycle"]), format_time(row["at"]), row["shuffler"], row["deck"], *numbers)
    return table


def _acts_table(acts: list[Log]) -> Table:
    table = _plain_table("time", "what", "shuffler", "by", "more")
    for row in acts:
        more = (row["shuffler"], *(Text(show_controls(row[name])) for name in ("by", "says")))
        table.add_row(format_time(row["at"]), row["kind"].replace("-", " "), *more)
    return table


# -- Models and modes -------------------------------------------------------------------------------


@command.command("modes")
@click.argument("game", type=GameName(), required=False)
@json_flag
def modes_command(game: Game | None, as_json: bool) -> None:
    """List the models and their modes; with GAME, the modes that fit it."""
    if as_json:
        fits = {name: list(modes) for name, modes in fitting_models(game).items()} if game else {}
        print_json(fits if game else [model_to_json(model) for model in load_models().values()])
    elif game:
        for line in _describe_fit(game):
            click.echo(line)
    else:
        make_console().print(_models_table())


def _describe_fit(game: Game) -> Iterator[str]:
    need, named = mode_of(game), packet_data(game).shuffler
    cards = "a shoe" if need.shoe else f"packets of {need.packet}" if need.packet > 1 else "single cards"
    rules = f"the rules name {' or '.join(named)}" if named else "the rules name no mode"
    yield f"{game.title}: {need.cards} cards, {cards}; {rules}"
    for model, modes in fitting_models(game).items():
        yield f"  {model:<14} {' or '.join(modes)}"
    yield f"  {'by hand':<14} {packet_data(game).by_hand or 'the rules do not provide for it'}"


def _models_table() -> Table:
    table = Table("model", "mode", "packet", "source")
    table.columns[2].justify = "right"
    for model in load_models().values():
        for number, mode in enumerate(model.mode):
            packet = str(mode.packet) if mode.packet else "not stated"
            table.add_row("" if number else f"[bold]{model.name}[/]", mode.name, packet, mode.source)
        table.add_section()
    return table


# -- The guide --------------------------------------------------------------------------------------


@command.command("guide")
@click.argument("fault", nargs=-1)
@json_flag
def guide_command(fault: tuple[str, ...], as_json: bool) -> None:
    """Show what to do about a fault, or about each; and how a shuffler is replaced."""
    guides = [find_guide(" ".join(fault))] if fault else list(fault_guides().values())
    steps = [step.does for step in replacement_steps()]
    if as_json:
        found = [guide.to_json() for guide in guides]
        print_json(found[0] if fault else {"faults": found, "continual": CONTINUAL, "replacement": steps})
        return
    for guide in guides:
        _print_guide(guide)
    click.echo(f"Replacement. {CONTINUAL}")
    _print_steps(steps)
    click.echo(LOCAL_PROCEDURE)


def _print_guide(guide: FaultGuide) -> None:
    click.echo(f"{capitalised(guide.kind)}: the display shows, for example, {guide.shows}")
    click.echo(f"  {guide.means}\n  First: {guide.first}")
    _print_steps(guide.steps)
    click.echo(f"  {guide.service}\n")


def _print_steps(steps: list[str] | tuple[str, ...]) -> None:
    for number, step in enumerate(steps, 1):
        click.echo(f"  {number}. {step}")
