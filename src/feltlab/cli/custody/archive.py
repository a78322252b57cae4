"""`feltlab ledger archive`."""

import re
from pathlib import Path

import click

from feltlab.cli.shared.console import echo_line, print_json, progress_bar
from feltlab.cli.shared.ledger_place import check_output, ledger_flags, ledger_path
from feltlab.cli.shared.options import json_flag
from feltlab.errors import Refused
from feltlab.ledger.archive import compact_file
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.signed_tip import TipSigner
from feltlab.pit.custody.archive import archive_events


@click.command("archive")
@click.option("--before", required=True, metavar="MONTH", help="Archive what happened before it: 2026-10.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The new archive.")
@ledger_flags
@json_flag
def archive_command(
    before: str, output: Path, data: Path | None, database: str | None, as_json: bool
) -> None:
    """Move old months of the ledger of a pit that does not run to a file of their own.

    The file is verified before anything leaves the ledger, and an event records its SHA-256. It is a ledger
    too: verify, recall, replay and export read it by --database FILE. Keep it like the ledger: with it,
    verify --archive FILE reads everything since the first event.

    \b
      feltlab ledger archive --before 2026-10 -o until-october.archive
    """
    if not re.fullmatch("[0-9]{4}-(0[1-9]|1[0-2])", before):
        raise Refused(f"{before!r} is not a month such as 2026-10.")
    folder = ledger_path(data).parent
    if not (folder / "vault.key").exists():
        raise Refused(f"{folder} holds no keys of a pit.")
    try:
        place, signer = database or ledger_path(data), TipSigner(folder)
        with progress_bar("Archiving") as progress, Ledger.open(place, signer=signer) as ledger:
            check_output(output, ledger, folder)
            made = archive_events(ledger, folder, f"{before}-01", output, progress)
        compact_file(ledger.database)
    except LedgerDown as down:
        raise Refused(str(down)) from None
    if as_json:
        print_json(made._asdict())
        return
    echo_line(f"{output} holds {made.events:,} events; {made.removed:,} of them left the ledger.")
    echo_line(f"SHA-256 {made.digest}")
