"""`feltlab approvals`: the register of approvals in a pit's ledger, and documents for a submission."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from feltlab.cli.shared.console import make_console, print_json
from feltlab.cli.shared.ledger_place import ledger_flags, open_ledger
from feltlab.cli.shared.options import Whole, json_flag
from feltlab.files import read_limited
from feltlab.ledger.event import HOUSE_CHAIN
from feltlab.pit.approvals import Approval, Approvals
from feltlab.pit.approvals.documents import EnclosedDocument
from feltlab.pit.approvals.register import KINDS
from feltlab.pit.approvals.submissions import Submission
from feltlab.signing.manifest import MAX_FILE_BYTES
from feltlab.signing.sign import MAX_SIGNATURE_BYTES, find_signatures

MAX_NUMBER = 10**9


@click.group("approvals")
def command() -> None:
    """Show approvals of games, and the changes of amendments.

    These commands only read the ledger; a server may be using it. Each side takes its steps on the page
    /approvals or by the API.
    """


def _read_register(data: Path | None, database: str | None) -> Approvals:
    register = Approvals()
    with open_ledger(data, database) as ledger:
        for event in ledger.events(HOUSE_CHAIN, kinds=KINDS):
            register = register.after(event)
    return register


def _today() -> date:
    return datetime.now(UTC).date()


def _print_rows(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    table = Table(*head, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*row)
    make_console().print(table, highlight=False)


# -- Lists ------------------------------------------------------------------------------------------


@command.command("list")
@ledger_flags
@json_flag
def list_command(data: Path | None, database: str | None, as_json: bool) -> None:
    """Show every operator's approval, its conditions, and whether each holds today."""
    register = _read_register(data, database)
    found = [_approval_to_data(register, approval) for approval in register]
    if as_json:
        print_json(found)
    else:
        head = ("no.", "game", "house", "state", "under", "remarks")
        _print_rows(head, [tuple(str(one[name]) for name in _ROW) for one in found])


_ROW = ("number", "game", "house", "state", "under", "remarks")


def _approval_to_data(register: Approvals, approval: Approval) -> dict[str, Any]:
    conditions = [one.as_json() for one in register.conditions(approval, _today())]
    failing = [f"{one['name']}: {one['why_not']}" for one in conditions if one["why_not"]]
    return {
        **{name: getattr(approval, name) for name in _ROW[:-1]},
        "remarks": "; ".join(filter(None, (approval.caution, *failing))),
        "kind": approval.kind,
        "options": dict(approval.options),
        "pays": [[spot, outcome, str(pay)] for spot, outcome, pay in approval.pays],
        "digest": approval.digest,
        "conditions": conditions,
        "filings": [filing.as_json() for filing in approval.filings],
        "done": [done.as_json() for done in approval.done],
    }


@command.command("games")
@ledger_flags
@json_flag
def games_command(data: Path | None, database: str | None, as_json: bool) -> None:
    """Show every maker's approval."""
    found = list(map(_submission_to_data, _read_register(data, database).submissions))
    if as_json:
        print_json(found)
    else:
        names = ("number", "game", "maker", "reference", "state", "letter_day", "amends")
        head = ("no.", "game", "maker", "submission", "state", "letter", "amends")
        _print_rows(head, [tuple(str(one[name] or "") for name in names) for one in found])


def _submission_to_data(found: Submission) -> dict[str, Any]:
    plain = {
        name: getattr(found, name) for name in ("number", "game", "maker", "reference", "state", "amends")
    }
    return {
        **plain,
        "rules_date": found.rules_date.isoformat(),
        "letter_day": found.letter_day.isoformat() if found.letter_day else None,
        "digest": found.digest,
        "options": {name: list(values) for name, values in found.allowed},
        "pays": [[spot, outcome, str(pay)] for spot, outcome, pay in found.pays],
        "kinds": list(found.kinds),
        "documents": [document.as_json() for document in found.documents],
        "done": [done.as_json() for done in found.done],
    }


# -- Amendments -------------------------------------------------------------------------------------


@command.command("changes")
@click.argument("number", type=Whole(1, MAX_NUMBER))
@ledger_flags
@json_flag
def changes_command(number: int, data: Path | None, database: str | None, as_json: bool) -> None:
    """Compare a maker's amendment with the approved version, clause by clause and pay by pay."""
    before, changes = _read_register(data, database).submissions.list_changes(number)
    if as_json:
        plain = [{"what": one.what, "before": one.before, "now": one.now} for one in changes]
        print_json({"number": number, "amends": before.number if before else 0, "changes": plain})
    elif before is None:
        click.echo("No version of this game was approved before.")
    else:
        rows = [(one.what, one.before or "(new)", one.now or "(gone)") for one in changes]
        _print_rows(("what", f"approved ({before.reference})", "submitted"), rows)


# -- Documents --------------------------------------------------------------------------------------


@command.command("documents")
@click.argument("paths", type=click.Path(path_type=Path), metavar="FILE...", nargs=-1, required=True)
def documents_command(paths: tuple[Path, ...]) -> None:
    """Print digests and signatures of files as JSON, for a submission by the API.

    A signature beside a file, such as `feltlab sign` writes, is enclosed.
    """
    print_json([document.as_json() for path in paths for document in _describe_file(path)])


def _describe_file(path: Path) -> Iterator[EnclosedDocument]:
    """A file once for each of its signatures, or once without one."""
    content = read_limited(path, MAX_FILE_BYTES)
    digests = {name: hashlib.new(name, content).hexdigest() for name in ("sha256", "sha512")}
    signatures = [read_limited(one, MAX_SIGNATURE_BYTES).decode() for one in find_signatures(path)]
    for signature in signatures or [""]:
        yield EnclosedDocument.check(path.name, digests["sha256"], signature, digests["sha512"])
