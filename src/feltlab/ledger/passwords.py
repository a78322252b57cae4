"""The hashes of passwords, the one thing about accounts that is in the database and not in events.

They are written in the transaction of the event that names their digest. A ledger from before that kept whole
accounts in their table; they are adopted by an event once, and the other columns are dropped.
"""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Column, MetaData, Table, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError

from feltlab.ledger.database import ACCOUNTS, LedgerDown, reason_of
from feltlab.ledger.ledger import Ledger

OLD_COLUMNS = ("role", "disabled", "created", "sessions_valid_from")


def load_hash(ledger: Ledger, name: str) -> str | None:
    """The hash of an account's password; None if there is no row of the name."""
    query = select(ACCOUNTS.c.password).where(ACCOUNTS.c.name == name)
    return next((row[0] for row in ledger.rows(query)), None)


def list_hashes(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """Every name with its hash, as far as the ledger has such a table."""
    if list_columns(ledger):
        yield from (tuple(row) for row in ledger.rows(select(ACCOUNTS).order_by(ACCOUNTS.c.name)))


def list_columns(ledger: Ledger) -> list[str]:
    """The columns of the table of hashes; none if it is missing."""
    with ledger.reading() as connection:
        inspector = inspect(connection)
        found = inspector.get_columns(ACCOUNTS.name) if inspector.has_table(ACCOUNTS.name) else []
    return [column["name"] for column in found]


def has_old_form(ledger: Ledger) -> bool:
    """Whether the table still has the columns of whole accounts."""
    return set(OLD_COLUMNS) <= set(list_columns(ledger))


def read_rows(ledger: Ledger) -> list[dict[str, Any]]:
    """The rows of the table, with the columns of whole accounts if it has them."""
    names = (*ACCOUNTS.columns.keys(), *(OLD_COLUMNS if has_old_form(ledger) else ()))
    old = Table(ACCOUNTS.name, MetaData(), *(Column(name) for name in names))
    return [dict(zip(names, row, strict=True)) for row in ledger.rows(select(old).order_by(old.c.name))]


def drop_old_columns(ledger: Ledger) -> None:
    """Drop everything but the hashes, once an event has adopted the accounts."""
    if_exists = "" if ledger.database.is_file else "IF EXISTS "  # another server may have dropped them
    try:
        with ledger.database.writing.begin() as connection:
            for name in OLD_COLUMNS:
                connection.execute(text(f"ALTER TABLE {ACCOUNTS.name} DROP COLUMN {if_exists}{name}"))
    except SQLAlchemyError as error:
        raise LedgerDown(f"The ledger cannot be written: {reason_of(error)}.") from error
