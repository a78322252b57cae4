"""Checks of accounts: each event about one is possible, and each stored hash is the one that an event set."""

from collections.abc import Iterator

from feltlab.ledger.database import ACCOUNTS
from feltlab.ledger.event import HOUSE_CHAIN, Event
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.passwords import list_columns, list_hashes
from feltlab.pit.account_book import (
    ACCOUNT_KINDS,
    ADOPTED,
    CREATED,
    PASSWORD_CHANGED,
    PASSWORD_REHASHED,
    ROLE_CHANGED,
    AccountBook,
    AccountRecord,
)
from feltlab.pit.role_history import RoleHistory
from feltlab.text import listing

Sentences = Iterator[str]
HASHED_KINDS = (CREATED, PASSWORD_CHANGED, PASSWORD_REHASHED)
SIGNED_IN = "signed-in"


def check_account_event(event: Event, roles: RoleHistory) -> Sentences:
    """Is an event about an account possible after those before it? To be called before it is followed."""
    book = roles.book
    if event.kind == ADOPTED:
        yield from _check_adopted(event, book)
    elif event.kind in ACCOUNT_KINDS:
        yield from _check_change(event, book)
    elif event.kind == SIGNED_IN and event.data["role"] not in roles.roles_at(
        event.data["account"], event.at
    ):
        yield f"{event.data['account']} signed in as {event.data['role']}, which the account was not."


def _check_change(event: Event, book: AccountBook) -> Sentences:
    data, record = event.data, book.records.get(event.data["account"])
    if event.kind == CREATED and record:
        yield f"the account {record.name} exists already."
    if event.kind != CREATED and not record:
        yield f"there is no account {data['account']}."
    if event.kind == ROLE_CHANGED and record and record.account.role != data["was"]:
        yield f"{record.name} was {record.account.role}, not {data['was']}."
    is_bound = bool(book.records) and book.are_passwords_bound
    if event.kind in HASHED_KINDS and is_bound and not data.get("hash_digest"):
        yield "it does not name the hash of the password."


def _check_adopted(event: Event, book: AccountBook) -> Sentences:
    if book.is_adopted or (book.records and book.are_passwords_bound):
        yield "the accounts were on record already."
    adopted = {name: AccountRecord.parse(name, data) for name, data in event.data["accounts"].items()}
    for name in sorted({*adopted, *book.records}):
        due, found = _describe(book.records.get(name)), _describe(adopted.get(name))
        if due != found:
            yield f"{name} is adopted as {found}; the events before it give {due}."
    for name in event.data["differ"]:
        yield f"the row of {name} was not as the events before it give it."


def _describe(record: AccountRecord | None) -> str:
    if record is None:
        return "no account"
    return f"{'a disabled ' if record.account.disabled else ''}{record.account.role}"


# -- Rows -------------------------------------------------------------------------------------------


def check_hashes(ledger: Ledger, book: AccountBook) -> Iterator[tuple[int, str]]:
    """Is the table of hashes as the events made it? Yields the number of the last event, and a sentence.

    Somebody may change a password while the two are read, so a difference counts only if it is found twice.
    """
    first = set(_compare_hashes(ledger, book))
    wrong = first and first & set(_compare_hashes(ledger, book))
    yield from ((book.number, sentence) for sentence in sorted(wrong))


def _compare_hashes(ledger: Ledger, book: AccountBook) -> Sentences:
    hashes = dict(list_hashes(ledger))
    book.follow(ledger.events_of_kinds(HOUSE_CHAIN, ACCOUNT_KINDS, book.number))
    if not book.are_passwords_bound:
        return  # an old ledger that no server has opened since
    more = [name for name in list_columns(ledger) if name not in ACCOUNTS.columns]
    if more:
        yield f"the table of accounts has columns that it may not have: {listing(more)}."
    for name in sorted({*hashes, *book.records}):
        record = book.records.get(name)
        if record is None:
            yield f"the table of accounts has {name}, an account that no event created."
        elif name not in hashes:
            yield f"the table of accounts lacks {name}."
        elif not record.has_hash(hashes[name]):
            yield f"the password of {name} is not the one that an event set."
