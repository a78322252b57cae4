"""One-time codes: with each, somebody from outside the house makes the first account of a side.

A code is made at the machine that keeps the ledger and is shown once. The ledger records its digest, its role
and its end, so an auditor sees every code that was ever made, and the account that spent it.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from feltlab.digests import sha256_hex
from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_CHAIN, Draft, Event
from feltlab.pit.accounts import Account
from feltlab.pit.roles import OUTSIDE_ROLES, Forbidden, Role
from feltlab.text import capitalised, listing

MADE, CREATED = "code-made", "account-created"
CODE_KINDS = (MADE, CREATED)
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # without letters that look like a digit, and without U
MISREAD = str.maketrans({"O": "0", "I": "1", "L": "1"})
GROUPS, GROUP_CHARS = 5, 5  # 125 random bits
MAX_DAYS = 90


@dataclass(frozen=True)
class Code:
    """A code that was made, and its fate so far."""

    digest: str
    role: Role
    expires: str  # as the ledger writes moments
    made: str
    lost: bool = False  # made though the side had accounts, because their passwords are lost
    account: str = ""  # that spent it
    spent: str = ""


@dataclass(frozen=True)
class Codes:
    """All codes of a ledger, folded from the events of the house."""

    by_digest: Mapping[str, Code] = field(default_factory=dict)

    def after(self, event: Event) -> "Codes":
        digest = event.data.get("code")
        if event.kind not in CODE_KINDS or not digest:
            return self
        if event.kind == MADE:
            data, lost = event.data, event.data.get("lost", False)
            made = Code(digest, Role.parse(data["role"]), data["expires"], event.at, lost)
        elif digest in self.by_digest:
            made = replace(self.by_digest[digest], account=event.data["account"], spent=event.at)
        else:
            return self
        return Codes({**self.by_digest, digest: made})

    def check(self, digest: str, at: str) -> Code:
        """The code of a digest, if an account may be made with it at a moment."""
        code = self.by_digest.get(digest)
        if code is None:
            raise Forbidden("This code is not valid here.")
        if code.spent:
            raise Forbidden(f"This code was spent on {code.spent[:10]}; a code makes one account.")
        if code.expires <= at:
            raise Forbidden(f"This code expired on {code.expires[:10]}; ask for another one.")
        return code


def fold_codes(events: Iterable[Event]) -> Codes:
    """The codes of a ledger."""
    codes = Codes()
    for event in events:
        codes = codes.after(event)
    return codes


def members_of(role: Role, accounts: Iterable[Account]) -> list[str]:
    """The names of the accounts in use on the side of a role."""
    return [account.name for account in accounts if account.role.side == role.side and not account.disabled]


def parse_outside_role(text: str) -> Role:
    """A role whose first account needs a code."""
    role = Role.parse(text)
    if role not in OUTSIDE_ROLES:
        raise Refused(f"{role.with_article} needs no code; codes are for {listing(OUTSIDE_ROLES, 'or')}.")
    return role


def check_first(role: Role, members: Sequence[str], lost: bool) -> None:
    """Refuse a code for a side that has accounts, unless it is made because their passwords are lost.

    There may be many makers, and each has a code for its first account.
    """
    if members and not lost and role is not Role.MAKER:
        side, names = capitalised(role.side.in_words), listing(members)
        raise Refused(f"{side} has an account already ({names}); its members make others.")


def make_code(role: Role, days: int, login: str, lost: bool = False) -> tuple[str, Draft]:
    """A new code to be shown once, and the event that records it; `login` is the user at the machine."""
    groups = ("".join(secrets.choice(ALPHABET) for _ in range(GROUP_CHARS)) for _ in range(GROUPS))
    text = "-".join(groups)
    expires = datetime.now(UTC) + timedelta(days=days)
    moment = expires.isoformat(timespec="microseconds")
    about = {"role": role.value, "code": digest_code(text), "expires": moment, "login": login}
    data = {**about, **({"lost": True} if lost else {})}
    return text, Draft(HOUSE_CHAIN, MADE, data)


def digest_code(text: str) -> str:
    """The digest of a code as somebody types it: any case, with or without hyphens and spaces."""
    plain = "".join(text.upper().split()).replace("-", "").translate(MISREAD)
    return sha256_hex(f"feltlab code {plain}".encode())
