"""`feltlab ledger verify`."""

from collections.abc import Iterator
from pathlib import Path

import click
from rich.table import Table

from feltlab.cli.shared.console import echo_line, make_console, must_be_printed, print_json, progress_bar
from feltlab.cli.shared.ledger_place import (
    archive_flag,
    head_key_flag,
    ledger_flags,
    ledger_path,
    open_ledger,
)
from feltlab.cli.shared.options import json_flag, witness_flag
from feltlab.errors import Refused
from feltlab.files import place_of
from feltlab.ledger.chains import LedgerProblem
from feltlab.ledger.head_keys import KeyTrust
from feltlab.ledger.heads import SignedHead, parse_head_key, read_witness
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.vault import KEY_FILE as VAULT_FILE
from feltlab.ledger.witnesses import load_successions
from feltlab.parallel.progress import Progress
from feltlab.pit.custody.archive import open_whole_ledger
from feltlab.pit.verify import COUNT_TITLES, LedgerReport, VerifiedRecord, verify, verify_since
from feltlab.pit.verify.processes import count_cores
from feltlab.pit.verify.resume import load_archived_record
from feltlab.pit.verify.sealed_cards import find_vault_key
from feltlab.text import dollars

PROBLEM_FOUND = 3  # exit status


@click.command("verify")
@click.option("--fast", is_flag=True, help="Do not replay the rounds.")
@witness_flag("Compare with the signed heads in this file.")
@head_key_flag
@click.option(
    "--resume",
    "record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Go on after what this record of yours says, and keep it up to date.",
)
@click.option(
    "--key",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="The key of the vault, to look at cards still sealed; by default, that of the pit's folder.",
)
@archive_flag("An archive of this ledger; with all of them, everything since the first event is verified.")
@ledger_flags
@json_flag
@click.pass_context
@must_be_printed()
def verify_command(
    ctx: click.Context,
    fast: bool,
    witnesses: tuple[Path, ...],
    head_keys: tuple[str, ...],
    record: Path | None,
    key: Path | None,
    archives: tuple[Path, ...],
    data: Path | None,
    database: str | None,
    as_json: bool,
) -> None:
    """Verify everything that the ledger records.

    That is digests, commitments, payments, snapshots, money, turns and approvals; every round is replayed.
    Problems are listed, and the exit status is 3 if there are any. The signed heads of a witness expose
    whatever was changed, moved or taken out since they were signed.

    With --resume, a sound verification is recorded in a file that you keep, and the next one reads only what
    came later. It does not find what was changed before that; without the option everything is read. With
    --witness too, the record names the last signed head, and later heads must go on from it.
    """
    for path in archives:
        if not path.is_file():
            raise Refused(f"There is no archive {path}.")
    if record is not None and archives:
        raise Refused("Archives are of the time before a record; leave out --resume, so that all is read.")
    trusted = [*map(parse_head_key, head_keys)]
    with (
        progress_bar("Verifying") as progress,
        open_ledger(data, database) as live,
        open_whole_ledger(live, archives) as (ledger, differences),
    ):
        trust = KeyTrust(trusted, load_successions(ledger))
        heads = [head for path in witnesses for head in read_witness(path, trust)]
        if key is None and (data or not database):
            key = find_vault_key(ledger_path(data).with_name(VAULT_FILE))
        report = _verify(ledger, progress, fast, heads, record, key, trusted)
        for sentence in differences:
            report.add(LedgerProblem("", 0, sentence))
        is_archive = ledger.is_archive
    print_json(report.as_json()) if as_json else _print_report(report, fast)
    if is_archive and not as_json:
        click.echo("This is an archive, which has neither passwords nor sealed cards.")
    if not report.sound:
        ctx.exit(PROBLEM_FOUND)


def _verify(
    ledger: Ledger,
    progress: Progress,
    fast: bool,
    heads: list[SignedHead],
    record: Path | None,
    key: Path | None,
    trusted: list[str],
) -> LedgerReport:
    """Verify everything, or what came after a record; a sound ledger has a new record then."""
    if record is None:
        return verify(ledger, progress, fast, heads, count_cores(), key, head_keys=trusted)
    if fast:
        raise Refused("A record says that the rounds were replayed; leave out --fast.")
    if ledger.database.is_file and place_of(record).parent == ledger.database.path.parent:
        raise Refused("Keep the record elsewhere: whoever can write beside the ledger could change it.")
    known = VerifiedRecord.load(record) if record.exists() else None
    if known:
        _check_record(ledger, known, heads)
        report = verify_since(ledger, known, progress, key=key, heads=heads, head_keys=trusted)
    else:
        report = verify(ledger, progress, False, heads, count_cores(), key, True, trusted)
    if report.sound:
        VerifiedRecord.make(ledger, report).save(record)
    return report


def _check_record(ledger: Ledger, known: VerifiedRecord, heads: list[SignedHead]) -> None:
    """Refuse a record from which a verification cannot go on."""
    known.check_heads(heads)
    if heads and not known.frontier:
        raise Refused("The record is from before records had signed heads; verify everything again.")
    archived = load_archived_record(ledger)
    if archived and known.size < archived.size:
        raise Refused("Events after the record are in an archive; verify everything with --archive.")


def _print_report(report: LedgerReport, fast: bool) -> None:
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    for row in _report_rows(report):
        table.add_row(*row)
    make_console().print(table, highlight=False)
    click.echo(f"last anchor: {report.anchors} {report.anchor}" if report.anchor else "no anchor yet")
    if fast:
        click.echo("No round was replayed.")
    for problem in report.problems:
        echo_line(str(problem))
    if report.more:
        click.echo(f"and {report.more:,} more")
    count = len(report.problems) + report.more
    click.echo(f"{count:,} problem{'s' * (count != 1)} found." if count else "No problem found.")


def _report_rows(report: LedgerReport) -> Iterator[tuple[str, str]]:
    for name, word in COUNT_TITLES.items():
        yield word, f"{getattr(report, name):,}"
    yield "money issued", dollars(report.issued)
    yield "in accounts", dollars(report.balances)
    yield "at tables", dollars(report.at_tables)
    yield "won by the house", dollars(report.won)
