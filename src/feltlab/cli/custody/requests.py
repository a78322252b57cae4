"""`feltlab ledger requests`."""

from pathlib import Path

import click

from feltlab.cli.shared.console import print_json
from feltlab.cli.shared.ledger_place import format_time, ledger_flags, open_ledger
from feltlab.cli.shared.options import json_flag
from feltlab.ledger.event import now
from feltlab.pit.custody.requests import ActRequest, describe_request, load_requests


@click.command("requests")
@ledger_flags
@json_flag
def requests_command(data: Path | None, database: str | None, as_json: bool) -> None:
    """List the acts that needed a second person, and the answers, the newest first."""
    with open_ledger(data, database) as ledger:
        found, moment = [*reversed(load_requests(ledger).values())], now()
    if as_json:
        print_json([one.as_json(moment) for one in found])
        return
    for one in found:
        click.echo(_request_line(one, moment))
    if not found:
        click.echo("No act has needed a second person.")


def _request_line(one: ActRequest, moment: str) -> str:
    state = f"{one.state_at(moment)}{f' by {one.answered_by}' if one.answered_by else ''}"
    why = f" ({one.why})" if one.why else ""
    return f"{one.number}  {format_time(one.at)}  {one.by}: {describe_request(one)}  [{state}{why}]"
