"""Accounts: names, roles and passwords.

Passwords are stored as Argon2id hashes; no event and no message contains a password or a hash. Hashing
takes about fifty milliseconds on purpose, so a server calls the methods that take a password in a thread.
Guests have no account: all that exists of them is a signed session, and their balance at the cage.
"""

import re
import secrets
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from threading import Lock
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Engine,
    MetaData,
    Row,
    String,
    Table,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import HOUSE_ACTOR, HOUSE_CHAIN, Draft, now
from feltlab.ledger.ledger import LedgerDown
from feltlab.pit.players.names import GUEST_PREFIX, is_guest, new_guest_account
from feltlab.pit.roles import Role

ADMIN = "admin"  # the administrator of the first start
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{1,31}")
PASSWORD_CHARS = range(10, 201)
CACHE_SECONDS = 2.0  # until a change by another process is seen
WRONG = "The name or the password is wrong."
UNREACHABLE = "The accounts cannot be read or written at present."
HASHER = PasswordHasher(time_cost=2, memory_cost=32 * 1024, parallelism=1)


@dataclass(frozen=True)
class Account:
    name: str
    role: Role
    disabled: bool
    created: str  # as the ledger writes moments


@dataclass(frozen=True)
class AccountChange:
    """A change of an account or a sign-in, and the drafts that record it."""

    account: Account
    drafts: tuple[Draft, ...]
    at: int  # microseconds: a session that follows is issued as of then
    password: str = field(default="", repr=False)  # a generated one, to be shown once


class SignInRefused(Refused):
    """A refused sign-in, and the drafts that record it."""

    def __init__(self, sentence: str, why: str, account: str | None) -> None:
        super().__init__(sentence)
        self.drafts = (Draft(HOUSE_CHAIN, "sign-in-refused", {"account": account, "why": why}),)


def now_microseconds() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


def create_guest(name: str = "") -> Account:
    """A new guest who is called this; fifty random bits in the account's name keep balances apart."""
    return Account(new_guest_account(name), Role.GUEST, disabled=False, created=now())


def parse_name(text: str) -> str:
    """The name of a new account, in small letters."""
    name = text.lower()
    if not (text.isascii() and NAME.fullmatch(name)):
        raise Refused(
            "A name has 2 to 32 characters: letters a to z, digits, and after the first also - _ and dots."
        )
    if is_guest(name):
        raise Refused(f"Names that begin with {GUEST_PREFIX} are for guests.")
    if name == HOUSE_ACTOR:
        raise Refused(f"The name {HOUSE_ACTOR!r} is reserved for automatic actions.")
    return name


def normalise_password(text: str, name: str) -> str:
    """A new password as it is hashed: keyboards encode the same text in several ways."""
    if len(text) not in PASSWORD_CHARS:
        raise Refused(f"A password has {PASSWORD_CHARS[0]} to {PASSWORD_CHARS[-1]} characters.")
    if text.casefold() == name:
        raise Refused("A password may not be the name.")
    if not _is_text(text):
        raise Refused("The password contains characters that are not text.")
    return unicodedata.normalize("NFKC", text)


def _is_text(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)  # halves of characters


# -- The store --------------------------------------------------------------------------------------

METADATA = MetaData()
ACCOUNTS = Table(
    "accounts",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("role", String(16), nullable=False),
    Column("password", String(255), nullable=False),  # its hash
    Column("disabled", Boolean, nullable=False),
    Column("created", String(40), nullable=False),
    Column("sessions_valid_from", BigInteger, nullable=False),  # microseconds
)


@cache  # once for a process: it is as slow as a sign-in
def _hash_unknown_password(hasher: PasswordHasher) -> str:
    """The hash that is checked for an unknown name: that of a password that nobody knows."""
    return hasher.hash(secrets.token_urlsafe())


class Accounts:
    """The accounts in a database. Every change ends the sessions of its account.

    Threads may share it. A method that changes an account returns the drafts for the chain of the house;
    one that cannot reach the database raises `LedgerDown`.
    """

    def __init__(
        self,
        engine: Engine,
        hasher: PasswordHasher = HASHER,
        clock: Callable[[], int] = now_microseconds,
        reading: Engine | None = None,  # never waits for a writer, if the database has such an engine
    ) -> None:
        self._engine, self._hasher, self._clock = engine, hasher, clock
        self._reading_engine = reading or engine
        self._unknown_hash = _hash_unknown_password(hasher)
        self._changing = Lock()
        self._cache: dict[str, tuple[float, int | None]] = {}  # the end of validity, and `sessions_from`
        with _translate_errors():
            METADATA.create_all(engine)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with _translate_errors(), self._reading_engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with _translate_errors(), self._engine.begin() as connection:
            yield connection

    # -- Reading ------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Account:
        with self._reading() as connection:
            return _account(_row(connection, name))

    def all(self) -> tuple[Account, ...]:
        with self._reading() as connection:
            return tuple(map(_account, connection.execute(select(ACCOUNTS).order_by(ACCOUNTS.c.name))))

    def sessions_from(self, name: str) -> int | None:
        """The moment in microseconds from which sessions of an account are valid; None if none are."""
        if is_guest(name):
            return 0
        until, moment = self._cache.get(name, (0.0, None))
        if time.monotonic() < until:
            return moment
        with self._changing:  # otherwise a value from before a change could be cached after it
            return self._look_up(name)

    def _look_up(self, name: str) -> int | None:
        columns = select(ACCOUNTS.c.sessions_valid_from, ACCOUNTS.c.disabled).where(ACCOUNTS.c.name == name)
        with self._reading() as connection:
            row = connection.execute(columns).one_or_none()
        moment = None if row is None or row.disabled else int(row.sessions_valid_from)
        self._cache[name] = time.monotonic() + CACHE_SECONDS, moment
        return moment

    # -- With a password: about fifty milliseconds each ---------------------------------------------

    def create(self, name: str, password: str, role: Role = Role.PLAYER, by: str = "") -> AccountChange:
        """Create an account; `by` names the creator, where it is not the new player."""
        name = parse_name(name)
        if role is Role.GUEST:
            raise Refused("Guests have no account.")
        hashed, at = self._hasher.hash(normalise_password(password, name)), self._clock()
        account = Account(name, role, disabled=False, created=now())
        self._insert(account, hashed, at)
        return _change("account-created", account, at, role=role.value, by=by or name)

    def sign_in(self, name: str, password: str) -> AccountChange:
        """Check a name and a password.

        Sign-ins of staff and all refusals are recorded, but never an unknown name, which may be a password
        in the wrong field.
        """
        at = self._clock()
        row = self._verify(name, password)
        account, at = _account(row), max(at, row.sessions_valid_from)  # the clock may have been set back
        if self._hasher.check_needs_rehash(row.password):
            self._rehash(row, password)
        if not account.role.is_staff:
            return AccountChange(account, (), at)
        return _change("signed-in", account, at, role=account.role.value)

    def change_password(self, name: str, old: str, new: str) -> AccountChange:
        row = self._verify(name, old)
        hashed = self._hasher.hash(normalise_password(new, row.name))
        _, account, at = self._update(row.name, {"password": hashed}, ACCOUNTS.c.password == row.password)
        return _change("password-changed", account, at, by=account.name)

    def reset_password(self, name: str, by: str) -> AccountChange:
        """Replace a forgotten password by a generated one."""
        password = _generate_password()
        _, account, at = self._update(name, {"password": self._hasher.hash(password)})
        return replace(_change("password-changed", account, at, by=by), password=password)

    def ensure_administrator(self) -> AccountChange | None:
        """Create an administrator with a generated password at the first start; None if there is one."""
        with self._writing() as connection:
            if _has_administrator(connection):
                return None
        password = _generate_password()
        return replace(self.create(ADMIN, password, Role.ADMINISTRATOR, by=HOUSE_ACTOR), password=password)

    # -- Without a password -------------------------------------------------------------------------

    def set_role(self, name: str, role: Role, by: str) -> AccountChange:
        if role is Role.GUEST:
            raise Refused("Guests have no account.")
        before, account, at = self._update(name, {"role": role.value})
        return _change("role-changed", account, at, role=role.value, was=before.role.value, by=by)

    def disable(self, name: str, by: str) -> AccountChange:
        _, account, at = self._update(name, {"disabled": True})
        return _change("account-disabled", account, at, by=by)

    def enable(self, name: str, by: str) -> AccountChange:
        _, account, at = self._update(name, {"disabled": False})
        return _change("account-enabled", account, at, by=by)

    # -- Rows ---------------------------------------------------------------------------------------

    def _verify(self, name: str, password: str) -> Row[Any]:
        """The row of a name with this password; an unknown name takes as long as a wrong password."""
        row = self._find(name.lower())
        right = self._matches(row.password if row else self._unknown_hash, password)
        if row is None:
            raise SignInRefused(WRONG, "unknown name", None)
        if not right:
            raise SignInRefused(WRONG, "wrong password", row.name)
        if row.disabled:
            raise SignInRefused("This account is disabled.", "disabled", row.name)
        return row

    def _find(self, name: str) -> Row[Any] | None:
        if not NAME.fullmatch(name):
            return None
        with self._reading() as connection:
            return connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.name == name)).one_or_none()

    def _matches(self, hashed: str, password: str) -> bool:
        is_possible = len(password) in PASSWORD_CHARS and _is_text(password)
        try:
            return self._hasher.verify(hashed, unicodedata.normalize("NFKC", password) if is_possible else "")
        except (VerificationError, InvalidHashError):
            return False

    def _rehash(self, row: Row[Any], password: str) -> None:
        """Hash a password with today's parameters, unless it was changed meanwhile; sessions stay valid."""
        hashed = self._hasher.hash(unicodedata.normalize("NFKC", password))
        same = (ACCOUNTS.c.name == row.name, ACCOUNTS.c.password == row.password)
        with self._changing, self._writing() as connection:
            connection.execute(update(ACCOUNTS).where(*same).values(password=hashed))

    def _insert(self, account: Account, hashed: str, at: int) -> None:
        values = {"name": account.name, "role": account.role.value, "created": account.created}
        row = values | {"password": hashed, "disabled": False, "sessions_valid_from": at}
        try:
            with self._changing, self._writing() as connection:
                connection.execute(insert(ACCOUNTS).values(row))
                self._cache.pop(account.name, None)
        except IntegrityError:
            raise Refused(f"The name {account.name} is taken.") from None

    def _update(
        self, name: str, values: dict[str, Any], *only_if: ColumnElement[bool]
    ) -> tuple[Account, Account, int]:
        """The account before and after, and the moment of the change."""
        with self._changing:
            with self._writing() as connection:
                before, at = _row(connection, name.lower()), self._clock()
                change = update(ACCOUNTS).where(ACCOUNTS.c.name == before.name, *only_if)
                if not connection.execute(change.values(sessions_valid_from=at, **values)).rowcount:
                    raise Refused("The account was changed at the same moment; try again.")
                if _is_active_administrator(before) and not _has_administrator(connection):
                    raise Refused("There must be an administrator; create another one first.")
                after = _row(connection, before.name)
            self._cache.pop(before.name, None)
        return _account(before), _account(after), at


def _row(connection: Connection, name: str) -> Row[Any]:
    row = connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.name == name)).one_or_none()
    if row is None:
        raise Unknown(f"There is no account {name!r}.")
    return row


def _has_administrator(connection: Connection) -> bool:
    """Is an administrator active? Locks the rows, so that two changes at once do not remove the last two."""
    administrators = select(ACCOUNTS).where(ACCOUNTS.c.role == Role.ADMINISTRATOR.value)
    return any(map(_is_active_administrator, connection.execute(administrators.with_for_update()).all()))


def _is_active_administrator(row: Row[Any]) -> bool:
    return row.role == Role.ADMINISTRATOR and not row.disabled


def _account(row: Row[Any]) -> Account:
    return Account(row.name, Role(row.role), row.disabled, row.created)


def _change(kind: str, account: Account, at: int, **data: str) -> AccountChange:
    return AccountChange(account, (Draft(HOUSE_CHAIN, kind, {"account": account.name} | data),), at)


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise `LedgerDown` for a database error; a duplicate name is the caller's to handle."""
    try:
        yield
    except IntegrityError:
        raise
    except SQLAlchemyError as error:
        raise LedgerDown(UNREACHABLE) from error


def _generate_password() -> str:
    return secrets.token_urlsafe(15)
