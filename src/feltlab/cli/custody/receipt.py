"""`feltlab ledger receipt`."""

from contextlib import ExitStack
from pathlib import Path

import click

from feltlab.cli.shared.console import echo_line, print_json
from feltlab.cli.shared.ledger_place import (
    RoundName,
    archive_flag,
    check_output,
    ledger_flags,
    ledger_path,
    open_ledger,
)
from feltlab.digests import canonical_json
from feltlab.files import write_file
from feltlab.pit.custody.receipts import write_old_receipt


@click.command("receipt")
@click.argument("round_name", metavar="TABLE:NUMBER", type=RoundName())
@archive_flag("An archive of this ledger, which has the round.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to a file.")
@ledger_flags
def receipt_command(
    round_name: tuple[str, int],
    archives: tuple[Path, ...],
    output: Path | None,
    data: Path | None,
    database: str | None,
) -> None:
    """Write the receipt of a finished round, under the last head that the pit has signed.

    The page of a round offers the same while the live ledger has the round. Nothing is signed here, so no key
    is needed, and a server may be running.

    \b
      feltlab ledger receipt casino-war-1:123 --archive until-october.archive -o receipt.json
    """
    folder = ledger_path(data).parent
    with ExitStack() as stack:
        live = stack.enter_context(open_ledger(data, database))
        old = [stack.enter_context(open_ledger(None, str(path))) for path in archives]
        receipt = write_old_receipt(live, old, folder, *round_name)
        if output:
            check_output(output, live, folder)
            write_file(output, canonical_json(receipt) + b"\n")
    if output:
        echo_line(f"Wrote {output}.")
    else:
        print_json(receipt)
