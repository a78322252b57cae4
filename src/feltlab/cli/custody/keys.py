"""`feltlab ledger rotate-key`."""

from functools import partial
from pathlib import Path

import click

from feltlab.cli.shared.ledger_place import ledger_flags, ledger_path
from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_ACTOR
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.signed_tip import TipSigner
from feltlab.pit.custody.keys import ROTATED_KEYS, open_key_ring
from feltlab.pit.custody.requests import needs_two_persons

DONE = {
    "vault": "The vault has a new key; everything in it is sealed with that one.",
    "heads": "Heads are signed with a new key, to which the old one handed over.",
    "sessions": "Sessions are signed with a new key; those of the old one are valid until they end.",
}


@click.command("rotate-key")
@click.argument("key", type=click.Choice(ROTATED_KEYS))
@ledger_flags
def rotate_key_command(key: str, data: Path | None, database: str | None) -> None:
    """Change a key of a pit that does not run: of the vault, the signed heads or the sessions.

    Old rounds, sealed cards, heads and receipts stay verifiable. While the server runs, administrators change
    keys on the page of the ledger.

    \b
      feltlab ledger rotate-key heads --data pit
    """
    from feltlab.server.sessions import rotate_session_key

    folder = ledger_path(data).parent
    if not (folder / "vault.key").exists():
        raise Refused(f"{folder} holds no keys of a pit.")
    try:
        with Ledger.open(database or ledger_path(data), signer=TipSigner(folder)) as ledger:
            if needs_two_persons(ledger):
                raise Refused("Two administrators change a key of this house, on the page of the ledger.")
            rotate_sessions = partial(rotate_session_key, folder / "sessions.key")
            open_key_ring(ledger, folder, rotate_sessions).rotate(key, HOUSE_ACTOR)
    except LedgerDown as down:
        raise Refused(str(down)) from None
    click.echo(DONE[key])
