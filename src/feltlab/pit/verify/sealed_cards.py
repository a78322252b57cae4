"""Checks of sealed cards: a shuffle that is still secret is in the vault, and is the one that was committed.

Only the key of the vault shows whether sealed cards are the committed ones. Without it, missing cards are
found and exchanged ones are not.
"""

from pathlib import Path

from feltlab.errors import Refused
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.vault import CannotUnseal, Vault
from feltlab.shuffling.machine import Shuffle


def check_sealed_cards(
    ledger: Ledger, table: str, number: int, shuffle: str, commitment: str, key: Path | None
) -> str:
    """The fault in the sealed cards of a shuffle that is secret at a table's event, or ''.

    A table goes on while it is verified, and may have used up several shuffles since that event.
    """
    wrong = _describe_sealed(ledger, shuffle, commitment, key)
    if not wrong:
        return ""
    ends = ledger.events(table, after=number, kinds=("order", "lost"))
    return "" if any(event.data.get("shuffle") == shuffle for event in ends) else wrong


def _describe_sealed(ledger: Ledger, shuffle: str, commitment: str, key: Path | None) -> str:
    sealed = ledger.load_sealed(shuffle)
    if sealed is None:
        return f"the sealed cards of {shuffle} are missing."
    if key is None:
        return ""
    try:
        # The file is read after the cards: a key that changes meanwhile is in the file before it is used.
        found = Shuffle.from_bytes(Vault.open(key).unseal(sealed))
    except CannotUnseal:
        return f"the sealed cards of {shuffle} do not open with the key of the vault."
    except Refused:
        return f"the sealed cards of {shuffle} are no cards."
    if (found.name, found.commitment) != (shuffle, commitment):
        return f"the sealed cards of {shuffle} are not those to which the table committed."
    return ""


def find_vault_key(path: Path) -> Path | None:
    """The file of a vault's key, if it is there and can be read."""
    try:
        with path.open("rb"):
            return path
    except OSError:
        return None
