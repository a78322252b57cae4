"""`feltlab accounts`: accounts of a pit, at the machine that keeps its ledger."""

import getpass
from pathlib import Path

import click

from feltlab.cli.shared.ledger_place import ledger_flags, ledger_path
from feltlab.cli.shared.options import Whole
from feltlab.errors import Refused
from feltlab.ledger.event import Entry
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.signed_tip import TipSigner
from feltlab.ledger.terms import InUse
from feltlab.pit.accounts import Accounts
from feltlab.pit.approvals.codes import MAX_DAYS, check_first, make_code, members_of, parse_outside_role
from feltlab.pit.approvals.pending_codes import ask_server
from feltlab.pit.roles import OUTSIDE_ROLES


@click.group("accounts")
def command() -> None:
    """Make one-time codes for makers, regulators and agencies.

    They belong to sides of their own, whose accounts no house makes. The first account of each side is made
    with a code; further ones are made by its members.
    """


@command.command("code")
@click.argument("role", metavar=f"{{{'|'.join(OUTSIDE_ROLES)}}}")
@click.option("--days", type=Whole(1, MAX_DAYS), default=7, show_default=True, help="Days until it expires.")
@click.option("--lost", is_flag=True, help="Make one though the side has accounts: their passwords are lost.")
@ledger_flags
def code_command(role: str, days: int, lost: bool, data: Path | None, database: str | None) -> None:
    """Print a one-time code for the first account of a side.

    The ledger records that the code was made, but not the code. A server that uses the ledger file records it
    itself.
    """
    known, path = parse_outside_role(role), ledger_path(data)
    if database is None:
        path.parent.mkdir(parents=True, exist_ok=True)
    code, draft = make_code(known, days, getpass.getuser(), lost)
    try:
        with Ledger.open(database or path, signer=TipSigner(path.parent)) as ledger:
            check_first(known, members_of(known, Accounts(ledger).all()), lost)
            ledger.append_blocking(Entry((draft,)))
    except InUse:
        ask_server(path.parent, draft)
    except LedgerDown as down:
        raise Refused(str(down)) from None
    click.echo(f"Code for {known.with_article.lower()}: {code}")
    click.echo(
        f"It works once, within {days} day{'s' * (days > 1)}, on the page /claim. It will not be shown again."
    )
