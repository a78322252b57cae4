"""Accounts: who is who, and what each role may do.

Passwords are kept as Argon2id hashes, and no event, text or message has either. Hashing takes some fifty
milliseconds on purpose, so a server calls what takes a password in a thread. Guests have no account: a
signed session is all there is of them, and the cage knows their money.
"""

import re
import secrets
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
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
from feltlab.pit.roles import Role

CHAIN = HOUSE_CHAIN
ADMIN = "admin"  # the administrator of the first start
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{1,31}")
PASSWORD = range(10, 201)  # characters
GUEST_PREFIX = "guest-"
LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # none that look alike
FRESH = 2.0  # seconds until a change by another process is seen
WRONG = "The name or the password is not right."
HASHER = PasswordHasher(time_cost=2, memory_cost=32 * 1024, parallelism=1)


# -- Accounts ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Account:
    name: str
    role: Role
    disabled: bool
    created: str  # as the ledger writes moments


@dataclass(frozen=True)
class AccountChange:
    """What was done to an account, or by it, and what is to be written down about that."""

    account: Account
    drafts: tuple[Draft, ...]
    at: int  # microseconds: sessions that follow from this are issued as of then
    password: str = field(default="", repr=False)  # if one was made up: to be shown once


class SignInRefused(Refused):
    """A name and password that open nothing, and what is to be written down about that."""

    def __init__(self, sentence: str, why: str, account: str | None) -> None:
        super().__init__(sentence)
        self.drafts = (Draft(CHAIN, "sign-in-refused", {"account": account, "why": why}),)


def microseconds() -> int:
    """This moment, since 1970."""
    return time.time_ns() // 1000


def guest() -> Account:
    """Someone new, with fifty random bits in the name: nobody meets another's money by chance."""
    first, last = ("".join(secrets.choice(LETTERS) for _ in range(5)) for _ in range(2))
    return Account(f"{GUEST_PREFIX}{first}-{last}", Role.GUEST, disabled=False, created=now())


def read_name(text: str) -> str:
    """The name of an account that may be made."""
    name = text.lower()
    if not (text.isascii() and NAME.fullmatch(name)):
        raise Refused(
            "A name has 2 to 32 characters: letters a to z, digits, and after the first also - _ and dots."
        )
    if name.startswith(GUEST_PREFIX):
        raise Refused(f"Names that begin with {GUEST_PREFIX} are for guests.")
    if name == HOUSE_ACTOR:
        raise Refused(f"{HOUSE_ACTOR!r} is who acts where nobody did.")
    return name


def read_password(text: str, name: str) -> str:
    """A password as it is hashed: one way to write what keyboards write in several."""
    if len(text) not in PASSWORD:
        raise Refused(f"A password has {PASSWORD[0]} to {PASSWORD[-1]} characters.")
    if text.casefold() == name:
        raise Refused("A password may not be the name.")
    if not _is_text(text):
        raise Refused("That password has characters that are no text.")
    return unicodedata.normalize("NFKC", text)


def _is_text(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)  # half characters


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


class Accounts:
    """The accounts in a database. Every change ends the sessions of its account.

    Threads may share it. What changes an account returns what is to be written in the house's chain.
    """

    def __init__(
        self,
        engine: Engine,
        hasher: PasswordHasher = HASHER,
        clock: Callable[[], int] = microseconds,
        reading: Engine | None = None,  # waits for no writer, where there is one
    ) -> None:
        self._engine, self._hasher, self._clock = engine, hasher, clock
        self._reading = reading or engine
        self._nobody = hasher.hash(secrets.token_urlsafe())  # what an unknown name is checked against
        self._changing = Lock()
        self._seen: dict[str, tuple[float, int | None]] = {}  # until when, and what `sessions_from` says
        METADATA.create_all(engine)

    @contextmanager
    def _open_reading(self) -> Iterator[Connection]:
        with _name_failures(), self._reading.connect() as connection:
            yield connection

    @contextmanager
    def _open_writing(self) -> Iterator[Connection]:
        with _name_failures(), self._engine.begin() as connection:
            yield connection

    # -- To read ----------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Account:
        with self._open_reading() as connection:
            return _account(_row(connection, name))

    def all(self) -> tuple[Account, ...]:
        with self._open_reading() as connection:
            return tuple(map(_account, connection.execute(select(ACCOUNTS).order_by(ACCOUNTS.c.name))))

    def sessions_from(self, name: str) -> int | None:
        """The moment from which sessions of this account are valid; None if none is."""
        if name.startswith(GUEST_PREFIX):
            return 0
        until, found = self._seen.get(name, (0.0, None))
        if time.monotonic() < until:
            return found
        with self._changing:  # or an answer from before a change could be remembered after it
            return self._look_up(name)

    def _look_up(self, name: str) -> int | None:
        columns = select(ACCOUNTS.c.sessions_valid_from, ACCOUNTS.c.disabled).where(ACCOUNTS.c.name == name)
        with self._open_reading() as connection:
            row = connection.execute(columns).one_or_none()
        found = None if row is None or row.disabled else int(row.sessions_valid_from)
        self._seen[name] = time.monotonic() + FRESH, found
        return found

    # -- With a password: some fifty milliseconds each -----------------------------------------------

    def create(self, name: str, password: str, role: Role = Role.PLAYER, by: str = "") -> AccountChange:
        """A new account; players make their own, and `by` is who makes another's."""
        name = read_name(name)
        if role is Role.GUEST:
            raise Refused("Guests have no account.")
        hashed, at = self._hasher.hash(read_password(password, name)), self._clock()
        account = Account(name, role, disabled=False, created=now())
        self._insert(account, hashed, at)
        return _change("account-created", account, at, role=role.value, by=by or name)

    def sign_in(self, name: str, password: str) -> AccountChange:
        """Staff is written down, and so is every refusal; a name that is unknown could be a password
        in the wrong field, so it is not."""
        at = self._clock()
        row = self._verified(name, password)
        account, at = _account(row), max(at, row.sessions_valid_from)  # a clock may have been set back
        if self._hasher.check_needs_rehash(row.password):
            self._rehash(row, password)
        if not account.role.is_staff:
            return AccountChange(account, (), at)
        return _change("signed-in", account, at, role=account.role.value)

    def change_password(self, name: str, old: str, new: str) -> AccountChange:
        row = self._verified(name, old)
        hashed = self._hasher.hash(read_password(new, row.name))
        _, account, at = self._update(row.name, {"password": hashed}, ACCOUNTS.c.password == row.password)
        return _change("password-changed", account, at, by=account.name)

    def reset_password(self, name: str, by: str) -> AccountChange:
        """A password that was made up, for who has forgotten the old one."""
        made = _made_up()
        _, account, at = self._update(name, {"password": self._hasher.hash(made)})
        return replace(_change("password-changed", account, at, by=by), password=made)

    def ensure_administrator(self) -> AccountChange | None:
        """At the first start there is nobody to make accounts: an administrator with a made-up password.

        None if there is an administrator.
        """
        with self._open_writing() as connection:
            if _administrators(connection):
                return None
        made = _made_up()
        return replace(self.create(ADMIN, made, Role.ADMINISTRATOR, by=HOUSE_ACTOR), password=made)

    # -- Without ------------------------------------------------------------------------------------

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

    # -- Rows -----------------------------------------------------------------------------------------

    def _verified(self, name: str, password: str) -> Row[Any]:
        """The row of a name whose password this is; an unknown name takes as long as a wrong password."""
        row = self._found(name.lower())
        right = self._fits(row.password if row else self._nobody, password)
        if row is None:
            raise SignInRefused(WRONG, "unknown name", None)
        if not right:
            raise SignInRefused(WRONG, "wrong password", row.name)
        if row.disabled:
            raise SignInRefused("This account is disabled.", "disabled", row.name)
        return row

    def _found(self, name: str) -> Row[Any] | None:
        if not NAME.fullmatch(name):
            return None
        with self._open_reading() as connection:
            return connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.name == name)).one_or_none()

    def _fits(self, hashed: str, password: str) -> bool:
        possible = len(password) in PASSWORD and _is_text(password)
        try:
            return self._hasher.verify(hashed, unicodedata.normalize("NFKC", password) if possible else "")
        except (VerificationError, InvalidHashError):
            return False

    def _rehash(self, row: Row[Any], password: str) -> None:
        """With today's parameters, unless the password was changed in between; sessions go on."""
        hashed = self._hasher.hash(unicodedata.normalize("NFKC", password))
        same = (ACCOUNTS.c.name == row.name, ACCOUNTS.c.password == row.password)
        with self._changing, self._open_writing() as connection:
            connection.execute(update(ACCOUNTS).where(*same).values(password=hashed))

    def _insert(self, account: Account, hashed: str, at: int) -> None:
        values = {"name": account.name, "role": account.role.value, "created": account.created}
        row = values | {"password": hashed, "disabled": False, "sessions_valid_from": at}
        try:
            with self._changing, self._open_writing() as connection:
                connection.execute(insert(ACCOUNTS).values(row))
                self._seen.pop(account.name, None)
        except IntegrityError:
            raise Refused(f"The name {account.name} is taken.") from None

    def _update(
        self, name: str, values: dict[str, Any], *only_if: ColumnElement[bool]
    ) -> tuple[Account, Account, int]:
        """The account before and after, and the moment of the change."""
        with self._changing:
            with self._open_writing() as connection:
                before, at = _row(connection, name.lower()), self._clock()
                of_it = update(ACCOUNTS).where(ACCOUNTS.c.name == before.name, *only_if)
                if not connection.execute(of_it.values(sessions_valid_from=at, **values)).rowcount:
                    raise Refused("The account was changed at the same moment; try again.")
                if _at_work(before) and not _administrators(connection):
                    raise Refused("There must be an administrator; make another one first.")
                after = _row(connection, before.name)
            self._seen.pop(before.name, None)
        return _account(before), _account(after), at


@contextmanager
def _name_failures() -> Iterator[None]:
    """Turn an error of the database into a sentence; a name that is taken is not one."""
    try:
        yield
    except IntegrityError:
        raise
    except SQLAlchemyError:
        raise LedgerDown("The accounts cannot be read or written just now.") from None


def _row(connection: Connection, name: str) -> Row[Any]:
    row = connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.name == name)).one_or_none()
    if row is None:
        raise Unknown(f"There is no account {name!r}.")
    return row


def _administrators(connection: Connection) -> bool:
    """Is one at work? Held where the database can, so that two changes at once do not take the last two."""
    administrators = select(ACCOUNTS).where(ACCOUNTS.c.role == Role.ADMINISTRATOR.value)
    return any(map(_at_work, connection.execute(administrators.with_for_update()).all()))


def _at_work(row: Row[Any]) -> bool:
    return row.role == Role.ADMINISTRATOR and not row.disabled


def _account(row: Row[Any]) -> Account:
    return Account(row.name, Role(row.role), row.disabled, row.created)


def _change(kind: str, account: Account, at: int, **data: str) -> AccountChange:
    return AccountChange(account, (Draft(CHAIN, kind, {"account": account.name} | data),), at)


def _made_up() -> str:
    return secrets.token_urlsafe(15)
