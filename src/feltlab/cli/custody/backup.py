"""`feltlab ledger backup` and `feltlab ledger restore`."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from feltlab.cli.shared.console import echo_line, print_json, progress_bar
from feltlab.cli.shared.ledger_place import (
    check_output,
    format_time,
    head_key_flag,
    ledger_flags,
    ledger_path,
    open_ledger,
)
from feltlab.cli.shared.options import json_flag, witness_flag
from feltlab.errors import Refused
from feltlab.files import read_limited
from feltlab.ledger.backup import Backup, Manifest, check_backup_place, open_backup, write_backup
from feltlab.ledger.heads import parse_head_key
from feltlab.ledger.plain_text import show_controls
from feltlab.ledger.sealed_keys import check_passphrase, find_key_files
from feltlab.pit.custody.restore import DamagedLedger, Loss, Restoration, check_restore_place, restore_backup
from feltlab.text import dollars, listing

PROBLEM_FOUND = 3  # exit status
MAX_PASSPHRASE_BYTES = 4096
MAX_ROUNDS_LISTED = 20

passphrase_flag = click.option(
    "--passphrase-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The passphrase of the keys is the first line of this file.",
)


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--keys", is_flag=True, help="Include the keys, sealed with a passphrase that is asked for.")
@passphrase_flag
@click.option("--replace", is_flag=True, help="Replace the file even if it is not a backup.")
@ledger_flags
@json_flag
def backup_command(
    file: Path,
    keys: bool,
    passphrase_file: Path | None,
    replace: bool,
    data: Path | None,
    database: str | None,
    as_json: bool,
) -> None:
    """Back up the ledger, its accounts and its signed heads as one file; a server may go on.

    The school's exams and certificates, and what players have learnt in the trainer, are in it too. Keys are
    left out, unless there is a passphrase to seal them with. An older backup of the same name is replaced,
    any other file is not.

    \b
      feltlab ledger backup monday.backup --passphrase-file secret.txt
    """
    folder = ledger_path(data).parent
    with open_ledger(data, database) as ledger:
        check_output(file, ledger, folder)
        if not replace:
            check_backup_place(file)
        passphrase = _new_passphrase(keys, passphrase_file)
        manifest = write_backup(ledger.database, folder, file, passphrase)
    if as_json:
        print_json({"file": str(file), "keys": manifest.has_keys, **vars(manifest)})
    else:
        _print_backup(file, manifest, folder)


def _new_passphrase(keys: bool, file: Path | None) -> str | None:
    if file is not None:
        return check_passphrase(_read_passphrase(file))
    if not keys:
        return None
    return check_passphrase(click.prompt("Passphrase", hide_input=True, confirmation_prompt=True))


def _read_passphrase(path: Path) -> str:
    try:
        first, *_ = read_limited(path, MAX_PASSPHRASE_BYTES).decode().splitlines() or [""]
    except UnicodeDecodeError:
        raise Refused(f"{path} is not text.") from None
    return first


def _print_backup(file: Path, manifest: Manifest, folder: Path) -> None:
    upto = f", the last of {format_time(manifest.last)} UTC" if manifest.last else ""
    click.echo(f"Wrote {file}: {manifest.events:,} events{upto}.")
    if manifest.has_keys:
        click.echo("The keys are in it, sealed with the passphrase; nobody can restore them without it.")
        return
    names = listing([path.name for path in find_key_files(folder)])
    left = f" ({names} in {folder})" if names else ""
    click.echo(f"The keys{left} are not in it: keep copies of them apart, or give a passphrase.")


# -- Restore ----------------------------------------------------------------------------------------


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@passphrase_flag
@click.option("--without-keys", is_flag=True, help="Leave the keys in the backup alone.")
@witness_flag("Signed heads that say what happened after the backup.")
@head_key_flag
@click.option("--fast", is_flag=True, help="Do not replay the rounds.")
@click.option("--with-problems", is_flag=True, help="Restore a ledger in which problems are found.")
@ledger_flags
@json_flag
@click.pass_context
def restore_command(
    ctx: click.Context,
    file: Path,
    passphrase_file: Path | None,
    without_keys: bool,
    witnesses: tuple[Path, ...],
    head_keys: tuple[str, ...],
    fast: bool,
    with_problems: bool,
    data: Path | None,
    database: str | None,
    as_json: bool,
) -> None:
    """Restore a backup into a new folder, named by --data, and say what is lost by it.

    The backup is checked and its ledger verified first. With --database the ledger goes to an empty
    PostgreSQL database. Witnesses say how many events are lost; the files are those of `serve --witness`, or
    `heads.jsonl` of the old folder.

    \b
      feltlab ledger restore monday.backup --data new-pit --witness /mnt/witness/heads.jsonl
    """
    if data is None:
        raise Refused("Name the new folder with --data.")
    check_restore_place(data, database)
    trusted = [*map(parse_head_key, head_keys)]
    with open_backup(file) as backup, progress_bar("Restoring") as progress:
        passphrase = _known_passphrase(backup, passphrase_file, without_keys)
        try:
            found = restore_backup(
                backup, data, database, passphrase, witnesses, trusted, fast, with_problems, progress
            )
        except DamagedLedger as damaged:
            _print_problems(damaged.found)
            click.echo(f"feltlab: {show_controls(str(damaged))}", err=True)
            ctx.exit(PROBLEM_FOUND)
    print_json(found.as_json()) if as_json else _print_restoration(found, data)


def _known_passphrase(backup: Backup, file: Path | None, without_keys: bool) -> str | None:
    if not backup.manifest.has_keys or without_keys:
        return None
    if file is not None:
        return _read_passphrase(file)
    if not sys.stdin.isatty():
        raise Refused("The backup holds keys: give --passphrase-file, or --without-keys.")
    return str(click.prompt("Passphrase", hide_input=True))


def _print_problems(found: Restoration) -> None:
    for problem in found.report.problems:
        echo_line(str(problem))


def _print_restoration(found: Restoration, folder: Path) -> None:
    _print_problems(found)
    manifest = found.manifest
    click.echo(
        f"Restored {manifest.events:,} events into {folder}, the last of {format_time(manifest.last)} UTC."
    )
    for sentence in (*_describe_loss(found.loss, manifest), *_describe_rounds(found), *_describe_keys(found)):
        echo_line(sentence)


def _describe_loss(loss: Loss | None, manifest: Manifest) -> Iterator[str]:
    if loss is None:
        since = format_time(manifest.last)
        yield f"Everything after {since} UTC is lost; without --witness nobody can say how much that is."
    elif loss.events:
        since, until = format_time(loss.since), format_time(loss.until)
        yield f"Lost: at least {loss.events:,} events, from {since} to {until} UTC."
    else:
        yield f"No witness has a head of a later event; the last was signed at {format_time(loss.until)} UTC."


def _describe_rounds(found: Restoration) -> Iterator[str]:
    yield "The next start shuffles at every open table: cards that were to come may have been seen since."
    for round in found.rounds[:MAX_ROUNDS_LISTED]:
        yield f"Void at the next start: {round.table}:{round.round}, {dollars(round.cents)} go back."
    if len(found.rounds) > MAX_ROUNDS_LISTED:
        yield f"and {len(found.rounds) - MAX_ROUNDS_LISTED:,} more"


def _describe_keys(found: Restoration) -> Iterator[str]:
    if found.has_keys:
        yield "The keys are restored, but for that of the sessions: everybody signs in again."
    else:
        yield "The keys are not restored: put heads.key into the folder, or heads get a new key."
