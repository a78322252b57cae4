"""Accounts: names, roles and passwords.

All that is known of an account comes from events of the house (`account_book.py`), but for the Argon2id hash
of its password, which is in the database and whose digest is in an event. No event and no message contains a
password or a hash. Hashing takes about fifty milliseconds on purpose, so a server calls the methods that take
a password in a thread. Guests have no account: all that exists of them is a signed session, and their balance
at the cage.
"""

import re
import secrets
import time
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from threading import Lock

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import HOUSE_ACTOR, HOUSE_CHAIN, Draft, Entry, LastSeen, now
from feltlab.ledger.ledger import Ledger, Overtaken
from feltlab.ledger.passwords import drop_old_columns, has_old_form, load_hash, read_rows
from feltlab.pit.account_book import (
    ACCOUNT_KINDS,
    ADOPTED,
    CREATED,
    DISABLED,
    ENABLED,
    PASSWORD_CHANGED,
    PASSWORD_REHASHED,
    ROLE_CHANGED,
    Account,
    AccountBook,
    AccountRecord,
    adopt_rows,
    digest_hash,
)
from feltlab.pit.players.names import GUEST_PREFIX, is_guest, new_guest_account
from feltlab.pit.roles import Role, check_same_side

__all__ = ["Account", "AccountChange", "Accounts", "SignInRefused"]

ADMIN = "admin"  # the administrator of the first start
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{1,31}")
PASSWORD_CHARS = range(10, 201)
CACHE_SECONDS = 2.0  # until a change by another process is seen
MAX_TRIES = 10  # to write a change, while other processes write others
WRONG = "The name or the password is wrong."
MISMATCH = "The account's record does not match the ledger."
OVERTAKEN = "The account was changed at the same moment; try again."
HASHER = PasswordHasher(time_cost=2, memory_cost=32 * 1024, parallelism=1)


@dataclass(frozen=True)
class AccountChange:
    """A change of an account that is on record, or a sign-in with the drafts that record it."""

    account: Account
    at: int  # microseconds: a session that follows is issued as of then
    drafts: tuple[Draft, ...] = ()
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

Plan = Callable[[], tuple[Draft, dict[str, str]]]  # an event about an account, and hashes by name


@cache  # once for a process: it is as slow as a sign-in
def _hash_unknown_password(hasher: PasswordHasher) -> str:
    """The hash that is checked for an unknown name: that of a password that nobody knows."""
    return hasher.hash(secrets.token_urlsafe())


class Accounts:
    """The accounts of a ledger. Every change is written at once, and ends the sessions of its account.

    Threads may share it, and servers may share its ledger: a change is written only if no other has been
    since its author looked. A method that cannot reach the database raises `LedgerDown`.
    """

    def __init__(
        self,
        ledger: Ledger,
        hasher: PasswordHasher = HASHER,
        clock: Callable[[], int] = now_microseconds,
    ) -> None:
        self._ledger, self._hasher, self._clock = ledger, hasher, clock
        self._unknown_hash = _hash_unknown_password(hasher)
        self._changing, self._following = Lock(), Lock()
        self._book, self._followed = AccountBook(), 0.0  # when new events were looked for
        self._follow()
        self._upgrade()

    # -- Reading ------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Account:
        self._follow()
        return self._record(name).account

    def all(self) -> tuple[Account, ...]:
        self._follow()
        return tuple(record.account for _, record in sorted(self._book.records.items()))

    def firm_of(self, name: str) -> str:
        """The firm of a maker's account, by the name of its first one; any other account is its own."""
        self._follow()
        record = self._book.records.get(name)
        return (record.firm if record else "") or name

    def sessions_from(self, name: str) -> int | None:
        """The moment in microseconds from which sessions of an account are valid; None if none are."""
        if is_guest(name):
            return 0
        if time.monotonic() - self._followed >= CACHE_SECONDS:
            self._follow()
        record = self._book.records.get(name)
        return None if record is None or record.account.disabled else record.sessions_from

    def _record(self, name: str) -> AccountRecord:
        record = self._book.records.get(name.lower())
        if record is None:
            raise Unknown(f"There is no account {name.lower()!r}.")
        return record

    def _follow(self) -> None:
        """Follow the events that were written since the last look, by any process."""
        with self._following:
            looked = time.monotonic()
            self._book.follow(self._ledger.events_of_kinds(HOUSE_CHAIN, ACCOUNT_KINDS, self._book.number))
            self._followed = looked

    # -- With a password: about fifty milliseconds each ---------------------------------------------

    def create(
        self,
        name: str,
        password: str,
        role: Role = Role.PLAYER,
        by: str = "",
        code: str = "",
        check: Callable[[], object] | None = None,
    ) -> AccountChange:
        """Create an account; `by` names the creator, if somebody else creates it.

        `code` is the digest of the one-time code with which the first account of a side is created; `check`
        refuses one that was spent meanwhile.
        """
        name = parse_name(name)
        if role is Role.GUEST:
            raise Refused("Guests have no account.")
        hashed = self._hasher.hash(normalise_password(password, name))
        spent = {"code": code} if code else {}

        def plan() -> tuple[Draft, dict[str, str]]:
            if name in self._book.records:
                raise Refused(f"The name {name} is taken.")
            if check:
                check()
            return _draft(CREATED, name, hashed, role=role.value, by=by or name, **spent)

        return self._write(plan)

    def sign_in(self, name: str, password: str) -> AccountChange:
        """Check a name and a password.

        Sign-ins of staff and all refusals are recorded, but never an unknown name, which may be a password
        in the wrong field.
        """
        at = self._clock()
        record, hashed = self._verify(name, password)
        account, at = record.account, max(at, record.sessions_from)  # the clock may have been set back
        if self._hasher.check_needs_rehash(hashed):
            self._rehash(record, password)
        if not account.role.is_staff:
            return AccountChange(account, at)
        data = {"account": account.name, "role": account.role.value}
        return AccountChange(account, at, (Draft(HOUSE_CHAIN, "signed-in", data),))

    def change_password(self, name: str, old: str, new: str) -> AccountChange:
        record, _ = self._verify(name, old)
        hashed = self._hasher.hash(normalise_password(new, record.name))
        return self._replace_hash(PASSWORD_CHANGED, record, hashed, by=record.name)

    def reset_password(self, name: str, by: str) -> AccountChange:
        """Replace a forgotten password by a generated one."""
        password = _generate_password()
        hashed = self._hasher.hash(password)
        change = self._write(lambda: _draft(PASSWORD_CHANGED, self._record(name).name, hashed, by=by))
        return replace(change, password=password)

    def ensure_administrator(self) -> AccountChange | None:
        """Create an administrator with a generated password at the first start; None if there is one."""
        self._follow()
        if self._book.has_administrator:
            return None
        password = _generate_password()
        try:
            made = self.create(ADMIN, password, Role.ADMINISTRATOR, by=HOUSE_ACTOR)
        except Refused:
            if self._book.has_administrator:  # another server was faster
                return None
            raise
        return replace(made, password=password)

    # -- Without a password -------------------------------------------------------------------------

    def set_role(self, name: str, role: Role, by: str) -> AccountChange:
        if role is Role.GUEST:
            raise Refused("Guests have no account.")

        def plan() -> tuple[Draft, dict[str, str]]:
            record = self._record(name)
            check_same_side(record.account.role, role)  # no change of role leads to another side
            if role is not Role.ADMINISTRATOR:
                self._check_dispensable(record)
            was = record.account.role.value
            return _draft(ROLE_CHANGED, record.name, role=role.value, was=was, by=by)

        return self._write(plan)

    def disable(self, name: str, by: str) -> AccountChange:
        def plan() -> tuple[Draft, dict[str, str]]:
            record = self._record(name)
            self._check_dispensable(record)
            return _draft(DISABLED, record.name, by=by)

        return self._write(plan)

    def enable(self, name: str, by: str) -> AccountChange:
        return self._write(lambda: _draft(ENABLED, self._record(name).name, by=by))

    def _check_dispensable(self, record: AccountRecord) -> None:
        """Refuse to lose the last administrator."""
        others = (one for name, one in self._book.records.items() if name != record.name)
        if record.is_active_administrator and not any(one.is_active_administrator for one in others):
            raise Refused("There must be an administrator; create another one first.")

    # -- Passwords ----------------------------------------------------------------------------------

    def _verify(self, name: str, password: str) -> tuple[AccountRecord, str]:
        """The account with this password, and the hash; an unknown name takes as long as a wrong password."""
        name = name.lower()
        record, hashed = self._find(name) if NAME.fullmatch(name) else (None, None)
        right = self._is_right(hashed or self._unknown_hash, password)
        if record is None and hashed is None:
            raise SignInRefused(WRONG, "unknown name", None)
        if record is None or hashed is None or not record.has_hash(hashed):
            raise SignInRefused(MISMATCH, "its record does not match the ledger", name)
        if not right:
            raise SignInRefused(WRONG, "wrong password", name)
        if record.account.disabled:
            raise SignInRefused("This account is disabled.", "disabled", name)
        return record, hashed

    def _find(self, name: str) -> tuple[AccountRecord | None, str | None]:
        """An account and the hash beside it; looks again if a password may have changed between the two."""
        for _ in range(2):
            self._follow()
            record, hashed = self._book.records.get(name), load_hash(self._ledger, name)
            if record and hashed is not None and record.has_hash(hashed):
                break
        return record, hashed

    def _is_right(self, hashed: str, password: str) -> bool:
        is_possible = len(password) in PASSWORD_CHARS and _is_text(password)
        try:
            return self._hasher.verify(hashed, unicodedata.normalize("NFKC", password) if is_possible else "")
        except (VerificationError, InvalidHashError):
            return False

    def _rehash(self, record: AccountRecord, password: str) -> None:
        """Hash a password with today's parameters, unless it was changed meanwhile; sessions stay valid."""
        hashed = self._hasher.hash(unicodedata.normalize("NFKC", password))
        with suppress(Refused):
            self._replace_hash(PASSWORD_REHASHED, record, hashed)

    def _replace_hash(self, kind: str, record: AccountRecord, hashed: str, **data: str) -> AccountChange:
        """Replace the hash that a password was checked against, if it is still in use."""

        def plan() -> tuple[Draft, dict[str, str]]:
            if self._record(record.name).hash_digest != record.hash_digest:
                raise Refused(OVERTAKEN)
            return _draft(kind, record.name, hashed, **data)

        return self._write(plan)

    # -- Writing ------------------------------------------------------------------------------------

    def _write(self, plan: Plan) -> AccountChange:
        """Write the event that a plan makes of the accounts as they are, and follow it."""
        with self._changing:
            for _ in range(MAX_TRIES):
                self._follow()
                number = self._book.number  # readers may follow newer events while the plan is made
                draft, passwords = plan()
                with suppress(Overtaken):
                    self._append(draft, passwords, number)
                    self._follow()
                    record = self._record(draft.data["account"])
                    return AccountChange(record.account, record.sessions_from)
        raise Refused(OVERTAKEN)

    def _append(self, draft: Draft, passwords: dict[str, str], number: int) -> None:
        seen = LastSeen(HOUSE_CHAIN, number, ACCOUNT_KINDS)
        self._ledger.append_blocking(Entry((draft,), passwords=passwords, seen=(seen,)))

    def _upgrade(self) -> None:
        """Put the accounts of an old ledger on record once, and drop all but the hashes from their table."""
        if not self._book.are_passwords_bound:
            data = adopt_rows(self._book, read_rows(self._ledger))
            with suppress(Overtaken):  # another server has adopted them
                self._append(Draft(HOUSE_CHAIN, ADOPTED, data), {}, self._book.number)
            self._follow()
        if has_old_form(self._ledger):
            drop_old_columns(self._ledger)


def _draft(kind: str, name: str, hashed: str = "", **data: str) -> tuple[Draft, dict[str, str]]:
    """An event about an account, with the digest of its new hash, and the hash by name."""
    bound = {"hash_digest": digest_hash(hashed)} if hashed else {}
    return Draft(HOUSE_CHAIN, kind, {"account": name} | data | bound), {name: hashed} if hashed else {}


def _generate_password() -> str:
    return secrets.token_urlsafe(15)
