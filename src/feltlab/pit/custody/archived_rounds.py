"""Archived rounds: which rounds are in an archive, and in which."""

from feltlab.ledger.archive import ARCHIVED
from feltlab.ledger.event import HOUSE_CHAIN
from feltlab.ledger.ledger import Ledger


def describe_archived(ledger: Ledger, table: str, round: int) -> str:
    """Where an archived round is, in a sentence; '' if it is in no archive."""
    for event in ledger.events(HOUSE_CHAIN, kinds=(ARCHIVED,)):
        if 0 < round <= event.data["rounds"].get(table, 0):
            file, before = event.data["file"], event.data["before"][:10]
            where = f"Round {round} of {table} is in the archive {file} of the time before {before}"
            return f"{where}; `feltlab ledger replay {table}:{round} --database {file}` shows it."
    return ""
