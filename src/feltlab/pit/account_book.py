"""The account book: every account, folded from the chain of the house.

Role, state, creation and the moment from which sessions are valid come from events alone. The database keeps
one thing beside them, the hash of each password; the event that sets a password records the digest of that
hash, so a row that was exchanged, added or taken out does not match the book.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from feltlab.digests import sha256_hex
from feltlab.ledger.event import Event
from feltlab.pit.roles import Role

CREATED, ROLE_CHANGED = "account-created", "role-changed"
DISABLED, ENABLED = "account-disabled", "account-enabled"
PASSWORD_CHANGED, PASSWORD_REHASHED = "password-changed", "password-rehashed"
ADOPTED = "accounts-adopted"  # the accounts of a ledger from before their passwords were bound to events
EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class Account:
    name: str
    role: Role
    disabled: bool
    created: str  # as the ledger writes moments


@dataclass(frozen=True)
class AccountRecord:
    """An account, and what its sign-ins and sessions are checked against."""

    account: Account
    sessions_from: int  # microseconds: sessions from before are not valid
    hash_digest: str  # of the stored hash of its password; '' in old ledgers
    firm: str = ""  # of a maker: the account that was made with a code, from which this one comes

    @property
    def name(self) -> str:
        return self.account.name

    def has_hash(self, hashed: str) -> bool:
        """Whether an event set this hash."""
        return self.hash_digest == digest_hash(hashed)

    @property
    def is_active_administrator(self) -> bool:
        return self.account.role is Role.ADMINISTRATOR and not self.account.disabled

    def to_json(self) -> dict[str, Any]:
        """The record in the event that adopts it."""
        account = self.account
        return {
            "role": account.role.value,
            "disabled": account.disabled,
            "created": account.created,
            "sessions_from": self.sessions_from,
            "hash_digest": self.hash_digest,
        }

    @classmethod
    def parse(cls, name: str, data: Mapping[str, Any]) -> "AccountRecord":
        account = Account(name, Role.parse(data["role"]), data["disabled"], data["created"])
        return cls(account, data["sessions_from"], data["hash_digest"])


def digest_hash(hashed: str) -> str:
    """The digest by which events name the stored hash of a password; the hash has a salt of 128 bits."""
    return sha256_hex(hashed.encode())


def parse_moment(at: str) -> int:
    """A moment of the ledger in microseconds since 1970."""
    return (datetime.fromisoformat(at) - EPOCH) // MICROSECOND


class AccountBook:
    """The accounts after the events followed so far."""

    def __init__(self) -> None:
        self.records: dict[str, AccountRecord] = {}
        self.number = 0  # of the last event that changed an account
        self.is_adopted = False  # it began in an old ledger

    def follow(self, events: Iterable[Event]) -> None:
        """Follow events of the house; those that change no account are passed over."""
        for event in events:
            handler = _HANDLERS.get(event.kind)
            if handler:
                handler(self, event)
                self.number = event.number

    @property
    def has_administrator(self) -> bool:
        return any(record.is_active_administrator for record in list(self.records.values()))

    @property
    def are_passwords_bound(self) -> bool:
        """Whether events name every password's hash; they do not in an old ledger that nobody has opened."""
        return all(record.hash_digest for record in self.records.values())

    def _create(self, event: Event) -> None:
        account = Account(event.data["account"], Role.parse(event.data["role"]), False, event.at)
        digest, parent = event.data.get("hash_digest", ""), self.records.get(event.data.get("by", ""))
        is_branch = parent is not None and parent.account.role.side == account.role.side
        firm = (parent.firm or parent.name) if parent and is_branch else account.name
        self.records[account.name] = AccountRecord(account, parse_moment(event.at), digest, firm)

    def _change_role(self, event: Event) -> None:
        self._change(event, role=Role.parse(event.data["role"]))

    def _disable(self, event: Event) -> None:
        self._change(event, disabled=event.kind == DISABLED)

    def _change_password(self, event: Event) -> None:
        self._change(event)
        self._rehash(event)

    def _rehash(self, event: Event) -> None:
        """Take over another hash of the same password: sessions stay valid."""
        record = self.records.get(event.data["account"])
        if record:
            digest = event.data.get("hash_digest", "")
            self.records[record.name] = replace(record, hash_digest=digest)

    def _adopt(self, event: Event) -> None:
        adopted, self.is_adopted = event.data["accounts"].items(), True
        self.records = {name: AccountRecord.parse(name, data) for name, data in adopted}

    def _change(self, event: Event, **values: Any) -> None:
        record = self.records.get(event.data["account"])
        if record:
            account = replace(record.account, **values)
            changed = replace(record, account=account, sessions_from=parse_moment(event.at))
            self.records[record.name] = changed


_HANDLERS: Mapping[str, Callable[[AccountBook, Event], None]] = {
    CREATED: AccountBook._create,
    ROLE_CHANGED: AccountBook._change_role,
    DISABLED: AccountBook._disable,
    ENABLED: AccountBook._disable,
    PASSWORD_CHANGED: AccountBook._change_password,
    PASSWORD_REHASHED: AccountBook._rehash,
    ADOPTED: AccountBook._adopt,
}
ACCOUNT_KINDS = tuple(_HANDLERS)


def adopt_rows(book: AccountBook, rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The data of the event that adopts the accounts of an old ledger, from the rows of their table.

    Events decide on roles and on who is disabled. Names whose row says something else, or that no event
    created, are listed. An account without a row gets a digest that no hash has.
    """
    found = {row["name"]: row for row in rows}
    accounts = {name: _adopt_row(record, found.get(name)) for name, record in book.records.items()}
    differ = [name for name, row in found.items() if not _is_as_recorded(row, book.records.get(name))]
    adopted = {name: record.to_json() for name, record in accounts.items()}
    return {"accounts": adopted, "count": len(adopted), "differ": differ}


def _adopt_row(record: AccountRecord, row: Mapping[str, Any] | None) -> AccountRecord:
    if row is None:
        return replace(record, hash_digest=digest_hash(""))
    account = replace(record.account, created=row.get("created", record.account.created))
    sessions_from = int(row.get("sessions_valid_from", record.sessions_from))
    return AccountRecord(account, sessions_from, digest_hash(row["password"]))


def _is_as_recorded(row: Mapping[str, Any], record: AccountRecord | None) -> bool:
    if record is None:
        return False
    if "role" not in row:
        return True
    return (record.account.role, record.account.disabled) == (row["role"], bool(row["disabled"]))
